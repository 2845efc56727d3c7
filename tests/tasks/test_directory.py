import os
import shutil

import pytest
import torch

from synparse.cli.app import run
from synparse.files.folders import save_together
from synparse.store.info import info
from synparse.store.model_directory import CONFIG, LOG, WEIGHTS
from synparse.store.models import TASK_COMMANDS, open_model
from synparse.tasks import TASKS
from synparse.tasks.craft import CRAFT
from synparse.tasks.directory import classifier_files, load_classifier, task_of
from synparse.tasks.sentiment import SENTIMENT
from synparse.trees.errors import DataError

CPU = torch.device("cpu")
LISTOPS = TASKS["listops"]


@pytest.fixture
def copy(trained, tmp_path):
    return shutil.copytree(trained / "listops-lstm", tmp_path / "model")


def test_what_is_saved_is_loaded(trained, tmp_path):
    first = load_classifier(trained / "listops-lstm", LISTOPS, CPU)
    for _ in range(2):  # the second time, it renews
        save_together(tmp_path / "new", classifier_files(LISTOPS, first.recipe, first.model, first.provenance, b"{}\n"))
    other = load_classifier(tmp_path / "new", LISTOPS, CPU)
    assert other[:2] == first[:2]
    for name, tensor in first.model.state_dict().items():
        assert torch.equal(tensor, other.model.state_dict()[name])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [CONFIG, LOG, WEIGHTS]


def test_no_model_and_another_task_s_are_told(trained, tmp_path):
    with pytest.raises(DataError, match=r"not a model directory of a task: it has no config.yaml"):
        load_classifier(tmp_path, LISTOPS, CPU)
    with pytest.raises(DataError, match="not a model of the task logic"):
        load_classifier(trained / "listops-lstm", TASKS["logic"], CPU)


def test_it_is_described_and_what_parses_says_which_command_takes_it(trained):
    directory = str(trained / "listops-lstm")
    described = info(directory)
    assert described["kind"] == "task listops"
    assert described["gives"] == "no trees; it is for: synparse task listops evaluate"
    assert described["parameters"] > 100
    assert described["recipe"]["encoder"] == "lstm"
    with pytest.raises(DataError, match=r"a model of the task listops, .* it is for: synparse task listops evaluate$"):
        open_model(directory)


def test_every_task_has_a_command_that_takes_its_models():
    assert TASK_COMMANDS.keys() == {*TASKS, *SENTIMENT, CRAFT}
    for command in TASK_COMMANDS.values():
        assert run([*command.split(",")[0].split(), "--help"]) == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("task: listops", "task: [", "not YAML"),
        ("hidden_size: 8", "hidden_size: 16", r"weights.safetensors: the weights do not fit config.yaml"),
        ("hidden_size: 8", "hidden_size: x", "damaged model: architecture.hidden_size must be a whole number"),
        ("encoder: lstm", "encoder: gru", "damaged model: unknown model 'gru'"),
        ("- '[MAX'", "- '[MIX'", "its words and labels are not those of listops"),
        ("provenance:", "provenance: 3\nother:", "its config is not that"),
    ],
)
def test_a_changed_config_is_told(copy, old, new, message):
    path = copy / CONFIG
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        load_classifier(copy, LISTOPS, CPU)


def test_a_task_that_is_no_name_is_told(copy):
    path = copy / CONFIG
    path.write_text(path.read_text(encoding="utf-8").replace("task: listops", "task: [listops]"), encoding="utf-8")
    with pytest.raises(DataError, match=f"not a model of {' or '.join(SENTIMENT)}"):
        task_of(copy, SENTIMENT)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_no_pipe_and_no_file_of_another_place_is_read(copy, name):
    (copy / name).rename(copy.parent / name)
    (copy / name).symlink_to(copy.parent / name)
    with pytest.raises(DataError, match=f"{name}: is a link that leads out of the model directory"):
        load_classifier(copy, LISTOPS, CPU)
    (copy / name).unlink()
    os.mkfifo(copy / name)
    with pytest.raises(DataError, match=f"{name}: not a file"):
        load_classifier(copy, LISTOPS, CPU)


def test_damaged_weights_are_told(copy):
    (copy / WEIGHTS).write_bytes((copy / WEIGHTS).read_bytes()[:100])
    with pytest.raises(DataError, match="damaged weights"):
        load_classifier(copy, LISTOPS, CPU)
    (copy / WEIGHTS).unlink()
    with pytest.raises(DataError):
        load_classifier(copy, LISTOPS, CPU)
