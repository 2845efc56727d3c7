"""Grammars that are learned by counting, without a network or taught by trained models."""

import json
import os
import shutil
import signal
from dataclasses import replace

import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from synparse.config.recipe import load_recipe
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.store.bundle import open_model
from synparse.store.info import info
from synparse.store.model_directory import read_description
from synparse.store.overwriting import LAST, is_unfinished
from synparse.training.counting import is_counting, learn, resume
from synparse.training.events import Learning, Note
from synparse.trees.dependency import is_tree
from synparse.trees.errors import DataError, SettingError
from tests.conftest import GRAMMARS

FILES = ("classes.tsv", "grammar.safetensors")
SENTENCES = ["the old dog sees the cat .", "a cat , which the dog sees , barks", "", "dog", "? !"]


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """Also where the tests run in a background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def corpus(tiny_grammar):
    return [str(tiny_grammar.parent / "corpus.txt")]


def recipe(name="grammar", *changes):
    return load_recipe(name, [*GRAMMARS, "text.min_count=2", *changes])


class Stop:
    """A report of a run, which asks itself to stop in a stage."""

    def __init__(self, stage, number=signal.SIGTERM):
        self.stage, self.number, self.seen = stage, number, []

    def __call__(self, event):
        if isinstance(event, Learning):
            self.seen += [event.stage] if event.stage not in self.seen else []
            if event.stage == self.stage:
                os.kill(os.getpid(), self.number)


def assert_parses(directory, **options):
    for parse in Parser.load(directory, **options).parse(SENTENCES):
        assert len(parse.tree) == len(parse.heads) == len(parse.tokens)
        assert is_tree(parse.heads) or not parse.tokens


def test_it_leaves_a_whole_model_directory(tiny_grammar):
    names = sorted(path.name for path in tiny_grammar.iterdir())
    assert names == sorted([*FILES, "README.md", "boundaries.safetensors", "config.yaml", "vocabulary.txt"])
    assert sorted(path.name for path in tiny_grammar.parent.iterdir()) == ["corpus.txt", "model"]
    provenance = read_description(tiny_grammar).provenance
    assert provenance["corpus"]["training_sentences"] == 400
    assert "torch" not in provenance["versions"]
    arrays = load_file(tiny_grammar / "grammar.safetensors")
    assert info(str(tiny_grammar))["parameters"] == sum(array.size for array in arrays.values())
    of_grammars = (array for name, array in arrays.items() if not name.startswith(("context", "phrases")))
    assert sum(array.size for array in of_grammars) == recipe().grammar.parameters
    assert read_description(tiny_grammar).recipe.grammar == replace(recipe().grammar, branching="right")
    assert info(str(tiny_grammar))["gives"] == "brackets and heads"
    assert_parses(tiny_grammar)
    assert_parses(tiny_grammar, punctuation="evidence", function_words="leaves")


def test_the_dependency_model_alone(corpus, tmp_path):
    stop = Stop(None)
    learned = learn(corpus, recipe("dbm"), tmp_path / "dbm", report=stop)
    assert stop.seen[-1] == "dependency model, function words leaves"
    assert (learned.signal, learned.is_resumable) == (None, False)
    assert learned.provenance == read_description(tmp_path / "dbm").provenance
    assert Parser.load(tmp_path / "dbm").tree_decoders == ("dbm", "boundaries")
    assert_parses(tmp_path / "dbm")


def test_the_same_seed_gives_the_same_grammars(corpus, tiny_grammar, tmp_path):
    for seed, is_same in ((1, True), (2, False)):
        learn(corpus, recipe(), tmp_path / "again", seed=seed, force=True)
        same = (tmp_path / "again" / FILES[1]).read_bytes() == (tiny_grammar / FILES[1]).read_bytes()
        assert same == is_same


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("stage", ["word classes", "dependency model, function words free", "class grammars"])
def test_a_run_that_stops_goes_on_after_the_last_stage(corpus, tiny_grammar, tmp_path, stage, number):
    first, again = Stop(stage, number), Stop(None)
    learned = learn(corpus, recipe(), tmp_path / "model", report=first)
    assert (learned.signal, learned.is_resumable) == (number, True)
    assert is_counting(tmp_path / "model")
    learned = resume(tmp_path / "model", report=again)
    assert (learned.signal, learned.is_resumable) == (None, False)
    whole = Stop(None)
    learn(corpus, recipe(), tmp_path / "whole", report=whole)
    assert whole.seen == first.seen + [name for name in again.seen if name not in first.seen]
    for name in FILES:
        assert (tmp_path / "model" / name).read_bytes() == (tiny_grammar / name).read_bytes()


def test_a_run_that_stops_while_it_reads_leaves_nothing(corpus, tmp_path):
    def stop(event):
        if isinstance(event, Note):
            os.kill(os.getpid(), signal.SIGTERM)

    learned = learn(corpus, recipe(), tmp_path / "model", report=stop)
    assert (learned.signal, learned.is_resumable) == (signal.SIGTERM, False)
    assert list(tmp_path.iterdir()) == []


def test_another_corpus_is_told(tmp_path, sample_text):
    (tmp_path / "corpus.txt").write_text("\n".join(sample_text[:200]))
    learn([str(tmp_path / "corpus.txt")], recipe(), tmp_path / "model", report=Stop("class grammars"))
    (tmp_path / "corpus.txt").write_text("\n".join(sample_text[:190]))
    with pytest.raises(DataError, match="the corpus has changed since this run began"):
        resume(tmp_path / "model")
    assert resume(tmp_path / "model", allow_changed_corpus=True).signal is None


def test_what_is_no_run_of_this_kind_is_told(tiny_grammar, corpus, tmp_path):
    assert not is_counting(tiny_grammar)
    assert not is_counting(tmp_path / "nothing")
    learn(corpus, recipe(), tmp_path / "model", report=Stop("class grammars"))
    with safe_open(tmp_path / "model" / LAST, "numpy") as saved:
        values = json.loads(saved.metadata()["synparse-run"])
    for key, value in (("settings", {"corpus": 3}), ("recipe", {"model": "x"}), ("settings", None)):
        save_file({}, tmp_path / "model" / LAST, {"synparse-run": json.dumps({**values, key: value})})
        with pytest.raises(DataError, match="damaged checkpoint"):
            resume(tmp_path / "model")
    (tmp_path / "model" / LAST).write_bytes(b"x")
    assert not is_counting(tmp_path / "model")
    with pytest.raises(DataError, match="damaged checkpoint"):
        resume(tmp_path / "model")


def test_without_time_a_run_ends_soon(corpus, tmp_path):
    passes = []
    changes = ["grammar.dependency_passes=99", "grammar.grammar_passes=99"]
    learn(corpus, recipe("grammar", *changes), tmp_path / "model", minutes=0, report=passes.append)
    assert len(passes) < 30
    assert_parses(tmp_path / "model")


def test_trained_models_teach_and_parse_together(corpus, tiny_udgn, tiny_on_lstm, tmp_path):
    learn(corpus, recipe(), tmp_path / "model", teachers=[str(tiny_udgn), str(tiny_on_lstm), str(tiny_udgn)])
    names = ("udgn-1", "on-lstm-1", "udgn-2")
    found = open_model(tmp_path / "model")
    assert found.bundle.brackets == found.bundle.heads == names
    assert found.bundle.grammar.nonterminals == recipe().grammar.nonterminals
    parser = Parser.load(tmp_path / "model", device="cpu")
    assert parser.taught[0].members == (0, 1, 2)
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("grammar", "grammar")
    assert_parses(tmp_path / "model", device="cpu")
    described = info(str(tmp_path / "model"))
    assert described["parameters"] > recipe().grammar.parameters
    assert described["gives"] == "brackets and heads"
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert "taught by 3 trained models" in card
    assert "| udgn-2 | udgn, recipe `tiny-udgn` |" in card
    with pytest.raises(SettingError, match=r"holds grammars and the models that taught them; pack these models"):
        pack([tmp_path / "model"], [], tmp_path / "packed")
    assert not (tmp_path / "packed").exists()


def test_how_models_parse_together_is_recorded(corpus, tiny_udgn, tmp_path):
    chosen = recipe("grammar", "parsing.function_words=free", "parsing.heads=dbm")
    learn(corpus, chosen, tmp_path / "model", teachers=[str(tiny_udgn)], device="cpu")
    assert open_model(tmp_path / "model").parsing == chosen.parsing
    parser = Parser.load(tmp_path / "model", device="cpu")
    assert (parser.punctuation, parser.function_words, parser.head_decoders[0]) == ("evidence", "free", "dbm")
    assert "`--punctuation evidence --function-words free --decode dbm`" in (tmp_path / "model/README.md").read_text()


def test_decoders_that_will_not_fit_are_told_before_anything_is_learned(corpus, tiny_udgn, tmp_path):
    wrong = recipe("grammar", "parsing.heads=mst")
    with pytest.raises(
        SettingError, match=r"parsing\.heads: grammar will have no decoder 'mst'; possible are default,"
    ):
        learn(corpus, wrong, tmp_path / "model")
    assert not (tmp_path / "model").exists()
    learn(corpus, wrong, tmp_path / "model", teachers=[str(tiny_udgn)])  # a UDGN has it
    assert Parser.load(tmp_path / "model", device="cpu").head_decoders[0] == "mst"


def test_a_model_without_heads_gets_them_from_its_pupils(corpus, tiny_on_lstm, tmp_path):
    learn(corpus, recipe("dbm"), tmp_path / "model", teachers=[str(tiny_on_lstm)], device="cpu")
    assert "taught by a trained model, which parses" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert Parser.load(tmp_path / "model", device="cpu").head_decoders == ("grammar", "dbm")
    assert_parses(tmp_path / "model", device="cpu")


def test_packed_models_and_directories_of_several_teach(corpus, tiny_udgn, tiny_taught, tmp_path):
    packed = pack([tiny_udgn, tiny_taught], [tiny_udgn, tiny_taught], tmp_path / "packed").directory
    learn(corpus, recipe(), tmp_path / "model", teachers=[str(packed)])
    learn(corpus, recipe(), tmp_path / "next", teachers=[str(tmp_path / "model")])
    for name in ("model", "next"):
        assert_parses(tmp_path / name)
        assert len(Parser.load(tmp_path / name).taught) == 1  # not those that a teacher had


def test_a_run_with_teachers_needs_them_no_more_when_it_goes_on(corpus, tiny_udgn, tmp_path):
    teacher = shutil.copytree(tiny_udgn, tmp_path / "teacher")
    learn(corpus, recipe(), tmp_path / "model", teachers=[str(teacher)], report=Stop("class grammars"))
    shutil.rmtree(teacher)
    assert_parses(tmp_path / "model")
    assert resume(tmp_path / "model").signal is None
    assert open_model(tmp_path / "model").bundle.provenance["grammar"]["classes"] == 12
    assert_parses(tmp_path / "model")


def test_what_cannot_teach_is_told(corpus, tiny_udgn, tmp_path):
    output = tmp_path / "model"
    with pytest.raises(SettingError, match="--teacher: chain is a baseline, which has nothing to teach"):
        learn(corpus, recipe(), output, teachers=["chain"])
    with pytest.raises(DataError, match="no such model"):
        learn(corpus, recipe(), output, teachers=["nothing"])
    teacher = shutil.copytree(tiny_udgn, tmp_path / "teacher")
    with pytest.raises(SettingError, match=r"a teacher is in .*teacher, which this run overwrites"):
        learn(corpus, recipe(), teacher, teachers=[str(teacher)], force=True)
    config = (teacher / "config.yaml").read_text()
    (teacher / "config.yaml").write_text(config.replace("punctuation: drop", "punctuation: keep"))
    with pytest.raises(SettingError, match="do not read the same tokens"):
        learn(corpus, recipe(), output, teachers=[str(teacher), str(tiny_udgn)])
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        learn(corpus, recipe(), teacher)
    assert not output.exists()


@pytest.mark.parametrize(
    ("lines", "changes", "message"),
    [
        (["dog ."] * 9 + ["cat !"] * 9, [], "no sentence of two words has 15 tokens at most"),
        (["the dog sees the cat"] * 9, ["grammar.longest=4"], "has 4 tokens at most, so there is nothing to learn"),
        (["dog"] * 9, [], "there is nothing to predict"),
        ([". , !"] * 9, [], "the corpus holds no words"),
        ([], [], "the corpus holds no words"),
    ],
)
def test_a_text_that_teaches_nothing_is_told(tmp_path, lines, changes, message):
    (tmp_path / "corpus.txt").write_text("\n".join(lines))
    with pytest.raises(DataError, match=message):
        learn([str(tmp_path / "corpus.txt")], recipe("grammar", *changes), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]


def test_nothing_to_learn_is_told(corpus, tmp_path):
    with pytest.raises(SettingError, match=r"grammar.parts is none, so a dbm has nothing to learn"):
        learn(corpus, recipe("dbm", "grammar.parts=none"), tmp_path / "model")


def test_few_words_and_many_classes(tmp_path):
    (tmp_path / "corpus.txt").write_text("the dog barks\na cat\n" * 9)
    changes = ["grammar.classes=1000", "grammar.nonterminals=7"]
    learn([str(tmp_path / "corpus.txt")], recipe("grammar", *changes), tmp_path / "model")
    assert_parses(tmp_path / "model")
    [parse] = Parser.load(tmp_path / "model").parse([["dog"] * 1000])
    assert is_tree(parse.heads)


def test_a_run_is_unfinished_until_its_grammars_are_saved(corpus, tmp_path):
    states = []

    def look(event):
        if isinstance(event, Learning):
            states.append(is_unfinished(tmp_path / "model"))

    learn(corpus, recipe(), tmp_path / "model", report=look)
    assert all(states)
    assert not is_unfinished(tmp_path / "model")
