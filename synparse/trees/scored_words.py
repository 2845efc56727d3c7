"""Which words of a sentence are scored: those that are neither punctuation nor traces.

Scorers leave punctuation out by the gold tags; where a file has none, by the form of the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.punctuation import PENN_PUNCTUATION_TAGS, is_punctuation

PunctuationRule: TypeAlias = Literal["auto", "upos", "tag", "form", "keep"]
"""What punctuation is left out by; auto: by UPOS, else by Penn tag, else by form, whichever the sentence has first."""

TRACE = "-NONE-"

UNIVERSAL_TAGS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()  # UD's parts of speech
)


def kept_leaves(tree: ConstituencyTree) -> list[bool]:
    """Which words of a gold tree are scored: by tag, or by form where no word has a tag."""
    if any(tag not in ("", TRACE) for tag in tree.tags):
        return [tag not in PENN_PUNCTUATION_TAGS and tag != TRACE for tag in tree.tags]
    return [tag != TRACE and not is_punctuation(word) for word, tag in zip(tree.words, tree.tags, strict=True)]


def kept_words(
    words: Sequence[str], upos: Sequence[str], xpos: Sequence[str], punctuation: PunctuationRule = "auto"
) -> list[bool]:
    """Which words of a gold sentence in CoNLL-U are scored.

    Penn tags are XPOS, or UPOS where XPOS is empty, as files of the older CoNLL-X format have them.
    Raises ValueError where the rule asks for tags and the sentence has none.
    """
    tags = xpos if any(tag != "_" for tag in xpos) else upos
    has_upos, has_tags = _are_universal(upos), any(tag != "_" for tag in tags)
    rule = punctuation if punctuation != "auto" else "upos" if has_upos else "tag" if has_tags else "form"
    if rule == "upos":
        if not has_upos:
            raise ValueError("no UPOS to find punctuation by")
        return [tag != "PUNCT" for tag in upos]
    if rule == "tag":
        if not has_tags:
            raise ValueError("no Penn tags to find punctuation by")
        return [tag not in PENN_PUNCTUATION_TAGS for tag in tags]
    if rule == "form":
        return [not is_punctuation(word) for word in words]
    return [True] * len(words)


def _are_universal(upos: Sequence[str]) -> bool:
    """Whether these are the tags of Universal Dependencies, and not the Penn tags that CoNLL-X has in the same column.

    Two of them, SYM and X, are in both sets and do not decide where another tag is in one set alone.
    """
    tags = set(upos) - {"_"}
    return bool(tags) and (tags <= UNIVERSAL_TAGS or not tags.isdisjoint(UNIVERSAL_TAGS - {"SYM", "X"}))
