import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.cells import cells_of, fitted, width_of
from synparse.trees.printable import OBEYED


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("dog", 3),
        ("犬", 2),
        ("ｆｕｌｌ", 8),
        ("ｶﾅ", 2),  # half-width
        ("e\u0301", 1),
        ("שָׁלוֹם", 4),
        ("مُحَمَّد", 4),
        ("a\u200db", 2),
        ("\u0301", 1),  # a mark with nothing to stand on
        ("\u2067שלום\u2069", 6),  # a word of the data turns no direction
        ("\u200f", 1),  # no character is lost, so it needs a cell
        ("\u200f\u200f犬", 2),
        ("हिन्दी", 5),  # two vowel signs have room of their own; the virama has none
        ("o\u0323\u0301ro\u0323\u0300", 3),
        ("日本語", 6),
        ("한국", 4),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", 4),  # the same, decomposed
        ("👍", 2),
        ("👍\U0001f3fd", 2),
        ("👨\u200d👩\u200d👧", 2),
        ("👩\U0001f3fd\u200d💻\u200d", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("❤\ufe0f\u200d🔥x", 3),
        ("🇳🇬", 2),
        ("👍👍", 4),
        ("a\U0001f3fd", 3),
    ],
)
def test_width(text, width):
    assert width_of(text) == width


def test_nothing_moves_the_cursor_of_a_terminal():
    assert cells_of("a\x1b[2J\t\n\u2028\ud800\u202e") == ["a", "\ufffd", "[", "2", "J", *["\ufffd"] * 5]


@given(st.text())
def test_no_character_is_lost_or_moved(text):
    shown = "".join("\ufffd" if OBEYED.match(character) or character in "\t\n" else character for character in text)
    assert "".join(cells_of(text)) == shown


widths = st.lists(st.integers(1, 9), min_size=1, max_size=8)


@given(widths, st.data())
def test_columns_grow_until_every_need_is_met_and_no_further_for_one(given_widths, data):
    positions = st.integers(0, len(given_widths) - 1)
    needs = data.draw(st.lists(st.tuples(positions, positions, st.integers(0, 30)), max_size=6))
    needs = [(min(first, last), max(first, last) + 1, need) for first, last, need in needs]
    result = fitted(given_widths, needs)
    assert all(after >= before for before, after in zip(given_widths, result, strict=True))
    assert all(sum(result[start:end]) >= need for start, end, need in needs)
    if len(needs) == 1:
        [(start, end, need)] = needs
        assert sum(result) == sum(given_widths) + max(0, need - sum(given_widths[start:end]))
