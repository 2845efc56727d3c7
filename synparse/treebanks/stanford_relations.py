"""The relations of basic Stanford Dependencies (de Marneffe and Manning 2008), as a table of rules."""

from __future__ import annotations

from synparse.treebanks.penn import Node
from synparse.treebanks.relation_rules import Condition, Dependent, RelationRules
from synparse.treebanks.semantic_heads import BE, COORDINATORS, GET, PUNCTUATION

NOMINAL = frozenset({"NP", "NX", "NML", "NN", "NNS", "NNP", "NNPS", "PRP", "WHNP", "CD", "$", "#", "QP", "DT", "EX"})
NEGATIONS = frozenset({"not", "n't", "n’t", "nt", "never", "no"})
PRECONJUNCTIONS = frozenset({"either", "neither", "both"})
TIMES = frozenset(
    """today yesterday tomorrow tonight year month week day days weeks months years monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november december
    mon. tue. wed. thu. fri. sat. sun. jan. feb. mar. apr. aug. sept. oct. nov. dec. morning evening night afternoon
    spring summer fall winter time""".split()
)
LINKING = frozenset(
    """become becomes became becoming remain remains remained remaining stay stays stayed staying seem seems seemed
    seeming appear appears appeared appearing resemble sound sounds sounded""".split()
)

TABLE = """
cc        | *                 | CC CONJP          | after-head !opens
preconj   | NP NX NML WHNP QP VP ADJP PP | CC CONJP DT RB | before-head preconjunction coordinated
cc        | S SBAR SQ SINV SBARQ PRN FRAG X ADJP ADVP INTJ UCP PP VP QP | CC CONJP | before-head
cc        | NP NX             | CC CONJP          | before-head
ccomp     | S                 | S                 | after-head listed conjunct
ccomp     | VP                | S                 | has-subject conjunct
conj      | *                 | *                 | conjunct

aux       | VP SQ SINV S CONJP | MD TO             | before-head head-is-clause
auxpass   | VP SQ SINV        | VB* AUX           | before-head passive
cop       | VP SQ SINV        | VB* AUX           | before-head form-of-be !head-is-verb-phrase
aux       | VP SQ SINV        | VB* AUX           | before-head
aux       | VP                | POS               | before-head

neg       | *                 | RB ADVP           | negation !in-adverb
neg       | ADVP              | RB                | no
neg       | NP NX WHNP NML    | DT                | no
predet    | NP NX WHNP NML    | PDT DT            | before-head before-determiner
prt       | VP                | PRT RP            |
det       | NP NX WHNP NML NAC | DT WDT            | before-head
poss      | NP NX WHNP NML NAC | PRP$ WP$         | before-head
possessive | NP NX WHNP NML NAC | POS             | after-head
poss      | NP NX WHNP NML NAC | NP WHNP NML NNP NN | before-head has-possessive
num       | NP NX WHNP NML NAC | CD QP           |
num       | QP ADJP           | QP                | head-is-currency
num       | QP                | CD                | head-is-currency right-after-head
number    | QP ADJP           | CD                |
num       | QP                | QP                |
quantmod  | QP                | RB RBR RBS IN DT JJ JJR JJS XS ADVP PDT | before-head
quantmod  | QP                | RB RBR JJR        | after-head

mwe       | XS                | JJ* TO            |
advmod    | XS                | RB*               |
mwe       | PP                | JJ                | such-as
mwe       | PP                | IN                | because-of
mwe       | ADVP              | RB                | as-well
mwe       | CONJP             | *                 | after-head
neg       | CONJP             | RB                | negation
advmod    | CONJP             | RB                |

expl      | S SQ SINV SBARQ SBAR | NP             | existential
tmod      | S VP NP SQ SINV ADJP ADVP | NP      | temporal
npadvmod  | S VP NP ADJP SQ SINV ADVP | NP         | adverbial
nsubj     | S SQ SINV PRN     | NP WHNP          | subject
nsubj     | VP                | NP                | after-head existential-subject
npadvmod  | NP                | NP                | after-head reflexive
det       | NP                | NP                | after-head bare-determiner !apposition
npadvmod  | PP ADVP ADJP WHADVP | NP              | before-head

nsubj     | SBAR              | WHNP              | clause-lacks-subject
dobj      | SBAR              | WHNP              | clause-lacks-object
nsubj     | SBARQ             | WHNP              | clause-lacks-subject
dobj      | SBARQ             | WHNP              | clause-lacks-object
advmod    | SBAR SBARQ SQ S   | WHADVP            | before-head
mark      | SBAR              | IN DT             | before-head
prep      | *                 | WHPP              |

xcomp     | VP                | NP                | after-head linking
iobj      | VP                | NP                | after-head indirect-object
dobj      | VP                | NP WHNP           | after-head head-is-word
acomp     | VP                | ADJP              | after-head
acomp     | VP                | S                 | adjective-alone head-is-word !after-comma
parataxis | VP S              | S SBAR            | after-head after-colon
parataxis | VP S              | PRN               | holds-clause
dep       | VP                | S                 | after-head participle-with-subject !after-have
ccomp     | VP                | S                 | after-head finite-clause
xcomp     | VP                | S                 | after-head raising-clause
xcomp     | VP                | S                 | after-head infinitive-clause asked
vmod      | VP                | S                 | after-head participle-after-comma object-between
vmod      | VP                | S                 | after-head purpose
vmod      | VP                | S                 | after-head opens-with-ing head-is-ing
dep       | VP                | S                 | after-head small-clause !predicated
xcomp     | VP                | S                 | after-head opens-with-to-or-ing
ccomp     | VP                | S                 | after-head finite-verb-phrase
advcl     | VP                | SBAR              | after-head adverbial-clause
ccomp     | VP                | SBAR              | after-head head-is-word complement-clause
ccomp     | VP                | SQ SBARQ SINV     | after-head

csubj     | S                 | S                 | before-head clausal-subject
vmod      | S SINV            | S                 | before-head participle-clause
advcl     | S                 | S                 | before-head purpose-clause
ccomp     | S SINV            | S SQ SBARQ SINV   | before-head
parataxis | S                 | S                 | after-head head-is-sentence
ccomp     | S                 | S                 | after-head
csubj     | S                 | SBAR              | clausal-subject-sbar
advcl     | S SQ SINV SBARQ   | SBAR              | before-head

rcmod     | NP NX WHNP NML    | SBAR              | after-head relative
vmod      | NP NX WHNP NML    | SBAR S            | after-head infinitive
ccomp     | NP NX             | SBAR              | after-head that-complement
rcmod     | NP NX             | RRC               | after-head
vmod      | NP NX WHNP NML    | VP                | after-head participle-phrase
amod      | NP NX             | NP                | after-head apposition bare-number
appos     | NP NX             | NP                | after-head apposition
appos     | NP NX             | PRN               | after-head parenthesis-noun
prep      | NP NX WHNP        | PRN               | parenthesis-prepositional
dep       | S                 | PP                | after-head

pobj      | PP WHPP           | NP WHNP NN NNS NNP CD PRP DT $ ADJP QP NX UCP EX NML | after-head
pcomp     | PP WHPP           | S SBAR ADVP VP    | after-head
pcomp     | PP                | PP                | after-head right-after-word
pobj      | ADVP              | NP                | after-head
pobj      | ADVP              | JJS JJ DT         | after-head head-is-preposition

prep      | *                 | PP                |

amod      | NP NX WHNP NML NAC | JJ* ADJP VBN VBG VBD IN JJP | noun-head
nn        | NP NX WHNP NML NAC | NN NNS NNP NNPS NP NX NML FW | before-head
advmod    | NP NX WHNP        | RB RBR RBS ADVP   |
dep       | ADJP              | JJ                | before-head !head-is-adjective
amod      | ADJP              | JJ NNP            | before-head
npadvmod  | ADJP              | NN NNS            | before-head !head-is-noun
xcomp     | ADJP              | S                 | after-head infinitive-clause
ccomp     | ADJP              | SBAR              | after-head
advcl     | ADVP              | SBAR              | after-head
dep       | ADVP              | RB                | negation
advmod    | *                 | ADVP RB RBR RBS WHADVP WRB | 
prt       | ADJP              | RP                | after-head
advmod    | ADVP              | JJ                |
discourse | *                 | INTJ              |
"""


def _before_head(d: Dependent) -> bool:
    return d.place < d.head_place


def _conjunct(d: Dependent) -> bool:
    """A child joined to the head, or to a conjunct before it, by a conjunction that stands between the conjuncts."""
    if d.place < d.head_place or d.node.label in PUNCTUATION or d.node.label in COORDINATORS:
        return False
    before = d.place - 1
    while before > d.head_place and d.siblings[before].label in ("ADVP", "RB", "PRN", "``", "INTJ", "UH"):
        before -= 1
    if before <= d.head_place:
        return False
    if d.siblings[before].label in COORDINATORS:
        return True
    if d.siblings[before].label == ",":
        if before - 1 > d.head_place and d.siblings[before - 1].label in COORDINATORS:
            return True
    if d.siblings[before].label in (",", ":"):
        same = d.node.label == d.head.label or (d.node.is_word and d.head.is_word)
        if same and d.node.functions and {"TMP", "ADV"} & set(d.node.functions):
            return False
        return same and any(sibling.label in COORDINATORS for sibling in d.siblings[d.place + 1 : -1])
    return False


def _previous(d: Dependent) -> str:
    return d.siblings[d.place - 1].label if d.place else ""


def _next(d: Dependent) -> str:
    return d.siblings[d.place + 1].label if d.place + 1 < len(d.siblings) else ""


def _opening(node: Node) -> str:
    """The label of the first child, "" for a word."""
    return node.children[0].label if node.children else ""


def _form(node: Node) -> str:
    return (node.word or "").lower()


def _passive(d: Dependent) -> bool:
    if _form(d.node) not in BE and _form(d.node) not in GET:
        return False
    if d.head.label not in ("VP", "ADJP"):
        return False
    has_verb = any(child.label.startswith("VB") for child in d.head.children)
    return any(
        child.label in ("VBN", "VBD")
        or (child.label == "VP" and not has_verb and any(kid.label in ("VBN", "VBD") for kid in child.children))
        for child in d.head.children
    )


def _passive_above(phrase: Node) -> bool:
    above = phrase.parent
    return above is not None and any(_form(child) in BE | GET for child in above.children)


def _existential(d: Dependent) -> bool:
    return any(child.label == "EX" for child in d.node.children)


def _existential_subject(d: Dependent) -> bool:
    if _form(d.head) not in BE:
        return False
    node = d.parent.parent
    return node is not None and any(
        child.label == "NP" and any(kid.label == "EX" for kid in child.children) for child in node.children
    )


def _temporal(d: Dependent) -> bool:
    return "TMP" in d.node.functions


def _subject(d: Dependent) -> bool:
    if d.parent.label in ("S", "PRN"):
        return d.place < d.head_place and (d.head.label == "VP" or (d.head.label != "S" and _next(d) not in PUNCTUATION))
    return d.head.label != "S"


def _indirect_object(d: Dependent) -> bool:
    return any(
        sibling.label == "NP" and not {"TMP", "ADV"} & set(sibling.functions)
        for sibling in d.siblings[d.place + 1 :]
    )


def _kids(d: Dependent) -> list[Node]:
    return [child for child in d.node.children if child.label not in PUNCTUATION]


def _core(node: Node) -> list[Node]:
    return [child for child in node.children if child.label not in PUNCTUATION | {"ADVP", "RB", "INTJ", "PP", "PRN", "CC"}]


def _has_subject(node: Node) -> bool:
    return any(child.label in ("NP", "WHNP") and child is not node.head for child in node.children)


def _first_verb(node: Node) -> Node | None:
    while node.children:
        following = next((c for c in node.children if c.label in ("VP", "S") or c.label[:2] in ("VB", "TO", "MD")), None)
        if following is None:
            return None
        node = following
    return node


def _is_infinitive(node: Node) -> bool:
    verb = _first_verb(node)
    return verb is not None and verb.label == "TO"


def _finite_clause(d: Dependent) -> bool:
    if not _has_subject(d.node) or d.node.head is None or d.node.head.label != "VP":
        return False
    return not _is_infinitive(d.node)


def _raising_clause(d: Dependent) -> bool:
    return _has_subject(d.node)


def _participle(node: Node) -> bool:
    verb = _first_verb(node)
    return verb is not None and verb.label in ("VBG", "VBN") and not _has_subject(node)


def _object_between(d: Dependent) -> bool:
    return any(s.label == "NP" for s in d.siblings[d.head_place : d.place])


ASKING = frozenset("ask asks asked asking urge urges urged urging order orders ordered ordering persuade persuades persuaded persuading tell tells told telling".split())


def _lacks_subject(d: Dependent) -> bool:
    clause = d.head
    while clause.label == "SBAR" and clause.head is not None and clause.head.children:
        clause = clause.head
    return clause.label in ("S", "SQ", "SINV") and not any(child.label == "NP" for child in clause.children if child.functions != ("TMP",))


def _subordinator(clause: Node) -> str:
    """The word that opens a subordinate clause, adverbs before it left out: (even) if."""
    opening = next((child for child in clause.children if child.label not in PUNCTUATION | {"ADVP", "RB"}), clause)
    while opening.children:
        opening = opening.children[0]
    return _form(opening)


ADVERBIAL = frozenset("as because if while so after before until like for although though since once unless whereas lest when where why in cause than".split())

CONDITIONS: dict[str, Condition] = {
    "before-head": _before_head,
    "after-head": lambda d: d.place > d.head_place,
    "opens": lambda d: d.place == 0,
    "conjunct": _conjunct,
    "coordinated": lambda d: any(s.label in COORDINATORS for s in d.siblings[d.place + 1 :]),
    "preconjunction": lambda d: _form(d.word) in PRECONJUNCTIONS or d.node.label == "CONJP",
    "head-is-clause": lambda d: d.head.label not in ("TO", "MD"),
    "head-is-verb-phrase": lambda d: d.head.label == "VP",
    "head-is-word": lambda d: d.head.is_word,
    "head-is-sentence": lambda d: d.head.label == "S",
    "head-is-currency": lambda d: d.head.label in ("$", "#"),
    "head-is-adjective": lambda d: d.head.label.startswith("JJ"),
    "passive": _passive,
    "form-of-be": lambda d: _form(d.node) in BE,
    "negation": lambda d: _form(d.word) in NEGATIONS,
    "in-adverb": lambda d: d.parent.label in ("ADVP", "CONJP") and _form(d.word) != "no",
    "no": lambda d: _form(d.word) == "no",
    "before-determiner": lambda d: _next(d) in ("DT", "PRP$", "WP$"),
    "has-possessive": lambda d: any(child.label == "POS" for child in d.node.children) or _next(d) == "POS",
    "such-as": lambda d: d.place < d.head_place,
    "because-of": lambda d: d.place < d.head_place,
    "as-well": lambda d: False,
    "existential": _existential,
    "existential-subject": _existential_subject,
    "temporal": _temporal,
    "adverbial": lambda d: "ADV" in d.node.functions,
    "subject": _subject,
    "listed": lambda d: _previous(d) not in COORDINATORS,
    "has-subject": lambda d: _has_subject(d.node),
    "bare-number": lambda d: all(child.label == "CD" for child in d.node.children),
    "bare-determiner": lambda d: all(child.label == "DT" for child in d.node.children),
    "head-is-preposition": lambda d: d.head.label == "IN",
    "head-is-noun": lambda d: d.head.label.startswith("NN"),
    "head-is-ing": lambda d: d.head.label == "VBG",
    "opens-with-ing": lambda d: d.node.head is not None and _opening(d.node.head) == "VBG",
    "small-clause": lambda d: d.node.head is not None and d.node.head.label in ("NP", "ADJP", "PP", "ADVP") and not (len(_core(d.node)) > 1),
    "predicated": lambda d: d.node.head is not None and d.node.head.label == "NP" and d.parent.parent is not None and _passive_above(d.parent),
    "reflexive": lambda d: _form(d.word).endswith(("self", "selves")),
    "clause-lacks-subject": _lacks_subject,
    "clause-lacks-object": lambda d: d.head.label in ("S", "SQ", "SBAR", "SINV"),
    "linking": lambda d: _form(d.head) in LINKING,
    "indirect-object": _indirect_object,
    "adjective-alone": lambda d: bool(d.node.children) and _opening(d.node) == "ADJP",
    "after-comma": lambda d: _previous(d) == ",",
    "after-colon": lambda d: _previous(d) == ":",
    "holds-clause": lambda d: any(child.label in ("S", "SINV", "SBAR") for child in d.node.children),
    "finite-clause": _finite_clause,
    "raising-clause": _raising_clause,
    "participle-after-comma": lambda d: _previous(d) == "," and _participle(d.node),
    "purpose": lambda d: _is_infinitive(d.node) and _object_between(d),
    "object-between": _object_between,
    "participle-with-subject": lambda d: _has_subject(d.node) and d.node.head is not None and d.node.head.label == "VP" and _opening(d.node.head) in ("VBG", "VBN"),
    "after-have": lambda d: _form(d.head) in ("have", "has", "had", "having"),
    "opens-with-to-or-ing": lambda d: d.node.head is not None and not _has_subject(d.node) and (d.node.head.label in ("NP", "ADJP") or any(c.label == "TO" for c in d.node.head.children) or _opening(d.node.head) == "VBG"),
    "finite-verb-phrase": lambda d: d.node.head is not None and d.node.head.label == "VP",
    "complement-clause": lambda d: _opening(d.node) not in ("SBAR", "NP") or _opening(d.node.children[0]) in ("IN", "S"),
    "asked": lambda d: _form(d.head) in ASKING,
    "subjectless": lambda d: not _has_subject(d.node),
    "adverbial-clause": lambda d: _subordinator(d.node) in ADVERBIAL,
    "clausal-subject": lambda d: not _has_subject(d.node) and not any(s.label == "NP" for s in d.siblings[: d.head_place]),
    "clausal-subject-sbar": lambda d: d.place < d.head_place and not any(s.label == "NP" for s in d.siblings[: d.head_place]) and not any(s.label == "," for s in d.siblings[d.place : d.head_place]),
    "participle-clause": lambda d: _participle(d.node),
    "purpose-clause": lambda d: _is_infinitive(d.node) and not _has_subject(d.node),
    "infinitive-clause": lambda d: _is_infinitive(d.node),
    "relative": lambda d: _opening(d.node).startswith("WH") or (_opening(d.node) == "S" and not _is_infinitive(d.node)),
    "infinitive": lambda d: _is_infinitive(d.node),
    "that-complement": lambda d: _opening(d.node) in ("IN", "DT", "WDT") and d.head.is_word,
    "participle-phrase": lambda d: True,
    "apposition": lambda d: _previous(d) == ",",
    "parenthesis-noun": lambda d: [c.label for c in d.node.children] == ["-LRB-", "NP", "-RRB-"]
    and all(c.is_word and c.label not in ("CC", ",") for c in d.node.children[1].children),
    "parenthesis-prepositional": lambda d: len(d.node.children) > 1 and d.node.children[1].label == "PP",
    "right-after-head": lambda d: d.place == d.head_place + 1,
    "right-after-word": lambda d: d.place == d.head_place + 1 and d.head.is_word,
    "noun-head": lambda d: True,
}

RELATIONS = RelationRules(TABLE, CONDITIONS)
