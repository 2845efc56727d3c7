import pytest

from synparse.corpora.vocabulary import MASK_INDEX, SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.trees.errors import DataError


def test_words_have_their_line_as_index(tmp_path):
    vocabulary = Vocabulary([*SPECIAL, "the", "dog", "\u2028"])
    vocabulary.write(tmp_path / "v")
    again = Vocabulary.read(tmp_path / "v")
    assert again.words == vocabulary.words
    assert again.indices(["dog", "cat", "the"]) == [len(SPECIAL) + 1, UNKNOWN_INDEX, len(SPECIAL)]


def test_a_mask_in_the_text_is_no_mask():
    vocabulary = Vocabulary([*SPECIAL, "the"])
    assert vocabulary.index("<mask>") == UNKNOWN_INDEX != MASK_INDEX


@pytest.mark.parametrize("content", [b"", b"the\n", b"<pad>\n<unk>\n<mask>\na\na\n", b"\xff"])
def test_files_that_are_no_vocabulary_are_told(tmp_path, content):
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(DataError, match=r"^.*v: "):
        Vocabulary.read(tmp_path / "v")
