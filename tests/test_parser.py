from pathlib import Path

import pytest

from synparse import parser as parsing
from synparse.parser import HEAD_DECODERS, Parser
from synparse.trees.dependency import is_projective, is_tree
from synparse.trees.errors import DataError
from synparse.trees.spans import sentence_spans

ODD = [
    "the dog sees the cat .",
    "",
    "hello",
    ". . .",
    "zyx wvu tsr",
    "😀 😀 , 😀",
    "( a ) \u00ad b",
    " ".join(["the dog"] * 60),
]


@pytest.fixture(scope="module")
def parser(tiny_model):
    return Parser.load(tiny_model, device="cpu")


@pytest.mark.parametrize("head_decoder", HEAD_DECODERS)
@pytest.mark.parametrize("tree_decoder", ["unbiased", "published"])
def test_every_sentence_gets_a_tree_in_order(parser, tree_decoder, head_decoder):
    parses = parser.parse(ODD, tree_decoder, head_decoder)
    assert [parse.tokens for parse in parses] == [tuple(sentence.split()) for sentence in ODD]
    for parse in parses:
        assert len(parse.tree) == len(parse.heads) == len(parse.tokens)
        if parse.tokens:
            assert is_tree(parse.heads)
            assert parse.tree.constituents[0][1:] == (0, len(parse.tokens))
        if head_decoder == "joint" and parse.tokens:
            assert is_projective(parse.heads)


def test_batches_and_windows_change_nothing(parser, sample_text, monkeypatch):
    together = parser.parse(sample_text[:60])
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 7)
    monkeypatch.setattr(parsing, "BATCH_TOKENS", 50)
    assert [(p.tree, p.heads) for p in parser.parse(sample_text[:60])] == [(p.tree, p.heads) for p in together]
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 1)
    assert [(p.tree, p.heads) for p in parser.parse(sample_text[:60])] == [(p.tree, p.heads) for p in together]


def test_sentences_are_streamed(parser, monkeypatch):
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 3)
    taken = []

    def sentences():
        for k in range(100):
            taken.append(k)
            yield "the dog sees the cat ."

    next(parser.stream(sentences()))
    assert len(taken) <= 4


def test_five_hundred_words_are_one_sentence(parser, sample_text):
    words = " ".join(sample_text).replace(".", "").replace(",", "").replace("?", "").split()[:500]
    [parse] = parser.parse([words])
    assert is_tree(parse.heads)
    assert len(sentence_spans(parse.tree, whole=True)) == 499


def test_a_longer_sentence_is_parsed_in_stretches(parser, sample_text, monkeypatch):
    monkeypatch.setattr(parsing, "LONGEST", 10)
    words = " ".join(sample_text).replace(".", "").replace(",", "").replace("?", "").split()[:25]
    [whole] = parser.parse([words], head_decoder="joint")
    parts = parser.parse([words[:10], words[10:20], words[20:]], head_decoder="joint")
    spans = sentence_spans(whole.tree, whole=True)
    expected = {(0, 25)}
    for offset, part in zip((0, 10, 20), parts, strict=True):
        expected |= {(start + offset, end + offset) for start, end in sentence_spans(part.tree, whole=True)}
    assert spans == expected
    assert is_tree(whole.heads)
    assert is_projective(whole.heads)


def test_five_thousand_words_are_no_crash(parser):
    [parse] = parser.parse([["dog", "the", ","] * 2500])
    assert is_tree(parse.heads)


def test_punctuation_is_not_read_and_hangs_between_its_neighbours(parser):
    plain, marked = parser.parse(["the dog sees the cat", "the dog , sees the cat ."])
    assert sentence_spans(marked.tree, marked.read) == sentence_spans(plain.tree)
    assert marked.read == (True, True, False, True, True, True, False)
    assert marked.distances == pytest.approx(plain.distances, abs=1e-5)
    assert marked.heads[6] == marked.heads.index(0) + 1


def test_tokens_and_text_are_the_same_input(parser):
    text, tokens = parser.parse(["the dog barks", ["the", "dog", "barks"]])
    assert (text.tree, text.heads) == (tokens.tree, tokens.heads)


def test_trivial_parsers_need_no_model():
    [parse] = Parser.load("right-branching").parse(["a b , c"])
    assert parse.heads == (0, 1, 2, 2)
    assert sentence_spans(parse.tree) == {(1, 4)}
    one, two, other = (Parser.load("random", seed=s).parse(["a b c d e f g h"] * 5) for s in (1, 1, 2))
    assert one == two != other


def test_what_is_not_there_is_told(tmp_path, parser):
    with pytest.raises(DataError, match="no such model"):
        Parser.load(tmp_path / "none")
    with pytest.raises(ValueError, match="unbiased, published"):
        parser.parse(["a"], tree_decoder="mst")
    with pytest.raises(ValueError, match="mst, argmax, joint"):
        parser.parse(["a"], head_decoder="unbiased")


def test_the_example_of_the_docstring():
    import doctest

    assert doctest.testmod(parsing).failed == 0
    assert Path(parsing.__file__).name == "parser.py"
