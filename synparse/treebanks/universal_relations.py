"""The relations of basic Universal Dependencies (version 2) in English, as a table of rules.

See https://universaldependencies.org/en/dep/ for the meaning of each relation, and `synparse.treebanks.relation_rules`
for how to read the table. Coordination (``conj``), punctuation, multiword expressions (``fixed``) and passive subjects
are in `synparse.treebanks.universal_dependencies`.
"""

from __future__ import annotations

from synparse.treebanks.closed_classes import BE, GET, REDUCED, is_time
from synparse.treebanks.penn import Node, labels_of
from synparse.treebanks.relation_rules import Condition, Dependent, RelationRules
from synparse.treebanks.semantic_heads import VERBS
from synparse.treebanks.stanford_relations import CONDITIONS as STANFORD_CONDITIONS

NOMINAL = "NP NX NML NAC WHNP"
CLAUSE = "VP S SQ SINV SBARQ SBAR"

TABLE = f"""
# Coordination
cc:preconj   | *                        | CC CONJP DT            | before-head preconjunction before-conjunction
advmod       | CONJP                    | RB                     |
dep          | *                        | CC                     | preconjunction
case         | PP                       | CC                     | opens right-before-head head-is-noun-phrase
cc           | *                        | CC CONJP               |
conj         | NP NX WHNP NML           | FW NP ADVP             | opens-with-etc
conj         | NP NX WHNP NML           | NP NX ADJP NN* JJ*     | after-head after-comma before-etc
goeswith     | *                        | GW                     |

# Verb groups
aux          | VP SQ SINV               | MD                     | before-head
mark         | VP                       | TO                     | before-head
aux:pass     | VP SQ SINV               | VB* AUX AUXG           | before-head passive
aux:pass     | SINV                     | VP                     | after-head be-of-inverted-passive
aux          | VP SQ SINV               | VB* AUX AUXG           | before-head head-is-verb-phrase
cop          | VP SQ SINV               | VB* AUX AUXG           | be !head-is-word
cop          | SBARQ                    | VB*                    | be head-is-question-word
compound:prt | VP                       | PRT RP                 |
compound:prt | ADJP                     | RP                     | after-head !head-is-noun

# Noun phrases
det          | NP                       | DT                     | before-head before-possessive
det:predet   | {NOMINAL}                | PDT DT                 | before-head before-determiner
det          | {NOMINAL} X              | DT WDT WP              | before-head
det          | NP                       | DT                     | after-head !head-is-word
nmod:poss    | {NOMINAL} ADJP INTJ      | PRP$ WP$               |
nmod:poss    | {NOMINAL}                | NP WHNP NML NNP NN     | before-head possessor
case         | {NOMINAL}                | POS                    | after-head
nummod       | {NOMINAL}                | CD QP                  |
nummod       | QP ADJP                  | QP                     | after-head
nummod       | QP                       | CD                     | after-head head-is-currency
compound     | QP ADJP                  | CD #                   |
obl:npmod    | QP                       | XS                     | ends-in-superlative
advmod       | QP                       | RB RBR RBS JJ JJR XS IN DT ADVP PDT | before-head
advmod       | QP                       | RB RBR JJR IN          | after-head
case         | XS                       | IN                     | before-head
advmod       | XS                       | RB                     |
appos        | {NOMINAL}                | NNP                    | before-head after-comma
dep          | {NOMINAL}                | NN NNS                 | before-head after-comma
dep          | {NOMINAL}                | ADJP                   | before-head opens-with-quantity
amod         | {NOMINAL}                | JJ JJR JJS JJP VBN VBG VBD IN ADJP WHADJP |
compound     | {NOMINAL}                | NN NNS NNP NNPS FW NML NP | before-head before-noun
compound     | NP ADVP                  | FW                     | before-noun
nmod         | {NOMINAL}                | ADVP                   | at-all
advmod       | {NOMINAL}                | RB RBR RBS ADVP WRB WHADVP |
amod         | INTJ                     | JJ                     |
discourse    | *                        | INTJ LST               |

obl:tmod     | NP                       | NP                     | after-head temporal
obl:npmod    | NP                       | NP                     | after-head adverbial
obl:npmod    | NP                       | NP                     | right-after-head reflexive
det          | NP                       | NP                     | right-after-head bare-determiner
obl:npmod    | NP                       | NP                     | right-after-head term-of-percentage
appos        | NP                       | NP                     | names-noun-phrase !coordinated
appos        | NP                       | NP                     | in-brackets follows-noun-phrase !coordinated
amod         | NP                       | NP                     | after-comma bare-number
appos        | NP FRAG                  | NP                     | after-comma !head-is-word
appos        | NP                       | PRN                    | noun-in-brackets
appos        | NP                       | PRN                    | acronym-in-brackets
nmod         | NP                       | PRN                    | holds-preposition
discourse    | *                        | PRN                    | holds-interjection
dep          | S                        | PRN                    | after-head !head-is-verb-phrase
parataxis    | S VP SINV SQ             | PRN                    | holds-clause
nmod         | PRN                      | PP                     |
nsubj        | PRN                      | NP                     | before-head

# Clauses in noun phrases
advcl        | NP                       | SBAR                   | opens-with-than lacks-object
acl:relcl    | {NOMINAL}                | SBAR                   | relative-clause follows-noun-phrase
acl          | {NOMINAL}                | SBAR                   | opens-with-clause infinitive
acl:relcl    | {NOMINAL}                | SBAR                   | opens-with-clause !head-is-word
ccomp        | {NOMINAL}                | SBAR                   | opens-with-clause
ccomp        | {NOMINAL}                | SBAR                   | opens-with-that head-is-word
acl          | {NOMINAL}                | SBAR                   | opens-with-for
acl          | {NOMINAL}                | S                      | after-head infinitive
dep          | {NOMINAL}                | VP                     | coordinates-phrases
acl          | {NOMINAL}                | VP                     | after-head nonfinite-phrase
acl:relcl    | {NOMINAL}                | RRC                    | after-head

# Prepositional phrases
mark         | PP WHPP                  | IN TO VBN JJ           | right-before-head head-is-clause
mark         | PP WHPP                  | IN JJ RB               | opens-expression head-is-clause
case         | PP WHPP                  | IN TO VBG VBN JJ       |
case         | PP WHPP                  | RB                     | opens-expression
dep          | PP                       | RB ADVP                | after-head head-is-adverb
advmod       | PP WHPP                  | RB RBR ADVP            |
obl:tmod     | PP                       | NP                     | after-head temporal
obl          | NAC FRAG PP WHPP         | PP                     |
acl          | {NOMINAL}                | PP WHPP                | !about-noun
nmod         | {NOMINAL}                | PP WHPP                |
dep          | SBARQ                    | PP                     | head-is-question-word
dep          | *                        | PP                     | !about-noun holds-preposition-of-clause
advcl        | *                        | PP                     | !about-noun !stranded
dep          | UCP SBAR                 | PP                     |
dep          | S SINV                   | PP                     | !beside-clause
obl          | *                        | PP WHPP                |

# Adjective and adverb phrases
obl:npmod    | ADJP WHADJP              | NP                     | right-before-head measures
obl:tmod     | ADJP                     | NP                     | temporal
obl          | ADJP                     | NN NNP NNPS NNS        | hyphenated-to-participle in-noun-phrase
obl:npmod    | ADJP                     | NN                     | before-head head-is-adjective
advmod       | ADJP                     | JJ JJR JJS             | right-before-head head-is-adjective !capital
amod         | ADJP                     | JJ NNP                 | before-head beside-adjective-or-name !coordinated
xcomp        | ADJP                     | S                      | after-head infinitive
dep          | ADJP                     | SBAR                   | opens-with-as
ccomp        | ADJP                     | SBAR                   | after-head !opens-with-subordinate
det          | ADJP ADVP                | DT                     | before-head !head-is-adverb
obl          | ADJP                     | ADVP                   | at-all
advmod       | ADJP WHADJP              | RB RBR RBS ADVP WRB WHADVP |
obl:npmod    | ADVP WHADVP              | NP                     |
advmod       | ADVP WHADVP              | RB RBR RBS JJ JJR JJS ADVP WRB | !after-coordinator
case         | ADVP WHADVP              | IN                     |
advcl        | ADVP                     | SBAR                   | after-head

# Arguments of verbs
expl         | {CLAUSE}                 | NP                     | existential
obl:tmod     | S SQ SINV                | NP                     | temporal before-verb-phrase
dep          | S                        | NP                     | adverbial
dep          | S                        | NP                     | vocative !before-verb-phrase
obl:tmod     | S                        | NP                     | before-head names-time before-subject
nsubj        | S                        | NP                     | before-predicate
dep          | S                        | NP                     | head-is-sentence
conj         | S                        | NP                     | before-head joined
nsubj        | S                        | NP                     | before-head before-verb-phrase
nsubj        | S                        | NP                     | head-is-subordinate in-verb-phrase
nsubj        | S                        | NP                     | right-before-head in-verb-phrase
dep          | S                        | NP                     |
nsubj        | SBARQ                    | NP                     | head-is-question-word
dep          | SINV                     | NP                     | before-head head-is-verb-phrase !inverted
dep          | SQ                       | NP                     | head-is-modal
dep          | SQ                       | NP                     | after-head head-is-verb-phrase
nsubj        | S SQ SINV                | NP WHNP                |
obl:tmod     | VP                       | NP                     | temporal
obl:npmod    | VP                       | NP                     | adverbial
obj          | VP                       | NP                     | before-head !beside-copula
nsubj        | VP                       | NP                     | in-existential-clause
iobj         | VP                       | NP                     | before-object
iobj         | VP                       | NP                     | holds-noun-phrases
xcomp        | VP                       | NP                     | after-linking-verb
obl:tmod     | VP                       | NP                     | names-time !before-noun-phrase
obj          | VP                       | NP WHNP                | before-time !beside-copula
obj          | VP                       | NP WHNP                | !before-noun-phrase !beside-copula
xcomp        | VP                       | ADJP                   | after-head

nsubj        | SBAR SBARQ               | WHNP                   | clause-lacks-subject
obl          | SBAR SBARQ               | WHNP                   | strands-preposition
obj          | SBAR                     | WHNP                   | head-is-clause
obj          | SBARQ                    | WHNP                   | head-is-clause asks-for-object
mark         | SBAR                     | IN DT                  | before-clause
obl          | {CLAUSE}                 | ADVP                   | at-all
advmod       | {CLAUSE} RRC             | WHADVP WRB ADVP RB RBR RBS |
advmod       | *                        | ADVP                   | after-head head-is-adverb

# Clauses in clauses
parataxis    | FRAG                     | S SBAR                 | after-colon
ccomp        | SINV                     | S SQ SBARQ SINV        |
csubj        | S                        | S SBAR                 | right-before-head head-is-verb-phrase
ccomp        | S                        | S                      | after-comma before-conjunction
parataxis    | S                        | S                      | after-head head-is-sentence
ccomp        | S                        | S SBARQ                | after-head before-end !after-joint !nonfinite
parataxis    | S                        | S SINV SQ FRAG         | after-head
advcl        | S                        | S                      | modifier before-comma-and-subject
advcl        | S                        | S                      | modifier before-comma after-noun-phrase-and-comma
csubj        | S                        | S                      | modifier !before-comma !has-subject-beside
dep          | S                        | S                      | modifier
ccomp        | S                        | S SBARQ                | before-head before-end
advcl        | S SQ SINV                | SBAR                   | before-subject
advcl        | S SQ SINV                | SBAR                   | before-head adverbial-clause opens-clause
advcl        | VP SBARQ                 | SBAR                   | before-head

ccomp        | VP                       | S                      | after-colon finite !follows-object
parataxis    | VP                       | S                      | after-head after-colon
dep          | VP                       | S                      | coordinates-phrases after-object
ccomp        | VP                       | S                      | coordinates-phrases
ccomp        | VP                       | S                      | after-quote holds-clauses !coordinates-nonfinite
xcomp        | VP                       | S                      | !verbal
xcomp        | VP                       | S                      | has-subject infinitive
ccomp        | VP                       | S                      | has-subject participle after-have
advcl        | VP                       | S                      | gerund head-is-ing
dep          | VP                       | S                      | has-subject participle
ccomp        | VP                       | S                      | has-subject
xcomp        | VP                       | S                      | infinitive after-asking
advcl        | VP                       | S                      | infinitive after-object
xcomp        | VP                       | S                      | infinitive
advcl        | VP                       | S                      | gerund after-object after-comma
advcl        | VP                       | S                      | gerund head-is-verb-phrase after-comma
xcomp        | VP                       | S                      | gerund opens-with-gerund
ccomp        | VP                       | S                      | gerund
advcl        | VP                       | S                      | passive-participle after-object
dep          | VP                       | S                      | passive-participle
dep          | VP                       | S                      | after-object
ccomp        | VP                       | S SBARQ SINV           |
xcomp        | VP                       | VP                     | right-after-head head-is-word !head-is-reduced

xcomp        | VP                       | SBAR                   | opens-with-clause infinitive
ccomp        | VP                       | SBAR                   | opens-with-adverb after-knowing
advcl        | VP                       | SBAR                   | adverbial-clause
ccomp        | VP                       | SBAR                   | complement-clause
"""

EXPRESSIONS = {
    label: [expression.split() for expression in expressions]
    for label, expressions in {
        "PP": ("such as", "because of", "rather than", "instead of", "due to", "as to"),
        "SBAR": ("so that", "in order", "as if", "in case"),
        "CONJP": ("as well as", "rather than", "instead of", "as well", "not to mention"),
        "ADVP": ("kind of", "sort of", "as well", "at least", "of course", "let alone"),
        "XS": ("more than", "less than", "up to"),
        "QP": ("more than", "less than", "up to", "all but"),
    }.items()
}
"""The words of multiword expressions of function words, by the category of their parent: the first one is the head."""

NONFINITE = frozenset({"TO", "VBG", "VBN"})
CLAUSES = frozenset({"S", "SBAR", "SQ", "SINV", "SBARQ", "VP"})
PREPOSITIONS = frozenset({"IN", "PP", "CC", "CONJP", "DT"})


def _opens_with(*labels: str) -> Condition:
    return lambda d: d.node.opening.label in labels


def _head_is(*labels: str) -> Condition:
    return lambda d: d.head.label in labels


def _clause(node: Node) -> Node:
    """The first child of a subordinate clause; any other node itself."""
    return node.opening if node.label == "SBAR" else node


def verb_phrase(clause: Node) -> Node | None:
    """The verb phrase of a clause; of several that open each other, the innermost."""
    phrase = clause.first("VP")
    while phrase is not None and phrase.children and phrase.opening.label == "VP":
        phrase = phrase.opening
    return phrase


def verb_tag(node: Node) -> str:
    """Part of speech of the first verb in the verb phrase of a clause: TO, MD, VBG …; "" without a verb phrase."""
    phrase = verb_phrase(_clause(node))
    if phrase is None:
        return ""
    verb = phrase.first(*VERBS, "TO", "MD")
    return verb.label if verb else "?"


def _has_verb_tag(*tags: str) -> Condition:
    return lambda d: verb_tag(d.node) in tags


def _has_participle(node: Node) -> bool:
    """Whether it has a participle that can be passive: he's been is he has been."""
    return any(child.label in ("VBN", "VBD") and child.form != "been" for child in node.children)


def _passive(d: Dependent) -> bool:
    """A form of be or get before a participle, or before coordinated phrases with participles."""
    if d.node.form not in BE and (d.node.form not in GET or d.head.label != "VP"):
        return False
    if d.head.label not in ("VP", "ADJP"):
        return False
    if _has_participle(d.head):
        return True
    coordinated = d.head.has("CC") and not d.head.has(*VERBS)
    return coordinated and any(child.label in ("VP", "ADJP") and _has_participle(child) for child in d.head.children)


def _coordinates_nonfinite(d: Dependent) -> bool:
    first = d.node.first(*CLAUSES)
    return first is not None and (verb_tag(first) in NONFINITE or (first.label == "S" and not verb_tag(first)))


def _about_noun(d: Dependent) -> bool:
    """Whether the preposition has a noun phrase as its object, not a clause, an adverb or an adjective."""
    if d.node.has("NP", "WHNP"):
        return True
    inner, labels = d.node.first("PP"), labels_of(d.node.children)
    if inner is None or not inner.has("NP", "PP"):
        return False
    if labels[1:] in (["PRN"], [":"], ["IN", "PP"]) or (
        "," in labels and d.parent.label != "NP" and not d.node.has("CC", "CONJP", "NP")
    ):
        return False
    return (
        labels[0] in PREPOSITIONS or "CC" in labels or d.parent.label == "NP" or d.node.children[0].form == "according"
    )


def _holds_preposition_of_clause(d: Dependent) -> bool:
    """Out (of (what it was)), but not: based (on (what it was))."""
    if d.node.opening.label in ("VBG", "VBN") or d.node.has(",", "PRN"):
        return False
    inner = d.node.head
    return inner is not None and inner.label == "PP" and inner.head is not None and inner.head.label in CLAUSES


def _in_existential_clause(d: Dependent) -> bool:
    above = d.parent.parent
    return above is not None and any(sibling.label == "NP" and sibling.has("EX") for sibling in above.children)


def _holds_noun_phrases(d: Dependent) -> bool:
    """Two noun phrases side by side without a comma or conjunction: (a rock) (the size of my fist)."""
    phrases = [child for child in d.node.children if child.label == "NP"]
    if len(phrases) < 2 or d.node.has(",", ":", "CC", "CONJP"):
        return False
    return {"TMP", "ADV"}.isdisjoint(phrases[-1].functions) and phrases[-1].opening.label not in ("DT", "PRP")


def expression_at(parent: Node, position: int) -> list[Node]:
    """The words of a multiword expression that begins with this child; [] if none does."""
    for expression in EXPRESSIONS.get(parent.label, ()):
        words = parent.children[position : position + len(expression)]
        if [word.form for word in words] == expression:
            return words
    return []


def _strands_preposition(d: Dependent) -> bool:
    """Whether the clause has a preposition without an object: what I look (for)."""
    verb_phrase = d.head.head
    while verb_phrase is not None and verb_phrase.head is not None and verb_phrase.head.label == "VP":
        verb_phrase = verb_phrase.head
    return verb_phrase is not None and any(
        child.label == "PP" and labels_of(child.children) in (["IN"], ["TO"]) for child in verb_phrase.children
    )


# The conditions of Stanford Dependencies; those below replace or extend them.
CONDITIONS: dict[str, Condition] = STANFORD_CONDITIONS | {
    # Its position
    "opens": lambda d: d.position == 0,
    "after-object": lambda d: any(
        sibling.label == "NP" and "TMP" not in sibling.functions and not is_time(sibling)
        for sibling in d.siblings[: d.position]
    ),
    "in-verb-phrase": lambda d: d.parent.above == "VP",
    "in-existential-clause": _in_existential_clause,
    # Its head
    "head-is-noun-phrase": _head_is("NP"),
    "head-is-reduced": lambda d: d.head.form in REDUCED,
    "head-is-subordinate": _head_is("SBAR"),
    "head-is-adjective": _head_is("JJ", "JJR", "JJS"),
    "head-is-adverb": _head_is("RB", "RBR", "ADVP"),
    # Its function tags and words
    "vocative": lambda d: "VOC" in d.node.functions,
    "passive": _passive,
    # Its children
    "bare-determiner": lambda d: labels_of(d.node.children) == ["DT"],
    "bare-number": lambda d: labels_of(d.node.children) == ["CD"],
    "at-all": lambda d: labels_of(d.node.children) == ["IN", "DT"],
    "holds-noun-phrases": _holds_noun_phrases,
    "ends-in-superlative": lambda d: labels_of(d.node.children)[-1:] == ["JJS"],
    "holds-preposition": lambda d: d.node.head is not None and d.node.head.label == "PP",
    "holds-preposition-of-clause": _holds_preposition_of_clause,
    "about-noun": _about_noun,
    "stranded": lambda d: len(d.node.children) == 1,
    # Clauses
    "opens-with-quantity": lambda d: d.node.opening.label == "QP" and len(d.node.children) > 1,
    "opens-with-gerund": lambda d: any(child.opening.label == "VBG" for child in d.node.children),
    "opens-with-clause": _opens_with("S"),
    "opens-with-that": lambda d: d.node.opening.form == "that",
    "opens-with-for": lambda d: d.node.opening.form == "for",
    "opens-expression": lambda d: bool(expression_at(d.parent, d.position)),
    "strands-preposition": _strands_preposition,
    "opens-with-subordinate": _opens_with("SBAR"),
    "verbal": lambda d: bool(verb_tag(d.node)),
    "holds-clauses": lambda d: not verb_tag(d.node) and d.node.has(*CLAUSES - {"SBAR"}),
    "coordinates-nonfinite": _coordinates_nonfinite,
    "infinitive": _has_verb_tag("TO"),
    "gerund": _has_verb_tag("VBG"),
    "passive-participle": _has_verb_tag("VBN"),
    "participle": _has_verb_tag("VBG", "VBN"),
    "nonfinite-phrase": lambda d: d.node.has("VBN", "VBG", "VBD", "TO"),
    "modifier": lambda d: d.position < d.head_position and verb_tag(d.node) in NONFINITE and not d.node.has("NP"),
}

RELATIONS = RelationRules(TABLE, CONDITIONS)
