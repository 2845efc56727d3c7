"""The help of a command has a line to paste, and below it what the line prints."""

import importlib
import inspect
import shutil
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


@pytest.mark.parametrize("name", ["classes", "convert", "evaluate", "info", "recipes", "search", "show", "tables"])
def test_the_example_in_the_help_prints_what_it_says(name, shell, tmp_path):
    command = getattr(importlib.import_module(f"synparse.cli.{name}"), name)
    _, _, example = inspect.getdoc(command).partition("\n\b\n")
    line, *printed = (line.removeprefix("  ") for line in example.splitlines())
    shutil.copy(SAMPLE / "gold.brackets", tmp_path)
    done = shell(line.removeprefix("$ "), cwd=tmp_path, capture_output=True, text=True)
    assert line.startswith("$ ")
    assert [line.rstrip() for line in done.stdout.splitlines()] == printed
    assert done.stderr == ""
