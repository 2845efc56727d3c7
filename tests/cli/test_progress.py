"""Progress: silent for commands that are fast, and where no one reads it."""

import io
import itertools

import pytest

from synparse.cli import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("seconds", "stream", "is_shown", "expected"),
    [
        (0.1, Terminal, True, False),
        (1.0, Terminal, True, True),
        (1.0, Terminal, False, False),
        (1.0, io.StringIO, True, False),
    ],
)
def test_items_pass_and_slow_ones_are_counted(seconds, stream, is_shown, expected, monkeypatch):
    error = stream()
    monkeypatch.setattr("sys.stderr", error)
    monkeypatch.setattr(progress.time, "monotonic", itertools.count(0, seconds).__next__)
    assert list(progress.counted(iter("abcdefgh"), "letters", is_shown)) == list("abcdefgh")
    assert ("8 letters, " in error.getvalue()) == expected
    assert bool(error.getvalue()) == expected
