"""What the fault tests run in processes of their own, forked from one that has imported PyTorch already."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch
import torch._dynamo

import synparse.training.run
from synparse.cli.app import run

assert torch._dynamo  # imported by the first optimizer, for longer than all the rest
assert synparse.training.run


def forked() -> Any:
    """A context whose processes start in milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def give_up_privileges() -> None:
    """Permissions of files hold for root too from here on (Linux)."""
    version_3, this_process = 0x20080522, 0
    failed = ctypes.CDLL(None).capset(struct.pack("Ii", version_3, this_process), bytes(24))
    assert not failed


CHANGES = ("open", "os.mkdir", "os.chmod", "os.rename", "os.remove", "os.rmdir")


def kill_at_change(number: int, folder: Path) -> None:
    """Kill this process, as SIGKILL does, instead of its change of that number below a folder (or a look there)."""
    left = number

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if event in CHANGES and str(arguments[0]).startswith(str(folder)):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def command(
    arguments: Sequence[str],
    errors: Path,
    environment: dict[str, str],
    memory: int | None,
    privileged: bool,
    kill_at: tuple[int, Path] | None,
) -> None:
    """The command line, in this process; its standard error goes to a file."""
    if not privileged:
        give_up_privileges()
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(environment)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if kill_at is not None:
        kill_at_change(*kill_at)
    with errors.open("w", encoding="utf-8") as stream:
        sys.stderr = stream
        code = run(arguments)
    os._exit(code)


def start(
    arguments: Sequence[object],
    errors: Path,
    environment: dict[str, str] | None = None,
    memory: int | None = None,
    privileged: bool = True,
    kill_at: tuple[int, Path] | None = None,
) -> BaseProcess:
    """A running ``synparse`` with these arguments."""
    process: BaseProcess = forked().Process(
        target=command,
        args=([str(argument) for argument in arguments], errors, environment or {}, memory, privileged, kill_at),
    )
    process.start()
    return process


def together(size: int) -> Iterator[dict[str, str]]:
    """The environments of processes that PyTorch's launcher would start together."""
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for rank in range(size):
        yield {
            "RANK": str(rank),
            "LOCAL_RANK": str(rank),
            "WORLD_SIZE": str(size),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port),
        }


def save_gradients(
    recipe_path: str, lines: list[str], rows: int | None, parts: int, environment: dict[str, str], out: Path
) -> None:
    """The gradients of the second batch of a run (the first one makes the state it carries on), as one process of
    several has them after the others had their say."""
    import itertools
    import tempfile

    from safetensors.torch import save_file

    from synparse.config.recipe import load_recipe
    from synparse.corpora.sentences import Sentence
    from synparse.inducers.batch import rows_of
    from synparse.inducers.table import build
    from synparse.parsing.parser import Parser
    from synparse.training.distribution import joined_workers
    from synparse.training.gradients import add_gradients
    from synparse.training.objectives import objective_of
    from tests.texts import build_corpus

    torch.set_num_threads(1)
    os.environ.update(environment)
    cpu = torch.device("cpu")
    [recipe] = load_recipe(recipe_path).networks
    with tempfile.TemporaryDirectory() as folder, joined_workers(cpu) as workers:
        if recipe.training.objective == "tree":
            parses = Parser.load("balanced").parse(lines)
            sentences = [Sentence(parse.tokens, tree=parse.tree, heads=parse.heads) for parse in parses]
            corpus = build_corpus(sentences, recipe.text, Path(folder), with_trees=True)
        else:
            corpus = build_corpus([Sentence(line.split()) for line in lines], recipe.text, Path(folder))
        torch.manual_seed(1)
        model = build(recipe.model, len(corpus.vocabulary), recipe.architecture).eval()  # no dropout
        state, losses = None, []
        for training_batch in itertools.islice(next(objective_of(recipe.training, corpus).epochs(1, 1)), 2):
            model.zero_grad()
            batch = rows_of(training_batch.batch, slice(0, rows))
            batch_loss = add_gradients(model.loss, batch._replace(state=state), workers, cpu, parts)
            if workers.size > 1:
                workers.sum_gradients(model)
            state = batch_loss.state
            losses.append(workers.sums([batch_loss.total])[0] / batch_loss.predictions)
        gradients = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
        save_file(gradients | {"losses": torch.tensor(losses)}, out)
