"""``synparse convert``: treebanks → dependencies in the schemes of the field, or clean brackets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.treebanks.cleanup import Direction
from synparse.treebanks.schemes import DependencyFormat, Engine, SourceFormat, Target

if TYPE_CHECKING:
    from synparse.trees.errors import DataError


def convert(
    trees: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TREES]...",
            help="Bracketed files (.mrg, .ptb, …, .gz), folders of them, nltk:treebank, nltk:ptb; - is stdin.",
        ),
    ] = None,
    to: Annotated[Target, typer.Option(help="A scheme of dependencies, or clean brackets.")] = "stanford",
    format: Annotated[
        DependencyFormat | None, typer.Option("--format", "-f", help="Of dependencies. Default: conllu.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
    input_format: Annotated[
        SourceFormat, typer.Option("--from", help="conllu with --to brackets writes the spans of projective trees.")
    ] = "brackets",
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
        Direction | None, typer.Option(help="Brackets: new constituents have a label that ends in |, as NP|.")
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
    engine: Annotated[Engine, typer.Option(help="corenlp: your own CoreNLP, through Stanza (--to ud).")] = "synparse",
) -> None:
    """Convert Penn-style trees to dependencies, or clean them.

    One tree in is one sentence out, in order. Clean brackets have no empty elements, function tags and indices.

    Example: synparse convert wsj/ --to lth2008 | synparse eval pred.conllu -

    \b
      $ echo '( (S (NP-SBJ-1 (NNS dogs)) (VP (VBP bark))))' | synparse convert --to brackets
      (S (NP (NNS dogs)) (VP (VBP bark)))
    """
    from synparse.treebanks import convert as treebanks

    if not trees and sys.stdin.isatty():
        raise typer.BadParameter("name files or folders, or pipe trees in", param_hint="TREES")
    skipped = 0

    def skip(fault: DataError) -> None:
        nonlocal skipped
        skipped += 1
        print(f"synparse: skipped: {fault}", file=sys.stderr)

    options = treebanks.ConvertOptions(
        to, format, input_format, raw, strip_punctuation, unescape, collapse_unary, binarize, engine
    )
    texts = treebanks.convert(trees or [STANDARD_STREAM], options, jobs, skip if skip_bad else None)
    with write_whole(output) as out:
        out.writelines(texts)
    if skipped:
        print(f"synparse: {skipped} skipped", file=sys.stderr)
