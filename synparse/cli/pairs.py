"""``synparse pairs``: which sentence of a minimal pair is the likelier one?"""

from __future__ import annotations

import contextlib
from typing import Annotated

import typer

from synparse.cli.results import (
    DeviceOption,
    JsonOption,
    LatexOption,
    OutputOption,
    TsvOption,
    chosen_format,
    write_results,
)
from synparse.cli.text import TOKENIZER_NAMES
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.trees.errors import name_of


def pairs(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... FILE",
            help="Directories of language models, and a file of pairs: tab-separated, or JSON as of BLiMP; .gz is "
            "fine, - is stdin.",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Group the pairs by this column, such as paradigm of BLiMP. Repeatable. Default: construction, else "
            "phenomenon and field, else paradigm, where the file has them.",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="GOOD,BAD",
            help="The names of the columns, or JSON keys, with the grammatical and the ungrammatical sentence. "
            "Default: grammatical and ungrammatical, or sentence_good and sentence_bad; the first two columns, where "
            "no head line has these.",
        ),
    ] = None,
    scores: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the scores of each pair too, tab-separated, in nats.")
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            help=f"{TOKENIZER_NAMES}. Default: whitespace if the sentences are tokenised, else the models' own, or one "
            "for running text in their language."
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="LANG",
            help="The language of the sentences, by ISO 639 code or English name; it chooses how words are split. "
            "Default: the models' own.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Processes, of one thread each. Default: one for each core if that is faster."
        ),
    ] = None,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
    tsv: TsvOption = False,
    latex: LatexOption = False,
    output: OutputOption = STANDARD_STREAM,
) -> None:
    """Score language models on minimal pairs: is the grammatical sentence the likelier one?

    In: language models, and pairs of a grammatical and an ungrammatical sentence, such as those of Marvin and Linzen
    or of BLiMP. Out: accuracy in per cent, of all pairs and of those whose words the model knows, with 95 % intervals,
    by construction or phenomenon. Several models get a column each.

    Example: synparse pairs on-lstm lstm marvin-linzen.tsv.gz
    """
    *models, path = arguments
    if not models:
        raise typer.BadParameter("name a file of pairs: synparse pairs MODEL FILE", param_hint="FILE")
    format = chosen_format(as_json, tsv, latex)
    if scores == output:
        raise typer.BadParameter("the scores of the pairs need a file of their own", param_hint="--scores")
    from synparse.language_models.minimal_pairs import SCORE_COLUMNS, judge_pairs, score_cells
    from synparse.scoring.acceptability import tables_of, values_of

    with contextlib.ExitStack() as files:
        table = None if scores is None else files.enter_context(write_whole(scores))
        if table is not None:
            table.write("\t".join(SCORE_COLUMNS) + "\n")
        judged = judge_pairs(
            models,
            path,
            by=by or (),
            columns=() if columns is None else columns.split(","),
            tokenizer=tokenizer,
            language=language,
            device=device,
            jobs=jobs,
            record=None if table is None else lambda one: table.write("\t".join(score_cells(one)) + "\n"),
        )
    of_models = values_of(judged.models, judged.by)
    values = {
        "file": name_of(path),
        "by": list(judged.by),
        "protocol": judged.protocol,
        "notes": judged.notes,
        "models": of_models,
    }
    write_results(output, format, values, tables_of(name_of(path), of_models, judged.by))
