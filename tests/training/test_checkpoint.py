"""The file that a run goes on from, and what damages it."""

import contextlib
import json
import random
from dataclasses import asdict

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from synparse.config.recipe import load_recipe
from synparse.inducers.table import build
from synparse.store.model_directory import LAST, is_unfinished
from synparse.training.checkpoint import (
    FORMAT,
    RunSettings,
    checkpoint_file,
    read_checkpoint,
    restore_checkpoint,
    tensors_of,
    values_of,
)
from synparse.training.state import fresh_state
from synparse.trees.errors import DataError

SETTINGS = RunSettings(("/a/corpus.txt", "-"), "/a/valid.txt", raw=True, minutes=2.5, seed=7)
WORDS = 11


@pytest.fixture
def recipe(tiny_recipe):
    recipe = load_recipe(str(tiny_recipe))
    return recipe.model_recipe(recipe.networks[0])


def begun(recipe, seed=1):
    """A run after an update of random gradients."""
    torch.manual_seed(seed)
    state = fresh_state(build(recipe.model, WORDS, recipe.architecture), recipe.training)
    for parameter in state.model.parameters():
        parameter.grad = torch.randn_like(parameter)
    state.optimizer.step()
    state.step, state.words, state.seconds = 1, 40, 0.5
    state.log, state.kept = ['{"step": 1}'], 9.5
    return state


@pytest.fixture
def model(tmp_path, recipe):
    """A directory that holds a checkpoint and nothing else."""
    directory = tmp_path / "model"
    directory.mkdir()
    checkpoint_file(begun(recipe), recipe, SETTINGS, "fingerprint")(directory / LAST)
    return directory


def noted(model):
    """What is noted beside the tensors."""
    with safe_open(model / LAST, "pt") as saved:
        return json.loads(saved.metadata()["synparse-run"])


def with_note(model, name, value):
    """The checkpoint as if that value were noted in it; none for None."""
    about = noted(model)
    about.pop(name)
    save_file(
        load_file(model / LAST),
        model / LAST,
        {"synparse-run": json.dumps(about | ({} if value is None else {name: value}))},
    )


def test_what_is_read_is_what_was_written(model, recipe):
    state = begun(recipe)
    checkpoint = read_checkpoint(model)
    assert is_unfinished(model)
    assert (checkpoint.recipe, checkpoint.settings, checkpoint.fingerprint) == (recipe, SETTINGS, "fingerprint")
    assert checkpoint.threads == torch.get_num_threads()
    other = begun(recipe, seed=2)
    other.log, other.kept, other.seconds = [], None, 0.0
    other.schedule.base = recipe.training.learning_rate  # as of a fresh state
    restore_checkpoint(other, checkpoint, model)
    assert values_of(other) == values_of(state)
    assert all(torch.equal(tensor, tensors_of(other)[name]) for name, tensor in tensors_of(state).items())


def test_a_checkpoint_is_taken_when_it_is_written(tmp_path, recipe):
    state = begun(recipe)
    write = checkpoint_file(state, recipe, SETTINGS, "")
    with torch.no_grad():
        next(state.model.parameters()).fill_(0.25)
    write(tmp_path / LAST)
    name = next(name for name, _ in state.model.named_parameters())
    assert (load_file(tmp_path / LAST)[f"model.{name}"] == 0.25).all()


def test_there_is_nothing_to_resume(tmp_path):
    with pytest.raises(DataError, match="there is nothing to resume: no such directory"):
        read_checkpoint(tmp_path / "none")
    with pytest.raises(DataError, match="there is nothing to resume: no run has saved anything there; begin one"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("version", [None, FORMAT + 1])
def test_a_checkpoint_of_another_version_says_what_to_do(model, version):
    with_note(model, "format", version)
    with pytest.raises(DataError, match=r"begun by another version of synparse; .* start again with --force"):
        read_checkpoint(model)


@pytest.mark.parametrize("value", [-1, 0, "two", 1.5, [2], True])
def test_threads_that_cannot_be_are_damage(model, value):
    with_note(model, "threads", value)
    with pytest.raises(DataError, match="damaged checkpoint: threads is"):
        read_checkpoint(model)


@pytest.mark.parametrize(
    "damage", ["cut", "metadata", "tensor missing", "wrong shape", "wrong number", "wrong recipe", "unknown setting"]
)
def test_a_damaged_checkpoint_is_told_in_one_line(model, recipe, damage):
    path, tensors, about = model / LAST, load_file(model / LAST), noted(model)
    if damage == "tensor missing":
        del tensors["optimizer.0.exp_avg"]
    elif damage == "wrong shape":
        tensors["model.embedding.weight"] = torch.zeros(3, 3)
    elif damage == "wrong number":
        about["values"]["step"] = "many"
    elif damage == "wrong recipe":
        about["recipe"]["model"] = "gpt"
    elif damage == "unknown setting":
        about["settings"] = {**asdict(SETTINGS), "colour": "red"}
    save_file(tensors, path, None if damage == "metadata" else {"synparse-run": json.dumps(about)})
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    state = fresh_state(build(recipe.model, WORDS, recipe.architecture), recipe.training)
    with pytest.raises(DataError, match="damaged checkpoint: ") as caught:
        restore_checkpoint(state, read_checkpoint(model), model)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_mutated_checkpoints_are_restored_or_told(model):
    """Any change of bytes in the header or the numbers: a state, or one line that says what is wrong."""
    path = model / LAST
    whole = path.read_bytes()
    header = int.from_bytes(whole[:8], "little")
    chance = random.Random(3)
    told = 0
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(chance.choice([1, 1, 2, 8])):
            content[chance.randrange(chance.choice([8, header, len(content)]))] = chance.randrange(32, 127)
        path.write_bytes(content[: chance.choice([len(content), len(content), chance.randrange(len(content))])])
        with contextlib.suppress(DataError):
            told += 1
            checkpoint = read_checkpoint(model)
            torch.manual_seed(1)
            saved_recipe = checkpoint.recipe
            inducer = build(saved_recipe.model, WORDS, saved_recipe.architecture)
            restore_checkpoint(fresh_state(inducer, saved_recipe.training), checkpoint, model)
            told -= 1
    assert 100 < told < 300
