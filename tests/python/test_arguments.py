"""Arguments that were taken for others: wrong dimensions, masks, texts in place of lists, numbers that are none."""
import numpy as np
import pytest

import sfgp


@pytest.mark.parametrize("mirror", [0, "0", 1, "1", True])
def test_only_a_mirror_image_has_turned_faces(curve, mirror):
    reference, scan = curve
    image = scan * [-1, 1] if int(mirror) else scan
    mesh = sfgp.Mesh(reference, np.arange(80)[None])
    fits = [sfgp.register(mesh, image, mirror=mirror), *sfgp.batch(mesh, [image], mirror=mirror)]
    assert [fit.outcome for fit in fits] == ["converged"] * 2
    assert all((fit.faces == mesh.faces[:, ::-1 if int(mirror) else 1]).all() for fit in fits)
