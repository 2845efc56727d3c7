"""Which words of a sentence are scored: those that are neither punctuation nor traces.

Scorers leave punctuation out by the gold tags: Penn's, or those of Universal Dependencies. Where a file has none, or a
treebank has tags of its own, punctuation is left out by its form.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from synparse.trees.conllu import ConlluSentence
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.punctuation import PENN_PUNCTUATION_TAGS, is_punctuation

PunctuationRule: TypeAlias = Literal["auto", "upos", "tag", "form", "keep"]
"""What punctuation is left out by; auto: by UPOS, else by Penn tag, else by form, whichever there is first; Stanford
Dependencies by Penn tag first."""

TRACE = "-NONE-"

NO_WORDS = frozenset({TRACE, "-DFL-"})
"""Tags of what is no word: empty elements, and the marks of disfluencies in Switchboard."""

UNIVERSAL_TAGS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()  # UD's parts of speech
)

UNIVERSAL_PUNCTUATION_TAGS = frozenset({"PUNCT", "PUNC", "."})
"""UD's tag, a misspelling of it, and that of Google's universal tags, most of which UD has too."""

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
"""How many trees at the beginning of a file show what tags it has."""


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
    tags = [tag for word, tag in tagged if tag not in ("", "_", *NO_WORDS) and is_punctuation(word)]
    return 2 * sum(tag not in PENN_TAGS for tag in tags) > len(tags)


def kept_leaves(tree: ConstituencyTree, by_form: bool = False) -> list[bool]:
    """Which words of a gold tree are scored: by Penn tag, but words without a tag by form, and with ``by_form`` all."""
    return [
        tag not in NO_WORDS and (not is_punctuation(word) if by_form or not tag else tag not in PENN_PUNCTUATION_TAGS)
        for word, tag in zip(tree.words, tree.tags, strict=True)
    ]


def punctuation_rule(
    words: Sequence[str],
    upos: Sequence[str],
    xpos: Sequence[str],
    relations: Sequence[str] = (),
    asked: PunctuationRule = "auto",
) -> PunctuationRule:
    """The rule by which punctuation is left out, by the columns of a sentence in CoNLL-U, or of many in one.

    Penn tags are XPOS, or UPOS where XPOS is empty, as files of the older CoNLL-X format have them; where punctuation
    has tags of another treebank, it is left out by form; induced classes are XPOS, with UD's PUNCT among them.
    ``relations`` show Stanford Dependencies, whose scorers leave out $ and #, which are no punctuation in UPOS.
    Raises ValueError where the rule that is asked for needs tags that there are not.
    """
    tags = first_with_tags(xpos, upos)
    has_upos = _are_universal(first_with_tags(upos, xpos))
    has_penn_tags = any(tag != "_" for tag in tags) and not _are_foreign(zip(words, tags, strict=True))
    if asked == "upos" and not has_upos:
        raise ValueError("no UPOS to find punctuation by")
    if asked == "tag" and not has_penn_tags:
        raise ValueError("no Penn tags to find punctuation by")
    if asked != "auto":
        return asked
    is_stanford = has_penn_tags and not STANFORD_RELATIONS.isdisjoint(relations)
    return "upos" if has_upos and not is_stanford else "tag" if has_penn_tags else "form"


def rule_of_sentences(sentences: Sequence[ConlluSentence], asked: PunctuationRule = "auto") -> PunctuationRule:
    """The `punctuation_rule` of a file, by its first sentences; what is ``asked`` where there are none. Raises as
    that does."""
    if not sentences:
        return asked
    rows = ((sentence.words, sentence.upos, sentence.xpos, sentence.relations) for sentence in sentences)
    words, upos, xpos, relations = (list(itertools.chain(*column)) for column in zip(*rows, strict=True))
    return punctuation_rule(words, upos, xpos, relations, asked)


def kept_words(
    words: Sequence[str],
    upos: Sequence[str],
    xpos: Sequence[str],
    punctuation: PunctuationRule = "auto",
    relations: Sequence[str] = (),
) -> list[bool]:
    """Which words of a gold sentence in CoNLL-U are scored, by the `punctuation_rule` of the sentence or another one;
    words without a tag go by form."""
    rule = punctuation_rule(words, upos, xpos, relations) if punctuation == "auto" else punctuation
    if rule == "keep":
        return [True] * len(words)
    universal = first_with_tags(upos, xpos)
    if rule == "upos" and _are_universal(universal):
        tags, marks = universal, UNIVERSAL_PUNCTUATION_TAGS
    elif rule == "tag":
        tags, marks = first_with_tags(xpos, upos), PENN_PUNCTUATION_TAGS
    else:
        tags, marks = ["_"] * len(words), frozenset()
    return [not is_punctuation(word) if tag == "_" else tag not in marks for word, tag in zip(words, tags, strict=True)]


def first_with_tags(column: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The first of two columns of CoNLL-U, if it has a tag, else the other one."""
    return column if any(tag != "_" for tag in column) else other


def _are_universal(upos: Sequence[str]) -> bool:
    """Whether these are the tags of Universal Dependencies, or induced classes with their PUNCT, and not those of Penn
    or another treebank, which CoNLL-X has in the same column and of which some have the same name, such as SYM or ADV.
    """
    tags = set(upos) - {"_"}
    return bool(tags) and ("PUNCT" in tags or 2 * len(tags & UNIVERSAL_TAGS) > len(tags))
