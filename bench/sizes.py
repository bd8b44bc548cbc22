"""Scans of subjects that are larger or smaller than the reference, and of the other side of the body: one row a fit (ADR 0132).

    python3 bench/sizes.py PROGRAM DATA [KIND...] >> bench/results/sizes.csv     # DATA: ../shared/data
    python3 bench/sizes.py summary < bench/results/sizes.csv

Two scans of each family of bench/more.py, with its damage, one turned by up to 25 degrees (even numbers) and one at random, and two femurs of bench/bones.py at either turn,
of which a tenth or 40 % are cut off. KIND is how many times as large the scan is made, about the middle of the reference; `mirror_` before it makes it the mirror image. Errors are in percent of the
diagonal of the scanned shape; a fit that is farther off than 4 % is lost. `size` is what the fit was given (setting resize). A fit that is flagged or has another size is made again with
`--resize 0`: `plain` are its outcome and errors. Others do not depend on that setting, and have the same there. PROGRAM `program,--effort,thorough` gives it flags. Everything has fixed seeds.
One thread, one fit at a time; 2 to 20 s a fit.
"""
import csv
import json
import sys
import tempfile

import numpy as np

import bones
import closed
import more
import scans
import skulls

KINDS = "0.42 0.5 0.6 0.75 1 1.33 1.6 2 2.4 mirror_0.75 mirror_1 mirror_1.33".split()
FAMILIES = list(zip(more.FAMILIES, (4, 6, 2, 8, 12)))
SHAPES = [(name, k + odd) for name, k in FAMILIES for odd in (0, 13)] + [("femur", bone) for bone in (1, 3, 4, 6)]
COLUMNS = ("commit program kind shape size outcome seen hidden lost region_seen region_hidden mask_recall mask_precision expected cpu_s "
           "plain plain_seen plain_hidden plain_lost").split()


def family(data, name, k):
    folder = f"{data}/families/{name}"
    reference = scans.read_points(f"{folder}/reference.ply")
    return (reference, more.read_faces(f"{folder}/reference.ply"), *more.case_of(folder, name, k))


def femur(data, bone):
    truth, triangles, random = bones.truth_of(data, bone)
    scan, hidden = bones.scan_of(truth, triangles, 0.1 if bone < 4 else 0.4, bone % 2, random)
    return (*bones.read_stl(f"{data}/femur/femur.stl"), scan, truth, hidden)


def changed(kind, points, middle):
    mirror, _, size = kind.rpartition("_")
    return middle + float(size) * (points - middle) * ([-1, 1, 1] if mirror else [1, 1, 1])


def run_program(program, flags, scan, hidden, truth, size, work):
    _, table, seconds = scans.fit(program, work, flags + ["--report", f"{work}/fit.json"], scan, work)
    with open(f"{work}/fit.json") as file:
        taken = json.load(file).get("size", 1)
    return [f"{taken:.3g}"] + closed.errors_in(work, size, hidden, truth, table) + [f"{seconds:.2f}"]


def fit(program, data, kind, name, k):
    command, *flags = program.split(",")
    reference, faces, scan, truth, hidden = femur(data, k) if name == "femur" else family(data, name, k)
    size, middle = np.linalg.norm(np.ptp(reference, 0)) * float(kind.split("_")[-1]), reference.mean(0)
    scan, truth = (changed(kind, some, middle) for some in (scan, truth))
    with tempfile.TemporaryDirectory() as work:
        bones.write_mesh(f"{work}/reference.ply", reference, faces)
        row = plain = run_program(command, flags, scan, hidden, truth, size, work)
        if row[0] != "1" or row[1] != "converged":
            plain = run_program(command, flags + ["--resize", "0"], scan, hidden, truth, size, work)
    return row + plain[1:5]


def run(program, data, kinds):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for kind in kinds or KINDS:
        for name, k in SHAPES:
            out.writerow([scans.commit_of(), skulls.name_of(program), kind, f"{name} {k}"] + fit(program, data, kind, name, k))
            sys.stdout.flush()


def summarise():
    print("commit program kind fits | resized: lost told seen hidden | plain: lost told seen hidden | region cpu_s")
    for key, rows in scans.groups_of("commit", "program", "kind").items():
        print(*key, len(rows), end=" ")
        for outcome, before in (("outcome", ""), ("plain", "plain_")):
            lost = [row for row in rows if row[f"{before}lost"] == "1"]
            print("|", len(lost), sum(row[outcome] != "converged" for row in lost),
                  *(f"{scans.mean_of(rows, before + name):.2f}" for name in ("seen", "hidden")), end=" ")
        print(f"| {scans.mean_of(rows, 'region_seen'):.2f}/{scans.mean_of(rows, 'region_hidden'):.2f} {scans.mean_of(rows, 'cpu_s'):.1f}")


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        summarise()
    else:
        run(*sys.argv[1:3], sys.argv[3:])
