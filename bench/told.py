"""Scans that a fit should doubt, one row each: what the program says, and how far off it is.

    python3 bench/told.py PROGRAM DATA KIND [OPTION...] >> bench/results/told.csv     # DATA: ../shared/data; OPTION: of sfgp register
    python3 bench/told.py summary < bench/results/told.csv

KIND is `mirrored` (of the other side of the body: ears, hands, feet), `cut` (35 to 60 % cut off by a plane, and turned by up to 120 degrees),
`other` (the reference is of another family), or `part` (the reference lacks 30 %, cut off by a plane: the scan shows more than the shape).
`error` is the mean distance from the truth as a share of the diagonal of the reference; lost is more than 0.04, and mirrored scans and other
references have none. Everything has fixed seeds. One thread a fit, two fits at a time.
"""
import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import scans

COLUMNS = "commit kind options reference scan_of scan outcome error".split()
SIDED = {"ears": 24, "hand": 12, "foot": 12, "ear": 12}  # of one side of the body
FAMILIES = ["face", "hand", "foot", "ear", "head_part"]


def folder_of(data, family):
    return f"{data}/ears" if family == "ears" else f"{data}/families/{family}"


def cut(family, k, reference, scan, truth):
    random = np.random.default_rng([sum(map(ord, family)), k, 7])
    axis = random.normal(size=3)
    angle = np.radians(random.uniform(0, 120)) / 2
    turn = np.r_[np.cos(angle), np.sin(angle) * axis / np.linalg.norm(axis)]
    normal, part = random.normal(size=3), random.uniform(0.35, 0.6)
    height = scan @ normal
    return [scans.rotate(turn, reference.mean(0), points) for points in (scan[height > np.quantile(height, part)], truth)]


def leave_out(k, reference, truth):
    random = np.random.default_rng([k, 5])
    height = reference @ random.normal(size=3)
    kept = height < np.quantile(height, 0.7)
    return reference[kept], truth[kept]


def cases_of(kind):
    if kind == "mirrored":
        return [(f, f, k) for f, count in SIDED.items() for k in range(count)]
    if kind == "cut":
        return [(f, f, k) for f in ["ears"] + FAMILIES for k in range(12)]
    if kind == "part":
        return [(f, f, k) for f in ["ears"] + FAMILIES[:4] for k in range(12)]
    return [(a, b, k) for a, b in itertools.permutations(FAMILIES, 2) for k in (0, 4, 8)]


def fit(program, data, kind, options, case):
    family, scan_of, k = case
    path, other = f"{folder_of(data, family)}/reference.ply", folder_of(data, scan_of)
    reference, scan, truth = (scans.read_points(file) for file in (path, f"{other}/scan/{k:03}.ply", f"{other}/truth/{k:03}.ply"))
    if kind == "mirrored":
        scan = scan * [-1, 1, 1]
    if kind == "cut":
        scan, truth = cut(family, k, reference, scan, truth)
    if kind == "part":
        reference, truth = leave_out(k, reference, truth)
    with tempfile.TemporaryDirectory() as work:
        scans.write_points(f"{work}/scan.ply", scan)
        if kind == "part":
            path = f"{work}/reference.ply"
            scans.write_points(path, reference)
        subprocess.run([program, "register", path, f"{work}/scan.ply", "-o", f"{work}/fit.npy", "--report", f"{work}/fit.json",
                        "--threads", "1", "--quiet", *options], stderr=subprocess.DEVNULL, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        with open(f"{work}/fit.json") as file:
            outcome = json.load(file)["status"]
        fitted = np.load(f"{work}/fit.npy")
    if kind not in ("cut", "part"):
        return outcome, ""
    return outcome, f"{np.linalg.norm(fitted - truth, axis=1).mean() / np.linalg.norm(np.ptp(reference, 0)):.4f}"


def run(program, data, kind, options):
    commit, cases = scans.commit_of(), cases_of(kind)
    out = csv.writer(sys.stdout, lineterminator="\n")
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda case: fit(program, data, kind, options, case), cases)
        for (family, scan_of, k), result in zip(cases, results):
            out.writerow([commit, kind, " ".join(options), family, scan_of, k, *result])
            sys.stdout.flush()


def summarise():
    print("commit kind options: told of lost, good ones told of all good ones (mirrored and other: all are lost)")
    for key, rows in scans.groups_of("commit", "kind", "options").items():
        told = {lost: [r["outcome"] != "converged" for r in rows if (r["error"] == "" or float(r["error"]) > 0.04) == lost] for lost in (True, False)}
        print(*key, f"{sum(told[True])} of {len(told[True])}, {sum(told[False])} of {len(told[False])}")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "summary":
        summarise()
    elif len(sys.argv) > 3 and sys.argv[3] in ("mirrored", "cut", "other", "part"):
        run(*sys.argv[1:4], sys.argv[4:])
    else:
        sys.exit(__doc__)
