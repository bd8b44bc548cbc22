"""Outlines of hands, feet, faces and ears in the plane, sampled between their points: one row a fit.

    python3 bench/outlines.py PROGRAM DATA FIRST [FAMILY...] >> bench/results/outlines.csv     # DATA: ../shared/data; FIRST+trained: with the other shapes
    python3 bench/outlines.py summary < bench/results/outlines.csv

The reference is the outline of the shadow of a family's reference, at three numbers of points; the truths are the same points of the twelve
training shapes from FIRST on. A scan has points at random along the truth, 10 to 40 % of which is not shown, noise of 0.05 or 0.3 % of its
diagonal, no strays or one for ten points, and a turn of up to 25 degrees; two of twelve are turned by 90 and 180. PROGRAM `program,--effort,quick`
gives it flags; `bcpd:PROGRAM` is BCPD with the best of lambda 10, 100 and 1000 for each scan. Errors are in percent of the diagonal of the
truth; a fit of more than 4 is lost. Everything has fixed seeds. One thread; some 0.4 s a fit.
"""
import csv
import functools
import glob
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.spatial import Delaunay

import scans

# Family: largest circle of its shadow that is outside, mm; principal axes of the plane; points of the outline
FAMILIES = {"hand": (12, (0, 1), (60, 160, 1000)), "foot": (15, (0, 1), (50, 120, 500)), "face": (12, (0, 2), (80, 200, 700)),
            "ear": (6, (0, 1), (70, 150, 420))}
SHAPES = 12
SMOOTH = 2.0  # points: deviation of the filter that takes the steps out of an outline
FINE = 10  # points of the truth between two of its points, along which scans are sampled
REGION = 2.4477  # standard deviations an axis: 95 % of a normal deviation in the plane
COLUMNS = "commit program family points shape outcome observed missing lost region_observed region_missing mask_recall mask_precision cpu_s".split()


def border(points, radius):
    """The longest chain of edges that one triangle has, of those with a smaller circle."""
    triangles = Delaunay(points).simplices
    corners = points[triangles]
    sides = np.linalg.norm(corners - np.roll(corners, 1, 1), axis=2)
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = np.abs(ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]) / 2
    kept = triangles[sides.prod(1) < 4 * radius * np.maximum(area, 1e-12)]
    edges = np.sort(np.concatenate([kept[:, [0, 1]], kept[:, [1, 2]], kept[:, [2, 0]]]), 1)
    edges, times = np.unique(edges, axis=0, return_counts=True)
    near = {}
    for a, b in edges[times == 1]:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    best, seen = [], set()
    for first in near:
        chain = [] if first in seen else [first]
        while chain:
            seen.add(chain[-1])
            further = [x for x in near[chain[-1]] if x not in seen]
            if not further:
                break
            chain.append(further[0])
        best = max(best, chain, key=len)
    return best


def at(curve, places):
    """Of a closed curve, by the number of a point and a share of the way to the next."""
    whole = np.floor(places).astype(int)
    share = (places - whole)[:, None]
    return curve[whole % len(curve)] * (1 - share) + curve[(whole + 1) % len(curve)] * share


class Outline:
    """Where the points of an outline lie on the shapes of a family."""

    def __init__(self, folder, family, count):
        radius, axes, _ = FAMILIES[family]
        shape = scans.read_points(f"{folder}/reference.ply")
        self.middle = shape.mean(0)
        self.plane = np.linalg.svd(shape - self.middle, full_matrices=False)[2][list(axes)].T
        self.chain = border(self.shadow(shape), radius)
        size = len(self.chain)
        apart = np.minimum(np.arange(size), size - np.arange(size))
        weight = np.exp(-((apart / SMOOTH) ** 2) / 2)
        self.filter = np.array([np.roll(weight / weight.sum(), k) for k in range(size)])
        curve = self.curve(shape)
        length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.roll(curve, -1, 0) - curve, axis=1))])
        self.even = lambda n: np.interp(np.arange(n) / n * length[-1], length, np.arange(size + 1))
        self.count = count

    def shadow(self, shape):
        return (shape - self.middle) @ self.plane

    def curve(self, shape):
        return self.filter @ self.shadow(shape)[self.chain]

    def points(self, shape, times=1):
        return at(self.curve(shape), self.even(self.count * times))


def damage(truth, fine, k, random):
    """Scan, the truth in the same place, and which of its points it does not show."""
    n, size = len(truth), np.linalg.norm(np.ptp(truth, 0))
    missing, share = np.zeros(n, bool), random.uniform(0.1, 0.4)
    while missing.mean() < share:
        missing[(random.integers(n) + np.arange(int(n * random.uniform(0.03, 0.2)))) % n] = True
    hidden = np.roll(np.repeat(missing, FINE), -FINE // 2)
    length = np.linalg.norm(np.roll(fine, -1, 0) - fine, axis=1) * ~hidden
    shown = int((~missing).sum() * random.choice([0.7, 1, 2]))
    scan = at(fine, random.choice(len(fine), shown, p=length / length.sum()) + random.random(shown))
    scan = scan + size * random.choice([0.0005, 0.003]) * random.standard_normal(scan.shape)
    strays = int(shown * random.choice([0, 0.1]))
    scan = np.vstack([scan, scan.min(0) + np.ptp(scan, 0) * random.random((strays, 2))])
    angle = np.radians({0: 180, 6: 90}.get(k, random.uniform(-25, 25)))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    middle = scan.mean(0)
    return random.permutation((scan - middle) @ turn + middle), (truth - middle) @ turn + middle, missing


def run_program(program, work):
    name, *flags = program.split(",")
    command = [name, "register", f"{work}/reference.txt", f"{work}/scan.txt", "-o", f"{work}/fit.txt", "--table",
               f"{work}/fit.csv", "--threads", "1", "--quiet"] + flags
    code = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
    table = np.genfromtxt(f"{work}/fit.csv", delimiter=",", names=True)
    return "flagged" if code else "converged", np.stack([table["x"], table["y"]], 1), table["sd"], table["missing"] > 0


def run_bcpd(program, truth, work):
    best = None
    for stiffness in ("10", "100", "1000"):
        subprocess.run([program, "-x", f"{work}/scan.txt", "-y", f"{work}/reference.txt", "-w0.1", f"-l{stiffness}", "-o", f"{work}/b_"],
                       cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
        found = np.loadtxt(f"{work}/b_y.txt")
        if best is None or np.linalg.norm(found - truth, axis=1).mean() < np.linalg.norm(best - truth, axis=1).mean():
            best = found
    return "none", best, np.zeros(len(best)), np.zeros(len(best), bool)


def judge(points, sd, called, truth, missing):
    error = np.linalg.norm(points - truth, axis=1)
    percent = 100 * error / np.linalg.norm(np.ptp(truth, 0))
    inside, both = error < REGION * sd, (missing & called).sum()
    return [percent[~missing].mean(), percent[missing].mean(), int(percent.mean() > 4), inside[~missing].mean(),
            inside[missing].mean(), both / missing.sum(), both / max(1, called.sum())]


def write_training(outline, paths, work):
    """The flags that give them; none without shapes."""
    os.makedirs(f"{work}/train", exist_ok=True)
    for k, path in enumerate(paths):
        np.savetxt(f"{work}/train/{k:03}.txt", outline.points(scans.read_points(path)), "%.9g")
    return f",--train,{work}/train" if paths else ""


def run(program, data, first, trained, families):
    commit, out = scans.commit_of(), csv.writer(sys.stdout, lineterminator="\n")
    with tempfile.TemporaryDirectory() as work:
        for family in families or FAMILIES:
            folder = f"{data}/families/{family}"
            for count in FAMILIES[family][2]:
                outline = Outline(folder, family, count)
                paths = sorted(glob.glob(f"{folder}/train/*.ply"))
                others = [path for path in paths if path not in paths[first:first + SHAPES]] if trained else []
                flags = write_training(outline, others, work)
                np.savetxt(f"{work}/reference.txt", outline.points(scans.read_points(f"{folder}/reference.ply")), "%.9g")
                for k, path in enumerate(paths[first:first + SHAPES]):
                    shape, random = scans.read_points(path), np.random.default_rng([first + k, count])
                    scan, truth, missing = damage(outline.points(shape), outline.points(shape, FINE), k, random)
                    np.savetxt(f"{work}/scan.txt", scan, "%.9g")
                    before = os.times()
                    outcome, *found = (run_bcpd(program[5:], truth, work) if program.startswith("bcpd:") else run_program(program + flags, work))
                    seconds = os.times().children_user - before.children_user
                    row = judge(*found, truth, missing)
                    name = "bcpd" if program.startswith("bcpd:") else " ".join(["sfgp"] + program.split(",")[1:] + ["--train"] * bool(flags))
                    out.writerow([commit, name, family, count, first + k, outcome] + [f"{x:.4g}" for x in row] + [f"{seconds:.2f}"])
                    sys.stdout.flush()


def summarise():
    print("commit program family points fits observed missing (medians) observed missing lost told good_flagged region mask cpu_s")
    for key, rows in scans.groups_of("commit", "program", "family", "points").items():
        mean = functools.partial(scans.mean_of, rows)
        lost, told, flagged = scans.told_of(rows)
        middle = [np.median([float(r[c]) for r in rows]) for c in ("observed", "missing")]
        print(*key, len(rows), f"{middle[0]:.2f} {middle[1]:.2f} {mean('observed'):.2f} {mean('missing'):.2f} {lost} {told} {flagged}",
              f"{mean('region_observed'):.2f}/{mean('region_missing'):.2f} {mean('mask_recall'):.2f}/{mean('mask_precision'):.2f}",
              f"{mean('cpu_s'):.2f}")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "summary":
        summarise()
    elif len(sys.argv) > 3:
        number, _, trained = sys.argv[3].partition("+")
        run(sys.argv[1], sys.argv[2], int(number), trained == "trained", sys.argv[4:])
    else:
        sys.exit(__doc__)
