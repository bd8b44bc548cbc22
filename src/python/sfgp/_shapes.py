"""Shapes in and out: arrays, files, and the meshes of other packages, none of which is imported."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import column_of, indices_of, numbers_of
from sfgp._library import Session, ffi, lib, path_bytes, text, text_bytes

#: Faces: f x k for polygons of k corners, or a list of index arrays where their sizes differ. Counted from 0.
Faces = Union[NDArray[np.int64], List[NDArray[np.int64]]]
#: A shape: a path, an n x d array (d is 2 or 3), a data frame whose columns x, y and z are taken by their names, or an object with ``.points``, or with ``.vertices``: meshes of trimesh,
#: Open3D, PyVista, meshio and this package. Faces are taken where there are any.
ShapeLike = Any


class Mesh:
    """Points with optional polygons, as :func:`read` returns them.

    Attributes:
        points: n x d float64, d is 2 or 3, in the unit of the file
        faces: f x k int64, or a list of index arrays; f is 0 for a point set
        attributes: numbers beside the coordinates, n float64 each, such as ``sd`` of a fit
        format: name of the file format, or "memory"
    """

    def __init__(self, points: Any, faces: Any = None, attributes: Optional[Dict[str, Any]] = None,
                 format: str = "memory") -> None:
        self.points: NDArray[np.float64] = points_of(points)
        self.faces: Faces = np.empty((0, 3), np.int64) if faces is None else faces
        self.attributes: Dict[str, Any] = dict(attributes or {})
        self.format = format

    def __repr__(self) -> str:
        return f"<sfgp.Mesh: {len(self.points)} points in {self.points.shape[1]}D, {len(self.faces)} faces>"


class _Memory:
    """Memory of the library as numpy takes it; the array keeps the owner alive."""

    def __init__(self, owner: Any, pointer: Any, shape: Tuple[int, ...], kind: str, writable: bool) -> None:
        self.owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"data": (address, not writable), "shape": shape, "typestr": kind, "version": 3}


def view(owner: Any, pointer: Any, shape: Tuple[int, ...], dtype: Any, writable: bool = False) -> Any:
    """An array over memory of the library, without a copy."""
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape, dtype)
    return np.asarray(_Memory(owner, pointer, shape, np.dtype(dtype).str, writable))


def pointer(array: NDArray[Any], kind: str = "double") -> Any:
    """The numbers of a C-ordered array. The array must stay alive."""
    return ffi.cast(kind + " *", array.ctypes.data)


def _by_names(table: Any) -> Any:
    """The columns x, y and z of a data frame, in this order, whatever their case. A table without x and y is left as it is."""
    columns = getattr(table, "columns", None)
    if columns is None:
        return table
    found = {str(name).lower(): name for name in columns}
    axes = [found[axis] for axis in "xyz" if axis in found]
    return table[axes] if len(axes) >= 2 and {"x", "y"} <= set(found) else table


def points_of(shape: ShapeLike, role: str = "points") -> NDArray[np.float64]:
    """The points of a shape that is no path; float64 arrays in C order are not copied."""
    shape = _by_names(shape)
    for name in ("vertices", "points"):
        if hasattr(shape, name):
            shape = getattr(shape, name)
            break
    if not hasattr(shape, "__len__") or isinstance(shape, dict):
        raise ValueError(f"{role}: {type(shape).__name__}; expected a path, an n x 2 or n x 3 array, or an object with .points or "
                         ".vertices")
    if isinstance(shape, tuple) and len(shape) == 2 and np.ndim(shape[0]) == 2:
        raise ValueError(f"{role}: a pair of arrays; points and faces are given as sfgp.Mesh(points, faces)")
    if getattr(shape, "dtype", None) == np.bool_:
        raise ValueError(f"{role}: dtype bool; expected points, and not a mask of them")
    points = numbers_of(role, shape)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        turned = points.ndim == 2 and points.shape[0] in (2, 3)
        raise ValueError(f"{role}: shape {points.shape}; expected n x 2 or n x 3{', its transpose (.T)?' if turned else ''}")
    return points


def _found_faces(shape: ShapeLike) -> Any:
    for name in ("faces", "triangles"):
        if getattr(shape, name, None) is not None:
            return getattr(shape, name)
    cells = getattr(shape, "cells_dict", {})  # meshio
    kinds = [cells[kind] for kind in ("triangle", "quad") if kind in cells]
    return kinds[0] if len(kinds) == 1 else [face for kind in kinds for face in kind]


def _split_padded(flat: NDArray[np.int64]) -> List[NDArray[np.int64]]:
    """The faces of VTK and PyVista: k, then k indices, again and again."""
    faces, at = [], 0
    while at < len(flat):
        if not 0 <= flat[at] < len(flat) - at:
            raise ValueError(f"faces: {flat[at]} corners from entry {at} of {len(flat)}; expected k, then k indices, again and again")
        faces.append(flat[at + 1:at + 1 + flat[at]])
        at += 1 + int(flat[at])
    return faces


def _refuse_turned(faces: NDArray[np.int64]) -> None:
    """Three long rows that name a point twice are the first, the second and the third corners of triangles, and no polygons."""
    if faces.shape[0] in (3, 4) and len(np.unique(faces[0])) < faces.shape[1] > 4:
        raise ValueError(f"faces: shape {faces.shape}; expected f x k, its transpose (.T)?")


def _index_arrays(faces: Any) -> Faces:
    """Faces as f x k indices, or as a list of index arrays."""
    if isinstance(faces, (list, tuple)):
        found = [indices_of("faces", face) for face in faces]
    else:
        array = indices_of("faces", [] if faces is None else faces)
        if array.ndim == 2:
            _refuse_turned(array)
            return array
        found = _split_padded(array) if array.ndim == 1 else [array]
    if any(face.ndim != 1 for face in found):
        raise ValueError("faces: expected f x k indices, or a list of index arrays")
    return found


def faces_of(shape: ShapeLike) -> Tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Offsets (f + 1) and corners of the faces of a shape, as the library has them."""
    faces = _index_arrays(_found_faces(shape))
    if len(faces) == 0:
        return np.zeros(1, np.int64), np.empty(0, np.int64)
    if isinstance(faces, np.ndarray):
        corners, sizes = faces.ravel(), np.full(len(faces), faces.shape[1])
    else:
        corners, sizes = np.concatenate(faces), np.array([len(face) for face in faces])
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return start, np.ascontiguousarray(corners, dtype=np.int64)


class Borrowed:
    """A shape as the library takes it: ``mesh`` is valid as long as this object lives."""

    def __init__(self, mesh: Any, keep: Any = None) -> None:
        self.mesh = mesh
        self._keep = keep


def borrow(session: Session, shape: ShapeLike, role: str = "points") -> Borrowed:
    """Reads a path; of anything else the memory is used where it lies. role: what messages call it."""
    if isinstance(shape, (str, os.PathLike)):
        name = path_bytes(shape)
        return Borrowed(session.make("sfgp_mesh *", lambda made: lib.sfgp_mesh_read(session.context, name, made),
                                     lib.sfgp_mesh_free))
    points = points_of(shape, role)
    start, corners = faces_of(shape)
    if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
        raise ValueError(f"faces: index {corners.min()} to {corners.max()}, there are {len(points)} points")
    mesh = ffi.new("sfgp_mesh *", {
        "count": len(points), "dimension": points.shape[1], "points": pointer(points), "face_count": len(start) - 1,
        "face_start": pointer(start, "int64_t") if len(corners) else ffi.NULL,
        "face_points": pointer(corners, "int64_t") if len(corners) else ffi.NULL, "format": _MEMORY})
    return Borrowed(mesh, (points, start, corners))


_MEMORY = ffi.new("char[]", b"memory")


def mesh_points(mesh: Any) -> NDArray[np.float64]:
    """The points of a mesh of the library, without a copy."""
    points: NDArray[np.float64] = view(mesh, mesh.points, (mesh.count, mesh.dimension), np.float64, writable=True)
    return points


def mesh_faces(mesh: Any) -> Faces:
    """The faces of a mesh of the library, copied."""
    if mesh.face_count == 0:
        return np.empty((0, 3), np.int64)
    start = view(mesh, mesh.face_start, (mesh.face_count + 1,), np.int64)
    corners = np.array(view(mesh, mesh.face_points, (int(start[-1]),), np.int64))
    sizes = np.diff(start)
    if (sizes == sizes[0]).all():
        return corners.reshape(-1, int(sizes[0]))
    return np.split(corners, start[1:-1])


def as_mesh(mesh: Any, attributes: Optional[Dict[str, Any]] = None) -> Mesh:
    """A mesh of the library, its points without a copy."""
    return Mesh(mesh_points(mesh), mesh_faces(mesh), attributes, text(mesh.format))


def read(path: Any, columns: Optional[str] = None, scale: float = 1) -> Mesh:
    """Reads PLY, OBJ, STL, VTP, VTK legacy, OFF, glTF, NPY or text, also packed by gzip.

    Args:
        path: the file
        columns: of text and NPY, the coordinates by number from 1 or by name in the header: "2,3,4" or "x,y,z"
        scale: the coordinates are multiplied by it: 1000 for a file in metres, beside others in millimetres

    Returns:
        the mesh, with the numbers beside its coordinates (PLY, VTP) in ``attributes``
    """
    if scale == 0:  # which the library takes for no scale
        raise ValueError("scale: 0 is no factor; give a number above 0")
    with Session() as session:
        name, wanted = path_bytes(path), ffi.new("char[]", text_bytes(columns)) if columns else ffi.NULL
        options, found = ffi.new("sfgp_read_options *", {"columns": wanted, "scale": scale}), ffi.new("sfgp_attributes **")
        mesh = session.make("sfgp_mesh *", lambda made: lib.sfgp_mesh_read_with(session.context, name, options, made, found),
                            lib.sfgp_mesh_free)
        table = ffi.gc(found[0], lib.sfgp_attributes_free)
        attributes = {text(item.name): np.array(view(table, item.values, (mesh.count,), np.float64))
                      for item in table.items[0:table.count]}
        return as_mesh(mesh, attributes)


def _refuse_attributes(path: Any, attributes: Any) -> None:
    """What was asked for and would be left out."""
    if not isinstance(attributes, dict):
        raise TypeError(f"attributes: {type(attributes).__name__}; expected a dict of n numbers by name; faces are given by "
                        "sfgp.Mesh(points, faces)")
    name = os.fsdecode(path)
    extension = os.path.splitext(name[:-3] if name.lower().endswith(".gz") else name)[1].lower()
    if attributes and extension not in (".ply", ".vtp") and name != "-" and not name.startswith("/dev/"):
        raise ValueError(f"attributes: only PLY and VTP hold them, not {name!r}")


def write(path: Any, shape: ShapeLike, attributes: Optional[Dict[str, Any]] = None) -> None:
    """Writes a shape, whole or not at all. Coordinates keep all bits (STL: 32).

    Args:
        path: its extension is the format: ply, obj, stl, vtp, npy; txt, csv, tsv, xyz and asc are text; .gz packs
        shape: a fit, a mesh or an n x d array
        attributes: n numbers by name, for PLY and VTP; flags (bool) become bytes, as uint8 does: colours are ``red``, ``green``
            and ``blue``. None: those of the shape, where the format holds them
    """
    if attributes is None:
        attributes = getattr(shape, "attributes", None) or {}
    else:
        _refuse_attributes(path, attributes)
    with Session() as session:
        borrowed = borrow(session, shape)
        count = borrowed.mesh.count
        names = [ffi.new("char[]", text_bytes(name)) for name in attributes]
        flags = [np.asarray(values).dtype in (np.bool_, np.uint8) for values in attributes.values()]
        arrays = [column_of(name, values, count) for name, values in attributes.items()]
        rows = ffi.new("sfgp_attribute[]", [{"name": n, "values": pointer(a), "integer": int(f)}
                                            for n, a, f in zip(names, arrays, flags)])
        session.check(lib.sfgp_mesh_write(session.context, path_bytes(path), borrowed.mesh, rows, len(arrays)))


def faces_of_fit(faces: Faces, report: Dict[str, Any]) -> Faces:
    """The faces of a fit: those of the reference; a mirror image has its inside out, so that their corners are turned."""
    if not report["settings"]["mirror"] or report["outcome"] == "no_overlap":
        return faces
    return faces[:, ::-1].copy() if isinstance(faces, np.ndarray) else [face[::-1] for face in faces]
