"""``synparse eval``: how good are predicted trees?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from synparse.cli.beginning import beginning_of
from synparse.cli.choices import one_of
from synparse.cli.tables import as_latex, as_text, as_tsv, print_tables
from synparse.files.streams import STANDARD_STREAM, name_of, read_lines, write_whole
from synparse.scoring.constituency import PROTOCOLS
from synparse.scoring.dependencies import PUNCTUATION_RULES, ROOT_RULES

if TYPE_CHECKING:
    from synparse.scoring.comparison import Comparison

BRACKETED, CONLLU = "bracketed trees", "CoNLL-U"

BRACKET_PROTOCOLS = (*PROTOCOLS, "evalb")
CONLL18 = "conll18"

WORST = 50
"""So many sentences are drawn in a report."""


class Settings(NamedTuple):
    """How to score, and what beside the scores to work out; ``seed`` is of the resamples, None for none."""

    protocol: str | None = None
    evalb_params: str | None = None
    root: str = "word"
    punctuation: str = "auto"
    breakdown: bool = False
    baselines: bool = False
    seed: int | None = None
    worst: int = 0


def evaluate(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="PRED... GOLD", help="Predicted CoNLL-U or bracketed files; the last is gold. - is stdin."
        ),
    ],
    gold: Annotated[str | None, typer.Option("--gold", help="The gold file, said outright.")] = None,
    protocol: Annotated[
        str | None, typer.Option(help="Of brackets: kim2019 (default), shen2018 or evalb. Of CoNLL-U: conll18.")
    ] = None,
    evalb_params: Annotated[str | None, typer.Option(help="EVALB's parameter file; implies evalb.")] = None,
    root: Annotated[
        str, typer.Option(help="The gold root in UAS: word (scored), omit, or wrong (heads need not be trees).")
    ] = "word",
    punctuation: Annotated[
        str, typer.Option(help="Punctuation in UAS goes by upos, tag or form (auto: the first there is), or keep.")
    ] = "auto",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Also by label or relation, length, depth, direction, …")
    ] = False,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Also trivial and random trees, and the best that can be reached.")
    ] = False,
    significance: Annotated[
        bool,
        typer.Option("--significance", help="Also 95 % intervals, and tests of each prediction against the first."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the resamples of --significance.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    report: Annotated[
        str | None, typer.Option(help="Also write this HTML page: tables, plots, the worst sentences drawn.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
) -> None:
    """Score predicted trees against gold trees: the predictions first.

    CoNLL-U files give UAS and UUAS, bracketed files UF1 by sentence and over the corpus. The rules that were applied
    stand under the numbers, which are per cent. Several predictions have a column each, with their mean.

    Example: synparse eval pred.conllu gold.conllu
    """
    one_of(root, ROOT_RULES, "--root")
    one_of(punctuation, PUNCTUATION_RULES, "--punctuation")
    one_of(protocol, (*BRACKET_PROTOCOLS, CONLL18), "--protocol")
    if evalb_params is not None and protocol not in (None, "evalb"):
        raise typer.BadParameter("is of --protocol evalb", param_hint="--evalb-params")
    if as_json + tsv + latex > 1:
        raise typer.BadParameter("one of --json, --tsv and --latex at most", param_hint="--json")
    predictions, reference = (files[:-1], files[-1]) if gold is None else (files, gold)
    if not predictions:
        raise typer.BadParameter("name one gold file: synparse eval PRED GOLD", param_hint="GOLD")
    if [*predictions, reference].count(STANDARD_STREAM) > 1:
        raise typer.BadParameter("only one of the two can be standard input", param_hint="GOLD")
    settings = Settings(
        "evalb" if evalb_params is not None else protocol,
        evalb_params,
        root,
        punctuation,
        breakdown or report is not None,
        baselines,
        seed if significance else None,
        WORST if report is not None else 0,
    )
    comparison = compare_files(predictions, reference, settings)
    from synparse.cli.scores import SCORES, result_of, tables_of

    result = result_of(comparison, name_of(reference), settings.seed)
    tables = tables_of(comparison, result)
    if report is not None:
        from synparse.cli.report import page_of

        with write_whole(report) as page:
            page.write(page_of(comparison, tables, name_of(reference)))
    with write_whole(output) as out:
        if as_json:
            out.write(json.dumps(result, ensure_ascii=False) + "\n")
        elif tsv or latex:
            out.writelines((as_tsv if tsv else as_latex)(tables, comparison.protocol))
        elif output == STANDARD_STREAM and sys.stdout.isatty():
            print_tables(tables, comparison.protocol)
        else:
            summaries = [system.summary for system in comparison.systems if system.summary]
            shown = [table for table in tables if len(summaries) != 1 or table.title != SCORES or baselines]
            out.writelines(as_text(shown, comparison.protocol))
            out.writelines(f"\n{summary}" for summary in summaries)


def evaluate_files(prediction: str, gold: str, root: str = "word") -> dict[str, Any]:
    """The scores of one file against another, in per cent (None where there is nothing to score), as plain values.

    Raises DataError where a file is malformed or the two do not line up, and a usage error where they are of different
    kinds.
    """
    from synparse.cli.scores import result_of

    return result_of(compare_files([prediction], gold, Settings(root=root)), name_of(gold))


def compare_files(predictions: Sequence[str], gold: str, settings: Settings) -> Comparison:
    """Score files of one kind against a gold file. Raises as `evaluate_files` does."""
    from synparse.scoring.brackets import NamedLines
    from synparse.scoring.comparison import Wanted

    kinds, files = [], []
    for path in (*predictions, gold):
        character, lines = beginning_of(read_lines(path))
        kinds.append(None if not character else BRACKETED if character == "(" else CONLLU)
        files.append(NamedLines(name_of(path), lines))
    *runs, reference = files
    known = [kind for kind in kinds if kind]
    for run, kind in zip(runs, kinds, strict=False):
        if kind and kinds[-1] and kind != kinds[-1]:
            raise typer.BadParameter(
                f"the prediction {run.name} holds {kind}, the gold file {reference.name} {kinds[-1]}"
            )
    wanted = Wanted(settings.breakdown, settings.baselines, settings.seed is not None, settings.worst)
    if BRACKETED in known or (not known and settings.protocol in BRACKET_PROTOCOLS):
        if settings.protocol == CONLL18:
            raise typer.BadParameter("conll18 scores CoNLL-U, not bracketed trees", param_hint="--protocol")
        from synparse.scoring.bracket_comparison import compare_brackets
        from synparse.scoring.evalb import read_parameters

        given = settings.evalb_params
        parameters = None if given is None else read_parameters(read_lines(given), name_of(given))
        return compare_brackets(runs, reference, settings.protocol or "kim2019", parameters, wanted)
    from synparse.scoring.head_comparison import compare_conll18, compare_heads

    if settings.protocol in BRACKET_PROTOCOLS:
        raise typer.BadParameter(f"{settings.protocol} scores bracketed trees, not CoNLL-U", param_hint="--protocol")
    if settings.protocol == CONLL18:
        if settings.baselines or settings.seed is not None:
            raise typer.BadParameter("conll18 has no baselines or significance", param_hint="--protocol")
        return compare_conll18(runs, reference)
    return compare_heads(runs, reference, settings.root, settings.punctuation, wanted)
