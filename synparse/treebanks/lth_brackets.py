"""Brackets that the LTH conversion adds to flat phrases of Penn trees before it finds heads."""

from __future__ import annotations

from synparse.treebanks.lth_coordination import CONJUNCTIONS, NOMINAL, NOUNS, conjunctions, is_flat
from synparse.treebanks.penn import PUNCTUATION, Node, labels_of

# The only names of months that the reference converter recognizes.
_MONTHS = frozenset(["January", "February", "March", "June", "July", "September", "October", "December"])
_SHORT_MONTHS = frozenset(["Jan.", "Feb.", "Aug.", "Oct.", "Nov."])

_DEGREE_ADVERBS = frozenset(["as", "too", "very"])


def add_brackets(node: Node) -> None:
    """Bracket children that form a phrase: dates, an adverb and its adjective, conjuncts; subordinators."""
    if node.label in NOMINAL:
        _bracket_noun_phrase(node)
    elif node.label == "SBAR":
        _bracket_subordinators(node)


def _bracket_subordinators(node: Node) -> None:
    """(Even though) it rains."""
    first = next((position for position, child in enumerate(node.children) if not child.is_word), 0)
    labels = labels_of(node.children[:first])
    if len(labels) > 1 and "IN" in labels and not (PUNCTUATION | CONJUNCTIONS).intersection(labels):
        _bracket(node, 0, first, "IN")


def _bracket_noun_phrase(node: Node) -> None:
    _bracket_date(node)
    _bracket_adjectives(node)
    if not conjunctions(node.children):
        return
    if node.label == "NP" and _ends_in_nx(node):
        _bracket(node, 0, _last_position(node), "NX")
    elif _is_firm(node):
        _bracket(node, 0, 2, "NP")
    elif not is_flat(node.children):
        _bracket_conjuncts(node)
    _bracket_after_conjunctions(node)


def _bracket_date(node: Node) -> None:
    """(October 13) 1994, (October 13) meeting: a date before a year or a noun."""
    pairs = zip(node.children, node.children[1:-1], strict=False)
    for position, (month, day) in enumerate(pairs):
        is_day = day.label == "CD" and (day.word or "").isdigit() and len(day.word or "") < 3
        if is_day and month.label == "NNP" and month.word in _MONTHS | _SHORT_MONTHS:
            _bracket(node, position, position + 2, "NP-TMP")
            return


def _bracket_adjectives(node: Node) -> None:
    """A (very good) reason, but not with adverbs that modify the whole phrase: only, just, even."""
    for position in reversed(range(len(node.children) - 2)):
        adverb, adjective = node.children[position : position + 2]
        word = adverb.form
        if adverb.label == "RB" and adjective.label == "JJ" and (word.endswith("ly") or word in _DEGREE_ADVERBS):
            _bracket(node, position, position + 2, "ADJP")


def _is_firm(node: Node) -> bool:
    """(W. Smith) & Co."""
    labels = labels_of(node.children)
    return labels == ["NNP", "NNP", "CC", "NNP"] and node.children[-1].word in ("Co", "Co.")


def _ends_in_nx(node: Node) -> bool:
    """Whether conjuncts share the noun at their end: [the (Japanese and American)] markets."""
    return (
        len(node.children) > 3 and node.children[_last_position(node)].label == "NX" and node.children[0].label != "NX"
    )


def _last_position(node: Node) -> int:
    """The index of the last child that is not punctuation."""
    return max(position for position, child in enumerate(node.children) if child.label not in PUNCTUATION)


def _bracket_conjuncts(node: Node) -> None:
    """The (pie and bar) graphs: the words on both sides of a conjunction, if their part of speech is the same."""
    children = node.children
    for position in conjunctions(children):
        label = children[position - 1].label
        end = position
        while labels_of(children[end : end + 2]) == ["CC", label] and children[end + 1].is_word:
            end += 2
        if end > position:
            is_head = end > _last_position(node)  # posts 542 and 543
            _bracket(node, position - 1, end, "NX" if is_head and label not in NOUNS else label)
            return


def _bracket_after_conjunctions(node: Node) -> None:
    """Tom and (probably Mary): a phrase after a conjunction, with the adverbs before it."""
    children = node.children
    for position in reversed(conjunctions(children)):
        end = position + 1
        while end < len(children) and children[end].label in ("RB", "ADVP", "PP", ","):
            end += 1
        has_adverb = any(child.label != "," for child in children[position + 1 : end])
        if has_adverb and end < len(children) and not children[end].is_word and children[end].label != "CONJP":
            _bracket(node, position + 1, end + 1, children[end].label)


def _bracket(node: Node, start: int, end: int, label: str) -> None:
    """Put a constituent around the children from ``start`` up to ``end``."""
    constituent = Node(label, node.children[start:end])
    constituent.parent = node
    node.children[start:end] = [constituent]
