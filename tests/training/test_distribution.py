"""Several processes make the updates that one would make."""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from synparse.config.recipe import load_recipe
from synparse.inducers.table import BASELINES
from synparse.store.model_directory import LAST
from synparse.store.models import open_model
from synparse.training import distribution
from synparse.training.run import train
from tests.processes import HANG, wait_for
from tests.training.children import forked, save_gradients, together
from tests.untrained import NETWORKS

TINY = {"structformer": "tiny"} | {name: f"tiny-{name}" for name in (*NETWORKS, *BASELINES) if name != "structformer"}


def gradients(tmp_path, recipe, lines, size, rows=None, parts=1):
    """The gradients in each of ``size`` processes."""
    environments = [{}] if size == 1 else list(together(size))
    paths = [tmp_path / f"{size}-{parts}-{rank}.safetensors" for rank in range(size)]
    processes = [
        forked().Process(target=save_gradients, args=(str(recipe), lines, rows, parts, environment, path))
        for environment, path in zip(environments, paths, strict=True)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(HANG)
        assert process.exitcode == 0
    return [load_file(path) for path in paths]


@pytest.mark.parametrize(("name", "sampled_softmax"), [*((name, None) for name in TINY), ("udgn", 20)])
def test_the_gradients_of_a_step_are_those_of_one_process(request, tmp_path, sample_text, name, sampled_softmax):
    written = (request.path.parents[1] / f"{TINY[name]}.yaml").read_text(encoding="utf-8")
    recipe = tmp_path / "tiny.yaml"
    if sampled_softmax:
        written = written.replace("training: {", f"training: {{sampled_softmax: {sampled_softmax}, ")
    recipe.write_text(written, encoding="utf-8")
    [alone] = gradients(tmp_path, recipe, sample_text, 1)
    others = [*gradients(tmp_path, recipe, sample_text, 2), *gradients(tmp_path, recipe, sample_text, 1, parts=3)]
    assert len(alone) > 5
    for other in others:
        assert other.keys() == alone.keys()
        for key, gradient in alone.items():
            torch.testing.assert_close(
                other[key], gradient, rtol=1e-4, atol=1e-6, msg=lambda text, k=key: f"{k}: {text}"
            )


@pytest.mark.parametrize("name", ["udgn", "student"])
def test_a_process_without_a_row_of_its_own_changes_nothing(request, tmp_path, sample_text, name):
    recipe = request.path.parents[1] / f"{TINY[name]}.yaml"
    [alone] = gradients(tmp_path, recipe, sample_text, 1, rows=1)
    for other in gradients(tmp_path, recipe, sample_text, 2, rows=1):
        for key, gradient in alone.items():
            torch.testing.assert_close(other[key], gradient, rtol=1e-4, atol=1e-6)


def test_processes_that_are_started_anew_do_not_find_the_addresses_of_those_before(monkeypatch):
    shared, found = torch.distributed.HashStore(), []

    def connect(*_, store, **__):
        found.append(store.check(["address"]))
        store.set("address", "x")

    monkeypatch.setattr(distribution, "rendezvous", lambda *_, **__: iter([(shared, 0, 2)]))
    monkeypatch.setattr("torch.distributed.init_process_group", connect)
    monkeypatch.setattr("torch.distributed.destroy_process_group", lambda: None)
    monkeypatch.setenv("WORLD_SIZE", "2")
    for restarts in ("0", "1"):
        monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", restarts)
        monkeypatch.setattr(distribution, "_NETWORKS", itertools.count())  # those of another process
        with distribution.joined_workers(torch.device("cpu")):
            pass
    assert found == [False, False]


def launched(tmp_path, recipe, *arguments):
    """``synparse train`` as PyTorch's launcher runs it, in two processes."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    restarts = ["--max-restarts", "2", "--monitor-interval", "0.2"]
    command = ["-m", "synparse", "train", "corpus.txt", "--recipe", recipe, "-o", "model", "--device", "cpu"]
    with (tmp_path / "errors").open("w") as errors:
        return subprocess.Popen(
            [*map(str, launcher + restarts + command), *arguments],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )


def process_of_rank(launcher, rank):
    """The process of that rank among the children of the launcher."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == launcher.pid and f"\0RANK={rank}\0" in (folder / "environ").read_text():
                return int(folder.name)
    return None


@pytest.mark.long
def test_several_networks_are_trained_one_after_the_other(request, tmp_path, sample_text):
    (tmp_path / "corpus.txt").write_text("".join(f"{line}\n" for line in sample_text), encoding="utf-8")
    tiny = (request.path.parents[1] / "tiny.yaml").read_text(encoding="utf-8")
    assert "  - network: structformer\n" in tiny
    several = tiny.replace("  - network: structformer\n", "  - network: structformer\n    seeds: 4\n")
    (tmp_path / "several.yaml").write_text(several, encoding="utf-8")
    process = launched(tmp_path, "several.yaml")
    process.communicate(timeout=HANG)
    assert process.returncode == 0
    assert len(open_model(tmp_path / "model").members) == 4


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes in /proc")
def test_a_rank_that_is_killed_is_started_anew_and_the_run_ends_as_usual(request, tmp_path, sample_text):
    (tmp_path / "corpus.txt").write_text("".join(f"{line}\n" for line in sample_text), encoding="utf-8")
    recipe = request.path.parents[1] / "tiny.yaml"
    process = launched(tmp_path, recipe, "--epochs", "60", "--save-every", "5", "--json")
    wait_for(lambda: (tmp_path / "model" / "structformer-1" / LAST).exists(), process)
    victim = process_of_rank(process, 1)
    os.kill(victim, signal.SIGKILL)
    out, _ = process.communicate(timeout=HANG)
    assert process.returncode == 0
    assert len(out.splitlines()) == 1  # the first process reports, the others are quiet
    result = json.loads(out)
    rows = [json.loads(line) for line in (tmp_path / "model" / "structformer-1" / "log.jsonl").read_text().splitlines()]
    steps = [row["step"] for row in rows]
    assert steps == sorted(set(steps))
    assert rows[-1]["step"] == result["steps"]
    assert rows[-1]["epoch"] == 60
    assert open_model(tmp_path / "model").description.provenance["words_seen"] <= result["words"]
    assert not list((tmp_path / "model").rglob("last.*"))
    alone = train([str(tmp_path / "corpus.txt")], load_recipe(str(recipe), ["training.epochs=60"]), tmp_path / "alone")
    assert (alone.steps, alone.words) == (result["steps"], result["words"])
    assert result["perplexity"] < 1.3 * alone.score
