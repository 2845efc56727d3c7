"""What the shell offers after the Tab key."""

import pytest

from synparse.cli.app import run
from synparse.config.recipe import shipped_recipes
from synparse.store.shipped import shipped_models
from synparse.trees.trivial import TRIVIAL_PARSERS


@pytest.fixture
def offered(monkeypatch, capsys):
    """What is offered for the last word of a line."""

    def complete(line):
        monkeypatch.setenv("_SYNPARSE_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        with pytest.raises(SystemExit):
            run([])
        return capsys.readouterr().out.split()

    return complete


def test_models_recipes_and_languages(offered):
    assert offered("synparse parse --model ") == offered("synparse info ") == [*shipped_models(), *TRIVIAL_PARSERS]
    assert offered("synparse grammar ") == shipped_models()
    assert offered("synparse parse --model my-") == []  # so the shell offers files
    assert offered("synparse train --recipe ") == shipped_recipes()
    assert offered("synparse parse --language fi") == ["fi", "fin", "finnish"]


def test_decoders_of_the_models_that_are_named(offered, tiny_udgn):
    assert offered("synparse parse -m chain --decode-brackets ") == ["unbiased", "published", "projective"]
    assert offered(f"synparse parse -m {tiny_udgn} --decode-heads ") == ["projective", "mst", "argmax", "phrases"]
    assert offered("synparse parse -m nothing --decode-brackets s") == ["splits"]
    assert offered("synparse calibrate nothing --decode-heads j") == ["joint"]
