"""Time and memory of parsing and training for more sentences, longer sentences and more processes.

    python -m benchmarks.scale [--sentences 10000 100000 1000000] [--lengths 10 50 100 200 500] [--jobs 1 2]
        [--text FILE] [--model DIR] [--recipe udgn-small] [--only parse train count] [--plot FILE]

Commands run as a user runs them: `synparse parse --jobs N` to a file; `synparse train` for one epoch, by N processes of
PyTorch's launcher, with the same held-out text each time; and what training counts in its text (vocabulary, bigrams of
words, samples of sentences), by one process, or N workers of a local Dask cluster. The text is that of --text (one
sentence a line; the sample of data/ by default), repeated as often as needed; rows of lengths cut its words into
sentences of that length, WORDS words in all. Without --model, the parser is trained by --recipe for one epoch on the
sample.

start      seconds of the same command on a few sentences: imports, loading, starting processes. Not in the rates.
CPU        processor seconds of all processes: steadier than the clock on a machine with other work.
RSS, own   the largest sum of memory over all processes, and of its part that is not pages of files (Linux).
main, max  the same part of the first process, and of the largest of the others.
time       seconds per sentence without the start, divided by those of the row of the same kind with fewer sentences;
memory     own memory divided by that of the same row. Both should be within 10 % of 1: linear time, constant memory.
           (Several processes have a few windows of 512 sentences each, so their memory grows up to that.)
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from synparse.config.grammar import GrammarConfig
from synparse.corpora.normalization import TextConfig
from synparse.drawing.plot import Plot, plot_svg
from synparse.parsing.cluster import cluster, map_on_cluster
from synparse.parsing.options import LOCAL
from synparse.training.reading import RunSettings, count_corpus

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"
WORDS = 200_000
TOLERANCE = 0.1
SAMPLING = 0.1  # seconds between two measurements of memory
FEW = {"parse": 1, "train": 200, "count": 200}
"""How many sentences measure the start; training needs some to have words to learn."""


class Usage(NamedTuple):
    """What a command used: seconds of the clock and of the processor, MB of memory at its highest."""

    seconds: float
    cpu: float
    rss: float
    own: float
    main: float
    worker: float


class Row(NamedTuple):
    """A command on so many sentences of ``length`` words each (on average, where it has a fraction)."""

    work: str
    sentences: int
    length: float
    processes: int
    start: Usage
    usage: Usage

    @property
    def net(self) -> float:
        return max(self.usage.seconds - self.start.seconds, 1e-9)

    @property
    def name(self) -> str:
        return f"{self.work} {self.sentences:,} x {self.length:g} words, {self.processes} proc."


def measure(command: list[str]) -> Usage:
    """Run a command. Raises SystemExit where it fails."""
    rss = own = main = worker = 0
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            memory = [memory_of(pid) for pid in processes_below(process.pid)]
            rss = max(rss, sum(whole for whole, _ in memory))
            own = max(own, sum(part for _, part in memory))
            main, worker = max(main, memory[0][1]), max(worker, *(part for _, part in memory[1:]), 0)
            time.sleep(SAMPLING)
        _, status, used = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise SystemExit(f"{errors.read().decode()}exit code {process.returncode} of {' '.join(command)}")
    return Usage(
        time.perf_counter() - begin, used.ru_utime + used.ru_stime, *(kB / 1024 for kB in (rss, own, main, worker))
    )


def processes_below(ancestor: int) -> list[int]:
    """A process and all that it and its children have started."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, []).append(int(path.name))
    pids = [ancestor]
    for pid in pids:
        pids += children.get(pid, [])
    return pids


def memory_of(pid: int) -> tuple[int, int]:
    """kB that a process holds, and of them those that are not pages of files."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0, 0
    values = {line.partition(":")[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "RssFile"))}
    whole = int(values.get("VmRSS", 0))
    return whole, whole - int(values.get("RssFile", 0))


def count_text(path: str, processes: int) -> None:
    """Count a text as training does, in this process or by a local cluster of several."""
    count = partial(
        count_corpus, RunSettings((path,)), TextConfig(), lambda _: None, None, GrammarConfig(), with_trees=False
    )
    if processes == 1:
        count(executor=map)
        return
    with tempfile.TemporaryDirectory() as scratch, cluster(LOCAL, processes, Path(scratch)) as client:
        count(executor=partial(map_on_cluster, client=client))


def command_of(work: str, text: Path, processes: int, model: Path, recipe: str) -> list[str]:
    """The command line that parses with ``model``, or trains by ``recipe`` beside it."""
    if work == "parse":
        output = text.with_suffix(".out")
        format = "conllu" if "on-lstm" not in (model / "config.yaml").read_text(encoding="utf-8") else "brackets"
        return [sys.executable, "-m", "synparse", "parse", str(text), "-m", str(model), "-f", format,
                "--jobs", str(processes), "-o", str(output)]  # fmt: skip
    if work == "count":
        counting = f"from benchmarks.scale import count_text; count_text({str(text)!r}, {processes})"
        return [sys.executable, "-c", counting]
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [sys.executable, *(launcher if processes > 1 else []), "-m", "synparse", "train", str(text),
            "--recipe", recipe, "--epochs", "1", "--valid", str(SAMPLE / "gold.txt"), "--force",
            "-o", str(text.with_suffix(".model"))]  # fmt: skip


def write(path: Path, sentences: Iterable[str]) -> float:
    """Write a text, a sentence a line; returns its words per sentence."""
    count = words = 0
    with path.open("w", encoding="utf-8") as out:
        for sentence in sentences:
            out.write(f"{sentence}\n")
            count += 1
            words += len(sentence.split())
    return round(words / count, 1)


def texts_of(lines: list[str], sizes: list[int], lengths: list[int]) -> Iterator[tuple[int, bool, Iterator[str]]]:
    """How many sentences, whether the number is what grows, and the sentences."""
    for size in sizes:
        yield size, True, itertools.islice(itertools.cycle(lines), size)
    for length in lengths:
        count = max(1, WORDS // length)
        words = itertools.chain.from_iterable(line.split() for line in itertools.cycle(lines))
        yield count, False, (" ".join(itertools.islice(words, length)) for _ in range(count))


def rows(
    works: list[str], lines: list[str], sizes: list[int], lengths: list[int], jobs: list[int], model: Path, recipe: str
) -> Iterator[tuple[Row, Row | None]]:
    """Each row, and the one that it is compared with."""
    with tempfile.TemporaryDirectory() as folder:
        few, text = Path(folder) / "few.txt", Path(folder) / "text.txt"
        starts = {}
        for work, processes in itertools.product(works, jobs):
            write(few, lines[: FEW[work]])
            starts[work, processes] = measure(command_of(work, few, processes, model, recipe))
        smaller: dict[tuple[str, int], Row] = {}
        for count, grows, sentences in texts_of(lines, sizes, lengths):
            length = write(text, sentences)
            for work, processes in itertools.product(works, jobs):
                usage = measure(command_of(work, text, processes, model, recipe))
                row = Row(work, count, length, processes, starts[work, processes], usage)
                yield row, smaller.get((work, processes)) if grows else None
                if grows:
                    smaller[work, processes] = row


def verdict(ratio: float, good: str) -> str:
    if ratio < 1 - TOLERANCE:  # what is done once, such as compiling products, weighs less
        return f"x {ratio:.2f} better"
    return f"x {ratio:.2f} {good if ratio <= 1 + TOLERANCE else f'NOT {good}'}"


def printed(row: Row, before: Row | None) -> str:
    time_ratio = memory_ratio = "-"
    if before is not None:
        time_ratio = verdict(row.net / row.sentences / (before.net / before.sentences), "linear")
        memory_ratio = verdict(row.usage.own / before.usage.own, "flat")
    rate = row.sentences / row.net
    return (
        f"{row.work:<6}{row.sentences:>10,}{row.length:>7g}{row.processes:>6}{row.start.seconds:>8.1f}"
        f"{row.usage.seconds:>9.1f}{row.usage.cpu:>9.1f}{rate:>9,.0f}{rate * row.length:>10,.0f}"
        f"{row.usage.rss:>8,.0f}{row.usage.own:>8,.0f}{row.usage.main:>8,.0f}{row.usage.worker:>8,.0f}"
        f"  {time_ratio:<18}{memory_ratio}"
    )


def small_model(folder: Path, recipe: str) -> Path:
    command = ["train", str(SAMPLE / "train.txt"), "--recipe", recipe, "--epochs", "1", "-o", str(folder / "model")]
    subprocess.run([sys.executable, "-m", "synparse", *command], check=True, stdout=subprocess.DEVNULL)
    return folder / "model"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sentences", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    options.add_argument("--lengths", type=int, nargs="*", default=[10, 50, 100, 200, 500])
    options.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    options.add_argument("--text", type=Path, default=SAMPLE / "train.txt")
    options.add_argument("--model", type=Path)
    options.add_argument("--recipe", default="udgn-small")
    options.add_argument("--only", nargs="+", choices=list(FEW), default=list(FEW))
    options.add_argument("--plot", type=Path, help="an SVG file to write: sentences/s of each row")
    chosen = options.parse_args()
    lines = [line.strip() for line in chosen.text.read_text(encoding="utf-8").splitlines() if line.strip()]
    measured: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        model = chosen.model or (small_model(Path(folder), chosen.recipe) if "parse" in chosen.only else Path())
        print(
            f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, {chosen.model or chosen.recipe}, {chosen.text.name}"
        )
        print("work   sentences  words  proc   start  seconds      CPU   sent/s   words/s  RSS MB  own MB"
              "    main     max  time              memory")  # fmt: skip
        for row, before in rows(
            chosen.only, lines, chosen.sentences, chosen.lengths, chosen.jobs, model, chosen.recipe
        ):
            measured.append(row)
            print(printed(row, before), flush=True)
    if chosen.plot:
        points = [(row.name, row.sentences / row.net) for row in measured]
        picture = plot_svg(Plot("What grows and what it costs", "work", "sentences/s", points))
        chosen.plot.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
