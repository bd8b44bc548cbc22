"""Fits of dense scans, one row each: shapes of the families with sixteen times as many points, and simulated ears.

    python3 bench/dense.py PROGRAM DATA [KIND...] >> bench/results/dense.csv     # DATA: ../shared/data
    python3 bench/dense.py compare COMMIT COMMIT < bench/results/dense.csv

KIND is a family (12 scans each), `ears` (simulated, seeds 7 to 18, 100 thousand points), or all without one. Reference and truth of a family
are subdivided twice by Loop's rules, which keeps their points in correspondence (32 to 39 thousand). The scan is sampled uniformly on the
faces whose points the scan of the family shows, as many points as it shows, with noise of 0.003 RMS radii and 5 % of strays in its box.
Everything has fixed seeds. One thread, two fits at a time: some 10 minutes.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sparse

import scans

FAMILIES = ["face", "hand", "foot", "ear"]
COLUMNS = "commit family scan points outcome observed_mm missing_mm region_observed region_missing cpu_s".split()


def read_faces(path):
    with open(path, "rb") as file:
        header, _, body = file.read().partition(b"end_header\n")
    count = next(int(line.split()[2]) for line in header.decode().splitlines() if line.startswith("element face"))
    return np.frombuffer(body[-13 * count:], np.dtype([("corners", "u1"), ("at", "<i4", 3)]))["at"].astype(int)


def adjacency(points, edges):
    half = sparse.coo_matrix((np.ones(len(edges)), edges.T), (points, points))
    return (half + half.T).tocsr()


def subdivide(points, faces):
    """Loop's subdivision: the matrix that makes the new points from the old ones, and the new faces."""
    sides = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    opposite = faces[:, [2, 0, 1]].T.ravel()
    edges, edge_of, used = np.unique(np.sort(sides, 1), axis=0, return_inverse=True, return_counts=True)
    edge_of, inner = edge_of.ravel(), used == 2
    near, rim = adjacency(points, edges), adjacency(points, edges[~inner])
    degree, on_rim = near.sum(1).A1, rim.sum(1).A1
    pull = np.where(on_rim > 0, 0, np.where(degree == 3, 3 / 16, 3 / (8 * np.maximum(degree, 3))))
    old = (sparse.diags(np.where(on_rim > 0, 0.75, 1 - degree * pull)) + sparse.diags(pull) @ near
           + sparse.diags(np.where(on_rim > 0, 0.25 / np.maximum(on_rim, 1), 0)) @ rim)
    row = np.arange(len(edges))
    ends = np.where(inner, 3 / 8, 1 / 2)
    across = inner[edge_of]
    new = sparse.coo_matrix((np.r_[ends, ends, np.full(across.sum(), 1 / 8)],
                             (np.r_[row, row, edge_of[across]], np.r_[edges[:, 0], edges[:, 1], opposite[across]])),
                            (len(edges), points))
    a, b, c = points + edge_of.reshape(3, -1)
    corners = [(faces[:, 0], a, c), (faces[:, 1], b, a), (faces[:, 2], c, b), (a, b, c)]
    return sparse.vstack([old, new]).tocsr(), np.vstack([np.stack(corner, 1) for corner in corners])


def write_mesh(path, points, faces):
    rows = np.zeros(len(faces), np.dtype([("corners", "u1"), ("at", "<i4", 3)]))
    rows["corners"], rows["at"] = 3, faces
    with open(path, "wb") as file:
        file.write(b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\n"
                   b"element face %d\nproperty list uchar int vertex_indices\nend_header\n" % (len(points), len(faces)))
        file.write(points.astype("<f8").tobytes() + rows.tobytes())


def sample(random, points, faces, count):
    corner = points[faces]
    area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    at, place = random.choice(len(faces), count, p=area / area.sum()), random.random((count, 2))
    place = np.where(place.sum(1, keepdims=True) > 1, 1 - place, place)
    return corner[at, 0] + np.einsum("nk,nkd->nd", place, corner[at, 1:] - corner[at, :1])


def damage(random, truth, missing, faces):
    count = int((~missing).sum())
    scan = sample(random, truth, faces[~missing[faces].any(1)], count)
    scan += random.normal(0, 0.003 * np.sqrt(truth.var(0).sum()), scan.shape)
    return np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (count // 20, 3))])


def make_family(data, family, folder):
    """Writes reference.ply and NNN.ply; returns the cases: number, scan, truth, missing."""
    source = f"{data}/families/{family}"
    points, faces = scans.read_points(f"{source}/reference.ply"), read_faces(f"{source}/reference.ply")
    finer = sparse.identity(len(points), format="csr")
    for _ in range(2):
        step, faces = subdivide(finer.shape[0], faces)
        finer = step @ finer
    write_mesh(f"{folder}/reference.ply", finer @ points, faces)
    for k in range(scans.FAMILIES[family]):
        truth = finer @ scans.read_points(f"{source}/truth/{k:03}.ply")
        missing = finer @ np.loadtxt(f"{source}/truth/{k:03}_missing.txt") > 0.5
        scans.write_points(f"{folder}/{k:03}.ply", damage(np.random.default_rng([sum(map(ord, family)), k, 96]), truth, missing, faces))
        yield k, f"{folder}/reference.ply", f"{folder}/{k:03}.ply", truth, missing


def make_ears(program, folder):
    for seed in range(7, 19):
        ear = f"{folder}/{seed}"
        subprocess.run([program, "simulate", "ear", "--resolution", "223", "--seed", str(seed), "-o", ear, "--quiet"], check=True)
        yield (seed, f"{ear}/reference.ply", f"{ear}/scan.ply", scans.read_points(f"{ear}/truth.ply"),
               np.loadtxt(f"{ear}/truth_missing.txt") > 0)


def fit(program, folder, case):
    number, reference, scan, truth, missing = case
    out = f"{folder}/{number}-fit"
    run = subprocess.run(["/usr/bin/time", "-f", "%U %S", program, "register", reference, scan, "-o", out + ".npy", "--table", out + ".csv",
                          "--threads", "1", "--quiet"], stderr=subprocess.PIPE, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    table = np.loadtxt(out + ".csv", delimiter=",", skiprows=1, usecols=(1, 2, 3, 4))
    error = np.linalg.norm(table[:, :3] - truth, axis=1)
    inside = error < scans.REGION * table[:, 3]
    return ([number, len(truth), "flagged" if run.returncode else "converged"]
            + [f"{x:.4g}" for part in (error, inside) for x in (part[~missing].mean(), part[missing].mean())]
            + [f"{sum(map(float, run.stderr.splitlines()[-1].split())):.2f}"])


def run(program, data, kinds):
    commit, out = scans.commit_of(), csv.writer(sys.stdout, lineterminator="\n")
    for kind in kinds or ["ears"] + FAMILIES:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            cases = list(make_ears(program, folder) if kind == "ears" else make_family(data, kind, folder))
            for row in pool.map(lambda case: fit(program, folder, case), cases):
                out.writerow([commit, kind, row[0]] + row[1:])
            sys.stdout.flush()


def compare(first, second):
    """Means of both, and the mean of ln(second / first) with its standard error."""
    rows = {}
    for row in csv.DictReader(sys.stdin):
        rows.setdefault(row["family"], {}).setdefault(row["commit"], []).append(row)
    for family, of in rows.items():
        for name in ("observed_mm", "missing_mm", "region_observed", "region_missing", "cpu_s"):
            before, after = ([float(row[name]) for row in of[commit]] for commit in (first, second))
            ratios = [math.log(b / a) for a, b in zip(before, after)]
            print(family, name, f"{np.mean(before):.3f} {np.mean(after):.3f}",
                  f"{np.mean(ratios):+.3f} ± {np.std(ratios) / math.sqrt(len(ratios)):.3f}")


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(*sys.argv[2:4])
    else:
        run(sys.argv[1], sys.argv[2], sys.argv[3:])
