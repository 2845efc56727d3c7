"""Perplexities as numbers and tables: from sums of log-probabilities, in nats, to what papers report.

Per prediction, exp(nats / predictions), which is what papers give; per word as it is written, exp(nats / words), where
<eos> counts as no word; and in bits per character, nats / ln 2 / characters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, Literal, TypeAlias

from synparse.scoring.counts import Counts
from synparse.scoring.spread import rounded
from synparse.scoring.tables import Table

StateRule: TypeAlias = Literal["stream", "sentence"]
"""Where a model of the next word begins with zero state: at the beginning of the text, or of every sentence."""


@dataclass(frozen=True, slots=True)
class Predictions(Counts):
    """Words that were predicted: their negative log-likelihood, and how many they are."""

    nats: float = 0.0
    number: int = 0

    @property
    def perplexity(self) -> float | None:
        """exp(nats / number); None where nothing was predicted, or where it overflows."""
        return perplexity_of(self.nats, self.number)


def perplexity_of(nats: float, number: int) -> float | None:
    """exp(nats / number); None where it is not a number.

    >>> round(perplexity_of(2 * math.log(8), 2), 10), perplexity_of(0.0, 0), perplexity_of(1e6, 1)
    (8.0, None, None)
    """
    return math.exp(nats / number) if number and nats / number < 700 else None


@dataclass(frozen=True, slots=True)
class TextCounts(Counts):
    """What a model reads of a text: words, those of them that it does not know, and characters: of the words as they
    are written, and one blank or line end after each."""

    words: int = 0
    unknown_words: int = 0
    characters: int = 0


@dataclass(frozen=True)
class ModelPerplexity:
    """How well a model predicts a text.

    runs: of a masked model, one for each seed of the masks; of others, a single one: the whole text. pseudo: each known
    word predicted from all others, where that was asked for; None for models of the next word.
    """

    model: str
    kind: str
    objective: str
    text: TextCounts
    runs: Sequence[Predictions]
    mask_rate: float | None = None
    pseudo: Predictions | None = None

    def values(self) -> dict[str, Any]:
        """Plain values; None where something does not apply."""
        is_masked = self.mask_rate is not None
        perplexities = [run.perplexity for run in self.runs]
        known = [value for value in perplexities if value is not None]
        nats = self.runs[0].nats
        per_word = perplexity_of(nats, self.text.words)
        if is_masked:
            per_word = None if self.pseudo is None else self.pseudo.perplexity
        return {
            "model": self.model,
            "kind": self.kind,
            "objective": self.objective,
            "mask_rate": self.mask_rate,
            "seeds": len(self.runs) if is_masked else None,
            "perplexity": rounded(mean(known)) if len(known) == len(self.runs) else None,
            "deviation": rounded(stdev(known)) if is_masked and len(known) == len(self.runs) > 1 else None,
            "predictions": sum(run.number for run in self.runs),
            "words": self.text.words,
            "unknown_words": self.text.unknown_words,
            "perplexity_per_word": rounded(per_word),
            "bits_per_character": None if is_masked else rounded(nats / math.log(2) / self.text.characters, digits=4),
        }


def _shown(key: str, value: Any) -> str:
    if isinstance(value, float) and key != "mask_rate":
        return f"{value:.{4 if key == 'bits_per_character' else 2}f}"
    return str(value)


_NAMES = {
    "kind": "kind",
    "objective": "predicts",
    "mask_rate": "mask rate",
    "seeds": "masks (seeds)",
    "perplexity": "perplexity",
    "deviation": "  deviation",
    "predictions": "  predictions",
    "perplexity_per_word": "perplexity per word",
    "bits_per_character": "bits per character",
    "words": "words",
    "unknown_words": "  unknown",
}
"""The rows of the table."""


def table_of(text: str, models: Sequence[Mapping[str, Any]]) -> Table:
    """The values of models as a table, a column for each; rows that apply to none of them are left out."""
    rows = [("text", *(text for _ in models))]
    for key, name in _NAMES.items():
        if any(model[key] is not None for model in models):
            rows.append((name, *("-" if model[key] is None else _shown(key, model[key]) for model in models)))
    rows.append(("  unknown, per cent", *(f"{100 * model['unknown_words'] / model['words']:.2f}" for model in models)))
    return Table("", ("", *(model["model"] for model in models)), rows)
