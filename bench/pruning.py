"""Fits of the paper's methods with labels left out (--prune as it is) and without (1e-300): one row a level of the fish and method.

    PYTHONPATH=build/python OMP_NUM_THREADS=1 python3 bench/pruning.py build/sfgp ../shared/data [SAMPLES] > bench/results/pruning.csv

All 40 levels of data/studies/default-fish.json with its settings, the first SAMPLES (12) of each. `outcomes` and `iterations` are the
numbers of samples in which these differ. Lengths are in RMS radii of the reference, the largest over the samples: of the difference of
the mean errors, of the RMS distance between the fits, and of a point of both. Needs numpy, h5py and the Python package.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import warnings

import h5py
import numpy as np

import sfgp

METHODS = ("SFGP_Full", "SFGP_bcpdReg", "GPReg_noThresh")
COLUMNS = "commit set level method samples labelled outcomes iterations mean_error rms point worst_sample".split()
DENSE = 1e-300


def damaged(program, target, study, width, sample):
    """The target without what lies in the box of the study (src/study/source_damage.c has the seed)."""
    with tempfile.TemporaryDirectory() as folder:
        sfgp.write(folder + "/target.ply", target)
        subprocess.run([program, "simulate", "shape", folder + "/target.ply", "-o", folder + "/out", "--box-width", str(width), "--file-unit", "1",
                        "--seed", str(study["seed"] * 1000003 + sample)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return sfgp.read(folder + "/out/scan.ply").points


def compare(reference, target, truth, settings):
    """Of a fit with and without pruning: whether there are labels, what differs, and by how much."""
    radius = np.sqrt(np.mean(np.sum((reference - reference.mean(0)) ** 2, 1)))
    pruned, dense = (sfgp.register(reference, target, threads=1, **settings, **more) for more in ({}, {"prune": DENSE}))
    apart = np.linalg.norm(pruned.points - dense.points, axis=1) / radius
    errors = [np.linalg.norm(fit.points - truth, axis=1).mean() / radius for fit in (pruned, dense)]
    return {"labelled": dense.outcome != "no_overlap", "outcomes": pruned.outcome != dense.outcome,
            "iterations": pruned.report["iterations"] != dense.report["iterations"], "mean_error": abs(errors[0] - errors[1]),
            "rms": np.sqrt(np.mean(apart**2)), "point": apart.max()}


def rows(program, study, data, samples):
    commit = subprocess.run(["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True).stdout.strip()
    methods = [method for method in study["methods"] if method["name"] in METHODS]
    reference = data["reference"][:]
    for one in study["sets"]:
        for level in one["levels"]:
            group = data[one["group"].format(level=level)]
            for method in methods:
                settings = {**method["settings"], **one.get("settings", {}), "method": method["method"]}
                found = []
                for sample in range(samples):
                    target = group["target"][sample]
                    if "damage" in one:
                        target = damaged(program, target, study, level, sample)
                    found.append(compare(reference, target, group["truth"][sample], settings))
                worst = max(range(samples), key=lambda k: found[k]["rms"])
                yield [commit, one["name"], level, method["method"], samples, *(sum(f[c] for f in found) for c in COLUMNS[5:8]),
                       *(f"{max(f[c] for f in found):.1e}" for c in COLUMNS[8:11]), worst]


def main(program, folder, samples="12"):
    warnings.simplefilter("ignore")
    with open(os.path.join(os.path.dirname(__file__), "../data/studies/default-fish.json")) as file:
        study = json.load(file)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    with h5py.File(os.path.join(folder, "fish/fish.h5")) as data:
        for row in rows(program, study, data, int(samples)):
            out.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
