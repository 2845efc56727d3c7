"""`synparse grammar` as a user types it."""

import json

import pytest

from synparse.store.grammar_report import grammar_report
from tests.cli.commands import synparse


def test_every_format_describes_the_same_grammars(tiny_grammar, tmp_path):
    report = grammar_report(tiny_grammar)
    assert json.loads(synparse("grammar", tiny_grammar, "--json")) == report
    synparse("grammar", tiny_grammar, "-o", tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == report
    text = synparse("grammar", tiny_grammar)
    assert text.startswith(f"grammars of {tiny_grammar}\n\nWord classes\n")
    for heading in ("Word classes", "Dependencies", "Constituents"):
        assert text.count(f"\n{heading}\n") == 1
    for nonterminal in report["constituents"]:
        assert f"\n{nonterminal['name']}: the root of " in text
    assert "\x1b" not in text
    assert synparse("grammar", tiny_grammar, "--report", tmp_path / "page.html") == text
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "://" not in page
    assert synparse("grammar", tiny_grammar, "-o", tmp_path / "text") == ""
    assert (tmp_path / "text").read_text(encoding="utf-8") == text


def test_options_choose(tiny_grammar):
    chosen = synparse("grammar", tiny_grammar, "--json", "--grammar", 2, "--function-words", "leaves", "--most", 3)
    assert json.loads(chosen) == grammar_report(tiny_grammar, 2, "leaves", 3)
    text = synparse("grammar", tiny_grammar, "--grammar", 2, "--function-words", "leaves", "--most", 3)
    assert "Function words: leaves." in text
    assert "Grammar 2 of 2." in text
    assert "\nC3" in text
    assert "\nC4" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["right-branching"], 2, "right-branching has no grammars; "),
        (["missing"], 1, "missing: no such model"),
        ([], 2, "Missing argument 'MODEL'"),
        (["missing", "--most", "0"], 2, "0 is not in the range x>=1"),
        (["missing", "--format", "svg"], 2, "No such option: --format"),
    ],
)
def test_errors_are_one_line(arguments, code, message, tmp_path):
    assert message in synparse("grammar", *arguments, code=code, cwd=tmp_path)


def test_labels_go_from_parse_to_scores_and_pictures(tiny_grammar, tmp_path):
    (tmp_path / "gold.brackets").write_text(
        "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .))\n(S (NP (PRP she)) (VP (VBZ sleeps)))\n"
    )
    wanted = ["-m", tiny_grammar, "--labels", "induced", tmp_path / "gold.brackets"]
    (tmp_path / "pred.brackets").write_text(synparse("parse", *wanted, "-f", "brackets"))
    scores = synparse(
        "eval", "--score-labels", "--score-tags", "xpos", tmp_path / "pred.brackets", tmp_path / "gold.brackets"
    )
    assert "many-to-one" in scores.lower()
    for format in ("brackets", "json"):
        picture = synparse("show", stdin=synparse("parse", *wanted, "-f", format))
        assert "NT" in picture
        assert "PUNCT" in picture
