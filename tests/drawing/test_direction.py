import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.direction import isolated, runs_from_right


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("הכלב נבח", True),
        ("مُحَمَّد كَتَبَ الدرس", True),
        ("ܫܠܡܐ ދިވެހި ߒߞߏ", True),
        ("Moses הכלב נבח", True),  # most words decide, not the first one
        ("the word שלום", False),
        ("the שלום", False),
        ("שלום 1 2 3 .", True),
        ("ב-PC PCב הוא", True),
        ("हिन्दी भाषा है", False),
        ("日本 語", False),
        ("1 2 . , 😀", False),
        ("", False),
    ],
)
def test_the_direction_of_a_sentence(words, expected):
    assert runs_from_right(words.split()) == expected


def test_isolation_takes_no_room_and_cannot_be_broken_by_the_word():
    assert isolated("שלום") == "\u2067שלום\u2069"
    assert isolated("a\u2069\u202eb") == "\u2067ab\u2069"


@given(st.text())
def test_an_isolate_ends_where_it_should(text):
    inside = isolated(text)[1:-1]
    assert not set(inside) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
