import pytest

from synparse.treebanks import closed_classes
from synparse.treebanks.closed_classes import AUXILIARIES, BE, GET, HAVE, LINKING, is_time
from synparse.treebanks.penn import Node


def test_words_are_in_lower_case():
    classes = {name: words for name, words in vars(closed_classes).items() if isinstance(words, frozenset)}
    assert len(classes) > 8
    for name, words in classes.items():
        assert words == {word.lower() for word in words}, name
        assert all(word.split() == [word] for word in words), name


def test_verbs_are_of_one_class():
    assert HAVE < AUXILIARIES
    assert not BE & AUXILIARIES
    assert not GET & AUXILIARIES
    assert not LINKING & AUXILIARIES


@pytest.mark.parametrize(
    ("label", "word", "expected"),
    [
        ("NNP", "Monday", True),
        ("NN", "today", True),
        ("NNS", "Weeks", True),
        ("NN", "dog", False),
        ("VB", "spring", False),
        ("MD", "may", False),
        ("NNP", "May", True),
    ],
)
def test_a_phrase_is_a_time_by_its_head_noun(label, word, expected):
    phrase = Node("NP", [Node("DT", word="the"), Node(label, word=word)])
    assert not is_time(phrase)  # its head is not known yet
    phrase.head = phrase.children[1]
    assert is_time(phrase) == expected
    phrase.head = phrase.children[0]
    assert not is_time(phrase)
