"""Many fits in processes, fits that were pickled, samples of fits."""
import copy
import glob
import os
import pathlib
import pickle
import signal
import sys

import numpy as np
import pytest

import sfgp


@pytest.fixture
def scans(curve):
    reference, scan = curve
    return [scan, scan[5:] * 1.01, scan[:-5] + 0.3]


def children():
    """Of all threads: those of a batch have started the processes."""
    return [each for path in glob.glob("/proc/self/task/*/children") for each in pathlib.Path(path).read_text().split()]


def test_a_batch_has_the_bits_of_single_fits(curve, scans, tmp_path):
    reference, _ = curve
    np.save(tmp_path / "scan.npy", scans[1])
    done = []
    settings = dict(kernel="se:length=1,variance=0.05", tolerance=1e-5)
    fits = sfgp.batch(reference, [scans[0], tmp_path / "scan.npy", np.full((9, 2), np.nan), scans[2]], processes=2,
                      save=tmp_path / "fits", progress=lambda k, count: done.append((k, count)), **settings)
    assert sorted(done) == [(k, 4) for k in range(1, 5)]
    assert isinstance(fits[2], sfgp.Error) and fits[2].status is sfgp.Status.ERROR_DATA
    for fit, scan in zip([fits[0], fits[1], fits[3]], scans):
        single = sfgp.register(reference, scan, **settings)
        assert (fit.points == single.points).all() and (fit.sd == single.sd).all() and fit.outcome == single.outcome
        assert (fit.apply(reference + 0.1) == single.apply(reference + 0.1)).all()
    assert sorted(os.listdir(tmp_path / "fits")) == ["0.h5", "1.h5", "3.h5"] and not children()


def test_a_batch_takes_landmarks_and_faces(curve, scans):
    reference, _ = curve
    mesh = sfgp.Mesh(reference, faces=np.arange(80)[None])
    landmarks = [(reference[[20, 40]], scan[[59, 39]]) for scan in scans]
    fits = sfgp.batch(sfgp.Model.build(mesh), scans, landmarks=landmarks, landmark_sd=0.1)
    single = sfgp.register(mesh, scans[2], landmarks=landmarks[2], landmark_sd=0.1)
    assert (fits[2].points == single.points).all() and (fits[2].faces == np.arange(80)).all()
    with pytest.raises(RuntimeError, match="save"):
        fits[0].apply(reference)


def test_a_flagged_fit_of_a_batch_warns_once(curve, scans):
    with pytest.warns(sfgp.FitWarning) as caught:
        fits = sfgp.batch(curve[0], [scans[0], scans[1][:8]])
    assert [fit.outcome for fit in fits] == ["converged", "no_overlap"]
    assert [str(warning.message).split(": ")[:2] for warning in caught] == [["target 1", "no_overlap"]]


def test_what_ends_a_batch_ends_its_processes(curve, scans):
    def stop(done, count):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        sfgp.batch(curve[0], scans * 5, processes=2, progress=stop)
    assert not children()
    with pytest.raises(sfgp.Error, match="no_such"):
        sfgp.batch(curve[0], scans, no_such=1)
    assert sfgp.batch(curve[0], []) == []


def test_a_killed_process_loses_its_target_alone(curve, scans):
    """The first process is killed when its first fit is back, while it waits or works on the second target."""
    def kill(done, count):
        if done == 1:
            os.kill(int(children()[0]), signal.SIGKILL)
    fits = sfgp.batch(curve[0], scans * 2, processes=1, progress=kill)
    assert [isinstance(fit, sfgp.Fit) for fit in fits] == [True, False, True, True, True, True] and not children()
    assert fits[1].status is sfgp.Status.ERROR_MEMORY and "target 1: the process that fitted it was killed by signal 9" in str(fits[1])
    assert (fits[3].points == fits[0].points).all()


def test_a_process_that_cannot_start_ends_the_batch(curve, scans, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RuntimeError, match="ended with code 1"):
        sfgp.batch(curve[0], scans, processes=1)


def test_a_pickled_fit_has_its_arrays(curve):
    fit = sfgp.register(*curve)
    again = pickle.loads(pickle.dumps(fit))
    assert (again.points == fit.points).all() and (again.missing == fit.missing).all() and again.report == fit.report
    assert repr(again) == repr(fit) and fit._repr_html_().startswith(again._repr_html_())


def test_copies_of_a_fit_move_points(curve):
    fit = sfgp.register(*curve)
    moved = fit.apply(curve[0])
    for other in (copy.copy(fit), copy.deepcopy(fit), copy.deepcopy(sfgp.register(*curve))):
        assert (other.apply(curve[0]) == moved).all() and (other.points == fit.points).all()
    assert copy.copy(fit).points is fit.points and copy.deepcopy(fit).points is not fit.points
    fit.report["warnings"].append("a word")
    assert "a word" not in other.report["warnings"]


def test_a_pickled_model_has_its_bits(curve):
    train = [curve[0] * [1 + k / 40, 1 - k / 50] for k in range(1, 6)]
    model = sfgp.Model.build(curve[0], train=train)
    again = pickle.loads(pickle.dumps(model))
    assert repr(again) == repr(model) and (again.sample(3).points == model.sample(3).points).all()
    assert (sfgp.register(again, curve[1]).points == sfgp.register(model, curve[1]).points).all()
    assert copy.deepcopy(model) is model and copy.copy(model) is model


def test_samples_have_the_deviations_of_the_fit(curve):
    """The deviation of 2 x 1000 normal numbers is within 5 / sqrt(4000) = 8 % of the true one; neighbours move together."""
    fit = sfgp.register(*curve)
    samples = fit.samples(1000)
    off = samples - fit.points
    assert np.abs(np.sqrt((off ** 2).mean(axis=(0, 2))) / fit.sd - 1).max() < 0.08
    assert np.abs(off.mean(axis=0)).max() < 5 * fit.sd.max() / np.sqrt(1000)
    assert np.corrcoef(off[:, 3, 0], off[:, 4, 0])[0, 1] > 0.9  # both are missing
    assert (fit.samples(2, seed=5)[1] == fit.samples(1, seed=6)[0]).all() and fit.samples(0).shape == (0, 80, 2)


def test_the_posterior_is_a_model(demo, program, tmp_path):
    posterior = sfgp.Model.posterior(demo)
    assert posterior.kernel == "posterior" and np.abs(posterior.mean().points - demo.points).max() < 1e-12 * 100
    demo.save(tmp_path / "fit.h5")
    program("model", "posterior", "fit.h5", "-o", "posterior.h5")
    program("model", "sample", "posterior.h5", "-o", "sample.npy", "--seed", "3")
    assert (np.load(tmp_path / "sample.npy") == posterior.sample(3).points).all()
