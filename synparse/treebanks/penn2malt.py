"""Penn2Malt: unlabelled dependencies by the head rules of Yamada and Matsumoto.

Every constituent has one head child, and all its other children depend on it. Heads are: the auxiliary of a verb group,
the preposition of a prepositional phrase, and the first or last conjunct, depending on the category. Punctuation is
the head of a constituent only if it has nothing else.
"""

from __future__ import annotations

from synparse.treebanks.conversion import Conversion, lexical_heads
from synparse.treebanks.head_rules import find_head, parse_head_rules
from synparse.treebanks.penn import PUNCTUATION, Node, without_traces

# Yamada and Matsumoto (IWPT 2003), after Collins, as the literature on Penn2Malt gives them.
HEAD_RULES = parse_head_rules("""
ADJP    last NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB ; last *
ADVP    first RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN ; first *
CONJP   first CC RB IN ; first *
FRAG    first *
LST     first LS ; first *
NAC     last-of NN NNS NNP NNPS ; last NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW ; last *
NP,NX   last-of POS NN NNP NNPS NNS ; last NX JJR CD JJ JJS RB QP NP ; last *
PP      first IN TO VBG VBN RP FW ; first *
PRT     first RP ; first *
QP      last $ IN NNS NN JJ RB DT CD NCD QP JJR JJS ; last *
RRC     first VP NP ADVP ADJP PP ; first *
S       last TO IN VP S SBAR ADJP UCP NP ; last *
SBAR    last WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG ; last *
SBARQ   last SQ S SINV SBARQ FRAG ; last *
SINV    last VBZ VBD VBP VB MD VP S SINV ADJP NP ; last *
SQ      last VBZ VBD VBP VB MD VP SQ ; last *
UCP     first *
VP      first-of VBD VBN MD VBZ VB VBG VBP VP ; first ADJP NN NNS NP TO ; first *
WHADJP  last CC WRB JJ ADJP ; last *
WHADVP  first CC WRB ; first *
WHNP    last WDT WP WP$ WHADJP WHPP WHNP ; last *
WHPP    first IN TO FW ; first *
""")

OTHERWISE = parse_head_rules("* last *")["*"]
"""For categories that are not in the table: the last child."""


def convert(root: Node) -> Conversion:
    """The heads of a Penn tree, projective, without relations. Changes ``root``; function tags do not matter."""
    without_traces(root)
    for node in root.preorder():
        if node.children:
            children = [child for child in node.children if child.label not in PUNCTUATION] or node.children
            node.head = find_head(children, HEAD_RULES.get(node.label, OTHERWISE))
    words = lexical_heads(root)
    heads = [0] * sum(node.is_word for node in words)
    for node, word in words.items():
        for child in node.children:
            if child is not node.head:
                heads[words[child].position - 1] = word.position
    return Conversion(tuple(heads))
