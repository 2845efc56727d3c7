import pytest

from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.brackets import aligned_trees, gold_lacks_penn_tags
from synparse.scoring.in_step import NamedLines
from synparse.trees.errors import DataError


def brackets(predicted, gold, protocol="kim2019"):
    """The totals and the scores of one prediction."""
    files = [NamedLines(name, text.splitlines(True)) for name, text in (("pred", predicted), ("gold", gold))]
    comparison = compare_brackets(files[:1], files[1], protocol)
    return comparison.totals, comparison.systems[0].scores


TREE = "(S (NP (DT the) (NN dog)) (, ,) (NP (-NONE- *T*)) (VP (VBD barked) (RB loudly)))"


@pytest.mark.parametrize(
    "predicted",
    [
        "(X (X (_ the) (_ dog)) (_ ,) (X (_ barked) (_ loudly)))",
        "(X (X (_ the) (_ dog)) (_ ,) (_ *T*) (X (_ barked) (_ loudly)))",
        "(X (X the dog) (X barked loudly))",
    ],
)
def test_trees_line_up_with_traces_and_punctuation_or_without(predicted):
    _, scores = brackets(predicted, TREE)
    assert scores["uf1_sentence"] == scores["recall"] == 1


def test_white_space_in_a_word_is_as_brackets_are_written():
    _, scores = brackets("(X (X (_ 10_000) (_ dogs)) (_ bark))", "(S (NP (CD 10\u00a0000) (NNS dogs)) (VBP bark))")
    assert scores["uf1_sentence"] == scores["recall"] == 1


@pytest.mark.parametrize(
    ("predicted", "gold"),
    [
        ("(X the dog barked loud)", "(S (DT the) (NN dog) (, ,) (VBD barked) (RB loudly) (. .))"),
        ("(X the dog , barked loud .)", "(S (DT the) (NN dog) (VBD barked) (RB loudly))"),
        ("(X the dog , barked loud)", "(S (DT the) (NN dog) (, ,) (VBD barked) (RB loudly))"),
        ("(X the dogs ' loud .)", "(S (DT the) (NNS dogs) (POS ') (RB loudly) (. .))"),
    ],
)
def test_another_word_is_told_and_not_punctuation_that_one_side_lacks(predicted, gold):
    with pytest.raises(DataError, match="pred:1: sentence 1 has 'loud' where gold has 'loudly'"):
        brackets(predicted, gold)


def test_sentences_of_one_word_are_not_scored():
    totals, _ = brackets("(X (_ Hi) (_ .))\n(X (X a b) c)", "(X (UH Hi) (. .))\n(X (X a b) c)")
    assert totals == {"sentences": 2, "scored_sentences": 1}


def test_the_older_protocol_takes_sentences_of_one_word_along():
    # Sentence 1: one word, score 1. Sentence 2: of (0, 2) and (0, 3), (1, 3) and (0, 3) are predicted: 1/2.
    gold, predicted = "(X (UH Hi) (. .))\n(S (X (X a b) c) d)", "(X (_ Hi) (_ .))\n(S (X a (X b c)) d)"
    assert brackets(predicted, gold, "kim2019")[1]["uf1_sentence"] == pytest.approx(0.5)
    _, older = brackets(predicted, gold, "shen2018")
    assert older == pytest.approx({"uf1_sentence": 0.75, "precision": 0.75, "recall": 0.75})


@pytest.mark.parametrize("tagged", [True, False])
def test_gold_without_punctuation_lines_up_with_predictions_that_have_it(tagged):
    predicted = "(X (X (DT the) (NN dog)) (, ,) (X (VBD barked) (RB loudly)) (. .))"
    if not tagged:
        predicted = "(X (X the dog) , (X barked loudly) .)"
    _, scores = brackets(predicted, "(S (NP (DT the) (NN dog)) (VP (VBD barked) (RB loudly)))")
    assert scores["uf1_sentence"] == 1


def test_induced_tags_do_not_tell_punctuation():
    predicted = "(N1 (N2 (C1 the) (C2 dog)) (C0 ,) (N3 (C3 barked) (C4 loudly)) (C0 .))"
    _, scores = brackets(predicted, "(S (NP (DT the) (NN dog)) (VP (VBD barked) (RB loudly)))")
    assert scores["uf1_sentence"] == 1


def test_punctuation_without_a_tag_is_no_word_beside_a_phrase_of_one_word():
    _, scores = brackets("(X (X (X the dog) barked) .)", "(S (NP the dog) (VP barked) .)")
    assert scores["precision"] == scores["recall"] == 1


def test_several_predictions_are_read_in_step():
    runs = [NamedLines("one", ["(X a (X b c))\n"]), NamedLines("two", ["(X (X a b)", " c)\n"])]
    [(number, gold, predicted, lines)] = aligned_trees(runs, NamedLines("gold", ["(S (A a b) c)"]))
    assert (number, gold.kept, lines) == (1, [True] * 3, (1, 1))
    assert predicted[1].tree.constituents[1][1:] == (0, 2)


def test_the_run_that_ends_early_or_goes_on_is_named():
    def read(*texts):
        gold, *runs = [NamedLines(f"file{n}", [text]) for n, text in enumerate(texts)]
        return list(aligned_trees(runs, gold))

    with pytest.raises(DataError, match="file2: ends after 1 sentence, but file0 continues"):
        read("(X a)(X b)", "(X a)(X b)", "(X a)")
    with pytest.raises(DataError, match="file0: ends after 1 sentence, but file2 continues"):
        read("(X a)", "(X a)", "(X a)(X b)")


@pytest.mark.parametrize(
    ("gold", "message"), [("", "gold: holds no trees"), ("\n(())", "gold:2: a bracket without words")]
)
def test_empty_files_and_empty_trees_are_told(gold, message):
    with pytest.raises(DataError, match=message):
        brackets("", gold)


# Gold (0, 2), and (2, 4) if the comma is no word; the second sentence has a word and punctuation.
SPANISH = "(S (sn (da El) (nc perro)) (Fc ,) (sadv (rg muy) (rg bien)) (Fp .))\n(S (np Eva) (Fit ?))\n"


@pytest.mark.parametrize(
    "predicted",
    [
        "(X (X (_ El) (_ perro)) (_ ,) (X (_ muy) (_ bien)) (_ .))\n(X (_ Eva) (_ ?))\n",
        "(X (X (C1 El) (C2 perro)) (X (C1 muy) (C2 bien)))\n(X (C2 Eva))\n",
        SPANISH,
    ],
)
def test_tags_that_are_not_penns_leave_punctuation_out_by_form(predicted):
    totals, scores = brackets(predicted, SPANISH)
    assert totals == {"sentences": 2, "scored_sentences": 1}
    assert scores["precision"] == scores["recall"] == 1


def test_the_protocol_says_how_punctuation_was_found():
    def protocol(text, name):
        files = [NamedLines(name, [text]) for name in ("pred", "gold")]
        return compare_brackets(files[:1], files[1], name).protocol

    penn = "(S (UH Hi) (NN x) (. .))"
    for name in ("kim2019", "shen2018"):
        assert protocol(penn, name).startswith(f"{name}: punctuation, $ and # left out by gold tag (without a tag")
        assert "by form (the tags of the gold file are not Penn's); " in protocol(SPANISH, name)
    assert protocol(penn, "evalb") == protocol(SPANISH, "evalb")


def test_looking_at_the_tags_reads_no_more_than_it_needs_and_loses_nothing():
    read = []

    def lines():
        for number in range(1200):
            read.append(number)
            yield f"(S (NN w{number}) (Fp .))\n"
        raise DataError("no UTF-8", "gold", 1201)

    foreign, gold = gold_lacks_penn_tags(NamedLines("gold", lines()))
    assert (foreign, len(read)) == (True, 1000)
    again = iter(gold.lines)
    assert [next(again) for _ in range(1200)] == [f"(S (NN w{number}) (Fp .))\n" for number in range(1200)]
    with pytest.raises(DataError, match="no UTF-8"):
        next(again)


def test_trees_of_traces_alone_are_left_out():
    gold = ["(S (NP (-NONE- *)) (-DFL- N_S))\n", TREE]
    [aligned] = aligned_trees([NamedLines("run", ["\n", TREE])], NamedLines("gold", gold))
    assert (aligned.number, aligned.gold.tree.words[0]) == (1, "the")
