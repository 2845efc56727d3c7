"""What grammars are learned from: taken from the corpus while it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from synparse.config.grammar import GrammarConfig
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence
from synparse.corpora.word_classes import BigramCounts

LONGEST_CONTEXT = 1000
"""In tokens. A longer line is no sentence, and many of them would not fit the memory."""


@dataclass(frozen=True)
class GrammarText:
    """The text that grammars are learned from: the bigrams of all of it, a random sample of its sentences (``context``;
    of long ones the first `LONGEST_CONTEXT` tokens), and one of those of 2 to ``longest`` tokens (``sample``)."""

    bigrams: BigramCounts
    context: Sample[Sequence[str]]
    sample: Sample[Sequence[str]]
    longest: int

    @property
    def sentences(self) -> list[Sequence[str]]:
        """Those of two words or more: of a shorter one, every grammar makes the same tree."""
        text = self.bigrams.text
        return [
            tokens for tokens in self.sample.items if sum(normalize(token, text) is not None for token in tokens) > 1
        ]

    def of(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The same sentences, one by one; what grammars need of them is kept."""
        for sentence in sentences:
            self.bigrams.add(sentence.tokens)
            self.context.offer(sentence.tokens[:LONGEST_CONTEXT])
            if 1 < len(sentence.tokens) <= self.longest:
                self.sample.offer(sentence.tokens)
            yield sentence


def grammar_text(text: TextConfig, config: GrammarConfig, seed: int) -> GrammarText:
    context = Sample[Sequence[str]](config.context_sentences, seed)
    return GrammarText(BigramCounts(text), context, Sample(config.sentences, seed), config.longest)
