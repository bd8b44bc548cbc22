"""Landmarks: in files, and of a fit, pairs of arrays, of files or of landmarks with names."""
from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Tuple

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import column_of
from sfgp._library import Error, Session, ffi, lib, path_bytes, text, text_bytes
from sfgp._shapes import points_of, pointer, view


class Landmarks(NamedTuple):
    """Landmarks of a file. ``landmarks._replace(points=fit.apply(landmarks.points))`` are the same on a scan."""

    names: List[str]  #: "" for a landmark without a name
    points: NDArray[np.float64]  #: k x d, in the coordinates of the file
    system: str = ""  #: "LPS", "RAS", or "" when the format has none


def read_landmarks(path: Any) -> Landmarks:
    """Reads landmarks: CSV, ``.mrk.json`` and ``.fcsv`` of Slicer, ``.json`` of Scalismo, ``.pp``, ``.pts``, ``.tps`` or ``.nts`` (docs/apply.md)."""
    with Session() as session:
        found = _read(session, path)
        names = [text(found.names[k]) for k in range(found.count)]
        return Landmarks(names, view(found, found.points, (found.count, found.dimension), np.float64), text(found.system))


_FORMAT = ffi.new("char[]", b"csv")


def _native(landmarks: Landmarks) -> Tuple[Any, Any]:
    """Landmarks as the library takes them, and what has to live as long."""
    if not isinstance(landmarks, Landmarks):
        raise TypeError(f"landmarks: {type(landmarks).__name__}; expected sfgp.Landmarks(names, points)")
    points = points_of(landmarks.points, "landmarks")
    if len(landmarks.names) != len(points) or landmarks.system not in ("", "LPS", "RAS"):
        raise ValueError(f"landmarks: {len(landmarks.names)} names of {len(points)} points in the system {landmarks.system!r}; expected "
                         "a name for each, and LPS, RAS or ''")
    names = [ffi.new("char[]", text_bytes(name)) for name in landmarks.names]
    listed, system = ffi.new("char *[]", names), ffi.new("char[]", text_bytes(landmarks.system))
    made = ffi.new("sfgp_landmarks *", {"count": len(points), "dimension": points.shape[1], "names": listed, "points": pointer(points),
                                        "format": _FORMAT, "system": system})
    return made, (points, names, listed, system)


def write_landmarks(path: Any, landmarks: Landmarks, sd: Any = None) -> None:
    """Writes landmarks, whole or not at all, as the extension says: ``.csv``, ``.mrk.json``, ``.fcsv``, ``.pp``, ``.tps``,
    ``.scalismo.json`` (docs/apply.md).

    Args:
        path: the file
        landmarks: names, points and system
        sd: k standard deviations, such as those of :meth:`sfgp.Fit.apply`; ``.pp`` and ``.tps`` have no place for them
    """
    with Session() as session:
        given, keep = _native(landmarks)
        deviations = None if sd is None else column_of("sd", sd, given.count)
        session.check(lib.sfgp_landmarks_write(session.context, path_bytes(path), given,
                                               ffi.NULL if deviations is None else pointer(deviations)))
        del keep


def _read(session: Session, path: Any) -> Any:
    return session.make("sfgp_landmarks *", lambda made: lib.sfgp_landmarks_read(session.context, path_bytes(path), made),
                        lib.sfgp_landmarks_free)


def checked_pair(landmarks: Tuple[Any, Any], dimension: int) -> Tuple[Any, Any]:
    """Landmarks as two k x d arrays; two files as they are. Landmarks with names are paired by them."""
    if isinstance(landmarks, (str, os.PathLike)) or len(landmarks) != 2:
        raise ValueError("landmarks: expected a pair, of the reference and of the target")
    if all(isinstance(each, Landmarks) for each in landmarks):
        with Session() as session:
            (one, keep), (other, kept) = map(_native, landmarks)
            landmarks = _pairs_of(session, one, other)
            del keep, kept
    files = [isinstance(points, (str, os.PathLike)) for points in landmarks]
    if all(files):
        return landmarks
    if any(files):
        raise ValueError("landmarks: one is a file, the other is not; give two files, or two k x d arrays")
    first, second = (points_of(points, f"landmarks[{k}]") for k, points in enumerate(landmarks))
    if first.shape != second.shape or first.shape[1] != dimension:
        raise ValueError(f"landmarks: shapes {first.shape} and {second.shape}; expected the same of both, in {dimension}D as the "
                         "reference")
    return first, second


def set_landmarks(session: Session, solver: Any, landmarks: Tuple[Any, Any], sd: float, dimension: int) -> None:
    """Gives landmarks to a solver, which reads rows of that dimension."""
    first, second = checked_pair(landmarks, dimension)
    if isinstance(first, (str, os.PathLike)):
        first, second = checked_pair(_read_pairs(session, first, second), dimension)
    session.check(lib.sfgp_solver_set_landmarks(solver, len(first), pointer(first), pointer(second), sd))


def _read_pairs(session: Session, first: Any, second: Any) -> Tuple[Any, Any]:
    one, other = _read(session, first), _read(session, second)
    try:
        return _pairs_of(session, one, other)
    except Error as error:
        raise Error(error.status, f"{first} and {second}: {error}") from None


def _pairs_of(session: Session, one: Any, other: Any) -> Tuple[Any, Any]:
    """By their names, where both have them, else by their order."""
    pairs = session.make("sfgp_landmark_pairs *", lambda made: lib.sfgp_landmarks_pair(session.context, one, other, made),
                         lib.sfgp_landmark_pairs_free)
    shape = (pairs.count, pairs.dimension)
    return view(pairs, pairs.first, shape, np.float64), view(pairs, pairs.second, shape, np.float64)
