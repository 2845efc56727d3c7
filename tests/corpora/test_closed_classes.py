import pytest

from synparse.corpora import closed_classes
from synparse.corpora.closed_classes import commonest_words, function_words_of_classes
from synparse.corpora.word_classes import PUNCTUATION, UNKNOWN, Member, WordClasses


@pytest.fixture(autouse=True)
def _one_of_the_commonest(monkeypatch):
    monkeypatch.setattr(closed_classes, "COMMONEST", 1)


def classes_of(*members):
    last = max(member.word_class for member in members) + 1
    return WordClasses((*members, Member(UNKNOWN, 0, 0), Member(PUNCTUATION, last, 1000)), "N")


OPEN = [Member(f"noun{number}", 0, 200) for number in range(20)]


def test_words_of_closed_classes_are_function_words():
    of, to, rare = Member("of", 1, 40), Member("to", 1, 40), Member("unto", 1, 0)
    found = function_words_of_classes(classes_of(Member("said", 0, 500), *OPEN, of, to, rare))
    assert found == {"said", "of", "to"}  # the commonest word of all, and the class of two words


def test_the_perplexity_of_a_class_decides():
    even = [Member(f"even{number}", 1, 50) for number in range(11)]
    uneven = [Member("much", 2, 1500), *(Member(f"less{number}", 2, 3) for number in range(30))]
    wide = [Member(f"wide{number}", 3, 50) for number in range(13)]
    found = function_words_of_classes(classes_of(*OPEN, *even, *uneven, *wide))
    assert found == {one.type for one in (*even, *uneven)}


def test_rare_words_and_groups_are_none():
    total = 3000
    group, frequent = Member("\tung", 1, 20), Member("frequent", 1, 1)
    most = Member("most", 0, total - 21)
    assert function_words_of_classes(classes_of(most, group, frequent)) == {"most", "frequent"}
    assert function_words_of_classes(classes_of(most._replace(occurrences=total), group, frequent)) == {"most"}


def test_a_number_takes_the_most_frequent_words():
    classes = classes_of(Member("b", 0, 5), Member("a", 1, 5), Member("c", 0, 9), Member("\tung", 0, 99))
    assert commonest_words(classes, 2) == {"c", "a"}
    assert commonest_words(classes, 9) == {"a", "b", "c"}


def test_words_of_no_text():
    assert function_words_of_classes(classes_of(Member("a", 0, 0))) == {"a"}
