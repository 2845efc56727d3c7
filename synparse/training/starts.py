"""Which of several random starts of a network is trained.

A network that predicts words learns which words belong together, but hardly what their heads are. Whether the first or
the last word of a base phrase is linked to the rest of the sentence is decided early, by its random weights, and
grammars that it teaches follow it. Grammars by counting know this better, though less in all. So each start is trained
on `WORDS` words, and the one whose heads agree most with those of the parser so far is trained again, on all words: of
five starts for English, those two whose heads agreed least had the worst heads in the end, and the grammars and
students that they taught as well, by 2 to 9 UAS (benchmarks/findings.tsv).
"""

from __future__ import annotations

from collections.abc import Sequence

from synparse.config.parsing import DEFAULT
from synparse.config.recipe import NetworkStage
from synparse.parsing.decoders import known
from synparse.parsing.parser import Parser
from synparse.store.models import Model
from synparse.trees.function_words import LEAVES

WORDS = 400_000
"""That a start reads: with as many, starts whose heads get bad agree clearly less than others."""

SENTENCES = 1000
"""Whose heads are compared."""


def words_of_starts(stage: NetworkStage, words: float) -> float:
    """How many words all starts of one of its networks read, which reads ``words`` itself."""
    return stage.starts * min(WORDS, words) if stage.starts > 1 else 0


def agreement_of_heads(one: Model, other: Model, sentences: Sequence[Sequence[str]], device: str = "auto") -> float:
    """The fraction of the words that have the same head for two parsers, function words being leaves; 1 without
    words."""
    parsers = [Parser.load(model, device=device, function_words=LEAVES) for model in (one, other)]
    parses = zip(*(parser.stream(map(tuple, sentences), heads=DEFAULT) for parser in parsers), strict=True)
    pairs = (zip(known(first.heads), known(second.heads), strict=True) for first, second in parses)
    agree = [head == others for of_sentence in pairs for head, others in of_sentence]
    return sum(agree) / len(agree) if agree else 1.0
