"""The list of shipped recipes, with model size and training time."""

from __future__ import annotations

from typing import Any

VOCABULARY = 10_000
"""Words for which sizes are given; each further word adds a row to every embedding."""


def recipes() -> list[dict[str, Any]]:
    """Each shipped recipe: its name, stages, parameters (of its networks, with a vocabulary of `VOCABULARY` words, or
    of grammars without a network), time and purpose.

    Needs PyTorch, which counts the parameters without making them.
    """
    from synparse.config.recipe import load_recipe, shipped_recipes, stages_of
    from synparse.inducers.loading import build_on_meta

    rows = []
    for name in shipped_recipes():
        recipe = load_recipe(name)
        networks = [build_on_meta(stage.model, VOCABULARY, stage.architecture) for stage in recipe.networks]
        parameters = sum(parameter.numel() for network in networks for parameter in network.parameters())
        parameters = parameters or sum(stage.settings.parameters for stage in recipe.grammars)
        rows.append(
            {
                "recipe": name,
                "stages": " → ".join(stages_of(recipe)),
                "parameters": parameters,
                "expected_time": recipe.expected_time,
                "about": recipe.about,
            }
        )
    return rows
