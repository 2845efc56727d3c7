"""Sentences in chunks of words, by hand."""

from synparse.corpora.normalization import TextConfig
from synparse.parsing.chunks import Chunk, in_chunks
from synparse.parsing.drafts import draft_of
from synparse.parsing.parser import Parser
from synparse.trees.punctuation_cues import cues_of, cues_within

TEXT, CASED = TextConfig(), TextConfig(lowercase=False)
TOKENS = ("The", "dog", ",", "which", "barked", "12", "times", ".")


def words(chunks, text=TEXT):
    return [chunk.words[text] for chunk in chunks]


def test_words_are_normalized_as_each_model_reads_them():
    [sentence] = in_chunks([TOKENS], [TEXT, CASED], 100, with_cues=False)
    assert sentence.read == (True, True, False, True, True, True, True, False)
    assert words(sentence.chunks) == [["the", "dog", "which", "barked", "N", "times"]]
    assert words(sentence.chunks, CASED) == [["The", "dog", "which", "barked", "N", "times"]]
    assert [(len(chunk), chunk.cues, chunk.given) for chunk in sentence.chunks] == [(6, None, None)]


def test_long_sentences_are_cut_with_their_cues():
    [sentence] = in_chunks([TOKENS], [TEXT], 4, with_cues=True)
    assert words(sentence.chunks) == [["the", "dog", "which", "barked"], ["N", "times"]]
    cues = cues_of(TOKENS, sentence.read)
    assert [chunk.cues for chunk in sentence.chunks] == [cues_within(cues, 0, 4), cues_within(cues, 4, 6)]


def test_what_is_given_is_cut_too():
    heads = (2, None, None, None, None, 7, None, None)
    draft = draft_of(heads, None, ["heads"], len(TOKENS))
    first, second = in_chunks([TOKENS, TOKENS], [TEXT], 4, with_cues=False, drafts=[draft, None])
    arcs = [chunk.given.arcs for chunk in first.chunks]
    # The given head alone is not forbidden: in the first chunk "dog" for "The", in the second "times" for "12".
    assert [of_chunk[0].argmax() for of_chunk in arcs] == [1, 1]
    assert [(of_chunk[0] == 0).sum() for of_chunk in arcs] == [1, 1]
    assert [chunk.given for chunk in second.chunks] == [None, None]


def test_sentences_without_words_have_no_chunks():
    marks, nothing = in_chunks([(".", "!"), ()], [TEXT], 4, with_cues=True)
    assert (marks.read, marks.chunks, nothing.read, nothing.chunks) == ((False, False), [], (), [])


def test_the_words_of_any_model_count():
    assert len(Chunk({CASED: ["A", "b"], TEXT: ["a", "b"]})) == 2


def test_work_is_in_proportion_to_the_words_of_a_long_sentence(lines_run, tiny_grammar):
    parser = Parser.load(tiny_grammar)
    parser.longest = 20
    long, longer = (lines_run(lambda number=number: parser.parse([TOKENS * number])) for number in (25, 50))
    assert longer < 2.2 * long
