"""An estimate of the quality of grammars without gold trees: do their two parts agree?

Class grammars and the dependency model learn from the same text, largely independently of each other. Where both are
right, they agree. Heads that are neighbouring words do not count: in languages whose endings mark relations, such as
Basque, most heads are neighbours, on which wrong parsers agree as well. Over languages, the agreement on other heads
correlates with attachment scores (docs/languages.md), so a run names the languages whose grammars agreed as much.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

from synparse.parsing.parser import Parser
from synparse.store.models import Model
from synparse.store.shipped import read_rows

TABLE = "agreement.tsv"
"""A file in the folder of shipped models: for each language, the agreement of its grammars and their UAS, in per
cent."""

SENTENCES = 300
"""Number of sentences, enough to estimate the agreement within one or two points."""

LONGEST = 40
"""Maximal number of tokens of such a sentence."""

NEAREST = 3
"""Most languages that are named."""

WITHIN = 5
"""Points by which the agreement of languages may differ."""


def agreement_of(model: str | Path | Model, sentences: Iterable[Sequence[str]], device: str = "auto") -> float | None:
    """The fraction of words with the same head with and without class grammars, among those whose head is not a
    neighbouring word in at least one of the two parses; None if there are none. Computed on the first `SENTENCES` short
    sentences. Raises DataError if the model is damaged.
    """
    chosen = list(itertools.islice((tokens for tokens in sentences if len(tokens) <= LONGEST), SENTENCES))
    parsers = [
        Parser.load(model, device=device, without=parts) for parts in (("focused-grammars",), ("class-grammars",))
    ]
    with_all, without = (list(parser.stream(chosen, brackets=None)) for parser in parsers)
    same: list[bool] = []
    for first, second in zip(with_all, without, strict=True):
        words = [place for place, is_read in enumerate(first.read, 1) if is_read]
        number = {word: place for place, word in enumerate(words)}
        for word in words:
            heads = [parse.heads[word - 1] for parse in (first, second) if parse.heads]
            if any(abs(number[word] - number.get(head, -9)) != 1 for head in heads):
                same.append(len(set(heads)) == 1)
    return sum(same) / len(same) if same else None


def in_words(agreement: float) -> str:
    """A message with the agreement, and the scores of the languages with a similar one."""
    said = f"of the heads that are not neighbouring words, {100 * agreement:.0f} % are the same without class grammars"
    rows = [(row["language"], float(row["agreement"]), float(row["UAS"])) for row in read_rows(TABLE)]
    alike = [row for row in rows if abs(row[1] - 100 * agreement) <= WITHIN]
    if not alike:
        return said
    alike.sort(key=lambda row: (abs(row[1] - 100 * agreement), row))
    names = ", ".join(f"{language} {of_language:.0f} %" for language, of_language, _ in alike[:NEAREST])
    more = f" and {len(alike) - NEAREST} more" if len(alike) > NEAREST else ""
    scores = dict.fromkeys(f"{uas:.0f}" for uas in sorted({uas for *_, uas in alike}))
    least, *_, most = [*scores, *scores]
    spread = least if least == most else f"{least} to {most}"
    return f"{said}; in languages where it is much the same ({names}{more}), UAS was {spread}"
