"""Our own sentences, parsed in every way there is, come out the same; and of CoNLL-U, nothing but heads changes."""

import functools
import itertools
import json
from pathlib import Path

import pytest

from synparse.parsing.parser import Parser
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.constituency import format_brackets
from synparse.trees.dependency import fault_of_heads
from tests.cli.commands import synparse

SCHEMES = ["stanford", "lth2008", "lth2007", "penn2malt", "ud"]


@pytest.fixture(scope="module")
def sentences(request):
    """The words of our sentences."""
    folder = request.getfixturevalue("fixtures")
    with (folder / "sentences.brackets").open(encoding="utf-8") as lines:
        return [tree.words for _, tree in read_brackets(lines, "sentences.brackets")]


@pytest.fixture(scope="module")
def english():
    return Parser.load("english", device="cpu")


@pytest.fixture(scope="module", params=["english", "three UDGNs"])
def parser(request):
    if request.param == "english":
        return request.getfixturevalue("english")
    return Parser.load(request.getfixturevalue("tiny_udgns"), device="cpu")


def trees(parses):
    return [(parse.tokens, parse.tree, parse.heads, parse.read) for parse in parses]


@pytest.fixture
def parse(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return functools.partial(synparse, "parse")


@pytest.mark.parametrize("model", ["english", "one UDGN", "three UDGNs"])
@pytest.mark.parametrize("punctuation", ["ignore", "evidence"])
def test_numpy_and_pytorch_give_the_same_trees(sentences, model, punctuation, tiny_udgns):
    models = {"english": [model], "one UDGN": tiny_udgns[:1], "three UDGNs": tiny_udgns}[model]
    # One that is asked for as cpu is computed by NumPy, one that is asked for by its number by PyTorch.
    by_numpy, by_torch = (
        Parser.load(models, device=device, punctuation=punctuation, function_words="leaves")
        for device in ("cpu", "cpu:0")
    )
    assert trees(by_numpy.parse(sentences)) == trees(by_torch.parse(sentences))
    for tree_decoder, head_decoder in zip(by_numpy.tree_decoders, by_numpy.head_decoders, strict=False):
        parses = [
            trees(parser.parse(sentences[:30], brackets=tree_decoder, heads=head_decoder))
            for parser in (by_numpy, by_torch)
        ]
        assert parses[0] == parses[1]


def test_numpy_and_pytorch_give_the_same_trees_of_a_student(sentences, tiny_student):
    by_numpy, by_torch = (Parser.load(tiny_student, device=device).parse(sentences) for device in ("cpu", "cpu:0"))
    assert trees(by_numpy) == trees(by_torch)
    for numpy_parse, torch_parse in zip(by_numpy, by_torch, strict=True):
        assert numpy_parse.distances == pytest.approx(torch_parse.distances, abs=1e-4)


def test_alone_together_and_in_any_order_a_sentence_has_the_same_trees(parser, sentences):
    together = trees(parser.parse(sentences))
    assert [trees(parser.parse([words]))[0] for words in sentences] == together
    assert trees(parser.parse(reversed(sentences))) == together[::-1]
    assert trees(parser.parse(sentences * 8)) == together * 8  # more than one window
    assert trees(parser.stream(iter(sentences))) == together
    assert trees(parser.parse(" ".join(words) for words in sentences)) == together


def test_one_decoder_alone_gives_what_both_together_give(parser, sentences):
    for tree_decoder, head_decoder in itertools.product(parser.tree_decoders, parser.head_decoders):
        both = parser.parse(sentences[:25], brackets=tree_decoder, heads=head_decoder)
        of_trees, of_heads = (
            parser.parse(sentences[:25], brackets=tree_decoder, heads=None),
            parser.parse(sentences[:25], brackets=None, heads=head_decoder),
        )
        # Of one model, both are one projective tree, where function words are leaves.
        if not (len(parser.members) == 1 and tree_decoder == head_decoder == "projective"):
            assert [parse.tree for parse in both] == [parse.tree for parse in of_trees]
        if head_decoder != "phrases" or tree_decoder == parser.tree_decoders[0]:  # else, of other phrases
            assert [parse.heads for parse in both] == [parse.heads for parse in of_heads]


def test_the_order_of_models_does_not_matter(sentences, tiny_udgns):
    """Not to heads, nor to brackets by boundaries: scores add up, and here none are equal."""
    by_decoder = {}
    for models in (tiny_udgns, tiny_udgns[1:] + tiny_udgns[:1], tiny_udgns[::-1]):
        parser = Parser.load(models, device="cpu")
        for head_decoder in parser.head_decoders:
            heads = tuple(parse.heads for parse in parser.parse(sentences, brackets=None, heads=head_decoder))
            by_decoder.setdefault(head_decoder, set()).add(heads)
        by_decoder.setdefault("brackets", set()).add(
            tuple(parse.tree for parse in parser.parse(sentences, brackets="boundaries", heads=None))
        )
    assert {name: len(results) for name, results in by_decoder.items()} == dict.fromkeys(by_decoder, 1)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("model", ["english", "right-branching"])
def test_conllu_comes_out_as_it_went_in_but_for_heads_and_relations(parse, fixtures, scheme, model):
    path = fixtures / f"sentences.{scheme}.conllu"
    before, after = path.read_text(encoding="utf-8"), parse(path, "-m", model, "--device", "cpu")
    comment, *lines = after.split("\n")
    assert comment.startswith("# synparse = ")
    for due, written in zip(before.split("\n"), lines, strict=True):
        if "\t" not in due:
            assert written == due  # comments and blank lines
            continue
        columns, own = due.split("\t"), written.split("\t")
        assert own[:6] + own[8:] == columns[:6] + columns[8:]
        assert (own[7] == "root") == (own[6] == "0")
    for sentence in read_conllu(after.splitlines(keepends=True), "after"):
        assert fault_of_heads(sentence.heads) == ""
    # What was there before changes nothing: the words alone are parsed.
    Path("again.conllu").write_text(after, encoding="utf-8")
    assert parse("again.conllu", "-m", model, "--device", "cpu") == after


@pytest.fixture
def long_files(fixtures, tmp_path):
    """More sentences than one window has, as CoNLL-U, brackets and text."""
    for name in ("ud.conllu", "brackets"):
        text = (fixtures / f"sentences.{name}").read_text(encoding="utf-8")
        (tmp_path / f"long.{name}").write_text(text * 3, encoding="utf-8")
    with (fixtures / "sentences.brackets").open(encoding="utf-8") as lines:
        text = "".join(" ".join(tree.words) + "\n" for _, tree in read_brackets(lines, "sentences"))
    (tmp_path / "long.txt").write_text(text * 3, encoding="utf-8")
    return [tmp_path / name for name in ("long.ud.conllu", "long.brackets", "long.txt")]


@pytest.mark.parametrize("format", ["conllu", "brackets", "json"])
def test_processes_write_what_one_writes(parse, long_files, format):
    arguments = ["-m", "english", "--device", "cpu", "-f", format]
    alone = parse(*long_files, *arguments, "--jobs", 1)
    assert parse(*long_files, *arguments, "--jobs", 2) == alone
    if format == "brackets":  # other formats number their sentences
        assert "".join(parse(path, *arguments, "--jobs", 1) for path in long_files) == alone


def test_formats_in_and_out_agree(parse, english, sentences, fixtures, tmp_path):
    due = english.parse(sentences)
    (tmp_path / "text.txt").write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
    for source in (tmp_path / "text.txt", fixtures / "sentences.brackets", fixtures / "sentences.penn2malt.conllu"):
        arguments = (source, "-m", "english", "--device", "cpu")
        with_heads = read_conllu(parse(*arguments).splitlines(keepends=True), "conllu")
        assert [sentence.heads for sentence in with_heads] == [parsed.heads for parsed in due]
        in_brackets = parse(*arguments, "-f", "brackets").splitlines()
        spans = [[(start, end) for _, start, end in parsed.tree.constituents] for parsed in due]
        read = [tree for _, tree in read_brackets(in_brackets, "brackets")]
        assert [[(start, end) for _, start, end in tree.constituents] for tree in read] == spans
        assert [tree.words for tree in read] == sentences
        records = list(map(json.loads, parse(*arguments, "-f", "json").splitlines()))
        assert [tuple(record["heads"]) for record in records] == [parsed.heads for parsed in due]
        assert [sorted(map(tuple, record["constituents"])) for record in records] == [
            sorted(constituents) for constituents in spans
        ]
    assert [format_brackets(parsed.tree) for parsed in due] == parse(
        tmp_path / "text.txt", "-f", "brackets"
    ).splitlines()
