"""Whether the two parts of grammars agree, as an estimate of their quality."""

from types import SimpleNamespace

import pytest

from synparse.training import agreement as module
from synparse.training.agreement import LONGEST, SENTENCES, agreement_of, in_words


@pytest.fixture
def parsed(monkeypatch):
    """The sentences that were parsed, of words that are read and one comma. Without class grammars, the head of the
    first word is another; those of two words are neighbours, in both parses."""
    seen = []

    def load(_, without, **__):
        heads = (5, 1, 2, 2, 0) if without == ("class-grammars",) else (2, 1, 2, 2, 0)

        def stream(sentences, **_):
            seen.append(sentences)
            return (SimpleNamespace(heads=heads, read=(True, True, False, True, True)) for _ in sentences)

        return SimpleNamespace(stream=stream)

    monkeypatch.setattr(module, "Parser", SimpleNamespace(load=load))
    return seen


def test_heads_that_are_no_neighbours_are_compared_in_short_sentences(parsed):
    sentences = [["w"] * 5, ["w"] * (LONGEST + 1)] * (2 * SENTENCES)
    assert agreement_of("model", iter(sentences)) == 0.5
    assert [len(some) for some in parsed] == [SENTENCES] * 2
    assert agreement_of("model", []) is None


def test_class_grammars_change_some_heads(tiny_grammar, sample_text):
    sentences = [line.split() for line in sample_text[:20]]
    with_them = agreement_of(tiny_grammar, sentences)
    assert with_them is not None
    assert 0 < with_them < 1


ROWS = [
    {"language": name, "agreement": agreement, "UAS": uas}
    for name, agreement, uas in (("A", "70.4", "30.1"), ("B", "80.0", "45.0"), ("C", "82.0", "44.4"), ("D", "90", "70"))
]


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (0.806, "; in languages where it is much the same (B 80 %, C 82 %), UAS was 44 to 45"),
        (0.71, "; in languages where it is much the same (A 70 %), UAS was 30"),
        (0.86, "; in languages where it is much the same (C 82 %, D 90 %), UAS was 44 to 70"),
        (0.5, ""),
    ],
)
def test_languages_with_the_nearest_agreement_are_named(monkeypatch, agreement, said):
    monkeypatch.setattr(module, "read_rows", lambda _: ROWS)
    start = f"of the heads that are not neighbouring words, {100 * agreement:.0f} % are the same without class grammars"
    assert in_words(agreement) == start + said


def test_without_a_table_no_language_is_named(monkeypatch):
    monkeypatch.setattr(module, "read_rows", lambda _: [])
    assert "; " not in in_words(0.5)
