import functools
import json

import pytest

from synparse.store.info import info
from synparse.store.languages import language_info, language_report
from tests.cli.commands import synparse

printed = functools.partial(synparse, "info")


def test_what_is_printed_as_json_is_what_is_known(tiny_udgn):
    assert json.loads(printed(tiny_udgn, "--json")) == info(str(tiny_udgn))
    assert json.loads(printed("--json")) == info()


def test_every_fact_has_a_line(tiny_udgn):
    lines = printed(tiny_udgn, "--all").splitlines()
    facts = {line.split()[0]: line.split(maxsplit=1)[-1] for line in lines}
    assert facts["kind"] == "udgn"
    assert facts["members.udgn-1.recipe.architecture.hidden_size"] == "16"
    assert facts["provenance.corpus.files"] == "corpus.txt"  # a list, its members divided by commas
    assert facts["provenance.seed"] == "1"


def test_a_model_is_described_by_its_card(tiny_model):
    card = (tiny_model / "README.md").read_text(encoding="utf-8")
    facts, described = printed(tiny_model).split("\n\n", maxsplit=1)
    assert described == card
    assert "parsing.punctuation" in facts
    assert "recipe" not in facts
    assert printed(tiny_model, "--card") == card
    assert printed("chain").splitlines()[-1] == "gives              brackets and heads"


def test_what_pages_are_written_by_is_not_shown():
    assert "<!-- table: english -->" in printed("english", "--card")
    assert "<!--" not in printed("english")
    assert "## Weaknesses\n" in printed("english")


@pytest.mark.parametrize("arguments", [["chain"], [], ["english", "--json"]])
def test_where_there_is_no_card(arguments):
    assert "--card: name a model that has a card" in printed(*arguments, "--card", code=2)


def test_the_models_that_have_a_name_are_listed():
    assert f"{'chain':<18} brackets and heads (trivial: needs no training)\n" in printed()


@pytest.mark.parametrize("language", ["fi", "Finnish", "xx"])
def test_what_is_known_of_a_language(language):
    known = language_info(language)
    assert json.loads(printed("--language", language, "--json")) == known
    assert printed("--language", language) == "".join(language_report(known))


def test_a_model_or_a_language():
    assert "--language: without a model, --all and --card" in printed("english", "--language", "en", code=2)
    assert "unknown language 'elvish'" in printed("--language", "elvish", code=2)
