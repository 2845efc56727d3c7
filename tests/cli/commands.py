"""The command line as a process of its own, or, where each would load PyTorch, in this one."""

import io
import subprocess
import sys
from pathlib import Path

from synparse.cli.app import run
from tests.processes import HANG

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


def synparse(*arguments, stdin="", cwd=None, code=0, binary=False, has_notes=False):
    """Run a command; its standard output. Checks the exit code, that an error is one line and no traceback, and that
    nothing is said where nothing is to be said (``has_notes``: something may)."""
    done = subprocess.run(
        [sys.executable, "-m", "synparse", *map(str, arguments)],
        input=stdin if binary else stdin.encode(),
        capture_output=True,
        cwd=cwd,
        check=False,
        timeout=HANG,
    )
    error = done.stderr.decode()
    assert done.returncode == code, error
    if code == 0:
        assert has_notes or error == ""
        return done.stdout.decode()
    assert len(error.strip().splitlines()) == 1, error
    assert error.startswith("synparse: ")
    return error


def synparse_here(capsys, monkeypatch, *arguments, stdin="", code=0):
    """As `synparse`, in this process and its working directory."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin.encode()))))
    status = run(list(map(str, arguments)))
    out, error = capsys.readouterr()
    assert status == code, error
    if code == 0:
        assert error == ""
        return out
    assert len(error.strip().splitlines()) == 1, error
    assert error.startswith("synparse: ")
    return error
