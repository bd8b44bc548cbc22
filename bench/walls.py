"""Scans that show both sides of a shape, as computed tomography shows both sides of a bone: one row a fit (ADR 0128).

    python3 bench/walls.py PROGRAM DATA >> bench/results/walls.csv     # DATA: ../shared/data
    python3 bench/walls.py summary < bench/results/walls.csv

Three training shapes of each family, laid upon the reference by a rigid motion and turned by 5 degrees (no fit is trained here). A scan has 1.5 random points for each
of the reference, a ball that hides 20 % of them is cut out, noise is 0.2 % of the diagonal. KIND is `one` (one wall), or DEPTH_SHARE: an inner wall lies DEPTH % of the diagonal
below the outer one, and has SHARE % as many points. It is the surface moved along its normals, without what comes nearer to another part of it. `double` is a second scan of all of the
surface, 2 % of the diagonal beside the first. Errors are in percent of the diagonal; a fit that is farther off than 4 % is lost.
PROGRAM `program,--walls,0` gives it flags. Everything has fixed seeds. One thread, one fit at a time.
"""
import csv
import sys
import tempfile

import numpy as np
from scipy.spatial import cKDTree

import closed
import more
import scans
import skulls
import views

SHAPES = [(family, k) for family in more.FAMILIES for k in (5, 18, 31)]
WALLS = [(3, 30), (3, 80), (5, 50), (8, 30), (8, 80)]
KINDS = ["one", *(f"{depth}_{share}" for depth, share in WALLS), "double"]
COLUMNS = "commit program kind shape outcome seen hidden lost region_seen region_hidden mask_recall mask_precision expected cpu_s".split()


def normals_of(points, triangles):
    corner = points[triangles]
    areas = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], areas)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)


def inner_wall(points, triangles, depth, count, random):
    wall = closed.sample(points - depth * normals_of(points, triangles), triangles, 4 * count, random)
    away = cKDTree(closed.sample(points, triangles, 60000, random)).query(wall)[0]
    return wall[away > 0.85 * depth][:count]


def scan_of(kind, truth, points, triangles, size, random):
    """The scan, and which points of the truth it does not show. All kinds of a shape have the same hole."""
    middle = truth[random.integers(len(truth))]
    distance = np.linalg.norm(truth - middle, axis=1)
    radius = np.quantile(distance, 0.2)
    layers = [closed.sample(points, triangles, 3 * len(truth) // 2, random)]
    if kind == "double":
        layers.append(closed.sample(points, triangles, 3 * len(truth) // 2, random) + 0.02 * size * views.unit(random))
    elif kind != "one":
        depth, share = (int(x) / 100 for x in kind.split("_"))
        layers.append(inner_wall(points, triangles, depth * size, int(share * len(layers[0])), random))
    scan = np.vstack(layers)
    scan = scan[np.linalg.norm(scan - middle, axis=1) > radius]
    return scan + random.normal(0, 0.002 * size / np.sqrt(3), scan.shape), distance < radius


def fit(program, data, kind, name, k):
    path = f"{data}/families/{name}"
    _, truth, points, triangles, random = closed.family(path, k)
    size, (command, *flags) = scans.size_of(path), program.split(",")
    scan, hidden = scan_of(kind, truth, points, triangles, size, random)
    with tempfile.TemporaryDirectory() as work:
        _, table, seconds = scans.fit(command, path, flags + ["--report", f"{work}/fit.json"], scan, work)
        return closed.errors_in(work, size, hidden, truth, table) + [f"{seconds:.2f}"]


def run(program, data, kinds, fit):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for kind in kinds:
        for name, k in SHAPES:
            out.writerow([scans.commit_of(), skulls.name_of(program), kind, f"{name} {k}"] + fit(program, data, kind, name, k))
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        closed.summarise("kind")
    else:
        run(*sys.argv[1:3], KINDS, fit)
