"""Function words as leaves: an annotation convention that a parser cannot learn from raw text.

Whether *of* is the head of its noun or depends on it is a convention: in Stanford Dependencies prepositions are heads,
in Universal Dependencies function words have no dependents (Nivre et al., LREC 2020). A parser that never saw a tree
cannot know which one the user wants, so the user can choose. The function words are the most frequent words of the
model's training text, or, with grammars, determined from their word classes (`synparse.corpora.closed_classes`);
adpositions among them are determined from base phrases (`synparse.inducers.base_phrases`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

LearnedConvention: TypeAlias = Literal["free", "leaves"]
FunctionWords: TypeAlias = Literal[LearnedConvention, "adpositions"]

FREE: Final = "free"
LEAVES: Final = "leaves"
ADPOSITIONS: Final = "adpositions"

LEARNED_CONVENTIONS: tuple[LearnedConvention, ...] = (FREE, LEAVES)
"""The conventions for which grammars learn a dependency model."""

FUNCTION_WORDS: tuple[FunctionWords, ...] = (*LEARNED_CONVENTIONS, ADPOSITIONS)
"""``free``: as the model decides; ``leaves``: without dependents, wherever another word can be the head;
``adpositions``: the same, but adpositions may have dependents, and words that are `used_as_heads`, as in Stanford
Dependencies."""

MOST_FREQUENT = 50
"""Number of words of the vocabulary that are function words; they make up two fifths of an English text. Scores change
little from 35 to 150."""

PENALTY = 20.0
"""Cost in nats of an arc whose head is a function word: more than head scores differ, so that a function word heads a
phrase only if the phrase has no other word."""


FEWEST_DEPENDENTS = 0.2
"""Expected number of dependents from which on a function word is used as a head, by networks that have learned as many
trees in which it has none."""


def learned_convention(function_words: FunctionWords) -> LearnedConvention:
    """The convention of the dependency model to parse with. For adpositions it is ``free``, since no adposition has a
    dependent if function words are leaves."""
    return LEAVES if function_words == LEAVES else FREE


def function_words_of(words: Iterable[str]) -> frozenset[str]:
    """The function words of a text, given all its words in order: the `MOST_FREQUENT` ones; of words that are equally
    frequent those that come first."""
    return frozenset(word for word, _ in Counter(words).most_common(MOST_FREQUENT))


def penalized_heads(scores: NDArray[Any], is_function: Sequence[bool] | None) -> NDArray[Any]:
    """Head scores [T, T] (row = dependent, column = head, diagonal = root) minus the penalty of function words.

    is_function [T]: which words are function words; None changes nothing.
    """
    import numpy as np  # here, because every command imports this module

    return scores if is_function is None else scores - PENALTY * np.asarray(is_function, scores.dtype)


def used_as_heads(head_scores: NDArray[Any]) -> NDArray[Any]:
    """Which words have at least `FEWEST_DEPENDENTS` dependents by the log-probabilities of heads [T, T], as above, [T]:
    *to* before a noun, but not before a verb."""
    import numpy as np

    probabilities = np.exp(head_scores)
    expected: NDArray[Any] = probabilities.sum(0) - probabilities.diagonal()
    return expected >= FEWEST_DEPENDENTS


def lowered_heights(heights: Sequence[float], is_function: Sequence[bool] | None) -> list[float]:
    """Heights [T] with those of function words lowered below all others; the order within each group stays.

    is_function [T]: which words are function words; None changes nothing.
    """
    if is_function is None or not heights:
        return list(heights)
    step = max(heights) - min(heights) + 1
    return [height - step * lowered for height, lowered in zip(heights, is_function, strict=True)]
