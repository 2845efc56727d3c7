import math

import pytest
import torch

from synparse.corpora.cache import build_corpus
from synparse.inducers.structformer import StructFormer
from synparse.recipe import load_recipe
from synparse.training.loop import TrainingError, train_steps, validate, validation_batches

CPU = torch.device("cpu")


@pytest.fixture
def run(tmp_path, tiny_recipe, sample_text):
    """A function from overrides to a run: recipe, corpus, fresh model, its steps."""

    def start(*overrides, minutes=None):
        recipe = load_recipe(str(tiny_recipe), overrides)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        corpus = build_corpus([line.split() for line in sample_text], recipe.text, folder)
        torch.manual_seed(0)
        model = StructFormer(len(corpus.vocabulary), recipe.architecture)
        return recipe, corpus, model, train_steps(model, corpus, recipe.training, 1, CPU, minutes)

    return start


def test_perplexity_falls(run):
    recipe, corpus, model, steps = run("training.epochs=6")
    before = validate(model, validation_batches(corpus.valid, recipe.training, CPU))
    perplexities = [progress.perplexity for progress in steps if progress.perplexity]
    assert min(perplexities) < 0.6 * before


def test_the_same_seed_gives_the_same_run(run):
    losses = [[progress.loss for progress in run()[3]] for _ in range(2)]
    assert losses[0] == losses[1]


def test_validates_when_due_and_at_the_end(run):
    progress = list(run("training.validate_every=7")[3])
    validated = [one.step for one in progress if one.perplexity is not None]
    assert validated == [*range(7, len(progress) + 1, 7), *([len(progress)] if len(progress) % 7 else [])]
    best = math.inf
    for one in progress:
        assert one.is_best == (one.perplexity is not None and one.perplexity < best)
        best = min(best, one.perplexity or math.inf)


def test_an_epoch_sees_every_word_once(run):
    _, corpus, _, steps = run("training.epochs=2")
    assert list(steps)[-1].words == 2 * corpus.train.words


def test_time_ends_a_run(run):
    progress = list(run("training.epochs=1000", minutes=0.02)[3])
    assert progress[-1].share == 1
    assert progress[-1].perplexity is not None
    assert progress[-1].seconds < 30


def test_schedules(run):
    linear = [one.learning_rate for one in run("training.schedule=linear", "training.warmup_steps=5")[3]]
    assert linear[:5] == sorted(linear[:5])
    assert linear[5:] == sorted(linear[5:], reverse=True)
    rates = [
        one.learning_rate
        for one in run(
            "training.schedule=plateau",
            "training.learning_rate=10.0",
            "training.validate_every=1",
            "training.patience=1",
        )[3]
    ]
    assert rates[-1] < rates[0]


def test_a_loss_that_is_no_number_ends_the_run_with_advice(run):
    *_, model, steps = run()
    with torch.no_grad():
        model.norm.weight.fill_(math.nan)
    with pytest.raises(TrainingError, match=r"step 1; lower training\.learning_rate"):
        list(steps)
