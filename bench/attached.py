"""Scans that show something attached to the shape: a ball, a rod or a plate, as a clamp, a stand or an electrode (ADR 0125).

    python3 bench/attached.py PROGRAM DATA FOLDER >> bench/results/attached.csv     # DATA: ../shared/data
    python3 bench/attached.py summary < bench/results/attached.csv

The shapes are meshes of FOLDER, warped by 0.12 RMS radii and damaged as in bench/warped.py, in place, and the first twelve of the faces, hands, feet and ears of
bench/more.py with their damage, of which odd ones are at a random turn. At a random point that the scan shows something stands along the normal. It adds 15 to 50 % of
the points of the scan, about as dense as these. Common shapes have all three kinds, others one after the other. Errors are in percent of the diagonal of the
reference; a fit whose seen points are more than 4 % off is lost, and told if it is doubtful. PROGRAM is as of bench/skulls.py. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import glob
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial import cKDTree

import more
import poses
import scans
import skulls
import warped

KINDS = ["ball", "rod", "plate"]
FAMILIES = ["face", "hand", "foot", "ear"]
COUNT = 12
COLUMNS = "commit program set kind shape share scan_points outcome seen hidden before expected cpu_s".split()


def frame_at(points, i):
    """The outward normal at a point, and two axes across it."""
    near = points[cKDTree(points).query(points[i], 20)[1]]
    *across, normal = np.linalg.svd(near - near.mean(0))[2]
    return normal * (np.sign(normal @ (points[i] - points.mean(0))) or 1), *across


def thing(kind, area, count, random):
    """Points of a surface of this area, as if it stood on the plane z = 0."""
    if kind == "ball":
        radius, way = np.sqrt(area / (4 * np.pi)), random.normal(size=(count, 3))
        return radius * (way / np.linalg.norm(way, axis=1)[:, None] + [0, 0, 0.7])
    if kind == "rod":  # six times as long as thick
        radius, turn = np.sqrt(area / (24 * np.pi)), random.uniform(0, 2 * np.pi, count)
        return radius * np.stack([np.cos(turn), np.sin(turn), random.uniform(-1, 11, count)], 1)
    side = np.sqrt(area / 2)
    return side * np.stack([random.uniform(-0.5, 0.5, count), random.choice([0, 0.04], count), random.uniform(-0.1, 0.9, count)], 1)


def attach(kind, share, scan, truth, seen, random):
    """The scan with the thing, whose points have the spacing of the scan."""
    i, count = random.choice(np.flatnonzero(seen)), int(share * len(scan))
    spacing = np.median(cKDTree(scan).query(scan, 2)[0][:, 1])
    normal, one, other = frame_at(truth, i)
    x, y, z = thing(kind, 2.5 * spacing**2 * count, count, random).T
    return np.vstack([scan, truth[i] + np.outer(x, one) + np.outer(y, other) + np.outer(z, normal)])


def common(path):
    name, reference, truth, moved, triangles, random = warped.shape_of(path, 0.12, "place")
    scan = poses.points_at(moved, *poses.places_on(moved, triangles, random))
    return name, reference, *poses.damage(random, scan, truth), truth


def of_family(data, family, k):
    folder = f"{data}/families/{family}"
    scan, truth, hidden = more.case_of(folder, family, k)
    return f"{family} {k}", scans.read_points(f"{folder}/reference.ply"), scan, hidden, truth


def fit(program, kind, where, *case):
    name, reference, scan, hidden, truth = where(*case)
    random = np.random.default_rng([*name.encode(), *kind.encode()])
    share = random.uniform(0.15, 0.5)
    scan = attach(kind, share, scan, truth, ~np.asarray(hidden, bool), random)
    return [where.__name__, kind, name, f"{share:.2f}"] + poses.judged(program, reference, scan, truth, np.asarray(hidden, bool))


def run(program, data, folder):
    out = csv.writer(sys.stdout, lineterminator="\n")
    cases = [(kind, common, path) for path in sorted(glob.glob(f"{folder}/*.obj")) for kind in KINDS]
    cases += [(KINDS[k % 3], of_family, data, family, k) for family, k in itertools.product(FAMILIES, range(COUNT))]
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: fit(program, *case), cases):
            out.writerow([scans.commit_of(), skulls.name_of(program)] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        poses.summarise("set", "kind")
    else:
        run(*sys.argv[1:4])
