"""The table of how much the confidence of sentences tells."""

import sys

import pytest

from benchmarks import sentence_confidence


def test_help_measures_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sentence_confidence.py", "--help"])
    monkeypatch.setattr(sentence_confidence, "MODELS", {"no such model": "no"})
    with pytest.raises(SystemExit):
        sentence_confidence.main()
    assert capsys.readouterr().out.startswith("usage: python -m benchmarks.sentence_confidence")
