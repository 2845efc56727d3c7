"""``synparse pairs``: which sentence of a minimal pair is more probable?"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.trees.errors import name_of


def pairs(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... FILE",
            help="Directories of language models, and a file of pairs: tab-separated, or JSON as in BLiMP; .gz, .bz2, "
            ".xz too, - is stdin.",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Group the pairs by this column, such as paradigm in BLiMP. Repeatable. Default: construction, else "
            "phenomenon and field, else paradigm, if the file has them.",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="GOOD,BAD",
            help="The names of the columns, or JSON keys, with the grammatical and the ungrammatical sentence. "
            "Default: grammatical and ungrammatical, or sentence_good and sentence_bad; the first two columns if the "
            "file has no header with these.",
        ),
    ] = None,
    scores: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write the scores of each pair, tab-separated, in nats.")
    ] = None,
    tokenizer: options.Tokenizer = None,
    language: options.Language = None,
    jobs: options.Jobs = None,
    device: options.Device = "auto",
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Score language models on minimal pairs: is the grammatical sentence more probable?

    In: language models, and pairs of a grammatical and an ungrammatical sentence, such as those of Marvin and Linzen or
    of BLiMP; tokenised sentences are split at blanks. Out: accuracy in per cent, for all pairs and for those whose
    words the model knows, with 95 % intervals, by construction or phenomenon; a column for each model.

    Example: synparse pairs on-lstm lstm marvin-linzen.tsv.gz
    """
    *models, path = arguments
    if not models:
        raise typer.BadParameter("name a file of pairs: synparse pairs MODEL FILE", param_hint="FILE")
    format = chosen_format(as_json, tsv, latex)
    from synparse.language_models.minimal_pairs import judge_pairs, recorder
    from synparse.scoring.acceptability import tables_of, values_of

    with nullcontext() if scores is None else write_whole(scores) as table:
        judged = judge_pairs(
            models,
            path,
            by=by or (),
            columns=() if columns is None else [name.strip() for name in columns.split(",")],
            tokenizer=tokenizer,
            language=language,
            device=device,
            jobs=jobs,
            record=None if table is None else recorder(table),
        )
    rows = values_of(judged.models, judged.by)
    values = {
        "file": name_of(path),
        "by": list(judged.by),
        "protocol": judged.protocol,
        "notes": judged.notes,
        "models": rows,
    }
    write_results(output, format, values, tables_of(name_of(path), rows, judged.by))
