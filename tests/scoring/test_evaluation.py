import pytest

from synparse.scoring.evaluation import evaluate_dependencies
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError

GOLD = format_conllu(["the", "dog", "barked"], (2, 3, 0)) + format_conllu(["hi", "!"], (0, 1))


def dependencies(predicted, gold=GOLD):
    return evaluate_dependencies(predicted.splitlines(True), gold.splitlines(True), "pred", "gold")


def test_a_file_against_itself_is_perfect():
    result = dependencies(GOLD)
    assert result.sentences == 2
    assert result.counts.uas == result.counts.uuas == 1
    assert result.counts.words == 4  # "!" is punctuation by form
    assert "like a word" in result.protocol


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (format_conllu(["the", "dog", "barked"], (2, 3, 0)), "pred: ends after 1 sentences, but gold goes on"),
        (GOLD + GOLD, "gold: ends after 2 sentences, but pred goes on"),
        (GOLD.replace("dog", "cat"), "pred:1: sentence 1 has 'cat' where gold has 'dog'"),
        (GOLD.replace("hi", "ho"), "pred:5: sentence 2 has 'ho' where gold has 'hi'"),
        (GOLD.replace("\t3\t", "\t9\t"), "pred:2: word 2 \\(dog\\) has head '9'"),
    ],
)
def test_files_that_do_not_line_up_are_told(predicted, message):
    with pytest.raises(DataError, match=message):
        dependencies(predicted)


def test_gold_heads_must_be_a_tree():
    with pytest.raises(DataError, match=r"gold:1: sentence 1 is no gold tree: .*cycle"):
        dependencies(GOLD, GOLD.replace("\t3\tdep", "\t1\tdep"))


def test_no_sentences_are_an_error():
    with pytest.raises(DataError, match="holds no sentences"):
        dependencies("", "")
