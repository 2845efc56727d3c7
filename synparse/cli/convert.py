"""``synparse convert``: treebanks → dependencies in the schemes of the field, or clean brackets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.cli.choices import one_of
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.treebanks.schemes import BRACKETS, CONLLU, CORENLP, ENGINES, FORMATS, SCHEMES, TARGETS

if TYPE_CHECKING:
    from synparse.cli.converted import Request
    from synparse.trees.errors import DataError


def convert(
    trees: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TREES]...",
            help="Bracketed files (.mrg, .ptb, …, .gz), folders of them, nltk:treebank, nltk:ptb; - is stdin.",
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(help="stanford, lth2008, lth2007, penn2malt, ud; or brackets.", autocompletion=lambda: TARGETS),
    ] = "stanford",
    format: Annotated[str | None, typer.Option("--format", "-f", help="conllu (default) or conllx.")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
    input_format: Annotated[
        str, typer.Option("--from", help="brackets; or conllu: --to brackets writes the spans of projective trees.")
    ] = BRACKETS,
    strip_punctuation: Annotated[
        bool, typer.Option("--strip-punct", help="Without punctuation, by the rule of eval; its dependents move up.")
    ] = False,
    unescape: Annotated[
        bool, typer.Option("--unescape", help=r"Words as they were: ( for -LRB-, 1/2 for 1\/2. Brackets keep -LRB-.")
    ] = False,
    collapse_unary: Annotated[
        bool, typer.Option("--collapse-unary/--keep-unary", help="Brackets: S over VP becomes S+VP, or stays.")
    ] = False,
    binarize: Annotated[
        str | None, typer.Option(help="Brackets: left or right; what is added has a label in |, as NP|.")
    ] = None,
    raw: Annotated[
        bool | None,
        typer.Option("--raw/--no-raw", help="LTH: ignore function tags, or not. Default: where there are no traces."),
    ] = None,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="Go on after malformed trees, and list them. Each tree begins a line, not indented."
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 1,
    engine: Annotated[str, typer.Option(help="corenlp: your own CoreNLP, through Stanza (--to ud).")] = ENGINES[0],
) -> None:
    """Convert Penn-style trees to dependencies, or clean them.

    One tree in is one sentence out, in order. Clean brackets have no empty elements, function tags and indices.

    Example: synparse convert wsj/ --to lth2008 | synparse eval pred.conllu -
    """
    from synparse.cli.converted import Request, converted_text
    from synparse.treebanks.cleanup import DIRECTIONS

    one_of(to, TARGETS, "--to")
    one_of(format, FORMATS, "--format")
    one_of(input_format, (BRACKETS, CONLLU), "--from")
    one_of(binarize, DIRECTIONS, "--binarize")
    one_of(engine, ENGINES, "--engine")
    request = Request(
        to, format or CONLLU, input_format, raw, strip_punctuation, unescape, collapse_unary, binarize, engine
    )
    _check(request, format, jobs)
    if not trees and sys.stdin.isatty():
        raise typer.BadParameter("name files or folders, or pipe trees in", param_hint="TREES")
    if engine == CORENLP:
        from synparse.treebanks import corenlp

        corenlp.require()
    skipped = 0

    def skip(fault: DataError) -> None:
        nonlocal skipped
        skipped += 1
        print(f"synparse: skipped: {fault}", file=sys.stderr)

    with write_whole(output) as out:
        for text in converted_text(trees or [STANDARD_STREAM], request, jobs, skip if skip_bad else None):
            out.write(text)
    if skipped:
        print(f"synparse: {skipped} skipped", file=sys.stderr)


def _check(request: Request, format: str | None, jobs: int) -> None:
    """Raises a usage error where an option has no meaning for what is asked for."""
    brackets, dependencies = request.to == BRACKETS, "--to brackets has no dependencies"
    raw_is_said = request.raw is not None
    for option, given, fits, why in [
        ("--from", request.source == CONLLU, brackets, "CoNLL-U becomes brackets: --to brackets"),
        ("--format", format, not brackets, dependencies),
        ("--raw", raw_is_said, brackets or SCHEMES[request.to].reads_functions, "only LTH reads function tags"),
        ("--raw", raw_is_said, not brackets, dependencies),
        ("--collapse-unary", request.collapse_unary, brackets, "only for --to brackets"),
        ("--binarize", request.binarize, brackets, "only for --to brackets"),
        ("--engine", request.engine == CORENLP, request.to == "ud", "Stanza's converter gives --to ud alone"),
        ("--jobs", request.engine == CORENLP and jobs > 1, False, "--engine corenlp is one process"),
    ]:
        if given and not fits:
            raise typer.BadParameter(why, param_hint=option)
