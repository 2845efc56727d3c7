"""``synparse info``: what a model is, or what is known of a language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from synparse.files.streams import write_whole
from synparse.trees.errors import SettingError


def info(
    model: Annotated[
        str | None,
        typer.Argument(
            help="A model directory, or the name of a shipped model or baseline. Without it, lists the models by name."
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            metavar="LANG",
            help="Print what is known of a language, by ISO 639 code or English name (fi, finnish): shipped models, "
            "scores, texts and their licences, the tokenizer.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Describe a model: its recipe, corpus, size and held-out perplexity; or a language.

    Without a model, list the shipped models and the baselines.

    Examples: synparse info model; synparse info --language fi

    \b
      $ synparse info right-branching
      model                                      right-branching
      kind                                       trivial: needs no training
      gives                                      brackets and heads
    """
    from synparse.store import info as store
    from synparse.store.languages import language_info, language_report

    if model is not None and language is not None:
        raise SettingError("name a model or a language, not both")
    description = store.info(model) if language is None else language_info(language)
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(description, ensure_ascii=False) + "\n")
        elif language is not None:
            out.writelines(language_report(description))
        else:
            out.writelines(f"{key:<42} {value}\n" for key, value in _rows(description))


def _rows(values: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, list) and any(isinstance(one, dict) for one in value):
            value = {str(number): one for number, one in enumerate(value, 1)}
        if isinstance(value, dict):
            yield from _rows(value, f"{prefix}{key}.")
        else:
            yield prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else value
