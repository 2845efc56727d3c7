"""``synparse info``: the description of a model or a language."""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import completion, options
from synparse.cli.results import chosen_format, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.trees.errors import SettingError
from synparse.trees.printable import printable

FACTS = ("model", "kind", "gives", "parameters", "parsing")
"""What is said of a model beside its card."""


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
            help="Print what there is for a language, by ISO 639 code or English name (fi, finnish): shipped models, "
            "scores, texts and their licences, the tokenizer.",
        ),
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help="Print all details instead of the card: recipe, settings, provenance.")
    ] = False,
    show_card: Annotated[bool, typer.Option("--card", help="Print only the card, as Markdown.")] = False,
    as_json: options.Json = False,
) -> None:
    """Describe a model, or a language.

    For a model: the trees that it gives, how it parses, and its card, with text, licence, scores and weaknesses.
    Without a model, list the shipped models and the baselines.

    Examples: synparse info english; synparse info model --all; synparse info --language fi

    \b
      $ synparse info right-branching
      model              right-branching
      kind               trivial: needs no training
      gives              brackets and heads
    """
    from synparse.scoring.tables import described
    from synparse.store import info as store
    from synparse.store.languages import language_info, language_report

    if language is not None and (model is not None or show_all or show_card):
        raise SettingError("--language: without a model, --all and --card")
    format = chosen_format(as_json)
    if language is not None:
        values = language_info(language)
        write_results(STANDARD_STREAM, format, values, text=language_report(values))
        return
    if show_all and model is None:
        raise SettingError("--all: name a model")
    values = store.info(model)
    card = "" if model is None or show_all or as_json else store.card(model)
    if show_card:
        if not card:
            raise SettingError("--card: name a model that has a card, without --all and --json")
        write_lines(STANDARD_STREAM, [card])
        return
    facts = values if model is None or show_all else {name: values[name] for name in FACTS if name in values}
    write_results(STANDARD_STREAM, format, values, [described(facts)])
    shown = (line for line in card.splitlines(keepends=True) if not line.startswith("<!--"))
    write_lines(STANDARD_STREAM, ["\n" * bool(card), *map(printable, shown)])
