"""What is coordinated in a Penn tree, as the LTH conversion finds it, and the brackets that flat noun phrases lack."""

from __future__ import annotations

from synparse.treebanks.penn import Node

CONJUNCTIONS = frozenset(["CC", "CONJP"])
PUNCTUATION = frozenset([",", ".", ":", "``", "''", "-LRB-", "-RRB-"])
NOMINAL = frozenset(["NP", "NX", "NAC", "WHNP"])

ADVERBIAL = frozenset(["ADV", "BNF", "DIR", "DTV", "EXT", "LOC", "MNR", "PRP", "PUT", "TMP", "VOC"])

_DIVIDERS = frozenset([",", ":"])
_DASHES = frozenset(["—", "–"])  # beside --, which divides conjuncts
_INSIDE_PARENTHESES = frozenset(["NP", "PP", "INTJ", "FRAG"])

# As the converter knows them: the other names of months are no dates to it.
_NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS"])
_MONTHS = frozenset(["January", "February", "March", "June", "July", "September", "October", "December"]) | {
    *["Jan.", "Feb.", "Aug.", "Oct.", "Nov."]
}
_DEGREE_ADVERBS = frozenset(["as", "too", "very"])


def is_divider(node: Node) -> bool:
    """Whether it stands between conjuncts: a comma, semicolon, colon or hyphens, or a conjunction."""
    return node.label in CONJUNCTIONS or (node.label in _DIVIDERS and node.word not in _DASHES)


def conjunctions(children: list[Node]) -> list[int]:
    """The places of the conjunctions, but for one that begins or ends the phrase (*But …*, *both … and*)."""
    begun = False
    places = []
    for place, child in enumerate(children[:-1]):
        if begun and child.label in CONJUNCTIONS:
            places.append(place)
        begun = begun or child.label not in PUNCTUATION
    return places


def is_flat(children: list[Node]) -> bool:
    """Whether no two of them stand side by side undivided: each is a whole conjunct."""
    marks = [child.label in PUNCTUATION or child.label in CONJUNCTIONS for child in children]
    return all(marks[place] or marks[place + 1] for place in range(len(marks) - 1))


def is_list(node: Node) -> bool:
    """Whether it coordinates without a conjunction: like phrases, each divided from the next; three if they are NPs."""
    if node.label == "UCP":
        return True
    if any(child.word in _DASHES for child in node.children):
        return False
    label, count, divided = node.label, 0, True
    for child in node.children:
        if is_divider(child):
            divided = divided or not (child.label == ":" and node.label in NOMINAL)
        elif not child.is_word:
            if count == 0 and node.label in ("PRN", "FRAG") and child.label in _INSIDE_PARENTHESES:
                label = child.label
            is_numeral = label == "NP" and child.children[-1].label == "CD"
            if child.label != label or is_numeral or ADVERBIAL.intersection(child.functions) or not divided:
                return False
            count, divided = count + 1, False
    return count > (2 if node.label in NOMINAL else 1)


def bracket(node: Node) -> None:
    """Bracket what belongs together in a flat phrase: dates, adverb and adjective, conjuncts; subordinators."""
    if node.label in NOMINAL:
        _bracket_noun_phrase(node)
    elif node.label == "SBAR":
        _bracket_subordinators(node)


def _bracket_subordinators(node: Node) -> None:
    """(Even though) it rains."""
    first = next((place for place, child in enumerate(node.children) if not child.is_word), 0)
    labels = [child.label for child in node.children[:first]]
    if len(labels) > 1 and "IN" in labels and not (PUNCTUATION | CONJUNCTIONS).intersection(labels):
        _bracket(node, 0, first, "IN")


def _bracket_noun_phrase(node: Node) -> None:
    _bracket_date(node)
    _bracket_adjectives(node)
    if not conjunctions(node.children):
        return
    if node.label == "NP" and _ends_in_nx(node):
        _bracket(node, 0, _last_place(node), "NX")
    elif not is_flat(node.children):
        _bracket_conjuncts(node)
    _bracket_after_conjunctions(node)


def _bracket_date(node: Node) -> None:
    """October 13: part of what follows, be it a year or a noun."""
    pairs = zip(node.children, node.children[1:-1], strict=False)
    for place, (month, day) in enumerate(pairs):
        is_day = day.label == "CD" and (day.word or "").isdigit() and len(day.word or "") < 3
        if is_day and month.label == "NNP" and month.word in _MONTHS:
            _bracket(node, place, place + 2, "NP-TMP")
            return


def _bracket_adjectives(node: Node) -> None:
    """A (very good) reason, but for adverbs that tell a degree of the whole: only, just, even."""
    place = len(node.children) - 3
    while place >= 0:
        adverb, adjective = node.children[place : place + 2]
        word = (adverb.word or "").lower()
        if adverb.label == "RB" and adjective.label == "JJ" and (word.endswith("ly") or word in _DEGREE_ADVERBS):
            _bracket(node, place, place + 2, "ADJP")
        place -= 1


def _ends_in_nx(node: Node) -> bool:
    """Whether conjuncts share the noun at their end: [the (Japanese and American)] markets."""
    return len(node.children) > 3 and node.children[_last_place(node)].label == "NX" and node.children[0].label != "NX"


def _last_place(node: Node) -> int:
    """That of the last child that is no punctuation."""
    return max(place for place, child in enumerate(node.children) if child.label not in PUNCTUATION)


def _bracket_conjuncts(node: Node) -> None:
    """The (pie and bar) graphs: the words on both sides of a conjunction, if they are of a kind."""
    children = node.children
    for place in conjunctions(children):
        label = children[place - 1].label
        end = place
        while end + 1 < len(children) and children[end].label == "CC" and _is_word_of(children[end + 1], label):
            end += 2
        if end > place:
            is_head = end > _last_place(node)  # posts 542 and 543
            _bracket(node, place - 1, end, "NX" if is_head and label not in _NOUNS else label)
            return


def _is_word_of(node: Node, label: str) -> bool:
    return node.is_word and node.label == label


def _bracket_after_conjunctions(node: Node) -> None:
    """Tom and (probably Mary): a phrase with the adverbs before it."""
    children = node.children
    for place in reversed(conjunctions(children)):
        end = place + 1
        while end < len(children) and children[end].label in ("RB", "ADVP", "PP", ","):
            end += 1
        has_adverb = any(child.label != "," for child in children[place + 1 : end])
        if has_adverb and end < len(children) and not children[end].is_word and children[end].label != "CONJP":
            _bracket(node, place + 1, end + 1, children[end].label)


def _bracket(node: Node, start: int, end: int, label: str) -> None:
    bracket = Node(label, node.children[start:end])
    bracket.parent = node
    node.children[start:end] = [bracket]
