import zlib

import numpy as np
import pytest

from synparse.corpora import normalization, text_counts
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.tree_targets import tree_rows
from synparse.corpora.vocabulary import SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.parsing.parser import Parser
from synparse.trees.constituency import induced_tree
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD
from tests.texts import build_corpus, words_of

TEXT = [f"the dog number{i % 7}x saw , the cat{i} .".split() for i in range(500)]
CONFIG = TextConfig(min_count=5, digits="")


def test_sentences_come_back_as_vocabulary_words(tmp_path):
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    read = [["the", "dog", tokens[2], "saw", "the", "<unk>"] for tokens in TEXT]
    held_out = [zlib.crc32(" ".join(tokens).encode()) % 50 == 0 for tokens in TEXT]
    assert words_of(corpus, corpus.train) == [r for r, held in zip(read, held_out, strict=True) if not held]
    assert words_of(corpus, corpus.valid) == [r for r, held in zip(read, held_out, strict=True) if held]
    assert 0 < len(corpus.valid) < 25


def test_words_are_ordered_by_count_and_the_rest_is_unknown(tmp_path):
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    assert corpus.vocabulary.words[: len(SPECIAL) + 1] == (*SPECIAL, "the")
    assert len(corpus.vocabulary) == len(SPECIAL) + 3 + 7
    assert corpus.vocabulary.indices(["cat3"]) == [UNKNOWN_INDEX]


def test_the_vocabulary_can_be_bounded(tmp_path):
    corpus = build_corpus(map(Sentence, TEXT), TextConfig(min_count=5, digits="", max_vocabulary=2), tmp_path)
    assert corpus.vocabulary.words == (*SPECIAL, "the", "dog")


def test_words_of_a_thousand_characters_are_unknown(tmp_path):
    corpus = build_corpus(
        [Sentence([*tokens, "x" * LONGEST_WORD, "y" * (LONGEST_WORD + 1)]) for tokens in TEXT], CONFIG, tmp_path
    )
    assert "x" * LONGEST_WORD in corpus.vocabulary.words
    corpus.vocabulary.write(tmp_path / "v")
    assert Vocabulary.read(tmp_path / "v", len(corpus.vocabulary)).words == corpus.vocabulary.words


def test_given_validation_text_is_used_whole_and_not_counted(tmp_path):
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path, valid=map(Sentence, [["a", "dog"]] * 9))
    assert len(corpus.train) == 500
    assert words_of(corpus, corpus.valid) == [["<unk>", "dog"]] * 9


def test_tokens_are_mapped_and_not_loaded(tmp_path):
    corpus = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    assert isinstance(corpus.train.tokens, np.memmap)
    assert isinstance(corpus.train.offsets, np.memmap)


def test_trees_lie_beside_the_words_that_are_read(tmp_path):
    parses = Parser.load("balanced").parse(TEXT)
    treed = [Sentence(parse.tokens, tree=parse.tree, heads=parse.heads) for parse in parses]
    corpus = build_corpus(treed, CONFIG, tmp_path, with_trees=True)
    assert isinstance(corpus.train.trees, np.memmap)
    (tmp_path / "bare").mkdir()
    bare = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path / "bare")
    assert bare.train.trees is None
    assert corpus.vocabulary.words == bare.vocabulary.words
    kept = [token not in (",", ".") for token in TEXT[0]]
    for part, bare_part in ((corpus.train, bare.train), (corpus.valid, bare.valid)):
        assert part.tokens.tolist() == bare_part.tokens.tolist()
        for i in range(len(part)):
            rows = part.trees[part.offsets[i] : part.offsets[i + 1]]
            assert rows.tolist() == tree_rows(treed[0], kept).tolist()  # the same trees


def test_trees_of_one_word_are_an_error(tmp_path):
    treed = [Sentence((word, "."), tree=induced_tree((word, "."), [(0, 2)])) for word in ("a", "b") * 9]
    with pytest.raises(DataError, match="nothing to learn: no heads"):
        build_corpus(treed, CONFIG, tmp_path, with_trees=True)


def test_frequent_words_are_kept_when_the_table_of_types_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr(text_counts, "MAX_TYPES", 100)
    monkeypatch.setattr(normalization, "_MOST_REMEMBERED", 40)
    small = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path)
    monkeypatch.undo()
    (tmp_path / "all").mkdir()
    full = build_corpus(map(Sentence, TEXT), CONFIG, tmp_path / "all")
    assert words_of(small, small.train) == words_of(full, full.train)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ([], "no words"),
        ([[], []], "no words"),
        ([[",", "."]], "no words"),
        ([["a", "a"]] * 9, "one word"),
        ([["a", "b"]], "no word of the corpus occurs"),
    ],
)
def test_a_corpus_with_nothing_to_learn_from_is_an_error(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        build_corpus(map(Sentence, text), TextConfig(), tmp_path)
