import json

import pytest

from synparse.corpora.sentences import Sentence
from synparse.parsing.jobs import Writing, parsed_text
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.trees import json_lines
from synparse.trees.conllu import SurfaceToken, offsets_of
from synparse.trees.errors import DataError
from synparse.trees.json_lines import read_json_lines

GOOD = {"tokens": ["a", ",", "b"], "constituents": [[0, 3]], "heads": [3, 3, 0], "read": [True, False, True]}


def read(*values):
    return list(read_json_lines([json.dumps(value) + "\n" for value in values], "x"))


@pytest.mark.parametrize("model", ["balanced", "chain"])
def test_what_parse_writes_is_read(model):
    parser = Parser.load(model)
    sentences = ["the dog , which barked , slept .", "", "hello", ". .", "été ( a )"]
    parses = parser.parse(sentences)
    lines = parsed_text(
        parser, [Sentence(parse.tokens) for parse in parses], Writing("json", Request("unbiased", "mst"))
    )
    records = list(read_json_lines("".join(lines).splitlines(keepends=True), "x"))
    assert [(parse.tokens, parse.tree, parse.heads) for parse in records] == [
        (parse.tokens, parse.tree, parse.heads) for parse in parses
    ]


def test_labels_and_tags_are_those_of_the_tree():
    [record] = read({**GOOD, "constituents": [[1, 3], [0, 3]], "labels": ["NT2", "NT1"], "tags": ["C1", "PUNCT", ""]})
    assert record.tree.constituents == (("NT1", 0, 3), ("NT2", 1, 3))
    assert record.tree.tags == ("C1", "PUNCT", "")
    assert read({**GOOD, "labels": None, "tags": None}) == read(GOOD)


def test_what_parse_does_not_write_is_read_too_but_not_what_it_writes_anew():
    [record] = read({**GOOD, "sent_id": "d-7", "checked": True, "note": ["x"], "uncertain": [True], "entropy": 1.5})
    assert (record.sent_id, record.others) == ("d-7", {"checked": True, "note": ["x"]})


@pytest.mark.parametrize(("given", "read_as"), [(0, "0"), (7, "7"), ("", ""), (None, "")])
def test_the_number_of_a_sentence_may_be_a_number(given, read_as):
    [record] = read({**GOOD, "sent_id": given})
    assert record.sent_id == read_as


def test_tags_and_relations_need_no_tree():
    [record] = read({"tokens": ["(", "dog"], "tags": ["(", "_"], "relations": ["punct", ""]})
    assert (record.tags, record.relations) == (("(", "_"), ("punct", ""))
    [record] = read({**GOOD, "tags": ["(", "_", ""]})
    assert record.tree.tags == ("(", "", "")


def test_null_and_missing_values_are_none_and_blank_lines_are_ignored():
    [record] = read_json_lines(["\n", '{"tokens": ["a"], "heads": null}\n', " \n"], "x")
    assert record == (("a",), None, None, "", (), None, None, "", {})


ZUM = {**GOOD, "tokens": ["Zu", "dem", "Dom", "."], "constituents": None, "heads": None, "text": "Zum Dom."}


def test_offsets_say_how_tokens_are_written():
    [record] = read(ZUM | {"offsets": [[0, 3], [0, 3], [4, 7], [7, 8]]})
    assert record.text == "Zum Dom."
    assert record.surface == (SurfaceToken("Zum", 2), SurfaceToken("Dom", 1, False), SurfaceToken("."))
    assert offsets_of(record.surface, record.text) == [(0, 3), (0, 3), (4, 7), (7, 8)]
    assert read(ZUM)[0].surface == ()


def test_tokens_without_offsets_are_looked_for_in_the_text():
    [record] = read({"text": "It isn't.", "tokens": ["It", "is", "n't", "."]})
    assert record.surface == (
        SurfaceToken("It"),
        SurfaceToken("is", 1, False),
        SurfaceToken("n't", 1, False),
        SurfaceToken("."),
    )
    assert read({"text": "It isn't.", "tokens": ["It", "is", "not", "."]})[0].surface == ()
    assert read({"text": "It is n't .", "tokens": ["It", "is", "n't", "."]})[0].surface == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": [[0, 3]]}, "offsets must be a list of 4 starts and ends"),
        ({"offsets": [[0, 3], [0, 3], [4, 7], [7]]}, "offsets must be a list of 4"),
        ({"offsets": [[0, 3], [0, 3], [4, 7], [7, 9]]}, "no token of the text at the offsets 7, 9"),
        ({"offsets": [[0, 3], [0, 3], [4, 7], [6, 8]]}, "no token of the text at the offsets 4, 7"),
        ({"offsets": [[0, 3], [0, 3], [4, 6], [7, 8]]}, "no token of the text at the offsets 4, 6"),
        (
            {"offsets": [[0, 3], [0, 3], [4, 7], [7, 8]], "text": "Z\nm Dom."},
            "no token of the text at the offsets 0, 3",
        ),
        ({"text": 5}, "text must be a string"),
    ],
)
def test_offsets_that_do_not_fit_are_told(changes, message):
    with pytest.raises(DataError, match=f"^x:1: not what `parse --format json` writes: {message}"):
        read(ZUM | changes)


def test_text_without_tokens_is_told_what_to_do():
    with pytest.raises(DataError, match="text without tokens; write the text alone, a sentence a line"):
        read({"text": "The dog barked."})


def test_heads_of_some_tokens_may_be_unknown():
    [record] = read({**GOOD, "heads": [3, None, 0]})
    assert record.heads == (3, None, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": None}, "tokens must be a list of words"),
        ({"tokens": ["a", 1, "b"]}, "tokens must be"),
        ({"tokens": ["a", "", "b"]}, "tokens must be"),
        ({"tokens": ["a", "\ud800", "b"]}, "tokens must be"),
        ({"tokens": ["a", "b\nc", "d"]}, "tokens must be"),
        ({"tokens": ["a", "b\0", "d"]}, "tokens must be"),
        ({"constituents": {"0": 3}}, "constituents must be"),
        ({"constituents": [[0]]}, "constituents must be"),
        ({"constituents": [[0, 2.5]]}, "constituents must be"),
        ({"constituents": [[0, True]]}, "constituents must be"),
        ({"constituents": [[0, 4]]}, "lies outside the sentence"),
        ({"constituents": [[0, 2], [1, 3]]}, "crosses another one"),
        ({"labels": []}, "labels must be a list of 1 names"),
        ({"labels": "X"}, "labels must be a list of 1 names"),
        ({"labels": ["a b"]}, "labels must be a list of 1 names"),
        ({"tags": ["a", "b"]}, "tags must be a list of 3 names"),
        ({"tags": ["a", "b", None]}, "tags must be a list of 3 names"),
        ({"tags": ["a", "b", "a b"]}, r"tags must be a list of 3 names without blanks \(_ where there is none\)"),
        ({"tags": ["a", "b", "c\0"]}, "tags must be a list of 3 names"),
        ({"relations": ["a", "b"]}, "relations must be a list of 3 names"),
        ({"heads": [3, 3]}, "one for each token"),
        ({"heads": [3, 3, "0"]}, "heads must be"),
        ({"heads": [3, 3, False]}, "heads must be"),
        ({"heads": [3, 3, 9]}, "word 3 has head 9"),
        ({"heads": [2, 1, 0]}, "in a cycle"),
        ({"heads": [0, 1, 0]}, "2 words have head 0"),
    ],
)
def test_an_object_without_a_tree_is_an_error_that_names_the_line(change, message):
    with pytest.raises(DataError, match=f"^x:2: not what `parse --format json` writes: .*{message}"):
        read(GOOD, {**GOOD, **change})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", r"not an object; .*jq -c '\.\[\]'"),
        ("{", r"Expecting.*jq -c \. "),
        ("[" * 100_000, "deep"),
        ('{"tokens": ' + "9" * 5000 + "}", "x:1: "),
    ],
)
def test_a_line_that_is_not_json_is_an_error(line, message):
    with pytest.raises(DataError, match=message):
        list(read_json_lines([line], "x"))


def test_a_line_longer_than_the_limit_is_an_error(monkeypatch):
    monkeypatch.setattr(json_lines, "LONGEST_JSON_LINE", 50)
    with pytest.raises(DataError, match="x:1: a line of more than 50 characters"):
        read(GOOD)
