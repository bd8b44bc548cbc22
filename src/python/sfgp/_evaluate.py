"""Errors of a fit whose truth is known, and distances to a shape."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import flags_of
from sfgp._library import Session, ffi, lib
from sfgp._shapes import ShapeLike, borrow, pointer


class Errors(NamedTuple):
    """Distances of fitted and true points, in the unit of the shapes; NaN when there is no point."""

    count: int  # type: ignore[assignment]  #: points
    mean: float  #: mean distance
    median: float  #: half of the distances are below
    p95: float  #: 95 % of the distances are below


class Evaluation(NamedTuple):
    """Errors of a fit."""

    all: Errors  #: over all points
    observed: Errors  #: over the points that the scan shows
    missing: Errors  #: over the points that it does not show


def evaluate(fitted: ShapeLike, truth: ShapeLike, missing: Any = None) -> Evaluation:
    """Compares point i of a fit with point i of the truth.

    Args:
        fitted: a fit, or any shape of N points
        truth: a shape of N points
        missing: N flags (bool, or 0 and 1), True where the scan does not show the point; None: it shows all
    """
    with Session() as session:
        one, other, made = borrow(session, fitted, "fitted"), borrow(session, truth, "truth"), ffi.new("sfgp_evaluation *")
        mask = None if missing is None else flags_of("missing", missing, one.mesh.count)
        session.check(lib.sfgp_evaluate(session.context, one.mesh, other.mesh,
                                        ffi.NULL if mask is None else pointer(mask, "unsigned char"), made))
        return Evaluation(*(Errors(part.count, part.mean, part.median, part.p95)
                            for part in (made.all, made.observed, made.missing)))


def distances(points: ShapeLike, shape: ShapeLike) -> NDArray[np.float64]:
    """From every point to a shape: to its surface where it has faces in 3D, else to its nearest point.

    Args:
        points: a fit, or any shape of N points
        shape: a scan, or any shape; of the same dimension
    """
    with Session() as session:
        one, other = borrow(session, points), borrow(session, shape, "shape")
        found = np.empty(one.mesh.count)
        session.check(lib.sfgp_distances(session.context, one.mesh, other.mesh, pointer(found)))
        return found
