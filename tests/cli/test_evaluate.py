"""``synparse eval``: what it prints, in each form, and what it refuses."""

import functools
import json
from pathlib import Path

import pytest

from tests.cli.commands import SAMPLE, synparse

GOLD = "(S (NP (DT a) (NN b)) (VP (VBD c) (PP (IN d) (NN e))) (. .))\n"
HALF = "(X (X (X (DT a) (NN b)) (VBD c)) (X (IN d) (NN e)) (. .))\n"
RIGHT = "(X (DT a) (X (NN b) (X (VBD c) (X (IN d) (NN e)))) (. .))\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"gold": GOLD, "half": HALF, "right": RIGHT}.items():
        Path(name).write_text(text, encoding="utf-8")


run = functools.partial(synparse, "eval")


def test_one_prediction_as_text():
    assert run("half", "gold").splitlines()[:8] == [
        "prediction         half",
        "gold               gold",
        "sentences          1",
        "  of them scored   1",
        "UF1, sentence      66.67",
        "UF1, corpus        66.67",
        "  precision        66.67",
        "  recall           66.67",
    ]


def test_one_prediction_as_json_has_the_keys_it_always_had():
    result = json.loads(run("half", "gold", "--json"))
    assert result.pop("protocol").startswith("kim2019: ")
    assert result == {
        "prediction": "half",
        "gold": "gold",
        "sentences": 1,
        "scored_sentences": 1,
        "uf1_sentence": 66.67,
        "uf1_corpus": 66.67,
        "precision": 66.67,
        "recall": 66.67,
    }


def test_the_summary_of_evalb_and_its_parameter_file():
    lines = run("half", "gold", "--protocol", "evalb").splitlines()
    assert "Bracketing Recall         =  75.00" in lines
    assert "-- len<=40 --" in lines
    Path("p.prm").write_text("CUTOFF_LEN 3\nDELETE_LABEL S\nDELETE_LABEL X\n", encoding="utf-8")
    result = json.loads(run("half", "gold", "--evalb-params", "p.prm", "--json"))
    assert (result["cutoff"], result["recall"], result["precision"]) == (3, 0, None)
    Path("p.prm").write_text("COLOUR 3\n", encoding="utf-8")
    assert "p.prm:1: 'COLOUR' is not an EVALB parameter" in run("half", "gold", "--evalb-params", "p.prm", code=1)


def test_several_predictions_have_columns_and_tests():
    lines = run("half", "right", "gold", "--significance").splitlines()
    assert lines[0] == "gold               gold"
    assert "                   half  right" in lines
    assert "UF1, corpus        66.67 66.67" in lines
    result = json.loads(run("half", "right", "--gold", "gold", "--significance", "--json", "--seed", "7"))
    assert [evaluation["prediction"] for evaluation in result["runs"]] == ["half", "right"]
    # half has NP 0–2, 0–3 and PP 3–5, right has 1–5, VP 2–5 and PP 3–5: one span of three is the same.
    assert result["agreement"][0]["uf1_corpus"] == 33.33
    test = next(comparison for comparison in result["significance"] if comparison["measure"] == "uf1_corpus")
    assert (test["first"], test["second"], test["difference"], test["randomisation_p"]) == ("half", "right", 0, 1)
    assert {interval["low"] for interval in result["intervals"]} == {66.67}


def test_a_seed_without_significance_is_refused():
    assert "--seed: needs --significance" in run("half", "gold", "--seed", "7", code=2)


def test_seeds_have_a_mean_and_a_deviation():
    for seed in (1, 2):
        Path(f"half-{seed}").write_text(Path("half").read_text(encoding="utf-8"), encoding="utf-8")
    lines = run("half-1", "half-2", "gold").splitlines()
    assert "                   half-1 half-2 mean  deviation" in lines
    assert "UF1, corpus        66.67  66.67  66.67 0.00" in lines


def test_baselines_and_ceilings_stand_beside_the_scores():
    result = json.loads(run("half", "gold", "--baselines", "--json"))
    assert list(result["baselines"]) == ["left-branching", "right-branching", "balanced", "random", "ceiling"]
    assert result["baselines"]["right-branching"]["uf1_corpus"] == 66.67
    assert result["baselines"]["ceiling"]["uf1_corpus"] == 100
    result = json.loads(run(SAMPLE / "gold.conllu", SAMPLE / "gold.conllu", "--baselines", "--json"))
    assert result["baselines"]["previous word"]["uas"] == 3.95
    assert result["uas"] == result["baselines"]["ceiling"]["uas"] == 100


def test_breakdowns_are_tables_below():
    text = run("half", "gold", "--breakdown")
    assert "\nby label\n" in text
    assert "VP                 1    0       0.00\n" in text
    rows = json.loads(run("half", "gold", "--breakdown", "--json"))["breakdowns"]
    assert {"trees": "gold", "mean_depth": 2.4} in rows["depth"]
    text = run(SAMPLE / "gold.conllu", SAMPLE / "gold.conllu", "--breakdown")
    assert "\nby relation\n" in text


def test_labels_and_tags_have_scores_below_the_others():
    Path("induced").write_text("(N1 (N2 (C1 a) (C2 b)) (N3 (C3 c) (N2 (C1 d) (C2 e))) (C0 .))\n", encoding="utf-8")
    text = run("induced", "gold", "--score-labels", "--score-tags", "xpos")
    assert text.splitlines()[8:17] == [
        "many-to-one, label 66.67",  # N2 is NP and PP
        "V-measure, label   73.37",
        "  homogeneity      57.94",
        "  completeness     100.00",
        "labelled F1        66.67",
        "many-to-one, tag   80.00",  # C1 is DT and IN
        "V-measure, tag     88.39",
        "  homogeneity      79.19",
        "  completeness     100.00",
    ]
    assert text.endswith(
        "\nby topmost label\n"
        "topmost gold label gold matched recall labelled labelled recall\n"
        "NP                 1    1       100.00 1        100.00\n"
        "VP                 1    1       100.00 1        100.00\n"
        "PP                 1    1       100.00 0        0.00\n"
    )
    result = json.loads(run("induced", "half", "gold", "--score-labels", "--score-tags", "upos", "--json"))
    induced, half = result["runs"]
    assert [key for key in induced if key.startswith(("label", "tag"))] == [
        *("label_many_to_one", "label_v_measure", "label_homogeneity", "label_completeness", "labelled_f1"),
        *("tag_many_to_one", "tag_v_measure", "tag_homogeneity", "tag_completeness"),
    ]
    assert half["label_many_to_one"] == 50  # half has NP and PP, both X
    assert half["breakdowns"]["topmost_label"][0] == {
        "topmost gold label": "NP", "gold": 1, "matched": 1, "recall": 100, "labelled": 1, "labelled_recall": 100,
    }  # fmt: skip
    text = run(SAMPLE / "gold.conllu", SAMPLE / "gold.conllu", "--score-tags", "upos")
    assert "V-measure, tag     100.00\n" in text


def test_tags_and_relations_that_are_not_there_are_told_with_what_writes_them():
    lines = (SAMPLE / "gold.conllu").read_text(encoding="utf-8").splitlines()[:30]
    bare = [line.split("\t") for line in lines]
    bare = [[*row[:3], "_", "_", "_", row[6], "dep", *row[8:]] if len(row) > 1 else row for row in bare]
    Path("gold.conllu").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Path("bare.conllu").write_text("".join("\t".join(row) + "\n" for row in bare), encoding="utf-8")
    Path("bare").write_text("(X (X (_ a) (_ b)) (X (_ c) (X (_ d) (_ e))) (_ .))\n", encoding="utf-8")
    for arguments, hint in (
        (("bare.conllu", "gold.conllu", "--score-tags", "upos"), "no tags to score; synparse parse --tags classes"),
        (("bare.conllu", "gold.conllu", "--score-relations", "full"), "no relations to score but dep; synparse parse"),
        (("bare", "gold", "--score-tags", "xpos"), "no tags to score; synparse parse --tags classes"),
    ):
        error = run(*arguments, code=1)
        assert error.startswith(f"synparse: {arguments[0]}: {hint}")
        assert run(*arguments[:2])


def test_conll18_prints_its_metrics():
    text = run(SAMPLE / "gold.conllu", SAMPLE / "gold.conllu", "--protocol", "conll18")
    assert "CLAS               100.00    100.00 100.00 100.00\n" in text


def test_tab_separated_and_latex():
    lines = run("half", "right", "gold", "--tsv").splitlines()
    assert "\thalf\tright" in lines
    assert "UF1, corpus\t66.67\t66.67" in lines
    text = run("half", "gold", "--latex")
    assert "UF1, corpus & 66.67 \\\\\n" in text
    assert text.count("\\begin{tabular}{lr}") == text.count("\\end{tabular}") == 1


def test_the_report_is_a_page_with_the_worst_sentences():
    run("half", "gold", "--report", "out.html")
    page = Path("out.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    assert "66.67" in page
    assert page.count("<article") == 1
    assert "by gold label" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["half", "gold", "--protocol", "uf1"],
            "'uf1' is not one of 'kim2019', 'shen2018', 'evalb', 'conll18' (see",
        ),
        (["half", "gold", "--protocol", "kim2019", "--evalb-params", "p"], "--evalb-params needs --protocol evalb"),
        (["half", "gold", "--protocol", "conll18"], "conll18 scores CoNLL-U"),
        (["half", "gold", "--score-tags", "lemma"], "'lemma' is not one of 'upos', 'xpos' (see"),
        (["half", "gold", "--score-labels", "--protocol", "evalb"], "--score-labels does not go with --protocol evalb"),
        (["half", "gold", "--json", "--tsv"], "one of --json, --tsv and --latex at most"),
        (["half"], "name one gold file"),
        (["-", "half", "-"], "only one file can be standard input"),
        (["-", "gold", "--evalb-params", "-"], "only one file can be standard input"),
        ([SAMPLE / "gold.conllu", SAMPLE / "gold.conllu", "--protocol", "evalb"], "evalb scores bracketed trees"),
        ([SAMPLE / "gold.conllu", "gold"], "holds CoNLL-U, but the gold file gold holds bracketed trees"),
    ],
)
def test_wrong_usage(arguments, message):
    assert message in run(*arguments, code=2)


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        (HALF, GOLD * 2, "pred: ends after 1 sentence, but gold continues"),
        (HALF * 2, GOLD, "gold: ends after 1 sentence, but pred continues"),
        (HALF.replace("c)", "x)"), GOLD, "pred:1: sentence 1 has 'x' where gold has 'c'"),
        ("\n(())\n", GOLD, "pred:2: a bracket without words"),
        ("", "", "gold: holds no"),
        ("", GOLD, "pred: ends after 0 sentences"),
    ],
)
def test_bad_data_is_told_with_its_place(predicted, gold, message):
    Path("pred").write_text(predicted, encoding="utf-8")
    Path("gold").write_text(gold, encoding="utf-8")
    for protocol in ([], ["--protocol", "evalb"]):
        assert message in run("pred", "gold", *protocol, code=1)


def heads(*values):
    return "".join(f"{n}\tw\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for n, head in enumerate(values, 1)) + "\n"


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        (heads(0, 1), heads(2, 1), "gold:1: sentence 1 is not a gold tree: no word has head 0"),
        (heads(0, 1, 2), heads(0, 3, 2), "gold:1: sentence 1 is not a gold tree: word 2 is in a cycle"),
        (heads(0, 1), heads(0, 0), "gold:1: sentence 1 is not a gold tree: 2 words have head 0"),
        (heads(0, 7), heads(0, 1), "pred:2: word 2 (w) has head '7', which is no word of the sentence"),
    ],
)
def test_heads_that_are_none_are_told_with_their_place(predicted, gold, message):
    Path("pred").write_text(predicted, encoding="utf-8")
    Path("gold").write_text(gold, encoding="utf-8")
    assert message in run("pred", "gold", code=1)
