#!/usr/bin/env python3
"""Kernels along the surface where it is near in space and far on the surface, beside kernels through space and BCPD with and without -G.

    apart.py SFGP BCPD FOLDER NAME [METHOD...] >> bench/results/apart.csv        FOLDER: of sheets.py or fingers.py
    apart.py summary < bench/results/apart.csv

A row for each scan and method: mean error of the points that are seen, of those that are not, of those that the truth moves by more than a fiftieth of
the RMS radius, of the two latter together, and the mean distance from the surface of the truth of those that are not seen, all in RMS radii of the reference. sfgp starts at
--variance0 0.002, as the scans lie where the reference is, BCPD at -g0.1. Needs numpy."""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np

from relief import distance
from scans import commit_of, groups_of, mean_of, read_points

COLUMNS = "commit,scene,scan,method,seen,unseen,moved,both,unseen_from_surface".split(",")
KERNELS = {"space": "se:length={},variance={}", "eigen": "surface:length={},variance={}", "sparse": "surface:length={},variance={},form=sparse"}


def sfgp(program, method, reference, scan, work):
    """kernel length variance, such as sparse 2 0.02"""
    kind, length, variance = method.split()
    subprocess.run([program, "register", reference, scan, "-o", f"{work}/fit.npy", "--threads", "1", "--quiet", "--method", "sfgp-scalar",
                    "--variance0", "0.002", "--kernel", KERNELS[kind].format(length, variance)], stderr=subprocess.DEVNULL)
    return np.load(f"{work}/fit.npy")


def bcpd(program, method, reference, scan, work):
    """bcpd beta lambda tau, tau 0: without -G"""
    _, beta, weight, tau = method.split()
    points = read_points(reference)
    np.savetxt(f"{work}/y.txt", points, "%.7g")
    np.savetxt(f"{work}/x.txt", read_points(scan), "%.7g")
    np.savetxt(f"{work}/t.txt", faces_of(reference) + 1, "%d", delimiter="\t")
    many = ["-K200"] if len(points) > 1000 else ["-K100"] if tau != "0" else []
    subprocess.run([program, "-xx.txt", "-yy.txt", "-oo_", "-w0.1", "-n300", "-g0.1", f"-b{beta}", f"-l{weight}"] + many +
                   ([f"-Ggeodesic,{tau},t.txt"] if tau != "0" else []), cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return np.loadtxt(f"{work}/o_y.txt")


def faces_of(path):
    with open(path, "rb") as file:
        lines = file.read().decode("latin1").splitlines()
    count = [int(line.split()[2]) for line in lines[:12] if line.startswith("element")]
    body = lines.index("end_header") + 1 + count[0]
    return np.array([line.split()[1:4] for line in lines[body : body + count[1]]], int)


def judge(program, fit, folder, scan, work):
    reference, truth = read_points(reference_of(folder, scan)), read_points(f"{folder}/truth/{scan}.ply")
    unseen = np.loadtxt(f"{folder}/truth/{scan}_missing.txt") > 0
    radius = np.sqrt(((reference - reference.mean(0)) ** 2).sum(1).mean())
    moved = np.linalg.norm(truth - reference, axis=1) > radius / 50
    error = np.linalg.norm(fit - truth, axis=1) / radius
    away = distance(program, (f"{work}/part.npy", fit[unseen]), f"{folder}/truth/{scan}.ply") / radius
    return [error[part].mean() for part in (~unseen, unseen, moved, unseen | moved)] + [away]


def reference_of(folder, scan):
    one = f"{folder}/reference.ply"
    return one if os.path.exists(one) else f"{folder}/reference/{scan}.ply"


def run(program, other, folder, name, methods):
    out = csv.writer(sys.stdout, lineterminator="\n")
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    commit = commit_of()
    for method in methods:
        for scan in range(len(os.listdir(f"{folder}/scan"))):
            with tempfile.TemporaryDirectory() as work:
                fit = (bcpd if method.startswith("bcpd") else sfgp)(other if method.startswith("bcpd") else program, method,
                                                                   reference_of(folder, scan), f"{folder}/scan/{scan}.ply", work)
                row = judge(program, fit, folder, scan, work)
            out.writerow([commit, name, scan, method] + [f"{x:.4g}" for x in row])
            sys.stdout.flush()


def summarise():
    print("scene", "method", "scans", *COLUMNS[4:])
    for (scene, method), rows in groups_of("scene", "method").items():
        print(f"{scene:16}{method:20}{len(rows):4}", *(f"{mean_of(rows, name):8.4f}" for name in COLUMNS[4:]))


if __name__ == "__main__":
    if sys.argv[1:] == ["summary"]:
        summarise()
    elif len(sys.argv) > 5:
        run(*[os.path.abspath(path) for path in sys.argv[1:4]], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(__doc__)
