"""What the tests share: the demo, a small curve whose fit takes milliseconds, and the program."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

SOURCE = pathlib.Path(os.environ["SFGP_SOURCE"])
DEMO = SOURCE / "data" / "demo"


@pytest.fixture
def curve():
    """A closed curve of 80 points that looks the same at no other turn, and a scan of it: bent, without some points, in another order."""
    angle = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    reference = np.column_stack([20 * np.cos(angle) + 4 * np.cos(2 * angle), 10 * np.sin(angle) + 3 * np.sin(3 * angle)])
    truth = reference + np.column_stack([np.sin(2 * angle), 0.5 * np.cos(angle)])
    return reference, np.ascontiguousarray(truth[10:][::-1])


@pytest.fixture
def program(tmp_path):
    """Runs the program in an empty folder."""
    def run(*arguments):
        subprocess.run([os.environ["SFGP_PROGRAM"], *map(str, arguments)], check=True, cwd=tmp_path, capture_output=True)
    return run


@pytest.fixture(scope="session")
def demo():
    """The fit of the demo."""
    import sfgp
    return sfgp.register(DEMO / "reference.ply", DEMO / "scan.ply")
