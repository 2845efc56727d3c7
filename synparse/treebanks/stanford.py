"""Basic Stanford Dependencies (de Marneffe and Manning 2008) of English Penn trees."""

from __future__ import annotations

from synparse.treebanks.conversion import Conversion, lexical_heads
from synparse.treebanks.head_rules import parse_head_rules
from synparse.treebanks.penn import Node
from synparse.treebanks.rearrangement import rearrange
from synparse.treebanks.semantic_heads import set_heads

NOUN_PHRASE = """last-of NN NNP NNPS NNS NX NML JJR WP ; first NP PRP ; last-of $ ADJP JJP FW ; last CD ;
    last-of JJ JJS QP DT WDT NML PRP RB RBR WP$ ; first POS ; first-not . , : `` '' -LRB- -RRB- HYPH"""

HEAD_RULES = parse_head_rules(f"""
ADJP    first $ ; last-of NNS NN NNP JJ QP VBN VBG ; first ADJP ; last-of JJP JJR JJS DT RB RBR CD IN VBD ; first ADVP NP
JJP     first NNS NN $ QP JJ VBN VBG ADJP JJP NP JJR JJS DT FW RBR RBS SBAR RB
ADVP    first ADVP IN ; last-of RB RBR RBS JJ JJR JJS ; last-of RP DT NN CD NP VBN NNP CC FW NNS ADJP NML
CONJP   last CC VB JJ RB IN
FRAG    first IN ; last RB ; first NP ; first ADJP ADVP FRAG S SBAR VP
INTJ    first *
LST     last LS :
NAC     first NN NNS NML NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP JJP FW
NP      {NOUN_PHRASE}
NX      {NOUN_PHRASE}
NML     {NOUN_PHRASE}
PP      last IN TO VBG VBN RP FW JJ ; first PP
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
UCP     first *
VP      first TO MD VBD VBN VBZ VB VBG VBP VP AUX AUXG ADJP JJP NN NNS JJ NP NNP
WHADJP  first ADJP JJ JJR WP ; last RB ; last *
WHADVP  last WRB WHADVP
WHNP    last-of NN NNP NNPS NNS NX NML JJR WP ; first WHNP NP ; last-of $ ADJP JJP PRN FW ; last CD ; last-of JJ JJS RB QP ; first WHPP WHADJP WP$ WDT
WHPP    last IN TO FW
X       last S VP ADJP JJP NP SBAR PP X
XS      last IN
""")


def convert(root: Node) -> Conversion:
    """The dependencies of a tree."""
    set_heads(rearrange(root), HEAD_RULES)
    words = lexical_heads(root)
    leaves = root.leaves()
    heads = [0] * len(leaves)
    relations = ["dep"] * len(leaves)
    for node in root.preorder():
        if not node.children:
            continue
        head = words[node]
        for child in node.children:
            if child is not node.head:
                word = words[child]
                heads[word.position - 1] = head.position
                relations[word.position - 1] = "punct" if word.label in (",", ".") else "dep"
    return Conversion(tuple(heads), tuple(relations))
