"""Classes of unknown words: chosen from a corpus, given to words, written and read back."""

import string
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.text_counts import CLASS_COUNTS
from synparse.corpora.unknown_words import LONGEST_ENDING, READ, choose_classes, endings, last_letters, respelled
from synparse.corpora.vocabulary import CLASS, SPECIAL, UNKNOWN_INDEX, Vocabulary
from tests.texts import build_corpus, words_of

SPECIAL_COUNT = len(SPECIAL)

# Sixty occurrences of words in "ing", half of them in "ting"; thirty in "y", ten of compounds, one other.
RARE = {
    **{f"{stem}king": 3 for stem in string.ascii_lowercase[:10]},
    **{f"{stem}ting": 3 for stem in string.ascii_lowercase[:10]},
    **{f"{stem}by": 3 for stem in string.ascii_lowercase[:10]},
    **{f"well-{stem}y": 1 for stem in string.ascii_lowercase[:10]},
    "q": 4,
}

words = st.text(st.sampled_from("abc-\t"), min_size=1, max_size=7)
counted = st.dictionaries(words, st.integers(0, 9), max_size=40)


def class_of(word, classes):
    return next((ending for ending in endings(word) if ending in classes), None)


@given(st.text(st.sampled_from("a'’ʼʻ-‑șşţ"), min_size=1))
def test_other_spellings_are_other_words_of_the_same_length(word):
    others = list(respelled(word))
    assert word not in others
    assert all(len(other) == len(word) for other in others)


def test_every_apostrophe_is_looked_up_as_every_other():
    apostrophes = "'’ʼ‘ʻ"
    for own in f"{apostrophes}`":
        assert {*respelled(f"п{own}ять")} == {f"п{other}ять" for other in apostrophes if other != own}
    assert {*respelled("Ţara")} == {"Țara"}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("naïve", ["aïve", "ïve", "ve", "e"]),
        ("o\u0323\u0301ka\u0300", ["o\u0323\u0301ka\u0300", "ka\u0300", "a\u0300"]),  # Yoruba: one letter, two marks
        ("शब्दों", ["ब्दों", "दों", "ों", "ं"]),
        ("e\u0301-o\u0301", ["e\u0301-o\u0301-", "-o\u0301-", "o\u0301-", "-"]),
        ("\u0301a", ["\u0301a", "a"]),
        ("집에", ["\u1175\u11b8\u110b\u1166", "\u11b8\u110b\u1166", "\u110b\u1166", "\u1166"]),  # four letters of five
    ],
)
def test_accents_stay_with_their_letters(word, expected):
    assert endings(word) == expected


def test_letters_with_any_number_of_accents_have_short_endings():
    assert endings("a" + "\u0301" * 10_000) == ["\u0301" * READ]
    assert all(len(ending) <= READ for ending in endings("a\u0301b" * 5_000))


@given(st.text(max_size=50) | st.text(st.sampled_from("a한글"), max_size=50), st.integers(1, 9))
def test_last_letters_are_the_end_of_the_word(word, most):
    letters = last_letters(word, most)
    assert len(letters) <= most
    syllables_as_letters = "".join(unicodedata.normalize("NFD", c) if "가" <= c <= "힣" else c for c in word[-READ:])
    assert syllables_as_letters.endswith("".join(letters))
    assert not any(unicodedata.combining(letter[0]) for letter in letters[1:])
    assert len(letters) == most or len("".join(letters)) == len(syllables_as_letters)


accented = st.text(st.sampled_from("ab-\u0301\u0323"), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("most", "least", "classes"),
    [
        # "ing" has the same words as "g", so it is not a class; nor is "ting", which leaves none for "g".
        (9, 10, ["g", "y", "king", "-"]),
        (9, 11, ["g", "y", "king"]),
        (9, 30, ["g", "y", "king"]),
        (9, 31, ["g"]),
        (9, 60, ["g"]),
        (9, 61, []),
        (2, 10, ["g", "y"]),
        (0, 1, []),
    ],
)
def test_frequent_endings_are_classes_if_each_keeps_enough_occurrences(most, least, classes):
    assert choose_classes(RARE.items(), most, least) == classes


@given(counted | st.dictionaries(accented, st.integers(0, 9), max_size=40), st.integers(0, 9), st.integers(1, 20))
def test_classes_keep_enough_occurrences_in_any_order_of_words(rare, most, least):
    classes = choose_classes(rare.items(), most, least)
    assert len(classes) <= most
    own = Counter()
    for word, count in rare.items():
        own[class_of(word, classes)] += count
    assert all(own[ending] >= least for ending in classes)
    assert choose_classes(reversed(rare.items()), most, least) == classes


@given(counted, st.integers(1, 20))
def test_a_word_is_in_a_class_if_one_of_its_endings_is_a_class(rare, least):
    classes = choose_classes(rare.items(), 10_000, least)
    missed = Counter()
    for word, count in rare.items():
        if class_of(word, classes) is None:
            missed.update(dict.fromkeys(endings(word), count))
    assert all(count < least for count in missed.values())


@given(st.lists(words, unique=True), st.lists(words, unique=True), words)
def test_known_words_keep_their_index_and_unknown_words_get_a_class(known, classes, word):
    known = [known_word for known_word in known if not known_word.startswith(CLASS)]
    plain = Vocabulary([*SPECIAL, *known])
    classed = Vocabulary([*SPECIAL, *known, *(CLASS + ending for ending in classes)])
    assert classed.indices(known) == plain.indices(known) == list(range(SPECIAL_COUNT, SPECIAL_COUNT + len(known)))
    [index] = classed.indices([word])
    if word in known:
        return
    assert plain.indices([word]) == [UNKNOWN_INDEX]
    fitting = [ending for ending in classes if (word + "-" * ("-" in word)).endswith(ending)]
    fitting = [ending for ending in fitting if len(ending) <= LONGEST_ENDING]
    if not fitting:
        assert index == UNKNOWN_INDEX
    else:
        assert index >= classed.first_class
        assert classed.words[index] == CLASS + max(fitting, key=len)


@given(st.lists(words, unique=True), st.lists(words, min_size=1))
def test_classes_are_read_back(tmp_path_factory, classes, unknown):
    path = tmp_path_factory.getbasetemp() / "vocabulary-with-classes"
    vocabulary = Vocabulary([*SPECIAL, "the", *(CLASS + ending for ending in classes)])
    vocabulary.write(path)
    again = Vocabulary.read(path, len(vocabulary))
    assert again.words == vocabulary.words
    assert again.first_class == vocabulary.first_class == SPECIAL_COUNT + 1
    assert again.indices(unknown) == vocabulary.indices(unknown)


def test_special_words_in_the_text_are_unknown():
    vocabulary = Vocabulary([*SPECIAL, "the", f"{CLASS}>", f"{CLASS}nk>"])
    assert vocabulary.indices([*SPECIAL, "<unknown>"]) == [UNKNOWN_INDEX] * 4 + [SPECIAL_COUNT + 1]


def test_a_class_name_in_the_text_is_an_ordinary_word():
    vocabulary = Vocabulary([*SPECIAL, f"{CLASS}s"])
    assert vocabulary.indices([f"{CLASS}s", "dogs", f"{CLASS}x"]) == [SPECIAL_COUNT, SPECIAL_COUNT, UNKNOWN_INDEX]


TEXT = [["the", "dog", "<unk>", word] for word, count in RARE.items() for _ in range(count)]
CONFIG = TextConfig(min_count=5, unknown_classes=9)


def test_a_corpus_is_read_with_the_classes_of_its_rare_words(tmp_path):
    valid = [["The", "Dog", "Barking", "in-y", "sky", "xq", "1"]]
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path, map(Sentence, valid))
    assert CLASS_COUNTS * CONFIG.min_count == 50  # more than "y" and "king" have
    assert corpus.vocabulary.words == (*SPECIAL, "dog", "the", f"{CLASS}g")
    assert words_of(corpus, corpus.valid) == [["the", "dog", f"{CLASS}g", "<unk>", "<unk>", "<unk>", "<unk>"]]
    assert {words_of(corpus, corpus.train)[i][3] for i in range(60)} == {f"{CLASS}g"}
    assert corpus.train.first_class == corpus.valid.first_class == SPECIAL_COUNT + 2


def test_a_word_that_looks_like_a_class_is_unknown(tmp_path):
    corpus = build_corpus(map(Sentence, [*TEXT, *[[f"{CLASS}dog"]] * 9]), CONFIG, tmp_path)
    assert corpus.vocabulary.words == (*SPECIAL, "dog", "the", f"{CLASS}g")
    assert words_of(corpus, corpus.train)[-1] == [f"{CLASS}g"]


def test_known_words_are_read_as_they_are_without_classes(tmp_path):
    (tmp_path / "plain").mkdir()
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    plain = build_corpus(map(Sentence, TEXT), TextConfig(min_count=5), tmp_path / "plain")
    assert plain.vocabulary.words == corpus.vocabulary.words[: corpus.vocabulary.first_class]
    for part, plain_part in ((corpus.train, plain.train), (corpus.valid, plain.valid)):
        known = part.tokens < corpus.vocabulary.first_class
        assert (part.tokens[known] == plain_part.tokens[known]).all()
        assert (plain_part.tokens[~known] == UNKNOWN_INDEX).all()


def test_a_given_vocabulary_keeps_its_classes(tmp_path):
    (tmp_path / "again").mkdir()
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    again = build_corpus(map(Sentence, TEXT), TextConfig(), tmp_path / "again", vocabulary=corpus.vocabulary)
    assert (again.train.tokens == corpus.train.tokens).all()
    assert again.train.first_class == corpus.train.first_class
