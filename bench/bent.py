"""Subjects that are not symmetric, of references that are: common shapes, bent to one side (ADR 0136).

    python3 bench/bent.py PROGRAM FOLDER >> bench/results/bent.csv
    python3 bench/bent.py summary < bench/results/bent.csv

FOLDER has meshes of common-3d-test-models, as of bench/warped.py; those of ten symmetric shapes are used. The line through the middle, within the plane of
symmetry, becomes an arc that turns towards one side by 15, 30 or 45 degrees for each RMS radius. Points, damage and errors are those of bench/poses.py, in
percent of the diagonal of the reference. PROGRAM is as of bench/skulls.py, such as `build/sfgp,--symmetry,0`. Fixed seeds; two fits at a time.
"""
import csv
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial import cKDTree

import poses
import scans
import skulls
import warped

SHAPES = "beast beetle-alt cheburashka cow homer nefertiti ogre spot suzanne teapot".split()
DEGREES = (15, 30, 45)
COLUMNS = "commit program shape degrees scan_points outcome seen hidden before expected cpu_s".split()


def axes_of(reference):
    """The middle, the axis across the plane of symmetry, the longest axis within it, and the third one."""
    middle = reference.mean(0)
    axes = np.linalg.eigh(np.cov(reference.T))[1].T
    placed = (reference - middle) @ axes.T
    tree = cKDTree(placed)
    apart = [(tree.query(placed * np.where(np.arange(3) == a, -1, 1))[0] ** 2).mean() / placed[:, a].var() for a in range(3)]
    across = int(np.argmin(apart))
    along = max(a for a in range(3) if a != across)
    return middle, axes[across], axes[along], axes[3 - across - along]


def bend(points, frame, curvature):
    middle, across, along, third = frame
    x, y, z = ((points - middle) @ axis for axis in (across, along, third))
    radius = 1 / curvature + x
    return middle + np.outer(radius * np.cos(y * curvature) - 1 / curvature, across) + np.outer(radius * np.sin(y * curvature), along) + np.outer(z, third)


def fit(program, folder, shape, degrees):
    points, triangles, reference = warped.mesh_of(f"{folder}/{shape}.obj")
    random = np.random.default_rng([degrees, *shape.encode()])
    frame, curvature = axes_of(reference), np.radians(degrees) / np.sqrt(reference.var(0).sum())
    truth, moved = (bend(some, frame, curvature) for some in (reference, points))
    scan, hidden = poses.damage(random, poses.points_at(moved, *poses.places_on(moved, triangles, random)), truth)
    return [shape, degrees] + poses.judged(program, reference, scan, truth, hidden)


def run(program, folder):
    out = csv.writer(sys.stdout, lineterminator="\n")
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: fit(program, folder, *case), itertools.product(SHAPES, DEGREES)):
            out.writerow([scans.commit_of(), skulls.name_of(program)] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        poses.summarise("degrees")
    else:
        run(*sys.argv[1:3])
