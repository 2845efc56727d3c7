"""``synparse perplexity``: how well do language models predict a text?"""

from __future__ import annotations

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
from synparse.cli.text import TOKENIZER_NAMES, LanguageOption, print_note
from synparse.corpora.sentences import InputFormat
from synparse.files.streams import STANDARD_STREAM
from synparse.scoring.perplexity import StateRule
from synparse.trees.errors import name_of


def perplexity(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... TEXT",
            help="Directories of language models, and text (a sentence a line), CoNLL-U, bracketed or JSON trees; .gz "
            "is fine, - is stdin.",
        ),
    ],
    state: Annotated[
        StateRule | None,
        typer.Option(
            help="Models of the next word. stream: the text is one stream, whose state runs on over sentences, as in "
            "the papers. sentence: each begins with zero state, which is faster. Default: stream."
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
            help="Masked models: add pseudo-perplexity, each word masked alone. Takes as many times as long as a "
            "sentence has words.",
        ),
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="TEXT is running text: split it into sentences and words.")
    ] = False,
    language: LanguageOption = None,
    tokenizer: Annotated[
        str | None, typer.Option(help=f"{TOKENIZER_NAMES}. Default: by --language, else the models' own.")
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option("--from", help="The format of TEXT. Default: by its name and content."),
    ] = None,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
    tsv: TsvOption = False,
    latex: LatexOption = False,
    output: OutputOption = STANDARD_STREAM,
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
    from synparse.scoring.perplexity import table_of

    found = measured(
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
        report=print_note,
    )
    of_models = [one.values() for one in found.models]
    values = {
        "text": name_of(text),
        "protocol": found.protocol,
        "models": of_models,
        "comparable": found.are_comparable,
        "notes": found.notes,
    }
    write_results(output, format, values, [table_of(name_of(text), of_models)])
