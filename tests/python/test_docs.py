"""The Python of the documents runs as it stands."""
import re

import pytest

from conftest import SOURCE


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_examples_run(name, tmp_path, monkeypatch):
    if name == "docs/python.md":
        pytest.importorskip("matplotlib").use("agg")
    blocks = re.findall(r"^```python\n(.*?)^```$", (SOURCE / name).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    (tmp_path / "data").symlink_to(SOURCE / "data")
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks), name, "exec"), {})
