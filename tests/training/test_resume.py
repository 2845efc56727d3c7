"""A run that is interrupted and gone on with is the run that was not interrupted."""

import json
import os
import signal
from pathlib import Path

import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.store.model_directory import LAST
from synparse.store.models import open_model
from synparse.training import threads, updates
from synparse.training.checkpoint import read_checkpoint
from synparse.training.events import Note
from synparse.training.objectives import TextObjective
from synparse.training.run import resume, train
from synparse.training.save_every import SaveEvery
from synparse.trees.errors import DataError, SettingError
from tests.stopping import stop_when

AVERAGING = [
    "architecture.layers=2",
    "training.schedule=average",
    "training.optimizer=sgd",
    "training.learning_rate=30.0",
    "training.patience=1",
    "training.validate_every=2",
    "training.validation_words=100",
]
"""So high a rate that averaging begins in the first epoch, before the last of the steps at which runs are stopped."""
PLATEAU = [
    "training.schedule=plateau",
    "training.learning_rate=1.0",
    "training.patience=1",
    "training.validate_every=3",
    "training.epochs=3",
]


pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, sample_text):
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("".join(f"{line}\n" for line in sample_text[:200]), encoding="utf-8")
    return [str(path)]


@pytest.fixture(scope="module")
def trees(tmp_path_factory, sample_trees):
    path = tmp_path_factory.mktemp("trees") / "corpus.jsonl"
    path.write_text("".join(f"{line}\n" for line in sample_trees[:200]), encoding="utf-8")
    return [str(path)]


class Watch:
    """The steps of a run, which asks itself to stop (or fails) at one of them."""

    def __init__(self, stop_at=None):
        self.losses = {}
        self.stop_at = stop_at

    def __call__(self, event):
        step = getattr(event, "step", None)
        if step is not None:
            self.losses[step] = (event.loss, event.learning_rate, event.score, event.words, event.epoch)
            if step == self.stop_at:
                signal.raise_signal(signal.SIGTERM)


def network_in(directory):
    """The folder of the one network of a run."""
    [folder] = [path for path in directory.iterdir() if path.is_dir()]
    return folder


def checkpoint_of(directory):
    return read_checkpoint(network_in(directory))


def provenance_of(directory):
    return open_model(directory).description.provenance


def log_of(directory):
    rows = [json.loads(line) for line in (network_in(directory) / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def assert_same_model(model, other):
    for name in ("weights.safetensors", "vocabulary.txt"):
        assert (network_in(model) / name).read_bytes() == (network_in(other) / name).read_bytes()
    assert log_of(model) == log_of(other)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("tiny_recipe", []),
        ("tiny_recipe", PLATEAU),
        ("tiny_udgn_recipe", ["training.embedding_init=cooccurrence"]),
        ("tiny_on_lstm_recipe", AVERAGING),
        ("tiny_on_lstm_recipe", ["architecture.layers=2", "training.accumulation=3"]),
        ("tiny_ordered_memory_recipe", ["training.validate_every=4"]),
        ("tiny_recipe", ["training.sampled_softmax=30"]),
        ("tiny_student_recipe", ["training.word_dropout=0.3", "training.epochs=2"]),
    ],
)
def test_the_run_goes_on_bit_for_bit(request, tmp_path, corpus, trees, name, changes):
    recipe = load_recipe(str(request.getfixturevalue(name)), changes)
    corpus = trees if recipe.networks[0].model == "student" else corpus
    whole, parts = Watch(), {}
    train(corpus, recipe, tmp_path / "whole", device="cpu", report=whole)
    steps = max(whole.losses)
    assert steps > 8
    first = Watch(stop_at=3)
    result = train(corpus, recipe, tmp_path / "parts", device="cpu", report=first)
    assert (result.signal, result.steps, result.is_resumable) == (signal.SIGTERM, 3, True)
    # Aligned as PyTorch's own, or products may differ in the last digit, by chance.
    assert {tensor.data_ptr() % 64 for tensor in checkpoint_of(tmp_path / "parts").tensors.values()} == {0}
    parts |= first.losses
    for stop_at in (steps // 2, steps - 1, None):
        torch.manual_seed(12345)  # nothing may depend on the generator that a process happens to have
        again = Watch(stop_at)
        result = resume(tmp_path / "parts", device="cpu", report=again)
        assert min(again.losses) == max(parts) + 1
        parts |= again.losses
    assert parts == whole.losses
    assert result.signal is None
    assert not result.is_resumable
    assert_same_model(tmp_path / "whole", tmp_path / "parts")


def test_the_first_command_again_goes_on_where_it_is_the_same(tmp_path, corpus, tiny_recipe, monkeypatch):
    """As a launcher says it when it starts a process anew."""
    recipe = load_recipe(str(tiny_recipe))
    whole, first, again = Watch(), Watch(stop_at=3), Watch()
    train(corpus, recipe, tmp_path / "whole", device="cpu", report=whole)
    train(corpus, recipe, tmp_path / "parts", device="cpu", report=first)
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    train(corpus, recipe, tmp_path / "parts", device="cpu", report=again)
    assert first.losses | again.losses == whole.losses
    assert min(again.losses) == 4
    assert_same_model(tmp_path / "whole", tmp_path / "parts")


def test_other_trees_of_the_same_text_are_another_corpus(tmp_path, trees, tiny_student_recipe):
    train(trees, load_recipe(str(tiny_student_recipe)), tmp_path / "model", device="cpu", report=Watch(stop_at=3))
    other = tmp_path / "other.jsonl"
    first, *others = Path(trees[0]).read_text(encoding="utf-8").splitlines()
    value = json.loads(first)
    changed = json.dumps({**value, "constituents": value["constituents"][:1]})
    other.write_text("\n".join([changed, *others]), encoding="utf-8")
    with pytest.raises(DataError, match="has changed since this run began"):
        resume(tmp_path / "model", corpus=[str(other)], device="cpu")
    assert resume(tmp_path / "model", device="cpu").signal is None


@pytest.mark.parametrize("change", ["seed", "recipe", "nothing there"])
def test_another_command_begins_anew(tmp_path, corpus, tiny_recipe, change, monkeypatch):
    recipe, other = load_recipe(str(tiny_recipe)), load_recipe(str(tiny_recipe), ["training.mask_rate=0.4"])
    if change != "nothing there":
        train(corpus, recipe, tmp_path / "parts", device="cpu", report=Watch(stop_at=3))
    again = Watch(stop_at=2)
    chosen, seed = (other if change == "recipe" else recipe), (2 if change == "seed" else 1)
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    train(corpus, chosen, tmp_path / "parts", device="cpu", seed=seed, report=again, force=True)
    assert min(again.losses) == 1


def test_a_validation_that_was_broken_off_is_made_up_for(tmp_path, corpus, tiny_recipe, monkeypatch):
    recipe = load_recipe(str(tiny_recipe), ["training.validate_every=4", "training.epochs=3"])
    train(corpus, recipe, tmp_path / "whole", device="cpu")
    score = TextObjective.score
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return score(*arguments)

    monkeypatch.setattr(TextObjective, "score", interrupted)
    result = train(corpus, recipe, tmp_path / "parts", device="cpu")
    assert (result.signal, result.steps) == (signal.SIGINT, 8)
    assert checkpoint_of(tmp_path / "parts").values["is_validation_due"]
    assert len(log_of(tmp_path / "parts")) == 1
    assert resume(tmp_path / "parts", device="cpu").signal is None
    assert_same_model(tmp_path / "whole", tmp_path / "parts")


def test_a_step_that_was_broken_off_is_made_anew(tmp_path, corpus, tiny_recipe, monkeypatch):
    recipe = load_recipe(str(tiny_recipe), ["training.epochs=2"])
    train(corpus, recipe, tmp_path / "whole", device="cpu")
    add_gradients = updates.add_gradients
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        batch_loss = add_gradients(*arguments)
        if len(calls) == 5:
            os.kill(os.getpid(), signal.SIGTERM)
        return batch_loss

    monkeypatch.setattr(updates, "add_gradients", interrupted)
    result = train(corpus, recipe, tmp_path / "parts", device="cpu")
    assert (result.signal, result.steps) == (signal.SIGTERM, 4)
    resume(tmp_path / "parts", device="cpu")
    assert_same_model(tmp_path / "whole", tmp_path / "parts")


def test_a_second_interrupt_stops_at_once_and_leaves_the_checkpoint(tmp_path, corpus, tiny_recipe):
    stop = stop_when(lambda event: getattr(event, "step", None) == 7, signal.SIGINT)
    result = train(
        corpus,
        load_recipe(str(tiny_recipe)),
        tmp_path / "model",
        device="cpu",
        save_every=SaveEvery(steps=4),
        report=lambda event: [stop(event) for _ in range(2)],
    )
    assert (result.signal, result.is_resumable) == (signal.SIGINT, True)
    assert checkpoint_of(tmp_path / "model").values["step"] == 5  # after the first one and four more
    assert not (network_in(tmp_path / "model") / "weights.safetensors").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_while_it_reads_begins_again(tmp_path, tiny_recipe, number):
    path = tmp_path / "corpus.txt"
    path.write_text("the dog barks\n" * 10_000, encoding="utf-8")  # then it says how far it is
    recipe = load_recipe(str(tiny_recipe), ["training.batch_tokens=8192"])
    result = train([str(path)], recipe, tmp_path / "m", report=lambda _: os.kill(os.getpid(), number))
    assert (result.signal, result.is_resumable, result.steps) == (number, True, 0)
    assert [file.name for file in (tmp_path / "m").iterdir()] == ["last.json"]
    assert resume(tmp_path / "m", device="cpu").signal is None
    assert open_model(tmp_path / "m").description.provenance["steps"] > 0


def stopped_run(tmp_path, corpus, recipe_path, *changes):
    recipe = load_recipe(str(recipe_path), changes)
    train(corpus, recipe, tmp_path / "model", device="cpu", report=Watch(stop_at=5))
    return tmp_path / "model"


@pytest.fixture
def machine(monkeypatch):
    """A function that makes this a machine of so many cores, of which every network takes all."""

    def of(cores, asked=None):
        monkeypatch.setattr(threads, "asked_threads", lambda _: asked)
        monkeypatch.setattr(threads, "available_cores", lambda: cores)
        monkeypatch.setattr(threads, "LARGE", 1)

    with threads.own_threads():
        torch.set_num_threads(8)  # as many as PyTorch would start
        yield of


class Threads(Watch):
    """Notes how many threads each step has, and what the run says of them."""

    def __init__(self, stop_at=None):
        super().__init__(stop_at)
        self.counts, self.notes = set(), []

    def __call__(self, event):
        super().__call__(event)
        if isinstance(event, Note) and "threads" in event.text:
            self.notes.append(event.text)
        elif hasattr(event, "step"):
            self.counts.add(torch.get_num_threads())


def test_a_run_goes_on_with_as_many_threads_as_it_had(tmp_path, corpus, tiny_recipe, machine):
    recipe, before = load_recipe(str(tiny_recipe)), torch.get_num_threads()
    machine(cores=2)
    whole, first, rest = Threads(), Threads(stop_at=5), Threads()
    train(corpus, recipe, tmp_path / "whole", device="cpu", report=whole)
    train(corpus, recipe, tmp_path / "parts", device="cpu", report=first)
    assert checkpoint_of(tmp_path / "parts").threads == 2
    machine(cores=4)
    resume(tmp_path / "parts", device="cpu", report=rest)
    assert whole.counts == first.counts == rest.counts == {2}
    assert rest.notes == []
    assert_same_model(tmp_path / "whole", tmp_path / "parts")
    assert provenance_of(tmp_path / "parts")["threads"] == 2
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(("cores", "asked", "expected"), [(1, None, 1), (8, 2, 2)])
def test_a_run_that_cannot_have_its_threads_says_so(tmp_path, corpus, tiny_recipe, machine, cores, asked, expected):
    machine(cores=3)
    model, rest = stopped_run(tmp_path, corpus, tiny_recipe), Threads()
    machine(cores, asked=asked)
    resume(model, device="cpu", report=rest)
    assert rest.counts == {expected}
    assert rest.notes == [f"the run had 3 threads and continues with {expected}; results differ by rounding only"]


def test_another_corpus_is_refused_unless_it_is_allowed(tmp_path, corpus, tiny_recipe, sample_text):
    model = stopped_run(tmp_path, corpus, tiny_recipe)
    other = tmp_path / "other.txt"
    other.write_text("".join(f"{line}\n" for line in sample_text[200:300]), encoding="utf-8")
    before = (network_in(model) / LAST).read_bytes()
    with pytest.raises(DataError, match=r"has changed since this run began.*--allow-changed-corpus"):
        resume(model, corpus=[str(other)], device="cpu")
    assert (network_in(model) / LAST).read_bytes() == before
    vocabulary = (network_in(model) / "vocabulary.txt").read_bytes()
    result = resume(model, corpus=[str(other)], allow_changed_corpus=True, device="cpu")
    assert result.score is not None
    assert (network_in(model) / "vocabulary.txt").read_bytes() == vocabulary
    assert provenance_of(model)["corpus"]["files"] == ["other.txt"]


def test_the_corpus_may_have_moved(tmp_path, corpus, tiny_recipe):
    model = stopped_run(tmp_path, corpus, tiny_recipe)
    moved = tmp_path / "moved.txt"
    moved.write_text(open(corpus[0], encoding="utf-8").read(), encoding="utf-8")  # noqa: PTH123, SIM115
    assert resume(model, corpus=[str(moved)], device="cpu").signal is None


def test_some_settings_may_change_on_the_way(tmp_path, corpus, tiny_recipe):
    model = stopped_run(tmp_path, corpus, tiny_recipe)
    with pytest.raises(SettingError, match=r"can change training\.accumulation.*not 'architecture\.hidden_size=8'"):
        resume(model, changes=["architecture.hidden_size=8"], device="cpu")
    watch = Watch()
    resume(model, changes=["training.learning_rate=0.5", "training.epochs=1"], device="cpu", report=watch)
    rates = [rate for _, rate, *_ in watch.losses.values()]
    assert max(rates) > 0.1
    assert {epoch for *_, epoch in watch.losses.values()} == {1}
