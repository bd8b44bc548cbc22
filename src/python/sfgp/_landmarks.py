"""Landmarks of a fit: pairs of arrays or of files."""
from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Tuple

import numpy as np
from numpy.typing import NDArray

from sfgp._library import Error, Session, lib, path_bytes, text
from sfgp._shapes import points_of, pointer, view


class Landmarks(NamedTuple):
    """Landmarks of a file."""

    names: List[str]  #: "" for a landmark without a name
    points: NDArray[np.float64]  #: k x d, in the coordinates of the file
    system: str  #: "LPS", "RAS", or "" when the format has none


def read_landmarks(path: Any) -> Landmarks:
    """Reads landmarks: CSV, ``.mrk.json`` and ``.fcsv`` of Slicer, ``.json`` of Scalismo, ``.pp``, ``.pts`` or ``.tps`` (docs/apply.md)."""
    with Session() as session:
        found = _read(session, path)
        names = [text(found.names[k]) for k in range(found.count)]
        return Landmarks(names, view(found, found.points, (found.count, found.dimension), np.float64), text(found.system))


def _read(session: Session, path: Any) -> Any:
    return session.make("sfgp_landmarks *", lambda made: lib.sfgp_landmarks_read(session.context, path_bytes(path), made),
                        lib.sfgp_landmarks_free)


def checked_pair(landmarks: Tuple[Any, Any], dimension: int) -> Tuple[Any, Any]:
    """Landmarks as two k x d arrays; two files as they are."""
    if isinstance(landmarks, (str, os.PathLike)) or len(landmarks) != 2:
        raise ValueError("landmarks: expected a pair, of the reference and of the target")
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
        pairs = session.make("sfgp_landmark_pairs *", lambda made: lib.sfgp_landmarks_pair(session.context, one, other, made),
                             lib.sfgp_landmark_pairs_free)
    except Error as error:
        raise Error(error.status, f"{first} and {second}: {error}") from None
    shape = (pairs.count, pairs.dimension)
    return view(pairs, pairs.first, shape, np.float64), view(pairs, pairs.second, shape, np.float64)
