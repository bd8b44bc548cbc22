"""Errors of a fit whose truth is known, and distances to a shape."""
from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import flags_of
from sfgp._library import Error, Session, Status, ffi, lib, path_bytes
from sfgp._shapes import ShapeLike, borrow, pointer, view


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


class Distances(NamedTuple):
    """Distances from the points of one shape to another one, in the unit of the shapes."""

    count: int  # type: ignore[assignment]  #: points
    mean: float  #: mean distance
    rms: float  #: root of the mean square
    p95: float  #: 95 % of the distances are below
    largest: float  #: largest distance


class SurfaceEvaluation(NamedTuple):
    """How far two shapes are from each other, without correspondence."""

    fitted_to_truth: Distances  #: from the points of the fit to the surface of the truth
    truth_to_fitted: Distances  #: from the points of the truth to the surface of the fit
    symmetric: Distances  #: over both together; its largest is the Hausdorff distance


def _mask_of(session: Session, missing: Any, count: int) -> Optional[NDArray[np.uint8]]:
    """One flag a point, from a file of a mask or from an array."""
    if missing is None:
        return None
    if not isinstance(missing, (str, os.PathLike)):
        return flags_of("missing", missing, count)
    mask = session.make("unsigned char *", lambda made: lib.sfgp_mask_read(session.context, path_bytes(missing), count, made),
                        lib.sfgp_mask_free)
    flags: NDArray[np.uint8] = view(mask, mask, (count,), np.uint8)
    return flags


def evaluate(fitted: ShapeLike, truth: ShapeLike, missing: Any = None) -> Evaluation:
    """Compares point i of a fit with point i of the truth.

    Args:
        fitted: a fit, or any shape of N points
        truth: a shape of N points
        missing: N flags (bool, or 0 and 1), True where the scan does not show the point, or a file with one 0 or 1 a line; None:
            it shows all

    Shapes of different points are compared by :func:`evaluate_surfaces`.
    """
    with Session() as session:
        one, other, made = borrow(session, fitted, "fitted"), borrow(session, truth, "truth"), ffi.new("sfgp_evaluation *")
        if one.mesh.count != other.mesh.count:
            raise Error(Status.ERROR_DATA, f"the fit has {one.mesh.count} points, the truth {other.mesh.count}: they do not correspond "
                        "point by point; sfgp.evaluate_surfaces compares shapes of different points")
        mask = _mask_of(session, missing, one.mesh.count)
        session.check(lib.sfgp_evaluate(session.context, one.mesh, other.mesh,
                                        ffi.NULL if mask is None else pointer(mask, "unsigned char"), made))
        return Evaluation(*(Errors(part.count, part.mean, part.median, part.p95)
                            for part in (made.all, made.observed, made.missing)))


def evaluate_surfaces(fitted: ShapeLike, truth: ShapeLike) -> SurfaceEvaluation:
    """Compares two shapes by :func:`distances` in both directions. They may have different points.

    Args:
        fitted: a fit, or any shape
        truth: any shape of the same dimension
    """
    with Session() as session:
        one, other = borrow(session, fitted, "fitted"), borrow(session, truth, "truth")
        made = ffi.new("sfgp_surface_evaluation *")
        session.check(lib.sfgp_evaluate_surfaces(session.context, one.mesh, other.mesh, made))
        return SurfaceEvaluation(*(Distances(part.count, part.mean, part.rms, part.p95, part.largest)
                                   for part in (made.fitted_to_truth, made.truth_to_fitted, made.symmetric)))


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
