"""``synparse convert``: treebanks → dependencies in the schemes of the field, or clean brackets."""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import print_note, write_lines
from synparse.files.packed import ending_of
from synparse.files.streams import STANDARD_STREAM
from synparse.treebanks.cleanup import Direction
from synparse.treebanks.schemes import DependencyFormat, Engine, SourceFormat, Target
from synparse.trees.beginning import CONLLU_FILES
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
    output: options.Output = STANDARD_STREAM,
    input_format: Annotated[
        SourceFormat | None,
        typer.Option(
            "--from",
            help="The input format; conllu, with --to brackets, takes projective trees. Default: by the names of "
            "files.",
        ),
    ] = None,
    strip_punctuation: Annotated[
        bool,
        typer.Option("--strip-punct", help="Leave punctuation out, by the same rule as eval; its dependents move up."),
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
    function_tags: Annotated[
        bool | None,
        typer.Option(
            "--function-tags/--no-function-tags",
            help="LTH: read function tags and traces, or not. Default: read them if there are traces.",
        ),
    ] = None,
    lemmas: Annotated[
        bool, typer.Option("--lemmas", help="Write lemmas of English words (--to ud; needs LemmInflect).")
    ] = False,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="List malformed trees and skip them. Each tree must begin a line, not indented."
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of parallel processes.")] = 1,
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

    paths = options.files_or_stdin(trees, "TREES")
    skipped = 0

    def skip(fault: DataError) -> None:
        nonlocal skipped
        skipped += 1
        print_note(f"skipped: {fault}")

    how = treebanks.ConvertOptions(
        to,
        format,
        input_format or ("conllu" if all(ending_of(path) in CONLLU_FILES for path in paths) else "brackets"),
        function_tags,
        strip_punctuation,
        unescape,
        collapse_unary,
        binarize,
        engine,
        split_units,
        lemmas=lemmas,
    )
    write_lines(output, treebanks.convert(paths, how, jobs, skip if skip_bad else None))
    if skipped:
        print_note(f"{skipped} skipped")
