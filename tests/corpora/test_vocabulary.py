import pytest

from synparse.corpora.vocabulary import CLASS, MASK_INDEX, SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD


def test_the_index_of_a_word_is_its_line(tmp_path):
    vocabulary = Vocabulary([*SPECIAL, "the", "dog", "\u2028"])
    vocabulary.write(tmp_path / "v")
    again = Vocabulary.read(tmp_path / "v", 7)
    assert again.words == vocabulary.words
    assert again.indices(["dog", "cat", "the"]) == [len(SPECIAL) + 1, UNKNOWN_INDEX, len(SPECIAL)]


def test_a_word_is_known_by_its_other_spelling():
    vocabulary = Vocabulary([*SPECIAL, "l'", "aujourd’hui", "țara", "t'", "t’", f"{CLASS}e"])
    known = ["l'", "l’", "lʼ", "aujourd'hui", "ţara", "t'", "t’", "l'e", "l‑"]
    assert vocabulary.indices(known) == [4, 4, 4, 5, 6, 7, 8, 9, UNKNOWN_INDEX]
    assert [vocabulary.knows(word) for word in known] == [True] * 7 + [False] * 2


def test_the_mask_symbol_in_the_text_is_unknown():
    vocabulary = Vocabulary([*SPECIAL, "the"])
    assert vocabulary.indices(["<mask>"]) == [UNKNOWN_INDEX] != [MASK_INDEX]


SPECIAL_LINES = "".join(f"{word}\n" for word in SPECIAL).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "begins with <pad>"),
        (b"the\n", "begins with <pad>"),
        (SPECIAL_LINES.replace(b"\n", b"\r\n"), "begins with <pad>"),
        (b"\xff\xfe" + SPECIAL_LINES, "v:1: not UTF-8"),
        (SPECIAL_LINES + b"a\n\xff\n", "v:6: not UTF-8"),
        (SPECIAL_LINES + b"\xed\xa0\x80\n", "v:5: not UTF-8"),
        (SPECIAL_LINES + b"a\na\n", "twice in the vocabulary"),
        (SPECIAL_LINES + b"<mask>\n", "twice in the vocabulary"),
        (SPECIAL_LINES + b"a\n\nb\n", "1 to 1000 characters"),
        (SPECIAL_LINES + b"a" * (LONGEST_WORD + 1) + b"\n", "1 to 1000 characters"),
        (SPECIAL_LINES + b"a\n\ting\nb\n", "begin with a tab, stand at the end"),
        (SPECIAL_LINES + b"a\n\ts\n\ts\n", "twice in the vocabulary"),
        (SPECIAL_LINES + b"a\n\ts", "v:6: the last line is cut off"),
        (SPECIAL_LINES + b"a\nb", "v:6: the last line is cut off"),
        (SPECIAL_LINES + b"a\nb\nc\nd\ne\n", "more words than the 8"),
        (b"\n" * 10_000, "more words than the 8"),
    ],
)
def test_files_that_are_not_a_vocabulary_are_errors(tmp_path, content, message):
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        Vocabulary.read(tmp_path / "v", 8)
    assert len(str(caught.value).splitlines()) == 1


def test_a_vocabulary_too_large_for_its_model_is_not_read(tmp_path):
    with (tmp_path / "v").open("wb") as stream:
        stream.truncate(10**12)  # takes no room on the disk
    with pytest.raises(DataError, match="larger than the 8 words for which the model has weights can be"):
        Vocabulary.read(tmp_path / "v", 8)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(DataError, match=r"v: no readable vocabulary: No such file"):
        Vocabulary.read(tmp_path / "v", 8)


def test_control_characters_are_part_of_words(tmp_path):
    # As a corpus may have them; nothing prints the words of a vocabulary.
    (tmp_path / "v").write_bytes(SPECIAL_LINES + b"a\x00b\n\x1b[31m\n")
    assert Vocabulary.read(tmp_path / "v", 8).words[len(SPECIAL) :] == ("a\0b", "\x1b[31m")


def test_a_file_may_end_with_classes_of_unknown_words(tmp_path):
    (tmp_path / "v").write_bytes(SPECIAL_LINES + b"the\n\ting\n\tg\n")
    vocabulary = Vocabulary.read(tmp_path / "v", 8)
    assert vocabulary.first_class == len(SPECIAL) + 1
    assert vocabulary.indices(["the", "sing", "dog", "cat"]) == [4, 5, 6, UNKNOWN_INDEX]
    vocabulary.write(tmp_path / "w")
    assert (tmp_path / "w").read_bytes() == (tmp_path / "v").read_bytes()
    assert CLASS == "\t"
