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
    to: Annotated[Target, typer.Option(help="The dependency scheme, or brackets for clean brackets.")] = "stanford",
    format: Annotated[
        DependencyFormat | None, typer.Option("--format", "-f", help="The format of dependencies. Default: conllu.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
    input_format: Annotated[
        SourceFormat,
        typer.Option("--from", help="The input format; conllu, with --to brackets, takes projective trees."),
    ] = "brackets",
    strip_punctuation: Annotated[
        bool, typer.Option("--strip-punct", help="Leave punctuation out, by the rule of eval; its dependents move up.")
    ] = False,
    unescape: Annotated[
        bool, typer.Option("--unescape", help=r"Undo Penn escapes: ( for -LRB-, 1/2 for 1\/2. Brackets keep -LRB-.")
    ] = False,
    collapse_unary: Annotated[
        bool,
        typer.Option("--collapse-unary/--keep-unary", help="Brackets: turn a unary S over VP into S+VP, or keep it."),
    ] = False,
    binarize: Annotated[
        Direction | None,
        typer.Option(help="Brackets: make the tree binary; labels of new constituents end in |, as NP|."),
    ] = None,
    split_units: Annotated[
        bool,
        typer.Option(
            "--split-units", help="Brackets: split words joined by underscores: a_pesar_de becomes (TAG a pesar de)."
        ),
    ] = False,
    raw: Annotated[
        bool | None,
        typer.Option(
            "--raw/--no-raw", help="LTH: ignore function tags, or not. Default: ignore if there are no traces."
        ),
    ] = None,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="List malformed trees and skip them. Each tree must begin a line, not indented."
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    engine: Annotated[
        Engine, typer.Option(help="corenlp: call your own CoreNLP through Stanza (--to ud).")
    ] = "synparse",
) -> None:
    """Convert Penn-style trees to dependencies, or clean them.

    In: bracketed trees. Out: one sentence for each tree, in order. Clean brackets have no empty elements, function
    tags or indices.

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
        to, format, input_format, raw, strip_punctuation, unescape, collapse_unary, binarize, engine, split_units
    )
    texts = treebanks.convert(trees or [STANDARD_STREAM], options, jobs, skip if skip_bad else None)
    with write_whole(output) as out:
        out.writelines(texts)
    if skipped:
        print(f"synparse: {skipped} skipped", file=sys.stderr)
