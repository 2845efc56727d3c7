"""Who may import whom: the arrows of the pipeline point one way."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "synparse"

# Each station with what it may import of the package, beside itself.
ALLOWED = {
    "trees": set(),
    "treebanks": {"trees", "files"},
    "scoring": {"trees"},
    "drawing": {"trees"},
    "corpora": {"trees", "files"},
    "inducers": set(),
    "files": {"trees"},
    "folders": {"trees", "files"},
    "settings": set(),
    "cores": set(),
    "devices": set(),
    "threads": {"cores"},
    "processes": {"trees"},
    "plain_yaml": {"trees"},
    "weights_file": {"trees"},
    "recipe": {"trees", "corpora", "inducers", "devices", "plain_yaml", "settings"},
    "model_directory": {
        *("trees", "corpora", "inducers", "recipe", "folders", "plain_yaml", "settings", "weights_file"),
    },
    "bundle": {"trees", "model_directory", "settings"},
    "shipped": {"recipe", "model_directory"},
    "members": {"trees", "corpora", "inducers", "model_directory", "bundle", "shipped", "devices"},
    "decoding": {"trees", "members"},
    "parser": {"trees", "corpora", "members", "decoding", "bundle"},
    "packing": {
        *("trees", "corpora", "inducers", "recipe", "model_directory", "bundle", "folders", "files"),
        *("members", "parser"),
    },
    "parsing": {"trees", "corpora", "files", "members", "parser", "processes", "shipped"},
    "training": {
        *("trees", "corpora", "inducers", "recipe", "model_directory", "devices", "threads", "cores", "files"),
        "folders",
    },
    "tasks": {
        *("trees", "corpora", "inducers", "files", "folders", "devices", "threads", "plain_yaml", "settings"),
        "weights_file",
    },
    "cli": {
        "trees",
        "treebanks",
        "cores",
        "processes",
        "scoring",
        "drawing",
        "corpora",
        "inducers",
        "files",
        "folders",
        "recipe",
        "model_directory",
        "bundle",
        "shipped",
        "packing",
        "weights_file",
        "devices",
        "parser",
        "parsing",
        "training",
        "tasks",
    },
}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def files(station):
    return sorted((PACKAGE / station).rglob("*.py")) if (PACKAGE / station).is_dir() else [PACKAGE / f"{station}.py"]


@pytest.mark.parametrize("station", ALLOWED)
def test_stations_import_only_what_they_may(station):
    for path in files(station):
        for module in imports(path):
            if module.startswith("synparse."):
                assert module.split(".")[1] in ALLOWED[station] | {station}, f"{path.name} imports {module}"


@pytest.mark.parametrize(
    "station",
    [
        *("trees", "treebanks", "scoring", "drawing", "corpora", "files", "folders", "settings", "cores"),
        *("processes", "plain_yaml"),
    ],
)
def test_the_symbolic_stations_know_no_torch(station):
    for path in files(station):
        assert not any(module.split(".")[0] == "torch" for module in imports(path)), path


def test_every_module_has_its_place_and_none_is_a_drawer():
    names = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
    assert names - {"__init__", "__main__"} == set(ALLOWED)
    assert not {path.stem for path in PACKAGE.rglob("*.py")} & {"utils", "helpers", "common"}
