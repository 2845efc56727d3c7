"""What grammars say of their own quality, without gold trees: whether two parts of them agree.

Class grammars and the dependency model have learned from the same text, and know little of each other. Where both are
right, they agree. How far they agree goes with attachment scores over languages (docs/languages.md), so a run names
languages whose grammars agreed as much.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

from synparse.parsing.parser import Parser
from synparse.store.languages import read_rows
from synparse.store.models import Model

TABLE = "signs.tsv"
"""Beside the shipped models: the agreement of the grammars of languages that were tried, and their UAS, in per cent."""

SENTENCES = 300
"""So many tell the agreement to about a point."""

LONGEST = 40
"""Of their tokens."""

NEAREST = 3
"""Languages that are named."""


def agreement_of(model: str | Path | Model, sentences: Iterable[Sequence[str]], device: str = "auto") -> float | None:
    """The fraction of the words of the first `SENTENCES` short ones of the sentences that have the same head with and
    without class grammars; None where there are no words. Raises DataError if the model is damaged."""
    chosen = list(itertools.islice((tokens for tokens in sentences if len(tokens) <= LONGEST), SENTENCES))
    with_all, without = (
        Parser.load(model, device=device, without=parts).stream(chosen, brackets=None)
        for parts in ((), ("class-grammars",))
    )
    same: list[bool] = []
    for one, other in zip(with_all, without, strict=True):
        pairs = zip(one.read, one.heads or (), other.heads or (), strict=True)
        same += [head == other_head for is_read, head, other_head in pairs if is_read]
    return sum(same) / len(same) if same else None


def in_words(agreement: float) -> str:
    """The agreement, and the scores of those of the languages that were tried whose agreement is nearest to it."""
    said = f"with and without class grammars, {100 * agreement:.0f} % of the heads are the same"
    known = [(row["language"], float(row["agreement"]), float(row["UAS"])) for row in read_rows(TABLE)]
    nearest = sorted(known, key=lambda row: (abs(row[1] - 100 * agreement), row))[:NEAREST]
    if not nearest:
        return said
    names = ", ".join(f"{language} {of_language:.0f} %" for language, of_language, _ in nearest)
    scores = [uas for *_, uas in nearest]
    return f"{said}; languages that were nearest to this ({names}) had UAS {min(scores):.0f} to {max(scores):.0f}"
