"""Registration: the answers are those of the program, whatever the shapes come in."""
import csv
import json
import os
import pathlib
import pickle
import re
import subprocess

import numpy as np
import pytest

import sfgp
from conftest import DEMO


def table(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def test_the_bits_of_the_program(demo, program, tmp_path):
    program("register", DEMO / "reference.ply", DEMO / "scan.ply", "-o", "fit.ply", "--table", "fit.csv", "--quiet")
    rows = table(tmp_path / "fit.csv")
    assert len(rows) == 2965
    assert (np.array([[float(row[k]) for k in "xyz"] for row in rows]) == demo.points).all()
    for name in ("sd", "missing", "target", "probability"):
        assert (np.array([float(row[name]) for row in rows]) == getattr(demo, name)).all(), name
    assert (sfgp.read(tmp_path / "fit.ply").faces == demo.faces).all()


def test_faces_of_a_mirror_image_are_turned():
    reference = sfgp.read(DEMO / "reference.ply")
    with pytest.warns(sfgp.FitWarning, match="residual"):
        fit = sfgp.register(reference, DEMO / "scan.ply", mirror=1, method="sfgp-scalar", max_iterations=2)
    assert fit.outcome == "max_iterations"
    assert (fit.faces == reference.faces[:, ::-1]).all()


def test_the_page_of_the_program(demo, program, tmp_path):
    """The same bytes, but for the time that the fit took."""
    program("register", DEMO / "reference.ply", DEMO / "scan.ply", "-o", "fit.ply", "--html", "program.html", "--unit", "mm", "--quiet")
    demo.to_html(tmp_path / "python.html", unit="mm")
    seconds = re.compile(rb"Time of the fit(</td>|<[^>]*>)+[^<]*")
    pages = [seconds.subn(b"", (tmp_path / name).read_bytes()) for name in ("program.html", "python.html")]
    assert pages[0] == pages[1] and pages[0][1] == 1 and len(pages[0][0]) > 100000


def test_what_a_notebook_shows(demo, curve):
    shown = demo._repr_html_()
    assert shown.count("<img ") == 2 and "2965" in shown and "<script" not in shown and len(shown) < 400000
    assert f"The fit: {int(demo.missing.sum())} of its 2965 points are missing" in shown
    flat = sfgp.register(*curve)
    flat.report["warnings"].append("a < b")
    assert "a &lt; b" in flat._repr_html_() and flat._repr_html_().count("<img ") == 2


def test_pages_say_no(demo, curve, tmp_path):
    with pytest.raises(sfgp.Error) as raised:
        demo.to_html(tmp_path / "no" / "such.html")
    assert raised.value.status == sfgp.Status.ERROR_WRITE
    elsewhere = pickle.loads(pickle.dumps(sfgp.register(*curve)))
    with pytest.raises(RuntimeError, match="from a pickle"):
        elsewhere.to_html(tmp_path / "fit.html")
    assert "<table>" in elsewhere._repr_html_() and "<img" not in elsewhere._repr_html_()


def test_arrays_and_files_give_the_same(demo):
    reference, scan = sfgp.read(DEMO / "reference.ply"), sfgp.read(DEMO / "scan.ply")
    fit = sfgp.register(sfgp.Mesh(reference.points, reference.faces), np.asfortranarray(scan.points), threads=1)
    assert (fit.points == demo.points).all() and (fit.sd == demo.sd).all()
    assert (fit.faces == demo.faces).all()
    cloud, mesh = (sfgp.register(shape, scan, threads=1, detail=0) for shape in (reference.points, reference))
    assert (cloud.points == mesh.points).all()  # faces are for detail
    assert cloud.faces.shape == (0, 3)


def test_what_a_fit_has(curve):
    reference, scan = curve
    fit = sfgp.register(reference, scan)
    assert fit.outcome == "converged" and "converged" in repr(fit)
    assert fit.points.shape == (80, 2) and fit.points.dtype == np.float64 and fit.points.flags.c_contiguous
    assert fit.missing.dtype == bool and fit.missing[1:8].all() and fit.missing.sum() < 40
    assert fit.target.dtype == np.int64 and ((fit.target == -1) == fit.missing).all()
    assert ((fit.probability > 0) == ~fit.missing).all() and (fit.sd > 0).all()
    assert fit.pose.shape == (4, 4) and (fit.pose[3] == [0, 0, 0, 1]).all()
    assert fit.report["settings"]["method"] == "auto" and fit.report["missing_count"] == fit.missing.sum()
    assert fit.report["symmetric"] is False
    with pytest.raises(ValueError, match="read-only"):
        fit.points[0] = 0


def test_the_arrays_outlive_the_fit(curve):
    points = sfgp.register(*curve).points
    copy = points.copy()
    sfgp.register(*curve, kernel="se:length=1,variance=0.1")
    assert (points == copy).all()


def test_a_scan_of_too_few_iterations_is_a_result(curve):
    with pytest.warns(sfgp.FitWarning, match="residual"):
        assert sfgp.register(*curve, max_iterations=2, method="sfgp-scalar").outcome == "max_iterations"


def test_a_flagged_fit_warns_as_the_program_does(tmp_path):
    """Four points of the scan, and landmarks that are paired the wrong way round."""
    reference, truth, scan = (sfgp.read(DEMO / f"{name}.ply").points for name in ("reference", "truth", "scan"))
    marks = [100, 900, 2000]
    np.save(tmp_path / "four.npy", scan[:4])
    for name, points in (("a.csv", reference[marks]), ("b.csv", truth[marks[::-1]])):
        np.savetxt(tmp_path / name, points, delimiter=",", header="x,y,z", comments="")
    for target, given, outcome in ((tmp_path / "four.npy", (), "no_overlap"),
                                   (DEMO / "scan.ply", (tmp_path / "a.csv", tmp_path / "b.csv"), "doubtful")):
        with pytest.warns(sfgp.FitWarning, match=f"^{outcome}: ") as caught:
            fit = sfgp.register(DEMO / "reference.ply", target, landmarks=given or None)
        run = subprocess.run([os.environ["SFGP_PROGRAM"], "register", DEMO / "reference.ply", target, "-o", tmp_path / "fit.ply", "--json",
                              *(["--landmarks", *given] if given else [])], capture_output=True)
        said = [sfgp._words.in_python(warning) for warning in json.loads(run.stdout)["warnings"]]
        assert fit.outcome == outcome and run.returncode == 1 and said
        assert fit.report["warnings"] == said and [str(warning.message) for warning in caught] == said


def test_landmarks_as_arrays_and_as_files(curve, tmp_path):
    reference, scan = curve
    pairs = [20, 40, 60]
    first, second = reference[pairs], scan[79 - np.array(pairs)]
    for name, points in (("a.csv", first), ("b.csv", second)):
        pathlib.Path(tmp_path, name).write_text("".join(f"p{k},{x!r},{y!r}\n" for k, (x, y) in enumerate(points.tolist())))
    plain = sfgp.register(reference, scan)
    by_array = sfgp.register(reference, scan, landmarks=(first, second), landmark_sd=0.1)
    by_file = sfgp.register(reference, scan, landmarks=(tmp_path / "a.csv", tmp_path / "b.csv"), landmark_sd=0.1)
    assert (by_array.points == by_file.points).all() and (by_array.points != plain.points).any()


def test_points_follow_a_fit(curve, program, tmp_path):
    reference, scan = curve
    fit = sfgp.register(reference, scan)
    moved, sd = fit.apply(reference + 0.1, return_sd=True)
    assert (moved == fit.apply(reference + 0.1)).all() and (sd > 0).all() and sd.shape == (80,)
    assert np.abs(fit.apply(reference) - fit.points).max() < 1e-12 * 20  # of the size: rounding
    fit.save(tmp_path / "fit.h5")
    np.save(tmp_path / "points.npy", reference + 0.1)
    program("apply", "fit.h5", "points.npy", "-o", "moved.npy", "--quiet")
    assert (np.load(tmp_path / "moved.npy") == moved).all()


def test_models(curve, tmp_path):
    reference, scan = curve
    train = np.stack([reference * [1 + k / 40, 1 - k / 50] for k in range(1, 6)])
    model = sfgp.Model.build(reference, train=train, accuracy=1e-8)
    model.write(tmp_path / "model.h5")
    again = sfgp.Model.read(tmp_path / "model.h5")
    fits = [sfgp.register(reference, scan, train=list(train), accuracy=1e-8), sfgp.register(model, scan),
            sfgp.register(again, scan), sfgp.register(tmp_path / "model.h5", scan)]
    assert all((fit.points == fits[0].points).all() for fit in fits)
    assert (model.count, model.dimension) == (80, 2) and model.rank > 4 and model.kernel.startswith("pca")
    assert (model.sample(3).points == again.sample(3).points).all() and (model.sample(3).points != model.sample(4).points).any()
    assert np.allclose(model.mean().points - model.component(0, -1).points, model.component(0).points - model.mean().points)
    assert (model.reference().points == reference).all()
    with pytest.raises(sfgp.Error, match="kernel: it belongs to the model"):
        sfgp.register(model, scan, kernel="se:length=1,variance=1")


def test_a_model_tells_whether_its_reference_is_symmetric(curve):
    half = np.random.default_rng(1).normal(size=(300, 3))
    half *= [3, 2, 1] / np.linalg.norm(half, axis=1, keepdims=True)
    shapes = (np.vstack([half, half * [-1, 1, 1]]), DEMO / "reference.ply", curve[0])
    assert [sfgp.Model.build(shape).symmetric for shape in shapes] == [True, False, None]


def test_errors_of_a_fit():
    truth, reference = sfgp.read(DEMO / "truth.ply"), sfgp.read(DEMO / "reference.ply")
    missing = np.loadtxt(DEMO / "truth_missing.txt")
    found = sfgp.evaluate(reference, truth, missing)
    distance = np.linalg.norm(reference.points - truth.points, axis=1)
    assert found.all.count == 2965 and np.isclose(found.all.mean, distance.mean(), rtol=1e-12)
    assert np.isclose(found.missing.median, np.median(distance[missing == 1]), rtol=1e-12)
    assert np.isclose(found.observed.p95, np.quantile(distance[missing == 0], 0.95), rtol=1e-12)


def test_landmarks_with_names_are_paired_by_them(curve):
    """They were paired by their order."""
    reference, scan = curve
    points = [5, 20, 40, 60]
    given = sfgp.Landmarks(["a", "b", "c", "d"], reference[points], "")
    turned = sfgp.Landmarks(["d", "c", "b", "e"], np.ascontiguousarray(scan[[19, 39, 59, 0]]), "")
    expected = sfgp.register(reference, scan, landmarks=(reference[points[1:]], scan[[59, 39, 19]]), landmark_sd=0.1)
    with pytest.warns(sfgp.FitWarning, match="'a' is in the first file only"):
        fit = sfgp.register(reference, scan, landmarks=(given, turned), landmark_sd=0.1)
    assert (fit.points == expected.points).all()
    with pytest.warns(sfgp.FitWarning, match="'e' is in the second file only"):
        batch = sfgp.batch(reference, [scan], landmarks=[(given, turned)], landmark_sd=0.1)
    assert (batch[0].points == expected.points).all()
    with pytest.raises(sfgp.Error, match="no name of one file is in the other"):
        sfgp.register(reference, scan, landmarks=(given, given._replace(names=["w", "x", "y", "z"])))


@pytest.mark.parametrize("name", ["a.mrk.json", "a.csv", "a.fcsv"])
def test_landmarks_are_written(tmp_path, name):
    landmarks = sfgp.Landmarks(["tip", "Ohrläppchen, links"], np.array([[1.1, 2, 3], [4, 5.5, 6]]), "LPS")
    sfgp.write_landmarks(tmp_path / name, landmarks, sd=[0.25, 0.5])
    again = sfgp.read_landmarks(tmp_path / name)
    assert again.names == landmarks.names and (again.points == landmarks.points).all()
    assert again.system == ("" if name == "a.csv" else "LPS") and "0.25" in (tmp_path / name).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="1 names of 2 points"):
        sfgp.write_landmarks(tmp_path / name, landmarks._replace(names=["tip"]))
    with pytest.raises(ValueError, match="sd: shape"):
        sfgp.write_landmarks(tmp_path / name, landmarks, sd=[1])
    with pytest.raises(sfgp.Error, match="landmarks are written as"):
        sfgp.write_landmarks(tmp_path / "a.ply", landmarks)


def test_a_mask_may_be_a_file(tmp_path):
    truth, reference, mask = DEMO / "truth.ply", DEMO / "reference.ply", DEMO / "truth_missing.txt"
    assert sfgp.evaluate(reference, truth, mask) == sfgp.evaluate(reference, truth, np.loadtxt(mask))
    (tmp_path / "short.txt").write_text("1\n0\n")
    with pytest.raises(sfgp.Error, match="short.txt: line 2: expected 2965 lines"):
        sfgp.evaluate(reference, truth, str(tmp_path / "short.txt"))


def test_shapes_of_different_points_are_compared_by_their_surfaces():
    truth, scan = sfgp.read(DEMO / "truth.ply"), sfgp.read(DEMO / "scan.ply")
    found = sfgp.evaluate_surfaces(scan, truth)
    there, back = sfgp.distances(scan, truth), sfgp.distances(truth, scan)
    both = np.concatenate([there, back])
    for part, values in zip(found, (there, back, both)):
        assert part.count == len(values) and part.largest == values.max()
        assert np.isclose(part.mean, values.mean(), rtol=1e-12) and np.isclose(part.rms, np.sqrt((values ** 2).mean()), rtol=1e-12)
        assert np.isclose(part.p95, np.quantile(values, 0.95), rtol=1e-12)
    with pytest.raises(ValueError, match="truth"):
        sfgp.evaluate_surfaces(scan, 3)
    with pytest.raises(sfgp.Error, match="the fit has 2261 points, the truth 2965: .* sfgp.evaluate_surfaces"):
        sfgp.evaluate(scan, truth)


def test_variances_of_a_model_are_those_of_its_components(curve):
    model = sfgp.Model.build(curve[0], kernel="se:length=1,variance=0.1")
    variances, mean = model.variances(), model.mean().points
    assert (np.diff(variances) <= 0).all() and variances[-1] > 0
    for k in (0, 3, len(variances) - 1):
        assert np.isclose(((model.component(k).points - mean) ** 2).sum(), variances[k], rtol=1e-9)
    with pytest.raises(sfgp.Error, match="component"):
        model.component(len(variances))


def test_distances_are_to_the_surface_or_to_the_nearest_point():
    reference, scan = sfgp.read(DEMO / "reference.ply"), sfgp.read(DEMO / "scan.ply").points
    nearest = [np.linalg.norm(scan - point, axis=1).min() for point in reference.points[::100]]
    assert np.allclose(sfgp.distances(reference.points[::100], scan), nearest, rtol=1e-12)
    inside = reference.points[reference.faces].mean(axis=1)
    assert sfgp.distances(inside, reference).max() < 1e-12 < sfgp.distances(inside, reference.points).min()
    with pytest.raises(sfgp.Error, match="dimension"):
        sfgp.distances(reference.points[:, :2], scan)


@pytest.mark.parametrize("shape", ["curve", "in space"])
def test_a_saved_fit_moves_points_and_has_a_posterior(curve, tmp_path, shape):
    reference, scan = curve if shape == "curve" else (np.column_stack([each, each[:, 0] ** 2 / 40]) for each in curve)
    fit, path = sfgp.register(reference, scan), tmp_path / "fit.h5"
    fit.save(path)
    moved, sd = fit.apply(reference + 0.1, return_sd=True)
    again, again_sd = sfgp.apply(path, reference + 0.1, return_sd=True, threads=1)
    assert (again == moved).all() and (again_sd == sd).all()
    assert (sfgp.apply(str(path), reference + 0.1) == moved).all()
    assert (sfgp.Model.posterior(path).mean().points == sfgp.Model.posterior(fit).mean().points).all()
    with pytest.raises(ValueError, match=f"points: .*D, the fit is {reference.shape[1]}D"):
        sfgp.apply(path, np.zeros((4, 5 - reference.shape[1])))
    sfgp.Model.build(reference).write(tmp_path / "model.h5")
    with pytest.raises(sfgp.Error, match="the file has no fit"):
        sfgp.apply(tmp_path / "model.h5", reference)


def test_a_model_and_a_fit_do_not_replace_a_mesh(curve, tmp_path):
    reference, scan = curve
    path = tmp_path / "scan.ply"
    sfgp.write(path, scan)
    before = path.read_bytes()
    for write in (sfgp.register(reference, scan).save, sfgp.Model.build(reference).write):
        with pytest.raises(sfgp.Error, match="scan.ply: .*a name that ends in .h5 or .hdf5") as found:
            write(path)
        assert found.value.status == sfgp.Status.ERROR_PARAMETER
    assert path.read_bytes() == before


def test_landmarks_of_a_file_are_read(tmp_path):
    (tmp_path / "a.csv").write_text("name,x,y,z\nnose,1,2,3.5\ntail,4,5,6\n")
    marks = sfgp.read_landmarks(tmp_path / "a.csv")
    assert marks.names == ["nose", "tail"] and (marks.points == [[1, 2, 3.5], [4, 5, 6]]).all() and marks.system == ""
    (tmp_path / "b.mrk.json").write_text('{"markups": [{"type": "Fiducial", "controlPoints": [{"label": "a", "position": [1, 2, 3]}]}]}')
    assert sfgp.read_landmarks(tmp_path / "b.mrk.json").system == "LPS"
    with pytest.raises(sfgp.Error, match="no-such.csv"):
        sfgp.read_landmarks(tmp_path / "no-such.csv")
    (tmp_path / "c.csv").write_text("name,x,y\na,1,2\n")
    with pytest.raises(sfgp.Error, match="a.csv and .*c.csv: landmarks: one file is 3D, the other 2D"):
        sfgp.register(*2 * [np.vstack([np.eye(3), -np.eye(3)])], landmarks=(tmp_path / "a.csv", tmp_path / "c.csv"))
