"""A function of each item of a stream, computed by several processes, in order and in constant memory."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, Protocol, TypeVar

from synparse.files.cores import available_cores
from synparse.trees.errors import DataError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""How many items are read ahead for each process."""

ATTEMPTS = 3
"""How many processes may be killed on one item, or one after the other while they start, before it is an error; after
fewer, another process takes over."""


class _Task(NamedTuple):
    """An item, pickled as soon as it is read, because as many small objects it would take several times the memory."""

    number: int
    pickled: bytes
    attempt: int = 1


class _Outcome(NamedTuple):
    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _Worker:
    """A process, and the function that it computes."""

    process: SpawnProcess
    pipe: Connection[Any, Any]
    function: Callable[[Any], Any]


class _Function(NamedTuple):
    """What a process is sent when it is to compute another function."""

    function: Callable[[Any], Any]


class _KeptProcesses(NamedTuple):
    """The processes of a `pool` between two calls."""

    starting: set[_Worker]
    idle: list[_Worker]


class Executor(Protocol):
    """Computes a function of each item of a stream, in the order of the items: ``map`` in this thread, others
    elsewhere."""

    def __call__(self, function: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


@contextlib.contextmanager
def threads() -> Iterator[Executor]:
    """``map`` by a thread for each core, for what is computed in C, which holds no lock of the interpreter."""
    with ThreadPoolExecutor(available_cores()) as executor:
        yield executor.map


@contextlib.contextmanager
def pool(jobs: int) -> Iterator[Executor]:
    """`map_in_order` by processes that are kept from one call to the next, and end with this context."""
    kept = _KeptProcesses(set(), [])
    try:
        yield partial(map_in_order, jobs=jobs, kept=kept)
    finally:
        for worker in (*kept.starting, *kept.idle):
            _stop(worker)


def map_in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    is_urgent: Callable[[Item], bool] = lambda _: False,
    kept: _KeptProcesses | None = None,
) -> Generator[Result]:
    """``function`` of each item, in the order of the items, computed by ``jobs`` processes (1: by this one, which also
    computes it alone where it is a worker of ``multiprocessing.Pool``, which may start no processes).

    Items are read only a few ahead (`AHEAD`), and none before the results up to an urgent item are there. An exception
    of ``function`` or of reading is raised here, in order. If a process is killed, another one takes its place;
    DataError after `ATTEMPTS` times. Processes are spawned, not forked (a fork would copy the locks of PyTorch's
    threads but not the threads), so ``function`` and items must pickle. They end at once when this generator is closed,
    and when this process is killed, whatever they are doing; those ``kept`` for the next call (see `pool`) only if they
    are busy.
    """
    if jobs == 1 or multiprocessing.current_process().daemon:
        yield from map(function, items)
        return
    source = iter(items)
    more = True
    hurry = -1  # the number of the last urgent item
    read = due = 0  # the numbers of the next item to read and of the next result to yield
    failed_starts = 0  # one after the other
    waiting: deque[_Task] = deque()
    starting, idle = kept or _KeptProcesses(set(), [])
    busy: dict[_Worker, _Task] = {}
    done: dict[int, _Outcome] = {}
    try:
        while more or waiting or busy or done:
            has_room = more and read - due <= AHEAD * jobs and due > hurry
            if has_room:
                try:
                    item = next(source)
                    waiting.append(_Task(read, pickle.dumps(item, pickle.HIGHEST_PROTOCOL)))
                    hurry = read if is_urgent(item) else hurry
                    read += 1
                except StopIteration:
                    more = False
                except DataError as error:  # the items before the error are still computed
                    done[read] = _Outcome(error=error)
                    more = False
            while waiting and idle:
                worker = idle.pop()
                busy[worker] = waiting.popleft()
                with contextlib.suppress(ConnectionError):  # the process was killed, which is seen below
                    if worker.function is not function:
                        worker.pipe.send_bytes(pickle.dumps(_Function(function), pickle.HIGHEST_PROTOCOL))
                        worker.function = function
                    worker.pipe.send_bytes(busy[worker].pickled)
            while len(starting) < len(waiting) and len(starting) + len(busy) < jobs:
                starting.add(_start(function))
            for worker in _ready([*starting, *busy], wait_for_one=not has_room and due not in done):
                task = busy.pop(worker, None)
                try:
                    outcome = worker.pipe.recv()
                except (EOFError, ConnectionError):
                    _stop(worker)
                    starting.discard(worker)
                    failed_starts += task is None
                    if ATTEMPTS in (failed_starts, task and task.attempt):
                        raise DataError("a process was killed, perhaps for lack of memory; try fewer --jobs") from None
                    if task is not None:
                        waiting.appendleft(task._replace(attempt=task.attempt + 1))
                    continue
                starting.discard(worker)
                idle.append(worker)
                if task is None:
                    failed_starts = 0
                else:
                    done[task.number] = outcome
            while due in done:
                outcome = done.pop(due)
                due += 1
                if outcome.error is not None:
                    raise outcome.error
                yield outcome.result
    finally:
        for worker in busy if kept else (*starting, *idle, *busy):
            _stop(worker)


@contextlib.contextmanager
def interrupts_held_back() -> Iterator[None]:
    """A context that delays Ctrl-C. Threads and processes that start in it never get Ctrl-C, so we must end them.

    On Windows, which has no such thing, it does nothing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or multiprocessing would start it here, and then unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(function: Callable[[Any], Any]) -> _Worker:
    """A new process, which sends None when it is ready. Raises DataError where the system has no room for it."""
    context = multiprocessing.get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(pickle.dumps(function), theirs), daemon=True)
        with interrupts_held_back():
            process.start()
    except OSError as error:
        raise DataError(f"no further process can be started: {error.strerror}; try fewer --jobs") from None
    theirs.close()  # so that the pipe closes when the process with its other end dies
    return _Worker(process, ours, function)


def _ready(workers: list[_Worker], wait_for_one: bool) -> list[_Worker]:
    """The workers that have sent something or have died."""
    ready = wait([worker.pipe for worker in workers], None if wait_for_one else 0)
    return [worker for worker in workers if worker.pipe in ready]


def _serve(pickled: bytes, pipe: Connection[Any, Any]) -> None:
    """The main function of a process: answer each item, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is not held back on Windows
    threading.Thread(target=_end_with_parent, daemon=True).start()
    function = pickle.loads(pickled)  # which imports for seconds
    with contextlib.suppress(EOFError, ConnectionError):
        pipe.send(None)
        while True:
            message = pickle.loads(pipe.recv_bytes())
            if isinstance(message, _Function):
                function = message.function
            else:
                pipe.send(_outcome(function, message))


def _end_with_parent() -> None:
    """End this process when its parent has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _outcome(function: Callable[[Any], Any], item: Any) -> _Outcome:
    try:
        return _Outcome(function(item))
    except Exception as error:
        return _Outcome(error=error)


def _stop(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()
