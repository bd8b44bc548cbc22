"""Shapes that bend far: an animal in one pose is fitted to damaged scans of it in others (ADR 0100).

    python3 bench/poses.py PROGRAM FOLDER SHAPE >> bench/results/poses.csv
    python3 bench/poses.py summary < bench/results/poses.csv

FOLDER has the meshes of Sumner and Popović (https://people.csail.mit.edu/sumner/research/deftransfer/), SHAPE-reference.obj and SHAPE-01.obj to
SHAPE-10.obj, as far as there are such, for example `cat`. 2500 evenly spread points of each surface; three balls of 0.35 RMS radii are cut out of the scan;
noise of 0.003 RMS radii, 5 % strays. Points of the reference are at the same places of the triangles in each pose, which gives the truth; those of
the scans are others. Errors are in percent of the diagonal of the reference. PROGRAM is as of bench/skulls.py. Everything has fixed seeds. One thread, two
fits at a time.
"""
import csv
import glob
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import scans
import skulls

POINTS = 2500
COLUMNS = "commit program shape pose scan_points outcome seen hidden before expected cpu_s".split()


def read_obj(path):
    points, triangles = [], []
    with open(path) as file:
        for line in file:
            kind, *values = line.split() or [""]
            if kind == "v":
                points.append([float(value) for value in values[:3]])
            elif kind == "f":
                corner = [int(value.split("/")[0]) - 1 for value in values]
                triangles += [[corner[0], corner[k], corner[k + 1]] for k in range(1, len(corner) - 1)]
    return np.array(points), np.array(triangles)


def random_places(points, triangles, count, random):
    """Triangles and weights of their corners: at random, by area."""
    corner = points[triangles]
    area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    chosen = random.choice(len(triangles), count, p=area / area.sum())
    return triangles[chosen], random.dirichlet([1, 1, 1], count)


def places_on(points, triangles, random):
    """Of many places at random those that are spread evenly."""
    corners, weights = random_places(points, triangles, 30 * POINTS, random)
    kept = skulls.spread_of(points_at(points, corners, weights), POINTS)
    return corners[kept], weights[kept]


def points_at(points, corners, weights):
    return (points[corners] * weights[:, :, None]).sum(1)


def damage(random, scan, truth, hole=0.35):
    """The scan, with three holes of that many RMS radii, and which points of the truth it does not show."""
    radius = np.sqrt(truth.var(0).sum())
    balls = scan[random.integers(len(scan), size=3)]
    nearest = [np.linalg.norm(some[:, None] - balls, axis=2).min(1) for some in (scan, truth)]
    scan = scan[nearest[0] > hole * radius]
    scan = scan + random.normal(0, 0.003 * radius, scan.shape)
    return np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (len(scan) // 20, 3))]), nearest[1] <= hole * radius


def judged(program, reference, scan, truth, hidden):
    """A fit, and its columns from scan_points on: errors in percent of the diagonal of the reference."""
    diagonal = np.linalg.norm(np.ptp(reference, 0)) / 100
    with tempfile.TemporaryDirectory() as work:
        np.save(f"{work}/reference.npy", reference)
        np.save(f"{work}/scan.npy", scan)
        peer = program.startswith("bcpd:")
        fitted, outcome, expected, times = skulls.run_bcpd(program[5:], work) if peer else skulls.run_program(program, work)
    error, before = (np.linalg.norm(some - truth, axis=1) / diagonal for some in (fitted, reference))
    expected = f"{float(expected) / diagonal:.3g}" if expected else ""
    means = [f"{some.mean():.3g}" for some in (error[~hidden], error[hidden], before)]
    return [len(scan), outcome, *means, expected, f"{sum(map(float, times.splitlines()[-1].split())):.2f}"]


def fit(program, pose, triangles, places, reference):
    points, same = read_obj(pose)
    assert np.array_equal(triangles, same), pose
    random = np.random.default_rng(list(pose[-12:].encode()))
    truth = points_at(points, *places)
    scan, hidden = damage(random, points_at(points, *places_on(points, triangles, random)), truth)
    return [pose[-6:-4]] + judged(program, reference, scan, truth, hidden)


def run(program, folder, shape):
    out = csv.writer(sys.stdout, lineterminator="\n")
    points, triangles = read_obj(f"{folder}/{shape}-reference.obj")
    places = places_on(points, triangles, np.random.default_rng(1))
    reference = points_at(points, *places)
    poses = sorted(glob.glob(f"{folder}/{shape}-[0-9][0-9].obj"))
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda pose: fit(program, pose, triangles, places, reference), poses):
            out.writerow([scans.commit_of(), skulls.name_of(program), shape] + row)
            sys.stdout.flush()


def summarise(*keys, error=lambda row: float(row["seen"])):
    print("mean error seen, hidden, expected, CPU s; lost: more than 4 %; told: doubtful")
    for key, rows in scans.groups_of("commit", "program", *keys).items():
        means = [np.nanmean([float(row[name] or "nan") for row in rows]) for name in ("seen", "hidden", "expected", "cpu_s")]
        lost = [row for row in rows if error(row) > 4]
        told = [sum(row["outcome"] == "doubtful" for row in some) for some in (lost, rows)]
        print(*key, *(f"{mean:.2f}" for mean in means), f"lost {len(lost)} told {told[0]}, good ones told {told[1] - told[0]} of {len(rows) - len(lost)}")


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        summarise("shape")
    else:
        run(*sys.argv[1:4])
