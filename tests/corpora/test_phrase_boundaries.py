import math
from collections import Counter

import numpy as np
import pytest

from synparse.corpora.normalization import TextConfig
from synparse.corpora.phrase_boundaries import LONGEST, PRIOR, PhraseBoundaries, learn_phrase_boundaries
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.trees.punctuation import is_punctuation
from synparse.trees.punctuation_cues import cues_of
from tests.trees.binary_trees import boundary_spans

CONFIG = TextConfig(min_count=1)
WORDS = Vocabulary([*SPECIAL, "the", "dog", "cat", "saw", "barked"])
TEXT = [
    "the dog , the cat saw the dog .".split(),
    "the dog barked ; the cat barked .".split(),
    "the cat ( the dog ) saw the cat".split(),
    ". dog .".split(),
    [],
]


def literal(sentences, vocabulary):
    """Both estimates, word by word."""
    read = []
    for sentence in sentences:
        words = [token.lower() for token in sentence if not is_punctuation(token)]
        cues = cues_of(sentence, [not is_punctuation(token) for token in sentence])
        if 1 < len(words) <= LONGEST:
            read.append((vocabulary.indices(words), cues))
    count = Counter(index for words, _ in read for index in words)

    def fractions(boundaries_of_sentences):
        result = []
        for which in (0, 1):
            totals = Counter()
            for (words, _), boundaries in zip(read, boundaries_of_sentences, strict=True):
                totals.update(words[position] for position in boundaries[which])
            average = sum(totals.values()) / sum(count.values())
            smoothed = [(totals[index] + PRIOR * average) / (count[index] + PRIOR) for index in range(len(vocabulary))]
            result.append(np.log(np.array(smoothed, np.float32)))
        return PhraseBoundaries(*result)

    by_marks = []
    for words, cues in read:
        cuts = [position for position, level in enumerate(cues.levels, 1) if level]
        by_marks.append(([0, *cuts], [*(cut - 1 for cut in cuts), len(words) - 1]))
    boundaries = fractions(by_marks)
    by_trees = []
    for words, cues in read:
        spans = boundary_spans(boundaries.scores(words), cues)
        by_trees.append(({start for start, _ in spans}, {end - 1 for _, end in spans}))
    return fractions(by_trees)


def test_both_estimates_equal_a_direct_count(sample_text):
    words = sorted({word for line in sample_text for word in line.lower().split() if not is_punctuation(word)})
    for sentences, vocabulary in ((TEXT, WORDS), ([line.split() for line in sample_text[:150]], None)):
        known = vocabulary or Vocabulary([*SPECIAL, *words[::2]])
        config = TextConfig(digits="")
        learned, expected = learn_phrase_boundaries(sentences, config, known), literal(sentences, known)
        for scores, expected_scores in zip(learned, expected, strict=True):
            assert scores.dtype == np.float32
            np.testing.assert_allclose(scores, expected_scores, atol=1e-5)


def test_articles_begin_phrases_and_nouns_end_them():
    boundaries = learn_phrase_boundaries(TEXT * 10, CONFIG, WORDS)
    the, dog = WORDS.indices(["the", "dog"])
    assert boundaries.starts[the] > math.log(0.9) > boundaries.starts[dog]
    assert boundaries.ends[dog] > math.log(0.5) > math.log(0.1) > boundaries.ends[the]
    assert boundaries.starts.max() <= 0 >= boundaries.ends.max()


def test_unknown_words_have_the_boundaries_of_their_class():
    vocabulary = Vocabulary([*SPECIAL, "the", CLASS + "s"])
    boundaries = learn_phrase_boundaries(["the cats , the dogs".split()] * 30, CONFIG, vocabulary)
    assert vocabulary.indices(["boats"]) == [len(vocabulary) - 1]
    assert boundaries.scores(vocabulary.indices(["the", "boats"])).ends[1] > math.log(0.8)


@pytest.mark.parametrize("sentences", [[], [["dog"], [","]], [["dog"] * (LONGEST + 1)]])
def test_without_sentences_all_words_have_the_same_probabilities(sentences):
    starts, ends = learn_phrase_boundaries(sentences, CONFIG, WORDS)
    assert np.isfinite(starts).all()
    assert len(starts) == len(ends) == len(WORDS)
    assert len(set(starts)) == len(set(ends)) == 1
