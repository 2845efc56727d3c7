"""Names of earlier versions in files, which can still be read, and recipes without stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synparse.trees.errors import SettingError

SETTINGS = {
    "word_start": "embedding_init",
    "bias_start": "bias_init",
    "sampled_words": "sampled_softmax",
    "phrase_edges": "phrase_boundaries",
    "short_share": "short_fraction",
    "grammars": "class_grammars",
}
"""Settings of recipes and models."""

DROPPED = ("moving_average", "curriculum_epochs", "short_first")
"""Settings of training that are no more; what they were does not matter to a model that has been trained."""

DECODERS = {"edges": "boundaries", "viterbi": "grammar", "dbm": "grammar"}
"""Decoders that a directory may name."""

BOUNDARIES = "edges.safetensors"
"""The file of phrase boundaries in a model directory."""


def with_stages(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """An old recipe without stages, of one model and its grammars, as a recipe with stages."""
    if "stages" in values or "model" not in values:
        return values
    model, grammar = values["model"], values.get("grammar")
    others = {
        key: value for key, value in values.items() if key not in ("model", "architecture", "training", "grammar")
    }
    is_counted = model in ("grammar", "dbm")
    if grammar is None:  # a student had learned from better trees than it could teach, and others teach nothing
        grammar = {"parts": "none"} if model in ("student", "transformer", "lstm") else {}
    if not isinstance(grammar, dict):
        raise SettingError("grammar must be a mapping of settings")
    network = {"network": model, **{key: values[key] for key in ("architecture", "training") if values.get(key)}}
    if is_counted and values.get("training"):
        raise SettingError("grammars without a network have no training settings, only grammar settings")
    settings = {SETTINGS.get(key, key): value for key, value in grammar.items() if key != "parts"}
    grammars = {"grammars": grammar.get("parts", "all"), **settings}
    return {"name": str(model), **others, "stages": [*([] if is_counted else [network]), grammars]}
