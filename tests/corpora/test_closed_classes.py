import pytest

from synparse.corpora import closed_classes
from synparse.corpora.closed_classes import commonest_words, function_words_of_classes, is_mostly_closed, is_synthetic
from synparse.corpora.word_classes import PUNCTUATION, UNKNOWN, ClassMember, WordClasses


@pytest.fixture(autouse=True)
def _one_of_the_commonest(monkeypatch):
    monkeypatch.setattr(closed_classes, "COMMONEST", 1)


def classes_of(*members):
    last = max(member.word_class for member in members) + 1
    return WordClasses((*members, ClassMember(UNKNOWN, 0, 0), ClassMember(PUNCTUATION, last, 1000)), "N")


OPEN = [ClassMember(f"noun{number}", 0, 200) for number in range(20)]


def test_words_of_closed_classes_are_function_words():
    of, to, rare = ClassMember("of", 1, 40), ClassMember("to", 1, 40), ClassMember("unto", 1, 0)
    function_words = function_words_of_classes(classes_of(ClassMember("said", 0, 500), *OPEN, of, to, rare))
    assert function_words == {"said", "of", "to"}  # the commonest word of all, and the class of two words


def test_where_endings_mark_relations_the_commonest_words_are_none_unless_their_class_is_closed():
    said, of = ClassMember("said", 0, 500), ClassMember("of", 1, 300)
    assert function_words_of_classes(classes_of(said, *OPEN, of), marked_by_endings=True) == {"of"}


def test_a_language_is_synthetic_where_closed_classes_are_less_than_a_quarter_of_the_text():
    total = sum(member.occurrences for member in OPEN)
    assert not is_synthetic(classes_of(*OPEN, ClassMember("of", 1, total // 3 + 1)))
    assert is_synthetic(classes_of(*OPEN, ClassMember("of", 1, total // 3 - 1)))
    # Groups of rare words, and punctuation, are not in it.
    assert is_synthetic(classes_of(*OPEN, ClassMember("of", 1, total // 3 - 1), ClassMember("\tung", 1, 0)))


def test_a_text_is_mostly_closed_where_closed_classes_are_more_than_three_quarters_of_it():
    total = sum(member.occurrences for member in OPEN)
    assert not is_mostly_closed(classes_of(*OPEN, ClassMember("of", 1, 3 * total - 1)))
    assert is_mostly_closed(classes_of(*OPEN, ClassMember("of", 1, 3 * total + 1)))


def test_the_perplexity_of_a_class_decides():
    even = [ClassMember(f"even{number}", 1, 50) for number in range(11)]
    uneven = [ClassMember("much", 2, 1500), *(ClassMember(f"less{number}", 2, 3) for number in range(30))]
    wide = [ClassMember(f"wide{number}", 3, 50) for number in range(13)]
    function_words = function_words_of_classes(classes_of(*OPEN, *even, *uneven, *wide))
    assert function_words == {member.type for member in (*even, *uneven)}


def test_a_class_of_auxiliaries_may_be_larger():
    sizes = {1: 15, 2: 15, 3: 21}
    many, others, too_many = ([ClassMember(f"{c}-{at}", c, 50) for at in range(size)] for c, size in sizes.items())
    function_words = function_words_of_classes(classes_of(*OPEN, *many, *others, *too_many), auxiliaries=[1, 3])
    assert function_words - {"noun0"} == {member.type for member in many}


def test_rare_words_and_groups_are_none():
    total = 3000
    group, frequent = ClassMember("\tung", 1, 20), ClassMember("frequent", 1, 1)
    most = ClassMember("most", 0, total - 21)
    assert function_words_of_classes(classes_of(most, group, frequent)) == {"most", "frequent"}
    assert function_words_of_classes(classes_of(most._replace(occurrences=total), group, frequent)) == {"most"}


def test_a_number_takes_the_most_frequent_words():
    classes = classes_of(
        ClassMember("b", 0, 5), ClassMember("a", 1, 5), ClassMember("c", 0, 9), ClassMember("\tung", 0, 99)
    )
    assert commonest_words(classes, 2) == {"c", "a"}
    assert commonest_words(classes, 9) == {"a", "b", "c"}


def test_words_of_no_text():
    assert function_words_of_classes(classes_of(ClassMember("a", 0, 0))) == {"a"}
