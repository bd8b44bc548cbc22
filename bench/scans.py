"""Fits of real damaged scans, one row each: as they are, at random turns, and with few points.

    python3 bench/scans.py PROGRAM DATA KIND [FAMILY...] >> bench/results/scans.csv     # DATA: ../shared/data
    python3 bench/scans.py summary < bench/results/scans.csv

KIND is `as_is`, `turned`, or the share of points that is kept, for one point of the reference that the scan shows, such as
0.1 (scans 000 to 005). `+trained` behind it gives the training shapes of the family, `+trained6` six of them, others for each scan, `+smooth` leaves out the field along the surface
(`--detail 0`), `+along` has a prior along it beside similar motions. A turn is uniform, about the middle of the
reference; ears have two. Everything has fixed seeds. One thread; some 4 s a fit.
"""
import csv
import functools
import math
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

FAMILIES = {"ears": 24, "face": 12, "hand": 12, "foot": 12, "ear": 12, "head_part": 12}
COUNTS = {**FAMILIES, "ear_in_head": 12}  # an ear in a scan of half a head: only where it is named
COLUMNS = ("commit family scan kind outcome observed_mm missing_mm lost region_observed region_missing mask_recall mask_precision "
           "cpu_s").split()
REGION = 2.7955  # standard deviations an axis: 95 % of a normal deviation in space


def read_points(path):
    with open(path, "rb") as file:
        header, _, body = file.read().partition(b"end_header\n")
    lines = header.decode("latin1").splitlines()
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    if "ascii" in lines[1]:
        return np.array([line.split()[:3] for line in body.splitlines()[:count]], float)
    kinds = {"double": "<f8", "float": "<f4", "uchar": "u1", "int": "<i4"}
    names, inside = [], False
    for line in lines:
        inside = line.startswith("element vertex") or inside and not line.startswith("element")
        if inside and line.startswith("property"):
            names.append((line.split()[2], kinds[line.split()[1]]))
    rows = np.frombuffer(body, np.dtype(names), count)
    return np.stack([rows["x"], rows["y"], rows["z"]], 1).astype(float)


def turn_of(family, scan, number):
    """Quaternions one after the other, three for an ear and two for others; the first of each is not used."""
    generator = random.Random(20261124)
    for name, scans in COUNTS.items():
        for k in range(scans):
            for turn in range(3 if name == "ears" else 2):
                q = np.array([generator.gauss(0, 1) for _ in range(4)])
                if (name, k, turn) == (family, scan, number):
                    return q / np.linalg.norm(q)
    raise KeyError(family)


def rotate(q, middle, points):
    shifted = points - middle
    first = np.cross(q[1:], shifted) + q[0] * shifted
    return middle + shifted + 2 * np.cross(q[1:], first)


def cases_of(folder, family, kind):
    """Number of the scan, its points, and the truth, in the same place."""
    middle = read_points(f"{folder}/reference.ply").mean(0)
    for k in range(COUNTS[family] if kind in ("as_is", "turned") else 6):
        scan, truth = (read_points(f"{folder}/{part}/{k:03}.ply") for part in ("scan", "truth"))
        if kind == "as_is":
            yield k, scan, truth
        elif kind == "turned":
            for number in range(1, 3 if family == "ears" else 2):
                q = turn_of(family, k, number)
                yield k, rotate(q, middle, scan), rotate(q, middle, truth)
        else:
            shown = len(truth) - np.loadtxt(f"{folder}/truth/{k:03}_missing.txt").sum()
            kept = min(int(float(kind) * shown), len(scan))
            yield k, scan[np.random.default_rng(k).choice(len(scan), kept, replace=False)], truth


def write_points(path, points):
    with open(path, "w") as file:
        file.write("ply\nformat ascii 1.0\nelement vertex %d\n" % len(points))
        file.write("property double x\nproperty double y\nproperty double z\nend_header\n")
        np.savetxt(file, points, "%.17g")


def training_of(folder, kind, k):
    """The folder of the training shapes, or so many of these as kind says: `trained`, `trained6`."""
    if kind == "trained":
        return ["--train", f"{folder}/train"]
    names, number = sorted(os.listdir(f"{folder}/train")), int(kind.removeprefix("trained"))
    chosen = np.random.default_rng([number, k]).choice(len(names), number, replace=False)
    return ["--train"] + [f"{folder}/train/{names[i]}" for i in chosen]


def flags_of(folder, kind, k):
    trained = next((training_of(folder, part, k) for part in kind if part.startswith("trained")), [])
    along = ["--kernel", "se:length=10,variance=1+surface:length=3,variance=0.05"] if "along" in kind else []
    return trained + along + (["--detail", "0"] if "smooth" in kind else [])


def fit(program, folder, flags, scan, work):
    write_points(f"{work}/scan.ply", scan)
    command = [program, "register", f"{folder}/reference.ply", f"{work}/scan.ply", "-o", f"{work}/fit.ply", "--table",
               f"{work}/fit.csv", "--threads", "1", "--quiet"] + flags
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    table = np.genfromtxt(f"{work}/fit.csv", delimiter=",", names=True)
    return run.returncode, table, used.ru_utime + used.ru_stime


def judge(folder, family, k, truth, table):
    missing = np.loadtxt(f"{folder}/truth/{k:03}_missing.txt") > 0
    return rate(missing, 125 if family == "ears" else size_of(folder), truth, table)  # 5 mm of an ear


def size_of(folder):
    return np.linalg.norm(np.ptp(read_points(f"{folder}/reference.ply"), 0))


def rate(missing, size, truth, table):
    """The columns from observed_mm to mask_precision. size: a fit is lost that is farther off than 4 % of it."""
    called = table["missing"] > 0
    error = np.linalg.norm(np.stack([table[a] for a in "xyz"], 1) - truth, axis=1)
    inside = error < REGION * table["sd"]
    both = (missing & called).sum()
    return [error[~missing].mean(), error[missing].mean(), int(error.mean() > 0.04 * size), inside[~missing].mean(),
            inside[missing].mean(), both / missing.sum(), both / max(1, called.sum())]


def commit_of():
    return subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "describe", "--always", "--dirty=+", "--exclude=*"],
                          capture_output=True, text=True).stdout.strip()


def groups_of(*keys):
    """Rows of standard input by some of their columns."""
    groups = {}
    for row in csv.DictReader(sys.stdin):
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def mean_of(rows, name):
    return math.fsum(float(row[name]) for row in rows) / len(rows)


def told_of(rows):
    """How many are lost, how many of these are told, and of how many others that is said."""
    lost = [r for r in rows if r["lost"] == "1"]
    told = sum(r["outcome"] == "flagged" for r in lost)
    return len(lost), told, sum(r["outcome"] == "flagged" for r in rows) - told


def run(program, data, kind, families):
    commit = commit_of()
    out = csv.writer(sys.stdout, lineterminator="\n")
    with tempfile.TemporaryDirectory() as work:
        for family in families or FAMILIES:
            folder = f"{data}/ears" if family == "ears" else f"{data}/families/{family}"
            for k, scan, truth in cases_of(folder, family, kind.split("+")[0]):
                code, table, seconds = fit(program, folder, flags_of(folder, kind.split("+"), k), scan, work)
                row = judge(folder, family, k, truth, table)
                out.writerow([commit, family, k, kind, "flagged" if code else "converged"]
                             + [f"{x:.4g}" for x in row] + [f"{seconds:.2f}"])
                sys.stdout.flush()


def summarise(*keys):
    print("commit", *keys, "fits observed_mm missing_mm lost told good_flagged region mask cpu_s")
    for key, rows in groups_of("commit", *keys).items():
        mean = functools.partial(mean_of, rows)
        lost, told, flagged = told_of(rows)
        print(*key, len(rows), f"{mean('observed_mm'):.2f} {mean('missing_mm'):.2f} {lost} {told} {flagged}",
              f"{mean('region_observed'):.2f}/{mean('region_missing'):.2f} {mean('mask_recall'):.2f}/{mean('mask_precision'):.2f}",
              f"{mean('cpu_s'):.1f}")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "summary":
        summarise("kind", "family")
    elif len(sys.argv) > 3:
        run(*sys.argv[1:4], sys.argv[4:])
    else:
        sys.exit(__doc__)
