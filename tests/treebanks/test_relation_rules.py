"""Tables of relation rules."""

import pytest

from synparse.treebanks.penn import Node
from synparse.treebanks.relation_rules import RelationRules, dependents_of

RULES = RelationRules(
    """
    # a comment
    subject | S SQ | NP WH* | before
    object  | VP   | NP     | !before
    other   | *    | N*     |
    """,
    {"before": lambda d: d.position < d.head_position},
)


def dependent(parent, labels, position, head_position):
    siblings = [Node(label, [Node("X", word="x")]) for label in labels]
    node = Node(parent, siblings)
    node.head = siblings[head_position]
    by_position = {child.position: child for child in dependents_of(node, dict.fromkeys([node, *siblings], node))}
    assert by_position.keys() == set(range(len(labels))) - {head_position}
    return by_position[position]


@pytest.mark.parametrize(
    ("parent", "labels", "position", "head_position", "relation"),
    [
        ("S", ["NP", "VP"], 0, 1, "subject"),
        ("SQ", ["WHNP", "VP"], 0, 1, "subject"),
        ("S", ["VP", "NP"], 1, 0, "other"),
        ("VP", ["V", "NP"], 1, 0, "object"),
        ("VP", ["NP", "V"], 0, 1, "other"),
        ("VP", ["V", "PP"], 1, 0, "none"),
    ],
)
def test_the_first_matching_rule_decides(parent, labels, position, head_position, relation):
    assert RULES.relation(dependent(parent, labels, position, head_position), "none") == relation


def test_neighbours_are_seen_by_offset_and_later_siblings_by_label():
    noun_phrase = dependent("VP", ["V", "NP", "PP", "NP"], 1, 0)
    assert [noun_phrase.label_at(offset) for offset in (-2, -1, 0, 1, 2, 3)] == ["", "V", "NP", "PP", "NP", ""]
    assert noun_phrase.lasts == {"V": 0, "NP": 3, "PP": 2}


@pytest.mark.parametrize("row", ["nsubj | S | NP", "a b | S | NP | before", "nsubj | S | NP | behind"])
def test_malformed_rows_are_errors(row):
    with pytest.raises(ValueError, match=r"columns|none of"):
        RelationRules(row, {"before": lambda d: d.position < d.head_position})
