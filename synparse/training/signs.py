"""What grammars say of their own quality, without gold trees: whether two parts of them agree.

Class grammars and the dependency model have learned from the same text, and know little of each other. Where both are
right, they agree. Heads that are neighbouring words do not count: where endings mark relations, as in Basque, most
heads are, and two parsers that are wrong agree on them. How far they agree on the others goes with attachment scores
over languages (docs/languages.md), so a run names languages whose grammars agreed as much.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

from synparse.parsing.parser import Parser
from synparse.store.languages import read_rows
from synparse.store.models import Model

TABLE = "signs.tsv"
"""Beside the shipped models: the agreement of the grammars of languages that were tried, and their UAS, in per cent."""

SENTENCES = 300
"""So many tell the agreement to a point or two."""

LONGEST = 40
"""Of their tokens."""

NEAREST = 3
"""Languages that are named."""


def agreement_of(model: str | Path | Model, sentences: Iterable[Sequence[str]], device: str = "auto") -> float | None:
    """How many words have the same head with and without class grammars, as a fraction of those whose head is not a
    neighbouring word in one of both parses, or in both; None without any. Of the first `SENTENCES` short sentences.
    Raises DataError if the model is damaged.
    """
    chosen = list(itertools.islice((tokens for tokens in sentences if len(tokens) <= LONGEST), SENTENCES))
    parsers = [Parser.load(model, device=device, without=parts) for parts in ((), ("class-grammars",))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where most words of the text are rare, they are unknown
        with_all, without = (list(parser.stream(chosen, brackets=None)) for parser in parsers)
    same: list[bool] = []
    for one, other in zip(with_all, without, strict=True):
        words = [place for place, is_read in enumerate(one.read, 1) if is_read]
        number = {word: place for place, word in enumerate(words)}
        for word in words:
            heads = [parse.heads[word - 1] for parse in (one, other) if parse.heads]
            if any(abs(number[word] - number.get(head, -9)) != 1 for head in heads):
                same.append(len(set(heads)) == 1)
    return sum(same) / len(same) if same else None


def in_words(agreement: float) -> str:
    """The agreement, and the scores of those of the languages that were tried whose agreement is nearest to it."""
    said = f"of the heads that are not neighbouring words, {100 * agreement:.0f} % are the same without class grammars"
    known = [(row["language"], float(row["agreement"]), float(row["UAS"])) for row in read_rows(TABLE)]
    nearest = sorted(known, key=lambda row: (abs(row[1] - 100 * agreement), row))[:NEAREST]
    if not nearest:
        return said
    names = ", ".join(f"{language} {of_language:.0f} %" for language, of_language, _ in nearest)
    scores = [uas for *_, uas in nearest]
    return f"{said}; languages with the nearest figures ({names}) had UAS {min(scores):.0f} to {max(scores):.0f}"
