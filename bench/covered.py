"""Scans in which something lies over a part of the shape and is measured instead of it: hair, a cloth, a bandage (ADR 0122).

    python3 bench/covered.py PROGRAM DATA FOLDER SET [KIND...] >> bench/results/covered.csv     # DATA: ../shared/data, SET: choice or report
    python3 bench/covered.py summary < bench/results/covered.csv

KIND is one of these; without any, all are fitted:

    hair, hair_open      over 10 to 30 % of the points there is a layer that is fuzzy up to a height of 3 to 7 % of the diagonal, or there is nothing
    sheet, sheet_open    over 8 to 25 % there is a smooth sheet, 1 to 4 % of the diagonal away, or there is nothing
    whole                nothing is covered

Neither kind shows the surface below. Points of hair have uniform heights above their places on the surface, which are 1 to 2 times as dense as those of the rest. A sheet is
the part of the mesh (of at least 15000 triangles) whose corners have gone 20 times to the mean of their neighbours, and then outwards; it ends freely. What is covered is the
part of the shape next to a random point of it. The shapes are training shapes of each family, laid upon the reference by a rigid motion (no fit is trained here), and
meshes of FOLDER, warped as in bench/warped.py; all are turned by 5 degrees. Those of `choice` may choose limits, those of `report` may not. A scan has 1.5 random points
for each of the reference, noise of 0.003 RMS radii and 1 % strays. Errors are in percent of the diagonal of the reference; a fit that is farther off than 4 % is lost.
PROGRAM `program,--effort,quick` gives it flags. Everything has fixed seeds. One thread, one fit at a time.
"""
import csv
import json
import os
import sys
import tempfile

import numpy as np
import scipy.sparse

import closed
import more
import scans
import skulls
import warped

SHAPES = {"choice": [("face", 5), ("face", 12), ("face", 30), ("hand", 14), ("hand", 20), ("foot", 8), ("foot", 17), ("ear", 10), ("ear", 21), ("head_part", 6),
                     ("head_part", 18), ("head_part", 29), ("nefertiti", 0.12), ("spot", 0.3), ("homer", 0.12), ("suzanne", 0.3), ("beast", 0.12), ("cow", 0.3)],
          "report": closed.SHAPES}
KINDS = ["hair", "hair_open", "sheet", "sheet_open", "whole"]
COLUMNS = ("commit program set kind shape outcome warned seen hidden lost region_seen region_hidden mask_recall mask_precision "
           "expected cpu_s").split()


def case_of(data, folder, name, k):
    """The folder of its reference or None, and what bench/closed.py has of a shape."""
    path = f"{data}/families/{name}" if name in more.FAMILIES else None
    return path, closed.family(path, k) if path else warped.shape_of(f"{folder}/{name}.obj", k, "place")[1:]


def normals_of(points, triangles):
    """Of each triangle; they point away from the middle."""
    corner = points[triangles]
    normals = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    sign = np.sign((normals * (corner.mean(1) - points.mean(0))).sum())
    return sign * normals / (np.linalg.norm(normals, axis=1)[:, None] + 1e-300)


def corners_of(points, triangles):
    """A mesh whose triangles share their corners."""
    _, first, same = np.unique(np.round(points / np.ptp(points) * 1e7), axis=0, return_index=True, return_inverse=True)
    triangles = same.ravel()[triangles]
    return points[first], triangles[(triangles != np.roll(triangles, 1, 1)).all(1)]


def sheet_of(points, triangles, covered, height):
    """The mesh over what is covered, smoother and farther out, without the rest."""
    points, triangles = corners_of(points, triangles)
    points, triangles = closed.refined(points, triangles)
    inside = covered(points)
    edges = closed.edges_of(triangles)[0].T
    joined = scipy.sparse.coo_matrix((np.ones(len(edges[0])), edges), (len(points),) * 2)
    joined = joined + joined.T + scipy.sparse.identity(len(points))
    mean = scipy.sparse.diags(1 / np.asarray(joined.sum(1)).ravel()) @ joined
    smooth = points
    for _ in range(20):
        smooth = np.where(inside[:, None], mean @ smooth, points)
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], normals_of(smooth, triangles))
    for _ in range(20):
        normals = mean @ normals
    normals /= np.linalg.norm(normals, axis=1)[:, None] + 1e-300
    return smooth + height * normals, triangles[inside[triangles].all(1)]


def hair_of(points, triangles, covered, height, count, random):
    corners, weights = closed.poses.random_places(points, triangles, count, random)
    places = closed.poses.points_at(points, corners, weights)
    out = places + normals_of(points, corners) * height * random.random((count, 1))
    return out[covered(places)]


def cover(kind, truth, points, triangles, diagonal, random):
    """What lies over the shape, and a function that tells what it covers."""
    sheet = kind.startswith("sheet")
    middle, share, height, dense = truth[random.integers(len(truth))], *random.random(3)
    share, height = (0.08 + 0.17 * share, 0.01 + 0.03 * height) if sheet else (0.1 + 0.2 * share, 0.03 + 0.04 * height)
    radius, count = np.quantile(np.linalg.norm(truth - middle, axis=1), share), 1.5 * len(truth)

    def covered(some):
        return np.linalg.norm(some - middle, axis=1) < radius

    if kind == "sheet":
        over = sheet_of(points, triangles, covered, height * diagonal)
        number = int(count * closed.area_of(*over) / closed.area_of(points, triangles))
        return covered, closed.sample(*over, number, random)
    if kind == "hair":
        return covered, hair_of(points, triangles, covered, height * diagonal, int((1 + dense) * count), random)
    return covered, np.zeros((0, 3))


def scan_of(kind, truth, points, triangles, diagonal, random):
    """The scan, and which points of the truth it does not show."""
    covered, over = cover(kind, truth, points, triangles, diagonal, np.random.default_rng(random.integers(2**31)))
    scan = closed.sample(points, triangles, int(1.5 * len(truth)), random)
    hidden = covered(truth) & (kind != "whole")
    scan = np.vstack([scan if kind == "whole" else scan[~covered(scan)], over])
    scan = scan + random.normal(0, 0.003 * np.sqrt(truth.var(0).sum()), scan.shape)
    return np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (len(scan) // 100, 3))]), hidden


def fit(program, data, folder, kind, name, k):
    path, (reference, truth, *mesh, random) = case_of(data, folder, name, k)
    size, (command, *flags) = np.linalg.norm(np.ptp(reference, 0)), program.split(",")
    scan, hidden = scan_of(kind, truth, *mesh, size, random)
    with tempfile.TemporaryDirectory() as work:
        if not path:
            scans.write_points(f"{work}/reference.ply", reference)
        _, table, seconds = scans.fit(command, path or work, flags + ["--report", f"{work}/fit.json"], scan, work)
        with open(f"{work}/fit.json") as file:
            report = json.load(file)
    seen, missed, *rates = scans.rate(hidden, size, truth, table) if hidden.any() else whole(size, truth, table)
    errors = [100 * error / size for error in (seen, missed, report["expected_error"])]
    warned = int(any(WARNING in warning for warning in report["warnings"]))
    return [report["status"], warned] + [f"{x:.4g}" for x in errors[:2] + rates + errors[2:]] + [f"{seconds:.2f}"]


WARNING = "fuzzy"


def whole(size, truth, table):
    """scans.rate, where nothing is hidden."""
    rates = scans.rate(np.arange(len(truth)) < 1, size, truth, table)
    return [x if i in (0, 2, 3) else np.nan for i, x in enumerate(rates)]


def run(program, data, folder, name_of_set, kinds):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for kind in kinds or KINDS:
        for name, k in SHAPES[name_of_set]:
            row = fit(program, data, folder, kind, name, k)
            out.writerow([scans.commit_of(), skulls.name_of(program), name_of_set, kind, f"{name} {k}"] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        closed.summarise("set", "kind")
    else:
        run(*sys.argv[1:5], sys.argv[5:])
