"""Arguments that were taken for others: wrong dimensions, masks, texts in place of lists, numbers that are none."""
import pickle

import numpy as np
import pytest

import sfgp
from conftest import DEMO


@pytest.mark.parametrize("mirror", [0, "0", 1, "1", True])
def test_only_a_mirror_image_has_turned_faces(curve, mirror):
    reference, scan = curve
    image = scan * [-1, 1] if int(mirror) else scan
    mesh = sfgp.Mesh(reference, np.arange(80)[None])
    fits = [sfgp.register(mesh, image, mirror=mirror), *sfgp.batch(mesh, [image], mirror=mirror)]
    assert [fit.outcome for fit in fits] == ["converged"] * 2
    assert all((fit.faces == mesh.faces[:, ::-1 if int(mirror) else 1]).all() for fit in fits)


def test_a_fit_from_a_pickle_says_what_it_lacks(curve, tmp_path):
    fit = pickle.loads(pickle.dumps(sfgp.register(*curve)))
    for call in (lambda: fit.apply(curve[0]), lambda: fit.save(tmp_path / "x.h5"), lambda: fit.samples(1),
                 lambda: sfgp.Model.posterior(fit)):
        with pytest.raises(RuntimeError, match="loaded from a pickle, .*, has no model: use Fit.save"):
            call()


def test_a_null_byte_is_no_end_of_a_text(curve):
    path = str(DEMO / "scan.ply") + "\0.txt"
    for call in (lambda: sfgp.read(path), lambda: sfgp.register(*curve, method="auto\0x"), lambda: sfgp.read(path[:-5], columns="1\0")):
        with pytest.raises(ValueError, match="null byte"):
            call()
