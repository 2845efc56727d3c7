"""Parsing speed at paper size: sentences/s, from text to CoNLL-U (or brackets, if the model has no heads).

    python -m benchmarks.parse_speed [--recipe structformer-ptb udgn-ptb on-lstm-ptb] [--sentences 5000]
    python -m benchmarks.parse_speed --cold MODEL    the time to the first tree, imports included
    python -m benchmarks.parse_speed --pipe MODEL    the time from a line to its tree on a pipe that stays open

Parsing is as in `synparse parse` by default: one process with one thread for each core, start-up included. Sentences
have WSJ-like lengths (a negative binomial with mean 20, and one in a hundred of 80 words) and random words from a Zipf
distribution. The weights are untrained: speed does not depend on them, except for the spanning tree, which has more
cycles to break if heads are random, so the figure is on the low side.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.commands import cost
from synparse.config.recipe import ModelRecipe, load_recipe
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.sentences import read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.files.cores import available_cores
from synparse.files.folders import save_together
from synparse.inducers.devices import PRECISIONS
from synparse.inducers.table import build
from synparse.parsing.jobs import ModelChoice, Writing, one_thread, parsed_text_by_processes, useful_processes
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parser import Parser
from synparse.store.model_directory import CONFIG, LoadedModel, ModelDescription, model_files
from synparse.store.models import config_file, one_member

VOCABULARY = 10_000
AUTHORS = {"structformer-ptb": 26.8, "udgn-ptb": 18.3, "on-lstm-ptb": 8.7}
"""Sentences/s of the authors' code, one at a time, on two cores whose float32 products run at 155–174 GFLOP/s."""


SENTENCE = b"The old man the boats .\n"
COLD_STARTS = 7

LINES_ON_A_PIPE = 50
PROMISED = 0.3
"""Seconds from a line on a pipe to its tree."""


def wsj_like(count: int) -> list[str]:
    """Sentences of made-up words."""
    random = np.random.default_rng(1)
    lengths = 1 + random.negative_binomial(4, 4 / (4 + 18.4), count)
    lengths[::100] = 80
    return [" ".join(f"w{min(rank, VOCABULARY)}" for rank in random.zipf(1.3, length)) for length in lengths]


def measure(recipe: ModelRecipe, sentences: list[str], precision: Any) -> None:
    vocabulary = Vocabulary([*SPECIAL, *(f"w{rank}" for rank in range(1, VOCABULARY))])
    torch.manual_seed(1)
    model = build(recipe.model, len(vocabulary), recipe.architecture)
    boundaries = PhraseBoundaries(*-np.random.default_rng(1).random((2, len(vocabulary)), np.float32))
    words = sum(sentence.count(" ") + 1 for sentence in sentences)
    with tempfile.TemporaryDirectory() as folder:
        directory, text, out = Path(folder) / "model", Path(folder) / "text", Path(folder) / "out"
        description = ModelDescription(recipe, {})
        files = model_files(LoadedModel(description, vocabulary, model, boundaries))
        save_together(directory, {**files, CONFIG: config_file(one_member(directory, description))})
        text.write_text("".join(f"{sentence}\n" for sentence in sentences))
        parser = Parser.load(directory, device="cpu", precision=precision)
        choice = ModelChoice((str(directory),), ParserOptions(device="cpu", precision=precision))
        processes = useful_processes(parser, None, available_cores())
        one_thread()
        by = parser.members[0].device
        print(f"recipe       {recipe.name} ({processes.number} processes of one thread, by {by}, {precision})")
        print(f"input        {len(sentences):,} sentences, mean {words / len(sentences):.1f} words, longest 80")
        ways: list[tuple[Any, Any, Any]] = [("conllu", None, decoder) for decoder in parser.head_decoders]
        for format, tree_decoder, head_decoder in ways or [("brackets", parser.tree_decoders[0], None)]:
            start = time.perf_counter()
            read = read_sentences(str(text), load_tokenizer("whitespace"))
            with out.open("w", encoding="utf-8") as stream:
                writing = Writing(format, Request(tree_decoder, head_decoder))
                for chunk in parsed_text_by_processes(parser, choice, read, writing, processes):
                    stream.write(chunk)
            speed = len(sentences) / (time.perf_counter() - start)
            times = f"{speed / AUTHORS[recipe.name]:.1f} times the authors'" if recipe.name in AUTHORS else ""
            print(f"{head_decoder or tree_decoder:<12} {speed:,.0f} sentences/s, {format} written {times}")
    print()


def cold_start(model: str) -> None:
    """The first tree as a user types it, in processes of their own, by NumPy and by PyTorch."""
    parse = ["-m", "synparse", "parse", "--model", model]
    ways = {
        "first tree": parse,
        "by PyTorch": [*parse, "--precision", "auto"],
        "import torch": ["-c", "import torch"],
        "import numpy": ["-c", "import numpy"],
        "--help": ["-m", "synparse", "--help"],
    }
    for name, arguments in ways.items():
        command, how = [sys.executable, *arguments], {"input": SENTENCE, "stdout": subprocess.DEVNULL}
        wall, computing = zip(*(cost(command, **how)[0] for _ in range(COLD_STARTS)), strict=True)
        middle = f"{statistics.median(wall):.2f} s, {statistics.median(computing):.2f} s of processor"
        print(f"{name:<16} {middle} (medians of {COLD_STARTS}; best {min(wall):.2f})")


def line_on_a_pipe(model: str) -> None:
    """From writing a line to reading its tree, while the pipe stays open. The first line waits for the start, so it is
    not measured. Exits with a message where one of the others takes longer than was promised."""
    command = [sys.executable, "-m", "synparse", "parse", "--model", model, "--format", "brackets"]
    command += ["--tokenizer", "whitespace"]  # or the first lines would decide, and be waited for
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        times = []
        for _ in range(1 + LINES_ON_A_PIPE):
            start = time.perf_counter()
            process.stdin.write(SENTENCE)
            process.stdin.flush()
            if not process.stdout.readline():
                sys.exit("the parser ended before its input")
            times.append(time.perf_counter() - start)
        process.stdin.close()
    _, *times = times
    longest = max(times)
    print(
        f"a line on a pipe: {1000 * statistics.median(times):.0f} ms; longest of {len(times)}: {1000 * longest:.0f} ms"
    )
    if longest > PROMISED:
        sys.exit(f"longer than the {1000 * PROMISED:.0f} ms that were promised")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", nargs="+", default=list(AUTHORS))
    options.add_argument("--sentences", type=int, default=5000)
    options.add_argument("--precision", default="float32", choices=PRECISIONS)
    options.add_argument("--cold", metavar="MODEL", help="time a model's first tree instead")
    options.add_argument("--pipe", metavar="MODEL", help="time lines on a pipe that stays open instead")
    chosen = options.parse_args()
    if chosen.cold is not None:
        cold_start(chosen.cold)
        return
    if chosen.pipe is not None:
        line_on_a_pipe(chosen.pipe)
        return
    for name in chosen.recipe:
        recipe = load_recipe(name)
        measure(recipe.model_recipe(recipe.networks[0]), wsj_like(chosen.sentences), chosen.precision)


if __name__ == "__main__":
    main()
