"""Basic Universal Dependencies (version 2, Nivre et al. 2020) of English Penn trees.

Content words are heads: a preposition depends on its noun, an auxiliary or copula on the predicate, a conjunction on
the conjunct after it. The steps: rearrange the tree, find the head child of each constituent, find the relation of each
other child to it (`synparse.treebanks.universal_relations`), and tag the words.
"""

from __future__ import annotations

from collections.abc import Sequence

from synparse.treebanks.closed_classes import AUXILIARIES, REDUCED
from synparse.treebanks.conversion import Conversion, lexical_heads, with_passive_subjects
from synparse.treebanks.head_rules import parse_head_rules
from synparse.treebanks.penn import Node, labels_of
from synparse.treebanks.question_words import CLAUSES, QUESTION_WORDS, beside, move_to_complement
from synparse.treebanks.rearrangement import COMPARISON, rearrange
from synparse.treebanks.relation_rules import dependents_of
from synparse.treebanks.semantic_heads import COORDINATORS, PREDICATES, PUNCTUATION, set_heads
from synparse.treebanks.semantic_heads import HEAD_RULES as SHARED_RULES
from synparse.treebanks.stanford_relations import UNCOORDINATED
from synparse.treebanks.universal_relations import (
    EXPRESSIONS,
    NONFINITE,
    RELATIONS,
    expression_at,
    verb_phrase,
    verb_tag,
)
from synparse.treebanks.universal_tags import universal_tags

HEAD_RULES = SHARED_RULES | parse_head_rules("""
ADJP    first $ ; last-of NNS NN NNP JJ QP VBN VBG ; first ADJP ; last-of JJP JJR JJS DT RB RBR CD IN VBD ;
        first ADVP NP
ADVP    first ADVP ; last-of RB RBR RBS JJ JJR JJS ; last-of RP DT NN CD NP VBN NNP CC FW NNS ADJP NML ; first IN
CONJP   first CC ; first RB IN VB JJ
NAC,NP,NX,NML
        last-of NN NNP NNPS NNS NX NML JJR WP $ ; first NP PRP ; last-of ADJP JJP FW CD JJ JJS QP ;
        last-of DT WDT RB RBR WP$ ADVP ; first POS
INTJ    last-of NN NNP ; first
PP      first NP S SBAR NX NML ; first-of ADJP ADVP ; first PP VP QP UCP SBARQ FRAG INTJ ; last
WHADVP  last-of WRB RB RBR JJ WHADVP
WHPP    first WHNP WHADVP NP ; last
XS      last-of JJR RBR JJ RB JJS ; first IN
""")


TRANSPARENT = PUNCTUATION | {"ADVP", "PRN"}
"""What may stand between a conjunction and its conjunct."""
NO_CONJUNCTS = PUNCTUATION | COORDINATORS | {"PRN", "INTJ", "UH"}
ADVERBIAL = frozenset({"ADVP", "PP", "UCP", "WHADVP"})
"""Phrases in which an adverb phrase after a conjunction is a conjunct."""
UNLIKE = frozenset({("S", "SBAR"), ("SQ", "SBAR"), ("FRAG", "S")})
"""Constituents, and clauses in them that are not conjuncts even after a conjunction: it rains, but (if it snows)."""

APART = frozenset({("VP", "SBAR"), ("SBARQ", "SBAR")})
"""Constituents, and conjuncts in them on which the conjunction before them does not depend: sing, but (if it rains)."""


def convert(root: Node) -> Conversion:
    """The dependencies of a tree, with heads, relations and universal parts of speech. Changes ``root``."""
    _open_phrases(root, "CONJP")
    rearrange(root)
    _open_phrases(root, COMPARISON)
    _join_prepositions(root)
    set_heads(root, HEAD_RULES, (*PREDICATES, "PP", "UCP"), AUXILIARIES - REDUCED)
    _promote_remnants(root)
    firsts = _join_words(root)
    words = lexical_heads(root)
    leaves = root.leaves()
    heads, relations = [0] * len(leaves), ["root"] * len(leaves)
    questions: list[Node] = []
    for node in reversed(root.bottom_up()):
        if len(node.children) < 2:
            continue
        dependents = dependents_of(node, words)
        conjuncts = _conjuncts(node, dependents[0].head_position) - firsts.keys()
        lacks_verb = bool(dependents[0].head.gap) and dependents[0].head.label != "VP"
        for dependent in dependents:
            child, word, governor = dependent.node, dependent.word, dependent.head_word
            if child in firsts:
                governor, relation = firsts[child], "fixed"
            elif lacks_verb:
                relation = "orphan"  # they sell tea in Rome and (wine in Oslo)
            elif child in conjuncts:
                relation = "conj"
            elif word.label in PUNCTUATION:
                relation = "punct"
            elif node.label == "S" and _is_raised(child, node) and node.parent is not None:
                governor, relation = words[node.parent], "obj"
            else:
                relation = RELATIONS.relation(dependent, "dep")
                if relation == "cc" and dependent.position > dependent.head_position:
                    later = node.children[dependent.position + 1 :]
                    joined = next((sibling for sibling in later if sibling in conjuncts), None)
                    is_apart = joined is not None and (node.label, joined.label) in APART
                    if joined and not is_apart and (later[0] is joined or later[0].label != "RB"):
                        governor = words[joined]  # not in: fish and (RB maybe) (NP chicken)
            heads[word.position - 1], relations[word.position - 1] = governor.position, relation
            if node.label in CLAUSES and (word.label in QUESTION_WORDS or child.label == "WHNP"):
                questions.append(word)
    for question in questions:
        _move_preposition(question, heads, relations, leaves)
        if question.label in QUESTION_WORDS:
            move_to_complement(question, heads, relations, leaves, "obj")
    named = with_passive_subjects(heads, relations, ":pass")
    return Conversion(tuple(heads), named, universal_tags(root, named))


def _move_preposition(question: Node, heads: list[int], relations: list[str], words: Sequence[Node]) -> None:
    """Make prepositions without an object depend on the question word, if it is an oblique: what I look [for]."""
    if relations[question.position - 1] != "obl":
        return
    for position in beside(question, heads):
        phrase = words[position - 1].parent
        if (
            relations[position - 1] == "obl"
            and phrase is not None
            and (phrase.label, len(phrase.children)) == ("PP", 1)
        ):
            heads[position - 1], relations[position - 1] = question.position, "case"


def _open_phrases(root: Node, label: str) -> None:
    """Replace phrases like (not only), (but also) or (as many as) by their words.

    Expressions stay, and so do conjunctions without a word that is tagged as one: (if not), (along with).
    """
    for node in root.preorder():
        if node.has(label):
            children: list[Node] = []
            for child in node.children:
                children += child.children if child.label == label and not _stays_together(child) else [child]
            node.adopt(children)


def _stays_together(phrase: Node) -> bool:
    forms = [word.form for word in phrase.children]
    labels = labels_of(phrase.children)
    joins = phrase.label == "CONJP" and "CC" not in labels and forms[:1] != ["not"]
    return joins or not all([*forms, forms]) or forms in EXPRESSIONS[phrase.label] or labels[-1] == "JJS"


def _join_prepositions(root: Node) -> None:
    """Bracket the prepositions of (to and from) the city."""
    for node in root.preorder():
        labels = labels_of(node.children)
        if node.label == "PP" and labels[:3] in (["IN", "CC", "IN"], ["IN", "CC", "TO"], ["TO", "CC", "IN"]):
            node.adopt([Node("IN", node.children[:3]), *node.children[3:]])


def _join_words(root: Node) -> dict[Node, Node]:
    """Each later word of a multiword expression → its first word, which also replaces it as the head of a phrase."""
    firsts: dict[Node, Node] = {}
    for node in root.preorder():
        if node.label not in EXPRESSIONS or (node.label == "ADVP" and not _is_fixed_adverb(node)):
            continue
        for position, child in enumerate(node.children):
            joined = _expression(node, position)
            firsts.update((part, child) for part in joined if part not in firsts and child not in firsts)
            if node.head in joined:
                node.head = child
    return firsts


def _is_fixed_adverb(node: Node) -> bool:
    """Whether an adverb phrase may hold an expression: at least (it rains), but in a noun phrase *at* is a preposition;
    as well, but not just (as well)."""
    labels = labels_of(node.children)
    if labels[:2] == ["IN", "JJS"]:
        return node.above not in ("NP", "QP", "SBAR")
    return labels == ["RB", "RB"] or all(child.form != "well" for child in node.children)


def _expression(node: Node, position: int) -> list[Node]:
    """The later words of a multiword expression that begins with the child at ``position``; [] if none does."""
    child, following = node.children[position], node.children[position + 1 :]
    if child.form == "according" and following and following[0].label == "PP":
        return [part for part in following[0].children[:1] if part.label in ("TO", "IN")]
    return expression_at(node, position)[1:]


def _promote_remnants(root: Node) -> None:
    """They sell tea in Rome and (wine in Oslo): the first part heads a clause or verb phrase without its verb."""
    for node in root.preorder():
        remnants = [child for child in node.children if child.gap]
        if remnants and node.head is not None and node.head.label != "VP":
            node.head = remnants[0]


def _is_raised(child: Node, clause: Node) -> bool:
    """Want (him to go): the subject of an infinitive is the object of the verb above."""
    above = clause.parent
    if child.label != "NP" or above is None or above.label != "VP" or above.head is clause:
        return False
    phrase = verb_phrase(clause)
    return phrase is not None and phrase.has("TO")


def _conjuncts(node: Node, head_position: int) -> set[Node]:
    """The conjuncts of a coordination but the first, which heads it."""
    children = node.children
    if node.label in UNCOORDINATED:
        return set()
    positions = [position for position, child in enumerate(children) if child.label in COORDINATORS]
    if not positions or positions[-1] < head_position:
        return set()
    conjuncts = set()
    for position in range(head_position + 1, len(children)):
        link = _link(children, position, head_position, positions[-1])
        if link is not None and _is_joined(node, position, children[head_position], link):
            conjuncts.add(children[position])
    return conjuncts


def _link(children: Sequence[Node], position: int, head_position: int, last: int) -> Node | None:
    """What joins a child to those before it: a conjunction, or punctuation if the ``last`` conjunction is after it.

    The object that coordinated verbs share (buy, or sell, houses) is joined by punctuation, too.
    """
    if children[position].label in NO_CONJUNCTS:
        return None
    is_shared = children[position].label == "NP" and children[position].above == "VP"
    for before in range(position - 1, head_position, -1):
        child = children[before]
        if child.label in COORDINATORS or (child.label in (",", ":") and (position < last or is_shared)):
            return child
        if child.label not in TRANSPARENT:
            return None
    return None


def _is_joined(node: Node, position: int, head: Node, link: Node) -> bool:
    child = node.children[position]
    following = node.children[position + 1].label if position + 1 < len(node.children) else ""
    if link.label in PUNCTUATION:
        between_commas = link.label == "," == following
        return (
            node.label != "FRAG" and child.label != "CD" and not (node.label == child.label == "S" and between_commas)
        )
    if child.label in ("ADVP", "RB"):
        return child.label == head.label or (child.label == "ADVP" and node.label in ADVERBIAL)
    if child.label == "PP" and child.label != head.label and following and following not in PUNCTUATION | {"CC"}:
        return False
    if (node.label, child.label) == ("VP", "S"):  # sing and (to dance), but not: sing but (it rains)
        return verb_tag(child) in {"", *NONFINITE}
    return (node.label, child.label) not in UNLIKE
