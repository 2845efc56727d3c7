"""The description of a model: kind, size, recipe and provenance; and the list of models by name."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from synparse.config.settings import plain_settings
from synparse.inducers.table import BASELINES
from synparse.store.bundle import open_model
from synparse.store.grammars import grammar_shapes, has_dependency_model
from synparse.store.languages import language_of_shipped
from synparse.store.model_directory import StoredModel, read_shapes, traits_of
from synparse.store.shipped import model_folder, shipped_models
from synparse.store.weights import Shapes
from synparse.trees.trivial import TRIVIAL_PARSERS


def info(model: str | None = None) -> dict[str, Any]:
    """Name, kind, parameters, recipe and provenance as plain values, of each member if there are several.

    None lists the shipped models, with their languages, and the baselines, and what each gives. Raises DataError for an
    unknown model.

    >>> info("balanced")
    {'model': 'balanced', 'kind': 'trivial: needs no training', 'gives': 'brackets and heads'}
    """
    if model is None:
        rows = [info(name) for name in (*shipped_models(), *TRIVIAL_PARSERS)]
        return {row["model"]: f"{row['gives']} ({_kind_and_language(row)})" for row in rows}
    if model in TRIVIAL_PARSERS:
        return {"model": model, "kind": "trivial: needs no training", "gives": "brackets and heads"}
    stored = open_model(model)
    bundle = stored.bundle
    members = {name: _described(member) for name, member in stored.members.items()}
    if bundle is None:
        [member] = members.values()
        return {"model": model, **member}
    of_grammars = 0 if bundle.grammar is None else _numbers(grammar_shapes(model_folder(model)))
    return {
        "model": model,
        "kind": " + ".join(member["kind"] for member in members.values()),
        "gives": " and ".join(["brackets"] * bool(bundle.brackets) + ["heads"] * bool(bundle.heads)),
        "parameters": sum(member["parameters"] for member in members.values()) + of_grammars,
        **bundle.as_mapping(),
        "parse": plain_settings(stored.parsing),
        "of": members,
    }


def _kind_and_language(row: dict[str, Any]) -> str:
    language = language_of_shipped(row["model"])
    return row["kind"] if language is None else f"{row['kind']}; {language.name}"


def _numbers(shapes: Shapes) -> int:
    return sum(map(math.prod, shapes.values()))


def _described(stored: StoredModel) -> dict[str, Any]:
    description = stored.description
    gives_heads = traits_of(description).gives_heads or has_dependency_model(stored.directory)
    gives = "no trees" if description.recipe.model in BASELINES else "brackets and heads" if gives_heads else "brackets"
    weights = {} if description.recipe.training is None else read_shapes(stored.directory)
    packed = {} if description.packed is None else {"packed": dataclasses.asdict(description.packed)}
    return {
        "kind": description.recipe.model,
        "gives": gives,
        "parameters": _numbers(weights) + _numbers(grammar_shapes(stored.directory)),
        **packed,
        "recipe": description.recipe.as_mapping(),
        "provenance": dict(description.provenance),
    }
