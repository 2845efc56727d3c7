"""``synparse eval``: how good are predicted trees?"""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.scoring.comparison import RelationNames, TagColumn, Wanted
from synparse.scoring.dependencies import RootRule
from synparse.scoring.evaluate import Protocol
from synparse.trees.errors import name_of
from synparse.trees.scored_words import PunctuationRule

WORST = 50
"""Sentences drawn in a report."""


def evaluate(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="PRED... GOLD", help="Predicted CoNLL-U or bracketed files; the last is gold. - is stdin."
        ),
    ],
    gold: Annotated[str | None, typer.Option(help="The gold file; all other files are then predictions.")] = None,
    protocol: Annotated[
        Protocol | None, typer.Option(help="For brackets: kim2019 (default), shen2018 or evalb. For CoNLL-U: conll18.")
    ] = None,
    evalb_params: Annotated[str | None, typer.Option(help="A parameter file of EVALB; implies evalb.")] = None,
    root: Annotated[
        RootRule,
        typer.Option(help="How UAS treats the gold root: scored, left out, or wrong (heads need not be trees)."),
    ] = "word",
    argmax: Annotated[
        bool,
        typer.Option(
            "--argmax",
            help="Score the most probable head of each word, as parse --distributions writes it in MISC of CoNLL-U; "
            "these heads need not form a tree.",
        ),
    ] = False,
    punctuation_rule: Annotated[
        PunctuationRule,
        typer.Option(
            help="How to recognise the punctuation that UAS leaves out; auto: by the first of these columns that the "
            "gold file has. keep: score it."
        ),
    ] = "auto",
    score_labels: Annotated[
        bool, typer.Option("--score-labels", help="Score induced labels of brackets, each mapped to a gold label.")
    ] = False,
    score_tags: Annotated[
        TagColumn | None,
        typer.Option(
            help="Score induced tags in this column of CoNLL-U, each mapped to a gold tag (XPOS if the prediction has "
            "no UPOS); brackets have one tag for each word, scored with either."
        ),
    ] = None,
    score_relations: Annotated[
        RelationNames | None,
        typer.Option(
            help="Score induced relations (parse --relations), each mapped to a gold relation: full, or universal, "
            "without subtypes. With --baselines, also trivial relations. For CoNLL-U."
        ),
    ] = None,
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Add scores by label or relation, length, depth, direction, …")
    ] = False,
    baselines: Annotated[
        bool,
        typer.Option("--baselines", help="Add trivial and random trees, and those with the best possible UF1 or UAS."),
    ] = False,
    significance: Annotated[
        bool,
        typer.Option(
            "--significance", help="Add 95 % intervals, and tests of each prediction against the first, by resampling."
        ),
    ] = False,
    seed: options.Seed = 1,
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    report: options.Report = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Score predicted trees against gold trees; name the predictions first.

    In: CoNLL-U or bracketed files. Out: scores in per cent, and the protocol, that is, the rules of scoring. CoNLL-U
    gives UAS, UUAS and NED, brackets give UF1 by sentence and over the corpus. Several predictions get a column each;
    if their names differ only in numbers, they count as seeds, and get a mean. --report adds plots and the worst
    sentences.

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
    from synparse.scoring.in_step import NamedLines
    from synparse.scoring.results import tables_of, text_of, values_of

    format = chosen_format(as_json, tsv, latex)
    predictions, reference = (files[:-1], files[-1]) if gold is None else (files, gold)
    if not predictions:
        raise typer.BadParameter("name one gold file: synparse eval PRED GOLD", param_hint="GOLD")
    if not significance and options.is_given(context, "seed"):
        raise typer.BadParameter("needs --significance", param_hint="--seed")
    lines = [NamedLines(name_of(path), read_lines(path)) for path in (*predictions, reference)]
    comparison = scoring.evaluate(
        lines[:-1],
        lines[-1],
        protocol=protocol,
        evalb_params=None if evalb_params is None else NamedLines(name_of(evalb_params), read_lines(evalb_params)),
        root=root,
        heads="argmax" if argmax else "tree",
        punctuation=punctuation_rule,
        wanted=Wanted(
            breakdown or report is not None,
            baselines,
            seed if significance else None,
            0 if report is None else WORST,
            score_labels,
            score_tags,
            score_relations,
        ),
    )
    values = values_of(comparison)
    tables = tables_of(comparison, values)
    if report is not None:
        from synparse.drawing.report import report_page

        write_lines(report, [report_page(comparison, tables)])
    write_results(output, format, values, tables, text_of(comparison, tables))
