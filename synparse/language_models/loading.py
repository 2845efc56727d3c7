"""A language model by the name of its directory, ready to be asked for probabilities or states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from synparse.config.training import MaskedTraining
from synparse.corpora.normalization import TextConfig, normalized
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.vocabulary import UNKNOWN_INDEX, Vocabulary
from synparse.inducers.devices import keep_few_products
from synparse.inducers.table import INDUCERS, Objective
from synparse.store.model_directory import ModelDescription, load
from synparse.store.models import open_model
from synparse.trees.errors import SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    from synparse.inducers.protocol import LanguageModel

MASKED: Objective = "masked"
NEXT_WORD: Objective = "next-word"


@dataclass(frozen=True)
class LoadedLanguageModel:
    """A language model with its words. name: as the user named it; network: in eval mode, on the CPU unless it is
    moved; boundaries: phrase boundaries, if it has learned them."""

    name: str
    description: ModelDescription
    vocabulary: Vocabulary
    network: LanguageModel
    boundaries: PhraseBoundaries | None

    @property
    def kind(self) -> str:
        """The inducer, such as ``udgn``."""
        return self.description.recipe.model

    @property
    def objective(self) -> Objective:
        """What it predicts: masked words, or the next word of a stream."""
        return INDUCERS[self.kind].objective

    @property
    def text(self) -> TextConfig:
        """How it reads text."""
        return self.description.recipe.text

    @property
    def mask_rate(self) -> float:
        """The fraction of words that a masked model learned to predict."""
        training = self.description.recipe.training
        assert isinstance(training, MaskedTraining)
        return training.mask_rate

    def is_unknown(self, index: int) -> bool:
        """Whether the index is that of unknown words, all or a class of them."""
        return index == UNKNOWN_INDEX or index >= self.vocabulary.first_class

    def normalized(self, tokens: Iterable[str]) -> list[str]:
        """The words that it reads of these tokens, in their vocabulary form."""
        return [word for word in normalized(tokens, self.text) if word is not None]

    def indices(self, tokens: Iterable[str]) -> list[int]:
        """The vocabulary indices of the words that it reads; of unknown words, `UNKNOWN_INDEX` or their class."""
        return self.vocabulary.indices(self.normalized(tokens))


def kinds(objective: Objective | None = None) -> tuple[str, ...]:
    """The inducers that are language models, or those with this objective."""
    wanted = (MASKED, NEXT_WORD) if objective is None else (objective,)
    return tuple(name for name, entry in INDUCERS.items() if entry.objective in wanted)


def load_language_model(name: str) -> LoadedLanguageModel:
    """The language model of a directory.

    Raises SettingError for a model that is none, with the kinds that are; DataError where there is no such model, or
    its files are damaged.
    """
    if name in TRIVIAL_PARSERS:
        raise _unable(f"{name} (a baseline) has trees without predicting words")
    opened = open_model(name)
    if len(opened.members) > 1:
        if all(member.description.packed is not None for member in opened.members.values()):
            raise _unable(f"{name} is packed for parsing, without an output layer")
        members = ", ".join(opened.members)
        raise _unable(f"{name} holds several models for parsing ({members}); name the folder of one")
    [stored] = opened.members.values()
    kind = stored.description.recipe.model
    if kind not in kinds():
        predicted = "trees" if INDUCERS[kind].objective == "tree" else "word classes"
        raise _unable(f"{name} ({kind}) predicts {predicted}, not words")
    if stored.description.packed is not None:
        raise _unable(f"{name} (packed {kind}) has no output layer; name the model that it was packed from")
    keep_few_products()
    loaded = load(stored)
    network = cast("LanguageModel", loaded.network)
    return LoadedLanguageModel(name, stored.description, loaded.vocabulary, network, loaded.boundaries)


def _unable(reason: str) -> SettingError:
    return SettingError(f"{reason}; language models are {', '.join(kinds())}")
