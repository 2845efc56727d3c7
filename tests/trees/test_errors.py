import pytest

from synparse.trees.errors import DataError, SettingError, check_choice
from synparse.trees.printable import LONGEST_MESSAGE


@pytest.mark.parametrize(
    ("message", "source", "line", "text"),
    [
        ("what", "", None, "what"),
        ("what", "file", None, "file: what"),
        ("what", "file", 3, "file:3: what"),
        ("what", "", 3, "<text>:3: what"),
        ("a\nb\r\x00\x1b[2J\x85\u2028é", "x\ny", 1, r"x\ny:1: a\nb\r\x00\x1b[2J\x85\u2028é"),
        ("\ud800", "file", None, r"file: \ud800"),
    ],
)
def test_the_text_is_one_printable_line(message, source, line, text):
    error = DataError(message, source, line)
    assert str(error) == text
    assert (error.message, error.source, error.line) == (message, source, line)


def test_long_messages_keep_their_beginning_and_end():
    text = str(DataError("begin" + "x" * 10**7 + "what to do", "file", 1))
    assert text.startswith("file:1: beginxx")
    assert text.endswith("xxwhat to do")
    assert len(text) <= LONGEST_MESSAGE


def test_a_choice_is_one_of_those_that_are_known():
    check_choice("to", "ud", ("ud", "stanford"))
    check_choice("format", None, ("conllu",), is_optional=True)
    with pytest.raises(SettingError, match="to must be ud or stanford, not 'foo'"):
        check_choice("to", "foo", ("ud", "stanford"))
    with pytest.raises(SettingError, match="to must be ud, not None"):
        check_choice("to", None, ("ud",))
