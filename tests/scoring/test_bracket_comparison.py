import pytest

from synparse.scoring.bracket_comparison import compare_brackets, labelled_spans
from synparse.scoring.brackets import KeptTree
from synparse.scoring.comparison import Wanted
from synparse.scoring.evalb import Parameters
from synparse.scoring.in_step import NamedLines
from synparse.trees.brackets import read_brackets
from synparse.trees.errors import DataError
from synparse.trees.scored_words import kept_leaves
from synparse.trees.spans import sentence_spans

# Over a b c d e: NP 0–2 and VP 2–5 with PP 3–5; then a sentence of three words, one of one, and punctuation.
GOLD = """\
(S (NP (DT a) (NN b)) (VP (VBD c) (PP (IN d) (NN e))) (. .))
(S (NP (NN a)) (VP (VBD b) (NP-SBJ (NN c))))
(INTJ (UH hm))
"""
# NP 0–2 and 3–5 are found; 0–3 crosses VP. In the second sentence 0–2 is not VP 1–3.
PREDICTED = """\
(X (X (X (DT a) (NN b)) (VBD c)) (X (IN d) (NN e)) (. .))
(X (X (NN a) (VBD b)) (NN c))
(X (UH hm))
"""
ALL = Wanted(breakdowns=True, baselines=True, seed=1, worst=2)


def compare(*predicted, gold=GOLD, **options):
    runs = [NamedLines(f"run{number}", text.splitlines(True)) for number, text in enumerate(predicted, 1)]
    return compare_brackets(runs, NamedLines("gold", gold.splitlines(True)), **options)


def test_hand_worked_scores_of_each_protocol():
    [kim] = compare(PREDICTED).systems
    # Sentence 1: 2 of 3 and 3 spans, F1 2/3; sentence 2: 0 of 1 and 1. Together 2 of 4 and 4.
    assert kim.scores == pytest.approx({"uf1_sentence": 1 / 3, "uf1_corpus": 0.5, "precision": 0.5, "recall": 0.5})
    [shen] = compare(PREDICTED, protocol="shen2018").systems
    assert shen.scores == pytest.approx({"uf1_sentence": 5 / 9, "precision": 5 / 9, "recall": 5 / 9})
    comparison = compare(PREDICTED, protocol="evalb")
    scores = comparison.systems[0].scores
    # Matched are S, NP and PP; S; INTJ. Gold has S, NP, VP, PP; S, NP, VP, NP; INTJ, predicted are 4, 2 and 1.
    assert scores["recall"] == pytest.approx(5 / 9)
    assert scores["precision"] == pytest.approx(5 / 7)
    assert scores["complete_match"] == pytest.approx(1 / 3)
    assert scores["average_crossing"] == pytest.approx(2 / 3)
    assert scores["short_fmeasure"] == scores["fmeasure"] == pytest.approx(10 / 16)
    assert comparison.systems[0].summary.startswith(
        "=== Summary ===\n\n-- All --\nNumber of sentence        =      3\n"
    )


@pytest.mark.parametrize("protocol", ["kim2019", "shen2018", "evalb"])
def test_gold_against_itself_is_perfect_and_nothing_else_is_above_the_ceiling(protocol):
    comparison = compare(GOLD, PREDICTED, protocol=protocol, wanted=ALL)
    main = "fmeasure" if protocol == "evalb" else "uf1_sentence"
    assert comparison.systems[0].scores[main] == 1
    names = [system.name for system in comparison.baselines]
    assert names == ["left-branching", "right-branching", "balanced", "random", "ceiling"]
    *trivial, ceiling = (system.scores[main] for system in comparison.baselines)
    assert all(score <= ceiling <= 1 for score in [*trivial, comparison.systems[1].scores[main]])
    [agreement] = comparison.agreements
    assert (agreement.first, agreement.second) == ("run1", "run2")
    assert agreement.scores[main] == pytest.approx(comparison.systems[1].scores[main])


def test_breakdowns_by_hand():
    [system] = compare(PREDICTED, wanted=ALL).systems
    lengths, labels, depth = system.breakdowns
    assert list(lengths.rows) == ["1-10", "WSJ10", "WSJ40"]
    assert lengths.rows["1-10"]["sentences"] == 2
    assert labels.rows["VP"] == {"gold": 2, "matched": 0, "recall": 0}
    assert labels.rows["PP"] == labels.rows["NP"] == {"gold": 1, "matched": 1, "recall": 1}
    # Gold depths: (2 2 2 3 3) and (1 2 2); predicted: (3 3 2 2 2) and (2 2 1).
    assert depth.rows["gold"]["mean_depth"] == pytest.approx((12 / 5 + 5 / 3) / 2)
    assert depth.rows["predicted"]["mean_depth"] == pytest.approx((12 / 5 + 5 / 3) / 2)


def test_sentences_are_kept_for_significance_and_the_worst_for_drawing():
    comparison = compare(PREDICTED, wanted=ALL)
    ratios = comparison.systems[0].ratios
    assert list(ratios["uf1_sentence"].numerators) == pytest.approx([2 / 3, 0])
    assert list(ratios["uf1_corpus"].denominators) == [6, 2]
    assert [(sentence.number, sentence.score) for sentence in comparison.worst] == [(2, 0), (1, pytest.approx(2 / 3))]
    assert comparison.worst[0].gold.words == ("a", "b", "c")


def test_lengths_are_those_of_scored_words():
    gold = "(S " + " ".join(f"(NN w{n})" for n in range(11)) + " (. .))"
    [system] = compare(gold, gold=gold, wanted=Wanted(breakdowns=True)).systems
    assert list(system.breakdowns[0].rows) == ["11-20", "WSJ40"]


def test_labels_that_are_equally_frequent_are_in_the_order_of_the_alphabet():
    gold = "(S (ZP (A a) (B b)) (YP (C c) (D d)) (XP (E e) (F f)) (WP (G g) (H h)))"
    [table] = [each for each in compare(gold, gold=gold, wanted=ALL).systems[0].breakdowns if each.name == "label"]
    assert list(table.rows) == ["WP", "XP", "YP", "ZP"]


def test_labelled_spans_leave_out_what_sentence_spans_do():
    [(_, tree)] = read_brackets([GOLD.splitlines()[0]], "gold")
    kept = kept_leaves(tree)
    assert {span for _, span in labelled_spans(KeptTree(tree, kept))} == sentence_spans(tree, kept)


def test_predictions_agree_by_evalb_over_the_words_that_are_scored():
    """Without tags of their own, and whether they have the punctuation or lack it. Over a b c d e: 0–5, 0–2, 2–5, 3–5;
    the first has a bracket more, the comma with what follows it, which then is 2–5 a second time."""
    gold = "(S (NP (DT a) (NN b)) (, ,) (VP (VBD c) (PP (IN d) (NN e))) (. .))\n"
    runs = ["(X (X a b) (X , (X c (X d e))) .)\n", "(X (X a b) , (X c (X d e)) .)\n", "(X (X a b) (X c (X d e)))\n"]
    agreements = compare(*runs, gold=gold, protocol="evalb").agreements
    assert [pair.scores["fmeasure"] for pair in agreements] == pytest.approx([2 * 4 / (5 + 4)] * 2 + [1])
    [beside_tags] = compare(runs[1], gold, gold=gold, protocol="evalb").agreements
    assert beside_tags.scores["error_sentences"] == 0


def test_tags_that_delete_other_words_are_evalbs_errors_up_to_a_number():
    wrong = "(S (NP (DT a) (NN b)) (VP (VBD c) (PP (IN d) (NN e))) (NN .))\n"
    gold = GOLD.splitlines(True)[0]
    counts = compare(wrong, gold=gold, protocol="evalb").systems[0].scores
    assert (counts["error_sentences"], counts["valid_sentences"]) == (1, 0)
    parameters = Parameters(max_errors=1)
    assert compare(wrong * 2, gold=gold * 2, protocol="evalb", parameters=parameters).totals["sentences"] == 2
    with pytest.raises(DataError, match="run1:3: in 3 sentences, now 3, tags delete other words"):
        compare(wrong * 3, gold=gold * 3, protocol="evalb", parameters=parameters)


# The spans of PREDICTED with labels; the words with classes, one class for punctuation.
INDUCED = """\
(N9 (N1 (N2 (C1 a) (C2 b)) (C3 c)) (N3 (C1 d) (C2 e)) (C0 .))
(N9 (N2 (C2 a) (C3 b)) (C2 c))
(C4 hm)
"""


def test_induced_labels_and_tags_by_hand():
    wanted = Wanted(labels=True, tags="upos")
    comparison = compare(INDUCED, PREDICTED, wanted=wanted)
    labelled, unlabelled = (system.scores for system in comparison.systems)
    # The spans of gold NP and PP are predicted as N2 and N3, or both as X. Gold and prediction have four spans each.
    assert (labelled["label_many_to_one"], labelled["label_v_measure"], labelled["labelled_f1"]) == (1, 1, 2 / 4)
    assert (unlabelled["label_many_to_one"], unlabelled["label_v_measure"]) == (1 / 2, 0)
    assert unlabelled["labelled_f1"] == 1 / 4
    # C1 is DT and IN, C2 is NN four times, C3 is VBD twice; the third sentence is not scored, nor is the full stop.
    assert labelled["tag_many_to_one"] == pytest.approx(7 / 8)
    assert unlabelled["tag_many_to_one"] == unlabelled["tag_v_measure"] == 1  # they are gold's
    [table] = comparison.systems[0].breakdowns
    assert [(label, row["labelled_recall"]) for label, row in table.rows.items()] == [("VP", 0), ("NP", 1), ("PP", 1)]
    assert "topmost" in comparison.protocol
    older = compare(INDUCED, protocol="shen2018", wanted=wanted).systems[0].scores
    assert older["tag_many_to_one"] == pytest.approx(8 / 9)  # with "hm"
    assert older["labelled_f1"] == 2 / 4


def test_labels_and_tags_change_no_other_score_and_come_after_it():
    plain = compare(INDUCED, wanted=ALL)
    more = compare(INDUCED, wanted=ALL._replace(labels=True, tags="xpos"))
    assert list(more.systems[0].scores.items())[: len(plain.systems[0].scores)] == list(plain.systems[0].scores.items())
    assert more.systems[0].breakdowns[: len(plain.systems[0].breakdowns)] == plain.systems[0].breakdowns
    assert (more.baselines, more.systems[0].ratios) == (plain.baselines, plain.systems[0].ratios)


@pytest.mark.parametrize("protocol", ["kim2019", "evalb"])
def test_other_words_are_told(protocol):
    with pytest.raises(DataError, match="run2:1: sentence 1 has 'x' where gold has 'a'"):
        compare("(X a b)", "(X x b)", gold="(X a b)", protocol=protocol)
