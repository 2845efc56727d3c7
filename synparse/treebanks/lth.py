"""The dependencies of the CoNLL 2007 and 2008 shared tasks, as the LTH converter makes them from Penn trees.

Richard Johansson and Pierre Nugues, Extended constituent-to-dependency conversion for English (NODALIDA 2007); Mihai
Surdeanu et al., The CoNLL-2008 shared task on joint parsing of syntactic and semantic dependencies. The rules come from
these papers and, where they give none, from the converter's output (version of 2008, without right-branching of noun
phrases). Auxiliaries are the heads of their verbs, prepositions of their noun phrases.

2008: *to* and subordinators are the heads of what follows them, conjuncts and conjunctions form a chain, and traces
give long-distance dependencies. 2007: *to* and subordinators depend on the verb, conjuncts on the (last) conjunction,
and the head of an apposition is its last member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from synparse.treebanks.closed_classes import PRECONJUNCTIONS
from synparse.treebanks.conversion import Conversion
from synparse.treebanks.head_rules import HeadRules, HeadSearch, find_head, parse_head_rules
from synparse.treebanks.lth_brackets import add_brackets
from synparse.treebanks.lth_coordination import (
    ADVERBIAL,
    CONJUNCTIONS,
    NOMINAL,
    conjunctions,
    is_divider,
    is_flat,
    is_list,
    is_list_item,
    is_typographic,
)
from synparse.treebanks.lth_labels import (
    Dependency,
    continues_verb,
    is_posthonorific,
    is_shared_object,
    relation_2007,
    relation_2008,
    role_of,
)
from synparse.treebanks.lth_traces import resolve_traces
from synparse.treebanks.penn import PUNCTUATION, Node, labels_of, without_traces

_WH = "WHNP WHADVP WHADJP WHPP WDT WP WP$ WRB"
_HEADS = r"""
ADJP,JJP
        last NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB ; last *
ADVP    first RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN ; first *
CONJP   first CC RB IN ; first *
FRAG    first-of NN NNS NNP NNPS NP ; first-of {wh} ; first SBAR ; first-of PP IN ; first-of ADJP JJ ;
        first ADVP RB NAC ; first-not , : `` '' . ; first *
IN      first IN ; first *
INTJ    first *
LST     first LS : ; first *
NAC,NML,NP,NX,WHNP
        last-of NN NNP NNPS NNS NX NML ; {np} NP WHNP ; first NAC ; last $ JJR CD ; last-of JJ JJS ;
        last-of ADJP JJP PRN ; last RB QP ; last-not POS ; last *
PP      first-of IN TO VBG VBN RP FW ; first-not , : `` '' . ; first *
PRN     first-of S SBAR SINV SQ SBARQ SYM ; first-of NP NN NNS NNP NNPS NX NML NAC ; first-of {wh} ; first-of PP IN ;
        first-of ADJP JJ JJR JJS ; first ADVP ; first-of RB RBR RBS ; first *
PRT     first RP ; first *
QP      first $ \# ; last-of NN NNS NNP NNPS ; last JJ RB DT CD QP JJR JJS ; last *
ROOT    first-not , : `` '' . ; first *
RRC     first VP NP ADVP ADJP PP ; first *
S       last VP ; first S ; last SBAR ADJP UCP NP ; last *
SBARQ   first SQ S SINV SBARQ FRAG ; last *
SINV    first-of VBZ VBD VBP VB MD ; last VP ; first S SINV ADJP NP ; last *
SQ      first-of VBZ VBD VBP VB MD ; last VP ; first SQ ; last *
UCP     first *
VP      first {to} VBD VBN MD VBZ VB VBG VBP ; first VP TO JJ ADJP NN NNS NP ; first *
WHADJP  first CC WRB JJ ADJP ; last *
WHADVP  first CC WRB ; last *
WHPP    first IN TO FW ; first *
"""


def _head_rules(np: str, to: str, sbar: str) -> HeadRules:
    """np: which of several noun phrases is the head of a noun phrase. to: "TO" if it is a head. sbar: steps of SBAR."""
    return parse_head_rules(_HEADS.format(np=np, wh=_WH, to=to) + f"SBAR {sbar} ; last *")


_DIVIDING = CONJUNCTIONS | {",", ":"}

_OTHERWISE = (HeadSearch("last", ("*",)),)


class _Scheme(NamedTuple):
    """heads: head rules. relation: gives the label. is_chained: conjuncts depend on the conjunction before them."""

    heads: HeadRules
    relation: Callable[[Dependency, bool], str]
    is_chained: bool


_SCHEME_2008 = _Scheme(_head_rules("first", "TO", "first IN DT RB S SQ SINV ; last SBAR FRAG"), relation_2008, True)
_SCHEME_2007 = _Scheme(_head_rules("last", "", "first S SQ SINV ; last SBAR FRAG"), relation_2007, False)

_Arcs = dict[Node, tuple[Node, str]]
"""Dependent → (its governor, the relation); the relation is "" except in coordination and for punctuation."""


def convert_2008(root: Node, raw: bool) -> Conversion:
    """Heads and labels of the CoNLL-2008 shared task; arcs that come from traces may cross.

    root: the tree of `synparse.treebanks.penn.nodes_of`, which is changed. raw: ignore function tags and traces, as the
    original converter does for treebanks without traces; this gives fewer labels.
    """
    return _convert(root, _SCHEME_2008, raw)


def convert_2007(root: Node, raw: bool) -> Conversion:
    """Heads and labels of the CoNLL-2007 shared task; arguments as in `convert_2008`."""
    return _convert(root, _SCHEME_2007, raw)


def _convert(root: Node, scheme: _Scheme, raw: bool) -> Conversion:
    if raw:
        for node in root.preorder():
            node.functions = ()
    else:
        resolve_traces(root, raises_parentheticals=scheme.is_chained)
    for node in without_traces(root).bottom_up():
        add_brackets(node)
    arcs: _Arcs = {}
    words: dict[Node, Node] = {}
    tails: dict[Node, Node] = {}
    size = 0
    for node in root.bottom_up():
        if node.is_word:
            words[node] = node
            size += 1
        elif node.children:  # none: a tree of traces
            arcs.update(_arcs(node, scheme, raw, words, tails, arcs))
            if scheme.is_chained and not raw and node.label == "VP":
                arcs.update(_raised(node, words))
    heads, relations = [0] * size, ["ROOT"] * size
    for node, (governor, relation) in arcs.items():
        word, head = words[node], words[governor]
        heads[word.position - 1] = head.position
        relations[word.position - 1] = relation or scheme.relation(Dependency(node, governor, word, head), raw)
    if not raw:
        _close_gaps(scheme, words, arcs, heads, relations)
    return Conversion(tuple(heads), tuple(relations))


def _arcs(
    node: Node, scheme: _Scheme, raw: bool, words: dict[Node, Node], tails: dict[Node, Node], below: _Arcs
) -> _Arcs:
    """The arcs of the children of a node. Sets its head, and adds the last conjunct below it to ``tails``.

    ``below``: the arcs found so far.
    """
    is_coordination = conjunctions(node.children) or is_list(node) or (scheme.is_chained and is_list_item(node))
    if not is_coordination:
        node.head = head = _head_of(node, node.children, scheme, raw)
        arcs = {child: (head, "P" if child.label in PUNCTUATION else "") for child in node.children}
        del arcs[head]
    elif scheme.is_chained:
        arcs = _chain(node, scheme, raw, words, tails, below)
    else:
        arcs = _star(node, words)
    assert node.head is not None
    words[node] = words[node.head]
    if node.head in tails:
        tails.setdefault(node, tails[node.head])
    return arcs


def _head_of(node: Node, children: Sequence[Node], scheme: _Scheme, raw: bool) -> Node:
    if not raw:
        children = [child for child in children if not _is_moved(child)] or children
    if node.label == "S" and all(child.label != "VP" for child in children):
        children = [child for child in children if "PRD" in child.functions] or children
    if scheme.is_chained and labels_of(children) == ["NNP", ",", "NNP", ","]:
        return children[0]  # Peoria, Ill.,
    if scheme.is_chained and not raw and len(children) > 1 and is_posthonorific(children[-1]):
        children = children[:-1]
    if scheme.is_chained and node.label in NOMINAL and labels_of(children).count("NP") > 1:
        children = [child for child in children if not _is_possessor(child)] or children
    if node.label in NOMINAL or node.label == "S":
        children = [child for child in children if not ADVERBIAL.intersection(child.functions)] or children
    head = find_head(children, scheme.heads.get(node.label, _OTHERWISE))
    assert head is not None  # the last step of every line in the tables always finds a child
    return head


def _is_moved(node: Node) -> bool:
    """Whether it was moved to the place of a trace, which is no head: [three] came, (two of them) late."""
    return len(node.children) == 1 and bool(node.children[0].index)


def _is_possessor(node: Node) -> bool:
    """(Marty 's), one of the shops."""
    return node.label == "NP" and node.children[-1].label == "POS"


def _chain(
    node: Node, scheme: _Scheme, raw: bool, words: dict[Node, Node], tails: dict[Node, Node], below: _Arcs
) -> _Arcs:
    """Coordination of 2008: a conjunction depends on the conjunct before it, and the next conjunct on the conjunction.

    The head is that of the first conjunct. If the first conjunct is itself a coordination, the chain goes on from its
    last conjunct; if a later one is, the next link replaces its last conjunct, which then depends on that link. A child
    with a grammatical role depends on the head, and so does a conjunction without a conjunct after it.
    """
    children = node.children
    start = next((position for position, child in enumerate(children) if _may_begin(child)), 0)
    begin = next((position for position in range(start) if children[position].label in CONJUNCTIONS), start)
    end = next(
        (position for position in range(begin + 1, len(children)) if children[position].label in _DIVIDING),
        len(children),
    )
    mixed = _is_mixed(node)
    node.head = head = _head_of(node, children if mixed else children[begin:end], scheme, raw)
    roles = [_has_role(child, words[child]) and not continues_verb(child, words[head]) for child in children]
    links = _links(children, roles)
    final = max(links, default=0)
    last, relation, is_before = tails.get(head, head), "COORD", True
    displaced = None
    arcs: _Arcs = {}
    for position, child in enumerate(children):
        if child is head:
            is_before = False
        elif child.label in PUNCTUATION:
            arcs[child] = (last if position < final else head, "P")
        elif roles[position]:
            arcs[child] = (head, "")
        elif _has_gap(child):
            arcs[child] = (last, relation)
        elif mixed or is_before:
            arcs[child] = (head, "" if position <= start else "COORD")
        elif position not in links:
            arcs[child] = (head, "COORD")
        else:
            arcs[child] = (last, relation)
            if displaced is not None:
                arcs[child] = below[displaced]
                arcs[displaced] = (child, relation)
                displaced = None
            last = child
            relation = "CONJ" if child.label in CONJUNCTIONS else "COORD"
            if child in tails:
                displaced = tails[child]
                last = below[displaced][0]
            if child.label not in CONJUNCTIONS:
                tails[node] = child
    return arcs


def _links(children: Sequence[Node], roles: Sequence[bool]) -> set[int]:
    """The indices of conjuncts, and of the conjunctions before them."""
    links: set[int] = set()
    before_conjunct = False
    for position in reversed(range(len(children))):
        if roles[position] or children[position].label in PUNCTUATION:
            continue
        is_conjunction = children[position].label in CONJUNCTIONS
        if before_conjunct or not is_conjunction:
            links.add(position)
        before_conjunct = not is_conjunction
    return links


def _has_role(node: Node, word: Node) -> bool:
    """Whether it is a modifier or complement of the coordination beside it, and so not a conjunct."""
    if (node.above == "UCP" and node.label != "PRN") or (node.above == "SBAR" and node.label == "ADVP"):
        return False
    return is_shared_object(node) or bool(role_of(node, word))


def _may_begin(node: Node) -> bool:
    """Whether a coordination can begin with it."""
    is_barred = node.label in PUNCTUATION | CONJUNCTIONS or ADVERBIAL.intersection(node.functions)
    return is_typographic(node) or not is_barred


def _is_mixed(node: Node) -> bool:
    """Whether a noun phrase has words beside its conjuncts that brackets cannot separate."""
    children = node.children
    if node.label not in NOMINAL or len(conjunctions(children)) != 1 or not all(child.is_word for child in children):
        return False
    is_numeric = len(children) > 3 and all(child.label in ("CD", ",", "CC") for child in children)
    return is_numeric or not is_flat(children)


def _star(node: Node, words: dict[Node, Node]) -> _Arcs:
    """Coordination of 2007: all children depend on the last conjunction or, without one, on the last divider.

    The conjunction that begins a list (But it rains, it snows) counts where none is within.
    """
    children = node.children
    positions = (
        conjunctions(children)
        or [position for position, child in enumerate(children) if child.label == "CC"]
        or [position for position, child in enumerate(children) if is_divider(child)]
    )
    node.head = head = children[positions[-1] if positions else 0]
    arcs: _Arcs = {}
    for position, child in enumerate(children):
        if child.label in CONJUNCTIONS:
            arcs[child] = (head, "CC")
        elif node.label == "NP" and child.label == "DT" and child.form in PRECONJUNCTIONS and not is_flat(children):
            arcs[child] = (head if child.form == "both" else children[position + 1], "NMOD")
        elif _has_role(child, words[child]):
            arcs[child] = (head, "")
        else:
            arcs[child] = (head, "P" if words[child].label in PUNCTUATION else "COORD")
    del arcs[head]
    return arcs


def _raised(node: Node, words: dict[Node, Node]) -> _Arcs:
    """*I want [him to go]*: the subject of a clause without a finite verb is the object of the verb before it. *It was
    John [who left]*: the clause of a cleft modifies the predicate."""
    arcs: _Arcs = {}
    for clause in node.children:
        role = role_of(clause, words[clause]) if clause is not node.head else ""
        if "OPRD" in role.split("-") and node.head is not None:
            inner = clause
            while inner.head is not None and inner.head.label == "S":
                inner = inner.head
            for child in inner.children:
                if "SBJ" in child.functions and child is not inner.head:
                    arcs[child] = (node.head, "OBJ")
        elif role == "CLF":
            predicates = (child for child in node.children if child.label == "NP" and "PRD" in child.functions)
            if (predicate := next(predicates, None)) is not None:
                arcs[clause] = (predicate, "NMOD")
    return arcs


def _has_gap(node: Node) -> bool:
    return any(child.gap for child in node.children)


def _close_gaps(scheme: _Scheme, words: dict[Node, Node], arcs: _Arcs, heads: list[int], relations: list[str]) -> None:
    """*They sell tea in Rome and [wine in Oslo]*: the parts of a conjunct without its verb are dependents themselves.

    2008: of what the conjunct would depend on, with the relations of their counterparts (*tea*, *in Rome*) and GAP.
    2007: of their counterparts, as GAP. Other parts, such as commas, depend on the nearest part that has a counterpart.
    """
    indexed = {node.index: node for node in words if node.index and node.children}
    for node in words:
        if node not in arcs or not _has_gap(node):
            continue
        start = min(leaf.position for leaf in node.leaves())
        counterparts = ((child, words[indexed[child.gap]]) for child in node.children if child.gap in indexed)
        pairs = {child: counterpart for child, counterpart in counterparts if counterpart.position < start}
        if not pairs:
            continue
        governor = arcs[node][0] if scheme.is_chained else next(iter(pairs))
        for child in node.children:
            counterpart, word = pairs.get(child), words[child]
            at = word.position - 1
            if counterpart is None:
                if child is node.head:
                    relations[at] = scheme.relation(Dependency(child, governor, word, words[governor]), False)
                heads[at] = words[governor].position
            elif scheme.is_chained:
                heads[at] = words[governor].position
                relations[at] = "-".join(sorted(("GAP", relations[counterpart.position - 1])))
            else:
                heads[at], relations[at] = counterpart.position, "GAP"
                governor = child
