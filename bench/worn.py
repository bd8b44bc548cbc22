"""Scans of worn shapes, of shapes whose surface was taken too far out or in, and references that are worn: one row a fit.

    python3 bench/worn.py PROGRAM DATA >> bench/results/worn.csv     # DATA: ../shared/data
    python3 bench/worn.py summary < bench/results/worn.csv

The shapes, their place and the hole are as in bench/walls.py. KIND is `one` (the shape as it is), `worn_X` (mean curvature flow has moved the points by X % of the
diagonal in the mean, along their normals), `out_X` or `in_X` (its points have moved by X % of the diagonal along their normals). The truth has moved with the surface. With `template_X` the
reference is worn by X %, and the shape is as it is. Errors are in percent of
the diagonal; a fit that is farther off than 4 % is lost. PROGRAM `program,--detail,0` gives it flags. Everything has fixed seeds. One thread, one fit at a time.
"""
import sys
import tempfile

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import bones
import closed
import more
import scans
import walls

KINDS = ["one", "worn_0.5", "worn_1", "out_1", "in_1", "template_0.5"]


def laplacian(points, triangles):
    """Stiffness and lumped mass of linear elements."""
    (a, b, c), count = (points[triangles[:, k]] for k in range(3)), len(points)
    twice = np.maximum(np.linalg.norm(np.cross(b - a, c - a), axis=1), 1e-12)
    i, j = triangles.T[[1, 2, 0]].ravel(), triangles.T[[2, 0, 1]].ravel()
    weights = np.hstack([(u * v).sum(1) / (2 * twice) for u, v in ((b - a, c - a), (c - b, a - b), (a - c, b - c))])
    joined = scipy.sparse.coo_matrix((weights, (i, j)), (count, count))
    joined = (joined + joined.T).tocsc()
    mass = np.bincount(triangles.ravel(), np.repeat(twice / 6, 3), count)
    return scipy.sparse.diags(joined.sum(1).A1) - joined, scipy.sparse.diags(mass)


def step(points, triangles, length):
    """Heat flow of the coordinates, of which each corner goes the part along its normal: what wears off does not move along the surface."""
    stiffness, mass = laplacian(points, triangles)
    flow = scipy.sparse.linalg.spsolve((mass + length**2 * stiffness).tocsc(), mass @ points) - points
    normals = walls.normals_of(points, triangles)
    return points + normals * (normals * flow).sum(1, keepdims=True)


def worn(points, triangles, motion):
    """Steps until the corners have moved so far in the mean; the last one is shorter."""
    length, now = 0.03 * np.sqrt(points.var(0).sum()), points
    while True:
        after = step(now, triangles, length)
        moved = [np.linalg.norm(some - points, axis=1).mean() for some in (now, after)]
        if moved[1] >= motion:
            return now + (motion - moved[0]) / (moved[1] - moved[0]) * (after - now)
        now = after


def changed(kind, points, triangles, size):
    name, _, percent = kind.partition("_")
    motion = float(percent or 0) / 100 * size
    if name == "worn":
        return worn(points, triangles, motion)
    return points + {"one": 0, "template": 0, "out": motion, "in": -motion}[name] * walls.normals_of(points, triangles)


def fit(program, data, kind, name, k):
    path = f"{data}/families/{name}"
    reference, truth, _, triangles, random = closed.family(path, k)
    size, (command, *flags) = scans.size_of(path), program.split(",")
    truth = changed(kind, truth, triangles, size)
    scan, hidden = walls.scan_of("one", truth, truth, triangles, size, random)
    with tempfile.TemporaryDirectory() as work:
        if kind.startswith("template_"):
            bones.write_mesh(f"{work}/reference.ply", worn(reference, triangles, float(kind.split("_")[1]) / 100 * size), triangles)
            path = work
        _, table, seconds = scans.fit(command, path, flags + ["--report", f"{work}/fit.json"], scan, work)
        return closed.errors_in(work, size, hidden, truth, table) + [f"{seconds:.2f}"]


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        closed.summarise("kind")
    else:
        walls.run(*sys.argv[1:3], KINDS, fit)
