"""Who may import whom: the arrows of the pipeline point one way; and the tests mirror the package."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "synparse"

# Each folder with what it may import of the package, beside itself.
ALLOWED = {
    "compiled": set(),
    "trees": {"compiled"},
    "files": {"trees"},
    "treebanks": {"trees", "files"},
    "scoring": {"trees"},
    "drawing": {"trees", "files", "scoring"},  # the report draws what scoring compared
    "corpora": {"compiled", "trees", "files"},
    "search": {"trees", "treebanks", "corpora", "scoring"},  # its counts are tables
    "inducers": {"compiled", "trees"},
    "config": {"trees", "corpora", "inducers"},
    "store": {"trees", "files", "corpora", "config", "inducers"},
    # A parse is drawn in notebooks.
    "parsing": {"trees", "files", "drawing", "corpora", "config", "inducers", "store"},
    "replication": {"trees", "files", "config", "store", "scoring", "drawing"},  # it runs the commands as processes
    # A parser teaches the grammars.
    "training": {"trees", "files", "corpora", "config", "inducers", "store", "parsing"},
    "tasks": {
        *("trees", "files", "scoring", "drawing", "corpora", "config", "inducers", "store", "parsing", "training"),
    },
    "language_models": {
        *("trees", "files", "corpora", "config", "inducers", "store", "parsing", "training", "scoring"),
    },
    "cli": {
        *("trees", "files", "treebanks", "scoring", "drawing", "corpora", "config", "inducers", "store"),
        *("parsing", "training", "tasks", "language_models", "replication", "search"),
        "compiled",  # --version tells
    },
}
WITHOUT_TORCH = (
    "compiled",
    "trees",
    "files",
    "treebanks",
    "scoring",
    "search",
    "drawing",
    "corpora",
    "config",
    "replication",
)
MOST_LAYERS = 10


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            is_folder = node.module == "synparse"
            yield from (f"{node.module}.{alias.name}" if is_folder else node.module for alias in node.names)


def files(folder):
    return sorted((PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", ALLOWED)
def test_folders_import_only_what_they_may(folder):
    for path in files(folder):
        for module in imports(path):
            if module.startswith("synparse."):
                assert module.split(".")[1] in ALLOWED[folder] | {folder}, f"{path.name} imports {module}"


def test_what_is_allowed_has_no_circle_and_few_layers():
    def layer(folder):
        return 1 + max((layer(below) for below in ALLOWED[folder]), default=0)

    assert max(map(layer, ALLOWED)) <= MOST_LAYERS  # a circle would not end


def test_no_module_imports_itself_by_way_of_others():
    known = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    arrows = {name: {module for module in imports(path) if module in known} for name, path in known.items()}
    done = set()
    while free := {name for name in arrows.keys() - done if arrows[name] <= done | {name}}:
        done |= free
    assert not arrows.keys() - done


@pytest.mark.parametrize("folder", WITHOUT_TORCH)
def test_the_symbolic_folders_know_no_torch(folder):
    for path in files(folder):
        assert not any(module.split(".")[0] == "torch" for module in imports(path)), path


def test_nothing_is_loose_at_the_top_and_no_module_is_a_drawer():
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}
    assert {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*/*.py")} == set(ALLOWED)
    assert not {path.stem for path in PACKAGE.rglob("*.py")} & {"utils", "helpers", "common"}


# Modules without a file of tests of their own, and why.
WITHOUT_TESTS = {
    "config/version.py": "a number",
}


@pytest.mark.parametrize("folder", ALLOWED)
def test_each_module_has_its_tests_in_the_folder_of_its_name(folder):
    modules = [path.relative_to(PACKAGE) for path in files(folder) if path.stem != "__init__"]
    missing = {str(path) for path in modules if not (TESTS / path.parent / f"test_{path.name}").exists()}
    assert missing == {str(path) for path in modules} & WITHOUT_TESTS.keys()


def test_no_test_reads_a_clock():
    """Tests wait for what they need (`tests.processes`) and count what is done; a machine that is busy fails none."""
    for path in TESTS.rglob("*.py"):
        modules = {module.split(".")[0] for module in imports(path)}
        assert not modules & {"time", "timeit", "datetime"}, path


def test_type_checkers_of_users_read_the_annotations():
    assert (PACKAGE / "py.typed").is_file()
