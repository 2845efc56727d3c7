"""Models of imitation in the training loop that inducers have too."""

import json
from pathlib import Path

import pytest
import torch

from synparse.tasks.craft.imitation import Imitation
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.run import IMITATION
from synparse.training.checkpoint import is_unfinished
from synparse.training.trainer import resume, train
from synparse.trees.errors import DataError
from tests.stopping import Watch

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture
def run(tmp_path, craft_files, tiny_craft_recipe):
    """A function to the losses of a run, whose directory is ``model``."""

    def losses(*overrides, stop_at=None, **settings):
        watch = Watch(stop_at)
        recipe = load_craft_recipe(tiny_craft_recipe, "option-controller", ["training.epochs=3", *overrides])
        train(
            IMITATION, [craft_files[0]], recipe, tmp_path / "model", device="cpu", report=watch, force=True, **settings
        )
        return watch.losses

    return losses


def rows(path):
    return [json.loads(line) for line in (path / "model" / "log.jsonl").read_text().splitlines()]


def weights(path):
    return (path / "model" / "weights.safetensors").read_bytes()


def test_a_stopped_run_goes_on_bit_for_bit(run, tmp_path):
    whole = run()
    assert len(whole) == 9  # 36 demonstrations, 16 a batch
    expected, log = weights(tmp_path), rows(tmp_path)
    first = run(stop_at=5)
    assert is_unfinished(tmp_path / "model")
    torch.manual_seed(12345)
    rest = Watch()
    result = resume(IMITATION, tmp_path / "model", device="cpu", report=rest)
    assert first + rest.losses == whole
    assert not result.interrupted
    assert weights(tmp_path) == expected
    assert [row | {"seconds": 0} for row in rows(tmp_path)] == [row | {"seconds": 0} for row in log]


def test_the_log_scores_segments_and_nothing_depends_on_them(run, tmp_path, monkeypatch):
    run()
    expected, log = weights(tmp_path), rows(tmp_path)
    assert all({"log_likelihood", "nmi", "alignment_accuracy", "boundary_f1", "action_accuracy"} <= set(r) for r in log)
    assert [row["step"] for row in log] == [2, 4, 6, 8, 9]
    monkeypatch.setattr(Imitation, "observed", lambda *_: {"nmi": None})
    run()
    assert weights(tmp_path) == expected
    assert [row["log_likelihood"] for row in rows(tmp_path)] == [row["log_likelihood"] for row in log]
    assert {row["nmi"] for row in rows(tmp_path)} == {None}


def test_the_balance_counts(run):
    assert run("training.balance=0")[1:] != run("training.balance=5")[1:]


def test_other_data_are_told(run, tmp_path, craft_files):
    run(stop_at=2)
    other = tmp_path / "other.tsv"
    lines = Path(craft_files[0]).read_text().splitlines(keepends=True)
    other.write_text("".join(lines[:-1]))
    with pytest.raises(DataError, match="has changed since this run began"):
        resume(IMITATION, tmp_path / "model", data=[str(other)], device="cpu")
    other.write_text(lines[0])
    with pytest.raises(DataError, match="at least two"):
        train(IMITATION, [str(other)], load_craft_recipe("craft-small", "ompn"), tmp_path / "two", device="cpu")
