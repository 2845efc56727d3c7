import pytest

from synparse.scoring.evalb import EvalbCounts, Parameters, read_parameters, score_trees, sentence_length, summary
from synparse.trees.errors import DataError
from tests.trees.written import tree

COLLINS = """\
## the parameters that papers use
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""


def score(gold, predicted, parameters=None):
    return score_trees(tree(gold), tree(predicted), parameters or Parameters())


def test_the_parameter_file_of_the_papers():
    parameters = read_parameters(COLLINS.splitlines(True), "COLLINS.prm")
    defaults = Parameters()
    assert parameters.deleted == defaults.deleted - {"ROOT", "S1"}
    assert parameters.deleted_for_length == {"-NONE-"}
    assert parameters.equal_labels == {("ADVP", "PRT"), ("PRT", "ADVP")}
    assert (parameters.labelled, parameters.cutoff, parameters.max_errors) == (True, 40, 10)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELETE_LABLE X", "p:2: 'DELETE_LABLE' is not an EVALB parameter"),
        ("CUTOFF_LEN many", "p:2: CUTOFF_LEN takes a whole number, not 'many'"),
        (f"CUTOFF_LEN {'9' * 5000}", "p:2: CUTOFF_LEN takes a whole number"),
        ("EQ_LABEL ADVP", "p:2: EQ_LABEL takes two values, not 'ADVP'"),
        ("DELETE_LABEL", "p:2: DELETE_LABEL takes one value, not ''"),
    ],
)
def test_what_a_parameter_file_may_not_hold_is_told(line, message):
    with pytest.raises(DataError, match=message):
        read_parameters(["# comment\n", f"{line}\n"], "p")


GOLD = "(S (NP (DT the) (NN dog)) (, ,) (VP (VBD ran) (PRT (RP off))) (. .))"


def test_a_hand_worked_sentence():
    # Over "the dog ran off", gold: S 0–4, NP 0–2, VP 2–4, PRT 3–4. The prediction has ADJP for VP, and ADVP, which is
    # the same as PRT, over a word whose tag is wrong.
    counts = score(GOLD, "(S (NP (DT the) (NN dog)) (, ,) (ADJP (VBD ran) (ADVP (RB off))) (. .))")
    assert (counts.matched, counts.gold, counts.predicted, counts.complete) == (3, 4, 4, 0)
    assert (counts.words, counts.correct_tags, counts.crossing) == (4, 3, 0)
    # NP 1–3 crosses both NP 0–2 and VP 2–4, and counts once.
    crossed = score(GOLD, "(S (DT the) (NP (NN dog) (, ,) (VBD ran)) (ADVP (RP off)) (. .))")
    assert (crossed.matched, crossed.gold, crossed.predicted, crossed.crossing) == (2, 4, 3, 1)
    assert (crossed.without_crossing, crossed.two_or_less) == (0, 1)


def test_labels_lose_their_function_and_unlabelled_means_any():
    gold, predicted = "(TOP (S-TPC (NP=2 (DT a) (NN b)) (VBD c)))", "(S (VP (DT a) (NN b)) (VBD c))"
    assert score(gold, predicted).matched == 1
    assert score(gold, predicted, Parameters(labelled=False)).matched == 2
    assert score(gold, "(S-ADV (NP-SBJ (DT a) (NN b)) (VBD c))").complete == 1


def test_each_constituent_of_a_chain_matches_once():
    gold, predicted = "(S (NP (NP (DT a) (NN b))) (VBD c))", "(S (NP (DT a) (NN b)) (VBD c))"
    assert (score(gold, predicted).matched, score(gold, predicted).gold) == (2, 3)
    assert score(gold, predicted).complete == score(predicted, gold).complete == 0
    assert (score(predicted, gold).matched, score(predicted, gold).predicted) == (2, 3)


def test_traces_and_what_holds_nothing_else_leave_both_trees():
    gold = "(S (NP (PRP I)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*)))))"
    assert score(gold, "(S (NP (PRP I)) (VP (VBD said)))").complete == 1
    assert sentence_length(tree(gold), Parameters()) == 2


def test_induced_trees_are_compared_without_labels_and_lose_what_gold_loses():
    counts = score(GOLD, "(X (X (_ the) (_ dog)) (_ ,) (X (_ ran) (_ off)) (_ .))")
    assert (counts.matched, counts.predicted, counts.correct_tags) == (3, 3, 0)
    assert score(GOLD, "(S (X (DT the) (NN dog)) (, ,) (VBD ran) (RP off) (. .))").matched == 1  # X is a label here
    without = score(GOLD, "(X (X the dog) (X ran off))")
    assert (without.matched, without.predicted) == (3, 3)
    dollar = score("(S (NP ($ $) (CD 5)) (VP (VBD fell)))", "(X (X 5 fell))")  # UF1 leaves $ out, EVALB does not
    assert (dollar.words, dollar.errors) == (2, 0)


def test_sentences_that_evalb_cannot_score():
    assert score(GOLD, "(S (DT the) (NN dog) (NN ,) (VBD ran) (RP off) (. .))") == EvalbCounts(sentences=1, errors=1)
    assert score("(S (UH hm))", "(S (. hm))") == EvalbCounts(sentences=1, skipped=1)
    assert score("(S (UH hm))", "(S (UH hmm))") == EvalbCounts(sentences=1, errors=1)
    assert score("(S (UH hm))", "(S (UH hmm))", Parameters(equal_words=frozenset({("hm", "hmm")}))).words == 1


@pytest.mark.parametrize(("crossing", "few"), [(0, 1), (2, 1), (3, 0)])
def test_few_crossing_constituents_are_two_at_most(crossing, few):
    gold = "(S " + " ".join(f"(NP (A a{n}) (B b{n}))" for n in range(4)) + ")"
    pairs = " ".join(f"(X (B b{n}) (A a{n + 1}))" for n in range(crossing))
    predicted = f"(S (A a0) {pairs} (B b{crossing}) " if crossing else "(S (A a0) (B b0) "
    predicted += " ".join(f"(A a{n}) (B b{n})" for n in range(crossing + 1, 4)) + ")"
    counts = score(gold, predicted)
    assert (counts.crossing, counts.two_or_less) == (crossing, few)


def test_quotes_that_one_tree_deletes_are_put_back():
    gold, predicted = "(S (NP (NNS dogs) (POS ')) (NN day))", "(S (NP (NNS dogs) ('' ')) (NN day))"
    assert score(gold, predicted).errors == 1
    counts = score(gold, predicted, Parameters(quotes=frozenset({"POS", "''"})))
    assert (counts.errors, counts.matched, counts.words, counts.correct_tags) == (0, 2, 3, 2)
    for trace, other in (("(NP (-NONE- *T*-1))", ""), ("", "(NP (-NONE- *))")):  # is no word beside a quote
        of_gold, of_predicted = gold.replace("(S", f"(S {trace}"), predicted.replace("(S", f"(S {other}")
        traces = Parameters(quotes=frozenset({"POS", "''"}), deleted=Parameters().deleted | {"-NONE-"})
        assert score(of_gold, of_predicted, traces) == counts
    shorter = "(S (NP (NNS dogs)) (NN day))"
    assert score(gold, shorter, Parameters(quotes=frozenset({"POS", "''"}))).errors == 1


def test_the_summary_is_evalbs():
    counts = score(GOLD, "(S (DT the) (NP (NN dog) (, ,) (VBD ran)) (ADVP (RP off)) (. .))")
    assert summary(counts + EvalbCounts(sentences=1, errors=1), EvalbCounts(), 3).splitlines() == [
        "=== Summary ===",
        "",
        "-- All --",
        "Number of sentence        =      2",
        "Number of Error sentence  =      1",
        "Number of Skip  sentence  =      0",
        "Number of Valid sentence  =      1",
        "Bracketing Recall         =  50.00",
        "Bracketing Precision      =  66.67",
        "Bracketing FMeasure       =  57.14",
        "Complete match            =   0.00",
        "Average crossing          =   1.00",
        "No crossing               =   0.00",
        "2 or less crossing        = 100.00",
        "Tagging accuracy          = 100.00",
        "",
        "-- len<=3 --",
        "Number of sentence        =      0",
        "Number of Error sentence  =      0",
        "Number of Skip  sentence  =      0",
        "Number of Valid sentence  =      0",
        "Bracketing Recall         =   0.00",
        "Bracketing Precision      =   0.00",
        "Bracketing FMeasure       =   0.00",
        "Complete match            =   0.00",
        "Average crossing          =   0.00",
        "No crossing               =   0.00",
        "2 or less crossing        =   0.00",
        "Tagging accuracy          =   0.00",
    ]
