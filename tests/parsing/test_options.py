import math
import re
from typing import get_args

import numpy as np
import pytest

from synparse.config.parsing import HeadDecoder, TreeDecoder
from synparse.parsing.decoders import HEAD_DECODERS, TREE_DECODERS
from synparse.parsing.options import EVIDENCE, PUNCTUATION, ParserOptions, Request
from synparse.trees.errors import SettingError


@pytest.mark.parametrize(
    ("name", "choice", "message"),
    [
        ("precision", "half", "precision must be auto or float32 or bfloat16, not 'half'"),
        ("seed", -1, "seed must be a whole number of at least 0, not -1"),
        ("precision", None, "precision must be auto or float32 or bfloat16, not None"),
        ("punctuation", "both", "punctuation must be ignore or evidence, not 'both'"),
        ("punctuation", "", "punctuation must be ignore or evidence, not ''"),
        ("function_words", "heads", "function_words must be free or leaves or adpositions, not 'heads'"),
    ],
)
def test_an_unknown_choice_is_refused(name, choice, message):
    with pytest.raises(SettingError) as caught:
        ParserOptions(**{name: choice})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "choice", [{"precision": "auto"}, {"punctuation": EVIDENCE}, {"function_words": "leaves"}, {"punctuation": None}]
)
def test_known_choices_are_kept(choice):
    [(name, value)] = choice.items()
    assert getattr(ParserOptions(**choice), name) == value


def test_one_name_may_stand_alone():
    assert Request(keep="heads", learned="tags") == Request(keep=("heads",), learned=("tags",))
    assert Request(keep=["heads", "brackets"]).keep == ("heads", "brackets")
    assert ParserOptions(without="grammars") == ParserOptions(without=("grammars",))
    with pytest.raises(SettingError, match="not 'head'"):
        Request(keep="head")


def test_every_decoder_that_can_be_named_is_there():
    assert set(get_args(HeadDecoder)) == set(HEAD_DECODERS)
    assert set(get_args(TreeDecoder)) == set(TREE_DECODERS)
    assert EVIDENCE in PUNCTUATION


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("labels", "none", "labels must be True or False, not 'none'"),
        ("tags", "classes", "tags must be True or False, not 'classes'"),
        ("flat", None, "flat must be True or False, not None"),
        ("learned", "tag", "learned takes tags, relations, constituents; not 'tag'"),
    ],
)
def test_a_choice_of_the_command_line_is_not_taken_for_yes(name, value, message):
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        Request(**{name: value})


def test_an_unknown_confidence_is_refused():
    with pytest.raises(SettingError, match=r"^confidence must be none or raw or fitted, not True$"):
        Request(confidence=True)


def test_numbers_of_numpy_are_kept_as_those_of_python():
    assert type(ParserOptions(seed=np.int64(3)).seed) is int
    assert type(Request(best=np.int64(2)).best) is int
    assert type(Request(least=np.float32(0.5)).least) is float


@pytest.mark.parametrize(
    "wrong", [{"best": -1}, {"best": 101}, {"best": "x"}, {"best": 1.5}, {"least": 7.0}, {"least": math.nan}]
)
def test_a_number_out_of_range_is_refused_by_the_name_of_its_option(wrong):
    option = {"best": "--n-best", "least": "--min-confidence"}[next(iter(wrong))]
    with pytest.raises(SettingError, match=f"^{option} must be "):
        Request(**wrong)
