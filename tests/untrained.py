"""Model directories of language models with random weights: as much as many tests need, without training."""

from pathlib import Path

from synparse.config.recipe import recipe_from
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.inducers.table import INDUCERS
from synparse.store.model_directory import LoadedModel, ModelDescription, save_model

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


def untrained(directory: Path, kind: str, words: str, seed: int = 1, **text) -> Path:
    """A model of this kind whose vocabulary are the special entries and these words."""
    import torch

    from synparse.inducers.table import build

    of_text = {"digits": "", **text}
    recipe = recipe_from({"model": kind, "architecture": ARCHITECTURES[kind], "text": of_text})
    torch.manual_seed(seed)
    network = build(kind, len(SPECIAL) + len(words.split()), recipe.architecture).eval()
    with torch.no_grad():
        for parameter in network.parameters():  # so that no two words are alike
            parameter.add_(0.3 * torch.randn_like(parameter))
    vocabulary = Vocabulary([*SPECIAL, *words.split()])
    provenance = {"corpus": {}, "seed": seed}
    save_model(directory, LoadedModel(ModelDescription(recipe, provenance), vocabulary, network), "", "")
    return directory


assert set(ARCHITECTURES) == {name for name, entry in INDUCERS.items() if entry.objective in ("masked", "next-word")}
