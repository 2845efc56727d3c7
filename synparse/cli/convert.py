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

Trees = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TREES]...",
        help="Bracketed files (.mrg, .ptb, …, .gz), folders of them, nltk:treebank, nltk:ptb; - is stdin.",
    ),
]
To = Annotated[Target, typer.Option(help="The dependency scheme, or brackets for clean brackets.")]
Format = Annotated[
    DependencyFormat | None, typer.Option("--format", "-f", help="The format of dependencies. Default: conllu.")
]
From = Annotated[
    SourceFormat | None,
    typer.Option(
        "--from",
        help="The input format; conllu, with --to brackets, takes projective trees. Default: by the names of files.",
    ),
]
StripPunctuation = Annotated[
    bool, typer.Option("--strip-punct", help="Leave punctuation out, by the same rule as eval; its dependents move up.")
]
Unescape = Annotated[
    bool, typer.Option("--unescape", help=r"Undo Penn escapes: ( for -LRB-, 1/2 for 1\/2. Brackets keep -LRB-.")
]
CollapseUnary = Annotated[
    bool,
    typer.Option("--collapse-unary/--keep-unary", help="Brackets: turn a unary S over VP into S+VP, or keep it."),
]
Binarize = Annotated[
    Direction | None,
    typer.Option(help="Brackets: make the tree binary; labels of new constituents end in |, as NP|."),
]
SplitUnits = Annotated[
    bool,
    typer.Option(
        "--split-units", help="Brackets: split words joined by underscores: a_pesar_de becomes (TAG a pesar de)."
    ),
]
FunctionTags = Annotated[
    bool | None,
    typer.Option(
        "--function-tags/--no-function-tags",
        help="LTH: read function tags and traces, or not. Default: read them if there are traces.",
    ),
]
Lemmas = Annotated[bool, typer.Option("--lemmas", help="Write lemmas of English words (--to ud; needs LemmInflect).")]
SkipBad = Annotated[
    bool,
    typer.Option("--skip-bad", help="List malformed trees and skip them. Each tree must begin a line, not indented."),
]
EngineOption = Annotated[Engine, typer.Option(help="corenlp: call your own CoreNLP through Stanza (--to ud).")]


def convert(
    trees: Trees = None,
    to: To = "stanford",
    format: Format = None,
    output: options.Output = STANDARD_STREAM,
    input_format: From = None,
    strip_punctuation: StripPunctuation = False,
    unescape: Unescape = False,
    collapse_unary: CollapseUnary = False,
    binarize: Binarize = None,
    split_units: SplitUnits = False,
    function_tags: FunctionTags = None,
    lemmas: Lemmas = False,
    skip_bad: SkipBad = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of parallel processes.")] = 1,
    engine: EngineOption = "synparse",
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
