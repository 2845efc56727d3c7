"""``synparse parse``: sentences → trees."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.cli.choices import one_of
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.inducers.devices import PRECISIONS
from synparse.inducers.table import INDUCERS
from synparse.trees.trivial import RANDOM

if TYPE_CHECKING:
    from synparse.parsing.cluster import Task
    from synparse.parsing.parser import Parser

OUTPUT_FORMATS = ("conllu", "brackets", "json")

MEGABYTE = 1 << 20

COMPILED_SHAPES = "16"
"""Shapes of batches for which oneDNN keeps its compiled code. It would keep a thousand, a tenth of a megabyte each, but
batches of sentences seldom have the shape of earlier ones."""


def parse(
    input: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT", help="Text (a sentence a line), CoNLL-U, bracketed or JSON files, .gz too; - is stdin."
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="A shipped model (synparse info lists them) or a model directory; or right-branching, left-branching, "
            "balanced, random, chain. Default: english where it is shipped, else the directory model. "
            "Given several times: the average of their trees.",
        ),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", "-f", help="conllu, brackets or json.", autocompletion=lambda: OUTPUT_FORMATS)
    ] = "conllu",
    decode: Annotated[
        list[str] | None,
        typer.Option(
            help="Heads: mst (default), argmax, projective, joint, boundaries (default of UDGN). "
            "Brackets: unbiased (default), published, boundaries (default of UDGN), projective. May be given twice."
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
    raw: Annotated[bool, typer.Option("--raw", help="Running text: split it into sentences and words.")] = False,
    tokenizer: Annotated[str | None, typer.Option(help="Default: the (first) model's own.")] = None,
    input_format: Annotated[
        str | None, typer.Option("--from", help="text, conllu, brackets or json. Default: told by the file.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option(help="Layer (from 1) that an ON-LSTM's trees are read from. Default: 2.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
    precision: Annotated[
        str, typer.Option(help="float32, bfloat16 (faster where the device has it; rounds), or auto.")
    ] = "float32",
    punctuation: Annotated[
        str | None,
        typer.Option(
            help="What marks that the models do not read are to the trees: ignore, or evidence (splits at commas, "
            "brackets and quotes keep together, few arcs cross marks). Default: as a shipped model has it; else ignore."
        ),
    ] = None,
    function_words: Annotated[
        str | None,
        typer.Option(
            help="Heads: free, as the model has them, or leaves, as in Universal Dependencies: the 50 most frequent "
            "words of the model's text have no dependents. Default: as a shipped model has it; else free."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the random model.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Processes, of one thread each. Default: the cores there are, where it pays."
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            help="Parse on a Dask cluster: the address of its scheduler, or local. Workers read INPUT and the model "
            "from a disk that they share with this machine, and write beside --output."
        ),
    ] = None,
    partition_size: Annotated[
        float, typer.Option(help="MB of a file that a worker of the cluster parses at a time.", min=0.001)
    ] = 32,
) -> None:
    """Parse sentences with a trained (or trivial) model, or with several together.

    One sentence in is one sentence out, in order. CoNLL-U that goes in comes out byte for byte, but for heads and
    relations. Punctuation, which models do not read, hangs from the constituent (and depends on the word) that
    spans both its neighbours.

    Example: echo 'The old man the boats .' | synparse parse --model english --format brackets
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", COMPILED_SHAPES)  # read at the first product
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read as NumPy is imported, which else starts threads
    from synparse.corpora.sentences import FORMATS, read_files
    from synparse.corpora.tokenization import load_tokenizer
    from synparse.files.cores import available_cores
    from synparse.parsing.parser import HEAD_DECODERS, PUNCTUATION, TREE_DECODERS, Parser
    from synparse.parsing.windows import ModelChoice, Writing, one_thread, parsed_text_by_processes, useful_processes
    from synparse.store.shipped import default_model
    from synparse.trees.function_words import FUNCTION_WORDS

    one_of(format, OUTPUT_FORMATS, "--format")
    one_of(input_format, FORMATS, "--from")
    one_of(precision, PRECISIONS, "--precision")
    one_of(punctuation, PUNCTUATION, "--punctuation")
    one_of(function_words, FUNCTION_WORDS, "--function-words")
    for name in decode or ():
        one_of(name, dict.fromkeys([*HEAD_DECODERS, *TREE_DECODERS]), "--decode")
    inputs = input or [STANDARD_STREAM]
    models = tuple(model or [default_model()])
    if STANDARD_STREAM in inputs and dask is None and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe sentences in", param_hint="INPUT")
    if dask is not None:
        _check_for_cluster(inputs, output, models, dask, jobs)
    parser = Parser.load(models, seed, device, layer, precision, punctuation, function_words)
    choice = ModelChoice(models, seed, device, layer, precision, punctuation, function_words)
    writing = Writing(format, *_decoders(parser, decode or [], format))
    tokenizer = tokenizer or parser.text.tokenizer
    tokenize = load_tokenizer(tokenizer, raw)
    texts: Generator[str]
    if dask is not None:
        from synparse.parsing.cluster import Task

        task = Task(choice, writing, tokenizer, raw)
        size = round(partition_size * MEGABYTE)
        texts = _by_cluster(dask, jobs or available_cores(), task, inputs, input_format, size, output)
    else:
        sentences = read_files(inputs, tokenize, input_format)
        processes = useful_processes(parser, jobs, available_cores())
        one_thread()
        texts = parsed_text_by_processes(parser, choice, sentences, writing, processes)
    with write_whole(output) as out, contextlib.closing(texts):
        for text in texts:
            out.write(text)


def _check_for_cluster(inputs: list[str], output: str, models: tuple[str, ...], dask: str, jobs: int | None) -> None:
    """Raises a usage error where a cluster cannot do what is asked for."""
    from synparse.parsing.cluster import LOCAL

    is_address = re.fullmatch(r"(\w+://)?\S+:\d+", dask)
    for option, given, why in [
        ("--dask", dask != LOCAL and not is_address, "neither local nor an address such as tcp://host:8786"),
        ("INPUT", STANDARD_STREAM in inputs, "workers of a cluster read files; name them"),
        ("--output", output == STANDARD_STREAM, "workers of a cluster write beside the output; name a file"),
        ("--model", RANDOM in models, "random trees are drawn one after the other, by one process"),
        ("--jobs", jobs is not None and dask != LOCAL, "a cluster has the processes that it has"),
    ]:
        if given:
            raise typer.BadParameter(f"{why} (--dask)", param_hint=option)


def _by_cluster(
    address: str, workers: int, task: Task, inputs: list[str], input_format: str | None, size: int, output: str
) -> Generator[str]:
    from synparse.files.folders import scratch_folder
    from synparse.parsing.cluster import cluster, parsed_text_by_cluster
    from synparse.parsing.partitions import partitions_of

    with scratch_folder(Path(output).absolute()) as scratch, cluster(address, workers, scratch) as client:
        yield from parsed_text_by_cluster(client, task, partitions_of(inputs, input_format, size), scratch)


def _decoders(parser: Parser, names: list[str], format: str) -> tuple[str | None, str | None]:
    """The constituency and the head decoder of a run: those named, else the model's own; None where not written."""
    has_heads, has_trees = parser.head_decoders, parser.tree_decoders
    if format == "conllu" and not has_heads:
        models = ", ".join(name for name, entry in INDUCERS.items() if entry.traits.gives_heads)
        raise typer.BadParameter(
            f"{parser.model} induces no heads; use brackets or json, or a model that has heads ({models})",
            param_hint="--format",
        )
    for name in names:
        one_of(name, dict.fromkeys([*has_heads, *has_trees]), f"--decode of {parser.model}")
    heads = [name for name in names if name in has_heads]
    trees = [name for name in names if name in has_trees]
    if format == "brackets" and not trees and heads:
        raise typer.BadParameter(
            f"{heads[0]} gives heads; brackets come from {', '.join(has_trees)}", param_hint="--decode"
        )
    if format == "conllu" and trees and not heads:
        raise typer.BadParameter(
            f"{trees[0]} gives brackets; heads come from {', '.join(has_heads)}", param_hint="--decode"
        )
    for chosen in (heads, trees):
        if len(set(chosen)) > 1:
            raise typer.BadParameter("one decoder of heads and one of brackets at most", param_hint="--decode")
    return (
        None if format == "conllu" and heads[:1] != ["joint"] else (trees or has_trees)[0],
        None if format == "brackets" or not has_heads else (heads or has_heads)[0],
    )
