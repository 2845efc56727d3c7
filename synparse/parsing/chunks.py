"""Sentences as models read them: in chunks of words, with their punctuation cues and the given parts of their trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from synparse.corpora.normalization import TextConfig, normalized
from synparse.parsing.drafts import Draft
from synparse.trees.given import GivenScores, given_of_kept, given_scores, given_within
from synparse.trees.punctuation_cues import Cues, cues_of, cues_within


class Chunk(NamedTuple):
    """Words that are parsed together, in each normalisation; the punctuation cues between them, if used; and the term
    of the given part of their tree, if any."""

    words: Mapping[TextConfig, list[str]]
    cues: Cues | None = None
    given: GivenScores | None = None

    def __len__(self) -> int:
        return len(next(iter(self.words.values())))


class ReadSentence(NamedTuple):
    """A sentence of ``tokens``, in chunks; ``read``: which of these are words; and the given part of its tree."""

    tokens: tuple[str, ...]
    read: tuple[bool, ...]
    chunks: list[Chunk]
    draft: Draft | None = None


def in_chunks(
    window: Sequence[tuple[str, ...]],
    texts: Iterable[TextConfig],
    longest: int,
    with_cues: bool,
    drafts: Sequence[Draft | None] = (),
) -> list[ReadSentence]:
    """Each sentence of tokens, in chunks of at most ``longest`` words.

    ``texts``: the ways in which models normalize tokens; all read the same tokens as words. ``with_cues``: whether
    punctuation is evidence; ``drafts``: what is given of the trees of each sentence, if anything is.
    """
    tokens = list(dict.fromkeys(token for sentence in window for token in sentence))
    forms = {text: dict(zip(tokens, normalized(tokens, text), strict=True)) for text in texts}
    first = next(iter(forms.values()))
    reads = [tuple(first[token] is not None for token in sentence) for sentence in window]
    return [
        ReadSentence(sentence, read, list(_chunks(sentence, read, forms, longest, with_cues, draft)), draft)
        for sentence, read, draft in zip(window, reads, drafts or [None] * len(window), strict=True)
    ]


def _chunks(
    tokens: Sequence[str],
    read: Sequence[bool],
    forms: Mapping[TextConfig, Mapping[str, str | None]],
    longest: int,
    with_cues: bool,
    draft: Draft | None,
) -> Iterator[Chunk]:
    words = {
        text: [form for token in tokens if (form := normalized[token]) is not None]
        for text, normalized in forms.items()
    }
    cues = cues_of(tokens, read) if with_cues else None
    given = None if draft is None else given_of_kept(draft.given, read)
    count = sum(read)
    for start in range(0, count, longest):
        end = min(start + longest, count)
        yield Chunk(
            {text: forms_of_text[start:end] for text, forms_of_text in words.items()},
            None if cues is None else cues_within(cues, start, end),
            None if given is None else given_scores(given_within(given, start, end), end - start),
        )
