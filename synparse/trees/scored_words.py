"""Which words of a sentence are scored: those that are neither punctuation nor traces.

Scorers leave punctuation out by the gold tags: Penn's, or those of Universal Dependencies. Where a file has none, or a
treebank has tags of its own, punctuation is left out by its form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.punctuation import PENN_PUNCTUATION_TAGS, is_punctuation

PunctuationRule: TypeAlias = Literal["auto", "upos", "tag", "form", "keep"]
"""What punctuation is left out by; auto: by UPOS, else by Penn tag, else by form, whichever the sentence has first;
Stanford Dependencies by Penn tag first."""

TRACE = "-NONE-"

UNIVERSAL_TAGS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()  # UD's parts of speech
)

# Penn's parts of speech, and after them what OntoNotes and the English Web Treebank add.
PENN_TAGS = PENN_PUNCTUATION_TAGS | frozenset(
    """CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP
    VBZ WDT WP WP$ WRB ADD AFX GW XX""".split()
)

# Relations of Stanford Dependencies that no version of Universal Dependencies has. Every sentence with $ or #, in which
# the rules by UPOS and by Penn tag differ, has some of them: those of numbers, compounds or prepositions.
STANFORD_RELATIONS = frozenset(
    """acomp nn npadvmod num number pcomp pobj poss possessive preconj predet prep prt quantmod rcmod tmod
    vmod""".split()
)

TREES_LOOKED_AT = 1000
"""How many trees at the beginning of a file show whether its tags are Penn's."""


def lacks_penn_tags(trees: Iterable[ConstituencyTree]) -> bool:
    """Whether a treebank tags punctuation otherwise than Penn does, so that its tags do not show what punctuation is.

    It does if most words that are punctuation by form, of those with a tag, have one that is not Penn's, such as PU,
    ``Fc`` or ``$,``. Penn trees without punctuation may still have such words, as the apostrophe of *dogs'* (POS), but
    with Penn tags.

    >>> lacks_penn_tags([ConstituencyTree(("Hoy", "."), ("rg", "Fp"), ())])
    True
    >>> lacks_penn_tags([ConstituencyTree(("Hi", "."), ("UH", "."), ())])
    False
    """
    return _are_foreign(pair for tree in trees for pair in zip(tree.words, tree.tags, strict=True))


def _are_foreign(tagged: Iterable[tuple[str, str]]) -> bool:
    """Whether most words that are punctuation by form, of those with a tag, have one that is not Penn's."""
    tags = [tag for word, tag in tagged if tag not in ("", "_", TRACE) and is_punctuation(word)]
    return 2 * sum(tag not in PENN_TAGS for tag in tags) > len(tags)


def kept_leaves(tree: ConstituencyTree, by_form: bool = False) -> list[bool]:
    """Which words of a gold tree are scored: by Penn tag, but words without a tag by form, and with ``by_form`` all."""
    return [
        tag != TRACE and (not is_punctuation(word) if by_form or not tag else tag not in PENN_PUNCTUATION_TAGS)
        for word, tag in zip(tree.words, tree.tags, strict=True)
    ]


def kept_words(
    words: Sequence[str],
    upos: Sequence[str],
    xpos: Sequence[str],
    punctuation: PunctuationRule = "auto",
    relations: Sequence[str] = (),
) -> list[bool]:
    """Which words of a gold sentence in CoNLL-U are scored.

    Penn tags are XPOS, or UPOS where XPOS is empty, as files of the older CoNLL-X format have them; where punctuation
    has tags of another treebank, it is left out by form; induced classes are XPOS, with UD's PUNCT among them.
    ``relations`` show Stanford Dependencies, whose scorers leave out $ and #, which are no punctuation in UPOS.
    Raises ValueError where the rule asks for tags and the sentence has none.
    """
    tags, universal = first_with_tags(xpos, upos), first_with_tags(upos, xpos)
    has_upos, has_tags = _are_universal(universal), any(tag != "_" for tag in tags)
    is_stanford = PENN_TAGS.issuperset(tags) and not STANFORD_RELATIONS.isdisjoint(relations)
    rule = punctuation
    if rule == "auto" and has_upos and not is_stanford:
        rule = "upos"
    elif rule == "auto":
        rule = "tag" if has_tags and not _are_foreign(zip(words, tags, strict=True)) else "form"
    if rule == "upos":
        if not has_upos:
            raise ValueError("no UPOS to find punctuation by")
        return [tag != "PUNCT" for tag in universal]
    if rule == "tag":
        if not has_tags:
            raise ValueError("no Penn tags to find punctuation by")
        return [tag not in PENN_PUNCTUATION_TAGS for tag in tags]
    if rule == "form":
        return [not is_punctuation(word) for word in words]
    return [True] * len(words)


def first_with_tags(column: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The first of two columns of CoNLL-U, if it has a tag, else the other one."""
    return column if any(tag != "_" for tag in column) else other


def _are_universal(upos: Sequence[str]) -> bool:
    """Whether these are the tags of Universal Dependencies, or induced classes with their PUNCT, and not those of Penn
    or another treebank, which CoNLL-X has in the same column and of which some have the same name, such as SYM or ADV.
    """
    tags = set(upos) - {"_"}
    return bool(tags) and ("PUNCT" in tags or 2 * len(tags & UNIVERSAL_TAGS) > len(tags))
