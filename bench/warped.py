"""Common shapes that nothing was tuned on: each is warped, and fitted to a damaged scan of the warped one (ADR 0105).

    python3 bench/warped.py PROGRAM FOLDER KIND >> bench/results/warped.csv     # KIND: place or turned
    python3 bench/warped.py summary < bench/results/warped.csv

FOLDER has meshes as OBJ, for example those of https://github.com/alecjacobson/common-3d-test-models. 2500 evenly spread points of each surface are
the reference. A warp is the sum of twelve Gaussian bumps with a deviation of one RMS radius; it moves the points by 0.12 or 0.3 RMS radii (root mean
square). The scan has other points of the surface, turned by 5 degrees or (`turned`) at random; it is damaged as in bench/poses.py: three holes, noise,
5 % strays. Errors are in percent of the diagonal of the reference. PROGRAM is as of bench/skulls.py. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import functools
import glob
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial.transform import Rotation

import poses
import scans
import skulls

WARPS = (0.12, 0.3)
COLUMNS = "commit program kind shape warp scan_points outcome seen hidden before expected cpu_s".split()


def warped(points, middle, radius, warp, random):
    """A function that moves points by a smooth field, and then turns them."""
    bumps = points[random.integers(len(points), size=12)]
    moves = random.normal(size=(12, 3))

    def field(some):
        return np.exp(-((some[:, None] - bumps) ** 2).sum(2) / (2 * radius**2)) @ moves

    size = np.sqrt((field(points) ** 2).sum(1).mean())
    return lambda some, rotation: (some + warp * radius / size * field(some) - middle) @ rotation.T + middle


def turn_of(kind, random):
    axis = random.normal(size=3)
    small = Rotation.from_rotvec(np.radians(5) * (axis / np.linalg.norm(axis)))
    return Rotation.random(random_state=int(random.integers(2**31))) if kind == "turned" else small


@functools.lru_cache
def mesh_of(path):
    """Points, triangles, and evenly spread points."""
    points, triangles = poses.read_obj(path)
    return points, triangles, poses.points_at(points, *poses.places_on(points, triangles, np.random.default_rng(1)))


def shape_of(path, warp, kind):
    """Its name, the reference and the truth, the warped mesh, and random numbers for its scan."""
    name = os.path.basename(path)[:-4]
    random = np.random.default_rng([int(100 * warp), *name.encode()])
    points, triangles, reference = mesh_of(path)
    move = warped(reference, reference.mean(0), np.sqrt(reference.var(0).sum()), warp, random)
    rotation = turn_of(kind, random).as_matrix()
    return name, reference, move(reference, rotation), move(points, rotation), triangles, random


def fit(program, path, warp, kind):
    name, reference, truth, moved, triangles, random = shape_of(path, warp, kind)
    scan = poses.points_at(moved, *poses.places_on(moved, triangles, random))
    scan, hidden = poses.damage(random, scan, truth)
    return [name, warp] + poses.judged(program, reference, scan, truth, hidden)


def run(program, folder, kind):
    out = csv.writer(sys.stdout, lineterminator="\n")
    cases = itertools.product(sorted(glob.glob(f"{folder}/*.obj")), WARPS)
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: fit(program, *case, kind), cases):
            out.writerow([scans.commit_of(), skulls.name_of(program), kind] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        poses.summarise("kind", "warp")
    else:
        run(*sys.argv[1:4])
