"""Model directories of one model: of language models with random weights, which is as much as many tests need; reading
and writing them."""

from pathlib import Path
from typing import Any

from synparse.config.recipe import model_recipe_from
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.files.folders import save_together
from synparse.inducers.table import INDUCERS
from synparse.store.model_directory import CONFIG, LoadedModel, ModelDescription, load, model_files
from synparse.store.models import config_file, one_member, open_model

ARCHITECTURES = {
    "udgn": {"hidden_size": 8, "layers": 2, "channels": 2, "channel_size": 4, "parser_layers": 1},
    "structformer": {
        **{"hidden_size": 8, "layers": 2, "attention_heads": 2, "feed_forward_size": 8},
        **{"parser_layers": 1, "convolution_width": 3},
    },
    "transformer": {"hidden_size": 8, "layers": 2, "attention_heads": 2, "feed_forward_size": 8},
    "on-lstm": {"embedding_size": 6, "hidden_size": 8, "layers": 2, "chunk_size": 2},
    "lstm": {"embedding_size": 6, "hidden_size": 8, "layers": 2},
    "ordered-memory": {"hidden_size": 8, "slots": 3},
}
"""Small sizes of each language model."""

NETWORKS = tuple(name for name, entry in INDUCERS.items() if entry.traits.gives_trees)
"""The inducers that are networks."""


def untrained(directory: Path, kind: str, words: str, seed: int = 1, training: Any = None, **text: Any) -> Path:
    """A model of this kind whose vocabulary are the special entries and these words."""
    import torch

    from synparse.inducers.table import build

    of_text = {"digits": "", **text}
    recipe = model_recipe_from(
        {"model": kind, "architecture": ARCHITECTURES[kind], "text": of_text, "training": training}
    )
    torch.manual_seed(seed)
    network = perturbed(build(kind, len(SPECIAL) + len(words.split()), recipe.architecture).eval())
    vocabulary = Vocabulary([*SPECIAL, *words.split()])
    return write_model(
        directory, LoadedModel(ModelDescription(recipe, {"corpus": {}, "seed": seed}), vocabulary, network)
    )


def perturbed(network: Any) -> Any:
    """The network with other parameters, of which none are alike as those of a new one may be."""
    import torch

    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return network


def write_model(directory: Path, model: LoadedModel) -> Path:
    """A model directory of this model."""
    config = config_file(one_member(directory, model.description))
    save_together(directory, {**model_files(model), CONFIG: config})
    return directory


def loaded(directory: Path, without_torch: bool = False) -> LoadedModel:
    """The one model of a directory."""
    [member] = open_model(directory).members.values()
    return load(member, without_torch)


assert set(ARCHITECTURES) == {name for name, entry in INDUCERS.items() if entry.objective in ("masked", "next-word")}
