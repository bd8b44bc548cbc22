#!/usr/bin/env python3
"""Two parallel sheets, near in space and strangers on the surface: reference, scans, truths and masks of data/studies/surface.json.

    sheets.py FOLDER [KIND [GAP [FIRST SAMPLES]]]        sampled 0.25 0 3

The upper sheet of a truth has a bump of one or two, the lower one stays flat. A scan of the kind `sampled` has points of both surfaces, one of the
kind `vertices` the vertices, with noise; of the lower sheet it shows a rim only. FIRST is the seed of the first sample. So what is known of its middle comes from the prior: through space it follows the bump."""
import math
import os
import random
import sys

SIDE, GAP, NOISE, RIM, POINTS = 17, 0.25, 0.004, 0.2, 700


def bumps_of(rng):
    return [(rng.uniform(0.35, 0.65), rng.uniform(0.35, 0.65), rng.uniform(0.15, 0.25), rng.uniform(0.14, 0.2))
            for _ in range(rng.choice((1, 2)))]


def height(bumps, x, y):
    return sum(h * math.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * w * w)) for a, b, h, w in bumps)


def place(bumps, sheet, x, y):
    return (x, y, GAP * sheet + (height(bumps, x, y) if sheet else 0))


def vertices(bumps):
    return [place(bumps, sheet, c / (SIDE - 1), r / (SIDE - 1)) for sheet in (0, 1) for r in range(SIDE) for c in range(SIDE)]


def faces():
    found = []
    for first in (0, SIDE * SIDE):
        for r in range(SIDE - 1):
            for c in range(SIDE - 1):
                at = first + r * SIDE + c
                found += [(at, at + 1, at + SIDE + 1), (at, at + SIDE + 1, at + SIDE)]
    return found


def in_rim(x, y):
    return min(x, y, 1 - x, 1 - y) < RIM


def scan_of(bumps, rng):
    points = []
    while len(points) < POINTS:
        sheet, x, y = rng.randrange(2), rng.random(), rng.random()
        if sheet or in_rim(x, y):
            points.append(tuple(v + rng.gauss(0, NOISE) for v in place(bumps, sheet, x, y)))
    return points


def shown_vertices(bumps, rng):
    shown = [p for k, p in enumerate(vertices(bumps)) if k >= SIDE * SIDE or in_rim(p[0], p[1])]
    rng.shuffle(shown)
    return [tuple(v + rng.gauss(0, NOISE) for v in p) for p in shown]


def write(path, points, triangles=()):
    with open(path, "w") as out:
        out.write(f"ply\nformat ascii 1.0\nelement vertex {len(points)}\n")
        out.write("".join(f"property float {axis}\n" for axis in "xyz"))
        if triangles:
            out.write(f"element face {len(triangles)}\nproperty list uchar int vertex_indices\n")
        out.write("end_header\n")
        out.write("".join("%.4f %.4f %.4f\n" % p for p in points))
        out.write("".join("3 %d %d %d\n" % tuple(t) for t in triangles))


def main(folder, kind="sampled", gap="0.25", first="0", samples="3"):
    global GAP
    GAP = float(gap)
    for name in ("scan", "truth"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    write(os.path.join(folder, "reference.ply"), vertices([]), faces())
    for sample in range(int(samples)):
        rng = random.Random(int(first) + sample)
        bumps = bumps_of(rng)
        truth = vertices(bumps)
        write(os.path.join(folder, "truth", f"{sample}.ply"), truth, faces())
        write(os.path.join(folder, "scan", f"{sample}.ply"), (scan_of if kind == "sampled" else shown_vertices)(bumps, rng))
        with open(os.path.join(folder, "truth", f"{sample}_missing.txt"), "w") as out:
            for i, (x, y, _) in enumerate(truth):
                out.write("%d\n" % (i < SIDE * SIDE and not in_rim(x, y)))


if __name__ == "__main__":
    main(*sys.argv[1:])
