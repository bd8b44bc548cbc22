"""A picture of fits of common shapes: the scans above, the fits below, their predicted points in another colour.

    python3 bench/gallery.py PROGRAM FOLDER holes docs/gallery.png
    python3 bench/gallery.py PROGRAM FOLDER table docs/table.png

FOLDER is that of bench/warped.py. The warp moves the points by 0.3 RMS radii, and the scan is turned by 5 degrees. holes: three of 0.45 RMS radii, noise of 0.003, 5 %
strays; seeds were chosen so that the holes can be seen. table: what a camera sees of the shape and of a table, at 6000 pixels (bench/views.py). The pictures are those of
the page that --html writes. Under each fit stands its mean error in percent of the diagonal.
"""
import base64
import io
import re
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np
from scipy.spatial.transform import Rotation

import poses
import views
import warped

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HOLE = 0.45
TABLE = 1.7  # RMS radii: half of its side
UP = np.array([0, 1, 0])
CAMERA = np.array([-0.45, 0.5, 0.74])


def holes(points, triangles, random):
    return poses.damage(random, poses.points_at(points, *poses.places_on(points, triangles, random)), points, HOLE)[0]


def table(points, triangles, random):
    radius = np.sqrt(points.var(0).sum())
    scan, _, camera = views.seen_from(CAMERA / np.linalg.norm(CAMERA), 6000, *views.put_on_table(points, triangles, TABLE * radius, UP), random)
    scan[:, 2] += random.normal(0, 0.003 * radius, len(scan))
    return scan @ camera.T


# of each the shapes, and the seed of each
SCENES = {
    "holes": (holes, {"spot": 8, "stanford-bunny": 4, "rocker-arm": 2, "cow": 5}),
    "table": (table, {"homer": 1, "stanford-bunny": 4, "cow": 4, "cheburashka": 5}),
}


def write_obj(path, points, triangles):
    with open(path, "w") as file:
        file.writelines("v %.9g %.9g %.9g\n" % tuple(point) for point in points)
        file.writelines("f %d %d %d\n" % tuple(corner) for corner in np.array(triangles) + 1)


def pictures(page):
    """Scan and fit, cut to what they show."""
    found = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", page)[:2]
    images = [plt.imread(io.BytesIO(base64.b64decode(text))) for text in found]
    used = np.any([image[:, :, 3] > 0 for image in images], axis=0)
    rows, columns = (np.flatnonzero(used.any(axis)) for axis in (1, 0))
    return [image[rows[0]: rows[-1] + 1, columns[0]: columns[-1] + 1] for image in images]


def fit(program, folder, damage, name, seed, work):
    points, triangles = poses.read_obj(f"{folder}/{name}.obj")
    points = points[np.unique(triangles)]
    triangles = np.searchsorted(np.unique(triangles), triangles)
    random = np.random.default_rng([seed, *name.encode()])
    middle, radius = points.mean(0), np.sqrt(points.var(0).sum())
    move = warped.warped(points, middle, radius, 0.3, random)
    rotation = Rotation.from_rotvec([0, 0, np.radians(5)]).as_matrix()
    truth = move(points, rotation)
    scan = damage(truth, triangles, random)
    write_obj(f"{work}/reference.obj", points, triangles)
    np.savetxt(f"{work}/scan.xyz", scan, "%.9g")
    subprocess.run([program, "register", f"{work}/reference.obj", f"{work}/scan.xyz", "-o", f"{work}/fit.npy", "--html", f"{work}/fit.html",
                    "--quiet"], check=True)
    error = np.linalg.norm(np.load(f"{work}/fit.npy") - truth, axis=1).mean() / np.linalg.norm(np.ptp(points, 0))
    with open(f"{work}/fit.html", encoding="utf-8") as file:
        return *pictures(file.read()), 100 * error


def draw(program, folder, scene, out):
    damage, shapes = SCENES[scene]
    figure, axes = plt.subplots(2, len(shapes), figsize=(13, 6))
    figure.subplots_adjust(0.01, 0.1, 0.99, 0.99, 0.08, 0.04)
    for column, (name, seed) in zip(axes.T, shapes.items()):
        with tempfile.TemporaryDirectory() as work:
            scan, fitted, error = fit(program, folder, damage, name, seed, work)
        for axis, image in zip(column, (scan, fitted)):
            axis.imshow(image, interpolation="lanczos")
            axis.axis("off")
        column[1].set_anchor("S")
        where = column[1].get_position(original=True)
        figure.text((where.x0 + where.x1) / 2, 0.02, f"{error:.2f} %", ha="center", fontsize=16, color="#6b7280")
        print(name, f"{error:.3f}")
    figure.savefig(out, dpi=110)


if __name__ == "__main__":
    draw(*sys.argv[1:5])
