"""``synparse recipes``: what can be trained."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from synparse.files.streams import write_whole

VOCABULARY = 10_000
"""Words for which sizes are given; each further word adds a row to every embedding."""


def recipes(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the recipes that are shipped: the model, its size and how long training takes.

    Example: synparse train corpus.txt --recipe udgn-small
    """
    rows = shipped()
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(rows, ensure_ascii=False) + "\n")
            return
        for row in rows:
            size = f"{row['parameters'] / 1e6:.1f} M"
            out.write(f"{row['recipe']:<20} {size:>8}  {row['expected_time']:<38} {row['about']}\n")


def shipped() -> list[dict[str, Any]]:
    """Each shipped recipe: its name, model, parameters (with a vocabulary of `VOCABULARY` words), time and purpose."""
    from synparse.config.recipe import load_recipe, shipped_recipes
    from synparse.inducers.loading import build_on_meta

    rows = []
    for name in shipped_recipes():
        recipe = load_recipe(name)
        model = build_on_meta(recipe.model, VOCABULARY, recipe.architecture)
        rows.append(
            {
                "recipe": name,
                "model": recipe.model,
                "parameters": sum(parameter.numel() for parameter in model.parameters()),
                "expected_time": recipe.expected_time,
                "about": recipe.about,
            }
        )
    return rows
