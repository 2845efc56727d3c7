"""``synparse info``: what a model is."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from synparse.files import write_whole


def info(
    model: Annotated[str, typer.Argument(help="Model directory, or the name of a trivial model.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say what a model is: its recipe, corpus, size and held-out perplexity.

    Example: synparse info model
    """
    description = describe(model)
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(description, ensure_ascii=False) + "\n")
            return
        for key, value in _flat(description):
            out.write(f"{key:<42} {value}\n")


def describe(model: str) -> dict[str, Any]:
    """Name, kind, parameters, recipe and provenance as plain values. Raises DataError where there is no such model."""
    from synparse.trees.trivial import TRIVIAL_PARSERS

    if model in TRIVIAL_PARSERS:
        return {"model": model, "kind": "trivial: needs no training", "gives": "brackets and heads"}
    from synparse.model_directory import read_description, read_shapes, traits_of

    directory = Path(model)
    description = read_description(directory)
    return {
        "model": model,
        "kind": description.recipe.model,
        "gives": "brackets and heads" if traits_of(description).gives_heads else "brackets",
        "parameters": sum(map(math.prod, read_shapes(directory).values())),
        "recipe": description.recipe.as_mapping(),
        "provenance": dict(description.provenance),
    }


def _flat(values: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{prefix}{key}.")
        else:
            rows.append((prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else value))
    return rows
