"""``synparse parse``: sentences → trees."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

import typer

from synparse.corpora.sentences import InputFormat
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.inducers.devices import Precision
from synparse.parsing.options import DECODERS, OutputFormat, ParserOptions, Punctuation
from synparse.trees.function_words import FunctionWords


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
    format: Annotated[OutputFormat, typer.Option("--format", "-f", help="What to write.")] = "conllu",
    decode: Annotated[
        list[str] | None,
        typer.Option(
            metavar=f"[{'|'.join(DECODERS)}]",
            autocompletion=lambda: DECODERS,
            help="How trees are made of a model's scores. Heads: mst (default), argmax, projective, joint, boundaries "
            "(default of UDGN). Brackets: unbiased (default), published, boundaries (default of UDGN), projective. "
            "Once for each.",
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
    raw: Annotated[bool, typer.Option("--raw", help="Running text: split it into sentences and words.")] = False,
    tokenizer: Annotated[str | None, typer.Option(help="Default: the (first) model's own.")] = None,
    input_format: Annotated[
        InputFormat | None, typer.Option("--from", help="What the input is. Default: by the name, or the first lines.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option(help="Layer (from 1) that an ON-LSTM's trees are read from. Default: 2.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
    precision: Annotated[
        Precision, typer.Option(help="bfloat16 is faster where the device has it, and rounds; auto takes it there.")
    ] = "float32",
    punctuation: Annotated[
        Punctuation | None,
        typer.Option(
            help="Whether punctuation that the models do not read decides about trees: with evidence, commas and stops "
            "are split at, brackets and quotes hold together, and few arcs cross punctuation. Default: the shipped "
            "model's choice; else ignore."
        ),
    ] = None,
    function_words: Annotated[
        FunctionWords | None,
        typer.Option(
            help="Heads: free, as the model gives them, or leaves, as in Universal Dependencies: the 50 most frequent "
            "words of the model's text have no dependents. Default: the shipped model's choice; else free."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random model.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Processes, of one thread each. Default: one for each core, where that is faster.",
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
    from synparse.parsing.run import Cluster
    from synparse.parsing.run import parse as parsed

    inputs = input or [STANDARD_STREAM]
    if STANDARD_STREAM in inputs and dask is None and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe sentences in", param_hint="INPUT")
    texts = parsed(
        inputs,
        model or (),
        format,
        decode or (),
        ParserOptions(seed, device, layer, precision, punctuation, function_words),
        raw=raw,
        tokenizer=tokenizer,
        input_format=input_format,
        jobs=jobs,
        cluster=None if dask is None else Cluster(dask, partition_size),
        output=output,
    )
    with write_whole(output) as out, contextlib.closing(texts):
        for text in texts:
            out.write(text)
