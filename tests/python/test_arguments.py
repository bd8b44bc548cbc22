"""Arguments that were taken for others: wrong dimensions, masks, texts in place of lists, numbers that are none."""
import pathlib
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import sfgp
from conftest import DEMO


@pytest.fixture
def flat(curve):
    """The curve, its scan, and both with a third coordinate."""
    reference, scan = curve
    return reference, scan, *(np.column_stack([shape, shape[:, 0] ** 2 / 40]) for shape in curve)


@pytest.mark.parametrize("dimension, given", [(2, 3), (3, 2)])
def test_landmarks_of_another_dimension_are_refused(flat, dimension, given, tmp_path):
    """Rows of 2 numbers that are read as rows of 3 end beyond the array."""
    reference, scan = flat[:2] if dimension == 2 else flat[2:]
    pair = np.arange(3.0 * given).reshape(3, given)
    words = fr"landmarks: shapes \(3, {given}\).*in {dimension}D"
    with pytest.raises(ValueError, match=words):
        sfgp.register(reference, scan, landmarks=(pair, pair))
    with pytest.raises(ValueError, match=words):
        sfgp.batch(reference, [scan], landmarks=[(pair, pair)])
    (tmp_path / "a.csv").write_text("".join(f"p{k},{','.join(map(str, row))}\n" for k, row in enumerate(pair)))
    with pytest.raises(ValueError, match=words):
        sfgp.register(reference, scan, landmarks=(tmp_path / "a.csv", tmp_path / "a.csv"))


@pytest.mark.parametrize("change", [lambda a, b: (a, b[:2]), lambda a, b: (a, b, b), lambda a, b: (a, "b.csv"), lambda a, b: "ab",
                                    lambda a, b: (a, None)])
def test_landmarks_that_are_no_pair_are_refused(curve, change):
    reference, scan = curve
    with pytest.raises(ValueError, match=r"landmarks(\[1\])?: "):
        sfgp.register(reference, scan, landmarks=change(reference[:3], scan[:3]))


def test_a_landmark_sd_needs_landmarks(curve):
    reference, scan = curve
    for call in (lambda: sfgp.register(reference, scan, landmark_sd=1), lambda: sfgp.batch(reference, [scan], landmark_sd=1)):
        with pytest.raises(ValueError, match="landmark_sd: there are no landmarks"):
            call()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_batch_wants_landmarks_for_each_target(curve, count):
    reference, scan = curve
    with pytest.raises(ValueError, match=f"landmarks: {count} for 2 targets"):
        sfgp.batch(reference, [scan, scan], landmarks=[(reference[:3], scan[:3])] * count)


def test_a_target_of_a_batch_may_have_no_landmarks(curve):
    reference, scan = curve
    pair = (reference[[20, 40]], scan[[59, 39]])
    fits = sfgp.batch(reference, [scan, scan], landmarks=[None, pair], landmark_sd=0.1)
    assert (fits[0].points == sfgp.register(reference, scan).points).all()
    assert (fits[1].points == sfgp.register(reference, scan, landmarks=pair, landmark_sd=0.1).points).all()


@pytest.mark.parametrize("mirror", [0, "0", 1, "1", True, np.bool_(True)])
def test_only_a_mirror_image_has_turned_faces(curve, mirror):
    reference, scan = curve
    image = scan * [-1, 1] if int(mirror) else scan
    mesh = sfgp.Mesh(reference, np.arange(80)[None])
    fits = [sfgp.register(mesh, image, mirror=mirror), *sfgp.batch(mesh, [image], mirror=mirror)]
    assert [fit.outcome for fit in fits] == ["converged"] * 2
    assert all((fit.faces == mesh.faces[:, ::-1 if int(mirror) else 1]).all() for fit in fits)


def masked(array, row=3):
    made = np.ma.masked_array(array, mask=False)
    made[row] = np.ma.masked
    return made


@pytest.mark.parametrize("call", [
    lambda reference, scan: sfgp.register(reference, masked(scan)),
    lambda reference, scan: sfgp.register(SimpleNamespace(vertices=masked(reference)), scan),
    lambda reference, scan: sfgp.register(reference, [*scan[:9], masked(scan[9], 0)]),
    lambda reference, scan: sfgp.register(reference, scan, landmarks=(masked(reference[:4]), scan[:4])),
    lambda reference, scan: sfgp.Model.build(reference, train=masked(np.stack([reference] * 4))),
    lambda reference, scan: sfgp.Mesh(masked(reference)),
    lambda reference, scan: sfgp.batch(reference, [masked(scan)]),
    lambda reference, scan: sfgp.distances(reference, masked(scan)),
    lambda reference, scan: sfgp.evaluate(reference, reference, masked(np.zeros(80))),
    lambda reference, scan: sfgp.write("no/such/x.ply", reference, {"sd": masked(np.zeros(80))}),
    lambda reference, scan: sfgp.write("no/such/x.ply", sfgp.Mesh(reference, masked(np.array([[0, 1, 2]]), 0))),
])
def test_masked_entries_are_refused(curve, call):
    with pytest.raises(ValueError, match="masked; leave their rows out .*compress"):
        call(*curve)


def test_what_the_message_about_masks_says_works(curve):
    reference, scan = curve
    rest = sfgp.register(reference, np.ma.compress_rows(masked(scan)))
    assert (rest.points == sfgp.register(reference, np.delete(scan, 3, axis=0)).points).all()
    whole = sfgp.register(reference, np.ma.masked_array(scan, mask=False))
    assert (whole.points == sfgp.register(reference, scan).points).all()


@pytest.mark.parametrize("wrong, words", [(np.nan, "nan of point 5"), (2, "2 of point 5"), (0.5, "0.5 of point 5"),
                                          (None, "dtype object"), ("x", "dtype")])
def test_flags_are_zero_or_one(curve, wrong, words):
    flags = [0] * 5 + [wrong] + [1] * 74
    with pytest.raises(ValueError, match=f"missing: {words}"):
        sfgp.evaluate(curve[0], curve[0], np.array(flags, dtype=object) if wrong is None else np.array(flags))


def test_flags_of_any_type(curve):
    flags = np.arange(80) < 30
    for kind in (bool, np.uint8, np.int64, float):
        assert sfgp.evaluate(curve[0], curve[0], flags.astype(kind)).missing.count == 30


@pytest.mark.parametrize("one", ["path.ply", pathlib.Path("path.ply"), b"path.ply", np.zeros((9, 2)), sfgp.Mesh(np.zeros((9, 2)))])
def test_one_shape_is_no_list(curve, one):
    with pytest.raises(TypeError, match="targets: one .*; give a list"):
        sfgp.batch(curve[0], one)
    for call in (sfgp.Model.build, lambda reference, train: sfgp.register(*curve, train=train),
                 lambda reference, train: sfgp.batch(reference, [curve[1]], train=train)):
        with pytest.raises(TypeError, match="train: one .*; give a list"):
            call(curve[0], one)


def test_a_table_with_words_is_told_apart(curve):
    table = np.array([["p1", 0.0, 1.0], ["p2", 1.0, 2.0]], dtype=object)
    with pytest.raises(ValueError, match=r"dtype object; .*columns of numbers.*astype\(float\)"):
        sfgp.register(curve[0], table)


def test_names_masks_and_nothing_are_no_shapes(curve):
    with pytest.raises(TypeError, match=r"targets: dict; .*list\(targets.values\(\)\)"):
        sfgp.batch(curve[0], {"one": curve[1]})
    with pytest.raises(ValueError, match="target: dtype bool; .*mask"):
        sfgp.register(curve[0], curve[1] > 0)
    with pytest.raises(ValueError, match="scale: 0 is no factor"):
        sfgp.read("data/demo/scan.ply", scale=0)


class Frame:
    """As much of a data frame as is used: columns by name."""

    def __init__(self, **columns):
        self.columns, self.values = list(columns), columns

    def __getitem__(self, names):
        return Frame(**{name: self.values[name] for name in names})

    def __len__(self):
        return len(self.values[self.columns[0]])

    def __array__(self, dtype=None, copy=None):
        return np.stack(list(self.values.values()), axis=1).astype(dtype)


def test_columns_of_a_data_frame_go_by_their_names(curve):
    scan = curve[1]
    fit = sfgp.register(*curve)
    for frame in (Frame(Y=scan[:, 1], X=scan[:, 0]), Frame(id=np.arange(len(scan)), x=scan[:, 0], y=scan[:, 1]),
                  Frame(a=scan[:, 0], b=scan[:, 1])):
        assert (sfgp.register(curve[0], frame).points == fit.points).all()


def test_rows_of_different_lengths_are_named(curve):
    with pytest.raises(ValueError, match="target: .*inhomogeneous"):
        sfgp.register(curve[0], [[0, 1], [2]])
    with pytest.raises(ValueError, match=r"target: a pair of arrays; points and faces are given as sfgp.Mesh\(points, faces\)"):
        sfgp.register(curve[0], (curve[1], np.arange(6).reshape(2, 3)))


@pytest.mark.parametrize("deviations", [np.nan, np.inf, -np.inf, 1.7e308])
def test_components_are_finite(curve, deviations):
    with pytest.raises(ValueError, match="deviations: "):
        sfgp.Model.build(curve[0]).component(0, deviations)


@pytest.mark.parametrize("value, kind", [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), (np.nan, TypeError),
                                         ("1", TypeError)])
def test_seeds_and_numbers_are_whole(curve, value, kind):
    fit = sfgp.register(*curve)
    for name, call in (("seed", lambda: sfgp.Model.build(curve[0]).sample(value)), ("seed", lambda: fit.samples(0, seed=value)),
                       ("count", lambda: fit.samples(value)),
                       ("processes", lambda: sfgp.batch(curve[0], [curve[1]], processes=value))):
        with pytest.raises(kind, match=f"{name}: "):
            call()
    with pytest.raises(ValueError, match="seed: "):
        fit.samples(2, seed=2**64 - 1)  # the second has no seed
    assert (fit.samples(1, seed=np.int64(3)) == fit.samples(1, seed=3)).all()


def test_a_fit_from_a_pickle_says_what_it_lacks(curve, tmp_path):
    fit = pickle.loads(pickle.dumps(sfgp.register(*curve)))
    for call in (lambda: fit.apply(curve[0]), lambda: fit.save(tmp_path / "x.h5"), lambda: fit.samples(1),
                 lambda: sfgp.Model.posterior(fit)):
        with pytest.raises(RuntimeError, match="loaded from a pickle, .*, has no model: use Fit.save"):
            call()


@pytest.mark.parametrize("points, words", [
    (np.zeros((9, 2), object), "dtype object"), (np.full((9, 2), "1"), "dtype <U1"), (np.full((9, 2), 1 + 1j), "dtype complex"),
    (np.zeros(9, [("x", "f4"), ("y", "f4")]), r"dtype .*np.column_stack\(\[a\['x'\]"), (np.zeros((9, 2), "M8[s]"), "dtype datetime64"), (None, "NoneType"), (b"a.ply", "dtype"), (np.zeros(2), r"shape \(2,\)"),
    (3, "int"), ([], r"shape \(0,\)")])
def test_points_are_rows_of_real_numbers(curve, points, words):
    for call, role in ((lambda: sfgp.register(curve[0], points), "target"), (lambda: sfgp.Mesh(points), "points"),
                       (lambda: sfgp.batch(curve[0], [points]), r"targets\[0\]")):
        with pytest.raises(ValueError, match=f"{role}: {words}"):
            call()


def test_what_is_not_finite_or_not_there_is_named(curve):
    reference, scan = curve
    broken = np.where(np.arange(len(scan))[:, None] == 7, np.nan, scan)
    for call in (lambda: sfgp.register(reference, broken), lambda: sfgp.distances(reference, broken),
                 lambda: sfgp.register(reference, scan).apply(broken)):
        with pytest.raises(sfgp.Error, match="point 7 "):
            call()
    with pytest.raises(sfgp.Error, match="0 points"):
        sfgp.register(reference, np.empty((0, 2)))


@pytest.mark.parametrize("faces", [
    np.array([[0, 1.5, 2]]), np.array([[0, np.nan, 2]]), np.array([["0", "1", "2"]]), np.zeros((2, 3, 3), int), np.array(3),
    [[0, 1, 2], 3], np.array([-1, 0, 1]), np.array([4, 0, 1, 2])])  # of the last but one the search for faces had no end
def test_faces_that_are_none(curve, faces):
    with pytest.raises(ValueError, match="faces: "):
        sfgp.register(SimpleNamespace(points=curve[0], faces=faces), curve[1])


def test_a_null_byte_is_no_end_of_a_text(curve):
    path = str(DEMO / "scan.ply") + "\0.txt"
    for call in (lambda: sfgp.read(path), lambda: sfgp.register(*curve, method="auto\0x"), lambda: sfgp.read(path[:-5], columns="1\0")):
        with pytest.raises(ValueError, match="null byte"):
            call()


@pytest.mark.parametrize("call, role", [
    (lambda good, bad: sfgp.register(bad, good), "reference"), (lambda good, bad: sfgp.register(good, bad), "target"),
    (lambda good, bad: sfgp.batch(good, [good, bad]), r"targets\[1\]"), (lambda good, bad: sfgp.evaluate(bad, good), "fitted"),
    (lambda good, bad: sfgp.evaluate(good, bad), "truth"), (lambda good, bad: sfgp.distances(good, bad), "shape"),
    (lambda good, bad: sfgp.register(good, good, train=[good, bad]), r"train\[1\]"),
    (lambda good, bad: sfgp.register(good, good, landmarks=(good, bad)), r"landmarks\[1\]")])
def test_a_message_says_which_argument_is_wrong(curve, call, role):
    for bad, words in ((curve[0].T, r"shape \(2, 80\); .*transpose"), (None, "NoneType; expected a path"), ({}, "dict; expected")):
        with pytest.raises(ValueError, match=f"^{role}: {words}"):
            call(curve[0], bad)


def test_landmarks_are_written_with_their_names(curve, tmp_path):
    sfgp.write_landmarks(tmp_path / "a.csv", sfgp.Landmarks(["tip"], curve[0][:1]))
    assert sfgp.read_landmarks(tmp_path / "a.csv").names == ["tip"]
    for bad in ({"tip": [1, 2]}, curve[0][:3]):
        with pytest.raises(TypeError, match=r"^landmarks: (dict|ndarray); expected sfgp.Landmarks\(names, points\)$"):
            sfgp.write_landmarks(tmp_path / "a.csv", bad)


def test_landmarks_are_two_files_or_two_arrays(curve):
    with pytest.raises(ValueError, match="landmarks: one is a file, the other is not"):
        sfgp.register(*curve, landmarks=(curve[0][:3], "b.csv"))


def test_a_setting_that_is_mistyped_gets_a_suggestion(curve):
    with pytest.raises(sfgp.Error, match=r"^omga: no such setting \(did you mean omega\?\)$") as caught:
        sfgp.register(*curve, omga=0.1)
    assert caught.value.status is sfgp.Status.ERROR_PARAMETER
    with pytest.raises(sfgp.Error, match=r"^columns: no such setting \(did you mean sfgp.read\(path, columns=...\)\?\)$"):
        sfgp.register(*curve, columns="1,2")
    with pytest.raises(sfgp.Error, match="^zzzz: no such setting; docs/settings.md"):
        sfgp.Model.build(curve[0], zzzz=1)


def test_a_model_warns_of_settings_of_the_fit(curve):
    with pytest.warns(sfgp.FitWarning, match="^omega: a model does not depend on it; give it to the fit$"):
        sfgp.Model.build(curve[0], omega=0.2, seed=2)


def test_errors_and_warnings_have_the_name_that_the_documents_use():
    assert [f"{kind.__module__}.{kind.__qualname__}" for kind in (sfgp.Error, sfgp.FitWarning)] == ["sfgp.Error", "sfgp.FitWarning"]
