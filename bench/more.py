"""More damaged scans of the families, as twelve of each are too few to tell rare losses: 40 of each, one row a fit (ADR 0111).

    python3 bench/more.py PROGRAM DATA [xTIMES] [FAMILY...] >> bench/results/more.csv     # DATA: ../shared/data
    python3 bench/more.py summary < bench/results/more.csv

The truths are the 40 registered shapes of each family that are meant for training; no fit is trained here. Each is laid upon the reference by a rigid
motion. Its scan is damaged as one of the family's own (density, noise, strays and missing share as in info.json, one to three balls cut out, or of heads
all but one), and turned: even ones by up to 25 degrees (`place`), odd ones at random (`turned`). x6 makes them six times as dense (ADR 0115). PROGRAM is as of bench/skulls.py; BCPD does not search
for turns, and gets the even ones. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial.transform import Rotation

import poses
import scans
import skulls

FAMILIES = ["face", "hand", "foot", "ear", "head_part"]
COUNT = 40
COLUMNS = ("commit program family scan turn outcome observed_mm missing_mm lost region_observed region_missing mask_recall mask_precision "
           "cpu_s").split()


def read_faces(path):
    """Triangles of a binary PLY whose vertices are doubles or floats."""
    with open(path, "rb") as file:
        header, _, body = file.read().partition(b"end_header\n")
    lines = header.decode("latin1").splitlines()
    points, faces = (next(int(line.split()[2]) for line in lines if line.startswith(f"element {kind}")) for kind in ("vertex", "face"))
    size = sum(8 if line.split()[1] == "double" else 4 for line in lines if line.startswith("property") and "list" not in line)
    return np.frombuffer(body[points * size:], np.dtype([("corners", "u1"), ("face", "<i4", 3)]), faces)["face"].astype(int)


def laid_upon(reference, points):
    shifted = points - points.mean(0)
    return Rotation.align_vectors(reference - reference.mean(0), shifted)[0].apply(shifted) + reference.mean(0)


def hide(family, share, truth, scan, random):
    """Which points of the truth and of the scan are not seen: those in some balls, or outside of one."""
    balls = 1 if family == "head_part" else random.integers(1, 4)
    hidden = [np.zeros(len(some), bool) for some in (truth, scan)]
    for _ in range(balls):
        middle = truth[random.integers(len(truth))]
        distance = [np.linalg.norm(some - middle, axis=1) for some in (truth, scan)]
        radius = np.quantile(distance[0], 1 - share if family == "head_part" else share / balls)
        for some, far in zip(hidden, distance):
            some |= far > radius if family == "head_part" else far < radius
    return hidden


def turn_of(scan, angle, random):
    axis = random.normal(size=3)
    turn = Rotation.from_rotvec(np.radians(min(angle, 25)) * axis / np.linalg.norm(axis))
    return Rotation.random(random_state=int(random.integers(2**31))) if scan % 2 else turn


def case_of(folder, family, k, times=1):
    """The scan, the truth in its place, and which points of that it does not show."""
    random = np.random.default_rng([*family.encode(), k])
    with open(f"{folder}/info.json") as file:
        damage = json.load(file)["scans"][k % 12]
    reference = scans.read_points(f"{folder}/reference.ply")
    truth = laid_upon(reference, scans.read_points(f"{folder}/train/{sorted(os.listdir(f'{folder}/train'))[k]}"))
    places = poses.random_places(truth, read_faces(f"{folder}/reference.ply"), int(times * damage["density"] * len(truth)), random)
    scan = poses.points_at(truth, *places)
    hidden, away = hide(family, damage["missing"], truth, scan, random)
    scan = scan[~away] + random.normal(0, damage["noise"] * scans.size_of(folder), (np.sum(~away), 3))
    strays = random.uniform(scan.min(0), scan.max(0), (int(damage["strays"] * len(scan)), 3))
    middle, turn = reference.mean(0), turn_of(k, damage["angle"], random)
    return [turn.apply(some - middle) + middle for some in (np.vstack([scan, strays]), truth)] + [hidden]


def run_bcpd(program, folder, scan, work):
    np.save(f"{work}/reference.npy", scans.read_points(f"{folder}/reference.ply"))
    np.save(f"{work}/scan.npy", scan)
    fitted, _, _, times = skulls.run_bcpd(program, work)
    none = np.zeros(len(fitted))
    return 0, dict(zip("xyz", fitted.T), sd=none, missing=none), sum(map(float, times.splitlines()[-1].split()))


def fit(program, times, folder, family, k):
    scan, truth, hidden = case_of(folder, family, k, times)
    with tempfile.TemporaryDirectory() as work:
        name, *flags = program.split(",")
        peer = program.startswith("bcpd:")
        code, table, seconds = run_bcpd(program[5:], folder, scan, work) if peer else scans.fit(name, folder, flags, scan, work)
    rates = scans.rate(hidden, scans.size_of(folder), truth, table)
    turn = ("turned" if k % 2 else "place") + (f" x{times}" if times > 1 else "")
    return [family, k, turn, "flagged" if code else "converged"] + [f"{x:.4g}" for x in rates] + [f"{seconds:.2f}"]


def run(program, data, families):
    times = int(families.pop(0)[1:]) if families and families[0].startswith("x") else 1
    out = csv.writer(sys.stdout, lineterminator="\n")
    cases = [(f"{data}/families/{family}", family, k) for family in families or FAMILIES for k in range(0, COUNT, 2 if program.startswith("bcpd:") else 1)]
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: fit(program, times, *case), cases):
            out.writerow([scans.commit_of(), skulls.name_of(program)] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        scans.summarise("turn", "family", "program")
    else:
        run(*sys.argv[1:3], sys.argv[3:])
