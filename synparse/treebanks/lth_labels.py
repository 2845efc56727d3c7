"""The relations of the LTH schemes, from function tags and categories.

Without function tags (``raw``) every dependent of a verb is VMOD, and every dependent of a noun NMOD.
"""

from __future__ import annotations

from typing import NamedTuple

from synparse.treebanks.lth_coordination import ADVERBIAL, CONJUNCTIONS, NOMINAL, NOUNS, is_list_item
from synparse.treebanks.lth_traces import EXTRAPOSED
from synparse.treebanks.penn import PUNCTUATION, Node

_FUNCTIONS = ADVERBIAL | {"SBJ", "PRD", "LGS", EXTRAPOSED}
_NO_OBJECTS = _FUNCTIONS | {"CLR"}
_CLAUSAL = frozenset(["S", "SBAR", "SINV", "SQ", "VP"])
_ADJECTIVAL = frozenset(["ADJP", "JJP", "ADVP", "WHADJP", "WHADVP"])
_OBJECTS = frozenset(["NP", "SBAR", "SBARQ", "SINV", "SQ"])
_FINITE = frozenset(["MD", "VBD", "VBP", "VBZ"])
_LINKS = frozenset(["CC", ",", ":"])
_SUBORDINATORS = frozenset(["IN", "DT", "RB"])
_NAMES = frozenset(["NNP", "NNPS"])

# After these, a clause without a function tag continues the verb: is to go, is going to go.
_AUXILIARIES = frozenset(["am", "are", "be", "became", "been", "being", "going", "is", "was", "were", "'s"])
_COPULAS = _AUXILIARIES - {"going"} | {"'m", "'re", "become", "becomes", "becoming"}

_TITLES = frozenset(["Mr.", "Mrs", "Mrs.", "Ms.", "Messrs.", "Dr.", "St.", "Rep.", "Sen."])
_OFFICES = frozenset(["Chairman", "Commodore", "Judge", "Justice", "Lord", "Mayor", "President"])
_POSTHONORIFICS = frozenset(
    ["I", "II", "III", "IV", "Jr", "Jr.", "Sr.", "Co", "Co.", "Corp", "Corp.", "Inc", "Inc.", "Ltd", "Ltd.", "N.V."]
)

# Label of 2008 → label of 2007.
_IN_2007 = {
    **dict.fromkeys(ADVERBIAL, "ADV"),
    **dict.fromkeys(("APPO", "NAME", "POSTHON", "SUFFIX", "TITLE"), "NMOD"),
    EXTRAPOSED: "EXP",
    "OPRD": "OBJ",
    "SUB": "VMOD",
}


class Dependency(NamedTuple):
    """A constituent and its governor, each with its head word."""

    node: Node
    governor: Node
    word: Node
    head: Node

    @property
    def is_after(self) -> bool:
        """Whether it follows its head."""
        return self.word.position > self.head.position


def role_of(node: Node, word: Node) -> str:
    """The grammatical functions of a constituent with head ``word``, from its tags or else its parent; "" for none."""
    parent = node.above
    tags = sorted(_FUNCTIONS.intersection(node.functions))
    if node.label == "PP" and any("LGS" in child.functions for child in node.children):
        return "LGS"
    if tags and not (tags == ["LGS"] and parent == "PP"):
        return "-".join(tags)
    if node.label in ("PRN", "PRT"):
        return node.label
    if parent == "VP" and node.label == "S":
        predicate = node.head.functions if node.head else ()  # of a small clause: kept wine in stock
        functions = ADVERBIAL.intersection(predicate if "PRD" in predicate else ())
        return "OBJ" if word.label in _FINITE else "-".join(sorted({*functions, "OPRD"}))
    if parent == "VP" and node.label == "NP" and _is_copular(node.parent):
        return ""
    if _is_clause_of_cleft(node):
        return "CLF"
    if parent == "VP" and node.label in _OBJECTS:
        return "ADV" if node.label == "SBAR" and "CLR" in node.functions else "OBJ"
    is_adverbial = node.label == "ADVP" or (node.label in ("PP", "SBAR") and parent != "SBAR")
    return "ADV" if is_adverbial and (parent in _CLAUSAL or parent in ("SBARQ", "FRAG")) else ""


def _is_clause_of_cleft(node: Node) -> bool:
    """Whether it is the clause at the end of a cleft: it was John [who left]."""
    above = node.parent if node.label == "SBAR" and node.above == "VP" else None
    while above is not None and above.label == "VP" and above.parent is not None:
        above = above.parent
    return above is not None and "CLF" in above.functions


def _is_copular(phrase: Node | None) -> bool:
    """Whether the verb of a phrase is a copula or the like, which takes no object."""
    verb = next((child for child in phrase.children if child.label.startswith("VB")), None) if phrase else None
    return verb is not None and verb.form in _COPULAS


def is_posthonorific(node: Node) -> bool:
    """Whether the word is the end of a name, but not its head: Jr., Inc."""
    siblings = node.parent.children if node.parent and node.parent.label == "NP" else [node]
    return (
        node.word in _POSTHONORIFICS
        and siblings[-1] is node
        and len(siblings) > 1
        and siblings[-2].label not in CONJUNCTIONS
    )


def is_shared_object(node: Node) -> bool:
    """(Of and by) him: whether it is the object of all prepositions in a coordination."""
    siblings = node.parent.children if node.parent and node.parent.label == "PP" else []
    return not node.is_word and len(siblings) > 3 and all(child.is_word for child in siblings[:3])


def relation_2008(dependent: Dependency, raw: bool) -> str:
    """The label in the scheme of the CoNLL-2008 shared task."""
    node, role = dependent.node, role_of(dependent.node, dependent.word)
    if role in ("PRN", "PRT"):
        return role
    if dependent.word.label in PUNCTUATION and not role and dependent.node.above not in NOMINAL:
        return "P"
    if continues_verb(node, dependent.head):
        return "VC"
    if role and not raw:
        return "ADV" if role == "CLF" else role
    if node.label in CONJUNCTIONS:
        return "COORD" if dependent.is_after else "DEP"
    relation = _relation_by_category(dependent, role, raw)
    if relation == "VMOD" and not raw:
        return "ADV" if node.label in ("RB", "INTJ") else "DEP"
    return relation


def relation_2007(dependent: Dependency, raw: bool) -> str:
    """The label in the scheme of the CoNLL-2007 shared task."""
    node, role = dependent.node, role_of(dependent.node, dependent.word)
    if role in ("PRN", "PRT"):
        return role
    is_continuation = continues_verb(node, dependent.head)
    if dependent.word.label in PUNCTUATION and (not role or is_continuation):
        return "P"
    if is_continuation:
        return "VC"
    if node.label in CONJUNCTIONS:
        return "CC"
    if "CLR" in node.functions and node.label in ("NP", "S", "SBAR"):
        return "ADV"
    if _is_indirect_object(dependent, role):
        return "I" if raw else "IOBJ"
    if role and not raw:
        if role == "TMP" and dependent.head.label in NOUNS:
            return "NMOD"
        part = next((part for part in role.split("-") if part.endswith("PRD")), role.partition("-")[0])
        return _IN_2007.get(part, part)
    relation = _relation_by_category(dependent, role, raw)
    if relation == "VMOD" and node.label == "RB" and not raw and dependent.node.above != "SBAR":
        return "ADV"
    return _IN_2007.get(relation, relation)


def continues_verb(node: Node, verb: Node) -> bool:
    """Whether it is a clause without a function tag beside an auxiliary: is to go."""
    is_bare = node.label == "S" and not node.functions
    return is_bare and verb.form in _AUXILIARIES and node.above in _CLAUSAL


def _is_indirect_object(dependent: Dependency, role: str) -> bool:
    """Whether it is the first of two objects."""
    node, parent = dependent.node, dependent.node.parent
    if role != "OBJ" or parent is None or parent.label != "VP" or node.label != "NP":
        return False
    objects = (
        child
        for child in parent.children
        if child.label in ("NP", "S", "SBAR", "SQ") and not _NO_OBJECTS.intersection(child.functions)
    )
    return next(objects, None) is node and next(objects, None) is not None


def _relation_by_category(dependent: Dependency, role: str, raw: bool) -> str:
    """The label, in the scheme of 2008, without a role or in raw mode; VMOD for dependents of a verb."""
    node, governor = dependent.node, dependent.governor
    category = dependent.node.above
    if governor.label in _LINKS and not role and not is_shared_object(node):
        return "COORD"
    if category in NOMINAL:
        return _relation_in_noun_phrase(dependent, role, raw)
    if category in ("PP", "WHPP"):
        return "DEP" if _joins_preposition(dependent) else "PMOD"
    if category in _ADJECTIVAL:
        return "AMOD"
    if category == "SBAR" and node.label in ("IN", "RB", "WRB") and governor.label in _SUBORDINATORS:
        return "DEP"
    if category in _CLAUSAL and not role and dependent.head.label in _SUBORDINATORS:
        return "SUB"
    if node.parent is not None and is_list_item(node.parent):
        return "COORD"
    if category not in _CLAUSAL and not role:
        return "DEP"
    if node.label == "VP" and category in ("VP", "SQ", "SINV"):
        return "IM" if governor.label == "TO" else "VC"
    if node.label == "NP" and category == "VP" and not raw and _is_copular(node.parent):
        return "PRD"
    return "VMOD"


def _joins_preposition(dependent: Dependency) -> bool:
    """(Even) before, out (of), in (the): a word beside a preposition, without a hyphen between them."""
    node, parent = dependent.node, dependent.governor.parent
    if not node.is_word or dependent.governor.label not in ("IN", "TO", "RP"):
        return False
    if parent is None or parent is not node.parent:
        return False
    position = parent.children.index(dependent.governor)
    return all(child.label not in ("HYPH", "SYM") for child in parent.children[max(position - 1, 0) : position + 2])


def _relation_in_noun_phrase(dependent: Dependency, role: str, raw: bool) -> str:
    node, governor = dependent.node, dependent.governor
    if role == "TMP" and dependent.head.label not in NOUNS:
        return "VMOD"
    if node.label == "POS":
        return "SUFFIX"
    if is_posthonorific(node) and not raw:
        return "POSTHON"
    if node.label in _NAMES and node.is_word and governor.label in _NAMES:
        if dependent.is_after:
            return "APPO"
        is_first = node.parent is not None and node.parent.children[0] is node
        return "TITLE" if is_first and node.word in _TITLES | _OFFICES and not raw else "NAME"
    if dependent.is_after and not governor.is_word and node.label in ("ADJP", "NP", "VP"):
        return "DEP" if _is_rate(node) else "APPO"
    return "NMOD"


def _is_rate(node: Node) -> bool:
    """Five cents (a share), some kind (a city): a noun phrase that begins with *a*, right after another word."""
    opening = node.first_word
    if opening.word != "a" or node.label != "NP" or node.parent is None:
        return False
    previous = node.parent.children[node.parent.children.index(node) - 1]
    while previous.children:
        previous = previous.children[-1]
    return opening.position == previous.position + 1 and previous.label not in PUNCTUATION
