"""Real training processes, and what becomes of their directories when something happens to them."""

import random
import shutil
import signal
import sys
from contextlib import contextmanager

import pytest
from safetensors.numpy import load_file

from synparse.config.recipe import load_recipe
from synparse.files.folders import PENDING, SAVED
from synparse.store.model_directory import LAST, is_unfinished
from synparse.store.models import open_model
from synparse.training.checkpoint import read_checkpoint
from synparse.training.run import resume, train
from synparse.training.save_every import SaveEvery
from synparse.trees.errors import DataError
from tests.hostile_kinds import KINDS
from tests.processes import HANG, wait_for
from tests.training.children import start
from tests.training.test_resume import log_of
from tests.untrained import untrained

NETWORK = "structformer-1"

KILLS = 20

CHANGES = 150
"""How many changes of its directory a run makes at most before it is killed: a save is about twenty."""


SEEDS = pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.long)])
"""Of the moments of the kills; ``make faults`` tries both."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, sample_text):
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("".join(f"{line}\n" for line in sample_text[:150]), encoding="utf-8")
    return path


def step_of(directory):
    """How many updates the checkpoint of the one network of a run has."""
    return read_checkpoint(directory / NETWORK).values["step"]


@SEEDS
def test_a_run_that_is_killed_again_and_again_ends_as_if_nothing_had_been(tmp_path, corpus, tiny_recipe, seed):
    """Kills at random changes of the directory, many of them inside a save: the run saves after every update."""
    model, errors = tmp_path / "model", tmp_path / "errors"
    begin = ["train", corpus, "--recipe", tiny_recipe, "--output", model, "--save-every", "1",
             "--set", "training.validate_every=5", "--epochs", "1000"]  # fmt: skip
    chance = random.Random(seed)
    inside_a_save, steps = 0, [0]
    for _ in range(KILLS):
        was_there = is_unfinished(model)
        command = ["train", "--resume", model, "--save-every", "1"] if was_there else begin
        process = start(command, errors, kill_at=(chance.randrange(CHANGES), model))
        assert ended(process) == -signal.SIGKILL
        inside_a_save += any(
            (folder / name).exists() for folder in (model, model / NETWORK) for name in (PENDING, SAVED)
        )
        if not is_unfinished(model):
            assert not was_there
        if not is_unfinished(model / NETWORK):
            continue
        steps.append(step_of(model))
        assert steps[-1] >= steps[-2]
        kept = read_checkpoint(model / NETWORK).values["kept"]
        if kept is not None:
            perplexity = open_model(model / NETWORK).description.provenance["held_out_perplexity"]
            assert perplexity == pytest.approx(kept, abs=0.001)
    assert steps[-1] > KILLS
    assert inside_a_save > 1
    # Both on one thread, as the runs that were killed: sums on two differ in their last digits.
    epochs = f"training.epochs={read_checkpoint(model / NETWORK).values['epoch']}"
    whole = tmp_path / "whole"
    begin = ["train", corpus, "--recipe", tiny_recipe, "-o", whole, "--set", "training.validate_every=5"]
    assert ended(start(["train", "--resume", model, "--set", epochs], errors)) == 0
    assert ended(start([*begin, "--set", epochs], errors)) == 0
    assert log_of(model) == log_of(whole)
    assert arrays_in(model) == arrays_in(whole)
    assert {path.relative_to(model) for path in model.rglob("*")} == {
        path.relative_to(whole) for path in whole.rglob("*")
    }


def arrays_in(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*.safetensors")}


@SEEDS
def test_a_run_of_stages_that_is_killed_again_and_again_ends_as_if_nothing_had_been(request, tmp_path, corpus, seed):
    recipe = request.path.parents[1] / "tiny-stages.yaml"
    assert_killed_runs_end_alike(["train", corpus, "--recipe", recipe], tmp_path, seed)


@pytest.mark.long
def test_a_run_with_given_trees_that_is_killed_again_and_again_ends_as_if_nothing_had_been(request, tmp_path, corpus):
    recipe, trees = request.path.parents[1] / "tiny-stages.yaml", request.path.parents[2] / "data/sample/gold.conllu"
    begin = ["train", corpus, "--recipe", recipe, "--trees", trees]
    assert_killed_runs_end_alike(begin, tmp_path, seed=5)


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "task listops train whole.listops --recipe whole.task.yaml",
        "sentiment train whole.sentiment --recipe whole.sentiments.yaml --model lstm",
        "task craft train whole.craft --recipe whole.worlds.yaml",
        "similarity train udgn --data whole.similar --recipe whole.tuning.yaml",
    ],
)
def test_what_else_is_trained_and_killed_again_and_again_ends_as_if_nothing_had_been(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    for name, kind in KINDS.items():
        (tmp_path / f"whole{name[name.index('.') :]}").write_bytes(kind.content)
    untrained(tmp_path / "udgn", "udgn", "the dog saw cats in park")
    training = "epochs=15", "patience=1000", "validate_every=2"
    settings = [argument for setting in training for argument in ("--set", f"training.{setting}")]
    assert_killed_runs_end_alike([*line.split(), *settings], tmp_path, 5, "--save-every", "1")


def assert_killed_runs_end_alike(begin, folder, seed, *more):
    """Kills at random changes of its directory, until the run gets to its end; ``more``: options of each part of it."""
    model, whole, errors = folder / "model", folder / "whole", folder / "errors"
    resume, options = [*begin[: begin.index("train") + 1], "--resume", model], ["--device", "cpu", *more]
    chance, kills = random.Random(seed), 0
    while not (model / "config.yaml").exists() or is_unfinished(model):  # it may be killed after its last change, too
        command = resume if is_unfinished(model) else [*begin, "-o", model]
        code = ended(start([*command, *options], errors, kill_at=(chance.randrange(20, CHANGES), model)))
        assert code in (0, -signal.SIGKILL), errors.read_text()
        kills += code != 0
    assert kills > 2
    assert ended(start([*begin, "-o", whole, *options], errors)) == 0
    assert arrays_in(model).keys() == arrays_in(whole).keys() != set()
    for name in arrays_in(whole):
        for key, array in load_file(whole / name).items():
            assert (load_file(model / name)[key] == array).all(), (name, key)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_saves_says_so_and_exits(tmp_path, corpus, tiny_recipe, number, code):
    import os

    model, errors = tmp_path / "model", tmp_path / "errors"
    process = start(["train", corpus, "--recipe", tiny_recipe, "-o", model, "--epochs", "1000"], errors)
    wait_for(lambda: (model / "config.yaml").exists(), process)
    os.kill(process.pid, number)
    process.join(HANG)
    assert process.exitcode == code
    message = errors.read_text(encoding="utf-8")
    assert message.startswith("synparse: interrupted after ")
    assert message.endswith(f"continue with --resume {model}\n")
    assert message.count("\n") == 1
    assert f"after {step_of(model)} updates" in message


def ended(process):
    process.join(HANG)
    return process.exitcode


def unfinished(tmp_path, corpus, recipe):
    """The directory of a run that was killed after some updates."""

    class Killed(BaseException):
        pass

    def kill(event):
        if getattr(event, "step", 0) == 25:
            raise Killed

    model = tmp_path / "model"
    with pytest.raises(Killed):
        train(
            [str(corpus)],
            load_recipe(str(recipe), ["training.validate_every=10", "training.epochs=6"]),
            model,
            save_every=SaveEvery(steps=5),
            report=kill,
        )
    assert step_of(model) == 25
    return model


def contents(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@contextmanager
def full_disk(size):
    """Within, no file can be larger than so many bytes."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("size", [10_000, 100_000])
def test_a_disk_that_is_full_while_a_model_is_replaced_leaves_the_old_one(tmp_path, corpus, tiny_model, size):
    """It is full when the corpus is read, or when the network is saved."""
    model = shutil.copytree(tiny_model.parent, tmp_path / "model")
    before = contents(model)
    changes = ["architecture.hidden_size=64"]
    with full_disk(size), pytest.raises(DataError, match=r"model(/structformer-2)?: cannot be .*: .*File too large"):
        train([str(corpus)], model="structformer", output=model, changes=changes, device="cpu", force=True)
    assert contents(model) == before
    assert {path.name for path in tmp_path.iterdir()} == {"model"}


def test_a_disk_that_is_full_leaves_the_last_save_whole(tmp_path, corpus, tiny_recipe):
    model = unfinished(tmp_path, corpus, tiny_recipe)
    before = contents(model)
    with full_disk(30_000), pytest.raises(DataError, match=r"cannot be saved: .*File too large") as caught:
        resume(model, device="cpu")
    assert "\n" not in str(caught.value)
    assert contents(model) == before
    assert resume(model, device="cpu").signal is None


@pytest.mark.skipif(sys.platform != "linux", reason="takes root's rights away as Linux does")
def test_a_folder_that_is_read_only_is_told_and_left_as_it_is(tmp_path, corpus, tiny_recipe):
    model, errors = unfinished(tmp_path, corpus, tiny_recipe), tmp_path / "errors"
    before = contents(model)
    (tmp_path / "locked").mkdir()
    for directory, command in [
        (tmp_path / "locked", ["train", corpus, "--recipe", tiny_recipe, "-o", tmp_path / "locked" / "model"]),
        (tmp_path / "locked", ["parse", corpus, "-m", model, "-o", tmp_path / "locked" / "trees.conllu"]),
        (model, ["train", "--resume", model]),
    ]:
        directory.chmod(0o555)
        assert ended(start(command, errors, privileged=False)) == 1
        directory.chmod(0o755)
        message = errors.read_text(encoding="utf-8")
        assert message.endswith("Permission denied\n")
        assert message.count("\n") == 1
    assert contents(model) == before
    assert not list((tmp_path / "locked").iterdir())
    assert ended(start(["train", "--resume", model], errors, privileged=False)) == 0


def test_two_runs_do_not_write_into_one_directory(tmp_path, corpus, tiny_recipe):
    model, errors = tmp_path / "model", tmp_path / "errors"
    command = ["train", corpus, "--recipe", tiny_recipe, "-o", model, "--epochs", "1000"]
    process = start(command, tmp_path / "errors of the first")
    wait_for(lambda: is_unfinished(model), process)
    for second in (["train", "--resume", model], [*command, "--force"]):
        assert ended(start(second, errors)) == 1
        assert errors.read_text(encoding="utf-8").endswith(
            f"{model}: another process is writing to it; wait for it, or name another output\n"
        )
    assert process.is_alive()
    process.kill()
    process.join()
    assert ended(start([*command, "--force", "--epochs", "1"], errors)) == 0  # a lock ends with its process


def test_an_output_that_becomes_a_file_is_told(tmp_path, corpus, tiny_recipe):
    def spoil(event):
        if getattr(event, "step", 0) == 12:
            shutil.rmtree(tmp_path / "model")
            (tmp_path / "model").write_text("mine")

    recipe = load_recipe(str(tiny_recipe), ["training.validate_every=10", "training.epochs=3"])
    with pytest.raises(DataError, match="cannot be saved"):
        train([str(corpus)], recipe, tmp_path / "model", report=spoil)
    assert (tmp_path / "model").read_text() == "mine"


def test_want_of_memory_is_told_with_the_batch_and_the_remedy(tmp_path, tiny_model, tiny_recipe):
    """With 1.5 GB more than the program itself takes, for a batch that needs more."""
    errors, corpus = tmp_path / "errors", tiny_model.parents[1] / "corpus.txt"
    big = ["--set", "architecture.hidden_size=64", "--set", "architecture.feed_forward_size=65536",
           "--set", "training.batch_tokens=16384"]  # fmt: skip
    process = start(
        ["train", corpus, "--recipe", tiny_recipe, "-o", tmp_path / "m", *big], errors, memory=own_memory() + (3 << 29)
    )
    assert ended(process) == 1
    message = errors.read_text(encoding="utf-8")
    assert message.count("\n") == 1, message
    assert "out of memory at step 1, on a batch of" in message
    assert "raise training.accumulation, which gives the same updates, or lower training.batch_tokens" in message


def own_memory():
    """Address space of this process, which has imported the same modules, in bytes."""
    from pathlib import Path

    return 4096 * int(Path("/proc/self/statm").read_text().split()[0])


def test_a_checkpoint_is_one_file_that_holds_no_code(tmp_path, corpus, tiny_recipe):
    model = unfinished(tmp_path, corpus, tiny_recipe)
    names = sorted(path.name for path in (model / NETWORK).iterdir())
    assert names == ["README.md", "config.yaml", LAST, "log.jsonl", "vocabulary.txt", "weights.safetensors"]
    assert (
        int.from_bytes((model / NETWORK / LAST).read_bytes()[:8], "little") < 100_000
    )  # a header of JSON, then numbers
