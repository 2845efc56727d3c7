"""``synparse info``: what a model is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from synparse.files.streams import write_whole


def info(
    model: Annotated[
        str | None,
        typer.Argument(
            help="A model directory, or the name of a shipped model or baseline. Without it, lists the models by name."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Describe a model: its recipe, corpus, size and held-out perplexity.

    Without a model, list the shipped models and the baselines.

    Example: synparse info model

    \b
      $ synparse info right-branching
      model                                      right-branching
      kind                                       trivial: needs no training
      gives                                      brackets and heads
    """
    from synparse.store import info as store

    description = store.info(model)
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(description, ensure_ascii=False) + "\n")
        else:
            out.writelines(f"{key:<42} {value}\n" for key, value in _rows(description))


def _rows(values: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _rows(value, f"{prefix}{key}.")
        else:
            yield prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else value
