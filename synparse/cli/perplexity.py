"""``synparse perplexity``: how well do language models predict a text?"""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, notes, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.scoring.perplexity import StateRule, table_of
from synparse.trees.errors import name_of


def perplexity(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... TEXT",
            help="Directories of language models, and text (one sentence per line), CoNLL-U, bracketed or JSON trees; "
            ".gz too, - is stdin.",
        ),
    ],
    state: Annotated[
        StateRule | None,
        typer.Option(
            help="Next-word models. stream: the state is carried over from sentence to sentence, as in the papers. "
            "sentence: each sentence begins with the zero state, which is faster. Default: stream."
        ),
    ] = None,
    mask_rate: Annotated[
        float | None,
        typer.Option(help="Masked models: the fraction of words to mask. Default: as the model was trained."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Masked models: how many times to mask words. Default: 3.")
    ] = None,
    pseudo: Annotated[
        bool,
        typer.Option(
            "--pseudo",
            help="Masked models: add pseudo-perplexity, with each word masked in turn. Takes as many passes as a "
            "sentence has words.",
        ),
    ] = False,
    raw: options.Raw = False,
    language: options.Language = None,
    tokenizer: options.Tokenizer = None,
    input_format: options.From = None,
    device: options.Device = "auto",
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Measure the perplexity of language models on a text.

    In: language models and sentences. Out: perplexity as papers report it, of the next word, or of masked words with
    the deviation over masks; perplexity per word; bits per character; and the number of unknown words. Several models
    get a column each, and a note says which of them cannot be compared.

    Example: synparse perplexity on-lstm lstm test.txt
    """
    *models, text = arguments
    if not models:
        raise typer.BadParameter("name a text: synparse perplexity MODEL TEXT", param_hint="TEXT")
    format = chosen_format(as_json, tsv, latex)
    from synparse.language_models.perplexity import perplexity as measured

    result = measured(
        models,
        text,
        state=state,
        mask_rate=mask_rate,
        seeds=seeds,
        pseudo=pseudo,
        raw=raw,
        tokenizer=tokenizer,
        language=language,
        format=input_format,
        device=device,
        report=notes(quiet),
    )
    rows = [model.values() for model in result.models]
    values = {
        "text": name_of(text),
        "protocol": result.protocol,
        "models": rows,
        "comparable": not result.notes,
        "notes": result.notes,
    }
    write_results(output, format, values, [table_of(name_of(text), rows)])
