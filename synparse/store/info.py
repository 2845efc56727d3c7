"""The description of a model: kind, size, recipe and provenance; and the list of models by name."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from synparse.store.bundle import open_model
from synparse.store.model_directory import StoredModel, read_shapes, traits_of
from synparse.store.shipped import shipped_models
from synparse.trees.trivial import TRIVIAL_PARSERS


def info(model: str | None = None) -> dict[str, Any]:
    """Name, kind, parameters, recipe and provenance as plain values, of each member if there are several.

    None lists the shipped models and the baselines, and what each gives. Raises DataError for an unknown model.

    >>> info("balanced")
    {'model': 'balanced', 'kind': 'trivial: needs no training', 'gives': 'brackets and heads'}
    """
    if model is None:
        rows = [info(name) for name in (*shipped_models(), *TRIVIAL_PARSERS)]
        return {row["model"]: f"{row['gives']} ({row['kind']})" for row in rows}
    if model in TRIVIAL_PARSERS:
        return {"model": model, "kind": "trivial: needs no training", "gives": "brackets and heads"}
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
