#!/bin/sh
# Model files against the tools of others: h5dump shows exactly the documented layout of a model of ours, h5py reads the
# same numbers from it as we do, and models that h5py makes in every tolerated variant are read. Broken ones are refused.
# Usage: h5py.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 program=$2/sfgp scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
command -v h5dump >/dev/null || { echo "skipped: no h5dump (hdf5-tools)"; exit 77; }
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: no h5py (python3-h5py)"; exit 77; }

# ---- the layout ----------------------------------------------------------------------------------------------------
cd "$scratch"
"$program" model build "$source/data/demo/reference.ply" --kernel se:length=1,variance=0.1 --accuracy 1e-3 -o model.h5 --quiet
h5dump -n 1 model.h5 | sed -n 's/^ \(group\|dataset\|attribute\) *\(.*\)$/\1 \2/p' | grep -v ' /sfgp' >found
cat >expected <<'LAYOUT'
group /
group /model
dataset /model/mean
dataset /model/noiseVariance
dataset /model/pcaBasis
dataset /model/pcaVariance
group /modelinfo
dataset /modelinfo/build-time
group /modelinfo/modelBuilder-0
dataset /modelinfo/modelBuilder-0/buildTime
dataset /modelinfo/modelBuilder-0/builderName
group /modelinfo/modelBuilder-0/dataInfo
group /modelinfo/modelBuilder-0/parameters
dataset /modelinfo/modelBuilder-0/parameters/kernel
dataset /modelinfo/modelBuilder-0/parameters/prior
dataset /modelinfo/modelBuilder-0/parameters/residual
group /representer
attribute /representer/datasetType
attribute /representer/name
attribute /representer/version
attribute /representer/version/majorVersion
attribute /representer/version/minorVersion
dataset /representer/cells
dataset /representer/points
group /version
dataset /version/majorVersion
dataset /version/minorVersion
LAYOUT
diff expected found

# ---- types, ranks and numbers, and files made by h5py --------------------------------------------------------------
"$program" model mean model.h5 -o mean.npy
"$program" model component model.h5 -o component.npy --index 2 --deviations 1.5
cat >check.py <<'PYTHON'
import subprocess
import sys

import h5py
import numpy as np

program = sys.argv[1]


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def run(*arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def ours():
    with h5py.File("model.h5") as f:
        points, cells = f["representer/points"], f["representer/cells"]
        mean, basis, variance = f["model/mean"], f["model/pcaBasis"], f["model/pcaVariance"]
        n, k = points.shape[1], variance.shape[0]
        assert points.shape == (3, n) and mean.shape == (3 * n,) and basis.shape == (3 * n, k)
        assert cells.shape[0] == 3 and cells.dtype == np.int32 and cells[:].min() == 0 and cells[:].max() == n - 1
        for data in points, mean, basis, variance, f["model/noiseVariance"]:
            assert data.dtype == np.float32, data
        assert f["model/noiseVariance"].shape == () and f["model/noiseVariance"][()] == 0
        for name, value in ("majorVersion", 0), ("minorVersion", 9):
            assert f["version/" + name].shape == () and f["version/" + name].dtype == np.int32
            assert f["version/" + name][()] == value
        attributes = f["representer"].attrs
        assert text(attributes["name"]) == "itkStandardMeshRepresenter"
        assert text(attributes["datasetType"]) == "POLYGON_MESH"
        assert text(attributes["version"]) == "0.9"
        assert text(attributes["version/majorVersion"]) == "0" and text(attributes["version/minorVersion"]) == "9"
        assert text(f["modelinfo/modelBuilder-0/builderName"][()]).startswith("sfgp ")
        assert np.array_equal(np.load("mean.npy").ravel().astype(np.float32), mean[:])
        moved = mean[:].astype(float) + 1.5 * np.sqrt(float(variance[2])) * basis[:, 2].astype(float)
        extent = np.abs(mean[:]).max()
        assert np.abs(np.load("component.npy").ravel() - moved).max() < 4 * 2**-24 * extent
        gram = basis[:].astype(float).T @ basis[:].astype(float)
        assert np.abs(gram - np.eye(k)).max() < 1e-4
        assert (np.diff(variance[:]) <= 0).all() and variance[-1] > 0


rng = np.random.default_rng(1)
N, K = 20, 4
POINTS = rng.normal(size=(N, 3)) * 10
MEAN = POINTS + rng.normal(size=(N, 3))
CELLS = np.array([[i, i + 1, i + 2] for i in range(N - 2)])
BASIS = np.linalg.qr(rng.normal(size=(3 * N, K)))[0]
VARIANCE = np.array([9.0, 4.0, 1.0, 0.25])


def fixed(value):
    return np.bytes_(value)


def make(name, string=fixed, representer="itkStandardMeshRepresenter", kind="POLYGON_MESH", version=(0, 9),
         scalismo=False, points=POINTS.T, cells=CELLS.T, real="f4", whole="i4", scaled=False, root="", extra=False,
         noise=0.0, leave=(), **options):
    with h5py.File(name, "w") as f:
        r = f.create_group(root + "/representer")
        if representer:
            r.attrs["name"] = string(representer)
        if kind:
            r.attrs["datasetType"] = string(kind)
        if scalismo:
            r.attrs["version/majorVersion"] = string("0")
            r.attrs["version/minorVersion"] = string("9")
        elif version:
            r.attrs["version"] = string("0.9")
        data = {"/representer/points": points.astype(real), "/model/mean": MEAN.ravel().astype(real),
                "/model/pcaBasis": (BASIS * np.sqrt(VARIANCE) if scaled else BASIS).astype(real),
                "/model/pcaVariance": VARIANCE.astype(real)}
        if cells is not None:
            data["/representer/cells"] = cells.astype(whole)
        for key, values in data.items():
            if key not in leave:
                f.create_dataset(root + key, data=values, **options)
        f[root + "/model/noiseVariance"] = np.full(1, noise, real) if scalismo else np.array(noise, real)
        if version:
            f["version/majorVersion"] = np.int32(version[0])
            f["version/minorVersion"] = np.int32(version[1])
        f[root + "/modelinfo/build-time"] = string("Thu Jan  1 00:00:00 1970")
        f[root + "/modelinfo/modelBuilder-0/builderName"] = string("PCAModelBuilder")
        f[root + "/modelinfo/modelBuilder-0/buildTime"] = string("Thu Jan  1 00:00:00 1970")
        f.create_group(root + "/modelinfo/modelBuilder-0/dataInfo")
        f.create_group(root + "/modelinfo/modelBuilder-0/parameters")
        if extra:
            f["landmarks/nose"] = np.zeros(3)
            f[root + "/modelinfo/scores"] = np.zeros((1, 1), "f4")
        if root:
            f["catalog/face/modelPath"] = string(root)
            f["catalog/face/modelType"] = string("POLYGON_MESH_MODEL")


VARIANTS = {
    "statismo": {},
    "scalismo": dict(scalismo=True, string=str),
    "variable texts": dict(string=str),
    "vtk representer": dict(representer="vtkStandardMeshRepresenter"),
    "version 0.8": dict(version=None, scaled=True, representer="vtkPolyDataRepresenter", kind=None),
    "version 0.8 said": dict(version=(0, 8), scaled=True),
    "version 1.0": dict(version=(1, 0)),
    "turned points": dict(points=POINTS),
    "turned cells": dict(cells=CELLS),
    "uint32 cells": dict(whole="u4"),
    "int64 cells": dict(whole="i8"),
    "big endian": dict(whole=">i4", real=">f4"),
    "doubles": dict(real="f8"),
    "point set": dict(kind="POINT_SET", cells=None),
    "extra groups": dict(extra=True),
    "chunked": dict(chunks=True),
    "packed": dict(chunks=True, compression="gzip", shuffle=True),
    "catalogue": dict(root="/models/face"),
    "no attributes": dict(representer=None, kind=None),
}


def theirs():
    faces = N - 2
    for name, options in VARIANTS.items():
        make("theirs.h5", **options)
        code, out, err = run("model", "info", "theirs.h5")
        assert code == 0 and err == "", (name, code, err)
        assert f"points      {N}\n" in out and "components  4\n" in out, (name, out)
        assert f"faces       {0 if options.get('cells', 1) is None else faces}\n" in out, (name, out)
        for index in range(K):
            code, out, err = run("model", "component", "theirs.h5", "-o", "theirs.npy", "--index", str(index))
            assert code == 0, (name, err)
            moved = np.load("theirs.npy").ravel() - MEAN.ravel()
            wanted = np.sqrt(VARIANCE[index]) * BASIS[:, index]
            wanted = wanted * np.sign(wanted @ moved)  # a mode has no sign
            assert np.abs(moved - wanted).max() < 1e-4, (name, index, np.abs(moved - wanted).max())
        code, out, err = run("register", "theirs.h5", "scan.npy", "-o", "fit.ply", "--max-iterations", "3", "--quiet")
        assert code in (0, 1), (name, err)
    make("theirs.h5", root="/models/face")
    assert run("model", "info", "theirs.h5:face")[0] == 0
    code, _, err = run("model", "info", "theirs.h5:hand")
    assert code == 4 and "/catalog/hand" in err, err
    make("theirs.h5", noise=0.5)
    code, _, err = run("model", "info", "theirs.h5")
    assert code == 0 and "noise variance 0.5" in err, err


def broken():
    nan = np.where(np.arange(3 * N).reshape(N, 3) == 7, np.nan, POINTS)
    for name, options, words in (
        ("future", dict(version=(2, 0)), "version 2.0"),
        ("no mean", dict(leave=("/model/mean",)), "/model/mean"),
        ("no basis", dict(leave=("/model/pcaBasis",)), "/model/pcaBasis"),
        ("no variance", dict(leave=("/model/pcaVariance",)), "/model/pcaVariance"),
        ("no points", dict(leave=("/representer/points",)), "/representer/points"),
        ("other points", dict(points=POINTS[:-1].T, cells=None), "/representer/points"),
        ("face of nowhere", dict(cells=CELLS.T + 3), "/representer/cells"),
        ("not a number", dict(points=nan.T), "/representer/points"),
    ):
        make("broken.h5", **options)
        code, _, err = run("model", "info", "broken.h5")
        assert code == 4 and words in err and "broken.h5" in err, (name, code, err)
    whole = open("model.h5", "rb").read()
    for length in [0, 1, 7, 8, 512, len(whole) // 2, len(whole) - 1]:
        open("broken.h5", "wb").write(whole[:length])
        code, _, err = run("register", "broken.h5", "scan.npy", "-o", "none.ply")
        assert code in (4, 5) and "broken.h5" in err, (length, code, err)
    for place in range(len(whole) - 4001, len(whole), 1000):
        spoiled = bytearray(whole)
        spoiled[place] ^= 4
        open("broken.h5", "wb").write(spoiled)
        code, _, err = run("model", "mean", "broken.h5", "-o", "none.ply")
        assert code in (0, 4), (place, code, err)


np.save("scan.npy", MEAN + rng.normal(size=(N, 3)) * 0.1)
ours()
theirs()
broken()
PYTHON
"$python" check.py "$program"
