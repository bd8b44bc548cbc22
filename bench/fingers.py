#!/usr/bin/env python3
"""Hands with closed fingers, of which one bends and the finger beside it is not seen: references, scans, truths and masks.

    fingers.py HANDS FOLDER [KIND [LOW HIGH]]        sampled 8 18; HANDS: ../shared/data/families/hand

The reference of a sample is a hand of the family (its truths) whose fingers are turned towards the middle one until they are GAP mm apart.
In the truth one finger is bent at its root by LOW to HIGH degrees, and all else stays. The scan, of the kind `vertices` the vertices of the truth and
of the kind `sampled` points of its surface, has noise and shows nothing of a finger beside the bent one. So what is known of that finger comes from the
prior: through space it follows its neighbour. Needs numpy."""
import heapq
import os
import sys

import numpy as np

from scans import read_points
from sheets import write

GAP, NOISE, BLEND, SAMPLES = 3.0, 0.3, 20.0, 12
PAIRS = ((0, 1), (1, 0), (2, 1), (3, 2))  # bent, not seen; 0: index, 1: middle, 2: ring, 3: little


def read_faces(path):
    with open(path, "rb") as file:
        header, _, body = file.read().partition(b"end_header\n")
    count = [int(line.split()[2]) for line in header.decode("latin1").splitlines() if line.startswith("element")]
    return np.frombuffer(body[24 * count[0]:], np.dtype([("size", "u1"), ("at", "<i4", 3)]))["at"][:count[1]]


def edges_of(faces):
    return np.unique(np.sort(np.concatenate([faces[:, k] for k in ([0, 1], [1, 2], [2, 0])]), 1), axis=0, return_counts=True)


def distances(points, edges, sources):
    """Along the edges, from the nearest source."""
    near = [[] for _ in points]
    for (a, b), length in zip(edges, np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)):
        near[a].append((b, length))
        near[b].append((a, length))
    found = np.full(len(points), np.inf)
    found[sources] = 0
    heap = [(0.0, int(s)) for s in sources]
    while heap:
        so_far, i = heapq.heappop(heap)
        for j, length in near[i] if so_far == found[i] else ():
            if so_far + length < found[j]:
                found[j] = so_far + length
                heapq.heappush(heap, (found[j], j))
    return found


def fingers_of(points, faces):
    """The four tips after the thumb's in the order of the hand, and how long each finger is from the web beside it."""
    edges, count = edges_of(faces)
    height = distances(points, edges, np.unique(edges[count == 1]))
    near = [[] for _ in points]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    parent, found = {}, {}

    def root(i):
        while parent[i] != i:
            i = parent[i]
        return i

    for i in np.argsort(-height):  # parts above a height grow together at a web
        parent[i] = i
        for j in near[i]:
            if j in parent and root(i) != root(j):
                low, high = sorted((root(i), root(j)), key=lambda k: height[k])
                if height[low] - height[i] > 10:
                    found[low] = height[i]
                    found[high] = max(height[i], found.get(high, 0))
                parent[low] = high
    tips = sorted(found, key=lambda k: height[k])
    thumb = min(tips, key=lambda k: found[k])
    tips = [k for k in tips if k != thumb]
    tips.sort(key=lambda k: np.linalg.norm(points[k] - points[thumb]))
    return [(k, height[k] - found[k]) for k in tips], edges


class Finger:
    def __init__(self, points, edges, tip, length):
        away = distances(points, edges, [tip])
        share = np.clip((length - away) / BLEND, 0, 1)
        self.weight = share * share * (3 - 2 * share)
        self.root = points[np.abs(away - length + BLEND / 2) < 5].mean(0)
        self.axis = points[tip] - self.root
        self.axis /= np.linalg.norm(self.axis)

    def turned(self, points, axis, angle):
        axis = axis / np.linalg.norm(axis)
        at = points - self.root
        moved = at * np.cos(angle) + np.cross(axis, at) * np.sin(angle) + np.outer(at @ axis, axis) * (1 - np.cos(angle))
        return points + self.weight[:, None] * (moved - at)


def least_distance(points, a, b):
    one, other = points[a.weight > 0.9], points[b.weight > 0.9]
    return np.linalg.norm(one[:, None] - other[None], axis=2).min()


def close(points, fingers):
    """Index and ring towards the middle finger, then the little one towards the ring finger."""
    for k, beside in ((0, 1), (2, 1), (3, 2)):
        finger, to = fingers[k], fingers[beside]
        axis = np.cross(finger.axis, to.root + 60 * to.axis - finger.root)
        low, high = 0.0, 1.2
        for _ in range(30):
            angle = (low + high) / 2
            if least_distance(finger.turned(points, axis, angle), finger, to) > GAP:
                low = angle
            else:
                high = angle
        points = finger.turned(points, axis, low)
        finger.axis = np.cross(axis, finger.axis) / np.linalg.norm(axis) * np.sin(low) + finger.axis * np.cos(low)
    return points


def bend(points, fingers, which, degrees):
    finger = fingers[which]
    across = fingers[3].root - fingers[0].root
    return finger.turned(points, across - (across @ finger.axis) * finger.axis, np.radians(degrees))


def on_surface(points, faces, rng):
    corner = points[faces]
    area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    at = rng.choice(len(faces), len(points), p=area / area.sum())
    share = np.sort(rng.random((len(points), 2)), 1)
    weights = np.stack([share[:, 0], share[:, 1] - share[:, 0], 1 - share[:, 1]], 1)
    return (weights[:, :, None] * corner[at]).sum(1), faces[at, np.argmax(weights, 1)]


def make(hands, sample, kind, low, high):
    rng = np.random.default_rng(sample)
    faces = read_faces(f"{hands}/reference.ply")
    points = read_points(f"{hands}/truth/{sample % 12:03}.ply")
    tips, edges = fingers_of(points, faces)
    fingers = [Finger(points, edges, *tip) for tip in tips]
    bent, hidden = PAIRS[sample % 4]
    reference = close(points, fingers)
    truth = bend(reference, fingers, bent, rng.uniform(low, high))
    scan, row = (truth, np.arange(len(truth))) if kind == "vertices" else on_surface(truth, faces, rng)
    missing = fingers[hidden].weight > 0.5
    scan = scan[~missing[row]]
    return reference, faces, truth, missing, rng.permutation(scan + NOISE * rng.standard_normal(scan.shape))


def main(hands, folder, kind="sampled", low="8", high="18"):
    for name in ("reference", "scan", "truth"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for sample in range(SAMPLES):
        reference, faces, truth, missing, scan = make(hands, sample, kind, float(low), float(high))
        for name, points in (("reference", reference), ("truth", truth), ("scan", scan)):
            write(os.path.join(folder, name, f"{sample}.ply"), [tuple(p) for p in points], () if name == "scan" else faces.tolist())
        np.savetxt(os.path.join(folder, "truth", f"{sample}_missing.txt"), missing, "%d")


if __name__ == "__main__":
    main(*sys.argv[1:])
