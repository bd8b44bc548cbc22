"""Registration, and what a fit is."""
from __future__ import annotations

import copy
import html
import os
import re
import tempfile
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import shapes_of, whole
from sfgp._landmarks import set_landmarks
from sfgp._library import Error, Progress, Session, ffi, lib, path_bytes, text, text_bytes
from sfgp._model import LAST_SEED, Model, prior, read_map, setting_names, settings_from
from sfgp._shapes import Faces, ShapeLike, borrow, faces_of_fit, pointer, view
from sfgp._words import in_python


def register(reference: Any, target: ShapeLike, *, train: Optional[Iterable[ShapeLike]] = None,
             landmarks: Optional[Tuple[Any, Any]] = None, landmark_sd: float = 0.0,
             progress: Optional[Callable[[Progress], object]] = None, **settings: Any) -> "Fit":
    """Fits a reference shape to a damaged scan.

    The lock of the interpreter is released while the library works. An interrupt (Ctrl-C) ends the fit. What the library
    warns of becomes a :class:`sfgp.FitWarning`, and so does the reason of a fit that has not converged, is doubtful or has no
    overlap.

    Args:
        reference: the shape that is fitted, N points in d = 2 or 3 dimensions: a path, an N x d array, a mesh of another
            package (see :func:`sfgp.read`), or a :class:`sfgp.Model`
        target: the scan, M points, likewise; its faces are not used
        train: shapes that correspond to the reference point by point, for the prior; a k x N x d array or any sequence of
            shapes
        landmarks: points of the reference and the same points of the target, each a k x d array, or two landmark files, or two
            :class:`sfgp.Landmarks`, which are paired by their names
        landmark_sd: their error per axis, in the unit of the shapes; 0: 1 % of the RMS radius of the reference
        progress: called a few times a second with a :class:`sfgp.Progress`; what it raises ends the fit
        settings: such as ``method="auto"``, ``kernel="se:length=1,variance=0.1"``, ``threads=2`` (docs/settings.md); lengths
            are in RMS radii of the reference

    Returns:
        the fit; one that does not converge is a result, see ``Fit.outcome``

    Raises:
        sfgp.Error: what the library refuses; ``.status`` says why
        ValueError, TypeError: arguments that are refused before, such as masked arrays or landmarks of another dimension
    """
    if landmarks is None and landmark_sd != 0:
        raise ValueError("landmark_sd: there are no landmarks")
    session = Session(progress)
    own = settings_from(session, settings)
    shapes = None if train is None else shapes_of("train", train)
    model, faces = prior(session, reference, shapes, own)
    borrowed = borrow(session, target, "target")
    solver = session.make("sfgp_solver *", lambda made: lib.sfgp_solver_new(session.context, model, own, made),
                          lib.sfgp_solver_free, (session, model))
    if landmarks is not None:
        set_landmarks(session, solver, landmarks, landmark_sd, Model(model).dimension)
    result = session.make("sfgp_result *", lambda made: lib.sfgp_solver_run(solver, borrowed.mesh, made),
                          lib.sfgp_result_free)
    session.listener.progress = None
    _keep_flag(session, result)

    origin = _Origin(session, model, solver, result, (reference, target), len(shapes or ()))
    values = _values(result, session.listener.warnings)
    fit = Fit(values, faces_of_fit(faces, values["report"]), origin)
    session.warn()
    return fit


def _keep_flag(session: Session, result: Any) -> None:
    """Why a fit is flagged is among the warnings."""
    room = ffi.new("char[]", lib.SFGP_WARNING_SIZE)
    flag = in_python(text(lib.sfgp_result_warning(result, room)))
    if flag:
        session.listener.warnings.append(flag)


def _moved(deformation: Any, points: ShapeLike, dimension: int, threads: int, with_sd: bool) -> Tuple[Any, Any]:
    """Points that a map of space has moved, and their standard deviations."""
    session = Session()
    given = borrow(session, points)
    count, d = given.mesh.count, given.mesh.dimension
    if d != dimension:
        raise ValueError(f"points: {d}D, the fit is {dimension}D")
    moved, sd = np.empty((count, d)), np.empty(count if with_sd else 0)
    session.check(lib.sfgp_deformation_apply(session.context, deformation, count, given.mesh.points, threads, pointer(moved),
                                             pointer(sd) if with_sd else ffi.NULL))
    return moved, sd


def apply(saved: Any, points: ShapeLike, return_sd: bool = False, threads: int = 0) -> Any:
    """Moves points with a fit that was saved: what ``sfgp apply`` does.

    Args:
        saved: a file of :meth:`Fit.save`, of ``save`` of :func:`sfgp.batch`, or of ``sfgp register --save``
        points: k x d in the frame of the reference, or a shape
        return_sd: also the posterior standard deviations
        threads: 0: one for each processor. The result does not depend on it

    Returns:
        k x d float64; with ``return_sd`` a pair of these and k standard deviations per axis
    """
    deformation = read_map(saved)
    info = ffi.new("sfgp_model_info *")
    lib.sfgp_model_describe(lib.sfgp_deformation_model(deformation), info)
    moved, sd = _moved(deformation, points, info.dimension, whole("threads", threads, 0, 1 << 20), return_sd)
    return (moved, sd) if return_sd else moved


class _Origin:
    """What made a fit: the solver and the result behind its arrays, and the target, which its page shows."""

    def __init__(self, session: Session, model: Any, solver: Any, result: Any, given: Tuple[Any, Any], training: int) -> None:
        self.session, self.model, self.solver, self.result = session, model, solver, result
        self.target, self.training = given[1], training
        self.paths = [path_bytes(shape) if isinstance(shape, (str, os.PathLike)) else None for shape in given]

    def make_map(self) -> Any:
        """The fit as a map of space."""
        return self.session.make("sfgp_deformation *", lambda made: lib.sfgp_solver_deformation(self.solver, self.result, made),
                                 lib.sfgp_deformation_free, self.solver)

    def write_page(self, path: Any, unit: str) -> None:
        """The page of the fit."""
        with Session() as session:
            reference = session.make("sfgp_mesh *", lambda made: lib.sfgp_model_reference(session.context, self.model, made),
                                     lib.sfgp_mesh_free)
            target = borrow(session, self.target)
            texts = [ffi.new("char[]", name) if name else ffi.NULL for name in (*self.paths, text_bytes(unit))]
            warnings = [ffi.new("char[]", warning.encode()) for warning in self.session.listener.warnings]
            listed = ffi.new("char *[]", warnings)
            options = ffi.new("sfgp_page_options *", {
                "reference": texts[0], "target": texts[1], "unit": texts[2],
                "training": self.training, "warnings": ffi.cast("const char *const *", listed), "warning_count": len(warnings)})
            session.check(lib.sfgp_result_write_html(session.context, self.result, reference, target.mesh, options,
                                                     path_bytes(path)))


class Fit:
    """What a fit found. Point i is point i of the reference; lengths are in the unit of the shapes. The arrays are memory of
    the library, read-only: copy what you want to change.

    Attributes:
        points: N x d float64, the fitted shape
        faces: those of the reference: f x k int64, or a list of index arrays
        sd: N float64, posterior standard deviation per axis
        missing: N bool, True where the target does not show the point
        target: N int64, the most probable target point; -1 where missing
        probability: N float64, its probability; 0 where missing
        outcome: "converged", "max_iterations", "max_time", "doubtful" or "no_overlap"
        pose: 4 x 4 float64, rigid motion of the reference within the fit
        attributes: sd and missing, which :func:`sfgp.write` puts beside the points
        report: dict of numbers about the fit, its settings with what "auto" became, and its warnings
    """

    def __init__(self, values: Dict[str, Any], faces: Faces, origin: Union[_Origin, "SavedMap"]) -> None:
        self.points: NDArray[np.float64] = values["points"]
        self.faces = faces
        self.sd: NDArray[np.float64] = values["sd"]
        self.missing: NDArray[np.bool_] = values["missing"]
        self.target: NDArray[np.int64] = values["target"]
        self.probability: NDArray[np.float64] = values["probability"]
        self.outcome: str = values["outcome"]
        self.pose: NDArray[np.float64] = values["pose"]
        self.report: Dict[str, Any] = values["report"]
        self._origin = origin
        self._deformation: Any = None
        self._lock = threading.Lock()

    @property
    def attributes(self) -> Dict[str, Any]:
        return {"sd": self.sd, "missing": self.missing}

    def apply(self, points: ShapeLike, return_sd: bool = False) -> Any:
        """Moves points with the fit. Points of the reference land on the fit.

        Args:
            points: k x d in the frame of the reference, or a shape
            return_sd: also the posterior standard deviations

        Returns:
            k x d float64; with ``return_sd`` a pair of these and k standard deviations per axis
        """
        moved, sd = _moved(self._map(), points, self.points.shape[1], self.report["settings"]["threads"], return_sd)
        return (moved, sd) if return_sd else moved

    def save(self, path: Any) -> None:
        """Writes model and fit (HDF5: ``.h5`` or ``.hdf5``, docs/models.md), whole or not at all, for ``sfgp apply``."""
        with Session() as session:
            session.check(lib.sfgp_deformation_write(session.context, self._map(), path_bytes(path)))

    def samples(self, count: int, seed: int = 1) -> NDArray[np.float64]:
        """Shapes that the fit holds possible: random shapes of :meth:`sfgp.Model.posterior`.

        Args:
            count: number of shapes
            seed: of the first; the others follow. Equal seeds give equal shapes

        Returns:
            count x N x d float64
        """
        whole("count", count, 0, LAST_SEED)
        whole("seed", seed, 0, LAST_SEED - max(count - 1, 0))
        model = Model.posterior(self)
        shapes = [model.sample(seed + k).points for k in range(count)]
        return np.stack(shapes) if shapes else np.empty((0, *self.points.shape))

    def _map(self) -> Any:
        """The fit as a map of space, made when it is first wanted."""
        with self._lock:
            if self._deformation is None:
                self._deformation = self._origin.make_map()
            return self._deformation

    def _parts(self) -> Dict[str, Any]:
        names = ("points", "sd", "missing", "target", "probability", "outcome", "pose", "report")
        return {name: getattr(self, name) for name in names}

    def __reduce__(self) -> Any:
        """A fit that was pickled has its arrays. It moves points when it was saved by :func:`sfgp.batch`."""
        return Fit, (self._parts(), self.faces, self._origin if isinstance(self._origin, SavedMap) else SavedMap(None))

    def _with(self, values: Dict[str, Any], faces: Faces) -> "Fit":
        """A fit with the same map of space, which never changes."""
        other = Fit(values, faces, self._origin)
        other._deformation, other._lock = self._deformation, self._lock
        return other

    def __copy__(self) -> "Fit":
        return self._with(self._parts(), self.faces)

    def __deepcopy__(self, memo: Any) -> "Fit":
        return self._with(copy.deepcopy(self._parts(), memo), copy.deepcopy(self.faces, memo))

    def to_html(self, path: Any, unit: str = "") -> None:
        """Writes a page about the fit, whole or not at all: sentences, pictures, numbers, settings, and a view in 3D. It needs no
        other file. ``sfgp register --html`` writes the same bytes but for the time of the fit, and the names of settings in warnings.

        Args:
            path: an HTML file
            unit: of the points, such as "mm"; "": not known

        A target that was given as a path is read again.
        """
        self._origin.write_page(path, unit)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, and the pictures of the page. No script and no frame, which notebooks on the web do not
        show."""
        share = f"{100 * self.missing.mean():.1f} %"
        rows = [("outcome", self.outcome), ("points", len(self.points)), ("missing", share),
                ("sigma", f"{self.report['sigma']:.3g}"), ("largest sd", f"{self.sd.max():.3g}"),
                *(("warning", html.escape(warning)) for warning in self.report["warnings"])]
        table = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
        return f"<table>{table}</table>" + "".join(self._pictures()[:2])

    def _pictures(self) -> List[str]:
        """The images of the page: the scan, the fit, its sd, deviation and distance. None of a fit from a pickle or a batch."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fit.html")
            try:
                self.to_html(path)
            except (Error, OSError, RuntimeError):
                return []
            with open(path, encoding="utf-8") as page:
                return re.findall(r'<img width="[0-9]+" height="[0-9]+" alt="[^"]*" src="data:image/png;base64,[^"]*">', page.read())

    def __repr__(self) -> str:
        return f"<sfgp.Fit: {self.outcome}, {len(self.points)} points, {int(self.missing.sum())} missing>"


class SavedMap:
    """The map of a fit without its model, from a pickle or another process: in a file, or nowhere."""

    def __init__(self, path: Optional[str]) -> None:
        self.path = path

    def make_map(self) -> Any:
        if self.path is None:
            raise RuntimeError("a fit that was loaded from a pickle, or made by sfgp.batch without save, has no model: use Fit.save on "
                               "the first fit, or give a folder as save to sfgp.batch; sfgp.apply moves points by such a file")
        return read_map(self.path)

    def write_page(self, path: Any, unit: str) -> None:
        raise RuntimeError("a fit that was loaded from a pickle, or made by sfgp.batch, has no target: use Fit.to_html on the first "
                           "fit, or sfgp batch --html")


def _values(result: Any, warnings: Any) -> Dict[str, Any]:
    """Views of a result of the library, and its numbers."""
    count, d = int(result.count), int(result.dimension)
    outcome = text(lib.sfgp_outcome_name(result.outcome))
    arrays = (("points", (count, d), np.float64), ("sd", (count,), np.float64), ("missing", (count,), np.bool_),
              ("target", (count,), np.int64), ("probability", (count,), np.float64))
    return {**{name: view(result, getattr(result, name), shape, dtype) for name, shape, dtype in arrays},
            "pose": view(result, ffi.addressof(result, "pose"), (4, 4), np.float64), "outcome": outcome,
            "report": _report(result, outcome, warnings)}


def _settings(settings: Any) -> Dict[str, Any]:
    return {name: text(value) if isinstance(value := getattr(settings, name), ffi.CData) else value for name in setting_names()}


def _report(result: Any, outcome: str, warnings: Any) -> Dict[str, Any]:
    names = ("iterations", "fits", "total_iterations", "change", "missing_count", "sigma", "explained",
             "expected_error", "expected_error_observed", "expected_error_missing", "omega", "rank", "detail", "detail_length", "detail_points", "adapted_smooth", "adapted_offset", "size", "pose_margin", "seconds")
    numbers = {name: getattr(result, name) for name in names}
    doubts = [text(lib.sfgp_doubt_name(1 << k)) for k in range(result.doubts.bit_length()) if result.doubts >> k & 1]
    return {"outcome": outcome, "doubts": doubts, **numbers, "symmetric": bool(result.symmetric), "settings": _settings(result.settings), "warnings": list(warnings)}
