"""Fits with a model at hand, by the program and in a batch, beside BCPD: errors and CPU seconds, one row a fit.

    python3 bench/quick.py PROGRAM DATA HOW [FAMILY...] >> bench/results/quick.csv     # DATA: ../shared/data
    python3 bench/quick.py summary < bench/results/quick.csv

HOW is `program:EFFORT` (sfgp register MODEL SCAN), `batch:EFFORT` (sfgp batch, one worker; a row has the seconds of its case by --profile, and
row -1 those of the whole command), or `bcpd:LAMBDA` with PROGRAM the binary of BCPD (-A -K150 -w0.1; scans 1 and 13). A model is made once a
family and is not timed. One thread. All scans are those of ../shared/data as they are.
"""
import csv
import functools
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

import scans

COLUMNS = "commit family scan how outcome observed_mm missing_mm lost region_observed region_missing cpu_s".split()
ONE = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def timed(command):
    before = os.times()
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE).returncode
    after = os.times()
    return code, after.children_user + after.children_system - before.children_user - before.children_system


def errors(folder, family, k, truth, points, sd=None):
    missing = np.loadtxt(f"{folder}/truth/{k:03}_missing.txt") > 0
    error = np.linalg.norm(points - truth, axis=1)
    size = 125 if family == "ears" else np.linalg.norm(np.ptp(scans.read_points(f"{folder}/reference.ply"), 0))
    inside = error < scans.REGION * sd if sd is not None else np.full(len(error), math.nan)
    return [error[~missing].mean(), error[missing].mean(), int(error.mean() > 0.04 * size), inside[~missing].mean(), inside[missing].mean()]


def by_program(program, effort, folder, family, work):
    for k, _, truth in scans.cases_of(folder, family, "as_is"):
        code, seconds = timed([program, "register", f"{work}/model.h5", f"{folder}/scan/{k:03}.ply", "-o", f"{work}/fit.ply", "--table",
                               f"{work}/fit.csv", "--threads", "1", "--effort", effort, "--quiet"])
        table = np.genfromtxt(f"{work}/fit.csv", delimiter=",", names=True)
        points = np.stack([table[a] for a in "xyz"], 1)
        yield k, "flagged" if code else "converged", errors(folder, family, k, truth, points, table["sd"]), seconds


def read_numbers(path, names):
    """Columns of a binary PLY file by their names."""
    with open(path, "rb") as file:
        header, _, body = file.read().partition(b"end_header\n")
    kinds = {"double": "<f8", "float": "<f4", "uchar": "u1", "int": "<i4"}
    lines, fields, inside, count = header.decode("latin1").splitlines(), [], False, 0
    for line in lines:
        if line.startswith("element"):
            inside = line.startswith("element vertex")
            count = int(line.split()[2]) if inside else count
        if inside and line.startswith("property"):
            fields.append((line.split()[2], kinds[line.split()[1]]))
    rows = np.frombuffer(body, np.dtype(fields), count)
    return [rows[name].astype(float) for name in names]


def by_batch(program, effort, folder, family, work):
    cases = list(scans.cases_of(folder, family, "as_is"))
    with open(f"{work}/cases.tsv", "w") as file:
        file.write("id\ttarget\n" + "".join(f"case{k:03}\t{folder}/scan/{k:03}.ply\n" for k, _, _ in cases))
    _, all_seconds = timed([program, "batch", f"{work}/cases.tsv", "-o", f"{work}/out", "--model", f"{work}/model.h5", "-j", "1", "--effort",
                            effort, "--profile", "--quiet"])
    for k, _, truth in cases:
        with open(f"{work}/out/case{k:03}/case.json") as file:
            record = json.load(file)
        x, y, z, sd = read_numbers(f"{work}/out/case{k:03}/fit.ply", ["x", "y", "z", "sd"])
        seconds = sum(stage["cpu"] for stage in record["profile"].values())
        yield k, record["status"].replace("ok", "converged"), errors(folder, family, k, truth, np.stack([x, y, z], 1), sd), seconds
    yield -1, "", [math.nan] * 5, all_seconds


def by_bcpd(program, strength, folder, family, work):
    np.savetxt(f"{work}/y.txt", scans.read_points(f"{folder}/reference.ply"), "%.17g")
    for k, scan, truth in scans.cases_of(folder, family, "as_is"):
        if k % 12 != 1:
            continue
        np.savetxt(f"{work}/x.txt", scan, "%.17g")
        code, seconds = timed([program, "-x", f"{work}/x.txt", "-y", f"{work}/y.txt", "-A", "-K150", "-w0.1", f"-l{strength}", "-o", f"{work}/b_",
                               "-sy"])
        yield k, "failed" if code else "converged", errors(folder, family, k, truth, np.loadtxt(f"{work}/b_y.txt")), seconds


def run(program, data, how, families):
    kind, _, value = how.partition(":")
    commit = scans.commit_of()
    out = csv.writer(sys.stdout, lineterminator="\n")
    for family in families or scans.FAMILIES:
        folder = os.path.abspath(f"{data}/ears" if family == "ears" else f"{data}/families/{family}")
        with tempfile.TemporaryDirectory() as work:
            if kind != "bcpd":
                timed([program, "model", "build", f"{folder}/reference.ply", "-o", f"{work}/model.h5", "--quiet"])
            for k, outcome, numbers, seconds in {"program": by_program, "batch": by_batch, "bcpd": by_bcpd}[kind](program, value, folder, family, work):
                out.writerow([commit, family, k, how, outcome] + [f"{x:.4g}" for x in numbers] + [f"{seconds:.3f}"])
                sys.stdout.flush()


def summarise():
    print("commit how family fits observed_mm missing_mm lost flagged region cpu_s whole_command_s")
    for key, rows in scans.groups_of("commit", "how", "family").items():
        whole = [float(r["cpu_s"]) for r in rows if r["scan"] == "-1"]
        rows = [r for r in rows if r["scan"] != "-1"]
        mean = functools.partial(scans.mean_of, rows)
        print(*key, len(rows), f"{mean('observed_mm'):.2f} {mean('missing_mm'):.2f} {sum(r['lost'] == '1' for r in rows)}",
              sum(r["outcome"] != "converged" for r in rows), f"{mean('region_observed'):.2f}/{mean('region_missing'):.2f} {mean('cpu_s'):.3f}",
              f"{whole[0] / len(rows):.3f}" if whole else "")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "summary":
        summarise()
    elif len(sys.argv) > 3:
        run(*sys.argv[1:4], sys.argv[4:])
    else:
        sys.exit(__doc__)
