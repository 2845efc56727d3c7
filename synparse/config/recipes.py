"""The list of shipped recipes, with model size and training time."""

from __future__ import annotations

from typing import Any

from synparse.config.recipe import Recipe, load_recipe, shipped_recipes, stages_of
from synparse.inducers.devices import has_torch

VOCABULARY = 10_000
"""Words for which sizes are given; each further word adds a row to every embedding."""


def recipes() -> list[dict[str, Any]]:
    """Each shipped recipe: its name, stages, parameters (of all networks that it trains, with a vocabulary of
    `VOCABULARY` words, or of grammars without a network), time and purpose.

    PyTorch counts the parameters of networks, without making them; they are None where it is not installed.
    """
    loaded = {name: load_recipe(name) for name in shipped_recipes()}
    return [
        {
            "recipe": name,
            "stages": " → ".join(stages_of(recipe)),
            "parameters": _parameters(recipe),
            "expected_time": recipe.expected_time,
            "about": recipe.about,
        }
        for name, recipe in loaded.items()
    ]


def _parameters(recipe: Recipe) -> int | None:
    if not recipe.networks:
        return sum(stage.seeds * stage.settings.parameters for stage in recipe.grammars)
    if not has_torch():
        return None
    from synparse.inducers.loading import build_on_meta

    networks = [(stage.seeds, build_on_meta(stage.model, VOCABULARY, stage.architecture)) for stage in recipe.networks]
    return sum(seeds * parameter.numel() for seeds, network in networks for parameter in network.parameters())
