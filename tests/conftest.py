"""Fixtures that several test files share."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import hypothesis
import pytest

from synparse import compiled
from tests.sharing import made_once
from tests.shell import shell_with_synparse

for profile, examples in (("short", 20), ("long", 300)):  # make test-all loads the long one
    hypothesis.settings.register_profile(profile, max_examples=examples, deadline=None)  # machines may be busy
hypothesis.settings.load_profile("short")

os.environ.setdefault("OMP_NUM_THREADS", "1")  # models of tests are too small for more
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait leave the cores to the other processes


@pytest.fixture(params=["compiled", "NumPy"], scope="module")
def charts(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test of charts runs twice, with those in C and with those in NumPy."""
    if request.param == "compiled" and compiled.CHARTS is None:
        pytest.skip("the charts are not compiled here")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "NumPy":
            patch.setattr(compiled, "CHARTS", None)
        yield


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., str]:
    """A function that writes a file and returns its path."""

    def write(text: str, name: str = "data") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of our own treebank and what its sentences become: see its README."""
    return Path(__file__).with_name("fixtures")


@pytest.fixture(scope="session")
def lines_run() -> Callable[[Callable[[], object]], int]:
    """A function that counts the lines of Python that a call runs: its work, whatever else the machine does."""

    def count(call: Callable[[], object]) -> int:
        lines = 0

        def trace(_: FrameType, event: str, __: object) -> Any:
            nonlocal lines
            lines += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(before)
        return lines

    return count


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Also where the tests run in a background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def disk_full_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """A function after which a directory cannot be saved, because the disk is full when its config.yaml is written."""
    write = Path.write_bytes

    def fill(directory: Path) -> None:
        def write_or_fail(path: Path, content: bytes) -> int:
            if path == directory / ".pending" / "config.yaml":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(path, content)

        monkeypatch.setattr(Path, "write_bytes", write_or_fail)

    return fill


@pytest.fixture(scope="session")
def has_bfloat16_lstm() -> bool:
    """Whether this processor computes an LSTM in bfloat16."""
    import torch

    with torch.autocast("cpu", torch.bfloat16):
        try:
            torch.nn.LSTM(4, 4)(torch.ones(3, 2, 4))
        except RuntimeError:
            return False
    return True


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., subprocess.CompletedProcess[bytes]]]:
    """A function that runs a command of bash, in which ``synparse`` starts at once."""
    with shell_with_synparse(tmp_path_factory.mktemp("shell")) as run:
        yield run


@pytest.fixture(scope="session")
def tiny_recipe() -> Path:
    """A recipe whose model trains in seconds."""
    return Path(__file__).with_name("tiny.yaml")


@pytest.fixture(scope="session")
def tiny_on_lstm_recipe() -> Path:
    return Path(__file__).with_name("tiny-on-lstm.yaml")


@pytest.fixture(scope="session")
def tiny_ordered_memory_recipe() -> Path:
    return Path(__file__).with_name("tiny-ordered-memory.yaml")


@pytest.fixture(scope="session")
def tiny_udgn_recipe() -> Path:
    return Path(__file__).with_name("tiny-udgn.yaml")


@pytest.fixture(scope="session")
def tiny_student_recipe() -> Path:
    return Path(__file__).with_name("tiny-student.yaml")


@pytest.fixture(scope="session")
def sample_text() -> list[str]:
    """The first 400 sentences of the shipped corpus."""
    sample = Path(__file__).resolve().parents[1] / "data" / "sample" / "train.txt"
    return sample.read_text(encoding="utf-8").splitlines()[:400]


@pytest.fixture(scope="session")
def sample_trees(sample_text: list[str]) -> list[str]:
    """The balanced trees of these sentences, as JSON."""
    from synparse.corpora.sentences import Sentence
    from synparse.parsing.jobs import Writing, parsed_text
    from synparse.parsing.options import Request
    from synparse.parsing.parser import Parser

    sentences = [Sentence(tuple(line.split())) for line in sample_text]
    texts = parsed_text(Parser.load("balanced"), sentences, Writing("json", Request("unbiased", "mst")))
    return "".join(texts).splitlines()


@pytest.fixture(scope="session")
def dask_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask scheduler with two workers."""
    distributed = pytest.importorskip("distributed", reason="no Dask here: pip install 'synparse[dask]'")
    import dask

    idle = {  # or its three processes look at themselves fifty times a second, as long as the tests run
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "10s",
    }
    with (
        dask.config.set(idle),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=60,
            local_directory=str(tmp_path_factory.mktemp("dask")),
        ) as cluster,
    ):
        yield cluster.scheduler_address


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory, tiny_recipe: Path, sample_text: list[str]) -> Path:
    """The directory of a trained StructFormer."""
    return _trained(tmp_path_factory, "tiny", tiny_recipe, sample_text) / "structformer-1"


@pytest.fixture(scope="session")
def tiny_on_lstm(tmp_path_factory: pytest.TempPathFactory, tiny_on_lstm_recipe: Path, sample_text: list[str]) -> Path:
    """The directory of a trained ON-LSTM."""
    return _trained(tmp_path_factory, "tiny-on-lstm", tiny_on_lstm_recipe, sample_text) / "on-lstm-1"


@pytest.fixture(scope="session")
def tiny_udgn(tmp_path_factory: pytest.TempPathFactory, tiny_udgn_recipe: Path, sample_text: list[str]) -> Path:
    """The directory of a trained UDGN."""
    return _trained(tmp_path_factory, "tiny-udgn", tiny_udgn_recipe, sample_text) / "udgn-1"


@pytest.fixture(scope="session")
def tiny_udgns(tmp_path_factory: pytest.TempPathFactory, tiny_udgn_recipe: Path, sample_text: list[str]) -> list[Path]:
    """The directories of three UDGNs that have learned phrase boundaries and differ by their seeds."""
    changes = ["text.phrase_boundaries=true", "training.epochs=3"]
    return [
        _trained(tmp_path_factory, f"tiny-udgn-{seed}", tiny_udgn_recipe, sample_text, changes=changes, seed=seed)
        / "udgn-1"
        for seed in (1, 2, 3)
    ]


GRAMMARS = [
    "grammar.classes=12",
    "grammar.dependency_passes=4",
    "grammar.class_grammars=2",
    "grammar.nonterminals=5",
    "grammar.grammar_passes=4",
    "grammar.focused_passes=0",
]
"""Changes of a recipe by which grammars are learned in a second, like those of before there were focused ones."""


@pytest.fixture(scope="session")
def tiny_taught(tmp_path_factory: pytest.TempPathFactory, tiny_udgn_recipe: Path, sample_text: list[str]) -> Path:
    """The directory of a trained UDGN and the grammars that it taught."""
    changes = ["grammar.parts=all", *GRAMMARS, "text.phrase_boundaries=true"]
    return _trained(tmp_path_factory, "tiny-taught", tiny_udgn_recipe, sample_text, changes=changes)


@pytest.fixture(scope="session")
def tiny_grammar(tmp_path_factory: pytest.TempPathFactory, sample_text: list[str]) -> Path:
    """The directory of grammars that were learned without a network."""
    changes = [*GRAMMARS, "text.min_count=2"]
    return _trained(tmp_path_factory, "tiny-grammar", "grammar", sample_text, changes=changes)


@pytest.fixture(scope="session")
def tiny_student(tmp_path_factory: pytest.TempPathFactory, tiny_student_recipe: Path, sample_trees: list[str]) -> Path:
    """The directory of a trained student."""
    return _trained(tmp_path_factory, "tiny-student", tiny_student_recipe, sample_trees, "corpus.jsonl") / "student-1"


def _trained(
    factory: pytest.TempPathFactory,
    name: str,
    recipe: Path | str,
    text: list[str],
    file: str = "corpus.txt",
    changes: Sequence[str] = (),
    seed: int = 1,
) -> Path:
    """The directory that a run writes; what it trained is in folders of it."""

    def make(folder: Path) -> None:
        from synparse.training.run import train

        (folder / file).write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
        train([str(folder / file)], str(recipe), folder / "model", changes=changes, device="cpu", seed=seed)

    return made_once(factory, name, make) / "model"
