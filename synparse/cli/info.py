"""``synparse info``: what a model is, or what is known of a language."""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import completion, options
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.trees.errors import SettingError


def info(
    model: Annotated[
        str | None,
        typer.Argument(
            autocompletion=completion.models,
            help="A model directory, or the name of a shipped model or baseline. Without it, lists the models by name.",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="LANG",
            autocompletion=completion.languages,
            help="Print what is known of a language, by ISO 639 code or English name (fi, finnish): shipped models, "
            "scores, texts and their licences, the tokenizer.",
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Describe a model: its recipe, corpus, size and held-out perplexity; or a language.

    Without a model, list the shipped models and the baselines.

    Examples: synparse info model; synparse info --language fi

    \b
      $ synparse info right-branching
      model              right-branching
      kind               trivial: needs no training
      gives              brackets and heads
    """
    from synparse.scoring.tables import described
    from synparse.store import info as store
    from synparse.store.languages import language_info, language_report

    if model is not None and language is not None:
        raise SettingError("name a model or a language, not both")
    values = store.info(model) if language is None else language_info(language)
    format = chosen_format(as_json)
    if language is None:
        write_results(STANDARD_STREAM, format, values, [described(values)])
    else:
        write_results(STANDARD_STREAM, format, values, text=language_report(values))
