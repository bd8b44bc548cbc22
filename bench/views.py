"""Scans from one side, as a depth camera makes them: less than half of the surface, alone or on a table (ADR 0113).

    python3 bench/views.py PROGRAM common FOLDER KIND TABLE >> bench/results/views.csv      # KIND: place or turned
    python3 bench/views.py PROGRAM families DATA KIND TABLE >> bench/results/views.csv      # DATA: ../shared/data
    python3 bench/views.py summary < bench/results/views.csv

common: the meshes of bench/warped.py, warped in the same ways; 2500 evenly spread points are the reference. families: the first 16 of the registered
shapes of each family that are meant for training are the truths; no fit is trained here. The shape is turned by 5 degrees or (`turned`) at random.

TABLE is half of the side of a square that the shape stands on, in RMS radii, or 0: there is none. The direction of the table is random. The camera looks along parallel
rays from a random direction: without a table from all around a closed surface, and from up to 45 degrees beside the mean normal of an open one; with a table
from 20 to 64 degrees above it. It has as many pixels as 2500 see the surface, of a table 4000, and each measures the nearest surface. Noise of 0.003 RMS radii along the rays;
without a table 2 % strays. A point of the truth is hidden if it is farther than two pixels from all that is measured. Errors are in percent of the diagonal of the
reference. PROGRAM is as of bench/skulls.py. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import glob
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.linalg
from scipy.spatial import cKDTree

import more
import poses
import scans
import skulls
import warped

SAMPLES = 400000
SHAPES = 16
COLUMNS = "commit program kind set table shape warp scan_points outcome seen hidden before expected cpu_s".split()


def unit(random):
    some = random.normal(size=3)
    return some / np.linalg.norm(some)


def axes_of(direction):
    """Columns: two across, and the direction."""
    return np.column_stack([scipy.linalg.null_space(direction[None]), direction])


def put_on_table(points, triangles, half, up):
    """The mesh with two triangles under it."""
    axes = axes_of(up)
    middle, height = points.mean(0) @ axes, (points @ axes[:, 2]).min()
    corners = [[middle[0] + half * x, middle[1] + half * y, height] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    count = len(points)
    return np.vstack([points, corners @ axes.T]), np.vstack([triangles, [[count, count + 1, count + 2], [count, count + 2, count + 3]]])


def camera_of(points, triangles, up, random):
    """The direction to the camera."""
    corner = points[triangles]
    areas = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    mean = areas.sum(0) / np.linalg.norm(areas, axis=1).sum()
    while True:
        direction = unit(random)
        if 0.35 < direction @ up < 0.9 if up is not None else np.linalg.norm(mean) < 0.2 or direction @ mean > np.sqrt(0.5) * np.linalg.norm(mean):
            return direction


def cells_of(samples, size):
    """Two numbers for each sample, and one of both."""
    cell = np.floor(samples[:, :2] / size).astype(int)
    return cell, cell @ [1 << 20, 1]


def size_for(samples, pixels):
    """Of a pixel, so that about so many have samples; a quarter of the samples tells it."""
    size = np.sqrt(np.prod(np.ptp(samples, 0)[:2]) / pixels)
    for _ in range(6):
        size *= np.sqrt(len(np.unique(cells_of(samples[::4], size)[1])) / pixels)
    return size


def pixels_of(samples, size):
    """Of the samples (the camera looks down the third axis) one for each pixel of that size: of the nearest surface, close to the middle."""
    cell, name = cells_of(samples, size)
    _, pixel = np.unique(name, return_inverse=True)
    top = np.full(pixel.max() + 1, -np.inf)
    np.maximum.at(top, pixel, samples[:, 2])
    near = np.flatnonzero(samples[:, 2] > top[pixel] - 2 * size)
    off = np.abs(samples[near, :2] / size - cell[near] - 0.5).max(1)
    near = near[np.argsort(off, kind="stable")]
    return samples[near[np.unique(pixel[near], return_index=True)[1]]]


def seen_from(direction, pixels, points, triangles, random):
    """One point for each of about so many pixels that see the surface, the size of a pixel, and the axes of the camera."""
    camera = axes_of(direction)
    samples = poses.points_at(points, *poses.random_places(points, triangles, SAMPLES, random)) @ camera
    size = size_for(samples, pixels)
    return pixels_of(samples, size), size, camera


def view(points, triangles, truth, table, random):
    """What a camera measures, and which points of the truth it does not see."""
    radius, up = np.sqrt(truth.var(0).sum()), None
    if table:
        up = unit(random)
        points, triangles = put_on_table(points, triangles, table * radius, up)
    scan, size, camera = seen_from(camera_of(points, triangles, up, random), 4000 if table else 2500, points, triangles, random)
    hidden = cKDTree(scan).query(truth @ camera)[0] > 2 * size
    scan[:, 2] += random.normal(0, 0.003 * radius, len(scan))
    strays = random.uniform(scan.min(0), scan.max(0), (0 if table else len(scan) // 50, 3))
    return np.vstack([scan, strays]) @ camera.T, hidden


def common(path, warp, kind, table):
    name, reference, truth, moved, triangles, random = warped.shape_of(path, warp, kind)
    return ["common", table, name, warp], reference, truth, view(moved, triangles, truth, table, random)


def family(folder, k, kind, table):
    name = os.path.basename(folder)
    random = np.random.default_rng([*name.encode(), k])
    reference = scans.read_points(f"{folder}/reference.ply")
    truth = more.laid_upon(reference, scans.read_points(f"{folder}/train/{sorted(os.listdir(f'{folder}/train'))[k]}"))
    truth = warped.turn_of(kind, random).apply(truth - reference.mean(0)) + reference.mean(0)
    return [name, table, k, 0], reference, truth, view(truth, more.read_faces(f"{folder}/reference.ply"), truth, table, random)


def cases_of(kinds, folder):
    if kinds == "common":
        return common, itertools.product(sorted(glob.glob(f"{folder}/*.obj")), warped.WARPS)
    return family, itertools.product([f"{folder}/families/{name}" for name in more.FAMILIES], range(SHAPES))


def run(program, kinds, folder, kind, table):
    out = csv.writer(sys.stdout, lineterminator="\n")
    make, cases = cases_of(kinds, folder)

    def fit(case):
        names, reference, truth, (scan, hidden) = make(*case, kind, float(table))
        return names + poses.judged(program, reference, scan, truth, hidden)

    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(fit, cases):
            out.writerow([scans.commit_of(), skulls.name_of(program), kind] + row)
            sys.stdout.flush()


def mean_of(row):
    """Error over both kinds of points, of which either is about a half."""
    return np.nanmean([float(row["seen"]), float(row["hidden"])])


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        poses.summarise("kind", "table", "set", "warp", error=mean_of)
    else:
        run(*sys.argv[1:6])
