"""Drafts: what is given of the trees of the input stays, whatever the model and the decoder."""

import itertools
import json

import conllu
import nltk
import pytest

from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.drafts import draft_of_sentence
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.trees.dependency import is_tree
from synparse.trees.errors import DataError, SettingError

WORDS = "the old dog , which sleeps , sees a cat .".split()
GOLD = (3, 3, 8, 6, 6, 3, 6, 0, 10, 8, 8)


def draft(tmp_path, given, name="a.conllu"):
    rows = [
        "\t".join([str(number), word, *"____", str(GOLD[number - 1]) if number in given else "_", "rel", "_", "_"])
        for number, word in enumerate(WORDS, 1)
    ]
    path = tmp_path / name
    path.write_text("\n".join(rows) + "\n\n")
    return path


def token_list(path):
    [sentence] = conllu.parse(path.read_text())
    return sentence


@pytest.mark.parametrize("model", ["tiny_taught", "tiny_grammar", "tiny_udgn", "tiny_model", "tiny_student", "chain"])
@pytest.mark.parametrize("given", [(1, 3, 8), (2, 4, 5, 6, 7), tuple(range(1, 12))])
def test_given_heads_come_out(request, model, given, tmp_path):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    parser = Parser.load(name, device="cpu", punctuation="evidence", function_words="leaves")
    sentences = [token_list(draft(tmp_path, given))]
    for heads in parser.head_decoders:
        [parsed] = parser.parse(sentences, keep=("heads",), heads=heads)
        assert is_tree(parsed.heads)
        assert all(parsed.heads[number - 1] == GOLD[number - 1] for number in given)


@pytest.mark.parametrize(
    "model", ["tiny_taught", "tiny_grammar", "tiny_udgn", "tiny_on_lstm", "tiny_student", "balanced"]
)
def test_given_constituents_come_out(request, model):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    tree = nltk.Tree.fromstring("(S (NP the (A old dog , which)) (VP-FLAT sleeps , sees a) cat .)")
    parser = Parser.load(name, device="cpu", punctuation="evidence")
    for brackets in parser.tree_decoders:
        [parsed] = parser.parse([tree], Request(brackets, None), keep=("brackets",))
        constituents = [tuple(constituent) for constituent in parsed.tree.constituents]
        assert {("S", 0, 11), ("NP", 0, 5), ("A", 1, 5), ("VP-FLAT", 5, 9)} <= set(constituents)
        assert not [span for span in constituents if span[1] >= 5 and span[2] <= 9 and span[0] != "VP-FLAT"]
        spans = [(start, end) for _, start, end in constituents]
        assert not any(a < c < b < d for (a, b), (c, d) in itertools.product(spans, spans))


def test_probabilities_and_several_trees_are_among_those_that_are_left(tiny_taught, tmp_path):
    parser = Parser.load(tiny_taught, device="cpu")
    sentences = [token_list(draft(tmp_path, (1, 2, 3)))]
    [parsed] = parser.parse(sentences, keep=("heads",), confidence="raw", best=5)
    assert parsed.head_probabilities[:3] == pytest.approx((1.0, 1.0, 1.0))
    assert len({ranked.tree for ranked in parsed.best}) == len(parsed.best) == 5
    assert all(ranked.heads[:3] == GOLD[:3] for ranked in parsed.best)


def test_fitted_probabilities_do_not_doubt_what_is_given(tiny_taught, tmp_path):
    parser = Parser.load(tiny_taught, device="cpu")
    heads = token_list(draft(tmp_path, (1, 2, 3)))
    [parsed] = parser.parse([heads], keep=("heads",), confidence="fitted")
    assert parsed.head_probabilities[:3] == pytest.approx((1.0, 1.0, 1.0))
    assert max(value for value in parsed.head_probabilities[3:] if value is not None) < 0.99
    tree = nltk.Tree.fromstring("(S (NP the old dog) sees (NP the cat))")
    [parsed] = parser.parse([tree], keep=("brackets",), confidence="fitted")
    values = {span[1:]: value for span, value in zip(parsed.tree.constituents, parsed.span_probabilities, strict=True)}
    assert [values.pop(span) for span in ((0, 6), (0, 3), (4, 6))] == [1.0, 1.0, 1.0]
    assert max(values.values()) < 0.99


def test_trees_that_differ_only_inside_what_stays_flat_are_one_tree(tiny_taught):
    tree = nltk.Tree.fromstring("(S the old dog (X-FLAT sees a big cat))")
    [parse] = Parser.load(tiny_taught, device="cpu").parse([tree], Request(heads=None), keep=("brackets",), best=20)
    trees = [ranked.tree for ranked in parse.best]
    assert 1 < len(trees) == len(set(trees)) <= 5  # of four parts, one of them flat


def test_the_command_fills_in_what_is_missing(tiny_taught, tmp_path):
    path = draft(tmp_path, (1, 2, 8))
    [text] = parse([str(path)], [str(tiny_taught)], keep=("heads",))
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    assert [(row[6], row[7]) for row in (rows[0], rows[1], rows[7])] == [("3", "rel"), ("3", "rel"), ("0", "rel")]
    assert {row[7] for number, row in enumerate(rows) if number not in (0, 1, 7)} == {"dep"}
    assert "_" not in {row[6] for row in rows}
    with pytest.raises(SettingError, match="--keep takes heads and brackets, not 'tags'"):
        parse([str(path)], [str(tiny_taught)], keep=("tags",))


def test_heads_of_json_may_have_gaps(tiny_taught, tmp_path):
    path = tmp_path / "a.jsonl"
    known = [head if number in (1, 4, 8) else None for number, head in enumerate(GOLD, 1)]
    path.write_text(json.dumps({"tokens": WORDS, "heads": known}) + "\n")
    [text] = parse([str(path)], [str(tiny_taught)], format="json", keep=("heads",))
    heads = json.loads(text)["heads"]
    assert is_tree(heads)
    assert (heads[0], heads[3], heads[7]) == (3, 6, 0)


def test_contradictions_are_told_with_their_place(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    [sentence] = read_sentences(str(path), load_tokenizer("whitespace"))
    with pytest.raises(DataError, match=r"a\.conllu:1: --keep: words 1 and 2 both have head 0"):
        draft_of_sentence(sentence, ("heads",))
    with pytest.raises(DataError, match="--keep: no heads here; heads come from CoNLL-U or JSON"):
        draft_of_sentence(Sentence(("a", "b")), ("heads",))
    with pytest.raises(DataError, match="--keep: no brackets here"):
        draft_of_sentence(sentence, ("brackets",))
    assert draft_of_sentence(Sentence(()), ("heads",)) is None
    assert draft_of_sentence(sentence, ()) is None
