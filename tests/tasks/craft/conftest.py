"""Tiny demonstrations, recipes and models of Craft."""

import pytest
import torch

from synparse.tasks.craft import MODELS
from synparse.tasks.craft.demonstrations import demonstrations, format_demonstration, format_ends
from tests.sharing import made_once

TINY = """\
models:
  option-controller: {options: 2, hidden_size: 6}
  mixture-of-experts: {options: 2, hidden_size: 6}
  ompn: {hidden_size: 4, slots: 2}
view: {near: 3, far: 1}
training: {learning_rate: 1e-2, batch_size: 16, balance: 0.1, epochs: 1, validate_every: 2, validation_examples: 4}
"""


@pytest.fixture(scope="session")
def batch():
    """Random observations [6, 4, 7] of four demonstrations of two tasks, their lengths and tasks."""
    observations = torch.randn(6, 4, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    return observations, [6, 6, 3, 1], torch.tensor([0, 1, 0, 1])


@pytest.fixture(scope="session")
def tiny_craft_recipe(tmp_path_factory):
    path = tmp_path_factory.mktemp("craft") / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="session")
def made():
    """Twenty demonstrations of each of two tasks, and their true ends."""
    return [
        demonstration_and_ends
        for task in ("DA", "AC")
        for demonstration_and_ends in demonstrations(task, 20, 7, 1, 1, seed=1)
    ]


@pytest.fixture(scope="session")
def craft_files(tmp_path_factory, made):
    """The same as files: demonstrations and ends."""
    folder = tmp_path_factory.mktemp("demonstrations")
    (folder / "demos.tsv").write_text("".join(format_demonstration(demonstration) for demonstration, _ in made))
    (folder / "ends.tsv").write_text("".join(format_ends(demonstration.task, ends) for demonstration, ends in made))
    return str(folder / "demos.tsv"), str(folder / "ends.tsv")


@pytest.fixture(scope="session")
def trained_models(tmp_path_factory, tiny_craft_recipe, craft_files):
    """Model directories of every kind."""
    from synparse.tasks.craft.recipe import load_craft_recipe
    from synparse.tasks.craft.run import IMITATION
    from synparse.training.trainer import train

    def make(folder):
        for model in MODELS:
            recipe = load_craft_recipe(tiny_craft_recipe, model)
            train(IMITATION, [craft_files[0]], recipe, folder / model, device="cpu")

    return made_once(tmp_path_factory, "craft-models", make)
