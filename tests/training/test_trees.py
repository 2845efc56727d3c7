import functools
import json
from types import SimpleNamespace

import pytest

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.files.processes import pool
from synparse.parsing.parser import Parser
from synparse.training import trees
from synparse.training.events import Learning
from synparse.training.reading import RunSettings
from synparse.training.trees import seconds_per_sentence, sentences_to_parse, write_trees


def test_a_sample_of_the_sentences_that_have_tokens(tmp_path):
    (tmp_path / "a.txt").write_text("a b\n\nc\n")
    (tmp_path / "b.txt").write_text("\n".join(f"d {number}" for number in range(50)))
    settings = RunSettings((str(tmp_path / "a.txt"), str(tmp_path / "b.txt")), seed=3)
    every = [" ".join(sentence.tokens) for sentence in sentences_to_parse(settings, TextConfig(), 100)]
    assert every == ["a b", "c", *(f"d {number}" for number in range(50))]
    few = sentences_to_parse(settings, TextConfig(), 20)
    assert len(few) == 20
    assert few == sentences_to_parse(settings, TextConfig(), 20)


def test_the_sample_has_no_trees_of_its_own(tmp_path):
    (tmp_path / "a.brackets").write_text("(S (N a) (V b))\n")
    [sentence] = sentences_to_parse(RunSettings((str(tmp_path / "a.brackets"),)), TextConfig(), 5)
    assert (sentence.tokens, sentence.tree, sentence.heads) == (("a", "b"), None, None)


@pytest.mark.parametrize("function_words", [["leaves"], ["free"], ["free", "leaves"]])
def test_trees_are_those_of_the_parser_with_punctuation_as_evidence(
    tiny_grammar, sample_text, tmp_path, function_words
):
    lines, events = sample_text[:30], []
    sentences = [Sentence(tuple(line.split())) for line in lines]
    write_trees(tiny_grammar, sentences, function_words, tmp_path / "trees.jsonl", "cpu", events.append)
    rows = iter([json.loads(line) for line in (tmp_path / "trees.jsonl").read_text().splitlines()])
    for number, convention in enumerate(function_words):
        parser = Parser.load(tiny_grammar, device="cpu", punctuation="evidence", function_words=convention)
        for parse in parser.parse(lines[number :: len(function_words)]):
            row = next(rows)
            assert (row["tokens"], row["heads"]) == (list(parse.tokens), list(parse.heads))
            assert row["constituents"] == [list(constituent[1:]) for constituent in parse.tree.constituents]
    assert events[-1] == Learning("trees", 1.0)


def test_processes_and_a_cluster_write_the_same_trees(tiny_grammar, sample_text, tmp_path, dask_address, monkeypatch):
    from synparse.parsing import windows
    from synparse.parsing.cluster import cluster, map_on_cluster

    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 7)
    sentences = [Sentence(tuple(line.split())) for line in sample_text[:60]]

    def written(name, executor):
        write_trees(tiny_grammar, sentences, ["free", "leaves"], tmp_path / name, "cpu", executor=executor)
        return (tmp_path / name).read_text()

    plain = written("plain", None)
    assert plain.count("\n") == 60
    with pool(2) as executor:
        assert written("processes", executor) == plain
    with cluster(dask_address, 2, tmp_path) as client:
        assert written("cluster", functools.partial(map_on_cluster, client=client)) == plain


def test_parsing_is_timed_on_a_few_sentences(tiny_grammar, sample_text, monkeypatch):
    seconds = iter([10.0, 15.0])
    monkeypatch.setattr(trees, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(trees, "TIMED", 20)
    sentences = [Sentence(tuple(line.split())) for line in sample_text]
    assert seconds_per_sentence(tiny_grammar, sentences) == 5 / 20
