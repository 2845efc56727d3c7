import itertools
import math
import pickle
import random
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora import word_classes
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.word_classes import (
    LONGEST_TYPE,
    NUMBER,
    PUNCTUATION,
    UNKNOWN,
    BigramCounts,
    ClassMember,
    WordClassConfig,
    WordClasses,
    class_perplexity,
    group_of,
    learn_word_classes,
)
from synparse.files.folders import save_together
from synparse.trees.errors import DataError

TEXT = TextConfig()
ALL_WORDS = WordClassConfig(class_min_count=1)


def counted(sentences, text=TEXT):
    counts = BigramCounts(text)
    for sentence in sentences:
        counts.add(sentence.split() if isinstance(sentence, str) else sentence)
    return counts


def learned(sentences, config=ALL_WORDS, seed=1, text=TEXT):
    return learn_word_classes(counted(sentences, text), config, seed)


def pairs_of(counts):
    """The bigrams of forms with their counts."""
    forms, bigrams = counts.forms(), counts.bigrams()
    rows = zip(*(column.tolist() for column in bigrams), strict=True)
    return {(forms[first].strip(), forms[second].strip()): count for first, second, count in rows}


def test_bigrams_are_those_of_normalized_words():
    counts = counted(["The 3 dogs , -- saw the 44 dogs .", "", ". ."])
    assert pairs_of(counts) == {
        **{("boundary", "the"): 1, ("the", "N"): 2, ("N", "dogs"): 2, ("dogs", "punctuation"): 2},
        **{("punctuation", "punctuation"): 2, ("punctuation", "saw"): 1, ("saw", "the"): 1},
        **{("punctuation", "boundary"): 2, ("boundary", "punctuation"): 1},
    }


@pytest.mark.parametrize("punctuation", ["keep", "drop"])
def test_punctuation_is_one_type_whether_the_model_reads_it_or_not(punctuation):
    text = TextConfig(punctuation=punctuation)
    counts = counted(["a , b -LRB- c -RRB- ."], text)
    assert counts.forms()[1:] == [PUNCTUATION, "a", "b", "c"]
    classes = learn_word_classes(counts, ALL_WORDS, 1)
    forms = [normalize(token, text) for token in "a , b -LRB- ! ;".split()]
    is_last = [word_class == classes.size - 1 for word_class in classes.of(forms)]
    assert is_last == [False, True, False, True, True, True]


def test_counts_in_parts_are_those_at_once(monkeypatch, sample_text):
    at_once = counted(sample_text)
    monkeypatch.setattr(word_classes, "_MARGIN", 7)
    in_parts = BigramCounts(TEXT)
    for sentence in sample_text:
        in_parts.add(sentence.split())
    assert pairs_of(in_parts) == pairs_of(at_once)
    assert pairs_of(in_parts) == pairs_of(at_once)  # asking changes nothing
    expected = Counter()
    for sentence in sample_text:
        forms = ["boundary", *(normalize(token, TEXT) or "punctuation" for token in sentence.split()), "boundary"]
        expected.update(itertools.pairwise(forms))
    assert pairs_of(in_parts) == expected
    assert learn_word_classes(in_parts, ALL_WORDS, 1) == learn_word_classes(at_once, ALL_WORDS, 1)


def test_counts_of_parts_that_were_counted_elsewhere_are_those_of_the_whole(monkeypatch, sample_text):
    monkeypatch.setattr(word_classes, "_MARGIN", 100)
    joined = counted(sample_text[:100])
    for start in range(100, len(sample_text), 30):
        joined.join(pickle.loads(pickle.dumps(counted(sample_text[start : start + 30]))))
    whole = counted(sample_text)
    assert pairs_of(joined) == pairs_of(whole)
    assert learn_word_classes(joined, ALL_WORDS, 1) == learn_word_classes(whole, ALL_WORDS, 1)


def test_the_buffer_is_counted_when_it_is_full(monkeypatch):
    monkeypatch.setattr(word_classes, "_MARGIN", 50)
    counts = BigramCounts(TEXT)
    for _ in range(1000):
        counts.add(["a", "b", "c"])
        assert len(counts._buffer) <= 54


NOUNS, VERBS = ("dog", "cat", "child", "woman", "teacher"), ("sees", "likes", "hears", "finds", "helps")


def two_classes(sentences=300, seed=1):
    source = random.Random(seed)
    return [f"the {source.choice(NOUNS)} {source.choice(VERBS)} the {source.choice(NOUNS)}" for _ in range(sentences)]


@pytest.mark.parametrize("seed", range(1, 6))
def test_nouns_and_verbs_are_told_apart(seed):
    classes = learned(two_classes(), WordClassConfig(classes=3), seed)
    nouns, verbs, the = set(classes.of(NOUNS)), set(classes.of(VERBS)), set(classes.of(["the"]))
    assert len(nouns) == len(verbs) == 1
    assert nouns != verbs != the != nouns
    assert classes.size == 4


def test_the_same_seed_gives_the_same_classes_in_any_order_of_sentences(sample_text):
    config = WordClassConfig(classes=15)
    classes = learned(sample_text, config)
    assert classes == learned(sample_text[::-1], config)
    assert any(learned(sample_text, config, seed) != classes for seed in (2, 3))


def test_words_are_numbered_by_the_member_that_they_are_or_belong_to(sample_text):
    classes = learned(sample_text, WordClassConfig(classes=15, class_min_count=3))
    types = [member.type for member in classes.members]
    words = [member.type for member in classes.members if not member.is_group]
    assert [types[number] for number in classes.numbers_of(words)] == words
    others = ["N", "xyzzy", "x-y", ",", None, "x" * 200]
    groups = [types[number] for number in classes.numbers_of(others)]
    for other, group in zip(others[:3], groups, strict=False):
        assert group == (group_of(other, "N") if group_of(other, "N") in types else UNKNOWN)
    assert groups[3:5] == [PUNCTUATION, PUNCTUATION]
    for word, number in zip([*words, *others], classes.numbers_of([*words, *others]), strict=True):
        assert classes.of([word]) == [classes.members[number].word_class]
    assert classes.numbers_of([]) == []


def test_the_class_of_a_word_is_that_of_its_other_spelling():
    members = [ClassMember(name, number, 3) for number, name in enumerate(("l'", UNKNOWN, PUNCTUATION))]
    classes = WordClasses(tuple(members), "N")
    assert classes.of(["l'", "l’", "x’"]) == [0, 0, 1]


def test_members_are_sorted_and_counted(sample_text):
    classes = learned(sample_text, WordClassConfig(classes=15))
    sizes = Counter()
    for member in classes.members:
        sizes[member.word_class] += member.occurrences
    assert sum(sizes.values()) == sum(len(line.split()) for line in sample_text)
    words = [sizes[number] for number in range(classes.size - 1)]
    assert words == sorted(words, reverse=True)
    assert classes.size == 16
    for number in range(classes.size):
        members = [member for member in classes.members if member.word_class == number]
        assert [m.occurrences for m in members] == sorted((m.occurrences for m in members), reverse=True)
    the = next(member for member in classes.members if member.type == "the")
    assert the.occurrences == sum(line.lower().split().count("the") for line in sample_text)
    assert members == [classes.members[-1]]


@pytest.mark.parametrize(
    ("word", "group"),
    [
        ("N", "number"),
        ("N%", "number"),
        ("२०", "number"),
        ("½", "number"),
        ("三十", "number"),
        ("Nth", "short"),
        ("NNPC", "short"),
        ("N-year-old", "hyphen"),
        ("well-known", "hyphen"),
        ("well‐known", "hyphen"),
        ("בית־ספר", "hyphen"),
        ("parsing", "ing"),
        ("словами", "ами"),
        ("four", "short"),
        ("ọ́rọ̀", "short"),  # four letters, two of which have a tone mark
        ("ọ̀rọ̀kọrọ̀", "ọrọ̀"),
        ("لَكِنَّ", "short"),
        ("가다", "short"),  # four letters in two syllables
        ("학교에서", "\u1166\u1109\u1165"),
        ("", "short"),
    ],
)
def test_groups_of_words(word, group):
    assert group_of(word, "N") == f"\t{group}"


def test_without_a_placeholder_digits_are_numbers():
    assert group_of("1990", "") == NUMBER
    assert group_of("planN", "") == "\tanN"


def test_rare_words_share_the_type_of_their_group():
    sentences = ["the dog sees the cat"] * 9 + [f"the {word} sees" for word in ("walking", "talking", "sing-song")] * 2
    classes = learned(sentences, WordClassConfig(class_min_count=3))
    types = {member.type: member.occurrences for member in classes.members}
    # Four of the ending and two with a hyphen are too few for groups.
    assert types == {"the": 24, "dog": 9, "sees": 15, "cat": 9, UNKNOWN: 6, PUNCTUATION: 0}
    more = learned([*sentences, "the smiling sees"], WordClassConfig(class_min_count=3))
    assert {member.type: member.occurrences for member in more.members}["\ting"] == 5
    assert more.of(["walking", "unheard-of", "king"]) == more.of(["beginning", "zzz", "zzz"])


def test_only_the_commonest_words_and_groups_have_a_type():
    sentences = ["a b c d"] * 9 + ["a b c"] * 9 + ["a b"] * 9 + ["walking running"] * 3 + ["singers bakers"] * 5
    classes = learned(sentences, WordClassConfig(class_words=2))
    types = {member.type for member in classes.members}
    assert types == {"a", "b", "\tshort", "\ters", UNKNOWN, PUNCTUATION}  # not "ing", the rarest of three groups


def test_words_that_no_file_can_have_get_the_class_of_their_group(tmp_path):
    config = WordClassConfig(classes=4)
    classes = learned([["a", "b\tc", "verylo\tng", "two\nlines", "x" * (LONGEST_TYPE + 1)]] * 9, config)
    assert {member.type for member in classes.members} == {"a", "\tshort", "\txxx", "\tnes", UNKNOWN, PUNCTUATION}
    assert classes.of(["verylo\tng", "b\tc", "two\nlines"]) == classes.of(["quite\t?", "four", "canes"])
    classes.write(tmp_path / "c")
    assert WordClasses.read(tmp_path / "c", TEXT, config) == classes


@given(st.lists(st.lists(st.text(max_size=6), max_size=6), max_size=8), st.lists(st.text(max_size=7), max_size=20))
def test_every_word_of_every_text_has_a_class(sentences, words):
    config = WordClassConfig(classes=3, class_min_count=2)
    classes = learned(sentences, config)
    seen = [normalize(token, TEXT) for sentence in sentences for token in sentence]
    assert all(0 <= word_class < classes.size for word_class in classes.of([*seen, *words, None]))
    assert classes.size <= config.classes + 1


@pytest.mark.parametrize(
    ("sentences", "size"),
    [
        ([], 2),
        ([""], 2),
        ([". , !", "..."], 2),
        (["a"], 3),
        (["a a a a"] * 3, 3),
        (["a b", "c"], 5),
    ],
)
def test_fewer_types_than_classes(sentences, size):
    # Unknown words are always a type, and punctuation always a class.
    classes = learned(sentences)
    assert classes.size == size
    assert classes.of([None, "?"]) == [size - 1] * 2
    assert all(0 <= word_class < size - 1 for word_class in classes.of(["a", "b", "zebra"]))


def test_one_class_is_of_all_words():
    assert set(learned(two_classes(20), WordClassConfig(classes=1)).of([*NOUNS, "the", "zebra"])) == {0}


def test_files_come_back(tmp_path, sample_text):
    config = WordClassConfig(classes=9)
    classes = learned([*sample_text, "a\rb \u2028 \u200d 5 5.5"], config)
    save_together(tmp_path / "model", {"classes.tsv": classes.write})
    again = WordClasses.read(tmp_path / "model" / "classes.tsv", TEXT, config)
    assert again == classes
    words = ["the", "unseen", None, "N", "well-known", "-lrb-"]
    assert again.of(words) == classes.of(words)
    again.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model" / "classes.tsv").read_bytes()


GOOD = b"the\t0\t9\n\tunknown\t1\t3\n\tpunctuation\t2\t4\n"


def test_a_file_by_hand(tmp_path):
    (tmp_path / "c").write_bytes(GOOD)
    classes = WordClasses.read(tmp_path / "c", TEXT, WordClassConfig(classes=2))
    assert classes.members == (ClassMember("the", 0, 9), ClassMember(UNKNOWN, 1, 3), ClassMember(PUNCTUATION, 2, 4))
    assert classes.size == 3
    assert classes.of(["the", "dog", None]) == [0, 1, 2]
    assert [member.name for member in classes.members] == ["the", "(other words)", "(punctuation)"]
    assert [member.is_group for member in classes.members] == [False, True, True]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "c: word classes need one of punctuation and one of unknown words"),
        (GOOD.replace(b"\tunknown", b"unknown"), "c: word classes need one of punctuation and one of unknown"),
        (GOOD.replace(b"\tpunctuation\t2\t4\n", b""), "c: word classes need one of punctuation"),
        (GOOD.replace(b"9", b"nine"), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"9", b"-9"), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"9", b"9" * 5000), "c: larger than the 11 words of its settings can be"),
        (GOOD.replace(b"9", b"9" * 50), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"9", "९".encode()), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"the", b""), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"\t9", b""), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"9", b"9\t9"), "c:1: not a word, a class and a count"),
        (GOOD.replace(b"\n", b"\r\n"), "c:1: not a word, a class and a count"),
        (GOOD + b"\n", "c:4: not a word, a class and a count"),
        (GOOD.replace(b"unknown\t1", b"unknown\t3"), "c:2: class 3 of 2"),
        (GOOD.replace(b"unknown\t1", b"unknown\t2"), "c:2: class 2 of 2"),
        (GOOD.replace(b"punctuation\t2", b"punctuation\t3"), "c:3: class 3 of 2"),
        (GOOD.replace(b"punctuation\t2", b"punctuation\t1"), "c: a class is not below that of punctuation"),
        (b"the\t1\t9\n" + GOOD, "c:2: the has a class already"),
        (GOOD + b"\tunknown\t0\t3\n", "c:4: .other words. has a class already"),
        (GOOD[:-1], "c:3: the last line is cut off"),
        (GOOD + b"\xff\t1\t1\n", "c:4: not UTF-8"),
        (GOOD.replace(b"the", b"t" * (LONGEST_TYPE + 1)), f"c:1: a word of more than {LONGEST_TYPE} characters"),
        (b"\n" * 12, "c: more words than the 11"),
    ],
)
def test_files_that_are_no_word_classes_are_errors(tmp_path, content, message):
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        WordClasses.read(tmp_path / "c", TEXT, WordClassConfig(classes=2, class_words=3))
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_too_large_for_its_settings_is_not_read(tmp_path):
    with (tmp_path / "c").open("wb") as stream:
        stream.truncate(10**12)  # takes no room on the disk
    with pytest.raises(DataError, match="larger than"):
        WordClasses.read(tmp_path / "c", TEXT, WordClassConfig())


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(DataError, match="c: no readable word classes: No such file"):
        WordClasses.read(tmp_path / "c", TEXT, WordClassConfig())


def test_every_script_has_endings_and_numbers():
    for word in ("слово", "λέξεις", "शब्दों", "कलमा१"):
        assert group_of(word, "N") == "\t" + word[-3:]
    for character in "٣७๙":
        assert unicodedata.category(character) == "Nd"
        assert group_of(character, "") == NUMBER


def test_the_perplexity_is_that_of_the_class_bigrams():
    text = ["the dog sees the cat .", "the cat hears", "a dog , a cat"] * 3 + ["rare"]
    counts = BigramCounts(TextConfig())
    for line in text:
        counts.add(line.split())
    classes = learn_word_classes(counts, WordClassConfig(classes=3), 1)
    logs = []
    tokens = [[None if token in ".," else token for token in line.split()] for line in text]
    lines = [["<s>", *classes.of(line)] for line in tokens]
    circle = [[*line, "<s>"] for line in lines]
    for line, names in zip(tokens, circle, strict=True):
        for word, before, own in zip([*line, "<s>"], names[:-1], names[1:], strict=True):
            if word in (None, "<s>", "rare"):
                continue
            followed = sum(line[:-1].count(before) for line in circle)
            after = sum(pair == (before, own) for line in circle for pair in itertools.pairwise(line))
            class_count = sum(line.count(own) for line in lines)
            logs.append(math.log(after / followed * sum(line.count(word) for line in tokens) / class_count))
    assert class_perplexity(counts, classes, 2) == pytest.approx(math.exp(-sum(logs) / len(logs)))
    assert class_perplexity(counts, classes, 100) == math.inf
