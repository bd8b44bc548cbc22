"""The smallest eigenpairs of the sheet of bench/surface by scipy (eigsh, shift-invert, SuperLU), one thread:

    OPENBLAS_NUM_THREADS=1 python3 bench/surface_scipy.py SHEET.bin 100
"""
import resource
import sys
import time

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg


def read_sheet(path):
    with open(path, "rb") as file:
        count, faces = np.fromfile(file, np.int64, 2)
        points = np.fromfile(file, float, 3 * count).reshape(-1, 3)
        return points, np.fromfile(file, np.int64, 3 * faces).reshape(-1, 3)


def assemble(points, faces):
    edges = [points[faces[:, (k + 2) % 3]] - points[faces[:, (k + 1) % 3]] for k in range(3)]
    area = 0.5 * np.linalg.norm(np.cross(edges[0], edges[1]), axis=1)
    n = len(points)
    mass = np.bincount(faces.ravel(), np.repeat(area / 3, 3), n)
    rows, columns, values = [], [], []
    for i in range(3):
        for j in range(3):
            rows.append(faces[:, i])
            columns.append(faces[:, j])
            values.append((edges[i] * edges[j]).sum(axis=1) / (4 * area))
    stiffness = sparse.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (n, n))
    return stiffness, sparse.diags(mass).tocsc()


def main():
    points, faces = read_sheet(sys.argv[1])
    pairs = int(sys.argv[2])
    stiffness, mass = assemble(points, faces)
    start = time.process_time()
    values = linalg.eigsh(stiffness, pairs + 1, mass, sigma=-4, which="LM")[0]
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    for what, value, unit in (("eigenpairs", seconds, "CPU s"), ("peak", peak, "GiB"), ("lambda of the last", np.sort(values)[pairs], "1")):
        print(f"scipy,{len(points)},{pairs},{what},{value:.4g},{unit}")


main()
