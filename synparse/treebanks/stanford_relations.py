"""The relations of basic Stanford Dependencies (de Marneffe and Manning 2008), as a table of rules.

The table is read as `synparse.treebanks.relation_rules` says: the first rule that fits decides. Words of closed classes
and what the conditions mean stand below it.
"""

from __future__ import annotations

from synparse.treebanks.closed_classes import ASKING, BE, GET, HAVE, LINKING, PRECONJUNCTIONS
from synparse.treebanks.penn import Node
from synparse.treebanks.relation_rules import Condition, Dependent, RelationRules
from synparse.treebanks.semantic_heads import COORDINATORS, PUNCTUATION

TABLE = """
# coordination
cc         | *                            | CC CONJP         | after-head !opens
preconj    | NP NX NML WHNP QP VP ADJP PP | CC CONJP DT RB   | before-head preconjunction before-conjunction
cc         | *                            | CC CONJP         | before-head
ccomp      | S                            | S                | after-head conjunct !after-conjunction
ccomp      | VP                           | S                | conjunct has-subject
conj       | *                            | *                | conjunct

# verb groups
aux        | VP SQ SINV S                 | MD TO            | before-head
auxpass    | VP SQ SINV                   | VB* AUX          | before-head passive
cop        | VP SQ SINV                   | VB* AUX          | before-head be !head-is-verb-phrase
aux        | VP SQ SINV                   | VB* AUX POS      | before-head
prt        | VP                           | PRT RP           |
prt        | ADJP                         | RP               | after-head

# negation
dep        | ADVP                         | RB               | negation !no
neg        | *                            | RB ADVP          | negation
neg        | NP NX WHNP NML               | DT               | no

# words in noun phrases and quantities
predet     | NP NX WHNP NML               | PDT DT           | before-head before-determiner
det        | NP NX WHNP NML NAC           | DT WDT           | before-head
poss       | NP NX WHNP NML NAC           | PRP$ WP$         | before-head
possessive | NP NX WHNP NML NAC           | POS              | after-head
poss       | NP NX WHNP NML NAC           | NP WHNP NML NNP NN | before-head possessor
num        | NP NX WHNP NML NAC           | CD QP            |
num        | QP ADJP                      | QP               | head-is-currency
num        | QP                           | CD               | head-is-currency next-to-head
number     | QP ADJP                      | CD               |
num        | QP                           | QP               |
quantmod   | QP                           | RB RBR RBS IN DT JJ JJR JJS XS ADVP PDT | before-head
quantmod   | QP                           | RB RBR JJR       | after-head

# expressions of several words
mwe        | XS                           | JJ* TO           |
advmod     | XS                           | RB*              |
mwe        | PP                           | JJ IN            | before-head
mwe        | CONJP                        | *                | after-head
advmod     | CONJP                        | RB               |

# noun phrases in clauses and phrases
expl       | S SQ SINV SBARQ SBAR         | NP               | existential
tmod       | S VP NP SQ SINV ADJP ADVP    | NP               | temporal
npadvmod   | S VP NP SQ SINV ADJP ADVP    | NP               | adverbial
nsubj      | S SQ SINV PRN                | NP WHNP          | subject
nsubj      | VP                           | NP               | after-head be-of-existential
npadvmod   | NP                           | NP               | after-head reflexive
det        | NP                           | NP               | after-head all-determiner !after-comma
npadvmod   | PP ADVP ADJP WHADVP          | NP               | before-head
xcomp      | VP                           | NP               | after-head linking
iobj       | VP                           | NP               | after-head indirect-object
dobj       | VP                           | NP WHNP          | after-head head-is-word

# what opens a subordinate clause or question
nsubj      | SBAR SBARQ                   | WHNP             | clause-lacks-subject
dobj       | SBAR SBARQ                   | WHNP             | head-is-clause
advmod     | SBAR SBARQ SQ S              | WHADVP           | before-head
mark       | SBAR                         | IN DT            | before-head
prep       | *                            | WHPP             |

# clauses in verb phrases
acomp      | VP                           | ADJP             | after-head
acomp      | VP                           | S                | opens-with-adjective head-is-word !after-comma
parataxis  | VP S                         | S SBAR           | after-head after-colon
parataxis  | VP S                         | PRN              | holds-clause
dep        | VP                           | S                | after-head participle-with-subject !after-have
ccomp      | VP                           | S                | after-head clause-with-subject
xcomp      | VP                           | S                | after-head has-subject
xcomp      | VP                           | S                | after-head infinitive after-asking
vmod       | VP                           | S                | after-head participle after-comma after-object
vmod       | VP                           | S                | after-head infinitive after-object
vmod       | VP                           | S                | after-head opens-with-ing head-is-ing
dep        | VP                           | S                | after-head predicate-alone !nominal-after-passive
xcomp      | VP                           | S                | after-head controlled
ccomp      | VP                           | S                | after-head headed-by-verb-phrase
advcl      | VP                           | SBAR             | after-head adverbial-clause
ccomp      | VP                           | SBAR             | after-head complement-clause head-is-word
ccomp      | VP                           | SQ SBARQ SINV    | after-head

# clauses before verb phrases, and beside clauses
csubj      | S                            | S                | before-head !has-subject !after-noun-phrase
vmod       | S SINV                       | S                | before-head participle
advcl      | S                            | S                | before-head infinitive !has-subject
ccomp      | S SINV                       | S SQ SBARQ SINV  | before-head
parataxis  | S                            | S                | after-head head-is-clause
ccomp      | S                            | S                | after-head
csubj      | S                            | SBAR             | before-head !after-noun-phrase !before-comma
advcl      | S SQ SINV SBARQ              | SBAR             | before-head

# what follows a noun
rcmod      | NP NX WHNP NML               | SBAR             | after-head relative
vmod       | NP NX WHNP NML               | SBAR S           | after-head infinitive
ccomp      | NP NX                        | SBAR             | after-head opens-with-that head-is-word
rcmod      | NP NX                        | RRC              | after-head
vmod       | NP NX WHNP NML               | VP               | after-head
amod       | NP NX                        | NP               | after-head after-comma all-number
appos      | NP NX                        | NP               | after-head after-comma
appos      | NP NX                        | PRN              | after-head bare-noun-in-brackets
prep       | NP NX WHNP                   | PRN              | opens-with-preposition

# prepositions
dep        | S                            | PP               | after-head
pobj       | PP WHPP                      | NP WHNP NN NNS NNP CD PRP DT $ ADJP QP NX UCP EX NML | after-head
pcomp      | PP WHPP                      | S SBAR ADVP VP   | after-head
pcomp      | PP                           | PP               | next-to-head head-is-word
pobj       | ADVP                         | NP               | after-head
pobj       | ADVP                         | JJS JJ DT        | after-head head-is-preposition
prep       | *                            | PP               |

# modifiers
amod       | NP NX WHNP NML NAC           | JJ* ADJP VBN VBG VBD IN JJP |
nn         | NP NX WHNP NML NAC           | NN NNS NNP NNPS NP NX NML FW | before-head
advmod     | NP NX WHNP                   | RB RBR RBS ADVP  |
amod       | ADJP                         | JJ               | before-head head-is-adjective
dep        | ADJP                         | JJ               | before-head
amod       | ADJP                         | NNP              | before-head
npadvmod   | ADJP                         | NN NNS           | before-head !head-is-noun
xcomp      | ADJP                         | S                | after-head infinitive
ccomp      | ADJP                         | SBAR             | after-head
advcl      | ADVP                         | SBAR             | after-head
advmod     | *                            | ADVP RB RBR RBS WHADVP WRB |
advmod     | ADVP                         | JJ               |
discourse  | *                            | INTJ             |
"""

NEGATIONS = frozenset("not n't n’t nt never no".split())

SUBORDINATORS = frozenset(
    """as because cause if while so after before until like for although though since once unless whereas lest in than
    when where why""".split()
)
"""Words that open an adverbial clause."""


def _opening(node: Node) -> str:
    """The label of the first child, "" for a word."""
    return node.children[0].label if node.children else ""


def _label_at(siblings: list[Node], place: int) -> str:
    return siblings[place].label if 0 <= place < len(siblings) else ""


def _is_conjunct(d: Dependent) -> bool:
    """Joined to the head by a conjunction before it; or, after a comma, of the head's kind with one to come."""
    if d.node.label in PUNCTUATION or d.node.label in COORDINATORS:
        return False
    before = d.place - 1
    while before > d.head_place and d.siblings[before].label in ("ADVP", "RB", "PRN", "``", "INTJ", "UH"):
        before -= 1
    if before <= d.head_place:
        return False
    mark = d.siblings[before].label
    if mark in COORDINATORS:
        return True
    if mark not in (",", ":"):
        return False
    if mark == "," and before - 1 > d.head_place and d.siblings[before - 1].label in COORDINATORS:
        return True
    alike = d.node.label == d.head.label or (d.node.is_word and d.head.is_word)
    joins_later = any(sibling.label in COORDINATORS for sibling in d.siblings[d.place + 1 : -1])
    return alike and joins_later and not {"TMP", "ADV"} & set(d.node.functions)


def _is_passive_auxiliary(d: Dependent) -> bool:
    """A form of be or get whose verb phrase (each of them, in a coordination) or adjective phrase has a participle."""
    if d.node.form not in BE | GET or d.head.label not in ("VP", "ADJP"):
        return False
    inner = [d.head, *(child for child in d.head.children if child.label == "VP")]
    if any(child.label.startswith("VB") for child in d.head.children):
        inner = [d.head]
    return any(child.label in ("VBN", "VBD") for phrase in inner for child in phrase.children)


def _has_existential(node: Node) -> bool:
    return any(child.label == "EX" for child in node.children)


def _is_be_of_existential(d: Dependent) -> bool:
    """There is (a house): the clause above has an existential subject."""
    clause = d.parent.parent
    return d.head.form in BE and clause is not None and any(_has_existential(child) for child in clause.children)


def _is_subject(d: Dependent) -> bool:
    if d.parent.label not in ("S", "PRN"):
        return d.head.label != "S"
    if d.place > d.head_place or d.head.label == "S":
        return False
    return d.head.label == "VP" or _label_at(d.siblings, d.place + 1) not in PUNCTUATION


def _is_indirect_object(d: Dependent) -> bool:
    """Another object follows."""
    return any(
        sibling.label == "NP" and not {"TMP", "ADV"} & set(sibling.functions) for sibling in d.siblings[d.place + 1 :]
    )


def _has_subject(node: Node) -> bool:
    return any(child.label in ("NP", "WHNP") and child is not node.head for child in node.children)


def _lacks_subject(d: Dependent) -> bool:
    clause = d.head
    while clause.label == "SBAR" and clause.head is not None and clause.head.children:
        clause = clause.head
    noun_phrases = (child for child in clause.children if child.label == "NP" and child.functions != ("TMP",))
    return clause.label in ("S", "SQ", "SINV") and next(noun_phrases, None) is None


def _first_verb(node: Node) -> str:
    """The part of speech of the verb, ``to`` or modal that comes first on the way down through clauses."""
    while node.children:
        inner = (c for c in node.children if c.label in ("VP", "S") or c.label[:2] in ("VB", "TO", "MD"))
        following = next(inner, None)
        if following is None:
            return ""
        node = following
    return node.label


def _is_infinitive(node: Node) -> bool:
    return _first_verb(node) == "TO"


def _is_participle(node: Node) -> bool:
    return _first_verb(node) in ("VBG", "VBN") and not _has_subject(node)


def _predicate(node: Node) -> Node:
    """The head child of a clause, the clause itself for a word."""
    return node.head or node


def _is_predicate_alone(d: Dependent) -> bool:
    """A clause of nothing but a noun, adjective or other phrase."""
    around = PUNCTUATION | {"ADVP", "RB", "INTJ", "PP", "PRN", "CC"}
    core = [child for child in d.node.children if child.label not in around]
    return _predicate(d.node).label in ("NP", "ADJP", "PP", "ADVP") and len(core) <= 1


def _is_nominal_after_passive(d: Dependent) -> bool:
    """Was named (president)."""
    above = d.parent.parent
    passive = above is not None and any(child.form in BE | GET for child in above.children)
    return passive and _predicate(d.node).label == "NP"


def _is_controlled(d: Dependent) -> bool:
    """A clause without a subject that opens with ``to`` or a verb in -ing, or has no verb."""
    predicate = _predicate(d.node)
    opens = _opening(predicate) == "VBG" or any(child.label == "TO" for child in predicate.children)
    return not _has_subject(d.node) and (predicate.label in ("NP", "ADJP") or opens)


def _is_participle_with_subject(d: Dependent) -> bool:
    predicate = _predicate(d.node)
    return _has_subject(d.node) and predicate.label == "VP" and _opening(predicate) in ("VBG", "VBN")


def _is_clause_with_subject(d: Dependent) -> bool:
    return _has_subject(d.node) and _predicate(d.node).label == "VP" and not _is_infinitive(d.node)


def _subordinator(clause: Node) -> str:
    """The word that opens a subordinate clause, adverbs before it left out: (even) if."""
    opening = next((child for child in clause.children if child.label not in PUNCTUATION | {"ADVP", "RB"}), clause)
    while opening.children:
        opening = opening.children[0]
    return opening.form


def _is_complement_clause(d: Dependent) -> bool:
    first = _opening(d.node)
    return first not in ("SBAR", "NP") or _opening(d.node.children[0]) in ("IN", "S")


def _is_relative(d: Dependent) -> bool:
    first = _opening(d.node)
    return first.startswith("WH") or (first == "S" and not _is_infinitive(d.node))


def _is_bare_noun_in_brackets(d: Dependent) -> bool:
    parts = d.node.children
    if [part.label for part in parts] != ["-LRB-", "NP", "-RRB-"]:
        return False
    return all(child.is_word and child.label not in ("CC", ",") for child in parts[1].children)


CONDITIONS: dict[str, Condition] = {
    # places
    "before-head": lambda d: d.place < d.head_place,
    "after-head": lambda d: d.place > d.head_place,
    "next-to-head": lambda d: d.place == d.head_place + 1,
    "opens": lambda d: d.place == 0,
    "after-comma": lambda d: _label_at(d.siblings, d.place - 1) == ",",
    "after-colon": lambda d: _label_at(d.siblings, d.place - 1) == ":",
    "after-conjunction": lambda d: _label_at(d.siblings, d.place - 1) in COORDINATORS,
    "after-object": lambda d: any(sibling.label == "NP" for sibling in d.siblings[d.head_place : d.place]),
    "after-noun-phrase": lambda d: any(sibling.label == "NP" for sibling in d.siblings[: d.head_place]),
    "before-comma": lambda d: any(sibling.label == "," for sibling in d.siblings[d.place : d.head_place]),
    "before-conjunction": lambda d: any(sibling.label in COORDINATORS for sibling in d.siblings[d.place + 1 :]),
    "before-determiner": lambda d: _label_at(d.siblings, d.place + 1) in ("DT", "PRP$", "WP$"),
    # the head
    "head-is-word": lambda d: d.head.is_word,
    "head-is-verb-phrase": lambda d: d.head.label == "VP",
    "head-is-clause": lambda d: d.head.label in ("S", "SQ", "SBAR", "SINV"),
    "head-is-currency": lambda d: d.head.label in ("$", "#"),
    "head-is-adjective": lambda d: d.head.label.startswith("JJ"),
    "head-is-noun": lambda d: d.head.label.startswith("NN"),
    "head-is-preposition": lambda d: d.head.label == "IN",
    "head-is-ing": lambda d: d.head.label == "VBG",
    "after-have": lambda d: d.head.form in HAVE,
    "after-asking": lambda d: d.head.form in ASKING,
    "linking": lambda d: d.head.form in LINKING,
    # words
    "be": lambda d: d.node.form in BE,
    "passive": _is_passive_auxiliary,
    "negation": lambda d: d.word.form in NEGATIONS,
    "no": lambda d: d.word.form == "no",
    "preconjunction": lambda d: d.word.form in PRECONJUNCTIONS or d.node.label == "CONJP",
    "conjunct": lambda d: d.place > d.head_place and _is_conjunct(d),
    # noun phrases
    "existential": lambda d: _has_existential(d.node),
    "be-of-existential": _is_be_of_existential,
    "temporal": lambda d: "TMP" in d.node.functions,
    "adverbial": lambda d: "ADV" in d.node.functions,
    "subject": _is_subject,
    "indirect-object": _is_indirect_object,
    "reflexive": lambda d: d.word.form.endswith(("self", "selves")),
    "possessor": lambda d: any(
        part.label == "POS" for part in [*d.node.children, *d.siblings[d.place + 1 : d.place + 2]]
    ),
    "all-number": lambda d: all(child.label == "CD" for child in d.node.children),
    "all-determiner": lambda d: all(child.label == "DT" for child in d.node.children),
    "bare-noun-in-brackets": _is_bare_noun_in_brackets,
    "opens-with-preposition": lambda d: _label_at(d.node.children, 1) == "PP",
    # clauses
    "has-subject": lambda d: _has_subject(d.node),
    "holds-clause": lambda d: any(child.label in ("S", "SINV", "SBAR") for child in d.node.children),
    "clause-lacks-subject": _lacks_subject,
    "clause-with-subject": _is_clause_with_subject,
    "participle-with-subject": _is_participle_with_subject,
    "participle": lambda d: _is_participle(d.node),
    "infinitive": lambda d: _is_infinitive(d.node),
    "controlled": _is_controlled,
    "predicate-alone": _is_predicate_alone,
    "nominal-after-passive": _is_nominal_after_passive,
    "headed-by-verb-phrase": lambda d: _predicate(d.node).label == "VP",
    "opens-with-adjective": lambda d: _opening(d.node) == "ADJP",
    "opens-with-ing": lambda d: _opening(_predicate(d.node)) == "VBG",
    "opens-with-that": lambda d: _opening(d.node) in ("IN", "DT", "WDT"),
    "adverbial-clause": lambda d: _subordinator(d.node) in SUBORDINATORS,
    "complement-clause": _is_complement_clause,
    "relative": _is_relative,
}

RELATIONS = RelationRules(TABLE, CONDITIONS)
