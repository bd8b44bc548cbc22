#!/usr/bin/env python3
"""What the field along the surface costs and wins on a dense ear with a fine relief.

    relief.py SFGP FOLDER [RINGS [RUNS]]

The reference is the simulated ear of RINGS rings (221: 98 125 points), the truth ear 4 with three sine waves of 1 mm along the axes, which move it along its normals by
0.065 mm (deviation). The scan has the vertices of the truth, noise of 0.05 mm and three holes. A row for --detail 1 and 0, one thread: user
seconds (the least of RUNS, 3), and the mean distance of
the observed and of the missing points of the fit from the surface of the truth in mm. Needs numpy."""
import json
import os
import resource
import subprocess
import sys

import numpy as np

DEVIATION, WAVE, NOISE = 0.065, 1.0, 0.05


def add_relief(path, out):
    head, body = open(path, "rb").read().split(b"end_header\n", 1)
    count = int(head.split(b"element vertex ")[1].split()[0])
    points = np.frombuffer(body[: 24 * count], "<f8").reshape(-1, 3).copy()
    faces = np.frombuffer(body[24 * count :], np.dtype([("size", "u1"), ("at", "<i4", 3)]))["at"]
    area = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, faces[:, k], area)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    waves = np.sin(2 * np.pi / WAVE * points).sum(1) * DEVIATION / np.sqrt(1.5)
    points += waves[:, None] * normals
    open(out, "wb").write(head + b"end_header\n" + points.tobytes() + body[24 * count :])


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode > 1:
        sys.exit("failed: " + " ".join(command))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def distance(sfgp, points, truth):
    np.save(points[0], points[1])
    found = subprocess.run([sfgp, "evaluate", points[0], truth, "--surface"], capture_output=True, check=True).stdout
    return json.loads(found)["surface"]["fitted_to_truth"]["mean"]


def main(sfgp, folder, rings="221", runs="3"):
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    at = lambda name: os.path.join(folder, name)
    user_seconds([sfgp, "simulate", "ear", "--resolution", rings, "-o", at("ear")])
    add_relief(at("ear/truth.ply"), at("relief.ply"))
    user_seconds([sfgp, "simulate", "shape", at("relief.ply"), "-o", at("scan"), "--holes", "3", "--hole-radius", "8.25",
                  "--noise", str(NOISE), "--file-unit", "1", "--seed", "2"])
    missing = np.loadtxt(at("scan/truth_missing.txt")) > 0
    print("detail,user_s,observed_mm,missing_mm")
    for detail in ("1", "0"):
        fit = [sfgp, "register", at("ear/reference.ply"), at("scan/scan.ply"), "-o", at("fit.npy"), "--threads", "1", "--detail", detail, "--quiet"]
        least = min(user_seconds(fit) for _ in range(int(runs)))
        points = np.load(at("fit.npy"))
        parts = [distance(sfgp, (at("part.npy"), points[part]), at("relief.ply")) for part in (~missing, missing)]
        print(f"{detail},{least:.2f},{parts[0]:.4f},{parts[1]:.4f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
