"""Fits a reference shape to a damaged scan, point by point, with an uncertainty for every point.

    fit = sfgp.register("reference.ply", "scan.ply")
    fit.points, fit.faces, fit.sd, fit.missing
    sfgp.write("fitted.ply", fit)

docs/python.md is a tutorial, docs/settings.md lists the settings.
"""
from sfgp._library import Error, FitWarning, Progress, Status, ffi as _ffi, lib as _lib
from sfgp._batch import batch
from sfgp._evaluate import Distances, Errors, Evaluation, SurfaceEvaluation, distances, evaluate, evaluate_surfaces
from sfgp._fit import Fit, apply, register
from sfgp._landmarks import Landmarks, read_landmarks, write_landmarks
from sfgp._model import Model
from sfgp._shapes import Faces, Mesh, ShapeLike, read, write

for _shown in (Error, FitWarning):
    _shown.__module__ = "sfgp"  # what a traceback says

__version__: str = _ffi.string(_lib.SFGP_VERSION).decode()
__all__ = ["Distances", "Error", "Errors", "Evaluation", "Faces", "Fit", "FitWarning", "Landmarks", "Mesh", "Model", "Progress",
           "ShapeLike", "Status", "SurfaceEvaluation", "apply", "batch", "distances", "evaluate", "evaluate_surfaces", "read",
           "read_landmarks", "register", "write", "write_landmarks"]
