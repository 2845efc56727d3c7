"""The list of shipped recipes, with model size and training time."""

from __future__ import annotations

from typing import Any

VOCABULARY = 10_000
"""Words for which sizes are given; each further word adds a row to every embedding."""


def recipes() -> list[dict[str, Any]]:
    """Each shipped recipe: its name, model, parameters (of the network, with a vocabulary of `VOCABULARY` words, or of
    grammars without a network), time and purpose.

    Needs PyTorch, which counts the parameters without making them.
    """
    from synparse.config.recipe import load_recipe, shipped_recipes
    from synparse.inducers.loading import build_on_meta

    rows = []
    for name in shipped_recipes():
        recipe = load_recipe(name)
        parameters = recipe.grammar.parameters
        if recipe.training is not None:
            model = build_on_meta(recipe.model, VOCABULARY, recipe.architecture)
            parameters = sum(parameter.numel() for parameter in model.parameters())
        rows.append(
            {
                "recipe": name,
                "model": recipe.model,
                "parameters": parameters,
                "expected_time": recipe.expected_time,
                "about": recipe.about,
            }
        )
    return rows
