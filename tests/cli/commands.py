"""The command line, in the process of the tests: PyTorch is loaded once. What a process of its own shows is run as one
where it is tested (`tests/cli/test_app.py`)."""

import io
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from synparse.cli.app import run

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


class Printed(NamedTuple):
    """Standard output and standard error."""

    out: str
    err: str


def printed(*arguments, stdin="", cwd=None, code=0, binary=False):
    """Run a command; what it prints. Checks the exit code."""
    given = io.BufferedReader(io.BytesIO(stdin if binary else stdin.encode()))
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(given))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", error)
        if cwd is not None:
            patch.chdir(cwd)
        status = run(list(map(str, arguments)))
    said = Printed(*map(_text, (out, error)))
    assert status == code, said.err
    return said


def synparse(*arguments, code=0, has_notes=False, **options):
    """Run a command; its standard output, or its error. Checks the exit code, that an error is one line and no
    traceback, and that nothing is said where nothing is to be said (``has_notes``: something may)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        said, told = printed(*arguments, code=code, **options)
    if code == 0:
        assert has_notes or told == ""
        return said
    assert len(told.strip().splitlines()) == 1, told
    assert told.startswith("synparse: ")
    return told


def _text(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()
