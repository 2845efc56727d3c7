"""Universal parts of speech (Petrov et al. 2012, as Universal Dependencies have them) of words in English Penn trees.

Most Penn tags have one universal tag. For the others it depends on the parent constituent of the word and, for verbs,
on the word's relation: auxiliaries and copulas are AUX.
"""

from __future__ import annotations

from collections.abc import Sequence

from synparse.treebanks.closed_classes import BE, REDUCED
from synparse.treebanks.penn import Node
from synparse.treebanks.semantic_heads import VERBS

TAGS = {
    tag: universal
    for universal, tags in {
        "ADJ": "JJ JJR JJS AFX",
        "ADP": "RP",
        "ADV": "RBR RBS WRB",
        "AUX": "MD",
        "CCONJ": "CC",
        "DET": "PDT",
        "INTJ": "UH",
        "NOUN": "NNS",
        "NUM": "CD LS",
        "PART": "POS",
        "PRON": "EX PRP PRP$ WP WP$",
        "PROPN": "NNP NNPS",
        "PUNCT": ". , : `` '' -LRB- -RRB- HYPH NFP",
        "SYM": "# $ SYM",
    }.items()
    for tag in tags.split()
}
"""Penn tag → universal tag, for Penn tags with only one; unknown tags are X."""

AUXILIARIES = frozenset({"aux", "aux:pass", "auxpass", "cop"})
PREDICATES = frozenset({"NP", "ADJP", "PP", "VP", "UCP"})
PRONOUNS = frozenset(
    f"{determiner}{noun}"
    for determiner in ("any", "every", "no", "some")
    for noun in ("body", "one", "thing")
    if determiner + noun != "noone"
)
DEMONSTRATIVES = frozenset({"that", "this", "these", "those"})
RELATIVES = frozenset({"that", "which"})
NEGATED = frozenset({"VP", "SQ", "SINV", "ADVP", "CONJP", "FRAG"})


def universal_tags(root: Node, relations: Sequence[str]) -> tuple[str, ...]:
    """The universal tag of each word of a tree without empty elements; ``relations``: one for each word."""
    return tuple(_tag(word, relation) for word, relation in zip(root.leaves(), relations, strict=True))


def _tag(word: Node, relation: str) -> str:
    tag = word.label
    if tag in TAGS:
        return TAGS[tag]
    form = word.form
    parent = word.parent
    assert parent is not None  # a word without a constituent is under the root
    if tag in VERBS:
        return "AUX" if _is_auxiliary(form, parent, relation) else "VERB"
    if tag == "NN":
        return "SYM" if form == "%" else "PRON" if form in PRONOUNS else "NOUN"
    if tag == "IN":
        return "SCONJ" if _is_subordinator(parent) else "ADP"
    if tag == "WDT" and parent.label == "SBAR":
        return "SCONJ"
    if tag in ("DT", "WDT"):
        pronouns = DEMONSTRATIVES if tag == "DT" else RELATIVES
        is_whole_phrase = parent.label in ("NP", "WHNP") and len(parent.children) == 1
        return "PRON" if form in pronouns and is_whole_phrase else "DET"
    if tag == "TO":
        infinitive = parent.label == "CONJP" or (parent.label == "VP" and parent.has("VP"))
        return "PART" if infinitive or (parent.label == "VP" and len(parent.children) == 1) else "ADP"
    if tag == "RB":
        return "PART" if form in ("not", "n't") and parent.label in NEGATED else "ADV"
    return "X"


def _is_auxiliary(form: str, parent: Node, relation: str) -> bool:
    if form in REDUCED:
        return False
    return relation in AUXILIARIES or (form in BE and parent.label == "VP" and parent.has(*PREDICATES))


def _is_subordinator(parent: Node) -> bool:
    if parent.label == "SBAR":
        return parent.has("S", "SINV", "SBAR", "SQ")
    return parent.label == "PP" and parent.has("S", "SBAR")
