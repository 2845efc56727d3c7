"""Function words as leaves: a choice between conventions, which raw text does not make.

Whether *of* heads its noun or hangs from it is a matter of annotation: in Stanford Dependencies prepositions are heads,
in Universal Dependencies function words have no dependents (Nivre et al., LREC 2020). A parser that never saw a tree
cannot know which is wanted, so it may be told. Function words are taken to be the most frequent words of the text that
a model was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FunctionWords: TypeAlias = Literal["free", "leaves"]

FREE: Final = "free"
LEAVES: Final = "leaves"
FUNCTION_WORDS: tuple[FunctionWords, ...] = (FREE, LEAVES)
"""As the model has them; or without dependents, wherever another word can be the head."""

MOST_FREQUENT = 50
"""Words of a vocabulary that are function words; in English, two fifths of a text. From 35 to 150, little changes."""

PENALTY = 20.0
"""Nats that an arc pays whose head is one: more than a model doubts, so that a phrase has one as its head only where it
has no other word."""


def penalized_heads(scores: NDArray[Any], is_function: Sequence[bool] | None) -> NDArray[Any]:
    """Scores [T, T] of heads (row = dependent, column = head, diagonal = root) less the penalty of function words.

    ``is_function`` [T]; None changes nothing.
    """
    return scores if is_function is None else scores - PENALTY * np.asarray(is_function, scores.dtype)


def lowered_heights(heights: Sequence[float], is_function: Sequence[bool] | None) -> list[float]:
    """Heights [T] with those of function words below all others, in the same order. None changes nothing."""
    if is_function is None or not heights:
        return list(heights)
    depth = max(heights) - min(heights) + 1
    return [height - depth * low for height, low in zip(heights, is_function, strict=True)]
