"""Common shapes that nothing was tuned on: each is warped, and fitted to a damaged scan of the warped one (ADR 0105).

    python3 bench/warped.py PROGRAM FOLDER KIND >> bench/results/warped.csv     # KIND: place or turned
    python3 bench/warped.py summary < bench/results/warped.csv

FOLDER has meshes as OBJ, for example those of https://github.com/alecjacobson/common-3d-test-models. 2500 evenly spread points of each surface are
the reference. A warp is the sum of twelve Gaussian bumps with a deviation of one RMS radius; it moves the points by 0.12 or 0.3 RMS radii (root mean
square). The scan has other points of the surface, turned by 5 degrees or (`turned`) at random; it is damaged as in bench/poses.py: three holes, noise,
5 % strays. Errors are in percent of the diagonal of the reference. PROGRAM is as of bench/skulls.py. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import glob
import itertools
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial.transform import Rotation

import poses
import scans
import skulls

WARPS = (0.12, 0.3)
COLUMNS = "commit program kind shape warp scan_points outcome seen hidden before expected cpu_s".split()


def warped(points, middle, radius, warp, random):
    """The points, moved by a smooth field."""
    bumps = points[random.integers(len(points), size=12)]
    moves = random.normal(size=(12, 3))

    def field(some):
        return np.exp(-((some[:, None] - bumps) ** 2).sum(2) / (2 * radius**2)) @ moves

    size = np.sqrt((field(points) ** 2).sum(1).mean())
    turn = lambda some, rotation: (some - middle) @ rotation.T + middle
    return lambda some, rotation: turn(some + warp * radius / size * field(some), rotation)


def fit(program, path, warp, kind):
    name = os.path.basename(path)[:-4]
    random = np.random.default_rng([int(100 * warp), *name.encode()])
    points, triangles = poses.read_obj(path)
    reference = poses.points_at(points, *poses.places_on(points, triangles, np.random.default_rng(1)))
    diagonal = np.linalg.norm(np.ptp(reference, 0)) / 100
    move = warped(reference, reference.mean(0), np.sqrt(reference.var(0).sum()), warp, random)
    small = Rotation.from_rotvec(np.radians(5) * (lambda axis: axis / np.linalg.norm(axis))(random.normal(size=3)))
    rotation = (Rotation.random(random_state=int(random.integers(2**31))) if kind == "turned" else small).as_matrix()
    moved = move(points, rotation)
    scan = poses.points_at(moved, *poses.places_on(moved, triangles, random))
    truth = move(reference, rotation)
    scan, hidden = poses.damage(random, scan, truth)
    with tempfile.TemporaryDirectory() as work:
        np.save(f"{work}/reference.npy", reference)
        np.save(f"{work}/scan.npy", scan)
        peer = program.startswith("bcpd:")
        fitted, outcome, expected, times = skulls.run_bcpd(program[5:], work) if peer else skulls.run_program(program, work)
    error, before = (np.linalg.norm(some - truth, axis=1) / diagonal for some in (fitted, reference))
    expected = f"{float(expected) / diagonal:.3g}" if expected else ""
    means = [f"{some.mean():.3g}" for some in (error[~hidden], error[hidden], before)]
    return [name, warp, len(scan), outcome, *means, expected, f"{sum(map(float, times.splitlines()[-1].split())):.2f}"]


def run(program, folder, kind):
    out = csv.writer(sys.stdout, lineterminator="\n")
    cases = itertools.product(sorted(glob.glob(f"{folder}/*.obj")), WARPS)
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: fit(program, *case, kind), cases):
            out.writerow([scans.commit_of(), skulls.name_of(program), kind] + row)
            sys.stdout.flush()


def summarise():
    print("mean error seen, hidden, expected, CPU s; lost: more than 4 %; told: doubtful")
    for key, rows in scans.groups_of("commit", "program", "kind", "warp").items():
        means = [np.mean([float(row[name] or "nan") for row in rows]) for name in ("seen", "hidden", "expected", "cpu_s")]
        lost = [row for row in rows if float(row["seen"]) > 4]
        told = [sum(row["outcome"] == "doubtful" for row in some) for some in (lost, rows)]
        print(*key, *(f"{mean:.2f}" for mean in means), f"lost {len(lost)} of {len(rows)} told {told[0]}, good ones told {told[1] - told[0]}")


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        summarise()
    else:
        run(*sys.argv[1:4])
