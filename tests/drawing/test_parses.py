import json

import pytest

from synparse.corpora.sentences import Sentence
from synparse.drawing.layout import Bars, HeadMap
from synparse.drawing.parses import read_parses, structures_of
from synparse.parsing.formats import FORMATS
from synparse.parsing.parser import Parser
from synparse.parsing.windows import Numbering
from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import DependencyTree
from synparse.trees.errors import DataError

PARSE = {
    "tokens": ["the", ",", "dog", "barked", "."],
    "constituents": [[0, 5], [0, 3]],
    "heads": [3, 3, 4, 0, 4],
    "read": [True, False, True, True, False],
    "distances": [1.5, -2.0],
    "heights": [1, 3.0, 2.0],
}


def test_everything_a_parse_has():
    words = tuple(PARSE["tokens"])
    assert structures_of(PARSE) == [
        Bars("distances", words, (1.5, None, -2.0, None, None), True),
        Bars("heights", words, (1.0, None, 3.0, 2.0, None)),
        induced_tree(words, [(0, 5), (0, 3)]),
        DependencyTree(words, (3, 3, 4, 0, 4)),
    ]


def test_what_is_null_is_left_out():
    nothing = {"constituents": None, "heads": None, "distances": None, "heights": None}
    assert structures_of(PARSE | nothing) == []
    assert structures_of(nothing | {"tokens": [], "read": []}) == []


def test_lines_and_blank_lines():
    line = json.dumps(PARSE) + "\n"
    assert list(read_parses([line, "\n", line], "x")) == [(structures_of(PARSE), "", "")] * 2


def test_long_sentences_are_read_in_chunks_without_a_distance_between():
    parser = Parser.load("balanced")
    parser.longest = 3
    text = "".join(FORMATS["json"]([(Sentence(("w",) * 5), parser.parse(["w " * 5])[0])], Numbering()))
    distances, heights, *_ = structures_of(json.loads(text))
    assert [value is None for value in distances.values] == [False, False, True, False, True]
    assert None not in heights.values


def test_a_line_needs_no_more_than_tokens():
    words = ("the", "dog")
    assert structures_of({"tokens": list(words)}) == []
    assert structures_of({"tokens": list(words), "heads": [2, 0]}) == [DependencyTree(words, (2, 0))]
    [bars] = structures_of({"tokens": list(words), "distances": [1]})
    assert bars.values == (1.0, None)


def test_labels_and_tags_are_drawn_where_there_are_any():
    names = {"labels": ["NT3", "NT1"], "tags": ["C1", "PUNCT", "C2", "C9", "PUNCT"]}
    [tree] = structures_of(PARSE | names | {"distances": None, "heights": None, "heads": None})
    assert tree.constituents == (("NT3", 0, 5), ("NT1", 0, 3))
    assert tree.tags == ("C1", "PUNCT", "C2", "C9", "PUNCT")
    with pytest.raises(ValueError, match="labels must be a list of 2 names"):
        structures_of(PARSE | {"labels": ["NT3"]})
    with pytest.raises(ValueError, match="tags must be a list of 5 names"):
        structures_of(PARSE | {"tags": ["C1"]})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "not an object"),
        ("{}", "tokens must be a list of words"),
        (json.dumps(PARSE | {"read": [True]}), "5 tokens but read has 1"),
        (json.dumps(PARSE | {"heights": [1]}), "1 heights where 3 are needed"),
        (json.dumps(PARSE | {"distances": 1}), "a value of another kind"),
        (json.dumps(PARSE | {"heads": [2, 1, 0, 0, 0]}), "3 words have head 0"),
        (
            json.dumps(PARSE | {"heads": [3, 3, 4, None, 4]}),
            "word 4 has no head; synparse parse --keep heads fills such gaps",
        ),
        (json.dumps(PARSE | {"heads": [3, 3, 4, float("inf"), 4]}), "heads must be a list of numbers"),
        (json.dumps(PARSE | {"constituents": [[0, float("inf")]]}), "a list of starts and ends"),
        (json.dumps(PARSE | {"tags": [5] * 5}), "tags must be a list of 5 names"),
        (json.dumps(PARSE | {"heights": [1, 2, 10**400]}), "a value of another kind"),
        (json.dumps(PARSE | {"head_distributions": [None] * 4 + [[float("nan"), 0, 0, 0, 0, 1]]}), "no probability"),
        (json.dumps(PARSE | {"head_distributions": [None] * 4 + [[7, 0, 0, 0, 0, 1]]}), "no probability"),
        (json.dumps(PARSE | {"constituents": [[0, 9]]}), "lies outside the sentence"),
    ],
)
def test_what_is_no_parse_is_told_with_its_line(line, message):
    with pytest.raises(DataError, match="x:2: not ") as caught:
        list(read_parses(["\n", line], "x"))
    assert message in str(caught.value)


def test_distributions_of_heads_are_a_heat_map():
    rows = [[0.25, 0, 0, 0.75], None, [1, 0, 0, 0]]
    value = {"tokens": ["a", ",", "b"], "read": [True, False, True], "distances": None, "heights": None}
    value |= {"constituents": None, "heads": None, "head_distributions": rows}
    assert structures_of(value) == [HeadMap(("a", ",", "b"), ((0.25, 0, 0, 0.75), None, (1, 0, 0, 0)))]
