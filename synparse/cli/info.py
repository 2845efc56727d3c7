"""``synparse info``: what a model is."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.files.streams import write_whole

if TYPE_CHECKING:
    from synparse.store.model_directory import StoredModel


def info(
    model: Annotated[
        str | None,
        typer.Argument(help="Model directory, or the name of a shipped or a trivial model. Default: lists these."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say what a model is: its recipe, corpus, size and held-out perplexity; or which models are there by name.

    Example: synparse info model
    """
    description = named() if model is None else describe(model)
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(description, ensure_ascii=False) + "\n")
            return
        for key, value in _flat(description):
            out.write(f"{key:<42} {value}\n")


def named() -> dict[str, str]:
    """What each model that has a name gives: the shipped and the trivial ones."""
    from synparse.store.shipped import shipped_models
    from synparse.trees.trivial import TRIVIAL_PARSERS

    rows = [describe(name) for name in (*shipped_models(), *TRIVIAL_PARSERS)]
    return {row["model"]: f"{row['gives']} ({row['kind']})" for row in rows}


def describe(model: str) -> dict[str, Any]:
    """Name, kind, parameters, recipe and provenance as plain values, of each member where there are several.

    Raises DataError where there is no such model.
    """
    from synparse.trees.trivial import TRIVIAL_PARSERS

    if model in TRIVIAL_PARSERS:
        return {"model": model, "kind": "trivial: needs no training", "gives": "brackets and heads"}
    from synparse.store.bundle import open_model

    stored, bundle = open_model(model)
    members = {name: _described(member) for name, member in stored.items()}
    if bundle is None:
        [member] = members.values()
        return {"model": model, **member}
    return {
        "model": model,
        "kind": " + ".join(member["kind"] for member in members.values()),
        "gives": " and ".join(["brackets"] * bool(bundle.brackets) + ["heads"] * bool(bundle.heads)),
        "parameters": sum(member["parameters"] for member in members.values()),
        **bundle.as_mapping(),
        "of": members,
    }


def _described(stored: StoredModel) -> dict[str, Any]:
    from synparse.store.model_directory import read_shapes, traits_of

    description = stored.description
    packed = {} if description.packed is None else {"packed": dataclasses.asdict(description.packed)}
    return {
        "kind": description.recipe.model,
        "gives": "brackets and heads" if traits_of(description).gives_heads else "brackets",
        "parameters": sum(map(math.prod, read_shapes(stored.directory).values())),
        **packed,
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
