"""``synparse parse``: sentences → trees."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated, cast

import typer

from synparse.cli.text import TOKENIZER_NAMES, LanguageOption, print_note
from synparse.config.parsing import Punctuation
from synparse.corpora.sentences import InputFormat
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.inducers.devices import Precision
from synparse.parsing.options import (
    DECODERS,
    TERMS,
    Confidence,
    Kept,
    Labels,
    OutputFormat,
    ParserOptions,
    Relations,
    Tags,
    Term,
)
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
            help="A shipped model (synparse info lists them), a model directory, or a baseline: right-branching, "
            "left-branching, balanced, random, chain, content-chain, content-chain-back. Default: english if it is "
            "installed, else the directory model. Repeat it to average the trees of several models.",
        ),
    ] = None,
    format: Annotated[OutputFormat, typer.Option("--format", "-f", help="The format to write.")] = "conllu",
    decode: Annotated[
        list[str] | None,
        typer.Option(
            metavar=f"[{'|'.join(DECODERS)}]",
            autocompletion=lambda: DECODERS,
            help="The decoder, which turns a model's scores into trees. For heads: grammar (default of models with "
            "grammars), mst (default of others), argmax, projective, joint, phrases (of the brackets; default of "
            "students), boundaries (default of UDGN without grammars). For brackets: grammar (likewise), "
            "unbiased (default of others), splits, published, boundaries (default of UDGN without grammars), "
            "projective. Give one of each at most.",
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
    raw: Annotated[
        bool, typer.Option("--raw", help="INPUT is running text: split it into sentences and words.")
    ] = False,
    language: LanguageOption = None,
    tokenizer: Annotated[
        str | None, typer.Option(help=f"{TOKENIZER_NAMES}. Default: by --language, else the model's.")
    ] = None,
    input_format: Annotated[
        InputFormat | None, typer.Option("--from", help="The format of INPUT. Default: by its name or first lines.")
    ] = None,
    labels: Annotated[
        Labels,
        typer.Option(
            help="induced: label constituents with the nonterminals of the model's class grammar (NT7), and words with "
            "their classes (C12). For brackets and json. none: each constituent is an X."
        ),
    ] = "none",
    tags: Annotated[
        Tags,
        typer.Option(
            help="classes: write word classes (C12) as tags, in CoNLL-U as UPOS and XPOS. none: leave tags as they are."
        ),
    ] = "none",
    relations: Annotated[
        Relations,
        typer.Option(
            help="Write induced relations of arcs, with the side of the head, in CoNLL-U and json. channels: the "
            "channel that carries most from the dependent to its head (c3:left). messages: the group that the message "
            "between them is in (m3:left). For a UDGN that is not packed; needs PyTorch. none: every arc is a dep."
        ),
    ] = "none",
    relation_layer: Annotated[
        int | None, typer.Option(help="The layer (from 1) whose channels are the relations. Default: 1.")
    ] = None,
    confidence: Annotated[
        Confidence,
        typer.Option(
            help="Write the probability of each arc (CoNLL-U: Confidence=0.87 in MISC) and of each constituent (json). "
            "raw: as the model computes them. fitted: mapped to how often such arcs and constituents are right in gold "
            "trees (synparse calibrate; supervised). none: write none."
        ),
    ] = "none",
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Drop constituents that are less probable, and mark arcs that are (Uncertain=Yes in MISC). By the "
            "probabilities of --confidence; without it, by fitted ones if the model has a calibration, else raw ones.",
        ),
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(help="The file that synparse calibrate wrote. Default: the calibration of the model directory."),
    ] = None,
    n_best: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            help="Write so many trees of each sentence, the best first, with their heads and scores. For json.",
        ),
    ] = 0,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[heads|brackets]",
            autocompletion=lambda: ("heads", "brackets"),
            help="INPUT is a draft: keep its heads (CoNLL-U, where _ is to be filled in; JSON), or its brackets "
            "(bracketed trees, JSON; a label that ends in -FLAT: nothing is added inside). Give it twice for both.",
        ),
    ] = None,
    layer: Annotated[
        int | None, typer.Option(help="ON-LSTM: the layer (from 1) whose distances give the trees. Default: 2.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")] = "auto",
    precision: Annotated[
        Precision, typer.Option(help="bfloat16 is faster on devices that support it, but rounds; auto uses it there.")
    ] = "float32",
    punctuation: Annotated[
        Punctuation | None,
        typer.Option(
            help="evidence: use punctuation cues. Constituents split at commas and stops, brackets and quotes hold "
            "together, and few arcs cross punctuation. ignore: use none. Default: what the model records, else ignore."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar=f"[{'|'.join(TERMS)}]",
            autocompletion=lambda: TERMS,
            help="Leave a part of the scores out: what does it contribute? Repeat it for several. grammars: the "
            "networks parse alone.",
        ),
    ] = None,
    function_words: Annotated[
        FunctionWords | None,
        typer.Option(
            help="leaves: function words (the commonest words of the model's text) have no dependents, as in "
            "Universal Dependencies. free: heads as the model scores them. Default: what the model records, else free."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random model.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Processes, of one thread each. Default: one for each core if that is faster.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            help="Parse on a Dask cluster: the address of its scheduler, or local. Workers read INPUT and the model "
            "from a disk that they share with this machine, and write next to --output."
        ),
    ] = None,
    partition_size: Annotated[
        float, typer.Option(help="With --dask: megabytes of input that a worker parses at a time.", min=0.001)
    ] = 32,
) -> None:
    """Parse sentences with one model, or with several together.

    In: text, CoNLL-U, brackets or JSON lines. Out: trees, one for each sentence, in order. CoNLL-U input keeps every
    byte except heads and relations, and tags with --tags. Models do not read punctuation: afterwards each mark is
    attached to the smallest constituent that spans both its neighbours.

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
        ParserOptions(
            seed,
            device,
            layer,
            precision,
            punctuation,
            function_words,
            calibration,
            relations=relations,
            relation_layer=relation_layer,
            without=cast("tuple[Term, ...]", tuple(without or ())),
        ),
        raw=raw,
        tokenizer=tokenizer,
        language=language,
        report=print_note,
        input_format=input_format,
        labels=labels,
        tags=tags,
        confidence=confidence,
        n_best=n_best,
        keep=cast("tuple[Kept, ...]", tuple(keep or ())),
        min_confidence=min_confidence,
        jobs=jobs,
        cluster=None if dask is None else Cluster(dask, partition_size),
        output=output,
    )
    with write_whole(output) as out, contextlib.closing(texts):
        for text in texts:
            out.write(text)
