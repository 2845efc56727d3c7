"""Sentences of the Stanford Sentiment Treebank as examples."""

import gzip
import os
from collections import Counter
from pathlib import Path

import pytest

from synparse.tasks.sentiment import SENTIMENT, read_sentences, vocabulary_of
from synparse.tasks.tree_encoders import tree_schedule
from synparse.trees.errors import DataError

TREES = """\
(4 (2 It) (4 (2 's) (3 (3 very) (3 Good))))
(2 (2 It) (1 (1 bad) (3 fun)))
(0 Awful)
"""


def phrases(task, paths):
    return [
        [(" ".join(example.expressions[0].words), task.labels[example.label]) for example in sentence]
        for sentence in read_sentences(task, paths)
    ]


def test_all_labels_and_phrases_of_sst5(file):
    first, second, third = phrases(SENTIMENT["sst5"], [file(TREES)])
    assert first == [
        ("it 's very good", "very positive"),
        ("'s very good", "very positive"),
        ("very good", "positive"),
        ("it", "neutral"),
        ("'s", "neutral"),
        ("very", "positive"),
        ("good", "positive"),
    ]
    assert second[:2] == [("it bad fun", "neutral"), ("bad fun", "negative")]
    assert third == [("awful", "very negative")]


def test_sst2_leaves_out_neutral_sentences_with_their_phrases_and_neutral_phrases_of_others(file):
    first, second = phrases(SENTIMENT["sst2"], [file(TREES)])
    assert first == [
        ("it 's very good", "positive"),
        ("'s very good", "positive"),
        ("very good", "positive"),
        ("very", "positive"),
        ("good", "positive"),
    ]
    assert second == [("awful", "negative")]


def test_heights_are_those_of_the_tree_and_of_each_phrase(file):
    text = "(2 (2 (2 a) (2 b)) (2 (2 (2 c) (2 (2 d) (2 e))) (2 f)))"
    [sentence] = read_sentences(SENTIMENT["sst5"], [file(text)])
    expressions = {"".join(example.expressions[0].words): example.expressions[0] for example in sentence}
    assert expressions["abcdef"].heights == (1, 4, 2, 1, 3)
    assert expressions["cdef"].heights == (2, 1, 3)
    assert expressions["a"].heights == ()
    assert expressions["abcdef"].spans() == [(0, 6), (0, 2), (2, 6), (2, 5), (3, 5)]
    assert tree_schedule([(0, 1, 2, 3, 4, 5)], [expressions["abcdef"].heights], 6)[1] == [10]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(5 (2 a) (2 b))", r"data:2: the label of a node must be 0 to 4, not '5'"),
        ("((2 a) (2 b))", r"data:2: the label of a node must be 0 to 4, not ''"),
        ("(3 (2 a) b)", r"data:2: the label of a node must be 0 to 4, not ''"),
        ("(3 (2 a) (2 b) (2 c))", r"data:2: the tree is not binary"),
        ("(3 (2 (2 a) (2 b)))", r"data:2: the tree is not binary"),
        ("(3 (2 a)", r"data:2: the bracket \(3 is never closed"),
    ],
)
def test_what_is_no_labelled_binary_tree_is_told(file, line, message):
    with pytest.raises(DataError, match=message):
        list(read_sentences(SENTIMENT["sst5"], [file(f"(3 (2 a) (2 b))\n{line}\n")]))


def test_a_file_without_sentences_is_told_one_of_neutral_ones_is_not(file):
    with pytest.raises(DataError, match="there are no sentences"):
        list(read_sentences(SENTIMENT["sst2"], [file("\n")]))
    assert list(read_sentences(SENTIMENT["sst2"], [file("(2 (3 a) (1 b))\n")])) == []


def test_a_vocabulary_counts_the_words_of_sentences_once(file):
    sentences = list(read_sentences(SENTIMENT["sst5"], [file(TREES)]))
    assert vocabulary_of(sentences, 2).words[4:] == ("it",)
    assert set(vocabulary_of(sentences, 1).words[4:]) == {"it", "'s", "very", "good", "bad", "fun", "awful"}


def test_the_published_treebank():
    """Sizes of SST-2 and SST-5 as published (Socher et al., 2013), and ten sentences of the test part by hand."""
    folder = Path(os.environ.get("SYNPARSE_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))
    path = folder / "sentiment" / "test.ptb.gz"
    if not path.is_file():
        pytest.skip(f"the Stanford Sentiment Treebank is not at {path}")
    two, five = (list(read_sentences(SENTIMENT[name], [str(path)])) for name in ("sst2", "sst5"))
    assert Counter(sentence[0].label for sentence in two) == {0: 912, 1: 909}
    assert Counter(sentence[0].label for sentence in five) == {0: 279, 1: 633, 2: 389, 3: 510, 4: 399}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for sentence, line in zip(five[:10], lines, strict=False):
            assert sentence[0].label == int(line[1])
            words = [part.rstrip(")\n") for part in line.split() if not part.startswith("(")]
            assert sentence[0].expressions[0].words == tuple(word.lower() for word in words)
