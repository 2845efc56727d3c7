import pytest

from synparse.trees.beginning import beginning_of


@pytest.mark.parametrize(("lines", "character"), [([], ""), (["\n", " \n"], ""), (["\n", "\t1\ta\n", "("], "1")])
def test_all_lines_come_again(lines, character):
    first, again = beginning_of(lines)
    assert (first, list(again)) == (character, lines)


def test_no_more_is_read_than_is_needed():
    lines = iter(["\n", "(\n", "more"])
    beginning_of(lines)
    assert next(lines) == "more"
