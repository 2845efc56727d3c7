import json

import pytest

from synparse.cli.app import run
from synparse.store.info import info


@pytest.fixture
def printed(capsys):
    """A function that runs the command in this process; its standard output."""

    def print_info(*arguments):
        assert run(["info", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return print_info


def test_what_is_printed_as_json_is_what_is_known(printed, tiny_udgn):
    assert json.loads(printed(tiny_udgn, "--json")) == info(str(tiny_udgn))
    assert json.loads(printed("--json")) == info()


def test_every_fact_has_a_line(printed, tiny_udgn):
    lines = printed(tiny_udgn).splitlines()
    found = {line[:42].rstrip(): line[43:] for line in lines}
    assert found["kind"] == "udgn"
    assert found["recipe.architecture.hidden_size"] == "16"
    assert found["provenance.corpus.files"] == "corpus.txt"  # a list, its members divided by commas
    assert found["provenance.seed"] == "1"


def test_the_models_that_have_a_name_are_listed(printed):
    assert f"{'chain':<42} brackets and heads (trivial: needs no training)\n" in printed()
