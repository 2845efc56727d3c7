"""Lemmas as CoreNLP writes them; those of inflected words need LemmInflect."""

import sys

import pytest

from synparse.treebanks.convert import ConvertOptions, convert
from synparse.treebanks.lemmas import lemmatizer
from synparse.trees.errors import DataError

SENTENCE = (
    "( (S (S (NP (PRP$ Their) (NN boss)) (VP (VBD left) (NP (NNPS Alps)))) (, ,)"
    " (NP (PRP I)) (VP (MD wo) (RB n't)) (-LRB- -LRB-)))"
)


def test_without_the_library_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    lemmatizer.cache_clear()
    with pytest.raises(DataError, match=r"^--lemmas needs LemmInflect: pip install 'lemminflect>="):
        convert(["no such file"], ConvertOptions("ud", lemmas=True))


@pytest.fixture
def lemma():
    pytest.importorskip("lemminflect", reason="no LemmInflect here: pip install 'synparse[lemmas]'")
    lemmatizer.cache_clear()
    return lemmatizer()


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("Leaves", "VBZ", "leave"),
        ("wolves", "NNS", "wolf"),
        ("left", "VBD", "leave"),
        ("left", "JJ", "left"),
        ("better", "JJR", "good"),
        ("better", "RBR", "well"),
        ("more", "JJR", "more"),
        ("Women", "NNPS", "Women"),
        ("n’t", "RB", "not"),
        ("Me", "PRP", "I"),
        ("I", "PRP", "I"),
        ("’s", "VBZ", "be"),
        ("’s", "POS", "'s"),
        ("1,000", "CD", "1000"),
        (",", "CD", ","),
        ("The", "no Penn tag", "the"),
    ],
)
def test_a_word_and_its_tag_give_the_lemma(lemma, word, tag, expected):
    assert lemma(word, tag) == expected


@pytest.mark.usefixtures("lemma")
@pytest.mark.parametrize("format", ["conllu", "conllx"])
@pytest.mark.parametrize("unescape", [False, True])
def test_lemmas_are_in_the_third_column(tmp_path, format, unescape):
    path = tmp_path / "a.mrg"
    path.write_text(SENTENCE)
    [text] = convert([str(path)], ConvertOptions("ud", format, unescape=unescape, lemmas=True))
    rows = [line.split("\t") for line in text.splitlines() if line]
    bracket = "(" if unescape else "-lrb-"
    assert [row[2] for row in rows] == ["they", "boss", "leave", "Alps", ",", "I", "will", "not", bracket]
    [without] = convert([str(path)], ConvertOptions("ud", format, unescape=unescape))
    assert [[*row[:2], "_", *row[3:]] for row in rows] == [line.split("\t") for line in without.splitlines() if line]
