import contextlib
import itertools
import math
from types import SimpleNamespace

import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.corpora.sentences import Sentence
from synparse.inducers.table import build
from synparse.training import loop
from synparse.training.loop import train_steps
from synparse.training.objectives import objective_of
from synparse.training.state import fresh_state
from synparse.training.updates import Updates
from synparse.trees.errors import SettingError, TrainingError
from tests.texts import build_corpus

CPU = torch.device("cpu")


@pytest.fixture
def run(tmp_path, tiny_recipe, sample_text):
    """A function from overrides to a run: recipe, corpus, fresh model, its steps."""

    def start(*overrides, minutes=None, recipe=tiny_recipe):
        [recipe] = load_recipe(str(recipe), overrides).networks
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        corpus = build_corpus([Sentence(line.split()) for line in sample_text], recipe.text, folder)
        torch.manual_seed(0)
        model = build(recipe.model, len(corpus.vocabulary), recipe.architecture)
        updates = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
        return recipe, corpus, model, train_steps(updates, objective_of(recipe.training, corpus), 1, minutes)

    return start


def held_out_perplexity(recipe, corpus, model):
    model.eval()
    return objective_of(recipe.training, corpus).score(model, CPU, contextlib.nullcontext)


def test_perplexity_falls(run):
    recipe, corpus, model, steps = run("training.epochs=6")
    before = held_out_perplexity(recipe, corpus, model)
    perplexities = [progress.score for progress in steps if progress.score]
    assert min(perplexities) < 0.6 * before


def test_validates_when_due_and_at_the_end(run):
    progress = list(run("training.validate_every=7")[3])
    validated = [update.step for update in progress if update.score is not None]
    assert validated == [*range(7, len(progress) + 1, 7), *([len(progress)] if len(progress) % 7 else [])]
    best = math.inf
    for update in progress:
        assert update.is_best == (update.score is not None and update.score < best)
        best = min(best, update.score or math.inf)


def test_an_epoch_sees_every_word_once(run):
    _, corpus, _, steps = run("training.epochs=2")
    assert list(steps)[-1].words == 2 * corpus.train.words


def test_time_ends_a_run(run, monkeypatch):
    """Each look at this clock takes a second: one at the start, one after each update, one after each validation."""
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=itertools.count(100).__next__))
    progress = list(run("training.epochs=1000", "training.validate_every=2", minutes=0.1)[3])
    assert [update.seconds for update in progress] == [1, 3, 4, 6, 8]
    assert [update.score is not None for update in progress] == [False, True, False, True, True]
    assert [update.fraction for update in progress] == pytest.approx([0, 1 / 6, 3 / 6, 4 / 6, 1], abs=0.001)
    assert [update.is_last for update in progress] == [False, False, False, False, True]


def test_averaging_begins_where_validation_stops_improving(run):
    *_, model, steps = run(
        "training.schedule=average",
        "training.optimizer=sgd",
        "training.learning_rate=1.0",
        "training.patience=1",
        "training.validate_every=2",
        "training.epochs=20",
    )
    weights = []
    for progress in steps:
        if progress.model is not model:
            weights.append(model.embedding.weight.detach().clone())
            torch.testing.assert_close(progress.model.embedding.weight, sum(weights) / len(weights))
            if len(weights) == 4:
                return
        elif progress.score is not None:  # the weights of the step at which averaging begins are its first
            weights = []
    pytest.fail("averaging never began")


def test_a_stream_is_learned_and_hands_on_its_state(run, tiny_on_lstm_recipe):
    recipe, corpus, model, _ = run("training.epochs=4", recipe=tiny_on_lstm_recipe)
    before = held_out_perplexity(recipe, corpus, model)
    states = []
    loss = model.loss
    model.loss = lambda batch: states.append(batch.state is not None) or loss(batch)
    updates_of_it = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
    progress = list(train_steps(updates_of_it, objective_of(recipe.training, corpus), 1))
    assert min(update.score for update in progress if update.score) < 0.6 * before
    assert progress[-1].words == 4 * (corpus.train.words + len(corpus.train))
    assert 0 < states.count(False) < len(states) / 4  # epochs and validations begin from nothing


def test_a_shorter_segment_has_a_lower_rate(run, tiny_on_lstm_recipe):
    rates = {update.learning_rate for update in run("training.schedule=constant", recipe=tiny_on_lstm_recipe)[3]}
    assert len(rates) > 3


def test_a_model_that_predicts_among_samples_learns_and_is_validated_exactly(run):
    *_, corpus, _, _ = run()
    recipe, _, model, steps = run("training.epochs=6", f"training.sampled_softmax={len(corpus.vocabulary) // 4}")
    before = held_out_perplexity(recipe, corpus, model)
    progress = list(steps)
    assert progress[-1].score == held_out_perplexity(recipe, corpus, model)
    assert min(update.score for update in progress if update.score) < 0.6 * before


def test_a_sample_of_all_words_is_no_sample(run):
    exact, sampled = ([update.loss for update in run(f"training.sampled_softmax={n}")[3]] for n in (0, 10_000))
    assert sampled == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("name", ["tiny_recipe", "tiny_on_lstm_recipe", "tiny_udgn_recipe"])
def test_mixed_precision_trains_every_model_to_about_the_same_loss(run, request, name, has_bfloat16_lstm):
    if name == "tiny_udgn_recipe" and not has_bfloat16_lstm:
        with pytest.raises(SettingError, match="this processor has no bfloat16 LSTM; choose float32"):
            next(run("training.precision=bfloat16", recipe=request.getfixturevalue(name))[3])
        return
    losses = [
        [update.loss for update in run(f"training.precision={precision}", recipe=request.getfixturevalue(name))[3]]
        for precision in ("float32", "bfloat16")
    ]
    assert losses[0] != losses[1]
    assert losses[0][-1] == pytest.approx(losses[1][-1], rel=0.05)


def test_a_loss_that_is_no_number_ends_the_run_with_advice(run):
    *_, model, steps = run("training.learning_rate=0.003", "training.warmup_steps=9")
    with torch.no_grad():
        model.norm.weight.fill_(math.nan)
    with pytest.raises(TrainingError, match=r"step 1; lower training\.learning_rate \(it is 0\.003\) or"):
        list(steps)
