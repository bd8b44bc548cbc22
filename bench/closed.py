"""Scans as the software of a scanner leaves them: what was not seen is closed by a surface, or the points are denser in one place than in others.

    python3 bench/closed.py PROGRAM DATA FOLDER [KIND...] >> bench/results/closed.csv     # DATA: ../shared/data
    python3 bench/closed.py summary < bench/results/closed.csv

KIND is one of these; without any, all are fitted:

    half, half_open   40 % are cut off by a plane in a random direction; the cut is closed, or left open
    end, end_open     22 % are cut off at one end of the longest axis
    half_round, end_round  the same cuts, closed by domes
    sparse            the density falls 30 times along the longest axis; a ball of 0.45 RMS radii is cut out
    spot              the density is 20 times as high around the ball (a Gaussian with a deviation of 0.8 RMS radii); twice as many points
    even              the density is the same everywhere, with the same ball cut out

The surface that closes a cut is like a soap film: the mesh has at least 15000 triangles, and each corner that is cut off goes to the mean of its neighbours. It is
sampled as densely as the rest. A dome is this film under pressure from inside: 0.35 times as high as the radius of a disc with the area of the film, at its highest place.
The shapes are two training shapes of each family, laid upon the reference by a rigid motion (no fit is trained here), and four meshes
of FOLDER, warped as in bench/warped.py; all are turned by 5 degrees. A scan has 1.5 random points for each of the reference before the cut, noise of 0.003 RMS radii and
1 % strays. All kinds of a shape have the same turn, plane and ball. Errors are in percent of the diagonal of the reference; a fit that is farther off than 4 % is lost.
PROGRAM `program,--effort,quick` gives it flags. Everything has fixed seeds. One thread, one fit at a time.
"""
import csv
import functools
import json
import os
import sys
import tempfile

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg

import more
import poses
import scans
import skulls
import views
import warped

SHAPES = [("face", 9), ("face", 27), ("hand", 2), ("hand", 35), ("foot", 12), ("foot", 22), ("ear", 15), ("ear", 33), ("head_part", 11), ("head_part", 25),
          ("beast", 0.3), ("suzanne", 0.12), ("homer", 0.3), ("spot", 0.12)]
TRIANGLES = 15000
CUTS = {"half": 0.4, "end": 0.22}
DOME = 0.35
KINDS = ["half", "half_open", "half_round", "end", "end_open", "end_round", "sparse", "spot", "even"]
COLUMNS = "commit program kind shape outcome seen hidden lost region_seen region_hidden mask_recall mask_precision expected cpu_s".split()


def family(folder, k):
    """The reference, the truth, a mesh in its place, and random numbers for its scan."""
    random = np.random.default_rng([*os.path.basename(folder).encode(), k])
    reference = scans.read_points(f"{folder}/reference.ply")
    truth = more.laid_upon(reference, scans.read_points(f"{folder}/train/{sorted(os.listdir(f'{folder}/train'))[k]}"))
    truth = warped.turn_of("place", random).apply(truth - reference.mean(0)) + reference.mean(0)
    return reference, truth, truth, more.read_faces(f"{folder}/reference.ply"), random


def edges_of(triangles):
    """Pairs of corners, and for each triangle the three that are its sides."""
    sides = np.sort(np.vstack([triangles[:, [k, (k + 1) % 3]] for k in range(3)]), 1)
    edges, which = np.unique(sides, axis=0, return_inverse=True)
    return edges, which.reshape(3, -1).T


def area_of(points, triangles):
    corner = points[triangles]
    return np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1).sum() / 2


def refined(points, triangles):
    """Each triangle into four, until there are many."""
    while len(triangles) < TRIANGLES:
        edges, sides = edges_of(triangles)
        (a, b, c), (ab, bc, ca) = triangles.T, sides.T + len(points)
        points, triangles = np.vstack([points, points[edges].mean(1)]), np.hstack([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]).T
    return points, triangles


def put_on_film(points, triangles, away):
    """Corners that are cut off go to the mean of their neighbours; a piece without neighbours that are left shrinks to a point."""
    i, j = edges_of(triangles)[0].T
    joined = scipy.sparse.coo_matrix((np.ones(len(i)), (i, j)), (len(points), len(points)))
    laplacian = scipy.sparse.csgraph.laplacian(joined + joined.T).tocsr()[away]
    inner = laplacian[:, away] + 1e-9 * scipy.sparse.identity(away.sum())
    moved = points.copy()
    moved[away] = scipy.sparse.linalg.splu(inner.tocsc()).solve(-(laplacian[:, ~away] @ points[~away]))
    return moved


def blow_up(film, triangles, away, direction):
    """Corners of the film move by the solution of Poisson's equation."""
    i, j = edges_of(triangles)[0].T
    joined = scipy.sparse.coo_matrix((np.ones(len(i)), (i, j)), (len(film), len(film)))
    laplacian = scipy.sparse.csgraph.laplacian(joined + joined.T).tocsr()[away][:, away] + 1e-9 * scipy.sparse.identity(away.sum())
    height = scipy.sparse.linalg.splu(laplacian.tocsc()).solve(np.ones(away.sum()))
    radius = np.sqrt(area_of(film, triangles[away[triangles].all(1)]) / np.pi)
    blown = film.copy()
    blown[away] += np.outer(height / height.max() * DOME * radius, direction)
    return blown


def sample(points, triangles, count, random):
    return poses.points_at(points, *poses.random_places(points, triangles, count, random))


def cut(kind, direction, truth, points, triangles, random):
    """The scan, closed or not, and which points of the truth are cut off."""
    level = np.quantile(truth @ direction, 1 - CUTS[kind.split("_")[0]])
    count, hidden = 1.5 * len(truth), truth @ direction > level
    if kind.endswith("_open"):
        scan = sample(points, triangles, int(count), random)
        return scan[scan @ direction <= level], hidden
    points, triangles = refined(points, triangles)
    away = points @ direction > level
    film = put_on_film(points, triangles, away)
    film = blow_up(film, triangles, away, direction) if kind.endswith("_round") else film
    return sample(film, triangles, int(count * area_of(film, triangles) / area_of(points, triangles)), random), hidden


def uneven(kind, axis, ball, truth, points, triangles, random):
    """The scan with a hole, and which points of the truth are in that."""
    along, radius = points @ axis, np.sqrt(truth.var(0).sum())
    density = {"sparse": lambda some: 30 ** ((along.max() - some @ axis) / np.ptp(along)),
               "spot": lambda some: 1 + 19 * np.exp(-((some - ball) ** 2).sum(1) / (2 * (0.8 * radius) ** 2)),
               "even": lambda some: np.ones(len(some))}[kind]
    count = int((3 if kind == "spot" else 1.5) * len(truth))
    scan = sample(points, triangles, 100 * count, random)
    share = density(scan)
    scan = scan[random.choice(len(scan), count, replace=False, p=share / share.sum())]
    away, hidden = (np.linalg.norm(some - ball, axis=1) <= 0.45 * radius for some in (scan, truth))
    return scan[~away], hidden


def scan_of(kind, truth, points, triangles, random):
    """The scan, and which points of the truth it does not show."""
    ball, side = truth[random.integers(len(truth))], views.unit(random)
    longest = np.linalg.svd(truth - truth.mean(0), full_matrices=False)[2][0]
    longest *= np.sign(longest[np.abs(longest).argmax()])
    if kind.startswith(tuple(CUTS)):
        scan, hidden = cut(kind, side if kind.startswith("half") else longest, truth, points, triangles, random)
    else:
        scan, hidden = uneven(kind, longest, ball, truth, points, triangles, random)
    scan = scan + random.normal(0, 0.003 * np.sqrt(truth.var(0).sum()), scan.shape)
    return np.vstack([scan, random.uniform(scan.min(0), scan.max(0), (len(scan) // 100, 3))]), hidden


def fit(program, data, folder, kind, name, k):
    path = f"{data}/families/{name}" if name in more.FAMILIES else None
    reference, truth, *mesh = family(path, k) if path else warped.shape_of(f"{folder}/{name}.obj", k, "place")[1:]
    scan, hidden = scan_of(kind, truth, *mesh)
    size, (command, *flags) = np.linalg.norm(np.ptp(reference, 0)), program.split(",")
    with tempfile.TemporaryDirectory() as work:
        if not path:
            scans.write_points(f"{work}/reference.ply", reference)
        _, table, seconds = scans.fit(command, path or work, flags + ["--report", f"{work}/fit.json"], scan, work)
        return errors_in(work, size, hidden, truth, table) + [f"{seconds:.2f}"]


def run(program, data, folder, kinds):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for kind in kinds or KINDS:
        for name, k in SHAPES:
            out.writerow([scans.commit_of(), skulls.name_of(program), kind, f"{name} {k}"] + fit(program, data, folder, kind, name, k))
            sys.stdout.flush()


def errors_in(work, size, hidden, truth, table):
    """The columns from seen to expected, errors in percent of the size."""
    with open(f"{work}/fit.json") as file:
        report = json.load(file)
    seen, missed, *rates = scans.rate(hidden, size, truth, table)
    errors = [100 * error / size for error in (seen, missed, report["expected_error"])]
    return [report["status"]] + [f"{x:.4g}" for x in errors[:2] + rates + errors[2:]]


def summarise(*keys):
    """Means over the rows that share commit, program and keys. `warned`, where there is such a column, is counted."""
    print("commit program", *keys, "fits seen hidden lost told good_told region mask expected cpu_s")
    for key, rows in scans.groups_of("commit", "program", *keys).items():
        mean = functools.partial(scans.mean_of, rows)
        told = [[row["outcome"] != "converged" for row in rows if row["lost"] == lost] for lost in "10"]
        warned = [f"({sum(row['warned'] == '1' for row in rows)} warned)"] if "warned" in rows[0] else []
        print(*key, len(rows), *warned, f"{mean('seen'):.2f} {mean('hidden'):.2f}", len(told[0]), sum(told[0]), sum(told[1]),
              f"{mean('region_seen'):.2f}/{mean('region_hidden'):.2f} {mean('mask_recall'):.2f}/{mean('mask_precision'):.2f}",
              f"{mean('expected'):.2f} {mean('cpu_s'):.2f}")


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        summarise("kind")
    else:
        run(*sys.argv[1:4], sys.argv[4:])
