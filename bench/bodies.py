"""Parts of bodies that nothing was tuned on: torso, leg, arm and a body without a head are fitted to damaged scans of other bodies (ADR 0138).

    python3 bench/bodies.py PROGRAM FOLDER KIND >> bench/results/bodies.csv     # KIND: place, turned or cut
    python3 bench/bodies.py summary < bench/results/bodies.csv

FOLDER is a clone of https://github.com/makehumancommunity/makehuman (data CC0). A body is its base mesh with morphs of sex, age, origin, muscle, weight and
height, and with eight of its local morphs of torso, belly, hip, buttocks, arms and legs, all at random. The reference is the mean of a young man and a young
woman. 2500 evenly spread points of each part; scans have other points of the surface, turned by 5 degrees or (`turned`) at random, and are damaged as in
bench/poses.py: three holes, noise, 5 % strays. `cut` cuts 40 % off by a plane as well. Errors are in percent of the diagonal of the reference. PROGRAM is as of
bench/skulls.py. Everything has fixed seeds. One thread, two fits at a time.
"""
import csv
import glob
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import poses
import scans
import skulls
import warped

PARTS = "torso leg arm body".split()
SUBJECTS = range(12)
LOCAL = "torso stomach hip buttocks armslegs".split()
COLUMNS = "commit program kind part subject scan_points outcome seen hidden before expected cpu_s".split()


def base_mesh(folder):
    """All points, the triangles of the skin, and the middles of the joints."""
    points, triangles, joints, group = [], [], {}, ""
    with open(f"{folder}/makehuman/data/3dobjs/base.obj") as file:
        for line in file:
            kind, *values = line.split() or [""]
            if kind == "v":
                points.append([float(value) for value in values])
            elif kind == "g":
                group = values[0]
            elif kind == "f":
                corner = [int(value.split("/")[0]) - 1 for value in values]
                if group == "body":
                    triangles += [[corner[0], corner[k], corner[k + 1]] for k in range(1, len(corner) - 1)]
                elif group.startswith("joint-"):
                    joints.setdefault(group[6:], set()).update(corner)
    points = np.array(points)
    return points, np.array(triangles), {name: points[sorted(some)].mean(0) for name, some in joints.items()}


def morph(folder, name, count):
    """Displacements of all points."""
    moves = np.zeros((count, 3))
    with open(f"{folder}/makehuman/data/targets/{name}.target") as file:
        rows = np.array([line.split() for line in file if line.strip() and not line.startswith("#")], float)
    if len(rows):
        moves[rows[:, 0].astype(int)] = rows[:, 1:]
    return moves


def body(folder, points, random):
    """The points of a body at random; without random numbers those of the reference."""
    sex, age = ([0.5, 0.5], [1, 0]) if random is None else (random.dirichlet([0.5, 0.5]), random.dirichlet([0.5, 0.5]))
    origin = [1 / 3] * 3 if random is None else random.dirichlet([0.5] * 3)
    muscle, weight, height = ("average", "average", None) if random is None else (random.choice(["min", "average", "max"]) for _ in range(3))
    shape = points.copy()
    for (a, s), (b, y) in itertools.product(zip(("female", "male"), sex), zip(("young", "old"), age)):
        for c, o in zip("african asian caucasian".split(), origin):
            shape += s * y * o * morph(folder, f"macrodetails/{c}-{a}-{b}", len(points))
        build = f"universal-{a}-{b}-{muscle}muscle-{weight}weight"
        shape += s * y * morph(folder, f"macrodetails/{build}", len(points))
        if random is not None and height != "average":
            shape += 0.6 * s * y * morph(folder, f"macrodetails/height/{a}-{b}-{muscle}muscle-{weight}weight-{height}height", len(points))
    if random is not None:
        names = sorted(name for some in LOCAL for name in glob.glob(f"{folder}/makehuman/data/targets/{some}/*.target"))
        for name in random.choice(names, 8, replace=False):
            shape += random.uniform(0.2, 0.8) * morph(folder, "/".join(name.split("/")[-2:])[:-7], len(points))
    return shape


def part_of(name, points, triangles, joints):
    """The triangles of a part, by the joints of the base mesh."""
    x, y = points[:, 0] * np.sign(joints["l-shoulder"][0]), points[:, 1]
    shoulder, hip, neck = joints["l-shoulder"][0] * np.sign(joints["l-shoulder"][0]) + 0.1, joints["l-upper-leg"][1], joints["neck"][1]
    arms = (abs(x) > shoulder) & (y > hip - 1.5) & ((y > hip + 1) | (abs(x) > 2.8))
    inside = {"torso": (y > hip - 0.5) & (y < neck) & ~arms, "leg": (y < hip - 1) & (x > 0) & ~arms, "arm": arms & (x > 0), "body": y < neck}[name]
    return triangles[inside[triangles].all(1)]


def damage(random, kind, scan, truth):
    scan, hidden = poses.damage(random, scan, truth)
    if kind == "cut":
        side = random.normal(size=3)
        least = np.quantile(truth @ side, 0.4)
        scan, hidden = scan[scan @ side >= least], hidden | (truth @ side < least)
    return scan, hidden


class Part:
    """The reference of a part, and its places on the triangles."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.base, triangles, joints = base_mesh(folder)
        self.triangles = part_of(name, self.base, triangles, joints)
        mean = body(folder, self.base, None)
        self.places = poses.places_on(mean, self.triangles, np.random.default_rng(1))
        self.reference = poses.points_at(mean, *self.places)

    def fit(self, program, kind, subject):
        random = np.random.default_rng([subject, *self.name.encode()])
        shape = body(self.folder, self.base, random)
        truth = poses.points_at(shape, *self.places)
        middle, turn = truth.mean(0), warped.turn_of(kind, random).as_matrix()
        truth, shape = (truth - middle) @ turn.T + middle, (shape - middle) @ turn.T + middle
        scan, hidden = damage(random, kind, poses.points_at(shape, *poses.places_on(shape, self.triangles, random)), truth)
        return [self.name, subject] + poses.judged(program, self.reference, scan, truth, hidden)


def run(program, folder, kind):
    out = csv.writer(sys.stdout, lineterminator="\n")
    parts = [Part(folder, name) for name in PARTS]
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda case: case[0].fit(program, kind, case[1]), itertools.product(parts, SUBJECTS)):
            out.writerow([scans.commit_of(), skulls.name_of(program), kind] + row)
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        poses.summarise("kind", "part")
    else:
        run(*sys.argv[1:4])
