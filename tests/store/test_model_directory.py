import shutil

import pytest
from safetensors.numpy import load_file, save_file

from synparse.store.model_directory import RUN, load, read_config
from synparse.store.models import open_model
from synparse.trees.errors import DataError
from tests.untrained import loaded, untrained, write_model


@pytest.fixture
def model(tiny_model, tmp_path):
    return shutil.copytree(tiny_model, tmp_path / "model")


def test_a_missing_directory_is_reported(tmp_path):
    with pytest.raises(DataError, match="no such model directory; train one with"):
        read_config(tmp_path / "none")
    with pytest.raises(DataError, match=r"not a model directory: it has no config.yaml") as raised:
        read_config(tmp_path)
    assert raised.value.source == str(tmp_path)
    (tmp_path / "my model").mkdir()
    (tmp_path / "my model" / RUN).write_text("{}")
    with pytest.raises(DataError, match=r"no model yet; .* --resume '.*my model'"):
        read_config(tmp_path / "my model")


@pytest.mark.parametrize("name", ["vocabulary.txt", "weights.safetensors"])
def test_a_missing_file_is_reported(model, name):
    (model / name).unlink()
    with pytest.raises(DataError, match=name):
        loaded(model)


@pytest.mark.parametrize("name", ["config.yaml", "vocabulary.txt", "weights.safetensors"])
@pytest.mark.parametrize("keep", [0, 1, 9, 200])
def test_a_half_written_file_is_reported(model, name, keep):
    path = model / name
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError) as caught:
        loaded(model)
    assert str(model) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_weights_that_do_not_fit_are_reported(model):
    path = model / "vocabulary.txt"
    path.write_text(path.read_text(encoding="utf-8").rpartition("\n")[0].rpartition("\n")[0] + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="weights do not fit"):
        loaded(model)


@pytest.mark.parametrize(
    "config",
    [
        "hello",
        "recipe: {model: gpt}\nprovenance: {}",
        "!!python/object:os.system {}",
        "recipe: 3",
        "[",
        "\x00",
        "recipe: {}",
    ],
)
def test_configs_of_others_are_told_and_run_nothing(model, config):
    (model / "config.yaml").write_text(config)
    with pytest.raises(DataError, match=r"config.yaml:(\d+:)? damaged model"):
        loaded(model)


def test_what_is_written_is_read(tmp_path):
    import torch

    directory = untrained(tmp_path / "model", "udgn", "a b c")
    model, without_torch = loaded(directory), loaded(directory, without_torch=True)
    assert list(model.vocabulary.words)[-3:] == ["a", "b", "c"]
    assert model.description == without_torch.description == open_model(directory).description
    again = loaded(write_model(tmp_path / "again", model))
    assert (again.vocabulary.words, again.description) == (model.vocabulary.words, model.description)
    state, other = model.network.state_dict(), again.network.state_dict()
    assert state.keys() == other.keys()
    assert all(torch.equal(state[name], other[name]) for name in state)


def test_a_model_of_grammars_has_no_network(tiny_grammar):
    [member] = open_model(tiny_grammar).members.values()
    model = load(member)
    assert model.inducer is None
    assert len(model.boundaries.starts) == len(model.vocabulary)


def test_weights_of_before_heights_had_a_bias_are_read_as_if_it_were_zero(model):
    path = model / "weights.safetensors"
    weights = load_file(path)
    save_file({name: array for name, array in weights.items() if name != "parser.height.bias"}, path)
    [member] = open_model(model).members.values()
    state = load(member).network.state_dict()
    assert state["parser.height.bias"].tolist() == [0.0]
    assert state.keys() == weights.keys()
