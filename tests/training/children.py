"""What the fault tests run in processes of their own, forked from one that has imported PyTorch already."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch

import synparse.training.run
from synparse.cli.app import run

assert synparse.training.run


def forked() -> Any:
    """A context whose processes start in milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def command(arguments: Sequence[str], errors: Path, environment: dict[str, str], memory: int | None) -> None:
    """The command line, in this process; its standard error goes to a file."""
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(environment)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with errors.open("w", encoding="utf-8") as stream:
        sys.stderr = stream
        code = run(arguments)
    os._exit(code)


def start(
    arguments: Sequence[object], errors: Path, environment: dict[str, str] | None = None, memory: int | None = None
) -> BaseProcess:
    """A running ``synparse`` with these arguments."""
    process: BaseProcess = forked().Process(
        target=command, args=([str(one) for one in arguments], errors, environment or {}, memory)
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
