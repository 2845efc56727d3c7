import math

import pytest

from synparse.scoring.perplexity import ModelPerplexity, Predictions, TextCounts, perplexity_of, table_of

TEXT = TextCounts(words=8, unknown_words=2, characters=40)


def test_a_choice_among_equal_words_has_their_number_as_perplexity():
    assert Predictions(10 * math.log(64), 10).perplexity == pytest.approx(64)
    assert Predictions(1.0, 2) + Predictions(2.0, 3) == Predictions(3.0, 5)


def test_nothing_predicted_has_no_perplexity_and_neither_what_overflows():
    assert perplexity_of(0.0, 0) is None
    assert perplexity_of(7001.0, 10) is None
    assert perplexity_of(math.nan, 10) is None
    damaged = ModelPerplexity("m", "lstm", "next-word", TEXT, [Predictions(math.nan, 10)]).values()
    assert damaged["perplexity"] is damaged["perplexity_per_word"] is damaged["bits_per_character"] is None


def test_next_words_are_counted_per_prediction_per_word_and_per_character():
    values = ModelPerplexity("m", "lstm", "next-word", TEXT, [Predictions(10 * math.log(2), 10)]).values()
    assert values["perplexity"] == 2.0
    assert values["perplexity_per_word"] == round(2 ** (10 / 8), 2)
    assert values["bits_per_character"] == 10 / 40
    assert values["predictions"] == 10
    assert values["mask_rate"] is values["seeds"] is values["deviation"] is None


def test_masked_words_have_the_mean_and_the_deviation_over_masks():
    runs = [Predictions(3 * math.log(2), 3), Predictions(2 * math.log(4), 2)]
    values = ModelPerplexity("m", "udgn", "masked", TEXT, runs, 0.3, Predictions(6 * math.log(3), 6)).values()
    assert (values["perplexity"], values["deviation"]) == (3.0, round(math.sqrt(2), 2))
    assert (values["mask_rate"], values["seeds"], values["predictions"]) == (0.3, 2, 5)
    assert values["perplexity_per_word"] == 3.0
    assert values["bits_per_character"] is None


def test_the_table_has_a_column_for_each_model_and_no_row_that_applies_to_none():
    model = ModelPerplexity("m", "lstm", "next-word", TEXT, [Predictions(math.log(4), 1)]).values()
    table = table_of("dev.txt", [model, {**model, "model": "n"}])
    assert table.columns == ("", "m", "n")
    assert table.rows[0] == ("text", "dev.txt", "dev.txt")
    assert ("perplexity", "4.00", "4.00") in table.rows
    assert table.rows[-1] == ("  unknown, per cent", "25.00", "25.00")
    assert not [row for row in table.rows if "mask" in row[0] or "deviation" in row[0]]
