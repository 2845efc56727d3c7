"""Trees of sentences from those of their chunks, by hand."""

import numpy as np

from synparse.corpora.normalization import TextConfig
from synparse.parsing.assembly import assembled
from synparse.parsing.chunks import Chunk, ReadSentence
from synparse.parsing.decoding import DecodedChunk
from synparse.parsing.options import Request

WORDS = ("a", "b", ",", "c", "d", "e")
READ = (True, True, False, True, True, True)
FIRST = DecodedChunk([(0, 2)], (2, 0), [1.0], [1.0, 2.0], [4], [1.0], [0.5, 0.25])
SECOND = DecodedChunk([(0, 3), (1, 3)], (0, 3, 1), [2.0, 1.0], [3.0, 1.0, 2.0], [5, 6], [1.0, 0.75], [0.5, 0.6, 0.7])


def read(tokens, is_read, *lengths):
    """A sentence in chunks of these lengths."""
    return ReadSentence(tokens, is_read, [Chunk({TextConfig(): ["w"] * length}) for length in lengths])


def test_chunks_are_sisters_and_their_roots_depend_on_the_first():
    parse = assembled(read(WORDS, READ, 2, 3), [FIRST, SECOND], Request(labels=True, confidence="raw"))
    assert parse.tree.constituents == (("X", 0, 6), ("NT5", 0, 2), ("NT6", 3, 6), ("NT7", 4, 6))
    assert parse.heads == (2, 0, 2, 2, 6, 4)
    # Nothing has decided where a chunk ends, nor what the root of the second one depends on.
    assert parse.span_probabilities == (1.0, None, None, 0.75)
    assert parse.head_probabilities == (0.5, 0.25, None, None, 0.6, 0.7)
    assert (parse.distances, parse.heights) == ((1.0, None, 2.0, 1.0), (1.0, 2.0, 3.0, 1.0, 2.0))
    assert parse.is_labelled


def test_a_chunk_of_one_word_has_a_seam_too():
    one = DecodedChunk([(0, 1)], (0,), [], [1.0])
    parse = assembled(read(WORDS, READ, 2, 1, 2), [FIRST, one, FIRST], Request())
    assert parse.distances == (1.0, None, None, 1.0)


def test_no_probability_is_above_one():
    above = 1 + 1e-7
    whole = DecodedChunk([(0, 2), (0, 1)], (2, 0), None, None, None, [above, above], [above, 0.5])
    whole = whole._replace(distributions=np.array([[0.0, above], [0.5, 0.5]]))
    parse = assembled(read(("a", "b"), (True, True), 2), [whole], Request(distributions=True, confidence="raw"))
    assert parse.span_probabilities == (1.0, 1.0)
    assert parse.head_probabilities == (1.0, 0.5)
    assert parse.head_distributions == ((0.0, 0.0, 1.0), (0.5, 0.5, 0.0))


def test_what_is_not_requested_is_left_out():
    only_heads = assembled(read(WORDS[3:], READ[3:], 3), [SECOND], Request(brackets=None), ("A", "B", "C"))
    assert (only_heads.tree, only_heads.heads, only_heads.tags) == (None, (0, 3, 1), ("A", "B", "C"))
    assert (only_heads.span_probabilities, only_heads.head_probabilities) == (None, None)
    only_tree = assembled(
        read(WORDS[3:], READ[3:], 3), [SECOND._replace(heads=())], Request(heads=None, confidence="raw")
    )
    assert (only_tree.heads, only_tree.span_probabilities) == (None, (1.0, 0.75))


def test_a_sentence_without_words_has_a_flat_tree():
    marks = assembled(read((".", "!"), (False, False)), [], Request(best=2))
    assert marks.tree.constituents == (("X", 0, 2),)
    assert (marks.heads, marks.best, marks.distances, marks.heights) == ((0, 1), (), None, None)
    nothing = assembled(read((), ()), [], Request(confidence="raw"))
    assert (nothing.tree.constituents, nothing.heads, nothing.span_probabilities) == ((), (), None)
