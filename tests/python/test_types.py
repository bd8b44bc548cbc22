"""The types that the package states hold, for the package and for a program that uses it."""
import os
import subprocess
import sys

import pytest

from conftest import SOURCE

USE = """
import sfgp
fit = sfgp.register("a.ply", "b.ply", threads=1)
shape: sfgp.Mesh = sfgp.read("a.ply")
text: str = fit.outcome + sfgp.Status.OK.name
reveal_type(fit.points)
for result in sfgp.batch(sfgp.Model.build(shape), ["b.ply"]):
    print(result.status if isinstance(result, sfgp.Error) else result.samples(2).shape)
wrong: int = fit.outcome
"""


def test_types_hold(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "sfgp", "-m", "use"],
                         cwd=tmp_path, env={**os.environ, "MYPYPATH": f"{tmp_path}:{SOURCE / 'src' / 'python'}", "PYTHONPATH": ""},
                         capture_output=True, text=True)
    found = [line for line in run.stdout.splitlines() if not line.startswith("Found")]
    assert len(found) == 2 and "_64Bit" in found[0] and "use.py:9: error" in found[1], run.stdout
