"""Names of version 0.1 that can still be read, each with its present name."""

from __future__ import annotations

SETTINGS = {
    "word_start": "embedding_init",
    "bias_start": "bias_init",
    "short_first": "curriculum_epochs",
    "sampled_words": "sampled_softmax",
    "phrase_edges": "phrase_boundaries",
    "short_share": "short_fraction",
}
"""Settings of recipes and models."""

DECODERS = {"edges": "boundaries"}
"""Decoders that a directory of several models may name."""

BOUNDARIES = "edges.safetensors"
"""The file of phrase boundaries in a model directory."""
