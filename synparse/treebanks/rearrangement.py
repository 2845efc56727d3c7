"""Penn trees rearranged for semantic head rules: flat coordinations and quantities get their implied brackets.

The Penn treebank leaves noun phrases and quantities flat: ``(NP the phone book and tour guide)``. Dependencies by head
rules need the brackets of coordinations, so trees are rearranged first, as in the conversions to Stanford Dependencies
and Universal Dependencies. Only brackets change; the words keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from synparse.treebanks.closed_classes import BE, PRECONJUNCTIONS
from synparse.treebanks.penn import Node, labels_of, without_traces

COMPARISON = "XS"
"""The label of a comparison in a quantity: (more than) thirty."""

_DEGREE = ("RB", "RBR", "JJR", "JJ")

# Parts of speech of comparisons, by the number of words.
COMPARISONS = {
    3: ((("RB",), _DEGREE, ("IN",)),),
    2: ((_DEGREE, ("IN",)), (("IN",), ("JJS",)), (("IN",), ("TO",))),
}

PHRASES = frozenset({"S", "PP", "VP", "NP", "SBAR", "SINV", "ADJP"})


def rearrange(root: Node) -> Node:
    """The tree without empty elements and with the brackets for semantic head rules. Changes and returns ``root``."""
    without_traces(root)
    for node in root.bottom_up():
        if node.label == "UCP" and node.children:
            _name_unlike_coordination(node)
    for node in reversed(root.bottom_up()):
        if node.label == "NP":
            _bracket_coordination(node)
    for node in root.bottom_up():
        if node.children:
            if node.label == "QP":
                _bracket_quantity(node)
            _drop_repeated(node)
            _move_adverbs(node)
            if node.label == "SBARQ":
                _open_copular_question(node)
    return root


def _open_copular_question(node: Node) -> None:
    """What (is it): beside a pronoun that is the predicate, the parts of a question with be belong to the clause."""
    pronoun, inner = node.first("WHNP"), node.first("SQ")
    if pronoun is None or inner is None or labels_of(pronoun.children) != ["WP"]:
        return
    labels = labels_of(inner.children)
    if labels[1:2] == ["NP"] and inner.children[0].form in BE and {"VP", "ADJP", "NP"}.isdisjoint(labels[2:]):
        position = node.children.index(inner)
        node.adopt([*node.children[:position], *inner.children, *node.children[position + 1 :]])


def _name_unlike_coordination(node: Node) -> None:
    """A coordination of unlike phrases gets the category of its first conjunct, if that is nominal, adjectival or an
    adverb phrase."""
    first = node.children[0].label
    if first.startswith("JJ") or first == "ADJP":
        node.label = "ADJP"
    elif first.startswith("NN") or first in ("NP", "DT"):
        node.label = "NP"
    elif first == "ADVP":
        node.label = "ADVP"


def _drop_repeated(node: Node) -> None:
    """(NP (NP …)) with no other child is one constituent."""
    while len(node.children) == 1 and node.children[0].children and node.children[0].label == node.label:
        only = node.children[0]
        node.functions = node.functions or only.functions
        node.adopt(only.children)


def _move_adverbs(node: Node) -> None:
    """An adverb between a conjunction and the phrase it joins belongs to that phrase: sing but (not dance); but so
    belongs to the conjunction: (and so) they dance."""
    children = node.children
    for position in range(len(children) - 2, 1, -1):
        adverb, phrase = children[position], children[position + 1]
        if (
            phrase.children
            and children[position - 1].label == "CC"
            and [child.form for child in adverb.children] == ["so"]
        ):
            joint = Node("CC", children[position - 1 : position + 1])
            node.adopt([*children[: position - 1], joint, *children[position + 1 :]])
            children = node.children
        elif (
            adverb.label in ("RB", "ADVP")
            and _may_move(adverb, children[position - 1])
            and node.label not in ("ADJP", "UCP")
            and phrase.children
            and phrase.label in PHRASES
            and any(child.children and child.label in PHRASES for child in children[: position - 1])
        ):
            phrase.adopt([adverb, *phrase.children])
            node.adopt([*node.children[:position], *node.children[position + 1 :]])


def _may_move(adverb: Node, link: Node) -> bool:
    """Whether the adverb is not, then or also, or a phrase of one adverb."""
    is_short = adverb.form in ("not", "then", "also") or labels_of(adverb.children) == ["RB"]
    return is_short and link.label in (",", "CC", "CONJP")


# Quantities


def _bracket_quantity(node: Node) -> None:
    """Brackets in a quantity: (more than) thirty; $ (1.5 billion); (ten) or (twenty)."""
    _bracket_comparison(node)
    _bracket_alternatives(node)
    for part in [node, *node.children]:
        if part.label in ("QP", "NP"):
            _bracket_amount(part)


def _bracket_comparison(node: Node) -> None:
    """More than, at least, up to, as many as: directly before a number."""
    labels = labels_of(node.children)
    for size, shapes in COMPARISONS.items():
        if (
            len(labels) > size
            and labels[size] in ("CD", "DT")
            and any(all(label in choice for label, choice in zip(labels, shape, strict=False)) for shape in shapes)
        ):
            node.adopt([Node(COMPARISON, node.children[:size]), *node.children[size:]])
            return


def _bracket_alternatives(node: Node) -> None:
    children = node.children
    position = next((at for at in range(1, len(children) - 1) if children[at].label == "CC"), None)
    if position is None:
        return
    signs = [at for at, child in enumerate(children) if child.label == "$"]
    start = next((at for at in reversed(signs) if at < position), 0)
    end = next((at for at in range(position + 2, len(children)) if children[at].label == "CC"), len(children))
    node.adopt(
        [
            *children[:start],
            Node("NP", children[start:position]),
            children[position],
            Node("NP", children[position + 1 : end]),
            *children[end:],
        ]
    )


def _bracket_amount(node: Node) -> None:
    """$ (1.5 billion): the numbers after a currency sign, to the end."""
    children = node.children
    signs = [at for at, child in enumerate(children) if child.label == "$"]
    if signs and len(children) - signs[-1] > 2 and all(child.label == "CD" for child in children[signs[-1] + 1 :]):
        node.adopt([*children[: signs[-1] + 1], Node("QP", children[signs[-1] + 1 :])])


# Coordination in flat noun phrases


def _bracket_coordination(node: Node) -> None:
    """Bracket what the conjunctions of a flat noun phrase join, until no conjunction is left among words."""
    for _ in range(len(node.children)):
        position = _flat_conjunction(node.children)
        if position is None:
            return
        _bracket_conjunction(node, position)


def _flat_conjunction(children: Sequence[Node]) -> int | None:
    """The index of the first conjunction with two or more nodes after it, none of them a noun phrase."""
    last = max((position for position, child in enumerate(children) if child.label == "NP"), default=-1)
    return next((at for at in range(max(last + 1, 1), len(children) - 2) if children[at].label == "CC"), None)


def _bracket_conjunction(node: Node, position: int) -> None:
    children = node.children
    later = [at for at in range(position + 2, len(children) - 1) if children[at].label == "CC"]
    before, after = children[position - 1].label, children[position + 1].label
    if position == 1 and (before in ("DT", "JJ", "RB") or after != "DT") and before not in ("NP", "ADJP", "NNS"):
        _bracket_modifiers(node, position, later)  # (soya or maize) oil
    elif position == 2 and children[0].label == "DT" and before != "NNS" and (len(children) == 5 or later[:1] == [5]):
        pair = _bracket(children[1:4], before)  # the (soya or maize) oil
        node.adopt([children[0], pair, *children[4:]])
    elif position > 2 and children[position - 2].label == "," and before != "NNS":
        start = position - 3  # (a, b and c) …
        while start - 2 >= 0 and children[start - 1].label == ",":
            start -= 2
        series = _bracket(children[start : position + 2], before)
        node.adopt([*children[:start], series, *children[position + 2 :]])
    else:
        _bracket_phrases(node, position, later)  # (the phone book) and (tour guide)


def _bracket_modifiers(node: Node, position: int, later: list[int]) -> None:
    children = node.children
    pair = _bracket(children[: position + 2], children[position - 1].label)
    if not later:
        node.adopt([pair, *children[position + 2 :]])
        return
    following = later[0]
    has_comma = children[following - 1].label == "," and following > position + 2
    end = following - 1 if has_comma else following
    left = pair
    if position + 2 < end:
        left = _bracket([pair, *children[position + 2 : end]], children[end - 1].label)
    right = Node("NP", children[following + 1 :])
    node.adopt([left, *children[end : following + 1], right])


def _bracket_phrases(node: Node, position: int, later: list[int]) -> None:
    children = node.children
    following = later[0] if later else len(children)
    has_preconjunction = children[0].form in PRECONJUNCTIONS
    start = 1 if has_preconjunction else 0
    parts: list[Node] = []
    if has_preconjunction:
        children[0].label = "CC"
        parts.append(children[0])
    parts += _phrase(children[start:position])
    parts.append(children[position])
    right = _phrase(children[position + 1 : following])
    if not later:
        node.adopt([*parts, *right])
        return
    comma = right[1:]
    node.adopt([Node("NP", [*parts, *right[:1]]), *comma, *children[following:]])


def _phrase(children: Sequence[Node]) -> list[Node]:
    """The nodes on one side of a conjunction as one phrase, and the comma after it, if there is one."""
    comma = [children[-1]] if children and children[-1].label == "," else []
    words = children[: len(children) - len(comma)]
    if not words:
        return comma
    return [_bracket(words, children[-1].label), *comma]


def _bracket(children: Sequence[Node], last: str) -> Node:
    """A new phrase over these nodes, with the category for the part of speech of its conjuncts."""
    return Node("ADJP" if last.startswith("JJ") else "NP", children)
