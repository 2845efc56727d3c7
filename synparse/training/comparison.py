"""Which of two parsers is worse, judged without gold trees: by punctuation, and by their agreement.

Punctuation is at the boundaries of constituents. A parser that does not read punctuation, and nevertheless finds that
the words between two punctuation marks are a constituent, has learned what constituents are (Spitkovsky, Alshawi &
Jurafsky, 2011, "Punctuation: Making a Point in Unsupervised Dependency Parsing", learn from the same fact). Moreover,
good parsers agree: of those that were scored on gold trees, good ones shared 88 to 93 % of their brackets, and one with
too few passes of EM shared 65 to 70 % with each of them (benchmarks/findings.tsv).

Neither tells whether heads are right.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from synparse.corpora.normalization import normalized
from synparse.parsing.parser import Parser
from synparse.store.models import Model
from synparse.trees.spans import sentence_spans

SENTENCES = 1500
"""Number of sentences that are compared, with punctuation inside and at most `LONGEST` tokens; enough to distinguish
parsers."""

LONGEST = 40

CERTAIN = 1.5
"""Number of standard errors from which a difference counts."""

TOLERANCE = 0.08
"""A parser that finds this fraction fewer segments than the one before is still taken: it has learned from more, and
segments tell of constituents, not of the directions of heads. (Of three sets of grammars from English text, 46 to 48 %;
of a UDGN of two to four passes and its grammars, 44 to 47 %, whose heads are better by far.)"""

LEAST_AGREEMENT = 0.8
"""F1 of the brackets of two parsers against each other. A new parser that agrees less with the one before has to find
more segments to be taken."""

Spans: TypeAlias = frozenset[tuple[int, int]]


class ParserComparison(NamedTuple):
    """Of each sentence, how many segments of two words or more between punctuation there are (``segments``), and how
    many of them are constituents for the old parser and for the new one; the agreement of their brackets, 0 … 1."""

    segments: tuple[int, ...]
    old: tuple[int, ...]
    new: tuple[int, ...]
    agreement: float

    @property
    def is_worse(self) -> bool:
        """Whether the new parser is clearly worse than the old one."""
        count = len(self.segments)
        if count < 2:
            return False
        differences = [ours - theirs for ours, theirs in zip(self.new, self.old, strict=True)]
        mean, error = statistics.mean(differences), statistics.stdev(differences) / math.sqrt(count)
        finds_fewer = mean < -max(CERTAIN * error, TOLERANCE * sum(self.old) / count)
        finds_more = mean > CERTAIN * error
        return finds_fewer or (self.agreement < LEAST_AGREEMENT and not finds_more)

    def __str__(self) -> str:
        old, new = (100 * sum(counts) / max(1, sum(self.segments)) for counts in (self.old, self.new))
        summary = f"it finds {new:.1f} % of the segments between punctuation, the one before {old:.1f} %, and "
        return f"{summary}{100 * self.agreement:.0f} % of their brackets agree"


def compared(new: Model, old: Model, sentences: Sequence[Sequence[str]], device: str = "auto") -> ParserComparison:
    """Compare two parsers, without punctuation, on the sentences with punctuation inside, or on all if there are
    none."""
    parsers = [Parser.load(model, device=device, punctuation="ignore") for model in (old, new)]
    short = [tuple(tokens) for tokens in sentences if len(tokens) <= LONGEST]
    chosen = ([tokens for tokens in short if _has_punctuation(tokens, parsers[0])] or short)[:SENTENCES]
    spans = []
    for parser in parsers:
        parses = list(parser.stream(chosen, heads=None))
        spans.append([sentence_spans(parse.tree, parse.read) for parse in parses if parse.tree is not None])
    segments = [[segment for segment in _segments(parse.read) if segment[1] - segment[0] > 1] for parse in parses]
    old_counts, new_counts = (
        tuple(sum(segment in tree for segment in places) for tree, places in zip(trees, segments, strict=True))
        for trees in spans
    )
    return ParserComparison(tuple(map(len, segments)), old_counts, new_counts, _agreement(*spans))


def _agreement(ours: Sequence[Spans], theirs: Sequence[Spans]) -> float:
    """F1 of the brackets, those of a whole sentence left out; 1 where there are none."""
    both = sum(len(tree & other) for tree, other in zip(ours, theirs, strict=True))
    each = sum(len(tree) + len(other) for tree, other in zip(ours, theirs, strict=True))
    return 2 * both / each if each else 1.0


def _has_punctuation(tokens: Sequence[str], parser: Parser) -> bool:
    """Whether a sentence has punctuation between its words."""
    read = [form is not None for form in normalized(tokens, parser.text)]
    return len(list(_segments(read))) > 1


def _segments(read: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The words between two punctuation marks, as positions among the words."""
    edges, words = [0], 0
    for is_read in read:
        if not is_read and words > edges[-1]:
            edges.append(words)
        words += is_read
    if words > edges[-1]:
        edges.append(words)
    return pairwise(edges)
