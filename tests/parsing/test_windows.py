from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentences import Sentence
from synparse.parsing import windows
from synparse.parsing.windows import Numbering, numbered_windows, windows_of
from synparse.trees.conllu import read_conllu

[OWN] = read_conllu(["# sent_id = 7\n", "1\ta" + "\t_" * 8 + "\n", "\n"], "own")
NAMED = Sentence(("a",), sent_id="x")
KINDS = [Sentence(("a", "b")), Sentence(()), Sentence(("a",), None, OWN), NAMED]
SENTENCES = st.lists(st.sampled_from(KINDS), max_size=12)


@given(st.lists(st.integers(0, windows.WINDOW_TOKENS + 5), max_size=20))
def test_windows_of_tokens(lengths):
    token_windows = list(windows_of(lengths, int))
    assert [length for window in token_windows for length in window] == lengths
    for window in token_windows:
        assert sum(window[:-1]) < windows.WINDOW_TOKENS
    for window in token_windows[:-1]:
        assert sum(window) >= windows.WINDOW_TOKENS


def test_windows_of_sentences():
    numbers = list(range(2 * windows.WINDOW_SENTENCES + 3))
    sentence_windows = list(windows_of(numbers, lambda _: 1))
    assert [len(window) for window in sentence_windows] == [windows.WINDOW_SENTENCES] * 2 + [3]
    assert [number for window in sentence_windows for number in window] == numbers


@given(st.lists(st.integers(0, 9000), max_size=20))
def test_a_window_alone_is_that_window_again(lengths):
    for window in windows_of(lengths, int):
        assert list(windows_of(window, int)) == [window]


def test_sentences_are_read_no_further_than_the_window():
    lengths = iter([1] * (windows.WINDOW_SENTENCES + 5))
    next(windows_of(lengths, int))
    assert len(list(lengths)) == 5


def test_sentences_do_not_wait_for_one_that_is_not_there_yet():
    pauses = iter([False, True, False, False, True])
    sentences = [Sentence((letter,)) for letter in "abcde"]
    found = list(numbered_windows(sentences, lambda: next(pauses)))
    assert [["".join(sentence.tokens) for sentence in window.sentences] for window in found] == [["a", "b"], [*"cde"]]
    assert [(window.before.number, window.is_early) for window in found] == [(0, True), (2, True)]


def test_numbers_count_new_sentences_and_paragraphs_follow_blank_lines():
    words, blank, own = Sentence(("a",)), Sentence(()), Sentence(("a",), None, OWN)
    assert Numbering().after(words) == Numbering(1, False)
    assert Numbering(4, False).after(blank) == Numbering(4, True)
    assert Numbering(4, True).after(words) == Numbering(5, False)
    assert Numbering(4, True).after(own) == Numbering(4, True)
    assert Numbering(4, True).after(NAMED) == Numbering(5, False)


@given(SENTENCES, SENTENCES)
def test_numbering_that_began_afresh_goes_on(before, later):
    def numbering(sentences, start=Numbering()):  # noqa: B008 - a value
        for sentence in sentences:
            start = start.after(sentence)
        return start

    assert numbering(before).then(numbering(later)) == numbering([*before, *later])


@given(SENTENCES)
def test_each_window_has_the_numbering_before_it(sentences):
    whole = windows.WINDOW_SENTENCES
    windows.WINDOW_SENTENCES = 2
    try:
        numbered = list(numbered_windows(sentences))
    finally:
        windows.WINDOW_SENTENCES = whole
    assert [sentence for window in numbered for sentence in window.sentences] == sentences
    numbering = Numbering()
    for window in numbered:
        assert window.before == numbering
        for sentence in window.sentences:
            numbering = numbering.after(sentence)
