"""Long bones that are cut off: a femur is fitted to a scan of another one, of which a part of the length is not there (ADR 0118, 0123).

    python3 bench/bones.py PROGRAM DATA >> bench/results/bones.csv     # DATA: ../shared/data
    python3 bench/bones.py summary < bench/results/bones.csv

The reference is femur.stl of DATA. The truths are warps of it, and of femur_target.stl, which has the same vertices: an affine map whose singular values lie between
0.88 and 1.14, and twelve Gaussian bumps as in bench/warped.py (half a RMS radius wide, of 0.03 RMS radii). 30, 40, 50 or 60 % of the length are cut off at either end,
by a plane. The rest is sampled at random on the surface, one point for each of the reference before the cut, noise of 0.005 RMS radii, 1 % strays. Half of the scans are turned
at random, the others by 5 degrees. Errors are in percent of the diagonal of the reference; a fit that is farther off than 4 % is lost. PROGRAM `program,--effort,quick`
gives it flags. Everything has fixed seeds. One thread, one fit at a time; a second a fit.
"""
import csv
import sys
import tempfile

import numpy as np

import closed
import scans
import skulls
import warped

CUTS = (0.3, 0.4, 0.5, 0.6)
SCANS = 32
COLUMNS = "commit program bone cut outcome seen hidden lost region_seen region_hidden mask_recall mask_precision expected cpu_s".split()


def read_stl(path):
    """Vertices in the order in which they come, and triangles."""
    with open(path, "rb") as file:
        file.seek(80)
        count = int.from_bytes(file.read(4), "little")
        rows = np.frombuffer(file.read(50 * count), np.dtype([("normal", "<3f4"), ("corners", "<9f4"), ("colour", "<u2")]))
    corners = rows["corners"].reshape(-1, 3)
    points, first, index = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return points[order].astype(float), np.argsort(order)[index.reshape(-1, 3)]


def write_mesh(path, points, triangles):
    with open(path, "w") as file:
        file.write(f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty double x\nproperty double y\nproperty double z\n"
                   f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n")
        np.savetxt(file, points, "%.17g")
        np.savetxt(file, triangles, "3 %d %d %d")


def stretched(points, random):
    """By an affine map near to the identity, about the origin."""
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return points @ (axes * np.exp(random.uniform(-0.13, 0.13, 3))) @ axes.T


def truth_of(data, bone):
    """The truth, its triangles, and random numbers for its scan."""
    random = np.random.default_rng([118, bone])
    points, triangles = read_stl(f"{data}/femur/{'femur_target' if bone % 2 else 'femur'}.stl")
    middle, radius = points.mean(0), np.sqrt(points.var(0).sum())
    bend = warped.warped(points, middle, radius / 2, 0.06, random)
    truth = stretched(bend(points, np.eye(3)) - middle, random)
    return warped.turn_of("turned" if bone // 2 % 2 else "place", random).apply(truth) + middle, triangles, random


def scan_of(truth, triangles, cut, end, random):
    """The scan, and which points of the truth it does not show."""
    longest = np.linalg.svd(truth - truth.mean(0), full_matrices=False)[2][0]
    along, radius = (longest if end else -longest), np.sqrt(truth.var(0).sum())
    level = (truth @ along).max() - cut * np.ptp(truth @ along)
    scan = closed.sample(truth, triangles, len(truth), random)
    scan = scan[scan @ along <= level]
    scan = scan + random.normal(0, 0.005 * radius, scan.shape)
    return np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (len(scan) // 100, 3))]), truth @ along > level


def fit(program, data, bone):
    truth, triangles, random = truth_of(data, bone)
    scan, hidden = scan_of(truth, triangles, CUTS[bone // 4 % 4], bone // 16 % 2, random)
    reference, faces = read_stl(f"{data}/femur/femur.stl")
    size, (command, *flags) = np.linalg.norm(np.ptp(reference, 0)), program.split(",")
    with tempfile.TemporaryDirectory() as work:
        write_mesh(f"{work}/reference.ply", reference, faces)
        _, table, seconds = scans.fit(command, work, flags + ["--report", f"{work}/fit.json"], scan, work)
        return closed.errors_in(work, size, hidden, truth, table) + [f"{seconds:.2f}"]


def run(program, data):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for bone in range(SCANS):
        out.writerow([scans.commit_of(), skulls.name_of(program), bone, CUTS[bone // 4 % 4]] + fit(program, data, bone))
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        closed.summarise("cut")
    else:
        run(*sys.argv[1:3])
