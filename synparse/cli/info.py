"""``synparse info``: what a model is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from synparse.files import write_whole
from synparse.inducers import TRAITS
from synparse.trees.errors import DataError


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
    from synparse.model_directory import WEIGHTS, read_description

    directory = Path(model)
    description = read_description(directory)
    return {
        "model": model,
        "kind": description.recipe.model,
        "gives": "brackets and heads" if TRAITS[description.recipe.model].gives_heads else "brackets",
        "parameters": parameter_count(directory / WEIGHTS),
        "recipe": description.recipe.as_mapping(),
        "provenance": dict(description.provenance),
    }


def parameter_count(path: Path) -> int:
    """Number of values in a safetensors file, from its header alone. Raises DataError where it has none."""
    from math import prod

    try:
        with path.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            if size > path.stat().st_size:
                raise ValueError
            header = json.loads(stream.read(size))
        return sum(prod(entry["shape"]) for name, entry in header.items() if name != "__metadata__")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError("damaged weights: no safetensors header", str(path)) from None


def _flat(values: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{prefix}{key}.")
        else:
            rows.append((prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else value))
    return rows
