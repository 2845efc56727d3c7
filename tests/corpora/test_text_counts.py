import itertools
from collections import Counter

import pytest

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.text_counts import HELD_OUT, TRAINING, TextCounts, count_text, part_of
from synparse.parsing.parser import Parser

TEXT = [f"the dog number{i % 7}x saw , the cat{i} .".split() for i in range(500)]
CONFIG = TextConfig(min_count=5, digits="")


def counted(text, part=None):
    return count_text(map(Sentence, text), CONFIG, part)


def test_the_fingerprint_depends_on_the_text():
    prints = [counted(text).fingerprint for text in (TEXT, TEXT, TEXT[:-1])]
    assert prints[0] == prints[1] != prints[2]


def test_the_fingerprint_depends_on_the_trees():
    prints = []
    for model in ("chain", "chain", "balanced"):
        parses = Parser.load(model).parse(TEXT)
        treed = [Sentence(parse.tokens, heads=parse.heads) for parse in parses]
        prints.append(count_text(treed, CONFIG, with_trees=True).fingerprint)
    assert prints[0] == prints[1] != prints[2] != count_text(treed, CONFIG).fingerprint


def test_words_are_those_of_the_training_part():
    counts = counted([*TEXT, [], ["."]])
    of_part = {part: [tokens for tokens in TEXT if part_of(Sentence(tokens)) == part] for part in (TRAINING, HELD_OUT)}
    read = Counter(token for tokens in of_part[TRAINING] for token in tokens if token not in (",", "."))
    assert counts.words == read
    assert counts.sentences == len(TEXT)
    assert counts.size == {
        "training_sentences": len(of_part[TRAINING]),
        "training_words": 6 * len(of_part[TRAINING]),
        "held_out_sentences": len(of_part[HELD_OUT]),
        "held_out_words": 6 * len(of_part[HELD_OUT]),
    }
    assert counted(TEXT, HELD_OUT).size == {"held_out_sentences": 500, "held_out_words": 3000}


@pytest.mark.parametrize("cuts", [(0, 500), (0, 100, 500), (0, 1, 2, 499, 500)])
def test_counts_of_parts_are_those_of_the_whole(cuts):
    whole, joined = counted(TEXT), TextCounts()
    for start, end in itertools.pairwise(cuts):
        joined.join(counted(TEXT[start:end]))
    assert (joined.words, joined.size) == (whole.words, whole.size)
    assert (joined.fingerprint == whole.fingerprint) == (len(cuts) == 2)


def test_the_fingerprint_depends_on_the_order_of_parts():
    first, second, swapped = counted(TEXT[:100]), counted(TEXT[100:]), counted(TEXT[100:])
    swapped.join(first)
    first.join(second)
    assert first.fingerprint != swapped.fingerprint
