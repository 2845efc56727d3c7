"""Basic Stanford Dependencies (de Marneffe and Manning 2008) of English Penn trees."""

from __future__ import annotations

from synparse.treebanks.conversion import Conversion, lexical_heads, with_passive_subjects
from synparse.treebanks.head_rules import parse_head_rules
from synparse.treebanks.penn import Node
from synparse.treebanks.question_words import CLAUSES, QUESTION_WORDS, beside, move_to_complement
from synparse.treebanks.rearrangement import rearrange
from synparse.treebanks.relation_rules import dependents_of
from synparse.treebanks.semantic_heads import HEAD_RULES as SHARED_RULES
from synparse.treebanks.semantic_heads import PUNCTUATION, set_heads
from synparse.treebanks.stanford_relations import RELATIONS
from synparse.treebanks.universal_tags import universal_tags

ROOT, OTHER = "root", "dep"

HEAD_RULES = SHARED_RULES | parse_head_rules("""
ADJP    first $ ; last-of NNS NN JJ JJR JJS QP VBN VBG ; first ADJP ; last-of JJP DT RB RBR CD IN VBD ;
        first ADVP NP
ADVP    first ADVP IN ; last-of RB RBR RBS JJ JJR JJS ; last-of RP DT NN CD NP VBN NNP CC FW NNS ADJP NML
CONJP   last RB CC VB JJ IN
NAC,NP,NX,NML
        last-of NN NNP NNPS NNS NX NML JJR WP ; first NP PRP ; last-of $ ADJP JJP FW ; last CD ;
        last-of JJ JJS QP DT WDT NML PRP RB RBR WP$ ; first POS
PP      last IN TO VBG VBN RP FW JJ ; first PP
WHADVP  last-of RB JJ ADVP ADJP WRB WHADVP
WHPP    last IN TO FW
XS      first IN
""")


def convert(root: Node) -> Conversion:
    """The dependencies of a tree, with heads, relations and universal parts of speech. Changes ``root``."""
    set_heads(rearrange(root), HEAD_RULES)
    words = lexical_heads(root)
    leaves = root.leaves()
    heads, relations = [0] * len(leaves), [ROOT] * len(leaves)
    raised: set[Node] = set()
    questions: list[Node] = []
    for node in reversed(root.bottom_up()):
        if len(node.children) < 2:
            continue
        for dependent in dependents_of(node, words):
            if dependent.node in raised:
                continue
            word = dependent.word
            relation = "punct" if word.label in PUNCTUATION else RELATIONS.relation(dependent, OTHER)
            heads[word.position - 1], relations[word.position - 1] = dependent.head_word.position, relation
            if node.label in CLAUSES and (word.label in QUESTION_WORDS or dependent.node.label == "WHNP"):
                questions.append(word)
        subject = _raised_object(node)
        if subject is not None:
            word = words[subject]
            heads[word.position - 1], relations[word.position - 1] = words[node].position, "dobj"
            raised.add(subject)
    for question in questions:
        if relations[question.position - 1] == "dobj":
            _move_to_preposition(question, heads, relations)
        if question.label in QUESTION_WORDS:
            move_to_complement(question, heads, relations, leaves, "dobj")
    named = with_passive_subjects(heads, relations, "pass")
    return Conversion(tuple(heads), named, universal_tags(root, named))


def _move_to_preposition(question: Node, heads: list[int], relations: list[str]) -> None:
    """Make a question word the object of the first preposition without one beside it: what I talk [about]."""
    for position in beside(question, heads):
        if relations[position - 1] == "prep" and not any(
            head == position and relation in ("pobj", "pcomp") for head, relation in zip(heads, relations, strict=True)
        ):
            heads[question.position - 1], relations[question.position - 1] = position, "pobj"
            return


def _raised_object(node: Node) -> Node | None:
    """The noun phrase of ``want (him to go)``, which is the verb's object; ``node`` is the verb phrase."""
    if node.label != "VP":
        return None
    for child in node.children:
        if child.label == "S" and node.head is not child:
            for subject, predicate in zip(child.children, child.children[1:], strict=False):
                if subject.label == "NP" and predicate.label == "VP" and predicate.children[0].label == "TO":
                    return subject
    return None
