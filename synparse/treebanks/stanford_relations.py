"""The relations of basic Stanford Dependencies (de Marneffe and Manning 2008), as a table of rules.

See `synparse.treebanks.relation_rules` for how to read the table: the first matching rule decides. Below it are the
words of closed classes and the definitions of the conditions.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from synparse.treebanks.closed_classes import ASKING, BE, GET, HAVE, KNOWING, LINKING, PRECONJUNCTIONS, is_time
from synparse.treebanks.penn import Node, labels_of
from synparse.treebanks.relation_rules import Condition, Dependent, RelationRules
from synparse.treebanks.semantic_heads import COORDINATORS, PUNCTUATION, VERBS

TABLE = """
# coordination
preconj    | NP NX NML WHNP QP VP ADJP PP | CC CONJP DT RB   | before-head preconjunction before-conjunction
dep        | *                            | CC               | preconjunction
dep        | *                            | CONJP            | not-only
cc         | *                            | CC CONJP         |
ccomp      | S                            | S                | conjunct !after-conjunction before-comma
ccomp      | VP                           | S                | conjunct finite
conj       | *                            | *                | conjunct
conj       | NP NX WHNP NML               | FW NP ADVP       | opens-with-etc
conj       | NP NX WHNP NML               | NP NX ADJP NN* JJ* | after-head after-comma before-etc
goeswith   | *                            | GW               |

# verb groups
aux        | VP SQ SINV                   | MD TO            | before-head
auxpass    | VP SQ SINV                   | VB* AUX          | before-head passive
auxpass    | SINV                         | VP               | after-head be-of-inverted-passive
cop        | VP SQ SINV                   | VB* AUX          | before-head be !head-is-verb-phrase
cop        | SBARQ                        | VB*              | be head-is-question-word
aux        | VP SQ SINV                   | VB* AUX POS      | before-head
prt        | VP                           | PRT RP           |
prt        | ADJP                         | RP               | after-head !head-is-noun

# negation
neg        | VP NP ADJP SQ S SINV FRAG CONJP PP NX WHNP | RB ADVP | negation
dep        | *                            | RB ADVP          | negation !no
neg        | NP NX WHNP NML ADVP          | DT RB            | no

# words in noun phrases and quantities
det        | ADJP ADVP X                  | DT               | before-nominal !coordinated
det        | NP                           | DT               | before-head before-possessive
predet     | NP NX WHNP NML               | PDT DT           | before-head before-determiner
det        | NP NX WHNP NML NAC           | DT WDT WP        | before-head
det        | NP                           | DT               | after-head !head-is-word
poss       | NP NX WHNP NML NAC ADJP INTJ | PRP$ WP$         |
possessive | NP NX WHNP NML NAC           | POS              | after-head
possessive | NP                           | VBZ              | after-head be
poss       | NP NX WHNP NML NAC           | NP WHNP NML NNP NN | before-head possessor
num        | NP NX WHNP NML NAC           | CD QP            |
num        | ADJP                         | QP               | head-is-currency
num        | QP                           | CD               | head-is-currency right-after-head
number     | QP ADJP                      | CD #             |
num        | *                            | LST              |
num        | QP                           | QP               |
quantmod   | QP                           | RB RBR RBS IN DT JJ JJR JJS XS ADVP PDT | before-head
quantmod   | QP                           | RB RBR JJR IN    | after-head

# expressions of several words
advmod     | XS                           | RB* JJ           |
mwe        | XS                           | JJ* TO           |
mwe        | PP                           | JJ IN            | before-head
mwe        | CONJP                        | *                | after-head
advmod     | CONJP                        | RB               |

# noun phrases in clauses and phrases
conj       | S                            | NP               | before-head joined
expl       | S SQ SINV SBARQ SBAR         | NP               | existential
tmod       | S                            | NP               | temporal before-verb-phrase beside-noun-phrase
tmod       | S                            | NP               | names-time before-subject
tmod       | VP NP ADJP                   | NP               | temporal
tmod       | PP                           | NP               | temporal follows-noun-phrase
npadvmod   | VP NP                        | NP               | adverbial
nsubj      | S                            | NP WHNP          | before-verb-phrase plain !object-of-infinitive
nsubj      | S                            | NP               | before-predicate
nsubj      | PRN                          | NP               | before-verb-phrase
dep        | SINV                         | NP               | before-verb-phrase !inverted
dep        | SQ                           | NP               | head-is-modal
dep        | SQ                           | NP               | after-head head-is-verb-phrase
nsubj      | SQ SINV                      | NP WHNP          | !head-is-sentence
nsubj      | VP                           | NP               | after-head be-of-existential
nsubj      | SBARQ                        | NP               | head-is-question-word
npadvmod   | NP                           | NP PRP           | after-head reflexive
npadvmod   | NP                           | NP               | after-head term-of-percentage
det        | NP                           | NP               | after-head all-determiner !after-comma
npadvmod   | PP ADVP ADJP WHADVP WHADJP   | NP               | right-before-head measures
xcomp      | VP                           | NP               | after-head after-linking-verb
dobj       | VP                           | NP WHNP          | before-time !beside-copula
tmod       | VP ADJP                      | NP               | names-time !before-noun
iobj       | VP                           | NP               | before-object
dobj       | VP                           | NP WHNP          | !before-noun-phrase !names-time !beside-copula

# what opens a subordinate clause or question
nsubj      | SBAR SBARQ                   | WHNP             | clause-lacks-subject
dobj       | SBAR                         | WHNP             | head-is-clause
dobj       | SBARQ                        | WHNP             | head-is-clause asks-for-object
mark       | SBAR                         | IN DT            | before-clause
prep       | *                            | WHPP             |

# clauses in verb phrases
acomp      | VP                           | ADJP             | after-head
acomp      | VP                           | VP               | right-after-head after-linking-verb
xcomp      | VP                           | VP               | right-after-head head-is-word opens-with-bare-verb
xcomp      | VP                           | S                | opens-with-adjective after-passive !after-comma
acomp      | VP                           | S                | opens-with-adjective head-is-word without-object
ccomp      | VP                           | S                | after-colon finite !follows-object
parataxis  | VP S                         | S SBAR           | after-head after-colon
parataxis  | VP                           | PRN              | holds-clause
appos      | NP NX                        | PRN              | noun-in-brackets
discourse  | *                            | PRN              | holds-interjection
parataxis  | S                            | PRN              | holds-clause beside-verb-phrase
dep        | VP                           | S                | after-object coordinates-phrases
ccomp      | VP                           | S                | after-head coordinates-phrases
dep        | VP                           | S                | after-head participle-with-subject !after-have
ccomp      | VP                           | S                | after-head clause-with-subject
dep        | VP                           | S                | after-head subject-apart
xcomp      | VP                           | S                | after-head has-subject
xcomp      | VP                           | S                | after-head infinitive after-asking
vmod       | VP                           | S                | after-head participle after-comma after-object
vmod       | VP                           | S                | after-head participle after-comma head-is-verb-phrase
vmod       | VP                           | S                | after-head infinitive follows-object
vmod       | VP                           | S                | after-head opens-with-ing head-is-ing
dep        | VP                           | S                | after-head predicate-alone !nominal-after-passive
xcomp      | VP                           | S                | after-head controlled
ccomp      | VP                           | S                | finite !follows-object
ccomp      | VP                           | SBAR             | after-knowing opens-with-adverb
advcl      | VP                           | SBAR             | adverbial-clause
ccomp      | VP                           | SBAR             | complement-clause
ccomp      | VP                           | S                | after-quote holds-sentence
ccomp      | VP                           | SBARQ SINV       | after-head

# clauses before verb phrases, and beside clauses
csubj      | S                            | S SBAR           | before-verb-phrase !before-comma !has-subject-beside
vmod       | S SINV                       | S                | holds-participle before-comma-and-subject
vmod       | S SINV                       | S                | holds-participle after-noun-phrase-and-comma
advcl      | S                            | S                | infinitive before-comma before-noun-phrases
parataxis  | S                            | S                | after-head head-is-clause
ccomp      | S SINV                       | S SBARQ          | before-end !after-joint !nonfinite
advcl      | S SQ SINV                    | SBAR             | before-subject
advcl      | S SQ SINV                    | SBAR             | before-head adverbial-clause opens-clause
advcl      | SBARQ                        | SBAR             | before-head

# what follows a noun
advcl      | NP                           | SBAR             | opens-with-than lacks-object follows-noun-phrase
rcmod      | NP NX WHNP NML               | SBAR             | relative-clause follows-noun-phrase
vmod       | NP NX WHNP NML               | SBAR S           | after-head infinitive
ccomp      | NP                           | SBAR             | beside-word !infinitive
rcmod      | NP NX                        | RRC              | after-head
vmod       | NP NX WHNP NML               | VP               | after-head opens-with-participle
amod       | NP NX                        | NP               | after-head after-comma all-number
appos      | NP NX                        | NP               | after-head after-comma
appos      | NP NX                        | PRN              | acronym-in-brackets
appos      | NP                           | NP               | names-noun-phrase !coordinated
appos      | NP                           | NP               | in-brackets follows-noun-phrase !coordinated
appos      | NP                           | NNP              | after-name-and-comma !coordinated
prep       | NP NX WHNP                   | PRN              | opens-with-preposition

# prepositions
pobj       | PP WHPP ADVP                 | NP WHNP ADJP     | after-preposition
pcomp      | PP WHPP                      | S SBAR ADVP VP   | right-after-preposition
pcomp      | PP                           | PP               | right-after-preposition
pobj       | ADVP                         | JJS JJ DT        | after-head head-is-preposition
prep       | NP NX NML ADJP ADVP WHNP WHADJP WHADVP VP NAC SQ FRAG PRN X RRC PP WHPP QP | PP |
prep       | S SINV                       | PP               | beside-clause !holds-subordinate
prep       | SBAR SBARQ                   | PP               | head-is-sentence

# modifiers
amod       | NP NX WHNP NML NAC           | JJ* ADJP VBN VBG VBD IN JJP WHADJP | !after-coordinator !holds-quantity
nn         | NP NX WHNP NML NAC           | NN NNS NNP NNPS NP NML FW | before-noun !after-comma
advmod     | ADJP                         | JJ JJR JJS       | before-adjective !capital
amod       | ADJP                         | JJ NNP           | beside-adjective-or-name !coordinated
npadvmod   | ADJP                         | NN               | before-some-adjective !coordinated
npadvmod   | ADJP                         | NN NNP NNPS NNS  | hyphenated-to-participle in-noun-phrase
xcomp      | ADJP                         | S                | after-head infinitive
ccomp      | ADJP                         | SBAR             | after-head !opens-with-as holds-sentence
advcl      | ADVP                         | SBAR             | after-head
advmod     | VP ADJP JJP WHADJP S SQ SBAR SBARQ SINV XS RRC NP NX NML WHNP QP | ADVP RB RBR RBS WHADVP WRB |
advmod     | ADVP WHADVP                  | ADVP RB RBR RBS WHADVP WRB JJ | !after-coordinator
advmod     | PP WHPP                      | ADVP RB RBR RBS WHADVP WRB | before-head
advmod     | PP                           | ADVP RB RBR      | beside-noun-phrase
discourse  | *                            | INTJ             |
"""

NEGATIONS = frozenset("not n't n’t nt never no".split())

TELLING = frozenset("tell tells told telling".split())
"""Verbs that have a clause beside their object."""

BEGINNINGS = frozenset({"CC", "CONJP", "``", ",", "INTJ", "PP"})
"""What may precede a subordinate clause that opens its sentence."""

UNCOORDINATED = frozenset({"FRAG", "INTJ", "PRN", "NAC", "WHADVP"})
"""Categories in which a phrase after a conjunction is not a conjunct."""

NO_CONJUNCTS = PUNCTUATION | COORDINATORS | {"PRN"}

ADVERBIAL = frozenset({"ADVP", "PP", "UCP"})
"""Categories in which an adverb after a conjunction is a conjunct, not a modifier."""

PREPOSITIONS = frozenset({"SYM", "IN", "VBG", "VBN", "TO", "FW", "RB", "RBR"})
"""Parts of speech of words with an object in a prepositional phrase."""

NOUN_PHRASES = frozenset({"NP", "WHNP", "NML"})

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "FW", "NML", "CD"})
"""Labels of what a noun before it modifies."""

NOMINAL = ("NM", "NN", "NX", "NP", "CD", "JJ", "FW", "ADJP", "QP", "RB", "PRP", "PRN")
"""How the labels begin of phrases and words that a determiner belongs to."""


_ACRONYM = re.compile(r"([A-Z]\.?){2}")


def _opening(node: Node) -> str:
    """The label of the first child, "" for a word."""
    return node.opening.label if node.children else ""


def _is_conjunct(d: Dependent) -> bool:
    """Whether a conjunction joins it to the head, or a comma, if it is like the head and a conjunction follows."""
    if COORDINATORS.isdisjoint(d.lasts) or d.node.label in NO_CONJUNCTS:
        return False
    if d.parent.label in UNCOORDINATED or (d.node.label == "ADVP" and d.parent.label not in ADVERBIAL):
        return False
    following = _next(d)
    if d.node.label == "RB" and d.node.form != "not" and following is not None and following.children:
        return False
    before = d.position - 1
    while before > d.head_position and d.siblings[before].label in ("ADVP", "PRN", "``", "INTJ"):
        before -= 1
    if before <= d.head_position:
        return False
    link = d.siblings[before].label
    if link in COORDINATORS:
        return True
    if link not in (",", ":"):
        return False
    if link == "," and before - 1 > d.head_position and d.siblings[before - 1].label in COORDINATORS:
        return True
    if d.node.label == "CD" and d.parent.label == "NP":
        return False
    if link == ":" and "CC" in labels_of(d.siblings[d.head_position : before]):
        return True
    if not COORDINATORS.isdisjoint(labels_of(d.siblings[d.head_position : before])) and (
        d.parent.label in ("NP", "NX", "ADJP") or d.node.label == "NP"
    ):
        return True
    alike = d.node.label == d.head.label or (d.node.is_word and d.head.is_word)
    joins_later = any(sibling.label in COORDINATORS for sibling in d.siblings[d.position + 1 : -1])
    return alike and joins_later and not {"TMP", "ADV"} & set(d.node.functions)


def _is_passive_auxiliary(d: Dependent) -> bool:
    """A form of be or get whose verb or adjective phrase (or one of its coordinated phrases) has a participle."""
    if d.node.form not in BE | GET or d.head.label not in ("VP", "ADJP"):
        return False
    inner = [d.head]
    if d.head.has(*COORDINATORS) and not any(child.label.startswith("VB") for child in d.head.children):
        inner += [child for child in d.head.children if child.label in ("VP", "ADJP")]
    participles = (child for phrase in inner for child in phrase.children if child.label in ("VBN", "VBD"))
    return any(participle.form != "been" for participle in participles)  # he's been is he has been


def _is_be_of_inverted_passive(d: Dependent) -> bool:
    """(Hidden in the box) was (a key): a form of be alone, after a verb phrase with a participle."""
    is_be = len(d.node.children) == 1 and d.node.opening.form in BE
    return is_be and d.head.label == "VP" and d.head.has("VBN", "VBD")


def _opens_with_etc(node: Node) -> bool:
    return node.first_word.label == "FW" and node.first_word.form == "etc"


def _next(d: Dependent) -> Node | None:
    return d.siblings[d.position + 1] if d.position + 1 < len(d.siblings) else None


def _is_be_of_existential(d: Dependent) -> bool:
    """There is (a house): the clause above has an existential subject."""
    clause = d.parent.parent
    return d.head.form in BE and clause is not None and any(child.has("EX") for child in clause.children)


def _any_after(d: Dependent, labels: Collection[str]) -> bool:
    """Whether one of these labels follows."""
    return max([d.lasts.get(label, -1) for label in labels]) > d.position


def _is_beside_noun_phrase(d: Dependent) -> bool:
    if d.node.label != "NP":
        return "NP" in d.lasts
    return any(sibling.label == "NP" for sibling in d.siblings if sibling is not d.node)


def _is_plain_noun_phrase(node: Node) -> bool:
    """Whether it is a noun phrase that is not an adverbial by its function tags."""
    return node.label == "NP" and not {"TMP", "ADV"} & set(node.functions)


def _follows_object(d: Dependent) -> bool:
    return any(map(_is_plain_noun_phrase, d.siblings[: d.position]))


def _is_before_subject(d: Dependent) -> bool:
    """Whether a noun phrase follows, and a verb phrase after it."""
    labels = labels_of(d.siblings[d.position + 1 :])
    return "NP" in labels and "VP" in labels[labels.index("NP") :]


def _is_object_of_infinitive(d: Dependent) -> bool:
    """Him, in *want (him to go)*: the object of the verb above, or not a dependent of it."""
    return d.parent.above == "VP" and any(sibling.has("TO") for sibling in d.siblings)


def _is_before_predicate(d: Dependent) -> bool:
    """Consider [(him) (a fool)]: the next phrase is its predicate, in a clause without a verb."""
    return d.label_at(1) in ("NP", "ADJP") and d.parent.above == "VP"


def _is_before_time(d: Dependent) -> bool:
    following = _next(d)
    return following is not None and following.label == "NP" and ("TMP" in following.functions or is_time(following))


def _is_before_object(d: Dependent) -> bool:
    """Give (her) a book: the next noun phrase is not an adverbial, and this one is not a price."""
    following = _next(d)
    if following is None or not _is_plain_noun_phrase(following) or is_time(following) or is_time(d.node):
        return False
    return not any("$" in child.label for child in d.node.children)  # PRP$ too, as in the reference converter


def _is_measure(d: Dependent) -> bool:
    """Two years (ago), a lot (better): a noun phrase, not a name, before an adverb, preposition or adjective."""
    head = d.parent.head
    return (
        head is not None
        and head.label in ("JJ", "JJR", "IN", "RB", "RBR")
        and head.form != "notwithstanding"
        and not {"NNP", "NNPS"} & set(labels_of(d.node.children))
    )


def _has_subject(node: Node) -> bool:
    return any(child.label in ("NP", "WHNP") and child is not node.head for child in node.children)


def _is_subject_apart(d: Dependent) -> bool:
    """Call (it "a mess"): whether a mark stands between the subject and the predicate, which has no verb."""
    children, predicate = d.node.children, _predicate(d.node)
    if predicate.label not in ("NP", "ADJP") or not _has_subject(d.node):
        return False
    return not {"HYPH", *PUNCTUATION}.isdisjoint(labels_of(children[1 : children.index(predicate)]))


def _lacks_subject(d: Dependent) -> bool:
    clause = d.head
    while clause.label == "SBAR" and clause.head is not None and clause.head.children:
        clause = clause.head
    return clause.label in ("S", "SQ", "SINV") and not any(
        child.label == "NP" and child.functions != ("TMP",) for child in clause.children
    )


def _first_verb(node: Node) -> str:
    """The part of speech of the first verb, ``to`` or modal on the way down through clauses."""
    while node.children:
        inner = (c for c in node.children if c.label in ("VP", "S") or c.label[:2] in ("VB", "TO", "MD"))
        following = next(inner, None)
        if following is None:
            return ""
        node = following
    return node.label


def _is_infinitive(node: Node) -> bool:
    return _first_verb(node) == "TO"


def _predicate(node: Node) -> Node:
    """The head child of a clause, the clause itself for a word."""
    return node.head or node


def _is_predicate_alone(d: Dependent) -> bool:
    """Whether the clause is only a noun phrase, adjective phrase or the like."""
    around = PUNCTUATION | {"ADVP", "RB", "INTJ", "PP", "PRN", "CC"}
    core = [child for child in d.node.children if child.label not in around]
    return _predicate(d.node).label in ("NP", "ADJP", "PP", "ADVP") and len(core) <= 1


def _is_after_be(d: Dependent) -> bool:
    """Was (named president): whether the phrase above has a form of be or get."""
    above = d.parent.parent
    return above is not None and any(child.form in BE | GET for child in above.children)


def _is_controlled(d: Dependent) -> bool:
    """Whether the clause has no subject and opens with ``to`` or a verb in -ing, or has no verb."""
    predicate = _predicate(d.node)
    opens = _opening(predicate) == "VBG" or predicate.has("TO")
    return not _has_subject(d.node) and (predicate.label in ("NP", "ADJP") or opens)


def _is_participle_with_subject(d: Dependent) -> bool:
    predicate = _predicate(d.node)
    return _has_subject(d.node) and predicate.label == "VP" and _opening(predicate) in ("VBG", "VBN")


def _reaches_verb_phrase(clause: Node) -> bool:
    """Whether it is a sentence with a verb phrase, or its first clause is, at any depth."""
    inner: Node | None = clause
    while inner is not None and inner.label == "S":
        if inner.has("VP"):
            return True
        inner = inner.first("S")
    return False


def _reports(clause: Node) -> bool:
    """That or whether it rains."""
    opening = clause.opening
    return (
        opening.label in ("IN", "DT")
        and opening.form in ("that", "whether")
        and any(_reaches_verb_phrase(child) for child in clause.children)
    )


def _opening_adverb(clause: Node) -> str:
    """The question adverb that opens the clause (when, how, why), "" if none does."""
    word = clause.opening.first("WRB")
    return word.form if word else ""


def _is_complement_clause(d: Dependent) -> bool:
    node, labels = d.node, labels_of(d.node.children)
    if _reports(node):
        return True
    if COORDINATORS & set(labels) and any(child.label == "SBAR" and _reports(child) for child in node.children):
        return True
    if not any(child.label == "S" and child.has("VP") for child in node.children):
        return False
    if _follows_object(d):
        return d.head.form in TELLING and labels[0] in ("S", "WHNP")
    if labels[0] == "WHADVP":
        return _opening_adverb(node) == "how"
    return labels[0] != "IN" and not (labels[0] in ("ADVP", "RB") and labels[1] in ("IN", "WHADVP"))


def _is_adverbial_clause(d: Dependent) -> bool:
    if _opening(d.node) in ("WHADVP", "WHNP"):
        return _opening_adverb(d.node) not in ("", "how") and not d.node.has("SQ")
    if len(d.node.children) > 1 and d.node.children[1].label == "WHADVP":  # only when it rains
        return True
    clauses = [d.node, *(child for child in d.node.children if child.label == "SBAR")]
    return any(_is_subordinated(clause) for clause in clauses)


def _is_subordinated(clause: Node) -> bool:
    """(Even) if it rains, so that it rains; had it rained."""
    words = [child for child in clause.children if child.is_word]
    if any(word.label == "IN" and word.form not in ("that", "whether") for word in words):
        return True
    if [word.form for word in words] in (["so", "that"], ["now", "that"]):
        return True
    only = clause.children[0] if len(clause.children) == 1 else None
    return only is not None and only.label == "SINV" and _opening(only)[:2] in ("VB", "MD", "AU")


def _is_relative(d: Dependent) -> bool:
    """Relative: (who) came, (by whom) it came, it came, for it to come; not relative: that it came, to come."""
    if labels_of(d.node.children) == ["S"]:
        return not any(child.label == "VP" and child.has("TO") for child in d.node.opening.children)
    if _holds_relative(d.node):
        return True
    before = d.siblings[: d.position]
    if all(sibling.label not in NOUN_PHRASES or "TMP" in sibling.functions for sibling in before):
        return False
    return _opening_adverb(d.node).startswith(("where", "when", "why")) or _lacks_object(d.node)


def _lacks_object(clause: Node) -> bool:
    """As (they had), as (they were doing), but not: as (they had it), as (they were), that (they had)."""
    opening, sentence = clause.first_word, clause.first("S")
    phrase = sentence.first("VP") if sentence and _has_subject(sentence) else None
    if phrase is None or (opening.form in ("that", "whether") and opening.label != "WDT"):
        return False
    if _opening(phrase) == "TO":
        phrase = phrase.first("VP") or phrase
    inner = phrase.first("VP")
    if any(child.form in BE for child in phrase.children) and not (inner and _opening(inner) == "VBG"):
        return False
    while phrase is not None:
        for child in phrase.children:
            is_stranded = child.label == "PP" and len(child.children) == 1
            if is_stranded or child.label == "SBAR" or _is_plain_noun_phrase(child):
                return False
        phrase = phrase.first("VP")
    return True


def _holds_relative(clause: Node) -> bool:
    inner: Node | None = clause
    while inner is not None:
        if inner.has("WHNP", "WHPP"):
            return True
        inner = inner.first("SBAR")
    return False


def _is_noun_in_brackets(d: Dependent) -> bool:
    """North Atlantic Treaty Organization (NATO)."""
    parts = d.node.children
    return any(
        _is_plain_noun_phrase(part)
        and any(child.label.startswith(("NN", "CD")) for child in part.children)
        and "-LRB-" in labels_of(parts[:position])
        and labels_of(parts[position + 1 : position + 2]) == ["-RRB-"]
        for position, part in enumerate(parts)
    )


def _asks_for_object(d: Dependent) -> bool:
    """What did you see?: the verb of the question has no object and no infinitive of its own."""
    if d.node.has("WRB") or is_time(d.node):
        return False
    phrase = d.head
    below: Node | None = phrase
    while below is not None and below.label in ("SQ", "SINV", "S", "VP"):
        phrase = below
        below = phrase.first(*(("VP", "SQ") if phrase.label == "VP" else ("VP", "SQ", "S")))
    if phrase.label != "VP" or phrase.has("NP", "TO"):
        return False
    clauses = [child for child in phrase.children if child.label == "S"]
    return not any(child.label == "VP" and child.has("TO") for clause in clauses for child in clause.children)


def _is_acronym_in_brackets(d: Dependent) -> bool:
    """Only an acronym and perhaps more words: (NATO)."""
    parts = d.node.children
    if _opening(d.node) != "-LRB-" or parts[-1].label != "-RRB-":
        return False
    labels = set(labels_of(d.node.preorder()))
    if not labels.isdisjoint({"POS", "PRP$", "WP$", ",", "$", "#", "CC", "RB", "CD"}):
        return False
    phrases = [d.node]
    for phrase in phrases:
        phrases += [child for child in phrase.children if child.label == "NP"]
    words = [child.word or "" for phrase in phrases for child in phrase.children if child.label in ("NN", "NNP")]
    return any(_ACRONYM.match(word) for word in words)


def _is_after_preposition(d: Dependent) -> bool:
    before = labels_of(d.siblings[: d.position])
    is_preposition = d.head.label == "CC" or not PREPOSITIONS.isdisjoint(before)
    return bool(before) and before[-1] != "NP" and is_preposition


def _has_noun_phrase_before_verb_phrase(d: Dependent) -> bool:
    labels = ["NP" if _is_plain_noun_phrase(node) else node.label.replace("NP", "") for node in d.siblings]
    position = next((at for at in range(d.position + 1, len(labels)) if labels[at] == "VP"), 0)
    return "NP" in labels[:position]


CONDITIONS: dict[str, Condition] = {
    # positions
    "before-head": lambda d: d.position < d.head_position,
    "after-head": lambda d: d.position > d.head_position,
    "right-after-head": lambda d: d.position == d.head_position + 1,
    "after-comma": lambda d: d.label_at(-1) == ",",
    "after-colon": lambda d: d.label_at(-1) == ":",
    "after-conjunction": lambda d: d.label_at(-1) in COORDINATORS,
    "after-object": lambda d: any(sibling.label == "NP" for sibling in d.siblings[d.head_position : d.position]),
    "before-comma": lambda d: d.label_at(1) == ",",
    "after-passive": lambda d: d.head.label == "VBN" and _is_after_be(d),
    "after-noun-phrase-and-comma": lambda d: labels_of(d.siblings[max(d.position - 2, 0) : d.position]) == ["NP", ","],
    "before-comma-and-subject": lambda d: (
        (d.label_at(1), d.label_at(2)) == (",", "NP") and d.lasts.get("VP", -1) > d.position
    ),
    "after-quote": lambda d: d.label_at(-1) == "``",
    "before-end": lambda d: d.label_at(1) in (",", ".", "''"),
    "before-noun-phrases": lambda d: d.lasts.get("NP", -1) > d.position,
    "before-clause": lambda d: _any_after(d, {"S", "FRAG"}),
    "beside-word": lambda d: not {"JJ", "NN", "NNS"}.isdisjoint(d.lasts),
    "follows-object": _follows_object,
    "holds-participle": lambda d: any(child.label == "VP" and child.has("VBG", "VBN") for child in d.node.children),
    "nonfinite": lambda d: any(child.label == "VP" and child.has("TO", "VBG", "VBN") for child in d.node.children),
    "finite": lambda d: any(
        child.label == "VP" and _opening(child) not in ("TO", "VBG", "VBN") for child in d.node.children
    ),
    "holds-subordinate": lambda d: d.node.has("SBAR"),
    "holds-sentence": lambda d: d.node.has("S"),
    "holds-quantity": lambda d: any(child.label == "QP" and not child.has("$") for child in d.node.children),
    "capital": lambda d: (d.word.word or "")[:1].isupper(),
    "joined": lambda d: (
        d.label_at(-1) in COORDINATORS
        and not {"``", "-LRB-", "PRN", "PP", "ADVP", "RB"}.issuperset(labels_of(d.siblings[: d.position - 1]))
    ),
    "opens-clause": lambda d: d.label_at(1) != "VP" and BEGINNINGS.issuperset(labels_of(d.siblings[: d.position])),
    "opens-with-bare-verb": lambda d: _opening(d.node) in ("VB", "VBG"),
    "asks-for-object": _asks_for_object,
    "opens-with-than": lambda d: _opening(d.node) == "IN" and d.node.opening.form == "than",
    "opens-with-as": lambda d: _opening(d.node) == "IN" and d.node.opening.form == "as",
    "acronym-in-brackets": _is_acronym_in_brackets,
    "names-noun-phrase": lambda d: (
        labels_of(d.node.children) == ["NNP"]
        and d.label_at(-1) in ("NP", "WHNP")
        and not d.siblings[d.position - 1].has("POS")
    ),
    "in-brackets": lambda d: _opening(d.node) == "-LRB-" and d.node.children[-1].label == "-RRB-",
    "after-name-and-comma": lambda d: labels_of(d.siblings[max(d.position - 2, 0) : d.position]) == ["NNP", ","],
    "after-joint": lambda d: (
        d.label_at(-1) in ("CC", "CONJP", ":") or (d.label_at(-1) == "," and d.label_at(-2) in COORDINATORS)
    ),
    "before-verb-phrase": lambda d: d.lasts.get("VP", -1) > d.position,
    "before-subject": _is_before_subject,
    "before-predicate": _is_before_predicate,
    "before-time": _is_before_time,
    "before-object": _is_before_object,
    "before-noun-phrase": lambda d: (
        d.position + 1 < len(d.siblings) and _is_plain_noun_phrase(d.siblings[d.position + 1])
    ),
    "before-noun": lambda d: _any_after(d, NOUNS),
    "before-nominal": lambda d: any(sibling.label.startswith(NOMINAL) for sibling in d.siblings[d.position + 1 :]),
    "before-adjective": lambda d: d.label_at(1) in ("JJ", "JJR", "JJS"),
    "before-some-adjective": lambda d: any(sibling.label[:2] == "JJ" for sibling in d.siblings[d.position + 1 :]),
    "right-before-head": lambda d: d.position == d.head_position - 1,
    "beside-adjective-or-name": lambda d: any(
        sibling.label in ("JJ", "NNP") for sibling in d.siblings if sibling is not d.node
    ),
    "beside-noun-phrase": _is_beside_noun_phrase,
    "beside-verb-phrase": lambda d: "VP" in d.lasts,
    "beside-clause": lambda d: not {"VP", "S"}.isdisjoint(d.lasts),
    "beside-copula": lambda d: any(
        sibling.label[:2] in ("VB", "AU") and sibling.form in BE | LINKING for sibling in d.siblings
    ),
    "coordinated": lambda d: not COORDINATORS.isdisjoint(d.lasts),
    "hyphenated-to-participle": lambda d: d.label_at(1) == "HYPH" and d.label_at(2) in ("VBN", "VBG"),
    "in-noun-phrase": lambda d: d.parent.above == "NP",
    "has-subject-beside": _has_noun_phrase_before_verb_phrase,
    "after-preposition": _is_after_preposition,
    "right-after-preposition": lambda d: d.label_at(-1) in ("IN", "VBG", "VBN", "TO"),
    "after-coordinator": lambda d: d.label_at(-1) == "CC",
    "follows-noun-phrase": lambda d: not NOUN_PHRASES.isdisjoint(labels_of(d.siblings[: d.position])),
    "object-of-infinitive": _is_object_of_infinitive,
    "before-conjunction": lambda d: _any_after(d, COORDINATORS),
    "before-possessive": lambda d: d.label_at(1) == "PRP$",
    "before-determiner": lambda d: d.label_at(1) in ("DT", "PRP$", "WP$"),
    # the head
    "head-is-word": lambda d: d.head.is_word,
    "head-is-verb-phrase": lambda d: d.head.label == "VP",
    "head-is-question-word": lambda d: d.head.label == "WHNP",
    "head-is-sentence": lambda d: d.head.label in ("S", "SQ"),
    "head-is-clause": lambda d: d.head.label in ("S", "SQ", "SBAR", "SINV"),
    "head-is-currency": lambda d: d.head.label in ("$", "#"),
    "head-is-noun": lambda d: d.head.label.startswith("NN"),
    "head-is-preposition": lambda d: d.head.label == "IN",
    "head-is-modal": lambda d: d.head.label == "MD",
    "inverted": lambda d: not {"MD", *VERBS}.isdisjoint(labels_of(d.siblings[: d.position])),
    "head-is-ing": lambda d: d.head.label == "VBG",
    "after-have": lambda d: d.head.form in HAVE,
    "after-knowing": lambda d: d.head.form in KNOWING,
    "after-asking": lambda d: d.head.form in ASKING,
    "after-linking-verb": lambda d: d.head.form in LINKING,
    # words
    "be": lambda d: d.node.form in BE,
    "passive": _is_passive_auxiliary,
    "be-of-inverted-passive": _is_be_of_inverted_passive,
    "negation": lambda d: d.word.form in NEGATIONS,
    "opens-with-etc": lambda d: _opens_with_etc(d.node),
    "before-etc": lambda d: any(map(_opens_with_etc, d.siblings[d.position + 1 :])),
    "no": lambda d: d.word.form == "no",
    "preconjunction": lambda d: d.word.form in PRECONJUNCTIONS or d.node.label == "CONJP",
    "not-only": lambda d: labels_of(d.node.children) == ["RB", "RB"] and d.word.form in ("only", "just", "merely"),
    "conjunct": lambda d: d.position > d.head_position and _is_conjunct(d),
    # noun phrases
    "existential": lambda d: d.node.has("EX"),
    "be-of-existential": _is_be_of_existential,
    "plain": lambda d: _is_plain_noun_phrase(d.node) or d.node.label == "WHNP",
    "without-object": lambda d: d.label_at(-1) != "," and not _follows_object(d),
    "temporal": lambda d: "TMP" in d.node.functions,
    "adverbial": lambda d: "ADV" in d.node.functions,
    "names-time": lambda d: is_time(d.node),
    "term-of-percentage": lambda d: d.head_word.form == "%" and d.word.form in ("days", "month", "months"),
    "measures": _is_measure,
    "reflexive": lambda d: d.word.form.endswith(("self", "selves")),
    "possessor": lambda d: d.node.has("POS") or d.label_at(1) == "POS",
    "all-number": lambda d: all(child.label == "CD" for child in d.node.children),
    "all-determiner": lambda d: all(child.label == "DT" for child in d.node.children),
    "noun-in-brackets": _is_noun_in_brackets,
    "opens-with-preposition": lambda d: labels_of(d.node.children[1:2]) == ["PP"],
    # clauses
    "coordinates-phrases": lambda d: any(
        child.label == "VP" and _opening(child) == "VP" for child in (d.node, *d.node.children)
    ),
    "subject-apart": _is_subject_apart,
    "has-subject": lambda d: _has_subject(d.node),
    "holds-clause": lambda d: d.node.has("S", "SINV", "SBAR") or (d.node.has("NP") and d.node.has("VP")),
    "holds-interjection": lambda d: d.node.has("INTJ"),
    "clause-lacks-subject": _lacks_subject,
    "clause-with-subject": lambda d: (
        _has_subject(d.node) and _predicate(d.node).label == "VP" and not _is_infinitive(d.node)
    ),
    "participle-with-subject": _is_participle_with_subject,
    "participle": lambda d: _first_verb(d.node) in ("VBG", "VBN") and not _has_subject(d.node),
    "infinitive": lambda d: _is_infinitive(d.node),
    "controlled": _is_controlled,
    "predicate-alone": _is_predicate_alone,
    "nominal-after-passive": lambda d: (
        labels_of(d.node.children) == ["NP"] and (d.head.label == "VB" or _is_after_be(d))
    ),
    "opens-with-adjective": lambda d: (
        _opening(d.node) == "ADJP" and any(child.label.startswith("JJ") for child in d.node.opening.children)
    ),
    "opens-with-ing": lambda d: _opening(_predicate(d.node)) == "VBG",
    "opens-with-adverb": lambda d: _opening(d.node) == "WHADVP",
    "opens-with-participle": lambda d: d.node.has("VBN", "VBG", "VBD"),
    "adverbial-clause": _is_adverbial_clause,
    "complement-clause": _is_complement_clause,
    "relative-clause": _is_relative,
    "lacks-object": lambda d: _lacks_object(d.node),
}

RELATIONS = RelationRules(TABLE, CONDITIONS)
