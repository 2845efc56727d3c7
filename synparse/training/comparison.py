"""Which of two parsers is the better one, without gold trees: the one that finds again what punctuation says.

Punctuation stands at the edges of constituents. A parser that reads a sentence without it, and still makes constituents
of the words between two marks, has learned what constituents are (Spitkovsky, Alshawi & Jurafsky, 2011, "Punctuation:
Making a Point in Unsupervised Dependency Parsing", use the same fact to learn). Of parsers that were measured with gold
trees, the order was the same (docs/results.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from synparse.corpora.normalization import normalize
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.store.models import Model

SENTENCES = 1500
"""With marks inside, of at most `LONGEST` tokens: so many tell parsers apart."""

LONGEST = 40

CERTAIN = 1.5
"""Standard errors of the difference from which on a parser counts as worse."""


Segments = list[list[int]]
"""For each sentence, how many segments of two words or more between punctuation are constituents, and how many there
are."""


def segments_found(model: Model, sentences: Sequence[Sequence[str]], device: str = "auto") -> Segments:
    """What a parser that sees no punctuation makes of the segments between it."""
    parser = Parser.load(model, device=device, punctuation="ignore")
    chosen = [tuple(tokens) for tokens in sentences if _has_marks(tokens, parser)]
    counts = [_counts(parse) for parse in parser.stream(chosen[:SENTENCES], head_decoder=None)]
    return [list(one) for one in counts]


def percent(segments: Segments) -> str:
    """The fraction of the segments that are found, in per cent."""
    return f"{100 * sum(found for found, _ in segments) / max(1, sum(of for _, of in segments)):.1f} %"


def is_worse(new: Segments, old: Segments) -> bool:
    """Whether the new parser finds fewer segments than the old one, by more than chance explains."""
    differences = [ours[0] - theirs[0] for ours, theirs in zip(new, old, strict=True)]
    count = len(differences)
    if count < 2:
        return False
    mean = sum(differences) / count
    variance = sum((one - mean) ** 2 for one in differences) / (count - 1)
    return mean < -CERTAIN * math.sqrt(variance / count)


def _has_marks(tokens: Sequence[str], parser: Parser) -> bool:
    """Whether a sentence that is not too long has punctuation between its words."""
    if len(tokens) > LONGEST:
        return False
    read = [normalize(token, parser.text) is not None for token in tokens]
    return len(list(_segments(read))) > 1


def _counts(parse: Parse) -> tuple[int, int]:
    """How many segments of a sentence are constituents, and how many there are."""
    segments = list(_segments(parse.read))
    assert parse.tree is not None
    before = [0]
    for is_read in parse.read:
        before.append(before[-1] + is_read)
    spans = {(before[start], before[end]) for _, start, end in parse.tree.constituents}
    long = [(start, end) for start, end in segments if end - start > 1]
    return sum(segment in spans for segment in long), len(long)


def _segments(read: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The words between two marks, as positions among the words."""
    edges, words = [0], 0
    for is_read in read:
        if not is_read and words > edges[-1]:
            edges.append(words)
        words += is_read
    if words > edges[-1]:
        edges.append(words)
    return pairwise(edges)
