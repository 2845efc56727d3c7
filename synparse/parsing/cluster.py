"""A run on a Dask cluster: partitions of the input become files, which are joined in order.

Its workers read the input and the model from a disk that they share with this process, and write there. A partition
whose worker dies goes to another worker (by Dask's own rule, three times; ``distributed.scheduler.allowed-failures``).
Within a partition sentences are parsed in the windows of a plain run, but each partition begins a window: where
partitions meet, scores may differ from a plain run's in their last digits, and a tree where two scores are nearly the
same. (Cutting at the windows would mean to read and tokenize all of the input here first.)
"""

from __future__ import annotations

import contextlib
import functools
import logging
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from synparse.corpora.sentences import InputFormat, Sentence
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.extras import needing
from synparse.files.folders import scratch_folder
from synparse.files.processes import interrupts_held_back
from synparse.files.signals import signals_wait
from synparse.files.streams import read_lines, write_whole
from synparse.parsing.formats import renumbered
from synparse.parsing.jobs import ModelChoice, Writing, loaded, parsed_text, shared
from synparse.parsing.options import LOCAL
from synparse.parsing.partitions import Partition, partitions_of, read_partition
from synparse.parsing.unknown_words import Report
from synparse.parsing.windows import Numbering
from synparse.trees.errors import DataError

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Partitions that each thread of the cluster may have waiting, or done but not joined."""

CONNECT_SECONDS = 30

LOOK_SECONDS = 5
"""How often to look whether the cluster has workers, as long as a partition is not done."""

NO_PAGES: dict[str, Any] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
"""Dask always opens ports for pages, also without a dashboard; these settings leave no pages."""

LOGGERS = ("distributed", "tornado", "asyncio")
SILENT = logging.CRITICAL + 1


class PartitionTask(NamedTuple):
    """What is done with every partition. ``tokenizer``, ``raw`` and ``language``: see `load_tokenizer`."""

    choice: ModelChoice
    writing: Writing
    tokenizer: str
    raw: bool
    language: str = ""


@contextlib.contextmanager
def cluster(address: str, workers: int, scratch: Path) -> Iterator[Client]:
    """A client of the scheduler at ``address``, or of ``workers`` local processes that keep their files in ``scratch``,
    whose connections are encrypted with a key that only they have.

    Raises DataError where Dask is not installed, or nothing answers.
    """
    with needing("--dask needs Dask", "dask"):
        import dask
        from distributed import Client, LocalCluster
        from distributed.security import Security
    with contextlib.ExitStack() as stack:
        stack.enter_context(_silent_loggers())
        security = None
        if address == LOCAL:
            with needing("--dask local needs cryptography", "dask"):
                security = Security.temporary()  # type: ignore[no-untyped-call]
            with interrupts_held_back(), signals_wait(), dask.config.set(NO_PAGES):
                here = stack.enter_context(
                    LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        memory_limit=0,  # the memory of a worker is bounded anyway
                        security=security,
                        dashboard_address="127.0.0.1:0",
                        scheduler_kwargs={"dashboard": False},
                        silence_logs=SILENT,
                        local_directory=str(scratch),
                    )
                )
            address = here.scheduler_address
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
            stack.enter_context(client)
        except (OSError, ValueError) as error:  # nothing there; no address
            raise DataError(f"no Dask scheduler answers here: {str(error).splitlines()[0]}", address) from None
        yield client


@contextlib.contextmanager
def _silent_loggers() -> Iterator[None]:
    """Within, Dask and what it runs on log nothing: after a lost worker, its partition is parsed again, and what cannot
    be mended is raised. Loggers of Dask have levels of their own, so that of their parent says nothing."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOGGERS]
    levels = {logger: logger.level for logger in map(logging.getLogger, {*LOGGERS, *names})}
    for logger in levels:
        logger.setLevel(SILENT)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def parsed_files(
    address: str,
    workers: int,
    task: PartitionTask,
    names: Sequence[str],
    input_format: InputFormat | None,
    size: int,
    output: Path,
    report: Report,
) -> Generator[str]:
    """The text to write for these files, in order, parsed in partitions of ``size`` bytes by the cluster at
    ``address``; see `cluster` and `parsed_text_by_cluster`. Workers write into a folder beside ``output``."""
    with scratch_folder(output.absolute()) as scratch, cluster(address, workers, scratch) as client:
        yield from parsed_text_by_cluster(client, task, partitions_of(names, input_format, size), scratch, report)


def parsed_text_by_cluster(
    client: Client,
    task: PartitionTask,
    partitions: Iterable[Partition],
    scratch: Path,
    report: Report = lambda _: None,
) -> Generator[str]:
    """The text to write for the partitions, in order.

    ``scratch`` is a folder that the workers see too; what they write there is removed as it is joined. ``report`` gets
    a line where the cluster has no workers: it waits for new ones. Raises DataError where a partition is malformed, or
    its worker is killed again and again.
    """
    task = task._replace(choice=shared(task.choice))
    before = Numbering()
    pieces = ((partition, str(scratch / f"{number:08}")) for number, partition in enumerate(partitions))
    for path, numbering, are_new in map_on_cluster(functools.partial(parse_partition, task), pieces, client, report):
        lines = read_lines(path)
        yield from lines if numbering == Numbering() else renumbered(lines, before, are_new)
        before = before.then(numbering)
        Path(path).unlink()


def parse_partition(task: PartitionTask, piece: tuple[Partition, str]) -> tuple[str, Numbering, list[bool]]:
    """What a worker does: the file of a partition, whole or not at all. Returns its path, the numbering after its last
    sentence, and of each sentence with tokens whether it is numbered by this numbering."""
    partition, target = piece
    parser = loaded(task.choice)
    numbering = Numbering()
    are_new: list[bool] = []

    def counted() -> Iterator[Sentence]:
        nonlocal numbering
        for sentence in read_partition(partition, load_tokenizer(task.tokenizer, task.raw, task.language)):
            numbering = numbering.after(sentence)
            if sentence.tokens:
                are_new.append(not sentence.sent_id)
            yield sentence

    with write_whole(target) as out:
        for text in parsed_text(parser, counted(), task.writing):
            out.write(text)
    return target, numbering, are_new


def map_on_cluster(
    function: Callable[[Item], Result], items: Iterable[Item], client: Client, report: Report = lambda _: None
) -> Iterator[Result]:
    """``function`` of each item, in order, computed by the workers; an `Executor` with the last arguments filled in.

    Raises what ``function`` raises, and DataError where workers are killed again and again or the scheduler is gone.
    """
    from distributed import CancelledError, KilledWorker
    from distributed.protocol.pickle import dumps, loads

    waiting: deque[Any] = deque()

    def first() -> Result:
        future = waiting.popleft()
        try:
            return cast("Result", loads(_result(client, future, report)))  # type: ignore[no-untyped-call]
        except KilledWorker:
            what_helps = "give them more, or smaller parts (parse --partition-size)"
            raise DataError(f"workers were killed repeatedly, perhaps out of memory; {what_helps}") from None
        except ImportError as error:
            raise DataError(f"the workers of the cluster must have synparse installed: {error}") from None
        except (CancelledError, OSError):
            if future.status == "error":  # of the function
                raise
            raise DataError("the connection to the scheduler was lost; see that it runs, and start again") from None
        finally:
            future.release()  # or its file would be written again if the worker that did it is killed later

    for item in items:
        task = dumps((function, item))  # type: ignore[no-untyped-call]
        waiting.append(client.submit(_computed, task, pure=False))
        if len(waiting) >= AHEAD * max(1, sum(client.nthreads().values())):
            yield first()
    while waiting:
        yield first()


def _computed(pickled: bytes) -> bytes:
    """What a worker does, from and to pickles. Dask's own arguments have arrays that cannot be written to, which
    compiled charts refuse; and a worker keeps its results until they are fetched, which as many small objects would
    take several times the memory."""
    from distributed.protocol.pickle import dumps, loads

    function, item = loads(pickled)  # type: ignore[no-untyped-call]
    return cast(bytes, dumps(function(item)))  # type: ignore[no-untyped-call]


def _result(client: Client, future: Any, report: Report) -> Any:
    from distributed import TimeoutError

    had_workers = True
    while True:
        try:
            return future.result(timeout=LOOK_SECONDS)
        except TimeoutError:
            if future.status == "error":  # a disk of the worker has timed out
                raise
        has_workers = bool(client.nthreads())
        if had_workers and not has_workers:
            report("the cluster has no workers; waiting until some join it")
        had_workers = has_workers
