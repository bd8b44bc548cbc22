"""Where a fit ends when nothing of the problem has changed: one row a fit.

    python3 bench/optima.py PROGRAM DATA CASE... >> bench/results/optima.csv     # DATA: ../shared/data; CASE: demo or 0 to 23 (an ear)
    python3 bench/optima.py summary < bench/results/optima.csv

The changes of a case: OPENBLAS_CORETYPE (Prescott, Haswell, SkylakeX, Zen), 20 jitters of the scan (normal, 1e-9 of its unit), 5 orders of its
points, 5 turns of scan and reference together. moved_mm: mean distance from the fit of the unchanged case by the default routines, turned back. The
reference has no faces. One thread; fixed seeds; 35 fits a case.
"""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np

from scans import commit_of, read_points, rotate, write_points

COLUMNS = "commit case change number error_mm moved_mm".split()
SAME = 0.05  # mm: more is another optimum; the two of the demo are 0.1 apart


def variants(reference, scan):
    """Name, number, core type, reference, scan, and the turn that both have."""
    still = np.array([1.0, 0, 0, 0])
    yield "none", 0, None, reference, scan, still
    for k, core in enumerate(("Prescott", "Haswell", "SkylakeX", "Zen")):
        yield "core", k, core, reference, scan, still
    for k in range(20):
        yield "jitter", k, None, reference, scan + 1e-9 * np.random.default_rng(k).normal(size=scan.shape), still
    for k in range(5):
        yield "order", k, None, reference, np.random.default_rng(k).permutation(scan), still
    for k in range(5):
        q = np.random.default_rng(100 + k).normal(size=4)
        q /= np.linalg.norm(q)
        middle = reference.mean(0)
        yield "turn", k, None, rotate(q, middle, reference), rotate(q, middle, scan), q


def fit(program, core, reference, scan, work):
    write_points(f"{work}/reference.ply", reference)
    write_points(f"{work}/scan.ply", scan)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **({"OPENBLAS_CORETYPE": core} if core else {})}
    subprocess.run([program, "register", f"{work}/reference.ply", f"{work}/scan.ply", "-o", f"{work}/fit.ply", "--table",
                    f"{work}/fit.csv", "--threads", "1", "--quiet"], stderr=subprocess.DEVNULL, env=environment)
    table = np.genfromtxt(f"{work}/fit.csv", delimiter=",", names=True)
    return np.stack([table[a] for a in "xyz"], 1)


def paths_of(data, case):
    if case == "demo":
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/demo")
        return f"{folder}/reference.ply", f"{folder}/scan.ply", f"{folder}/truth.ply"
    return f"{data}/ears/reference.ply", f"{data}/ears/scan/{int(case):03}.ply", f"{data}/ears/truth/{int(case):03}.ply"


def run(program, data, cases):
    out, commit = csv.writer(sys.stdout, lineterminator="\n"), commit_of()
    for case in cases:
        reference, scan, truth = (read_points(path) for path in paths_of(data, case))
        first, middle = None, reference.mean(0)
        with tempfile.TemporaryDirectory() as work:
            for change, k, core, r, s, q in variants(reference, scan):
                fitted = rotate(q * [1, -1, -1, -1], middle, fit(program, core, r, s, work))
                first = fitted if first is None else first
                error, moved = (np.linalg.norm(fitted - x, axis=1).mean() for x in (truth, first))
                out.writerow([commit, case, change, k, f"{error:.4g}", f"{moved:.3g}"])
                sys.stdout.flush()


def summarise():
    groups = {}
    for row in csv.DictReader(sys.stdin):
        groups.setdefault((row["commit"], row["case"], row["change"]), []).append(row)
    print("commit case change fits moved largest_mm errors_mm")
    for key, rows in groups.items():
        moved = [float(row["moved_mm"]) for row in rows]
        errors = [float(row["error_mm"]) for row in rows]
        print(*key, len(rows), sum(m > SAME for m in moved), f"{max(moved):.2g} {min(errors):.3f}..{max(errors):.3f}")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "summary":
        summarise()
    elif len(sys.argv) > 3:
        run(sys.argv[1], sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)
