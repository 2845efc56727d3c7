"""Tables of head rules: how they are read, and which child they find."""

import pytest

from synparse.treebanks.head_rules import HeadSearch, find_head, parse_head_rules
from synparse.treebanks.penn import Node


def position_by(rule, labels):
    """The index of the child that ``rule`` finds among children with these labels; None for none."""
    children = [Node(label) for label in labels.split()]
    head = find_head(children, parse_head_rules(f"X {rule}")["X"])
    return None if head is None else children.index(head)


@pytest.mark.parametrize(
    ("rule", "position"),
    [
        ("first B", 1),
        ("last B", 3),
        ("first C B", 2),
        ("last A B", 4),
        ("first-of C B", 1),
        ("last-of B C", 3),
        ("first-not A", 1),
        ("last-not A B", 2),
        ("first *", 0),
        ("last *", 4),
        ("first D", None),
        ("first D ; last C ; first A", 2),
        ("first-not A B C ; last-of B", 3),
        ("first-not A B C", None),
    ],
)
def test_each_kind_of_step_finds_its_child(rule, position):
    assert position_by(rule, "A B C B A") == position


def test_several_categories_may_have_the_same_rules():
    table = parse_head_rules("NP,NX first NN ; last *\nPP last IN")
    assert table["NP"] == table["NX"] == (HeadSearch("first", ("NN",)), HeadSearch("last", ("*",)))
    assert list(table) == ["NP", "NX", "PP"]


def test_a_table_has_comments_and_long_lines():
    table = parse_head_rules(
        "# what follows are rules\nNP last NN ; # nouns first\n   first *\n\nPP\tfirst IN TO\nQP first $ \\# CD\n"
    )
    assert table == {
        "NP": (HeadSearch("last", ("NN",)), HeadSearch("first", ("*",))),
        "PP": (HeadSearch("first", ("IN", "TO")),),
        "QP": (HeadSearch("first", ("$", "#", "CD")),),
    }


def test_an_unknown_direction_is_an_error():
    with pytest.raises(ValueError, match="NP: 'leftmost' is none of first, first-of"):
        parse_head_rules("NP leftmost NN")
