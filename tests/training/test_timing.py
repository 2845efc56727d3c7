from types import SimpleNamespace

import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.training import timing
from synparse.training.timing import LEAST_UPDATES, VALIDATION, seconds_per_word
from synparse.training.updates import Updates


@pytest.fixture
def words_timed(monkeypatch):
    """The words of each update, on a clock on which an update takes a second and three seconds are timed."""
    words, update = [], Updates.update

    def counted(self, batch, fraction):
        words.append(batch.words)
        return update(self, batch, fraction)

    seconds = iter(range(10**6))
    monkeypatch.setattr(timing, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(timing, "SECONDS", 3)
    monkeypatch.setattr(timing, "WORDS", 3000)
    monkeypatch.setattr(timing.Updates, "update", counted)
    return words


@pytest.mark.parametrize("name", ["tiny_udgn_recipe", "tiny_on_lstm_recipe", "tiny_student_recipe"])
def test_updates_are_timed_after_the_first_ones(request, words_timed, name):
    recipe = load_recipe(str(request.getfixturevalue(name)))
    before = torch.get_rng_state(), torch.get_num_threads()
    seconds = seconds_per_word(recipe.model_recipe(recipe.networks[0]), 50, 9.5, "cpu", 1000.0)
    assert len(words_timed) == LEAST_UPDATES + 1
    assert seconds == VALIDATION * 3 / sum(words_timed[2:])
    assert torch.equal(torch.get_rng_state(), before[0])  # the run that is timed is not changed by it
    assert torch.get_num_threads() == before[1]


@pytest.mark.parametrize(("vocabulary", "length"), [(1, 0.0), (5, 1.0), (10, 1000.0)])
def test_every_text_can_be_timed(words_timed, tiny_udgn_recipe, vocabulary, length):
    recipe = load_recipe(str(tiny_udgn_recipe))
    assert seconds_per_word(recipe.model_recipe(recipe.networks[0]), vocabulary, length, "cpu", 1000.0) > 0
    assert words_timed


def test_with_no_time_left_the_fewest_updates_are_timed(words_timed, monkeypatch, tiny_udgn_recipe):
    monkeypatch.setattr(timing, "SECONDS", 100)
    recipe = load_recipe(str(tiny_udgn_recipe))
    assert seconds_per_word(recipe.model_recipe(recipe.networks[0]), 50, 9.5, "cpu", -3.0) > 0
    assert len(words_timed) == LEAST_UPDATES + 1
