"""Question words that depend on another word than the clause says: what I talk [about], what I try to [see]."""

from __future__ import annotations

from collections.abc import Sequence

from synparse.treebanks.penn import Node

QUESTION_WORDS = frozenset({"WDT", "WP"})
CLAUSES = frozenset({"SBAR", "SBARQ"})
"""Clauses that a question word opens."""

WITHOUT_OBJECT = frozenset(
    """aim aims aimed aiming appear appears appeared appearing attempt attempts attempted attempting begin begins began
    begun beginning call calls called calling continue continues continued continuing like likes liked love loves loved
    pledge pledges pledged pledging prove proves proved proven proving seem seems seemed seeming try tries tried trying
    wish wishes wished wishing""".split()
)
"""Verbs whose complement has the question word before them as its object."""


def beside(question: Node, heads: Sequence[int]) -> list[int]:
    """The positions of the words after a question word that depend on the same word."""
    verb = heads[question.position - 1]
    return [position for position, head in enumerate(heads, 1) if head == verb and position > question.position]


def move_to_complement(
    question: Node, heads: list[int], relations: list[str], words: Sequence[Node], name: str
) -> None:
    """Make a question word the object of its verb's complement (xcomp) if the verb does not have it as its own object.

    The verb is one of `WITHOUT_OBJECT`, or, if the question word is its object so far, any verb after an auxiliary, as
    in what I am going to [do], or with a complement that is no infinitive, what they find [easy]. ``name``: of the
    object relation; question words with other relations than it and dep stay where they are.
    """
    at, around = question.position - 1, beside(question, heads)
    complement = next((position for position in around if relations[position - 1] == "xcomp"), 0)
    if not complement or relations[at] not in (name, "dep"):
        return
    moves = words[heads[at] - 1].form in WITHOUT_OBJECT
    if not moves and relations[at] == name:
        is_infinitive = any(word.label == "TO" and heads[word.position - 1] == complement for word in words)
        moves = not is_infinitive or any(relations[position - 1].startswith("aux") for position in around)
    if moves:
        heads[at], relations[at] = complement, name
