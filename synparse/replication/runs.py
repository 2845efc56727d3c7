"""Runs of steps: several processes side by side within a budget of time; what is done is stored and never done again.

A folder of work has a folder for each step, with what the step writes, its standard output and error, and, once it is
done, the result in `RESULT`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from synparse.files.folders import exclusive_lock
from synparse.files.signals import Terminated, signals_wait
from synparse.files.streams import write_whole
from synparse.replication.steps import Step, typed, words, words_to_resume
from synparse.store.model_directory import is_unfinished
from synparse.trees.errors import DataError

RESULT, OUT, ERROR = "result.json", "stdout", "stderr"
"""Files in the folder of a step."""

PAUSE = 0.2
"""Seconds between looks at the processes."""


class Outcome(NamedTuple):
    """What a step gave: its standard output as a value, and the seconds that it took (of training, in all parts)."""

    result: Any
    seconds: float


class ReplicationProgress(NamedTuple):
    """The outcomes of steps that are done, the error of each that failed, and the steps that are missing."""

    outcomes: dict[Step, Outcome]
    failed: dict[Step, str]
    missing: list[Step]


class ChildProcess:
    """``synparse ARGUMENTS``, with standard output and error in files of a folder, as a process of its own session, so
    that a Ctrl-C in the terminal does not reach it: we ask it to end. It holds the lock of its folder, also where it
    outlives this process."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        with exclusive_lock(folder) as lock, (folder / OUT).open("wb") as out, (folder / ERROR).open("wb") as error:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "synparse", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=error,
                env=environment,
                pass_fds=[lock] if os.name == "posix" else (),
                start_new_session=True,
            )
        self._is_asked = False

    def poll(self) -> int | None:
        """The exit code, None as long as it runs."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Ask it to save and to end; a second time, end it."""
        if self._is_asked:
            self._process.kill()
        elif self._process.poll() is None:
            self._process.terminate()  # SIGTERM: in a background job, children ignore SIGINT
            self._is_asked = True


Start: TypeAlias = Callable[[Sequence[str], Path], ChildProcess]


def stored(steps: Sequence[Step], work: Path) -> ReplicationProgress:
    """What is done already; the other steps are missing. Raises DataError for a result that is damaged."""
    outcomes = {step: outcome for step in steps if (outcome := _read(work / step.folder)) is not None}
    return ReplicationProgress(outcomes, {}, [step for step in steps if step not in outcomes])


def run(
    steps: Sequence[Step],
    work: Path,
    *,
    jobs: int = 1,
    minutes: float | None = None,
    report: Callable[[str], None] = lambda _: None,
    start: Start | None = None,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> ReplicationProgress:
    """Run the steps that are not done, in this order, ``jobs`` side by side, for at most ``minutes`` (None: no limit).

    A step that needs another comes after it in ``steps``. At the end of the time, and at Ctrl-C and SIGTERM (whose
    exceptions are raised again), running commands are interrupted, and a training run keeps its checkpoint, from which
    a later call goes on. A failed step stops only those that need it. Commands are started by ``start``, by default as
    processes.
    """
    progress = stored(steps, work)
    if not progress.missing or minutes == 0:
        return progress
    training = sum(step.is_training for step in progress.missing)
    report(f"{len(progress.missing)} commands to run, {training} of them train a model")
    with exclusive_lock(work):
        _Run(progress, work, report, start or ChildProcess, clock).go_on(
            jobs, None if minutes is None else 60 * minutes, pause
        )
    return progress


class _Run:
    """The processes that run, by step, each with the time of its start."""

    def __init__(
        self,
        progress: ReplicationProgress,
        work: Path,
        report: Callable[[str], None],
        start: Start,
        clock: Callable[[], float],
    ) -> None:
        self.progress, self.work, self.report, self.start, self.clock = progress, work, report, start, clock
        self.running: dict[Step, tuple[ChildProcess, float]] = {}

    def go_on(self, jobs: int, seconds: float | None, pause: Callable[[float], None]) -> None:
        began = self.clock()
        try:
            while self.running or self._ready():
                if seconds is not None and self.clock() - began >= seconds:
                    break
                for step in self._ready()[: jobs - len(self.running)]:
                    self._begin(step)
                if not self._collect():
                    pause(PAUSE)
        finally:
            self._end(pause)

    def _ready(self) -> list[Step]:
        """The steps that could start now. Those that need a failed one are given up on the way."""
        outcomes, failed, missing = self.progress
        for step in list(missing):
            if broken := [needed for needed in step.needs if needed in failed]:
                failed[step] = f"needs what failed: {broken[0].title}"
                missing.remove(step)
        return [
            step for step in missing if step not in self.running and all(needed in outcomes for needed in step.needs)
        ]

    def _begin(self, step: Step) -> None:
        folder = self.work / step.folder
        is_resumed = bool(step.resumed_by) and is_unfinished(folder / step.outputs[0])
        with exclusive_lock(folder):  # unless a process of an earlier call, which was killed, still writes there
            if not is_resumed:
                shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        arguments = (words_to_resume if is_resumed else words)(step, self.work)
        self.report(f"$ {typed(arguments)}")
        with signals_wait():
            self.running[step] = self.start(arguments, folder), self.clock()

    def _collect(self, records_failures: bool = True) -> bool:
        """Store the results of processes that have ended; whether there were any. ``records_failures``: False after an
        interruption, when a failure tells nothing."""
        ended = [(step, code) for step, (process, _) in self.running.items() if (code := process.poll()) is not None]
        for step, code in ended:
            _, began = self.running.pop(step)
            if code == 0 or records_failures:
                self._settle(step, code, self.clock() - began)
        return bool(ended)

    def _settle(self, step: Step, code: int, seconds: float) -> None:
        folder = self.work / step.folder
        self.progress.missing.remove(step)
        try:
            result = _result(folder, code)
        except DataError as error:
            self.progress.failed[step] = str(error)
            self.report(f"failed: {step.title}: {error}")
        else:
            self.progress.outcomes[step] = _store(folder, step, words(step, self.work), seconds, result)

    def _end(self, pause: Callable[[float], None]) -> None:
        """Interrupt what still runs, and wait until it has saved; at another Ctrl-C, interrupt it again, which ends it
        at once. What has ended by itself in the meantime is stored."""
        is_asked = False
        while self.running:
            try:
                if not is_asked:
                    for process, _ in self.running.values():
                        process.interrupt()
                    is_asked = True
                self._collect(records_failures=False)
                if self.running:
                    pause(PAUSE)
            except (KeyboardInterrupt, Terminated):
                is_asked = False


def _result(folder: Path, code: int) -> Any:
    """What a command wrote; None where that is nothing. Raises DataError if it failed, and if that is no JSON."""
    if code:
        raise DataError(_last_line(folder / ERROR) or f"ended with exit code {code}")
    path = folder / OUT
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    try:
        return json.loads(text) if text.strip() else None
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg}", str(path), error.lineno) from None


def _store(folder: Path, step: Step, arguments: Sequence[str], seconds: float, result: Any) -> Outcome:
    if step.is_training and isinstance(result, dict) and isinstance(result.get("seconds"), int | float):
        seconds = float(result["seconds"])  # with those before an interruption
    value = {"title": step.title, "command": typed(arguments), "seconds": round(seconds, 1), "result": result}
    with write_whole(str(folder / RESULT)) as out:
        out.write(json.dumps(value, ensure_ascii=False) + "\n")
    return Outcome(result, seconds)


def _read(folder: Path) -> Outcome | None:
    path = folder / RESULT
    if not path.is_file():
        return None
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Outcome(value["result"], float(value["seconds"]))
    except (ValueError, KeyError, TypeError):
        raise DataError("damaged; delete the folder, and its command runs again", str(path)) from None


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    return next((line.removeprefix("synparse: ") for line in reversed(lines) if line.strip()), "")
