"""Task classifiers in the training loop that inducers have too."""

import contextlib
import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import yaml

from synparse.tasks import TASKS
from synparse.tasks.directory import load_classifier
from synparse.tasks.recipe import TaskTraining, load_task_recipe
from synparse.tasks.run import Labelling, classification
from synparse.training import trainer
from synparse.training.checkpoint import is_unfinished
from synparse.training.example_batches import held_out_parts
from synparse.training.trainer import resume, train
from synparse.trees.errors import DataError, TrainingError
from tests.stopping import Watch

LISTOPS = TASKS["listops"]
KIND = classification(LISTOPS)


pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture
def run(tmp_path, files, tiny_task_recipe):
    """A function from overrides to the steps of a run, whose directory is ``model``."""

    def steps(*overrides, encoder="lstm", stop_at=None, **settings):
        watch = Watch(stop_at)
        recipe = load_task_recipe(tiny_task_recipe, encoder, overrides)
        data = [files["listops"]]
        train(KIND, data, recipe, tmp_path / "model", device="cpu", report=watch, force=True, **settings)
        return watch

    return steps


def test_the_same_seed_gives_the_same_run(run):
    first, again, other = (run(seed=seed).losses for seed in (1, 1, 2))
    assert first == again != other


def test_a_run_ends_after_its_epochs_with_a_validation(run, tmp_path):
    steps = run("training.epochs=2")
    assert len(steps) == 6  # 36 examples in batches of 16
    assert [step.epoch for step in steps] == [1, 1, 1, 2, 2, 2]
    assert steps[-1].fraction == 1.0
    assert [step.score is not None for step in steps] == [False] * 4 + [True, True]
    assert [step.is_best for step in steps][:5] == [False] * 4 + [True]
    rows = [json.loads(line) for line in (tmp_path / "model" / "log.jsonl").read_text().splitlines()]
    assert [row["accuracy"] for row in rows] == [step.score for step in steps[4:]]
    provenance = yaml.safe_load((tmp_path / "model" / "config.yaml").read_text())["provenance"]
    assert provenance["held_out_accuracy"] == max(step.score for step in steps[4:])
    assert provenance["examples"] == 40


def test_no_minutes_are_one_update(run):
    [step] = run(minutes=0)
    assert step.is_best


def test_patience_ends_a_run(run):
    steps = run("training.epochs=99", "training.validate_every=1", "training.patience=2", "training.learning_rate=1e-9")
    assert len(steps) == 3
    assert steps[-1].is_last


def test_it_learns_what_can_be_learnt(run):
    """Forty examples by heart."""
    losses = run("training.epochs=40", "training.classifier_dropout=0.0", "architecture.dropout=0.0").losses
    assert np.mean(losses[-3:]) < 0.5 * np.mean(losses[:3])


@pytest.mark.parametrize("encoder", ["ordered-memory", "tree-cell"])
def test_the_gradient_in_parts_is_that_of_the_batch(run, encoder):
    no_dropout = ["training.classifier_dropout=0", "architecture.dropout=0", "architecture.cell_dropout=0"]
    if encoder == "ordered-memory":
        no_dropout += ["architecture.attention_dropout=0", "architecture.output_dropout=0"]
    whole, parts = (run(*no_dropout, f"training.accumulation={n}", encoder=encoder).losses for n in (1, 3))
    assert parts == pytest.approx(whole, rel=1e-4)


def test_a_model_that_needs_too_much_memory_is_told(run, monkeypatch):
    def without_memory(*_):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 68719476736 bytes")

    monkeypatch.setattr(trainer, "fresh_state", without_memory)
    with pytest.raises(TrainingError, match="out of memory: lower the sizes of the architecture"):
        run()


def test_a_stopped_run_keeps_its_best_model_and_goes_on_bit_for_bit(run, tmp_path, files):
    overrides = ["training.epochs=4", "training.short_fraction=0.5", "training.validate_every=2"]
    whole = run(*overrides, encoder="ordered-memory").losses
    expected = (tmp_path / "model" / "weights.safetensors").read_bytes()
    first = run(*overrides, encoder="ordered-memory", stop_at=5)
    assert is_unfinished(tmp_path / "model")
    load_classifier(tmp_path / "model", LISTOPS, torch.device("cpu"))
    with pytest.raises(DataError, match="has changed since this run began"):
        resume(classification(TASKS["logic"]), tmp_path / "model", data=[files["logic"]])
    torch.manual_seed(12345)
    rest = Watch()
    result = resume(KIND, tmp_path / "model", device="cpu", report=rest)
    assert first.losses + rest.losses == whole
    assert not result.interrupted
    assert (tmp_path / "model" / "weights.safetensors").read_bytes() == expected


CPU = torch.device("cpu")
CONFIG = TaskTraining(batch_size=8, validation_examples=4)


def labelling_of(examples):
    return Labelling(CONFIG, LISTOPS, *held_out_parts(examples["listops"], CONFIG.validation_examples))


def expressions(batches):
    return [expression for batch in batches for row in batch.batch.expressions for expression in row]


def test_an_epoch_has_every_example_once(examples):
    labelling = labelling_of(examples)
    epochs = labelling.epochs(seed=1, first=1)
    first, second = list(next(epochs)), list(next(epochs))
    trained = [expression for example in labelling.examples.examples for expression in example.expressions]
    assert len(first) == labelling.batches_per_epoch == 5  # 36 examples, 8 a batch
    for batches in (first, second):
        assert sorted(expressions(batches)) == sorted(trained)
        assert sum(batch.words for batch in batches) == sum(len(expression.words) for expression in trained)
    assert expressions(first) != expressions(second)


def test_a_later_epoch_is_the_one_that_would_have_come(examples):
    labelling = labelling_of(examples)
    epochs = labelling.epochs(seed=1, first=1)
    for _ in range(2):
        list(next(epochs))
    third = expressions(next(epochs))
    assert expressions(next(labelling.epochs(seed=1, first=3))) == third
    assert expressions(next(labelling.epochs(seed=2, first=3))) != third


def test_the_score_is_the_fraction_of_right_labels(examples):
    labelling = labelling_of(examples)
    targets = torch.cat([questions.targets for questions in labelling.held_out])
    assert len(targets) == 4

    def always(label):
        def answers(rows):
            return SimpleNamespace(logits=torch.eye(len(LISTOPS.labels))[torch.full((len(rows.words),), label)])

        return answers

    for label in range(len(LISTOPS.labels)):
        accuracy = labelling.score(always(label), CPU, contextlib.nullcontext)
        assert accuracy == int((targets == label).sum()) / 4
