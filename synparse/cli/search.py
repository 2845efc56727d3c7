"""``synparse search``: where does a pattern occur in trees?"""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, print_note, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.treebanks.schemes import SourceFormat


def search(
    pattern: Annotated[
        str, typer.Argument(metavar="PATTERN", help="In the manner of Tregex (for brackets) or of Grew (for CoNLL-U).")
    ],
    trees: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TREES]...", help="Bracketed or CoNLL-U files, .gz, .bz2, .xz too, or folders of them; - is stdin."
        ),
    ] = None,
    input_format: Annotated[
        SourceFormat | None,
        typer.Option("--from", help="The format of the input. Default: recognised by name and content."),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Brackets: write the trees that have a match, each once, not the constituents."),
    ] = False,
    without: Annotated[bool, typer.Option("--not", help="Write the sentences without a match, as they are.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Write at most this many sentences, or count in at most this many.")
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the numbers of sentences and of matches.")] = False,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="Count the matches by this (implies --count): V.lemma, V.Number or another column or feature of a "
            "word; label or words of the constituent, x.label or x.words of a named one. Repeatable, for combinations.",
        ),
    ] = None,
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Search trees for a pattern.

    In: trees. Out: for brackets, the constituents that the pattern names (=x), or else those with which it begins, one
    per line; for CoNLL-U, the sentences that match, with a comment for each match and the names of its words in column
    10, which synparse show colours.

    Constituents: NP < (DT $+ NN) !<< /^V/. A node is NP, @NP (also with function tags), NP|VP, a word, /regex/, _ (any)
    or NP=x. Relations, all of the first node: < child, > parent, << >> below and above, $ sister, $+ $- next and
    previous sister, . and .. right after and after, the same with commas: before, <1 <-1 <: first, last and only child.

    Words and arcs: V [upos=VERB]; V -[nsubj|obj]-> N; N << V. A word has conditions such as form="a", lemma=re"b.*",
    Number<>Sing; arcs are -> and -[obj]->; the order is < (next) and <<; without { V -[obj]-> O } must not be there.

    Example: synparse search 'pattern { V -[nsubj]-> N; V << N }' gold.conllu --by V.lemma

    \b
      $ echo '(S (NP (DT the) (NN dog)) (VP (VBD barked)))' | synparse search 'NP < (DT $+ NN)'
      (NP (DT the) (NN dog))
    """
    format = chosen_format(as_json, tsv, latex)
    if format != "text" and not (count or by):
        raise typer.BadParameter("only counts have this format: add --count or --by", param_hint=f"--{format}")
    if without and (count or by):
        raise typer.BadParameter("counts include sentences without a match; leave it out", param_hint="--not")
    if whole and (count or by):
        raise typer.BadParameter("counts write no trees; leave it out", param_hint="--whole")
    from synparse.search import search as searching

    sources = options.files_or_stdin(trees, "TREES")
    searched = searching.search(sources, pattern, input_format, by or (), whole, print_note)
    if count or by:
        values = searching.counts_of(islice(searched, limit), pattern, by or ())
        write_results(output, format, values, searching.tables_of(values))
    else:
        texts = (sentence.text for sentence in searched if bool(sentence.matches) != without)
        write_lines(output, islice(texts, limit))
