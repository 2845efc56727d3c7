"""``synparse eval``: how good are predicted trees?"""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from synparse.cli.formats import refuse_several_formats
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.scoring.comparison import RelationNames, TagColumn
from synparse.scoring.dependencies import RootRule
from synparse.scoring.evaluate import Protocol
from synparse.trees.errors import name_of
from synparse.trees.scored_words import PunctuationRule

WORST = 50
"""Sentences drawn in a report."""


def evaluate(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="PRED... GOLD", help="Predicted CoNLL-U or bracketed files; the last is gold. - is stdin."
        ),
    ],
    gold: Annotated[
        str | None, typer.Option("--gold", help="The gold file; all other files are then predictions.")
    ] = None,
    protocol: Annotated[
        Protocol | None, typer.Option(help="For brackets: kim2019 (default), shen2018 or evalb. For CoNLL-U: conll18.")
    ] = None,
    evalb_params: Annotated[str | None, typer.Option(help="A parameter file of EVALB; implies evalb.")] = None,
    root: Annotated[
        RootRule,
        typer.Option(help="How UAS treats the gold root: scored, left out, or wrong (heads need not be trees)."),
    ] = "word",
    punctuation: Annotated[
        PunctuationRule,
        typer.Option(
            help="How to recognise the punctuation that UAS leaves out; auto: by the first of these that gold has. "
            "keep: score it."
        ),
    ] = "auto",
    labels: Annotated[
        bool, typer.Option("--labels", help="Add scores of induced labels of brackets, each mapped to a gold label.")
    ] = False,
    tags: Annotated[
        TagColumn | None,
        typer.Option(
            help="Add scores of induced tags, each mapped to a gold tag: of this column of CoNLL-U; brackets have one "
            "tag for each word, scored with either."
        ),
    ] = None,
    relations: Annotated[
        RelationNames | None,
        typer.Option(
            help="Add scores of induced relations (parse --relations), each mapped to a gold relation: full, or "
            "universal, without subtypes. With --baselines, trivial relations beside them. For CoNLL-U."
        ),
    ] = None,
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Add scores by label or relation, length, depth, direction, …")
    ] = False,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Add trivial and random trees, and the best reachable score.")
    ] = False,
    significance: Annotated[
        bool,
        typer.Option("--significance", help="Add 95 % intervals, and tests of each prediction against the first."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples of --significance.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    report: Annotated[
        str | None, typer.Option(help="Write this HTML page too: tables, plots, the worst sentences drawn.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
) -> None:
    """Score predicted trees against gold trees; name the predictions first.

    In: CoNLL-U or bracketed files. Out: scores in per cent, and the protocol, that is, the rules of scoring. CoNLL-U
    gives UAS and UUAS, brackets give UF1 by sentence and over the corpus. Several predictions get a column each, with
    their mean.

    Example: synparse eval pred.conllu gold.conllu

    \b
      $ synparse parse -m right-branching -f brackets gold.brackets | synparse eval - gold.brackets | head -n 6
      prediction         <stdin>
      gold               gold.brackets
      sentences          1000
        of them scored   999
      UF1, sentence      39.37
      UF1, corpus        33.63
    """
    from synparse.scoring import evaluate as scoring
    from synparse.scoring.comparison import Wanted
    from synparse.scoring.in_step import NamedLines
    from synparse.scoring.results import tables_of, text_of, values_of
    from synparse.scoring.tables import as_frames, as_latex, as_tsv

    refuse_several_formats(as_json, tsv, latex)
    predictions, reference = (files[:-1], files[-1]) if gold is None else (files, gold)
    if not predictions:
        raise typer.BadParameter("name one gold file: synparse eval PRED GOLD", param_hint="GOLD")
    if [*predictions, reference].count(STANDARD_STREAM) > 1:
        raise typer.BadParameter("only one of the two can be standard input", param_hint="GOLD")

    def named(path: str) -> NamedLines:
        return NamedLines(name_of(path), read_lines(path))

    comparison = scoring.evaluate(
        list(map(named, predictions)),
        named(reference),
        protocol=protocol,
        evalb_params=None if evalb_params is None else named(evalb_params),
        root=root,
        punctuation=punctuation,
        wanted=Wanted(
            breakdown or report is not None,
            baselines,
            seed if significance else None,
            WORST if report is not None else 0,
            labels,
            tags,
            relations,
        ),
    )
    values = values_of(comparison)
    tables = tables_of(comparison, values)
    if report is not None:
        from synparse.drawing.report import report_page

        with write_whole(report) as page:
            page.write(report_page(comparison, tables))
    with write_whole(output) as out:
        if as_json:
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
        elif tsv or latex:
            out.writelines((as_tsv if tsv else as_latex)(tables, comparison.protocol))
        elif output == STANDARD_STREAM and sys.stdout.isatty():
            out.writelines(as_frames(tables, comparison.protocol))
        else:
            out.writelines(text_of(comparison, tables))
