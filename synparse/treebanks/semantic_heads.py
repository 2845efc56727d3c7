"""Semantic head rules: the content word is the head of its clause, auxiliaries and copulas depend on it.

Stanford Dependencies and Universal Dependencies (de Marneffe et al. 2006, 2014) have in common that the head of a verb
group is its main verb, of a copular clause the predicate, of a coordination the first conjunct. Here are the rules that
a table of `synparse.treebanks.head_rules` cannot express, and the rows of both schemes; each scheme adds its own rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from synparse.treebanks.closed_classes import AUXILIARIES, BE, GET
from synparse.treebanks.head_rules import HeadRules, HeadSearch, find_head, parse_head_rules
from synparse.treebanks.penn import PUNCTUATION as PENN_PUNCTUATION
from synparse.treebanks.penn import Node

PUNCTUATION = PENN_PUNCTUATION | {"HYPH", "NFP"}
"""Parts of speech of punctuation marks."""

COORDINATORS = frozenset({"CC", "CONJP"})

ALWAYS_AUXILIARY = frozenset({"MD", "TO"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "AUX", "AUXG"})
PARTICIPLES = frozenset({"VBN", "VBD", "VBG"})

HEAD_RULES = parse_head_rules("""
JJP     first NNS NN $ QP JJ VBN VBG ADJP JJP NP JJR JJS DT FW RBR RBS SBAR RB
FRAG    first IN ; last RB ; first NP ; first ADJP ADVP FRAG S SBAR VP
LST     last LS :
PRN     first VP SQ S SINV SBAR NP ADJP PP ADVP INTJ WHNP NAC VBP JJ NN NNP
PRT     last RP
QP      last $ NNS NN CD JJ PDT DT IN RB NCD QP JJR JJS
RRC     first RRC ; last VP ADJP JJP NP PP ADVP
ROOT    first S SQ SBARQ SINV SBAR FRAG
S       first VP S FRAG SBAR ADJP JJP UCP TO ; last NP
SBAR    first S SQ SINV SBAR FRAG VP WHNP WHPP WHADVP WHADJP IN DT
SBARQ   first SQ S SINV SBARQ FRAG SBAR
SINV    first VP VBD VBN MD VBZ VB VBG VBP S SINV ADJP JJP NP
SQ      first VP SQ ADJP VB VBZ VBD VBP MD AUX AUXG
VP      first TO MD VBD VBN VBZ VB VBG VBP VP AUX AUXG ADJP JJP NN NNS JJ NP NNP
WHADJP  first ADJP JJ JJR WP ; last RB
WHNP    last-of NN NNP NNPS NNS NX NML JJR WP ; first WHNP NP ; last-of $ ADJP JJP PRN FW ; last CD ;
        last-of JJ JJS RB QP ; first WHPP WHADJP WP$ WDT
X       last S VP ADJP JJP NP SBAR PP X
""")
"""The head rules of both schemes."""

_VERB_PHRASE = (HeadSearch("first", ("VP",)),)
_PROGRESSIVE = (HeadSearch("first", ("VP", "ADJP")),)
PREDICATES = ("VP", "ADJP", "JJP", "NP", "WHADJP", "WHNP")
"""Categories that are the head of a clause with a form of be, in order of preference."""

_MARKS = tuple(sorted(PUNCTUATION))
_FIRST = (HeadSearch("first-not", _MARKS), HeadSearch("first", ("*",)))
_LAST = (HeadSearch("last-not", _MARKS), HeadSearch("last", ("*",)))


def set_heads(
    root: Node,
    rules: HeadRules,
    predicates: tuple[str, ...] = PREDICATES,
    auxiliaries: frozenset[str] = AUXILIARIES,
) -> Node:
    """Set the ``head`` (head child) of every constituent under ``root``. Returns ``root``. O(nodes)."""
    nodes = root.bottom_up()
    existential: set[Node] = set()
    for node in nodes:
        if node.label == "EX" or not existential.isdisjoint(node.children):
            existential.add(node)
    for node in nodes:
        if len(node.children) == 1:
            node.head = node.children[0]
        elif node.children:
            special = _head_of_clause(node, predicates, auxiliaries, existential)
            node.head = _head_child(node.children, special, rules.get(node.label))
    return root


def _head_child(children: Sequence[Node], head: Node | None, steps: tuple[HeadSearch, ...] | None) -> Node:
    """The first conjunct of the head: ``head`` or else the child that the rules find.

    If they find none, it is the child at the end where their last step began to look, punctuation aside; the first
    one, where there are no rules.
    """
    if head is None and steps:
        head = find_head(children, steps)
    if head is None:
        head = find_head(children, _LAST if steps and steps[-1].way.startswith("last") else _FIRST)
    assert head is not None
    return _first_conjunct(children, children.index(head))


def _first_conjunct(children: Sequence[Node], position: int) -> Node:
    """The first conjunct of the coordination of ``children[position]``, or that child, if it is not a conjunct."""
    if position < 2 or children[position - 1].label not in COORDINATORS:
        return children[position]
    first = position - 2
    while first >= 0 and children[first].label in PUNCTUATION | {"INTJ", "UH"}:
        first -= 1
    while first >= 2 and children[first - 1].label in (",", ":"):  # not past a quotation mark: the "(art and craft)"
        first -= 2
    while first >= 0 and children[first].label in PUNCTUATION:
        first -= 1
    return children[first if first >= 0 else position]


def _head_of_clause(
    node: Node, predicates: tuple[str, ...], auxiliaries: frozenset[str], existential: set[Node]
) -> Node | None:
    """The verb phrase beside an auxiliary, the predicate beside a copula; None if the table decides. ``existential``:
    the constituents with *there* in them."""
    children = node.children
    if node.label in ("VP", "SQ", "SINV"):
        candidates = [child for child in children if child.label != "NP" or not {"TMP", "ADV"} & set(child.functions)]
        if _has_auxiliary(children, auxiliaries) or _is_passive_or_progressive(children):
            head = find_head(candidates, _PROGRESSIVE if _has_copula(children) else _VERB_PHRASE)
            if head is not None:
                return head
        if _has_copula(children) and not _is_existential(node, existential) and not _questions_predicate(node):
            head = find_head(candidates, (HeadSearch("last" if node.label == "SQ" else "first", predicates),))
            if node.label == "SQ" and head is not None and head.label == "NP":
                is_alone = all(child.label != "NP" for child in children[: children.index(head)])
                return None if is_alone else head  # a single noun phrase is the subject: is (it)?
            return head
    if node.label == "SBARQ" and _has_copula(children):
        return find_head(children, (HeadSearch("first", ("WHNP",)),))  # what is (it)?
    return None


def _has_auxiliary(children: Sequence[Node], auxiliaries: frozenset[str]) -> bool:
    return any(
        child.is_word and (child.label in ALWAYS_AUXILIARY or (child.label in VERBS and child.form in auxiliaries))
        for child in children
    )


def _has_copula(children: Sequence[Node]) -> bool:
    return any(child.is_word and child.label in VERBS and child.form in BE for child in children)


def _is_passive_or_progressive(children: Sequence[Node]) -> bool:
    if not any(child.is_word and child.label in VERBS and child.form in BE | GET for child in children):
        return False
    return any(
        grandchild.label in PARTICIPLES | {"JJ"} or (grandchild.label == "VP" and grandchild.has(*PARTICIPLES))
        for child in children
        if child.label == "VP"
        for grandchild in child.children
    )


def _is_existential(node: Node, existential: set[Node]) -> bool:
    """There is …: the verb is the head."""
    around = node.children if node.label in ("SQ", "SINV") else node.parent.children if node.parent else ()
    return any(sibling in existential for sibling in itertools.takewhile(lambda sibling: sibling is not node, around))


def _questions_predicate(node: Node) -> bool:
    """What is (it)?: the question word is the predicate, not the noun phrase in the verb phrase."""
    parent = node.parent
    return node.label == "SQ" and parent is not None and parent.label == "SBARQ" and parent.has("WHNP")
