import doctest

import pytest

from synparse.store import info as module
from synparse.store.info import info
from synparse.trees.errors import DataError
from synparse.trees.trivial import TRIVIAL_PARSERS


def test_the_example_of_the_docstring():
    assert doctest.testmod(module) == (0, 1)


def test_models_with_a_name_are_listed():
    found = info()
    assert found.keys() >= TRIVIAL_PARSERS.keys()
    assert found["chain"] == "brackets and heads (trivial: needs no training)"


def test_a_model_is_described(tiny_udgn):
    found = info(str(tiny_udgn))
    assert (found["kind"], found["gives"]) == ("udgn", "brackets and heads")
    assert found["recipe"]["architecture"]["hidden_size"] == 16
    assert found["parameters"] > 1000
    assert "packed" not in found


def test_grammars_give_heads_and_have_parameters(tiny_taught, tiny_grammar, tiny_udgn):
    alone, taught, network = (info(str(one)) for one in (tiny_grammar, tiny_taught, tiny_udgn))
    assert (alone["kind"], alone["gives"]) == ("grammar", "brackets and heads")
    assert alone["recipe"]["training"] is None
    assert alone["recipe"]["parsing"] == {
        **{"punctuation": "evidence", "function_words": "leaves"},
        **{"brackets": "default", "heads": "default"},
    }
    # A network that taught grammars has a few more words here, no more.
    assert taught["parameters"] - network["parameters"] == alone["parameters"] > 1000


def test_an_unknown_model_is_told():
    with pytest.raises(DataError, match="missing: no such model"):
        info("missing")
