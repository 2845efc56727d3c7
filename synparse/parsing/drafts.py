"""Drafts: sentences with partial trees that parsing completes (``parse --keep``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from synparse.corpora.sentences import Sentence
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.parsing.options import Kept
from synparse.parsing.parse import ASSUMPTIONS, CHECKED, Parse, names_of
from synparse.trees.conllu import UNKNOWN, induced_relations
from synparse.trees.constituency import INDUCED_LABEL, ConstituencyTree, Constituent
from synparse.trees.errors import DataError, SettingError
from synparse.trees.given import FLAT, Given, contradiction, with_given_spans


class Draft(NamedTuple):
    """The given part of the tree of a sentence, over all its tokens: as `Given`, and the constituents with labels."""

    given: Given
    constituents: tuple[Constituent, ...] = ()

    @property
    def has_labels(self) -> bool:
        return any(label != INDUCED_LABEL for label, _, _ in self.constituents)


def draft_of(
    heads: Sequence[int | None] | None, tree: ConstituencyTree | None, keep: Sequence[Kept], count: int
) -> Draft | None:
    """The part of these trees to keep; None if there is none. A constituent whose label ends in ``-FLAT`` stays flat.

    Raises ValueError if no tree of ``count`` tokens contains all of it.
    """
    kept_heads = tuple(heads) if heads is not None and "heads" in keep else ()
    constituents = tree.constituents if tree is not None and "brackets" in keep else ()
    spans = {(start, end) for _, start, end in constituents if 1 < end - start < count}
    flat = {(start, end) for label, start, end in constituents if label.endswith(FLAT)}
    given = Given(kept_heads if any(head is not None for head in kept_heads) else (), tuple(spans), frozenset(flat))
    if fault := contradiction(given):
        raise ValueError(fault)
    return Draft(given, constituents) if constituents or given.heads else None


def is_checked(sentence: Sentence) -> bool:
    """Whether its tree is marked as checked, in CoNLL-U or in JSON."""
    if sentence.conllu is not None:
        return sentence.conllu.comment(CHECKED) == "yes"
    return sentence.others.get(CHECKED) is True


def refuse_checked(output: str) -> None:
    """Raises SettingError if a file that would be written holds sentences that are marked as checked, in CoNLL-U."""
    lines = read_lines(output) if output != STANDARD_STREAM and Path(output).is_file() else ()
    if any(line.split() == ["#", CHECKED, "=", "yes"] for line in lines):
        raise SettingError(f"{output} holds sentences that are marked as checked; choose another name")


def is_unchecked_draft(sentence: Sentence) -> bool:
    """Whether a sentence begins CoNLL-U that a parser has written, and is not marked as checked."""
    own = sentence.conllu
    return own is not None and bool(own.comment(ASSUMPTIONS)) and not is_checked(sentence)


def kept_of(sentence: Sentence) -> tuple[Kept, ...]:
    """What a sentence of an input can give."""
    heads: tuple[Kept, ...] = ("heads",) if sentence.conllu is not None or sentence.heads is not None else ()
    brackets: tuple[Kept, ...] = ("brackets",) if sentence.tree is not None else ()
    return (*heads, *brackets)


def draft_of_sentence(sentence: Sentence, keep: Sequence[Kept], option: str = "--keep") -> Draft | None:
    """The same of a sentence of an input, which an ``option`` asks for. Raises DataError, with file:line where that is
    known, if the sentence has nothing of the kind, or no tree has all that is given."""
    if not keep or not sentence.tokens:
        return None
    begins = f"the sentence that begins with: {' '.join(sentence.tokens[:8])}"
    if not set(keep) & set(kept_of(sentence)):
        kinds = " or ".join(keep)
        known = "heads come from CoNLL-U or JSON, brackets from trees or JSON"
        raise DataError(f"{option}: {known}, but there are no {kinds} in {begins}")
    conllu = sentence.conllu
    heads = sentence.heads if conllu is None else conllu.known_heads
    try:
        return draft_of(heads, sentence.tree, keep, len(sentence.tokens))
    except ValueError as error:
        if conllu is not None:
            raise DataError(f"{option}: {error}", conllu.source, conllu.line_of_words) from None
        raise DataError(f"{option}: {error}, in {begins}") from None


def tree_with(
    draft: Draft, tree: ConstituencyTree, probabilities: Sequence[float | None] | None, read: Sequence[bool]
) -> tuple[ConstituencyTree, tuple[float | None, ...] | None]:
    """A tree of all tokens with the constituents of the draft, and their labels. No model decided these, so that they
    have no probability; only the whole sentence has 1."""
    if not draft.constituents:
        return tree, None if probabilities is None else tuple(probabilities)
    values = probabilities or (None,) * len(tree.constituents)
    places = with_given_spans([(start, end) for _, start, end in tree.constituents], draft.given, read)
    whole = (0, len(tree))
    has_whole = any((start, end) == whole for _, start, end in draft.constituents)
    merged: list[tuple[Constituent, float | None]] = [
        (constituent, 1.0 if (constituent.start, constituent.end) == whole else None)
        for constituent in draft.constituents
    ]
    for constituent, place, value in zip(tree.constituents, places, values, strict=True):
        if place is not None and not (place == whole and has_whole):
            merged.append((Constituent(constituent.label, *place), value))
    merged.sort(key=lambda pair: (pair[0].start, -pair[0].end))
    constituents = tuple(constituent for constituent, _ in merged)
    new = ConstituencyTree(tree.words, tree.tags, constituents)
    return new, None if probabilities is None else tuple(value for _, value in merged)


def with_relations_of(parse: Parse, sentence: Sentence) -> Parse:
    """The parse with the relations that came with a sentence, also those of words whose heads did not."""
    if parse.heads is None or (given := filled(sentence.relations, None)) is None:
        return parse
    return replace(parse, relations=filled(given, parse.relations or induced_relations(parse.heads)))


def with_tags_of(parse: Parse, sentence: Sentence) -> Parse:
    """The parse as a sentence was written, with the tags that came with it: learned parts of speech fill gaps, word
    classes take the place of tags, and its tree has tags or else parts of speech."""
    upos = filled(sentence.upos, parse.upos)
    tags = filled(sentence.tags, None) if parse.tags is None else parse.tags
    tree, names = parse.tree, filled(tags, upos)
    if tree is not None and names is not None:
        tree = replace(tree, tags=tuple("" if name == UNKNOWN else name for name in names))
    return replace(parse, tree=tree, tags=tags, upos=upos, surface=sentence.surface)


def filled(given: Sequence[str] | None, others: Sequence[str] | None) -> tuple[str, ...] | None:
    """The given names of words, and the others where a given one is ``_`` or ""; None if no word has a name."""
    if not given or not others:
        return names_of(given or others or ())
    return names_of(other if own in (UNKNOWN, "") else own for own, other in zip(given, others, strict=True))
