"""``synparse parse``: sentences → trees."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, cast, get_args

import typer

from synparse.cli import options
from synparse.cli.progress import counted
from synparse.cli.results import is_terminal, notes, write_lines, write_pictures
from synparse.config.parsing import CONSTITUENTS, RELATIONS, TAGS
from synparse.corpora.sentences import TEXT, format_by_name
from synparse.files.streams import STANDARD_STREAM, lines_of
from synparse.inducers.devices import Precision
from synparse.parsing import options as parsing
from synparse.parsing.options import ParserOptions, Request
from synparse.trees.errors import name_of


def parse(
    input: options.Text = None,
    model: options.ParsingModels = None,
    format: Annotated[
        Literal[parsing.OutputFormat, options.Drawn] | None,
        typer.Option(
            "--format",
            "-f",
            help="What to write: trees, or the pictures that synparse show draws. Default: by the ending of --output "
            "(.brackets, .json, .svg, …), else conllu.",
        ),
    ] = None,
    decode_brackets: options.DecodeBrackets = "default",
    decode_heads: options.DecodeHeads = "default",
    output: options.Output = STANDARD_STREAM,
    raw: options.Raw = False,
    language: options.Language = None,
    tokenizer: options.Tokenizer = None,
    input_format: options.From = None,
    labels: Annotated[
        parsing.Labels,
        typer.Option(
            help="For brackets and json. learned: labels that the model has learned from annotated trees (train "
            "--trees), if any. induced: the nonterminals of the model's class grammar (NT7), and for words their "
            "classes (C12). none: each constituent is an X."
        ),
    ] = "learned",
    tags: Annotated[
        parsing.Tags,
        typer.Option(
            help="learned: where the input has no tags, write UPOS that the model has learned from annotated trees "
            "(train --trees), if any. classes: write word classes (C12) as tags, in CoNLL-U as XPOS. none: leave tags "
            "as they are."
        ),
    ] = "learned",
    relations: Annotated[
        parsing.Relations,
        typer.Option(
            help="learned: relations that the model has learned from annotated trees (train --trees), if any. "
            "channels, messages: induced relations with the side of the head, for CoNLL-U and json: the channel that "
            "carries most from the dependent to its head (c3:left), or the cluster of the message between them "
            "(m3:left); for a UDGN that is not packed; needs PyTorch. none: every arc is a dep."
        ),
    ] = "learned",
    relation_layer: Annotated[
        int | None, typer.Option(help="With --relations channels: the layer (from 1) of the channels. Default: 1.")
    ] = None,
    confidence: Annotated[
        parsing.Confidence,
        typer.Option(
            help="Write the probability of each arc (CoNLL-U: Confidence=0.87 in MISC) and of each constituent "
            "(json), and log_probability, entropy and expected_errors for the heads of each sentence. fitted: "
            "calibrated on gold trees (supervised), by the calibration of the model or, for models and options "
            "without one, by the mean of the shipped models. raw: as the model computes them, far too high. none: "
            "write none."
        ),
    ] = "none",
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Drop less probable constituents, and mark less probable arcs (Uncertain=Yes in MISC), by the "
            "probabilities of --confidence, or without it by fitted ones.",
        ),
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(
            help="The file that synparse calibrate wrote. Default: the calibration of the model, else the mean of the "
            "shipped models."
        ),
    ] = None,
    n_best: Annotated[
        int,
        typer.Option(
            min=0,
            max=parsing.MOST_TREES,
            help="Write this number of best trees for each sentence, with their heads and scores. For json.",
        ),
    ] = 0,
    distributions: Annotated[
        bool,
        typer.Option(
            "--distributions",
            help="Write the probability of every head of each word (json: first of the root, then of each token), or "
            "only the most probable head; these heads need not form a tree (CoNLL-U: ArgmaxHead=3 in MISC; see eval "
            "--argmax).",
        ),
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[heads|brackets]",
            autocompletion=lambda: ("heads", "brackets"),
            help="The input is a draft: keep its heads (CoNLL-U, JSON), and fill in those that are _ or null; or keep "
            "its brackets (bracketed trees, JSON), and add others, except inside labels that end in -FLAT. Give it "
            "twice for both.",
        ),
    ] = None,
    flat: Annotated[
        bool,
        typer.Option(
            "--flat",
            help="Make trees as flat as those of treebanks: no constituent is inside a base phrase, such as an article "
            "with its adjectives and noun, and none begins or ends with a conjunction. Without it, trees are binary.",
        ),
    ] = False,
    layer: options.Layer = None,
    device: options.Device = "auto",
    precision: Annotated[
        Precision, typer.Option(help="bfloat16 is faster on devices that support it, but rounds; auto uses it there.")
    ] = "float32",
    punctuation: options.Punctuation = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar=f"[{'|'.join(parsing.TERMS)}]",
            autocompletion=lambda: parsing.TERMS,
            help="Leave a part of the scores out, to see what it contributes. Repeatable. grammars: the networks "
            "parse alone.",
        ),
    ] = None,
    function_words: options.FunctionWords = None,
    seed: options.Seed = 1,
    jobs: options.Jobs = None,
    dask: Annotated[
        str | None,
        typer.Option(
            help="Parse on a Dask cluster: the address of its scheduler, or local. Workers read TEXT and the model "
            "from a disk that they share with this machine, and write next to --output."
        ),
    ] = None,
    partition_size: Annotated[
        float | None,
        typer.Option(min=0.001, help="With --dask: megabytes of input that a worker parses at a time.  [default: 32]"),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Parse sentences with one model, or with several together.

    In: text, CoNLL-U, brackets or JSON lines. Out: trees, one for each sentence, in order, or a picture of them.
    CoNLL-U input keeps every byte except heads, relations, and the tags and probabilities that are written; a comment
    in the first sentence names the models and options. Models do not read punctuation: it is attached afterwards, to
    the smallest constituent that spans both its neighbours.

    Example: echo 'The old man the boats .' | synparse parse --model english --format brackets
    """
    from synparse.parsing import run

    if calibration is not None and confidence != "fitted" and min_confidence is None:
        raise typer.BadParameter("needs --confidence fitted or --min-confidence", param_hint="--calibration")
    if partition_size is not None and dask is None:
        raise typer.BadParameter("needs --dask", param_hint="--partition-size")
    how = ParserOptions(
        *(seed, device, layer, precision, punctuation, function_words, calibration),
        relations=relations,
        relation_layer=relation_layer,
        without=cast("tuple[parsing.Term, ...]", tuple(without or ())),
    )
    kinds = ((TAGS, tags), (RELATIONS, relations), (CONSTITUENTS, labels))
    what = Request(
        *(decode_brackets, decode_heads),
        labels=labels == "induced",
        tags=tags == "classes" or (labels == "induced" and tags != "none"),
        confidence=confidence,
        best=n_best,
        least=min_confidence,
        keep=cast("tuple[parsing.Kept, ...]", tuple(keep or ())),
        distributions=distributions,
        flat=flat,
        learned=tuple(kind for kind, choice in kinds if choice == "learned"),
    )
    files = options.files_or_stdin(input, "TEXT") if dask is None else input or [STANDARD_STREAM]
    format = format or options.picture_of(output) or _format_of_trees(output)
    is_drawn = format in get_args(options.Drawn)
    if is_drawn and n_best:
        raise typer.BadParameter("only --format json has room for several trees", param_hint="--n-best")
    texts = run.parse(
        files,
        *(model or (), cast("parsing.OutputFormat", "json" if is_drawn else format), how, what),
        raw=raw,
        tokenizer=tokenizer,
        language=language,
        report=notes(quiet),
        input_format=input_format,
        jobs=jobs,
        cluster=None if dask is None else run.Cluster(dask, partition_size or run.PARTITION_SIZE),
        output=output,
        counted=functools.partial(counted, unit="sentences", is_shown=not quiet and not is_terminal(output)),
    )
    with contextlib.closing(texts):
        if is_drawn:
            write_pictures(output, _drawn(texts, files, cast("options.Drawn", format)))
        else:
            write_lines(output, texts)


def _format_of_trees(output: str) -> parsing.OutputFormat:
    """The format of trees by the ending of their file, as other commands will read it; else CoNLL-U."""
    named = format_by_name(output)
    return "conllu" if named in (None, TEXT) else cast("parsing.OutputFormat", named)


def _drawn(texts: Iterable[str], files: Sequence[str], format: options.Drawn) -> Iterator[str | bytes]:
    """As `synparse show` draws these parses in JSON. The page has the name of the file, where it is one."""
    from synparse.drawing.show import show

    name = name_of(files[0] if len(files) == 1 else STANDARD_STREAM)
    return show(lines_of(texts), name, input_format="json", picture=format)
