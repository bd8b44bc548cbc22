"""Smooth shapes that are like organs and small bones, for bench/warped.py (ADR 0139).

    /usr/bin/python3 bench/organs.py FOLDER                 # needs python3-skimage; writes FOLDER/*.obj
    python3 bench/warped.py PROGRAM FOLDER KIND >> bench/results/organs.csv
    python3 bench/warped.py summary < bench/results/organs.csv

Each is the surface where a sum of soft spheres, ellipsoids and bent tubes has one level. No shape is made of data. Many of them nearly look like
themselves after half a turn about an axis, or slide on themselves.
"""
import sys

import numpy as np
from skimage.measure import marching_cubes

SIDE = np.linspace(-2.2, 2.2, 90)  # of the grid, along each axis


def tube(points, middles, radii, count=60):
    """Signed distance to spheres along a line of middles; radii change along it."""
    middles, radii = np.array(middles, float), np.array(radii, float)
    along = np.linspace(0, len(middles) - 1, count)
    first = np.minimum(along.astype(int), len(middles) - 2)
    part = along - first
    centres = middles[first] * (1 - part[:, None]) + middles[first + 1] * part[:, None]
    sizes = radii[first] * (1 - part) + radii[first + 1] * part
    return np.min(np.linalg.norm(points[:, None] - centres, axis=2) - sizes, axis=1)


def ellipsoid(points, middle, axes):
    return (np.linalg.norm((points - np.array(middle)) / axes, axis=1) - 1) * min(axes)


def joined(parts, softness):
    return -softness * np.log(np.exp(-np.array(parts) / softness).sum(0))


def arc(radius, first, last, count):
    angle = np.radians(np.linspace(first, last, count))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(count)], 1)


def aneurysm(p):
    vessel = tube(p, [[-1.2, 0, 0], [-0.5, 0.1, 0], [0.2, 0, 0.1], [1.1, -0.3, 0.2]], [0.22, 0.22, 0.2, 0.18])
    branch = tube(p, [[0.2, 0, 0.1], [0.8, 0.5, 0.5]], [0.18, 0.14])
    return joined([vessel, branch, ellipsoid(p, [-0.1, 0.1, 0.55], [0.4, 0.42, 0.45])], 0.06)


def bladder(p):
    parts = [ellipsoid(p, *part) for part in (([0, 0, 0], [0.7, 0.6, 0.5]), ([0, 0.5, 0.25], [0.3, 0.35, 0.2]), ([0.1, -0.3, -0.3], [0.35, 0.3, 0.35]))]
    return joined(parts, 0.12)


def caudate(p):
    middles = arc(0.8, 200, -20, 8)
    middles[:, 2] = np.linspace(0, 0.4, 8)
    return tube(p, middles, [0.36, 0.33, 0.28, 0.22, 0.18, 0.14, 0.11, 0.09])


def heart(p):
    vessel = tube(p, [[0, 0, 0.6], [0.1, 0.1, 1.1], [-0.2, 0.2, 1.25]], [0.25, 0.22, 0.2])
    return joined([ellipsoid(p, [0, 0, 0], [0.6, 0.55, 0.9]), ellipsoid(p, [0.25, 0.2, 0.55], [0.5, 0.45, 0.45]), vessel], 0.1)


def hippocampus(p):
    return tube(p, [[-0.9, 0.35, 0.2], [-0.5, 0, 0], [0, -0.15, 0], [0.6, 0, 0.1], [1.1, 0.35, 0.3]], [0.38, 0.33, 0.25, 0.2, 0.12])


def kidney(p):
    return tube(p, arc(0.8, -75, 75, 9), [0.45, 0.52, 0.55, 0.5, 0.45, 0.5, 0.52, 0.5, 0.42])


def liver(p):
    lobes = joined([ellipsoid(p, [0, 0, 0], [1.0, 0.7, 0.6]), ellipsoid(p, [-1.1, 0.1, 0.15], [0.8, 0.5, 0.3])], 0.15)
    return np.maximum(lobes, -(p[:, 2] + 0.35 + 0.3 * p[:, 0]))


def patella(p):
    return np.maximum(ellipsoid(p, [0, 0, 0], [0.8, 0.9, 0.4]), -(p[:, 2] + 0.12 - 0.15 * p[:, 0] ** 2))


def prostate(p):
    return joined([ellipsoid(p, [x, 0, 0], [0.55, 0.6, 0.75]) for x in (0.3, -0.3)], 0.08)


def spleen(p):
    return np.maximum(ellipsoid(p, [0, 0, 0], [0.6, 1.0, 0.55]), 0.75 - np.linalg.norm(p - np.array([0.9, 0.1, 0]), axis=1))


def stomach(p):
    middles = [[-0.2, 0, 1.1], [-0.35, 0.1, 0.6], [-0.25, 0.1, 0], [0.1, 0, -0.45], [0.6, -0.1, -0.35], [0.85, -0.1, 0]]
    return tube(p, middles, [0.35, 0.55, 0.5, 0.4, 0.28, 0.18])


def talus(p):
    parts = [([0, 0, 0], [0.6, 0.45, 0.4]), ([0.75, 0.15, -0.05], [0.32, 0.34, 0.28]), ([-0.2, 0, 0.35], [0.4, 0.42, 0.25]), ([-0.55, -0.1, -0.15], [0.25, 0.3, 0.2])]
    return joined([ellipsoid(p, *part) for part in parts], 0.07)


SHAPES = [aneurysm, bladder, caudate, heart, hippocampus, kidney, liver, patella, prostate, spleen, stomach, talus]


def write(folder, shape):
    grid = np.stack(np.meshgrid(SIDE, SIDE, SIDE, indexing="ij"), -1).reshape(-1, 3)
    field = np.concatenate([shape(some) for some in np.array_split(grid, 60)]).reshape([len(SIDE)] * 3)
    points, triangles, _, _ = marching_cubes(field, 0, spacing=[SIDE[1] - SIDE[0]] * 3)
    with open(f"{folder}/{shape.__name__}.obj", "w") as file:
        file.writelines("v %.6g %.6g %.6g\n" % tuple(point) for point in 20 * points)
        file.writelines("f %d %d %d\n" % tuple(triangle) for triangle in triangles[:, ::-1] + 1)


if __name__ == "__main__":
    for shape in SHAPES:
        write(sys.argv[1], shape)
