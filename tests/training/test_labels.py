"""Names that are learned from given trees at the end of a run, and written by parse."""

import json

import pytest

from synparse.corpora.normalization import TextConfig
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.store.labels import read_labels
from synparse.store.model_directory import CARD
from synparse.store.models import open_model
from synparse.training.given_trees import given_trees
from synparse.training.labels import learned_labels
from synparse.training.run import train
from tests.conftest import GRAMMARS

CONLLU = (
    "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\tsees\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    "4\tthe\t_\t_\t_\t_\t5\tdet\t_\t_\n5\tcat\t_\t_\t_\t_\t3\tobj\t_\t_\n6\tnow\t_\t_\t_\t_\t_\tadvmod\t_\t_\n\n"
)
UNNAMED = CONLLU.replace("det", "dep").replace("nsubj", "_").replace("obj", "dep").replace("NOUN", "_")
BRACKETS = "(S (NP (DT the) (NN dog)) (VP-FLAT sees (NP (DT the) (NN cat))))\n"


@pytest.fixture
def given(tmp_path):
    """The trees of a file with this text."""

    def read(text, name="given.conllu"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return given_trees([str(tmp_path / name)], TextConfig())

    return read


def test_what_has_a_name_is_learned(tiny_grammar, given):
    learned = learned_labels(tiny_grammar, [*given(CONLLU), *given(BRACKETS, "given.mrg")], "cpu")
    assert {kind: part.names for kind, part in learned.items()} == {
        "tags": ("DET", "NOUN", "VERB"),
        "relations": ("det", "nsubj", "obj"),  # that of a word without a head says nothing
        "constituents": ("NP", "S", "VP"),
    }


def test_json_teaches_the_names_that_the_same_trees_in_conllu_do(tiny_grammar, given):
    rows = [line.split("\t") for line in CONLLU.splitlines() if line]
    words, tags, relations = ([row[column] for row in rows] for column in (1, 3, 7))
    heads = [None if row[6] == "_" else int(row[6]) for row in rows]
    value = {"tokens": words, "heads": heads, "tags": tags, "relations": relations}
    learned = learned_labels(tiny_grammar, given(json.dumps(value), "given.json"), "cpu")
    same = learned_labels(tiny_grammar, given(CONLLU), "cpu")
    assert {kind: part.names for kind, part in learned.items()} == {kind: part.names for kind, part in same.items()}
    assert list(learned) == ["tags", "relations"]
    without_heads = {**value, "heads": None, "constituents": [[0, 2]]}
    assert list(learned_labels(tiny_grammar, given(json.dumps(without_heads), "given.json"), "cpu")) == ["tags"]


def test_nothing_is_learned_of_trees_without_names(tiny_grammar, given):
    assert learned_labels(tiny_grammar, []) == {}
    assert learned_labels(tiny_grammar, given(UNNAMED.replace("DET", "_").replace("VERB", "_")), "cpu") == {}
    assert list(learned_labels(tiny_grammar, given(UNNAMED), "cpu")) == ["tags"]


def test_names_are_those_that_a_model_may_have(tiny_grammar, given):
    """Treebanks in older formats have Penn tags, such as brackets, in the column of UPOS."""
    learned = learned_labels(tiny_grammar, given(CONLLU.replace("DET", "(").replace("NOUN", "N" * 101)), "cpu")
    assert learned["tags"].names == ("(", "VERB")


def test_a_run_with_named_trees_makes_a_parser_that_names(tmp_path, sample_text, given):
    given(CONLLU * 9)
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("".join(f"{line}\n" for line in sample_text[:100]), encoding="utf-8")
    changes, trees = [*GRAMMARS, "text.min_count=1"], [str(tmp_path / "given.conllu")]
    directory = train([str(corpus)], "grammar", tmp_path / "model", changes=changes, trees=trees).directory
    text = ["the dog sees the cat"]
    [parse] = Parser.load(directory).parse(text)
    assert parse.upos == ("DET", "NOUN", "VERB", "DET", "NOUN")
    assert set(parse.relations) <= {"root", "det", "nsubj", "obj"}
    assert parse.relations.count("root") == 1
    assert "tags (3), relations (3)" in (directory / CARD).read_text(encoding="utf-8")
    [without] = Parser.load(directory, relations="none").parse(text, learned=())
    assert (without.upos, without.relations) == (None, None)
    [classes] = Parser.load(directory).parse(text, labels=True, tags=True)
    assert classes.tags is not None
    pack([directory], [directory], tmp_path / "packed", check=[text[0].split()])
    assert Parser.load(tmp_path / "packed").parse(text) == [parse]
    assert list(read_labels(open_model(tmp_path / "packed"))) == ["tags", "relations"]
    assert Parser.load([directory, "chain"]).parse(text)[0].relations is None  # several models make other trees
