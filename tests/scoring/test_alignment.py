import pytest

from synparse.scoring.alignment import aligned_sentences, rule_of_gold
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError

GOLD = format_conllu(["the", "dog", "barked"], (2, 3, 0)) + format_conllu(["hi", "!"], (0, 1))


def align(predicted, gold=GOLD, **rules):
    runs = [NamedLines("pred", predicted.splitlines(True))]
    return list(aligned_sentences(runs, NamedLines("gold", gold.splitlines(True)), **rules))


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (format_conllu(["the", "dog", "barked"], (2, 3, 0)), "pred: ends after 1 sentence, but gold continues"),
        (GOLD + GOLD, "gold: ends after 2 sentences, but pred continues"),
        (GOLD.replace("dog", "cat"), "pred:1: sentence 1 has 'cat' where gold has 'dog'"),
        (GOLD.replace("hi", "ho"), "pred:5: sentence 2 has 'ho' where gold has 'hi'"),
        (GOLD.replace("\t3\t", "\t9\t"), "pred:2: word 2 \\(dog\\) has head '9'"),
    ],
)
def test_files_that_do_not_line_up_are_told(predicted, message):
    with pytest.raises(DataError, match=message):
        align(predicted)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("\t3\tdep", "\t1\tdep", "gold:1: sentence 1 is not a gold tree: word 1 is in a cycle"),
        (
            "\t3\tdep",
            "\t0\troot",
            "gold:1: sentence 1 is not a gold tree: 2 words have head 0, but a tree has one root",
        ),
        ("\t1\tdep", "\t2\tdep", "gold:5: sentence 2 is not a gold tree: word 2 is in a cycle"),
        ("\t3\tdep", "\t4\tdep", "gold:2: word 2 (dog) has head '4', which is no word of the sentence"),
        (
            "\t3\tdep",
            "\t_\tdep",
            "gold:2: word 2 (dog) has no head; complete the gold tree by hand, or leave it out",  # not by a parser
        ),
    ],
)
def test_gold_heads_must_be_a_tree(before, after, message):
    with pytest.raises(DataError) as caught:
        align(GOLD, GOLD.replace(before, after))
    assert str(caught.value) == message


def rule_of(text, asked="auto"):
    return rule_of_gold(NamedLines("gold", text.splitlines(True)), asked)[0]


@pytest.mark.parametrize(("rule", "what"), [("upos", "no UPOS"), ("tag", "no Penn tags")])
def test_a_rule_that_needs_tags_tells_a_file_without_them(rule, what):
    with pytest.raises(DataError, match=f"gold: has {what} to find punctuation by; --punctuation-rule form needs none"):
        rule_of(GOLD, rule)
    with pytest.raises(DataError, match="holds no sentences"):
        align("", "", punctuation=rule_of("", rule))


def test_the_whole_file_decides_what_punctuation_is():
    tags = format_conllu(["Hi", ","], (0, 1), xpos=["UH", ","])
    other = format_conllu(["a", "(", "b", "{"], (0, 1, 1, 1), xpos=["NN", "XY", "NN", "XY"])
    assert [rule_of(text) for text in (GOLD, tags, other, tags * 3 + other, tags + other)] == [
        "form", "tag", "form", "tag", "form",
    ]  # fmt: skip
    universal = format_conllu(["3", "$", "."], (0, 1, 1), upos=["NUM", "SYM", "PUNCT"], xpos=["CD", "$", "."])
    assert rule_of(universal) == "upos"
    assert rule_of(universal + tags.replace("\t1\tdep", "\t1\tprep")) == "tag"  # Stanford Dependencies


def test_several_predictions_are_read_in_step_with_gold():
    gold = NamedLines("gold", GOLD.splitlines(True))
    other = NamedLines("other", GOLD.replace("\t2\tdep", "\t3\tdep").splitlines(True))
    first, second = aligned_sentences([gold, other], gold)
    assert [pair.predicted for pair in first.pairs] == [(2, 3, 0), (3, 3, 0)]
    assert second.number == 2
    assert second.kept == [True, False]
    assert {pair.gold for pair in first.pairs} == {first.gold.heads}
    shorter = NamedLines("short", GOLD.partition("\n\n")[0].splitlines(True))
    with pytest.raises(DataError, match="short: ends after 1 sentence, but gold continues"):
        list(aligned_sentences([gold, shorter], gold))


def test_no_sentences_are_an_error():
    with pytest.raises(DataError, match="holds no sentences"):
        align("", "")
