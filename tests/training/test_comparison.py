"""Which of two parsers is worse, worked out by hand."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from synparse.store.grammars import find_grammars
from synparse.store.model_directory import GRAMMAR
from synparse.store.models import open_model
from synparse.training import comparison
from synparse.training.comparison import LONGEST, ParserComparison, compared


def compare_branching(sentences):
    """Of each sentence: its segments, and those that left-branching and right-branching trees have; and how far these
    agree."""
    return compared("right-branching", "left-branching", [sentence.split() for sentence in sentences])


@pytest.mark.parametrize(
    ("sentence", "segments", "of_left_branching", "of_right_branching"),
    [
        ("a b , c d e", 2, 1, 1),  # the first words; the last ones
        ("a b , c d , e f .", 3, 1, 1),
        ("a , b c", 1, 0, 1),  # a segment of one word is no question
        ('" a b " c', 1, 1, 0),
    ],
)
def test_segments_of_words_between_marks_that_are_constituents(
    sentence, segments, of_left_branching, of_right_branching
):
    assert compare_branching([sentence])[:3] == ((segments,), (of_left_branching,), (of_right_branching,))


def test_agreement_is_that_of_brackets_below_the_sentence():
    assert compare_branching(["a b , c d e"]).agreement == 0.0
    assert compare_branching(["a b , c"]).agreement == 0.0
    assert compare_branching(["a , b"]).agreement == 1.0  # nothing below
    same = compared("balanced", "balanced", ["a b , c d e".split()])
    assert same.agreement == 1.0
    assert not same.is_worse


def test_long_sentences_are_left_out_and_so_are_those_without_marks_if_there_are_others(monkeypatch):
    asked = ["a b .", "a", "", ". ,", " ".join(["a", ",", *["b"] * LONGEST]), "a b , c"]
    assert compare_branching(asked).segments == (1,)
    assert len(compare_branching(asked[:4]).segments) == 4
    monkeypatch.setattr(comparison, "SENTENCES", 2)
    assert len(compare_branching(5 * asked).segments) == 2


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([0, 0, 0], False),
        ([1, 1, 1], False),
        ([-1, 0, -1, 0], True),  # mean −0.5; variance 1/3, so 1.5 standard errors are 0.433
        ([-1, 0, 0, 0], False),  # mean −0.25; variance 1/4, so 1.5 standard errors are 0.375
        ([-1, 0, 0, 0] * 20, True),  # 1.5 standard errors are 0.073
        ([-1, *[0] * 20] * 20, False),  # mean −0.048; 1.5 standard errors are 0.016, but it is 2.4 % of two
        ([-1, -1], True),
        ([-1], False),
        ([], False),
    ],
)
def test_worse_is_what_finds_fewer_by_more_than_chance_and_tolerance(differences, expected):
    count = len(differences)
    assert (
        ParserComparison((4,) * count, (2,) * count, tuple(2 + difference for difference in differences), 0.9).is_worse
        == expected
    )


@pytest.mark.parametrize(
    ("new", "agreement", "expected"), [(2, 0.79, True), (2, 0.81, False), (3, 0.1, False), (1, 0.1, True)]
)
def test_a_parser_of_quite_other_brackets_has_to_find_more(new, agreement, expected):
    assert ParserComparison((4,) * 9, (2,) * 9, (new,) * 9, agreement).is_worse == expected


@pytest.mark.parametrize(("agreement", "expected"), [(0.83, True), (0.85, False)])
def test_a_network_that_learned_from_words_has_to_agree_whatever_it_finds(agreement, expected):
    assert ParserComparison((4,) * 9, (2,) * 9, (3,) * 9, agreement, is_independent=True).is_worse == expected


@pytest.mark.parametrize(
    ("fewer", "is_independent", "expected"),
    [(4, True, True), (2, True, False), (4, False, False), (0, True, False), (-4, True, False)],
)
def test_a_network_that_learned_from_words_is_worse_if_clearly_fewer_roots_are_verbs(fewer, is_independent, expected):
    old = (1,) * 20 + (0,) * 30
    new = (1,) * (20 - fewer) + (0,) * (30 + fewer)  # of 50 sentences; 4 are 8 per cent, and 2.04 standard errors
    found = ParserComparison((4,) * 9, (2,) * 9, (2,) * 9, 0.9, is_independent, old, new)
    assert found.is_worse == expected
    assert str(found).endswith(f"; {40 - 2 * fewer} % of the sentences with verbs have one as their root, before 40 %")


def test_chance_makes_no_root_worse():
    old, new = (1, 1, 1, 0, 0, 0, 0, 1), (0, 1, 0, 1, 0, 0, 0, 1)  # mean −0.125; 1.5 standard errors are 0.340
    assert not ParserComparison((4,) * 9, (2,) * 9, (2,) * 9, 0.9, True, old, new).is_worse


def test_a_comparison_in_words():
    text = (
        "it finds 33.3 % of the segments between punctuation, the one before 66.7 %, and 50 % of their brackets agree"
    )
    assert str(ParserComparison((2, 1), (1, 1), (1, 0), 0.5)) == text
    assert "finds 0.0 %" in str(ParserComparison((), (), (), 1.0))


def test_a_model_agrees_with_itself(tiny_grammar, sample_text):
    model = open_model(tiny_grammar)
    self_comparison = compared(model, model, [line.split() for line in sample_text[:100]])
    assert self_comparison.agreement == 1.0
    assert self_comparison.old == self_comparison.new
    assert not self_comparison.is_worse


def test_roots_that_are_verbs_are_counted_for_networks_that_learned_from_words(tiny_grammar, sample_text, tmp_path):
    directory = tmp_path / "model"
    shutil.copytree(tiny_grammar, directory)
    path = directory / open_model(directory).grammars[0].folder / GRAMMAR
    arrays = load_file(path)
    arrays["verbs.classes"] = np.ones_like(arrays["verbs.classes"])  # all words but function words
    save_file(arrays, path)
    model, sentences = open_model(directory), [line.split() for line in sample_text[:60]]
    found = compared(model, model, sentences, is_independent=True)
    function_words = find_grammars(model)[0].grammars.function_words
    with_verbs = [tokens for tokens in sentences if set(map(str.lower, tokens)) - function_words - set(".,!?")]
    assert 0 < sum(found.new_roots) <= len(found.new_roots) <= len(with_verbs)
    assert found.old_roots == found.new_roots
    assert compared(model, model, sentences).new_roots == ()
    arrays["verbs.classes"][:] = 0
    save_file(arrays, path)
    assert compared(model, open_model(directory), sentences, is_independent=True).new_roots == ()
