"""Sentences as a corpus ready for training, without a file."""

from collections.abc import Iterable
from pathlib import Path

from synparse.corpora.cache import Corpus, TokenCache, write_corpus
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.text_counts import HELD_OUT, TRAINING, count_text, vocabulary_of
from synparse.corpora.vocabulary import Vocabulary


def build_corpus(
    sentences: Iterable[Sentence],
    config: TextConfig,
    folder: Path,
    valid: Iterable[Sentence] | None = None,
    vocabulary: Vocabulary | None = None,
    with_trees: bool = False,
) -> Corpus:
    """The corpus of these sentences, in files of ``folder``, and the sentences held out: ``valid`` or some of them."""
    part = None if valid is None else TRAINING
    pairs = [*((sentence, part) for sentence in sentences), *((sentence, HELD_OUT) for sentence in valid or ())]
    counts = count_text((sentence for sentence, kind in pairs if kind == part), config, part, with_trees)
    vocabulary = vocabulary_of(counts, config, vocabulary)
    return Corpus(*write_corpus(pairs, config, folder, vocabulary, with_trees), vocabulary)


def words_of(corpus: Corpus, part: TokenCache) -> list[list[str]]:
    """The sentences of a part of it, as words of the vocabulary."""
    return [[corpus.vocabulary.words[index] for index in part[i]] for i in range(len(part))]
