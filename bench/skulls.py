"""Landmarks of real skulls: those of one mouse are carried to others by a fit, and compared with those that were set there by hand.

    python3 bench/skulls.py PROGRAM FOLDER KIND [STEP] >> bench/results/skulls.csv
    python3 bench/skulls.py summary < bench/results/skulls.csv

FOLDER is a clone of https://github.com/SlicerMorph/Mouse_Models (62 skulls of 21 to 23 mm from computed tomography, 63 to 106 thousand points,
51 landmarks each). The reference is C57BL6_J; the others are fitted, of which every STEP-th (1). KIND is

    whole    the meshes as they are
    holes    3000 evenly spread points of either; three balls of half a RMS radius are cut out of the scan; noise of 0.003 RMS radii, 5 % strays
    half     the same, but a plane cuts half of the scan off, and 1500 points are left
    holes_turned, half_turned    and turned at random

PROGRAM `program,--effort,quick` gives it flags; `bcpd:PROGRAM:LAMBDA` is BCPD. A landmark keeps its offset from the nearest point of the
reference, turned as the fit is turned. `similarity_mm` is what is left after the best similarity between the landmarks of both skulls.
Vertices that are not finite, which seven meshes have, are left out. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial import cKDTree

import scans

REFERENCE = "C57BL6_J"
POINTS = 3000
COLUMNS = "commit program kind skull points scan_points outcome seen_mm hidden_mm hidden_landmarks similarity_mm expected_mm cpu_s".split()


def read_mesh(folder, name):
    points = scans.read_points(f"{folder}/Models/{name}.ply")
    return points[np.isfinite(points).all(1)]


def read_landmarks(folder, name):
    with open(f"{folder}/LMs/{name}.mrk.json") as file:
        markup = json.load(file)["markups"][0]
    assert markup["coordinateSystem"] == "LPS", name  # as the meshes
    return np.array([point["position"] for point in markup["controlPoints"]], float)


def names_of(folder):
    found = (file[: -len(".mrk.json")] for file in sorted(os.listdir(f"{folder}/LMs")) if file.endswith(".mrk.json"))
    return [name for name in found if name != REFERENCE and os.path.exists(f"{folder}/Models/{name}.ply")]


def similarity(a, b):
    """Scale, rotation and shift that bring a to b: b = scale a R + shift."""
    middle, there = a.mean(0), b.mean(0)
    u, s, v = np.linalg.svd((a - middle).T @ (b - there))
    signs = np.array([1, 1, np.sign(np.linalg.det(u @ v))])
    rotation, scale = u * signs @ v, (s * signs).sum() / ((a - middle) ** 2).sum()
    return scale, rotation, there - scale * middle @ rotation


def spread_of(points, count):
    """Indices of every first point of a cell of a grid with about so many cells that have one."""
    least, most = 0.001, np.ptp(points, 0).max()
    for _ in range(40):
        size = np.sqrt(least * most)
        first = np.unique(np.floor((points - points.min(0)) / size).astype(int), axis=0, return_index=True)[1]
        least, most = (size, most) if len(first) > count else (least, size)
    return np.sort(first)


def spread(points, count):
    return points[spread_of(points, count)]


def cut(random, kind, points, landmarks):
    """Which points are left, and which landmarks are hidden."""
    middle, radius = points.mean(0), np.sqrt(points.var(0).sum())
    if kind.startswith("half"):
        side = random.normal(size=3)
        least = np.quantile((points - middle) @ side, 0.5)
        return (points - middle) @ side < least, (landmarks - middle) @ side >= least
    balls = points[random.integers(len(points), size=3)]
    nearest = [np.linalg.norm(some[:, None] - balls, axis=2).min(1) for some in (points, landmarks)]
    return nearest[0] > radius / 2, nearest[1] <= radius / 2


def damage(name, kind, points, landmarks):
    """The scan, the landmarks in its place, and which of them it does not show."""
    random = np.random.default_rng(list(name.encode()))
    radius, middle = np.sqrt(points.var(0).sum()), points.mean(0)
    left, hidden = cut(random, kind, points, landmarks)
    scan = spread(points[left], POINTS // 2 if kind.startswith("half") else POINTS)
    scan = scan + random.normal(0, 0.003 * radius, scan.shape)
    scan = np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (len(scan) // 20, 3))])
    if kind.endswith("turned"):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        scan, landmarks = (scan - middle) @ turn + middle, (landmarks - middle) @ turn + middle
    return scan, landmarks, hidden


def run_program(program, work):
    name, *flags = program.split(",")
    command = ["/usr/bin/time", "-f", "%U %S", name, "register", f"{work}/reference.npy", f"{work}/scan.npy", "-o", f"{work}/fit.npy", "--report",
               f"{work}/fit.json", "--threads", "1", "--quiet"] + flags
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    with open(f"{work}/fit.json") as file:
        report = json.load(file)
    return np.load(f"{work}/fit.npy"), report["status"], f"{report['expected_error']:.4g}", run.stderr


def run_bcpd(program, work):
    name, stiffness = program.split(":")
    for shape in ("reference", "scan"):
        np.savetxt(f"{work}/{shape}.txt", np.load(f"{work}/{shape}.npy"))
    run = subprocess.run(["/usr/bin/time", "-f", "%U %S", name, "-x", "scan.txt", "-y", "reference.txt", "-o", "b_", "-A", "-K150", "-w0.1", f"-l{stiffness}",
                          "-b2", "-n500", "-c1e-6"], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                         env={**os.environ, "OMP_NUM_THREADS": "1"})
    return np.loadtxt(f"{work}/b_y.txt"), "none", "", run.stderr


def fit(program, folder, kind, name, reference, marks):
    points, landmarks = read_mesh(folder, name), read_landmarks(folder, name)
    scale, rotation, shift = similarity(marks, landmarks)
    rest = np.linalg.norm(scale * marks @ rotation + shift - landmarks, axis=1).mean()
    scan, hidden = points, np.zeros(len(landmarks), bool)
    if kind != "whole":
        scan, landmarks, hidden = damage(name, kind, points, landmarks)
    with tempfile.TemporaryDirectory() as work:
        np.save(f"{work}/reference.npy", reference)
        np.save(f"{work}/scan.npy", scan)
        peer = program.startswith("bcpd:")
        fitted, outcome, expected, times = run_bcpd(program[5:], work) if peer else run_program(program, work)
    nearest = cKDTree(reference).query(marks)[1]
    moved = fitted[nearest] + (marks - reference[nearest]) @ similarity(reference, fitted)[1]
    error = np.linalg.norm(moved - landmarks, axis=1)
    means = [f"{error[which].mean():.4g}" if which.any() else "" for which in (~hidden, hidden)]
    seconds = sum(map(float, times.splitlines()[-1].split()))
    return [name, len(reference), len(scan), outcome] + means + [hidden.sum(), f"{rest:.4g}", expected, f"{seconds:.2f}"]


def name_of(program):
    """Flags of the program, or BCPD and its lambda."""
    return "bcpd " + program.split(":")[2] if program.startswith("bcpd:") else " ".join(["sfgp"] + program.split(",")[1:])


def run(program, folder, kind, step):
    out = csv.writer(sys.stdout, lineterminator="\n")
    reference, marks = read_mesh(folder, REFERENCE), read_landmarks(folder, REFERENCE)
    if kind != "whole":
        reference = spread(reference, POINTS)
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda name: fit(program, folder, kind, name, reference, marks), names_of(folder)[::step]):
            out.writerow([scans.commit_of(), name_of(program), kind] + row)
            sys.stdout.flush()


def summarise():
    for key, rows in scans.groups_of("commit", "program", "kind").items():
        mean = {name: np.mean([float(row[name]) for row in rows if row[name]] or [np.nan]) for name in COLUMNS[7:]}
        print(*key, len(rows), "skulls,", sum(row["outcome"] == "doubtful" for row in rows), "doubtful:", *(f"{name} {mean[name]:.3f}" for name in mean))


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        summarise()
    else:
        run(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
