"""The Python package against the program on the 24 ears of the evaluation data: the same bytes, and what Python itself costs.

    PYTHONPATH=build/python python3 bench/binding.py build/sfgp [EARS]     # writes bench/results/binding.csv; exit 1: bytes differ

The cost of a fit is the time of sfgp.register without the time within the library, which reads, builds the model and fits: CPU
time of the thread, and wall time, which includes waiting for a busy machine. Needs ../shared/data (or $SFGP_DATA).
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import sfgp
from sfgp import _fit, _library, _model, _shapes

SOURCE = pathlib.Path(__file__).resolve().parents[1]
EARS = pathlib.Path(os.environ.get("SFGP_DATA", SOURCE.parent / "shared" / "data")) / "ears"


class Timed:
    """The library, with the time that is spent in it."""

    def __init__(self, lib):
        self._lib, self.cpu, self.wall = lib, 0.0, 0.0

    def __getattr__(self, name):
        value = getattr(self._lib, name)
        if not callable(value):
            return value

        def call(*arguments):
            cpu, wall = time.thread_time(), time.perf_counter()
            try:
                return value(*arguments)
            finally:
                self.cpu += time.thread_time() - cpu
                self.wall += time.perf_counter() - wall
        return call


def watch():
    """Replaces the library in the modules that fit, read and write. Making a context counts as Python."""
    timed = Timed(_library.lib)
    for module in (_fit, _model, _shapes):
        module.lib = timed
    return timed


def commit():
    run = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=SOURCE, capture_output=True, text=True)
    return run.stdout.strip() or "unknown"


def machine():
    with open("/proc/cpuinfo") as file:
        return next((" ".join(line.split(":")[1].split()[:2]) for line in file if line.startswith("model name")), "unknown")


def fit_both(program, scan, folder, timed):
    """Whether the files are the same, and the cost of Python in ms: CPU, wall."""
    reference = EARS / "reference.ply"
    subprocess.run([program, "register", reference, scan, "-o", folder / "program.ply", "--quiet"], check=False)
    timed.cpu = timed.wall = 0.0
    cpu, wall = time.thread_time(), time.perf_counter()
    fit = sfgp.register(reference, scan)
    cost = [1000 * (time.thread_time() - cpu - timed.cpu), 1000 * (time.perf_counter() - wall - timed.wall)]
    sfgp.write(folder / "python.ply", fit, {"sd": fit.sd, "missing": fit.missing, "distance": sfgp.distances(fit, scan),
                                            "quality": fit.sd})
    return (folder / "program.ply").read_bytes() == (folder / "python.ply").read_bytes(), *cost


def main(program, count=24):
    timed = watch()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for scan in sorted((EARS / "scan").glob("*.ply"))[:int(count)]:
            same, cpu, wall = fit_both(program, scan, pathlib.Path(folder), timed)
            rows.append([commit(), machine(), scan.stem, int(same), f"{cpu:.3f}", f"{wall:.3f}"])
            print(*rows[-1], flush=True)
    with open(SOURCE / "bench" / "results" / "binding.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["commit", "machine", "ear", "same_bytes", "cpu_ms", "wall_ms"], *rows])
    return 0 if rows and all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
