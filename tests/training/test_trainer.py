"""A run of a model with one weight, whose validations are scripted."""

import json
import math
import signal
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
import torch
from torch import nn

from synparse.config.recipe import load_recipe, model_recipe_from
from synparse.files.folders import PENDING
from synparse.inducers.batch import Batch, Loss, predictions_of
from synparse.inducers.protocol import Learner
from synparse.inducers.table import build
from synparse.training import trainer
from synparse.training.checkpoint import LAST, checkpoint_file, is_unfinished, read_checkpoint
from synparse.training.objectives import TrainingBatch
from synparse.training.reading import RunSettings
from synparse.training.save_every import SaveEvery
from synparse.training.state import fresh_state
from synparse.training.trainer import Job, Kind, Prepared, resume, run, train
from synparse.trees.errors import DataError, SettingError, TrainingError
from tests.stopping import stop_when

NEVER = SaveEvery(math.inf, math.inf)


class Model(Learner):
    """Its loss is the weight and 100 nats, so that every update lowers the weight by the learning rate."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))

    def loss(self, batch):
        return Loss((100 + self.weight.sum()) * predictions_of(batch), predictions_of(batch))


class Scripted:
    """Three batches of two words an epoch; validations give these scores, one after the other."""

    batches_per_epoch = 3

    def __init__(self, scores):
        self.scores = iter(scores)

    def epochs(self, *_):
        while True:
            words = torch.zeros(1, 2, dtype=torch.long)
            yield iter([TrainingBatch(Batch(words, torch.tensor([2]), words), 2)] * 3)

    def score(self, *_):
        return next(self.scores)


def prepared(scores, fingerprint="text"):
    def files(model, provenance, log):
        return {"weights.safetensors": str(float(model.weight.detach())).encode(), "log.jsonl": log,
                "config.yaml": json.dumps(dict(provenance)).encode()}  # fmt: skip

    return lambda *_: Prepared(Model, Scripted(scores), fingerprint, {"corpus": "scripted"}, files)


@pytest.fixture
def recipe(tiny_recipe):
    """Two epochs, validated after each, of plain gradient descent."""
    settings = ["optimizer=sgd", "learning_rate=0.5", "epochs=2", "validate_every=0", "gradient_clip=9"]
    loaded = load_recipe(str(tiny_recipe), [f"training.{setting}" for setting in settings])
    return loaded.model_recipe(loaded.networks[0])


@pytest.fixture
def asked(tmp_path, recipe):
    """A function to a new job whose steps are reported to ``watch``."""

    def ask(watch=lambda _: None, save_every=NEVER, device="cpu", recipe=recipe):
        settings = RunSettings(("corpus.txt",), seed=4)
        return Job(recipe, settings, tmp_path / "model", None, device, save_every, watch)

    return ask


def go_on(job, prepare, watch=lambda _: None):
    return resume(Kind(prepare, model_recipe_from), job.output, device="cpu", save_every=NEVER, report=watch)


def weight(job):
    return float((job.output / "weights.safetensors").read_bytes())


def test_the_best_model_is_kept_and_the_run_is_finished(asked):
    steps = []
    job = asked(lambda event: steps.append(event.step))
    result = run(job, prepared([8.0, 9.0]))
    assert steps == [1, 2, 3, 4, 5, 6]
    assert (result.score, result.measure, result.steps, result.words) == (8.0, "perplexity", 6, 12)
    assert (result.signal, result.interrupted, result.is_resumable) == (None, False, False)
    assert weight(job) == -3 * 0.5  # the model of the first validation
    provenance = json.loads((job.output / "config.yaml").read_text())
    assert provenance["corpus"] == "scripted"
    assert (provenance["steps"], provenance["held_out_perplexity"], provenance["seed"]) == (3, 8.0, 4)
    log = [json.loads(row) for row in (job.output / "log.jsonl").read_text().splitlines()]
    assert [(row["step"], row["epoch"], row["perplexity"]) for row in log] == [(3, 1, 8.0), (6, 2, 9.0)]


@pytest.mark.parametrize("stop_at", [1, 3, 4])
def test_a_run_that_stopped_goes_on_from_there(asked, stop_at):
    job = asked(stop_when(lambda event: event.step == stop_at))
    result = run(job, prepared([8.0]))
    assert (result.signal, result.steps, result.is_resumable) == (signal.SIGTERM, stop_at, True)
    assert result.score == (8.0 if stop_at >= 3 else None)
    assert (job.output / "weights.safetensors").exists() == (stop_at >= 3)
    steps = []
    scores = [7.0] if stop_at >= 3 else [8.0, 7.0]
    result = go_on(job, prepared(scores), lambda event: steps.append(event.step))
    assert steps == list(range(stop_at + 1, 7))
    assert (result.score, result.signal, result.is_resumable) == (7.0, None, False)
    assert weight(job) == -6 * 0.5


def test_a_run_that_stopped_before_its_first_update_leaves_nothing(asked, tmp_path):
    result = run(asked(), lambda *_: signal.raise_signal(signal.SIGTERM))
    assert (result.signal, result.steps, result.score, result.is_resumable) == (signal.SIGTERM, 0, None, False)
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_come_as_often_as_asked(asked):
    saved = []

    def look(_):
        saved.append(read_checkpoint(job.output).values["step"] if is_unfinished(job.output) else 0)

    job = asked(look, SaveEvery(2, math.inf))
    run(job, prepared([8.0, 9.0]))
    # After the first update and two more, which is the validation, after two again, and gone at the end.
    assert saved == [1, 1, 3, 3, 5, 0]
    assert not (job.output / PENDING).exists()


def test_a_run_whose_loss_is_no_number_says_what_is_kept(asked):
    def spoil(event):
        if event.step == 4:
            with torch.no_grad():
                event.model.weight.fill_(math.nan)

    job = asked(spoil)
    with pytest.raises(TrainingError, match=r"step 5; .*; the best model so far \(perplexity 8.0\) is in .*model"):
        run(job, prepared([8.0]))
    assert weight(job) == -3 * 0.5


def test_a_run_without_a_score_kept_no_model(asked):
    with pytest.raises(TrainingError, match=r"no validation gave a finite score; .*; this run has no model yet"):
        run(asked(), prepared([math.nan, math.nan]))


@pytest.fixture
def replacing(asked):
    """A job whose directory has a model already."""
    job = asked()
    run(job, prepared([8.0, 9.0]))
    (job.output / "boundaries.safetensors").write_bytes(b"of the earlier model")
    (job.output / "mine").write_bytes(b"mine")
    return job


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_model_that_is_there_stays_until_the_run_has_another(replacing):
    before, seen = contents(replacing.output), []
    run(
        replace(replacing, report=lambda _: seen.append(contents(replacing.output)), save_every=SaveEvery(1, math.inf)),
        prepared([7.0, 9.0]),
    )
    there = [before.items() <= contents.items() for contents in seen]
    assert there == [True, True, False, False, False, False]
    assert LAST in seen[0]
    assert set(contents(replacing.output)) == {"weights.safetensors", "log.jsonl", "config.yaml", "mine"}


def test_a_model_that_is_there_stays_where_the_new_one_cannot_be_saved(replacing, disk_full_for):
    before = contents(replacing.output)
    disk_full_for(replacing.output)
    with pytest.raises(DataError, match="cannot be saved: No space left on device"):
        run(replacing, prepared([7.0, 9.0]))
    assert before.items() <= contents(replacing.output).items()


def test_an_unfinished_run_stays_until_the_new_one_has_been_saved(asked):
    def stop(*_):
        signal.raise_signal(signal.SIGTERM)

    run(asked(stop), prepared([]))
    before = contents(asked().output)
    result = run(asked(), stop)  # while it reads the data
    assert (result.signal, result.is_resumable) == (signal.SIGTERM, False)  # it is another run that can be resumed
    assert contents(asked().output) == before


def test_a_device_that_is_not_there_is_refused_before_the_data_are_read(asked):
    with pytest.raises(SettingError, match="no device 'abacus'"):
        run(asked(device="abacus"), lambda *_: pytest.fail("the data were read"))


def test_threads_handlers_and_random_numbers_are_what_they_were(asked):
    before, random = (torch.get_num_threads(), signal.getsignal(signal.SIGINT)), torch.get_rng_state()
    run(asked(), prepared([8.0, 9.0]))
    assert (torch.get_num_threads(), signal.getsignal(signal.SIGINT)) == before
    assert torch.equal(torch.get_rng_state(), random)


# A run as it is asked for: what it begins with, and what of that may be said anew.


KIND = Kind(prepared([]), model_recipe_from)


def not_run():
    """Within, what would be run is returned."""
    return mock.patch("synparse.training.trainer.run", lambda job, _: job)


def new(recipe, output, data=("corpus.txt",), **options):
    with not_run():
        return train(KIND, data, recipe, output, device="cpu", **options)


@pytest.fixture
def unfinished(tmp_path, recipe):
    """The directory of an unfinished run of that recipe."""
    job = new(recipe, tmp_path / "model")
    job.output.mkdir()
    torch.manual_seed(1)
    state = fresh_state(build(recipe.model, 9, recipe.architecture), recipe.training)
    checkpoint_file(state, recipe, job.settings, "fingerprint")(job.output / LAST)
    (job.output / "config.yaml").touch()
    return job.output


def resumed(directory, **options):
    with not_run():
        return resume(KIND, directory, device="cpu", **options)


def test_the_files_of_a_run_are_the_same_from_any_folder(tmp_path, recipe, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = new(recipe, Path("model"), ("a.txt", "-", "/b.txt"), valid="c.txt", seed=3)
    assert job.settings == RunSettings((f"{tmp_path}/a.txt", "-", "/b.txt"), valid=f"{tmp_path}/c.txt", seed=3)
    assert (job.recipe, job.checkpoint, job.device) == (recipe, None, "cpu")


def test_a_new_run_does_not_replace_an_unfinished_one_unasked(unfinished, recipe):
    with pytest.raises(SettingError, match="holds an unfinished run"):
        new(recipe, unfinished)
    assert new(recipe, unfinished, force=True).checkpoint is None


@pytest.mark.parametrize("rank", ["0", "1"])
def test_every_process_of_a_run_refuses_to_overwrite(unfinished, recipe, monkeypatch, rank):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", rank)
    with pytest.raises(SettingError, match="holds an unfinished run"):
        new(recipe, unfinished)


def test_what_another_process_does_before_a_run_has_the_lock_is_seen(asked, recipe, monkeypatch):
    lock, others = trainer.exclusive_lock, []

    def late(directory):
        others.pop()()
        return lock(directory)

    monkeypatch.setattr(trainer, "exclusive_lock", late)
    others.append(lambda: run(asked(), prepared([8.0, 9.0])))
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        new(recipe, asked().output)


def test_a_run_that_a_launcher_starts_anew_goes_on(unfinished, recipe, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    assert new(recipe, unfinished).checkpoint.recipe == recipe
    assert new(recipe, unfinished, seed=2).checkpoint is None
    assert new(recipe, unfinished, ("other.txt",)).checkpoint is None


def test_a_resumed_run_is_the_one_that_was_stopped(unfinished, recipe):
    job = resumed(unfinished)
    assert (job.recipe, job.settings) == (recipe, job.checkpoint.settings)
    assert job.checkpoint.fingerprint == "fingerprint"


def test_a_resumed_run_may_have_its_corpus_elsewhere_and_more_minutes(unfinished, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = resumed(unfinished, data=["moved.txt"], minutes=5.0)
    assert (job.settings.corpus, job.settings.minutes) == ((f"{tmp_path}/moved.txt",), 5.0)
    assert job.checkpoint.fingerprint == "fingerprint"  # it is still the same corpus
    assert resumed(unfinished, minutes=0.0).settings.minutes == 0.0
    assert resumed(unfinished, allow_changed_corpus=True).checkpoint.fingerprint is None
