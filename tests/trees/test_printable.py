import pytest

from synparse.trees.printable import LONGEST_MESSAGE, one_line, printable


def test_what_a_terminal_obeys_is_escaped_and_nothing_else():
    assert printable("\x1b]0;x\x07\r\x7f\x85\u2028") == r"\x1b]0;x\x07\r\x7f\x85\u2028"
    assert printable("\u202a\u202e\u2066\u2069\ud800") == r"\u202a\u202e\u2066\u2069\ud800"
    shown = "a\tb\nשלום \u200f\u200d犬 \\x1b"
    assert printable(shown) == shown


@pytest.mark.parametrize("text", ["a\nb\tc\x1b", "x" * 501, "\x1b" * 400, "x" * 10**6])
def test_one_line_is_short_and_stays_as_it_is(text):
    line = one_line(text)
    assert len(line) <= LONGEST_MESSAGE
    assert one_line(line) == line
    assert printable(line) == line
    assert "\n" not in line
