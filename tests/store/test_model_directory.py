import shutil

import pytest

from synparse.store.model_directory import load_model, read_description
from synparse.trees.errors import DataError


@pytest.fixture
def model(tiny_model, tmp_path):
    return shutil.copytree(tiny_model, tmp_path / "model")


def test_a_missing_directory_is_reported(tmp_path):
    with pytest.raises(DataError, match="no such model directory; train one with"):
        read_description(tmp_path / "none")
    with pytest.raises(DataError, match=r"not a model directory: it has no config.yaml"):
        read_description(tmp_path)


@pytest.mark.parametrize("name", ["vocabulary.txt", "weights.safetensors"])
def test_a_missing_file_is_reported(model, name):
    (model / name).unlink()
    with pytest.raises(DataError, match=name):
        load_model(model)


@pytest.mark.parametrize("name", ["config.yaml", "vocabulary.txt", "weights.safetensors"])
@pytest.mark.parametrize("keep", [0, 1, 9, 200])
def test_a_half_written_file_is_reported(model, name, keep):
    path = model / name
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError) as caught:
        load_model(model)
    assert str(model) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_weights_that_do_not_fit_are_reported(model):
    path = model / "vocabulary.txt"
    path.write_text(path.read_text(encoding="utf-8").rpartition("\n")[0].rpartition("\n")[0] + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="weights do not fit"):
        load_model(model)


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
        load_model(model)
