"""A process of :func:`sfgp.batch`: reads a job and tasks from its standard input, writes results to its standard output."""
from __future__ import annotations

import os
import pickle
import sys
import warnings
from typing import Any

import sfgp
from sfgp._fit import SavedMap


def _fit(model: sfgp.Model, job: Any, k: int, target: Any, landmarks: Any) -> Any:
    try:
        sd = 0.0 if landmarks is None else job["landmark_sd"]
        fit = sfgp.register(model, target, landmarks=landmarks, landmark_sd=sd, **job["settings"])
        if job["save"] is not None:
            path = os.path.join(job["save"], f"{k}.h5")
            fit.save(path)
            fit._origin = SavedMap(path)
        fit.faces = []  # those of the model
        return fit
    except Exception as error:
        return error


def main() -> None:
    """Until the standard input ends. What is printed goes to stderr."""
    warnings.simplefilter("ignore")  # they are in the report
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = pickle.load(sys.stdin.buffer)
    model = sfgp.Model.read(job["model"])
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        pickle.dump(_fit(model, job, *task), results, pickle.HIGHEST_PROTOCOL)
        results.flush()


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)
