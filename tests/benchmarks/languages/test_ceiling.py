"""Folds of the supervised ceiling."""

import pytest

from benchmarks.languages.ceiling import FOLDS, parts_of_fold, pooled, student_options


@pytest.mark.parametrize("count", [5, 7, 9, 10, 23])
def test_every_sentence_is_parsed_once_by_a_student_that_has_not_seen_it(count):
    sentences = [f"sentence {number}" for number in range(count)]
    folds = [parts_of_fold(sentences, number) for number in range(FOLDS)]
    assert folds[2][1][0] == "sentence 2"
    for known, unknown in folds:
        assert sorted(known + unknown) == sorted(sentences)
        assert not set(known) & set(unknown)
    assert list(pooled([unknown for _, unknown in folds])) == sentences


def test_every_student_makes_as_many_updates():
    assert student_options(1000)[-2:] == ["--epochs", "1024"]
    assert student_options(4000)[-2:] == ["--epochs", "256"]
