"""What a page holds on which trees are corrected; what its script does is tested in `test_editing`."""

import json
import re

import pytest

from synparse.drawing.editor import BUTTONS, SCRIPT, editor_page
from synparse.trees.errors import DataError
from tests.drawing.test_page import Outline, policy

CONLLU = """\
# alone

# sent_id = <7>
# text = Don't!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\t_\t_\t_\t_\t2\t_\t_\t_
2\t</script>\t_\t_\t_\t_\t1\t_\t_\t_

1\tנבח\t_\t_\t_\t_\t_\t_\t_\t_


"""
BRACKETS = "\n( (S a\n (VP b)) ) (S c d)(S e) \n (S f)\n\n"
NOTICE = "*x*x*\n*x*  Copyright (C) 1991  *x*\n\n(S a)\n*x*x*\n(S (N b))\n"
JSON = '\n{"tokens": ["a"], "constituents": null, "heads": [0], "other": 1.50}\n\n{"tokens": []}\n{"tokens": ["b"]}'


def edited(text, **options):
    return editor_page(text.splitlines(True), "runs/drafts.conllu.gz", **options)


def held(page):
    return json.loads(re.search(r'<script type="application/json" id="pieces">(.*?)</script>', page, re.DOTALL)[1])


def headings(page):
    return Outline(page).inside("h3")


@pytest.mark.parametrize("text", [CONLLU, CONLLU.replace("\n", "\r\n"), BRACKETS, NOTICE, JSON])
def test_a_page_holds_the_file_as_it_is(text):
    assert "".join(piece["text"] for piece in held(edited(text))["pieces"]) == text


def test_each_sentence_is_a_piece_and_has_its_place():
    page = edited(CONLLU)
    assert headings(page) == ["sentence 1, sent_id <7>", "sentence 2"]
    assert re.findall('data-piece="(.)"', page) == ["1", "2"]
    assert [piece["fromRight"] for piece in held(page)["pieces"]] == [False, False, True, False]  # one of blank lines
    assert Outline(page).inside("label") == [" checked"] * 2
    assert [piece["text"].strip() for piece in held(edited(BRACKETS))["pieces"]] == [
        "( (S a\n (VP b)) )",
        "(S c d)",
        "(S e)",
        "(S f)",
        "",
    ]
    assert re.findall('data-piece="(.)"', edited(NOTICE)) == ["2", "4"]
    assert "label" not in Outline(edited(BRACKETS)).texts  # brackets have no place for a mark
    assert headings(edited(JSON)) == ["sentence 1", "sentence 3"]  # as `synparse show` counts them
    assert headings(edited('{"sent_id": 0, "tokens": ["a"]}')) == ["sentence 1, sent_id 0"]


def test_the_file_and_what_is_kept_have_their_names():
    first, other = held(edited(CONLLU)), held(edited(CONLLU + CONLLU))
    assert first["file"] == "drafts.conllu"
    assert first["key"] != other["key"]
    assert held(editor_page([BRACKETS], "<stdin>"))["file"] == "trees.brackets"


def test_some_sentences_are_chosen_and_nothing_is_read_past_the_last():
    def lines():
        yield from BRACKETS.splitlines(True)
        raise AssertionError("read too far")

    page = editor_page(lines(), "file", first=2, last=3)
    assert [piece["text"] for piece in held(page)["pieces"]] == [" (S c d)", "(S e)"]
    assert headings(page) == ["sentence 2", "sentence 3"]
    assert held(page)["file"] == "file-2-3"
    assert held(edited(CONLLU, first=2))["file"] == "drafts-2-2.conllu"  # to the end
    with pytest.raises(DataError, match="no sentence 3 to edit: the file holds 2"):
        edited(CONLLU, first=3)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (CONLLU.replace("\t_\n", "\n", 1), ":5: 9 columns"),
        ("(S a) b (S c)", ":1: text outside of brackets: 'b'"),
        ("(S a) b", ":1: text outside of brackets: 'b'"),
        ("(S a))", ":1: a bracket is closed here"),
        ("(S (X a)\n", ":1: the bracket .S is never closed"),
        ('{"tokens": "a"}', ":1: not what `parse --format json` writes"),
    ],
)
def test_what_is_malformed_is_refused(text, fault):
    with pytest.raises(DataError, match=f"drafts.conllu.gz{fault}"):
        edited(text)


def test_a_page_runs_its_own_script_alone_and_names_its_keys():
    page = edited(CONLLU)
    assert page.count("</script>") == 2
    assert policy(page)["script-src"].startswith("'sha256-")
    assert policy(page)["default-src"] == "'none'"
    assert re.findall('data-key="(.)"', page) == list(BUTTONS)
    assert all(f" {key}: " in SCRIPT for key in BUTTONS)
