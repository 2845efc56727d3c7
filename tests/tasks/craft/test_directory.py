"""Model directories: what is written is read, and damaged ones are told."""

import shutil

import pytest
import torch

from synparse.tasks.craft import MODELS
from synparse.tasks.craft.directory import load_imitator, load_options
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.run import IMITATION
from synparse.training.trainer import train
from synparse.trees.errors import DataError

CPU = torch.device("cpu")


@pytest.fixture
def copy(trained_models, tmp_path):
    """A function from a change of its config to a copy of a model."""
    shutil.copytree(trained_models / "option-controller", tmp_path / "model")

    def changed(old, new):
        config = tmp_path / "model" / "config.yaml"
        text = config.read_text()
        assert old in text
        config.write_text(text.replace(old, new, 1))
        return tmp_path / "model"

    return changed


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_read_as_it_was_written(trained_models, tiny_craft_recipe, name):
    trained = load_imitator(trained_models / name, CPU)
    assert trained.recipe == load_craft_recipe(tiny_craft_recipe, name)
    assert trained.tasks == ("AC", "DA")
    assert trained.provenance["demonstrations"] == 40
    assert trained.provenance["data"] == ["demos.tsv"]
    assert not trained.model.training
    assert sorted(path.name for path in (trained_models / name).iterdir()) == [
        "config.yaml",
        "log.jsonl",
        "weights.safetensors",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("task: craft", "task: listops", "not a model that was trained by synparse task craft train"),
        ("tasks:\n- AC\n- DA", "tasks: []", "damaged model"),
        ("- AC", "- AX", "damaged model: task 'AX'"),
        ("observation_size: 58", "observation_size: 57", "damaged model"),
        ("hidden_size: 6", "hidden_sise: 7", "damaged model: unknown setting architecture.hidden_sise"),
        ("model: option-controller", "model: ocn", "damaged model: unknown model 'ocn'"),
    ],
)
def test_a_damaged_config_is_told(copy, old, new, message):
    with pytest.raises(DataError, match=message):
        load_imitator(copy(old, new), CPU)


def test_options_of_several_models_stand_one_after_the_other(trained_models):
    names = [str(trained_models / name) for name in ("option-controller", "mixture-of-experts")]
    options = load_options(names, must_end=False)
    assert options.view.near == 3
    first, second = (load_imitator(trained_models / name, CPU).model.options for name in names)
    torch.testing.assert_close(options.cells.of_input, torch.cat([first.of_input, second.of_input]))


def test_options_that_cannot_be_used_are_told(trained_models, craft_files, tiny_craft_recipe, tmp_path):
    option_controller = str(trained_models / "option-controller")
    with pytest.raises(DataError, match="ompn: a model of the kind ompn has no options to use"):
        load_options([option_controller, str(trained_models / "ompn")], must_end=False)
    with pytest.raises(DataError, match="the options of a mixture-of-experts do not end; use --kind one-step"):
        load_options([str(trained_models / "mixture-of-experts")], must_end=True)
    recipe = load_craft_recipe(tiny_craft_recipe, "option-controller", ["view.near=5"])
    train(IMITATION, [craft_files[0]], recipe, tmp_path / "wide", minutes=0, device="cpu")
    with pytest.raises(
        DataError, match=r"wide: its options see 5 × 5 cells and 1 × 1 blocks \(138 numbers\), those of"
    ):
        load_options([option_controller, str(tmp_path / "wide")], must_end=True)
