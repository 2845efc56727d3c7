from pathlib import Path

import pytest

from synparse.files.extras import EXTRAS, how_to_install


def test_the_packages_are_those_of_the_project():
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 reads TOML")
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    known = project["optional-dependencies"]
    assert {name: tuple(packages) for name, packages in known.items() if name not in ("docs", "dev")} == EXTRAS


def test_a_command_of_a_shell_installs_them():
    assert how_to_install("train") == "pip install 'torch>=2.6'"
    assert how_to_install("ja") == "pip install 'fugashi>=1.3' 'unidic-lite>=1.0.8'"
