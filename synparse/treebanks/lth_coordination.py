"""Coordination in Penn trees, as the LTH conversion finds it."""

from __future__ import annotations

from itertools import pairwise

from synparse.treebanks.penn import PUNCTUATION, Node

CONJUNCTIONS = frozenset(["CC", "CONJP"])
NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS"])
NOMINAL = frozenset(["NP", "NX", "NML", "NAC", "WHNP"])

ADVERBIAL = frozenset(["ADV", "BNF", "DIR", "DTV", "EXT", "LOC", "MNR", "PRP", "PUT", "TMP", "VOC"])
"""Function tags of phrases that are neither arguments nor conjuncts of one."""

_LOOSE = frozenset(["PRN", "FRAG"])
_SENTENCES = frozenset(["S", "SQ", "SINV", "SBARQ"])


def is_divider(node: Node) -> bool:
    """Whether it divides conjuncts: a conjunction, comma, semicolon, colon, or --."""
    return node.label in CONJUNCTIONS or (node.label in (",", ":") and not is_typographic(node))


def is_typographic(node: Node) -> bool:
    """Whether it is a mark outside ASCII, such as — or “, which Penn trees do not have: it counts as a word."""
    return node.label in PUNCTUATION and not (node.word or "").isascii()


def conjunctions(children: list[Node]) -> list[int]:
    """The indices of the conjunctions, except one that begins or ends the phrase (*But …*, *both … and*).

    Nothing begins with ASCII punctuation; other marks count as words: “ *But* … has a conjunction.
    """
    begun = False
    positions = []
    for position, child in enumerate(children[:-1]):
        if begun and child.label in CONJUNCTIONS:
            positions.append(position)
        begun = begun or child.label not in PUNCTUATION or is_typographic(child)
    return positions


def is_flat(children: list[Node]) -> bool:
    """Whether every two neighbours are divided, so that each is a whole conjunct."""
    divides = [child.label in PUNCTUATION or child.label in CONJUNCTIONS for child in children]
    return all(left or right for left, right in pairwise(divides))


def is_list(node: Node) -> bool:
    """Whether it is a coordination without a conjunction: three noun phrases, or two phrases of one kind, divided.

    If words are beside the phrases, as in (VP may (VP go), (VP stay)), their kind is that of the phrase around them.
    """
    if node.label == "UCP":
        return True
    if len(node.children) < 3:
        return False
    if node.label in NOMINAL:
        return _is_list_of_noun_phrases(node)
    if any(map(is_typographic, node.children)):
        return False
    words = [child.label for child in node.children if child.is_word and child.label not in PUNCTUATION]
    kind, count, divided = _kind(node) if words and node.label not in _LOOSE else "", 0, True
    for child in node.children:
        if is_divider(child):
            divided = True
        elif not child.is_word:
            kind = kind or _kind(child)
            if _kind(child) != kind or not divided:
                return False
            count, divided = count + 1, False
    return count > 1


def _kind(node: Node) -> str:
    return "S" if node.label in _SENTENCES else node.label


def is_list_item(node: Node) -> bool:
    """Whether it is one of several fragments of two noun phrases each: John Smith, Rome, $500;."""
    is_inner = node.label == node.above == "FRAG"
    return is_inner and [child.label for child in node.children if child.label != "."] == ["NP", "NP"]


def _is_list_of_noun_phrases(node: Node) -> bool:
    """Whether three or more noun phrases are divided only by commas; other children do not matter."""
    dividers = {child.word for child in node.children if child.label in (",", ":") and not is_typographic(child)}
    members = [child for child in node.children if child.label == node.label and child.children]
    return len(members) > 2 and dividers == {","} and sum(not _is_apart(child) for child in members) > 2


def _is_apart(node: Node) -> bool:
    """Whether it is not a member of a list of noun phrases: Ogilvy, [New York], an agency; Smith, [63], a clerk."""
    return bool(ADVERBIAL.intersection(node.functions)) or all(child.label == "CD" for child in node.children)
