"""The trees of a sentence from those of its chunks, with punctuation put back."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from synparse.parsing.chunks import ReadSentence
from synparse.parsing.decoding import DecodedChunk
from synparse.parsing.drafts import tree_with
from synparse.parsing.options import Request
from synparse.parsing.parse import Parse, RankedTree
from synparse.store.grammars import nonterminal_name
from synparse.trees.constituency import INDUCED_LABEL, ConstituencyTree, induced_tree
from synparse.trees.given import with_given_heads
from synparse.trees.punctuation import with_punctuation_heads, with_punctuation_spans

Value = TypeVar("Value")


def assembled(
    sentence: ReadSentence, parts: Sequence[DecodedChunk], request: Request, tags: tuple[str, ...] | None = None
) -> Parse:
    """The parse of a sentence. ``parts``: the trees of its chunks; what is in them beside what is requested is left
    out. ``tags``: of all tokens."""
    tokens, read, chunks, draft = sentence
    whole = parts[0] if len(parts) == 1 else _joined(parts, [len(chunk) for chunk in chunks])
    tree = heads = best = span_probabilities = head_probabilities = None
    if request.brackets is not None:
        tree = _tree(sentence, whole, tags)
        span_probabilities = (1.0, *map(_at_most_one, _or_none(whole.span_probabilities, whole.spans)[1:]))
        if draft is not None:
            tree, span_probabilities = tree_with(draft, tree, span_probabilities, read)
    if request.heads is not None:
        heads = _heads(sentence, whole.heads)
        values = map(_at_most_one, _or_none(whole.head_probabilities, whole.heads))
        head_probabilities = tuple(next(values) if is_read else None for is_read in read)
        if draft is not None:
            head_probabilities = _with_given(sentence, whole.heads, heads, head_probabilities)
    if request.best:
        best = _ranked_trees(sentence, whole, heads is not None)
    is_known = request.computed_confidence != "none" and bool(tokens)
    return Parse(
        tokens,
        tree,
        heads,
        read,
        None if whole.distances is None else tuple(whole.distances),
        None if whole.heights is None else tuple(whole.heights),
        tags,
        is_labelled=tree is not None and (request.labels or (draft is not None and draft.has_labels)),
        span_probabilities=span_probabilities if is_known else None,
        head_probabilities=head_probabilities if is_known else None,
        log_probability=whole.log_probability if is_known and any(read) else None,
        entropy=whole.entropy / sum(read) if whole.entropy is not None and is_known and any(read) else None,
        best=best,
        head_distributions=_distributions(sentence, parts) if request.distributions else None,
    )


def _joined(parts: Sequence[DecodedChunk], lengths: Sequence[int]) -> DecodedChunk:
    """The chunks become sister constituents of the whole sentence, and their roots depend on the root of the first
    chunk. What no model has decided has no probability."""
    starts = [0, *itertools.accumulate(lengths)]
    heads = list[int]()
    arc_values: list[float | None] = []
    constituents: list[tuple[tuple[int, int], int | None, float | None]] = [((0, starts[-1]), None, None)]
    for part, offset in zip(parts, starts, strict=False):
        root = heads.index(0) + 1 if heads else 0
        for head, value in zip(part.heads, _or_none(part.head_probabilities, part.heads), strict=True):
            heads.append(head + offset if head else root)
            arc_values.append(value if head or not root else None)
        spans = [(start + offset, end + offset) for start, end in part.spans if end - start > 1]
        span_values = [None, *_or_none(part.span_probabilities, part.spans)[1:]]
        if spans:  # one word has a span of its own
            constituents += zip(spans, _or_none(part.labels, part.spans), span_values, strict=True)
    # Nothing has decided how far the words at a seam are from each other.
    distances = _all_of([None if part.distances is None else [None, *part.distances] for part in parts])
    all_spans, labels, span_values = map(list, zip(*constituents, strict=True))
    return DecodedChunk(
        all_spans if any(part.spans for part in parts) else [],
        tuple(heads),
        None if distances is None else distances[1:],
        _all_of([part.heights for part in parts]),
        labels if any(part.labels for part in parts) else None,
        span_values,
        arc_values,
        log_probability=_sum_of([part.log_probability for part in parts]),
        entropy=_sum_of([part.entropy for part in parts]),
    )


def _or_none(values: Sequence[Value | None] | None, of: Sequence[object]) -> Sequence[Value | None]:
    return values or [None] * len(of)


def _at_most_one(probability: float | None) -> float | None:
    """Sums of probabilities are rounded, some to more than 1."""
    return None if probability is None else min(probability, 1.0)


def _all_of(lists: Sequence[list[Value] | None]) -> list[Value] | None:
    known = [values for values in lists if values is not None]
    return list(itertools.chain.from_iterable(known)) if known and len(known) == len(lists) else None


def _sum_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _tree(sentence: ReadSentence, whole: DecodedChunk, tags: tuple[str, ...] | None) -> ConstituencyTree:
    names = None
    if whole.labels is not None:
        names = [INDUCED_LABEL if label is None else nonterminal_name(label) for label in whole.labels]
    spans = with_punctuation_spans(whole.spans, sentence.read) if sentence.tokens else []
    return induced_tree(sentence.tokens, spans, tags, names)


def _heads(sentence: ReadSentence, heads_of_words: tuple[int, ...]) -> tuple[int, ...]:
    """The heads of all tokens."""
    heads = with_punctuation_heads(heads_of_words, sentence.read) if sentence.tokens else ()
    return heads if sentence.draft is None else with_given_heads(heads, sentence.draft.given)


def _with_given(
    sentence: ReadSentence,
    heads_of_words: tuple[int, ...],
    heads: tuple[int, ...],
    probabilities: tuple[float | None, ...],
) -> tuple[float | None, ...]:
    """The probabilities of arcs to ``heads``: None where they are given, and where they are not those that were
    decoded, because something given in another chunk, or of a token that is not read, has changed them."""
    assert sentence.draft is not None
    decoded = with_punctuation_heads(heads_of_words, sentence.read)
    known = sentence.draft.given.heads or (None,) * len(heads)
    return tuple(
        value if given is None and head == before else None
        for value, head, before, given in zip(probabilities, heads, decoded, known, strict=True)
    )


def _distributions(sentence: ReadSentence, parts: Sequence[DecodedChunk]) -> tuple[tuple[float, ...] | None, ...]:
    """For each token that is read the probabilities that it is the root, and of each token as its head."""
    read = np.array(sentence.read, bool)
    all_rows = np.zeros((len(read), len(read) + 1))
    words = np.flatnonzero(read)
    for part, end in zip(parts, itertools.accumulate(len(chunk) for chunk in sentence.chunks), strict=True):
        arcs = part.distributions
        assert arcs is not None
        places = words[end - len(arcs) : end]
        all_rows[places[:, None], places + 1] = arcs
        all_rows[places, places + 1] = 0.0
        all_rows[places, 0] = arcs.diagonal()
    if sentence.draft is not None:
        for word, head in sentence.draft.given.arcs:
            if head < 0 or read[head]:
                all_rows[word] = np.arange(len(read) + 1) == head + 1
    rows = map(tuple, np.minimum(all_rows, 1.0).tolist())
    return tuple(row if is_read else None for row, is_read in zip(rows, sentence.read, strict=True))


def _ranked_trees(sentence: ReadSentence, whole: DecodedChunk, with_heads: bool) -> tuple[RankedTree, ...]:
    """The best trees, with punctuation. A sentence without words or in several chunks has none. Trees that differ only
    inside what is flat are one tree."""
    tokens, read, _, draft = sentence
    ranked: dict[ConstituencyTree, RankedTree] = {}
    for spans, word_heads, score in whole.best or ():
        tree = induced_tree(tokens, with_punctuation_spans(spans, read))
        heads = _heads(sentence, word_heads) if with_heads else None
        if draft is not None:
            tree, _ = tree_with(draft, tree, None, read)
        ranked.setdefault(tree, RankedTree(tree, heads, score))
    return tuple(ranked.values())
