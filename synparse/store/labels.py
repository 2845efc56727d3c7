"""The tags, relations and labels of constituents that a model has learned from given trees.

labels.safetensors has the weights of a classifier for each kind of label; config.yaml has their names
(`synparse.store.models`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from synparse.files.folders import Content
from synparse.inducers.log_linear import MOST_ROWS, LogLinear
from synparse.store.model_directory import CONFIG, LABELS, file_to_read
from synparse.store.models import Model
from synparse.store.weights import read_arrays, weight_shapes
from synparse.trees.errors import DataError

LearnedLabels: TypeAlias = Mapping[str, LogLinear]
"""A classifier of each of `synparse.config.parsing.LABEL_KINDS` that there is."""


def label_files(learned: LearnedLabels) -> dict[str, Content]:
    """The file of a model directory, by name; empty if no labels were learned."""
    from safetensors.numpy import save_file

    arrays = {kind: classifier.weights for kind, classifier in learned.items()}
    return {LABELS: lambda path: save_file(arrays, path)} if arrays else {}


def names_of(learned: LearnedLabels) -> dict[str, tuple[str, ...]]:
    """The names of the labels of each kind, as config.yaml has them."""
    return {kind: classifier.names for kind, classifier in learned.items()}


def read_labels(model: Model) -> LearnedLabels:
    """The classifiers of a model directory. Raises DataError if the file is missing or damaged, or does not fit
    config.yaml."""
    if not model.labels:
        return {}
    path = file_to_read(model.directory, LABELS, "the model has no such file, though it has labels; fetch it again")
    shapes = weight_shapes(path)
    rows = {kind: shape[0] for kind, shape in shapes.items() if shape}
    expected = {kind: (rows.get(kind, 0), len(names)) for kind, names in model.labels.items()}
    if shapes != expected or not all(0 < count <= MOST_ROWS for count in rows.values()):
        raise DataError(f"does not fit {CONFIG}: there is {shapes}, expected {expected}", str(path))
    arrays = read_arrays(path)
    return {kind: LogLinear(names, arrays[kind]) for kind, names in model.labels.items()}
