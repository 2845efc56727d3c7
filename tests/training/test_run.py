"""Runs, from text to a model directory: what they leave, what stops them, and how they go on."""

import io
import json
import math
import os
import shutil
import signal
import threading
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from safetensors.numpy import load_file

from synparse.config.recipe import load_recipe, recipe_from
from synparse.files.folders import PENDING
from synparse.parsing.parser import Parser
from synparse.store.model_directory import RUN
from synparse.store.models import open_model
from synparse.training import grammars, progress, run, stages
from synparse.training.comparison import ParserComparison
from synparse.training.events import Learning, Note, StageBegins
from synparse.training.given_models import start_of
from synparse.training.progress import read_run
from synparse.training.run import resume, train
from synparse.trees.errors import DataError, SettingError
from tests.conftest import GRAMMARS
from tests.stopping import stop_when
from tests.trees.dependency_trees import is_tree

STAGES = str(Path(__file__).resolve().parents[1] / "tiny-stages.yaml")
SENTENCES = ["the old dog sees the cat .", "a cat , which the dog sees , barks", "", "dog", "? !"]


def finds(new, old):
    """A comparison of parsers that find so many of four segments in each of five sentences."""
    return ParserComparison((4,) * 5, (old,) * 5, (new,) * 5, 0.9)


@pytest.fixture(scope="module", autouse=True)
def every_parser_is_taken():
    """Models of seconds know nothing, so chance would decide which are taken."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "compared", lambda *_: finds(4, 4))
        yield


pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, sample_text):
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("".join(f"{line}\n" for line in sample_text[:100]), encoding="utf-8")
    return [str(path)]


@pytest.fixture(scope="module")
def whole(corpus, tmp_path_factory):
    """A run of all kinds of stages, and its events."""
    events = []
    result = train(corpus, STAGES, tmp_path_factory.mktemp("whole") / "model", device="cpu", report=events.append)
    return result, events


@pytest.fixture(scope="module")
def several(corpus, tmp_path_factory):
    """A recipe of grammars after grammars, and what it leaves."""
    few = {"classes": 12, "class_words": 200, "class_passes": 2, "dependency_passes": 4}
    stages = [{"grammars": "dependencies", **few}, {"grammars": "dependencies", "seeds": 2, **few}]
    recipe = recipe_from({"name": "several", "text": {"min_count": 2}, "stages": stages})
    return recipe, train(corpus, recipe, tmp_path_factory.mktemp("several") / "model").directory


@pytest.fixture
def grammar(tiny_grammar, tmp_path):
    """A copy of a finished model."""
    return shutil.copytree(tiny_grammar, tmp_path / "grammar")


def contents(directory):
    return {path.relative_to(directory): path.read_bytes() for path in Path(directory).rglob("*") if path.is_file()}


def assert_same_arrays(directory, other):
    first, second = (
        {path.relative_to(of): path for path in Path(of).rglob("*.safetensors")} for of in (directory, other)
    )
    assert first.keys() == second.keys() != set()
    for name, path in first.items():
        arrays, others = load_file(path), load_file(second[name])
        assert all((array == others[key]).all() for key, array in arrays.items()), name


def assert_parses(directory, **options):
    for parse in Parser.load(directory, device="cpu", **options).parse(SENTENCES):
        assert len(parse.tree) == len(parse.heads) == len(parse.tokens)
        assert is_tree(parse.heads) or not parse.tokens


def stages_of(result):
    return [record["stage"] for record in result.stages]


class Stop:
    """A report of a run, which asks itself to stop at each of some events: the number of the stage, the name of the
    event, and which of them it is."""

    def __init__(self, *wanted, signals=(signal.SIGTERM, signal.SIGINT)):
        self.wanted, self.signals, self.stage, self.seen, self.events = list(wanted), signals, 0, Counter(), []

    def __call__(self, event):
        self.events.append(event)
        if isinstance(event, StageBegins):
            self.stage = event.number
        name = event.stage if isinstance(event, Learning) else type(event).__name__
        self.seen[self.stage, name] += 1
        if self.wanted and (self.stage, name, self.seen[self.stage, name]) == self.wanted[0]:
            self.wanted.pop(0)
            signal.raise_signal(self.signals[len(self.wanted) % len(self.signals)])


def notes_of(events):
    return [event.text for event in events if isinstance(event, Note)]


# What a run leaves.


def test_a_run_of_a_network_leaves_a_whole_model_directory_and_nothing_else(tiny_model):
    directory = tiny_model.parent
    assert sorted(path.name for path in directory.iterdir()) == ["README.md", "config.yaml", "structformer-1"]
    names = sorted(path.name for path in tiny_model.iterdir())
    assert names == ["README.md", "config.yaml", "log.jsonl", "vocabulary.txt", "weights.safetensors"]
    assert sorted(path.name for path in directory.parent.iterdir()) == ["corpus.txt", "model"]
    config = yaml.safe_load((directory / "config.yaml").read_text(encoding="utf-8"))
    assert config["recipe"]["text"]["min_count"] == 2
    provenance = config["members"]["structformer-1"]["provenance"]
    assert len(provenance["corpus"]["sha256"]) == 64
    assert config["provenance"]["corpus"] == provenance["corpus"]
    rows = [json.loads(line) for line in (tiny_model / "log.jsonl").read_text().splitlines()]
    assert provenance["held_out_perplexity"] == pytest.approx(min(row["perplexity"] for row in rows), abs=0.01)
    assert "synparse eval" in (directory / "README.md").read_text(encoding="utf-8")
    for path in (directory, tiny_model):
        assert Parser.load(path, device="cpu").parse(["the dog sees the cat ."])[0].heads


def test_grammars_alone_leave_a_vocabulary_and_a_set(tiny_grammar):
    names = {
        path.name: sorted(file.name for file in path.iterdir()) for path in tiny_grammar.iterdir() if path.is_dir()
    }
    assert names == {
        "grammar-1": ["boundaries.safetensors", "config.yaml", "vocabulary.txt"],
        "grammars-1": ["classes.tsv", "grammar.safetensors", "log.jsonl"],
    }
    opened = open_model(tiny_grammar)
    assert opened.provenance["corpus"]["training_sentences"] == 400
    assert "torch" not in opened.provenance["versions"]
    [grammar_set] = opened.grammars
    assert (grammar_set.members, grammar_set.settings.branching, grammar_set.settings.classes) == (
        ("grammar-1",),
        "right",
        12,
    )
    assert_parses(tiny_grammar)
    assert_parses(tiny_grammar, punctuation="ignore", function_words="free")


def test_the_corpus_may_be_one_file(tmp_path):
    with pytest.raises(DataError) as caught:
        train(str(tmp_path / "none.txt"), "grammar", tmp_path / "model")
    assert str(caught.value) == f"{tmp_path}/none.txt: cannot be read: No such file or directory"


def test_paths_do_as_strings_and_one_as_a_list(tmp_path, sample_text):
    corpus, recipe, trees = tmp_path / "corpus.txt", tmp_path / "own.yaml", tmp_path / "given.brackets"
    corpus.write_text("".join(f"{line}\n" for line in sample_text[:60]), encoding="utf-8")
    recipe.write_text("stages: [{grammars: dependencies, dependency_passes: 2}]\n", encoding="utf-8")
    trees.write_text("(S (NP (DT the) (NN dog)) (VP (VBD barked)))\n", encoding="utf-8")
    result = train(corpus, recipe, tmp_path / "model", changes="grammar.classes=9", trees=trees)
    opened = open_model(result.directory)
    assert (opened.recipe.name, opened.grammars[0].settings.classes) == ("own", 9)
    assert opened.provenance["corpus"]["given_trees"]["files"] == ["given.brackets"]


@pytest.mark.parametrize("name", ["recipe", "init", "teachers", "valid", "vocabulary", "trees"])
def test_a_path_that_is_not_there_is_told_as_its_string_is(name, corpus, tmp_path):
    recipe = STAGES if name in ("valid", "vocabulary") else "grammar"

    def message(value):
        with pytest.raises(DataError) as caught:
            train(corpus, output=tmp_path / "model", **{"recipe": recipe, name: value})
        return str(caught.value)

    assert message(tmp_path / "none.yaml") == message(str(tmp_path / "none.yaml"))


def test_the_dependency_model_alone(corpus, tmp_path):
    result = train(corpus, model="dbm", output=tmp_path / "dbm", changes=[*GRAMMARS, "text.min_count=2"])
    assert (result.signal, result.is_resumable, stages_of(result)) == (None, False, ["grammars"])
    assert list(open_model(tmp_path / "dbm").members) == ["dbm-1"]
    assert Parser.load(tmp_path / "dbm").tree_decoders == ("grammar", "boundaries")
    assert_parses(tmp_path / "dbm")


@pytest.mark.parametrize(
    ("sides", "given", "branching", "said"),
    [
        ([1], "auto", "right", "branching: right (0.56 nats; unclear below 0.1)"),
        ([-1], "auto", "left", "branching: left (0.56 nats; unclear below 0.1)"),
        ([1, -1], "auto", "none", "branching: unclear (0.00 nats); --set grammar.branching=left or right decides"),
        ([-1], "right", "right", "branching: right, as set"),
    ],
)
def test_a_run_says_how_the_text_branches(sample_text, tmp_path, sides, given, branching, said):
    lines = [" ".join(line.split()[::side]) for side in sides for line in sample_text[:100]]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    events, changes = [], [*GRAMMARS, "text.min_count=2", f"grammar.branching={given}"]
    result = train([str(tmp_path / "text")], model="dbm", output=tmp_path / "m", changes=changes, report=events.append)
    assert open_model(tmp_path / "m").grammars[0].settings.branching == branching
    assert result.stages[0]["result"].endswith(f", {said}")
    assert [event.matters for event in events if isinstance(event, Note) and event.text == said] == [
        branching == "none"
    ]


def test_grammars_after_grammars_stand_beside_them(several, corpus, tmp_path):
    recipe, whole = several
    opened = open_model(whole)
    assert list(opened.members) == ["dbm-1"]
    assert [grammar_set.folder for grammar_set in opened.grammars] == ["grammars-1", "grammars-2", "grammars-3"]
    assert [grammar_set.provenance["seed"] for grammar_set in opened.grammars] == [1, 1_000_004, 2_000_007]
    assert_parses(whole)
    passes = "dependency model, function words free"
    for number in (2, 6):  # of the second stage, in its first set and in its second one
        stopped = tmp_path / f"stopped-{number}"
        assert train(corpus, recipe, stopped, report=Stop((2, passes, number))).is_resumable
        assert [grammar_set.folder for grammar_set in open_model(stopped).grammars] == ["grammars-1"]
        assert resume(stopped).signal is None
        assert_same_arrays(stopped, whole)


def test_all_stages_leave_the_parser_of_the_last_ones(whole):
    result, events = whole
    assert (result.signal, result.is_resumable) == (None, False)
    assert stages_of(result) == ["grammars", "trees", "student", "grammars", "udgn", "grammars"]
    begun = [(event.number, event.of, event.stage) for event in events if isinstance(event, StageBegins)]
    assert begun == [(number, 6, stage) for number, stage in enumerate(stages_of(result), 1)]
    opened = open_model(result.directory)
    taken = ["udgn-1", "udgn-2"]  # they know more than the student
    assert list(opened.members) == taken
    assert [(grammar_set.folder, list(grammar_set.members)) for grammar_set in opened.grammars] == [
        ("grammars-3", taken),
        ("grammars-4", taken),
    ]
    assert opened.recipe == load_recipe(STAGES)
    assert opened.provenance["stages"] == list(result.stages)
    there = {path.name for path in result.directory.iterdir()}
    assert there == {"README.md", "config.yaml", "grammars-3", "grammars-4", *taken}
    assert_parses(result.directory)
    parser = Parser.load(result.directory, device="cpu")
    assert (parser.punctuation, parser.function_words) == ("evidence", "leaves")


def test_networks_of_a_stage_differ_by_their_seeds(whole):
    folders = [whole[0].directory / name for name in ("udgn-1", "udgn-2")]
    assert len({(folder / "weights.safetensors").read_bytes() for folder in folders}) == 2
    assert [open_model(folder).description.provenance["seed"] for folder in folders] == [1, 1_000_004]


def test_the_settings_of_a_loaded_recipe_can_be_changed(several, corpus, tmp_path):
    train(corpus, several[0], tmp_path / "m", changes=["2.grammar.seeds=1", "1.grammar.classes=7"], tokenizer="rules")
    recipe = open_model(tmp_path / "m").recipe
    assert ([stage.settings.classes for stage in recipe.stages], recipe.text.tokenizer) == ([7, 12], "rules")


@pytest.mark.parametrize("name", ["tiny_on_lstm", "tiny_udgn", "tiny_student"])
def test_cards_say_what_a_model_is(request, name):
    directory = request.getfixturevalue(name)
    card = (directory / "README.md").read_text(encoding="utf-8")
    assert ("(next-word) |" in card) == (name == "tiny_on_lstm")
    assert ("pred.conllu" in card) == (name != "tiny_on_lstm")
    assert ("without annotated trees" in card) == (name != "tiny_student")
    assert ("| trees | heads of" in card) == (name == "tiny_student")
    assert open_model(directory).description.recipe.model in card


# Trees as text.


def test_a_student_reproduces_the_trees_it_is_shown(tmp_path, tiny_student_recipe, sample_text):
    """The brackets of one parser and the heads of another, on sentences that it has not seen too."""
    sentences = [line.split()[:7] for line in sample_text]
    brackets = Parser.load("right-branching").parse(sentences)
    heads = Parser.load("chain").parse(sentences)
    lines = [
        json.dumps(
            {
                "tokens": bracket_parse.tokens,
                "constituents": [c[1:] for c in bracket_parse.tree.constituents],
                "heads": head_parse.heads,
            }
        )
        for bracket_parse, head_parse in zip(brackets, heads, strict=True)
    ]
    (tmp_path / "shown.jsonl").write_text("\n".join(lines[:300]))
    changes = ["architecture.hidden_size=24", "training.epochs=12", "training.batch_tokens=128"]
    train([str(tmp_path / "shown.jsonl")], str(tiny_student_recipe), tmp_path / "m", changes=changes)
    # The heads do not fit the brackets, so they are not those of the phrases.
    parses = Parser.load(tmp_path / "m").parse(sentences, heads="mst")
    for part in (slice(0, 300), slice(300, None)):
        same_tree = [parse.tree == shown.tree for parse, shown in zip(parses[part], brackets[part], strict=True)]
        same_heads = [parse.heads == shown.heads for parse, shown in zip(parses[part], heads[part], strict=True)]
        assert min(sum(same_tree), sum(same_heads)) > 0.9 * len(same_tree)


@pytest.mark.parametrize(("suffix", "heads", "splits"), [("conllu", True, False), ("brackets", False, True)])
def test_a_student_learns_from_a_treebank_what_is_there(tmp_path, tiny_student_recipe, suffix, heads, splits):
    gold = Path(__file__).resolve().parents[2] / "data" / "sample" / f"gold.{suffix}"
    train([str(gold)], str(tiny_student_recipe), tmp_path / "m")
    corpus = open_model(tmp_path / "m").provenance["corpus"]
    assert (corpus["heads"] > 0, corpus["splits"] > 0) == (heads, splits)
    assert corpus["heads"] in (0, corpus["training_words"])
    assert corpus["splits"] in (0, corpus["training_words"] - corpus["training_sentences"])
    parser = Parser.load(tmp_path / "m")
    assert parser.head_decoders == (("projective", "mst", "argmax", "phrases") if heads else ())
    assert parser.tree_decoders == (("projective",) if heads else ("unbiased", "splits", "published"))
    [parse] = parser.parse(["the dog sees the cat"])
    assert (parse.heads is not None, parse.distances is not None) == (heads, splits)
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert ("pred.conllu" in card) == heads


@pytest.mark.parametrize(
    ("name", "content", "position"),
    [
        ("x.txt", "the dog barked\n", "x.txt: has no trees to learn from"),
        ("x.jsonl", '{"tokens": ["a"], "heads": null}\n', "x.jsonl: has no trees to learn from"),
        ("x.conllu", "1\ta" + "\t_" * 8 + "\n", "x.conllu:1: word 1 (a) has no head"),
    ],
)
@pytest.mark.parametrize("is_valid", [False, True])
def test_a_corpus_without_trees_is_told_and_how_to_make_them(
    tmp_path, tiny_student, tiny_student_recipe, name, content, position, is_valid
):
    (tmp_path / name).write_text(content)
    shown, other = str(tiny_student.parents[1] / "corpus.jsonl"), str(tmp_path / name)
    corpus, valid = ([shown], other) if is_valid else ([shown, other], None)
    with pytest.raises(DataError, match=r"synparse parse (--model MODEL --format json|--keep heads)") as caught:
        train(corpus, str(tiny_student_recipe), tmp_path / "model", valid=valid)
    assert position in str(caught.value)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("minutes", [None, 5])
def test_what_learned_from_a_treebank_teaches_and_is_planned(
    tiny_student, tiny_student_recipe, tmp_path, minutes, monkeypatch
):
    monkeypatch.setattr("synparse.training.timing.SECONDS", 0.1)
    text, changes = [str(tiny_student.parents[1] / "corpus.jsonl")], ["grammar.parts=dependencies", *GRAMMARS]
    train(text, str(tiny_student_recipe), tmp_path / "model", changes=changes, device="cpu", minutes=minutes)
    assert Parser.load(tmp_path / "model").head_decoders[0] == "grammar"


def test_other_models_read_the_words_of_trees(tmp_path, tiny_recipe, tiny_model, sample_trees):
    (tmp_path / "corpus.jsonl").write_text("\n".join(sample_trees), encoding="utf-8")
    train([str(tmp_path / "corpus.jsonl")], str(tiny_recipe), tmp_path / "model", device="cpu")
    assert_same_arrays(tmp_path / "model", tiny_model.parent)


# Runs that are stopped.

STOPS = (
    (1, "word classes", 1),
    (1, "class grammars", 2),
    (2, "trees", 1),
    (3, "Progress", 3),
    (4, "evidence", 1),
    (4, "comparing parsers", 1),
    (5, "Progress", 7),  # of the second network
    (6, "dependency model, function words free", 2),
    (6, "class grammars", 6),  # of the second set
    (6, "comparing parsers", 1),
)


def test_a_run_that_is_stopped_at_every_stage_ends_as_if_nothing_had_been(whole, corpus, tmp_path):
    output, stop = tmp_path / "model", Stop(*STOPS)
    result = train(corpus, STAGES, output, device="cpu", report=stop)
    for left in range(len(STOPS) - 1, -1, -1):
        assert (len(stop.wanted), result.is_resumable) == (left, True)
        assert result.signal == (signal.SIGTERM, signal.SIGINT)[left % 2]
        assert result.has_parser == (len(result.stages) > 0)
        if result.has_parser:
            assert_parses(output)
        result = resume(output, device="cpu", report=stop)
    assert (result.signal, result.is_resumable) == (None, False)
    assert (result.steps, result.words) == (whole[0].steps, whole[0].words)  # of a network of an earlier stage
    assert result.score == pytest.approx(whole[0].score, abs=1e-3)
    assert_same_arrays(output, whole[0].directory)
    assert {path.name for path in output.iterdir()} == {path.name for path in whole[0].directory.iterdir()}
    assert [stage["result"] for stage in result.stages] == [stage["result"] for stage in whole[0].stages]


def test_a_signal_in_the_last_update_of_a_network_stops_the_run_after_it(whole, corpus, tmp_path):
    stop = stop_when(lambda event: getattr(event, "is_last", False))
    result = train(corpus, STAGES, tmp_path / "model", device="cpu", report=stop)
    assert (result.signal, result.is_resumable, stages_of(result)) == (signal.SIGTERM, True, ["grammars", "trees"])
    assert read_run(tmp_path / "model").units_done == 1
    resume(tmp_path / "model", device="cpu")
    assert_same_arrays(tmp_path / "model", whole[0].directory)


def test_other_settings_are_those_of_stages_that_are_not_done(corpus, tmp_path):
    recipe, output = load_recipe(STAGES), tmp_path / "model"
    recipe = replace(recipe, stages=(replace(recipe.stages[4], seeds=1), recipe.stages[4], recipe.stages[5]))
    stop = Stop((2, "StageBegins", 1), (3, "StageBegins", 1))
    train(corpus, recipe, output, device="cpu", report=stop)
    resume(output, device="cpu", changes=["training.learning_rate=0.02"], report=stop)
    members = open_model(output).members.values()
    assert [member.description.recipe.training.learning_rate for member in members] == [0.01, 0.02, 0.02]
    assert [stage.training.learning_rate for stage in read_run(output).recipe.networks] == [0.01, 0.02]
    with pytest.raises(SettingError, match=r"training.epochs=2: the stages that have this setting are done"):
        resume(output, device="cpu", changes=["training.epochs=2"])


def test_given_trees_are_noticed_at_once_and_may_have_moved(sample_text, tmp_path):
    corpus, trees, moved = (tmp_path / name for name in ("corpus.txt", "trees.conllu", "moved.conllu"))
    corpus.write_text("\n".join(sample_text[:100]))
    given = "1\tdogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    trees.write_text(3 * given)
    stages = load_recipe(STAGES).stages
    recipe = replace(load_recipe(STAGES), stages=(stages[4], stages[5]))  # a network, which reads no trees, is first
    train(corpus, recipe, tmp_path / "model", trees=trees, device="cpu", report=Stop((1, "Progress", 1)))
    trees.rename(moved)
    with pytest.raises(DataError, match=r"trees.conllu: is not there any more; .* train --trees FILE --resume"):
        resume(tmp_path / "model", device="cpu")
    moved.write_text(2 * given)
    with pytest.raises(DataError, match="what --trees names has changed since this run began"):
        resume(tmp_path / "model", trees=moved, device="cpu")
    moved.write_text(3 * given)
    assert not resume(tmp_path / "model", trees=moved, device="cpu").is_resumable
    assert open_model(tmp_path / "model").provenance["corpus"]["given_trees"]["files"] == ["moved.conllu"]


def test_trees_are_not_given_to_a_run_that_began_without(corpus, tmp_path):
    train(corpus, "grammar", tmp_path / "model", report=Stop((1, "class grammars", 1)))
    with pytest.raises(SettingError, match="--trees: this run began without given trees"):
        resume(tmp_path / "model", trees=corpus)


def test_another_corpus_is_noticed_in_every_stage(sample_text, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(sample_text[:100]))
    stop = Stop(
        (1, "class grammars", 1), (2, "trees", 1), (4, "evidence", 1), (5, "Progress", 3), (6, "class grammars", 1)
    )
    result = train([str(corpus)], STAGES, tmp_path / "model", device="cpu", report=stop)
    for sentences in (98, 96, 94, 92, 90):
        assert result.is_resumable
        corpus.write_text("\n".join(sample_text[:sentences]))
        with pytest.raises(DataError, match="the corpus has changed since this run began"):
            resume(tmp_path / "model", device="cpu")
        result = resume(tmp_path / "model", device="cpu", report=stop, allow_changed_corpus=True)
    assert (result.signal, result.is_resumable, stop.wanted) == (None, False, [])
    assert_parses(tmp_path / "model")
    new = open_model(tmp_path / "model").provenance["corpus"]
    assert new["training_sentences"] == 90


@pytest.mark.parametrize("order", [(4, 5), (0, 4)])
def test_beside_held_out_text_another_corpus_is_noticed_too(sample_text, tmp_path, order):
    corpus, valid, output = tmp_path / "corpus.txt", tmp_path / "valid.txt", tmp_path / "model"
    corpus.write_text("\n".join(sample_text[:100]))
    valid.write_text("\n".join(sample_text[100:140]))
    recipe = load_recipe(STAGES)
    recipe, stop = replace(recipe, stages=tuple(recipe.stages[number] for number in order)), Stop((2, "StageBegins", 1))
    train([str(corpus)], recipe, output, valid=str(valid), device="cpu", report=stop)
    corpus.write_text("\n".join(sample_text[:90]))
    with pytest.raises(DataError, match="the corpus has changed since this run began"):
        resume(output, device="cpu")
    corpus.write_text("\n".join(sample_text[:100]))
    resume(output, device="cpu", report=stop)
    assert all(note.startswith("100 sentences, ") for note in notes_of(stop.events) if "script: " in note)
    read = open_model(output).provenance["corpus"]
    assert (read["training_sentences"], read["held_out_sentences"]) == (100, 40)


@pytest.mark.parametrize("is_after_nothing", [False, True])
def test_another_corpus_is_noticed_where_a_run_begins_with_trees(
    sample_text, tmp_path, tiny_udgn, rates, is_after_nothing
):
    rates(0.1, 1e-6)
    corpus, trees, output = tmp_path / "corpus.txt", tmp_path / "trees.conllu", tmp_path / "model"
    corpus.write_text("\n".join(sample_text[:100]))
    trees.write_text("1\tdogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    first, *others = load_recipe(STAGES).stages[:4]
    nothing = [replace(first, settings=replace(first.settings, parts="none"))] * is_after_nothing
    recipe, stop = replace(load_recipe(STAGES), stages=(*nothing, *others)), Stop((len(nothing) + 2, "StageBegins", 1))
    given = {"teachers": [str(tiny_udgn)], "trees": [str(trees)]}
    train([str(corpus)], recipe, output, device="cpu", report=stop, **given)
    corpus.write_text("\n".join(sample_text[:90]))
    with pytest.raises(DataError, match="the corpus has changed since this run began"):
        resume(output, device="cpu")
    corpus.write_text("\n".join(sample_text[:100]))
    resume(output, device="cpu", minutes=9)
    read = open_model(output).provenance["corpus"]
    assert (read["files"], read["training_sentences"], read["given_trees"]["sentences"]) == (["corpus.txt"], 100, 1)


def test_grammars_read_the_text_that_was_allowed_though_their_network_is_from_the_one_before(tmp_path, tiny_recipe):
    texts = [tmp_path / name for name in ("before.txt", "after.txt")]
    for text, sentence in zip(texts, ("the old dog sees the cat .", "cat . the sees dog the old"), strict=True):
        text.write_text(f"{sentence}\n" * 400)
    model, stop = tmp_path / "model", Stop((1, "Progress", 60))
    changes = ["grammar.parts=all", *GRAMMARS, "training.epochs=100", "training.validate_every=20"]
    train([str(texts[0])], str(tiny_recipe), model, changes=changes, device="cpu", report=stop)
    changed = {"corpus": [str(texts[1])], "changes": ["training.epochs=1"], "allow_changed_corpus": True}
    assert not resume(model, device="cpu", **changed).is_resumable
    assert open_model(model).description.provenance["corpus"]["files"] == ["before.txt"]
    assert open_model(model).provenance["corpus"]["files"] == ["after.txt"]


def test_an_interrupt_keeps_the_best_model_so_far(tmp_path, corpus, tiny_recipe):
    def interrupt(event):
        if getattr(event, "step", 0) == 25:
            raise KeyboardInterrupt

    result = train(corpus, str(tiny_recipe), tmp_path / "m", changes=["training.epochs=50"], report=interrupt)
    assert result.interrupted
    assert result.score is not None
    assert open_model(tmp_path / "m").description.provenance["steps"] == 20
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert Parser.load(tmp_path / "m").parse(["the dog sees the cat ."])[0].heads


def test_a_run_that_is_interrupted_before_its_first_model_can_be_resumed(tmp_path, corpus, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(stages, "_write_vocabulary", interrupted)
        result = train(corpus, "grammar", tmp_path / "m", changes=GRAMMARS)
    assert (result.interrupted, result.is_resumable, result.has_parser) == (True, True, False)
    assert resume(tmp_path / "m").has_parser


def test_the_seconds_of_a_stopped_network_count(tmp_path, corpus, tiny_recipe, monkeypatch):
    """By this clock, a step takes so long that nothing else counts."""
    steps, stop = [], Stop((1, "Progress", 3))

    def watch(event):
        steps.extend([event] * hasattr(event, "step"))
        stop(event)

    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 1e12 * len(steps)))
    result = train(corpus, str(tiny_recipe), tmp_path / "m", device="cpu", report=watch)
    assert result.seconds == read_run(tmp_path / "m").seconds == pytest.approx(3e12, rel=0.001)


def test_the_seconds_of_stopped_grammars_count(several, corpus, tmp_path, monkeypatch):
    """By this clock, each step of learning takes so long that nothing else counts."""
    steps, so_far, stop = [], 0.0, Stop((2, "word classes", 1), (2, "evidence", 1))

    def watch(event):
        steps.extend([event] * isinstance(event, Learning))
        stop(event)

    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 1e12 * len(steps)))
    result = train(corpus, several[0], tmp_path / "m", report=watch)
    for _ in range(2):
        so_far += 1e12 * len(steps)
        assert result.seconds == read_run(tmp_path / "m").seconds == pytest.approx(so_far, rel=0.001)
        steps.clear()
        result = resume(tmp_path / "m", report=watch)
    so_far += 1e12 * len(steps)
    assert sum(60 * stage["minutes"] for stage in result.stages) == pytest.approx(so_far, rel=0.001)
    sets = open_model(tmp_path / "m").grammars
    assert sum(each.provenance["seconds"] for each in sets) == pytest.approx(so_far, rel=0.001)


def test_a_bad_corpus_leaves_nothing(tmp_path, tiny_recipe):
    (tmp_path / "corpus.txt").write_text("\n\n \n")
    for recipe in (str(tiny_recipe), "grammar", STAGES):
        with pytest.raises(DataError, match="no words"):
            train([str(tmp_path / "corpus.txt")], recipe, tmp_path / "model")
    with pytest.raises(DataError):
        train([str(tmp_path / "nothing.txt")], STAGES, tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]


@pytest.mark.parametrize(
    ("lines", "changes", "message"),
    [
        (["dog ."] * 9 + ["cat !"] * 9, [], "15 tokens at most, .*; raise this number: --set grammar.longest="),
        (["the dog sees the cat , " * 9] * 9, [], "15 tokens at most, .*; if lines are paragraphs, .*: --raw$"),
        (["the dog sees the cat"] * 9, ["grammar.longest=4"], "has 4 tokens at most, so there is nothing to learn"),
        (["แมวนั่งบนเสื่อผืนใหญ่ในบ้าน"] * 9, [], "each character is a word: write blanks"),
        (["dog"] * 9, [], "one word of .* 5 times or more, so there is nothing to predict; give it more text$"),
        (["dog"] * 9, ["text.min_count=1"], "the corpus has one word, so there is nothing to predict"),
        (["dog"] * 9 + ["a cat"], [], "there is nothing to predict; .* --set text.min_count=1"),
        (["the dog sees 3 cats"] * 9, [], "all of the corpus is held out"),
        ([". , !"] * 9, [], "the corpus holds no words"),
        ([], [], "the corpus holds no words"),
    ],
)
def test_a_text_that_teaches_nothing_is_told(tmp_path, lines, changes, message):
    (tmp_path / "corpus.txt").write_text("\n".join(lines))
    with pytest.raises(DataError, match=message):
        train([str(tmp_path / "corpus.txt")], "grammar", tmp_path / "model", changes=[*GRAMMARS, *changes])
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]


def test_text_that_is_not_tokenised_is_split_and_the_rule_reported(tmp_path):
    path, events = tmp_path / "corpus.txt", []
    path.write_text("The dog barks, and the cat sleeps.\n" * 9)
    train([str(path)], "grammar", tmp_path / "model", changes=GRAMMARS, report=events.append)
    assert any(isinstance(event, Note) and event.matters and "words by rules" in event.text for event in events)
    [parse] = Parser.load(tmp_path / "model").parse(["The dog barks."])
    assert parse.tokens == ("The", "dog", "barks", ".")
    assert Parser.load(tmp_path / "model").knows(["barks", "barks,"]) == [True, False]


@pytest.mark.parametrize(("changes", "notes"), [([], 1), (["text.tokenizer=whitespace"], 0)])
def test_a_tokenizer_that_is_set_is_not_replaced_by_rules(tmp_path, changes, notes):
    path, events = tmp_path / "corpus.txt", []
    path.write_text("The dog barks, and the cat sleeps.\n" * 9)
    with pytest.raises(DataError, match="no such model"):
        train([str(path)], "grammar", tmp_path / "m", changes=changes, teachers=["missing"], report=events.append)
    assert sum("words by rules" in event.text for event in events) == notes


@pytest.mark.filterwarnings("error:.*words are unknown")
def test_rare_words_of_the_text_are_no_matter_in_training(tmp_path):
    rare = [letter * length for letter in "abcdefgh" for length in range(2, 8)]
    (tmp_path / "corpus.txt").write_text("".join(f"the {word}x {word}y {word}z a {word}\n" for word in rare))
    changes = [*GRAMMARS, "text.min_count=5"]
    train([str(tmp_path / "corpus.txt")], "grammar", tmp_path / "model", changes=changes)
    with pytest.raises(UserWarning, match="words are unknown to the model"):
        Parser.load(tmp_path / "model").parse(["aax bby ccz dd"] * 5)


def test_few_words_and_many_classes(tmp_path):
    (tmp_path / "corpus.txt").write_text("the dog barks\na cat\n" * 9)
    changes = [*GRAMMARS, "grammar.classes=1000", "grammar.nonterminals=7"]
    train([str(tmp_path / "corpus.txt")], "grammar", tmp_path / "model", changes=changes)
    assert_parses(tmp_path / "model")
    [parse] = Parser.load(tmp_path / "model").parse([["dog"] * 1000])
    assert is_tree(parse.heads)


# What is at the output already.


def test_a_model_that_is_there_stays_until_there_is_something_to_save(grammar, corpus):
    before = contents(grammar)
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        train(corpus, STAGES, grammar)
    with pytest.raises(DataError, match="no words"):
        train(["/dev/null"], STAGES, grammar, force=True)
    assert contents(grammar) == before
    stopped = train(corpus, STAGES, grammar, device="cpu", report=Stop((1, "class grammars", 1)), force=True)
    assert stopped.is_resumable
    assert {path: content for path, content in contents(grammar).items() if path in before} == before
    assert_parses(grammar)
    with pytest.raises(SettingError, match=r"unfinished run; --resume .*grammar continues it"):
        train(corpus, STAGES, grammar)
    stopped = resume(grammar, device="cpu", report=Stop((2, "trees", 1)))
    assert list(open_model(grammar).members) == ["grammar-2"]
    assert not (grammar / "grammars-1").exists()


def test_an_unfinished_run_goes_on_where_the_new_one_has_failed(corpus, tmp_path):
    output = tmp_path / "model"
    assert train(corpus, STAGES, output, device="cpu", report=Stop((1, "class grammars", 1))).is_resumable
    before = contents(output)
    with pytest.raises(DataError, match="no words"):
        train(["/dev/null"], STAGES, output, force=True)
    assert contents(output) == before


def test_an_unfinished_run_stays_where_the_new_one_finds_no_cluster(corpus, tmp_path, monkeypatch):
    def unreachable(*_):
        raise DataError("no scheduler answers")

    output = tmp_path / "model"
    train(corpus, STAGES, output, device="cpu", report=Stop((1, "class grammars", 1)))
    before = contents(output)
    monkeypatch.setattr(run, "_executor", unreachable)
    with pytest.raises(DataError, match="no scheduler answers"):
        train(corpus, STAGES, output, force=True, cluster="tcp://127.0.0.1:9")
    assert contents(output) == before


@pytest.mark.parametrize(
    ("position", "says", "kept"),
    [(0, "class grammars", "grammars-1/classes.tsv"), (4, " sentences held out", "udgn-1/weights.safetensors")],
)
def test_what_a_new_run_has_learned_before_an_error_is_kept(corpus, tmp_path, position, says, kept):
    """A part of a set of grammars; the first of two networks."""
    kept = tmp_path / "model" / kept

    def fail(event):
        said = getattr(event, "text", None) or getattr(event, "stage", "")
        if says in said and kept.is_file():
            raise DataError("the disk is full")

    recipe = load_recipe(STAGES)
    recipe = replace(recipe, stages=recipe.stages[position : position + 1])
    with pytest.raises(DataError, match="the disk is full"):
        train(corpus, recipe, tmp_path / "model", device="cpu", report=fail)
    assert kept.is_file()
    assert not resume(tmp_path / "model", device="cpu").is_resumable


def test_what_another_process_does_before_a_run_has_the_lock_is_seen(several, corpus, tmp_path, monkeypatch):
    lock, others = run.exclusive_lock, []

    def late(directory):
        if others:
            others.pop()()
        return lock(directory)

    monkeypatch.setattr(run, "exclusive_lock", late)
    others.append(lambda: train(corpus, several[0], tmp_path / "model"))
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        train(corpus, several[0], tmp_path / "model")
    train(corpus, several[0], tmp_path / "stopped", report=Stop((2, "StageBegins", 1)))
    others.append(lambda: resume(tmp_path / "stopped"))
    with pytest.raises(DataError, match="there is nothing to resume"):
        resume(tmp_path / "stopped")
    assert_same_arrays(tmp_path / "stopped", several[1])


def test_a_new_run_takes_all_that_was_there_away(grammar, corpus, tiny_recipe):
    (grammar / "mine").write_text("mine")
    train(corpus, str(tiny_recipe), grammar, device="cpu", force=True)
    assert {path.name for path in grammar.iterdir()} == {"README.md", "config.yaml", "mine", "structformer-1"}


def test_the_current_folder_may_be_the_output(several, corpus, tmp_path, monkeypatch):
    recipe, whole = several
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path / "model")
    assert train(corpus, recipe, Path(), report=Stop((2, "word classes", 1))).is_resumable
    assert resume(Path()).signal is None
    assert_same_arrays(tmp_path / "model", whole)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_standard_input_is_read_once_and_kept_until_the_run_is_done(several, corpus, tmp_path, monkeypatch):
    recipe, whole = several
    output, seen = tmp_path / "model", set()

    class Text(io.BytesIO):
        def readinto(self, buffer):
            seen.update(path.name for path in output.glob("*"))  # none where its first lines are looked at
            return super().readinto(buffer[:100])

    monkeypatch.setattr("synparse.corpora.text_notes.FIRST_LINES", 9)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Text(Path(corpus[0]).read_bytes()))))
    assert train(["-"], recipe, output, report=Stop((2, "word classes", 1))).is_resumable
    assert seen == {PENDING}  # what a run that is killed then leaves, the next one replaces unasked
    assert (output / run.CORPORA[0]).read_bytes() == Path(corpus[0]).read_bytes()
    moved = output.rename(tmp_path / "moved")
    resume(moved)
    assert_same_arrays(moved, whole)
    assert not (moved / run.CORPORA[0]).exists()


def test_the_text_of_an_unfinished_run_stays_where_the_new_one_fails(several, corpus, tmp_path, monkeypatch):
    def typed(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text))))
        return ["-"]

    recipe, output = several[0], tmp_path / "model"
    train(typed(Path(corpus[0]).read_bytes()), recipe, output, report=Stop((1, "word classes", 1)))
    before = contents(output)
    for _ in range(2):
        with pytest.raises(DataError, match="no words"):
            train(typed(b"? !\n"), recipe, output, force=True)
    assert contents(output) == before
    train(typed(Path(corpus[0]).read_bytes()), recipe, output, force=True, report=Stop((1, "evidence", 1)))
    assert (output / run.CORPORA[1]).is_file()
    assert not resume(output).is_resumable
    assert not any((output / name).exists() for name in run.CORPORA)


def test_a_run_does_not_replace_the_files_that_it_reads(corpus, grammar):
    before = contents(grammar)
    vocabulary = str(grammar / "grammar-1" / "vocabulary.txt")
    for options in ({"vocabulary": vocabulary}, {"valid": vocabulary}, {"trees": [vocabulary]}):
        with pytest.raises(SettingError, match=r"this file is in .*grammar, which would be overwritten"):
            train(corpus, STAGES, grammar, force=True, **options)
    with pytest.raises(SettingError, match="this text is in"):
        train(vocabulary, STAGES, grammar, force=True)
    assert contents(grammar) == before


def test_text_from_several_pipes_is_read_in_their_order(tmp_path, tiny_grammar):
    lines = (tiny_grammar.parent / "corpus.txt").read_bytes().splitlines(keepends=True)
    pipes = []
    for name, part in [("first", lines[:100]), ("second", lines[100:])]:
        pipes.append(tmp_path / name)
        os.mkfifo(pipes[-1])
        threading.Thread(target=pipes[-1].write_bytes, args=[b"".join(part)], daemon=True).start()
    train([str(pipe) for pipe in pipes], "grammar", tmp_path / "model", changes=[*GRAMMARS, "text.min_count=2"])
    assert_same_arrays(tmp_path / "model", tiny_grammar)


def test_a_pipe_is_refused_where_several_stages_read_it(tmp_path, tiny_grammar):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    corpus, watch = str(tiny_grammar.parent / "corpus.txt"), Stop((1, "class grammars", 1))
    for option in ("valid", "vocabulary"):
        with pytest.raises(SettingError, match=f"--{option} takes a file: several stages read it, and a pipe can be"):
            train([corpus], "grammar", tmp_path / "model", **{option: str(pipe)})
    train([corpus], "grammar", tmp_path / "model", changes=[*GRAMMARS, "text.min_count=2"], report=watch)
    with pytest.raises(SettingError, match="TEXT with --resume takes a file"):
        resume(tmp_path / "model", corpus=[str(pipe)])
    with pytest.raises(DataError, match="is not there any more; if it has moved, name the files again: synparse train"):
        resume(tmp_path / "model", corpus=[str(tmp_path / "moved.txt")])


def test_there_is_nothing_to_resume(tiny_grammar, tmp_path):
    with pytest.raises(DataError, match="nothing to resume: its run is finished; for other stages, begin another one"):
        resume(tiny_grammar)
    with pytest.raises(DataError, match="there is nothing to resume: no such directory"):
        resume(tmp_path / "none")


def test_a_run_on_a_cluster_that_is_interrupted_goes_on_without_one(tmp_path, tiny_grammar, dask_address):
    corpus = [str(tiny_grammar.parent / "corpus.txt")]

    def is_in_class_grammars(event):
        return isinstance(event, Learning) and event.stage == "class grammars" and event.fraction

    stop = stop_when(is_in_class_grammars, signal.SIGINT)
    output, changes = tmp_path / "model", [*GRAMMARS, "text.min_count=2"]
    assert train(corpus, "grammar", output, changes=changes, cluster=dask_address, report=stop).interrupted
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    resume(output, jobs=2)
    assert_same_arrays(output, tiny_grammar)


# Teachers.


def test_trained_models_teach_and_parse_together(corpus, tiny_udgn, tiny_on_lstm, tmp_path):
    teachers = [str(tiny_udgn), str(tiny_on_lstm), str(tiny_udgn)]
    train(corpus, "grammar", tmp_path / "model", changes=GRAMMARS, teachers=teachers, device="cpu")
    names = ("udgn-1", "on-lstm-1", "udgn-2")
    opened = open_model(tmp_path / "model")
    assert opened.brackets == opened.heads == names
    [grammar_set] = opened.grammars
    assert (grammar_set.members, grammar_set.settings.nonterminals) == (names, 5)
    parser = Parser.load(tmp_path / "model", device="cpu")
    assert parser.sets[0].members == (0, 1, 2)
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("grammar", "grammar")
    assert_parses(tmp_path / "model")


def test_directories_of_several_teach_without_their_own_grammars(corpus, tiny_taught, tmp_path):
    train(corpus, "grammar", tmp_path / "model", changes=GRAMMARS, teachers=[str(tiny_taught)] * 2, device="cpu")
    assert len(Parser.load(tmp_path / "model").sets) == 1
    assert list(open_model(tmp_path / "model").members) == ["udgn-1", "udgn-2"]


def test_a_run_with_teachers_needs_them_no_more_when_it_goes_on(corpus, tiny_udgn, tmp_path):
    teacher, stop = shutil.copytree(tiny_udgn, tmp_path / "teacher"), Stop((1, "class grammars", 1))
    train(corpus, "grammar", tmp_path / "m", changes=GRAMMARS, teachers=[str(teacher)], device="cpu", report=stop)
    shutil.rmtree(teacher)
    assert resume(tmp_path / "m").signal is None
    assert open_model(tmp_path / "m").grammars[0].provenance["classes"] == 12
    assert_parses(tmp_path / "m")


def test_what_cannot_teach_is_told_before_anything_is_written(corpus, tiny_udgn, tiny_recipe, tmp_path):
    with pytest.raises(SettingError, match="--teacher: chain is a baseline"):
        train(corpus, "grammar", tmp_path / "model", teachers=["chain"])
    with pytest.raises(SettingError, match="--teacher is for recipes that begin with grammars or trees, not"):
        train(corpus, str(tiny_recipe), tmp_path / "model", teachers=[str(tiny_udgn)])
    teacher = shutil.copytree(tiny_udgn, tmp_path / "teacher")
    with pytest.raises(SettingError, match=r"a teacher is in .*teacher, which would be overwritten"):
        train(corpus, "grammar", teacher, teachers=[str(teacher)], force=True)
    assert contents(teacher) == contents(tiny_udgn)
    assert not (tmp_path / "model").exists()


def test_a_run_that_is_stopped_before_its_first_update_still_starts_with_a_model(corpus, tmp_path, tiny_udgn):
    start, output = shutil.copytree(tiny_udgn, tmp_path / "start"), tmp_path / "model"
    [network] = start_of(str(start))[0].networks
    grammars = load_recipe("dbm", GRAMMARS).stages[0].as_mapping()
    recipe = tmp_path / "recipe.yaml"
    stages = [grammars, network.as_mapping() | {"training": {**asdict(network.training), "learning_rate": 1e-9}}]
    recipe.write_text(yaml.safe_dump({"stages": stages}), encoding="utf-8")
    options = {"init": str(start), "device": "cpu"}
    assert train(corpus, str(recipe), output, **options, report=Stop((2, "Note", 1))).is_resumable
    weights = (start / "weights.safetensors").read_bytes()
    (start / "weights.safetensors").write_bytes(weights + b" ")
    with pytest.raises(DataError, match="the model of --init has changed since this run began"):
        resume(output, device="cpu")
    (start / "weights.safetensors").write_bytes(weights)
    resume(output, device="cpu")
    assert (output / "udgn-1" / "vocabulary.txt").read_bytes() == (start / "vocabulary.txt").read_bytes()
    before, after = (load_file(folder / "weights.safetensors") for folder in (start, output / "udgn-1"))
    assert all(abs(array - before[name]).max() < 1e-6 for name, array in after.items())


# Options that do not fit.


def test_decoders_to_record_that_will_not_fit_are_told_before_training(tmp_path, tiny_recipe, tiny_udgn, corpus):
    for recipe, model, part in ((str(tiny_recipe), "structformer", "brackets"), ("grammar", "grammar", "heads")):
        wrong = f"parsing.{part}={'grammar' if part == 'brackets' else 'mst'}"
        with pytest.raises(SettingError, match=rf"parsing\.{part}: {model} will have no decoder"):
            train(corpus, recipe, tmp_path / "model", changes=[wrong])
    assert not (tmp_path / "model").exists()
    changes = [*GRAMMARS, "parsing.heads=mst", "parsing.function_words=free"]
    train(corpus, "grammar", tmp_path / "model", changes=changes, teachers=[str(tiny_udgn)])  # a UDGN has it
    parser = Parser.load(tmp_path / "model", device="cpu")
    assert (parser.head_decoders[0], parser.function_words) == ("mst", "free")


def test_students_that_join_keep_the_grammars_and_their_decoder(tmp_path, corpus):
    whole = load_recipe(STAGES)
    recipe = replace(whole, stages=(*whole.stages[:4], whole.stages[2]))
    train(corpus, recipe, tmp_path / "model", changes=["parsing.heads=grammar"], device="cpu")
    opened = open_model(tmp_path / "model")
    assert (list(opened.members), len(opened.grammars)) == (["student-1", "student-2"], 1)
    assert Parser.load(tmp_path / "model", device="cpu").head_decoders[0] == "grammar"


def test_a_decoder_of_the_student_is_recorded_where_there_is_a_student(tmp_path, corpus, monkeypatch):
    recipe = load_recipe(STAGES)
    student = replace(recipe, stages=recipe.stages[:3], parsing=replace(recipe.parsing, brackets="splits"))
    events = []
    # The trees that teach the student are those of grammars, which have no such decoder.
    train(corpus, student, tmp_path / "taken", device="cpu", report=events.append)
    assert open_model(tmp_path / "taken").parsing == student.parsing
    monkeypatch.setattr("synparse.training.run.compared", lambda *_: finds(1, 4))
    train(corpus, student, tmp_path / "not", device="cpu", report=events.append)
    assert open_model(tmp_path / "not").parsing == replace(student.parsing, brackets="default")
    notes = [event.text for event in events if isinstance(event, Note) and event.matters]
    assert notes == ["the parser lacks a decoder of the recipe's section parsing; its own is used"]


def test_a_validation_text_of_unknown_words_is_told_where_it_has_no_perplexity(tmp_path, corpus, tiny_recipe):
    (tmp_path / "valid").write_text("zzz qqq\n")  # of nothing predicted, the perplexity was 1
    with pytest.raises(DataError, match="the validation text has no word of the vocabulary"):
        train(corpus, str(tiny_recipe), tmp_path / "model", valid=str(tmp_path / "valid"), device="cpu")
    assert not (tmp_path / "model").exists()


def test_options_that_do_not_fit_the_recipe_are_told(tmp_path, corpus, tiny_grammar, tiny_udgn, monkeypatch):
    def refused(message, *arguments, **options):
        with pytest.raises(SettingError, match=message):
            train(corpus, *arguments, output=tmp_path / "model", **options)

    refused("no network learns from the text, so nothing is held out", "grammar", valid=STAGES)
    whole = load_recipe(STAGES)
    students = {"teachers": [str(tiny_udgn)], "valid": STAGES}
    refused("leave out --valid", replace(whole, stages=whole.stages[1:4]), **students)
    refused("leave out --vocabulary", "grammar", vocabulary=corpus[0])
    refused("there is no network to start from", init=str(tiny_grammar))
    refused("--init reads text as its model does", init=str(tiny_udgn), changes=["text.lowercase=false"])
    refused("--init reads text as its model does", init=str(tiny_udgn), tokenizer="rules")
    start = shutil.copytree(tiny_udgn, tmp_path / "start")
    with pytest.raises(SettingError, match=r"--init: this model is in .*start, which would be overwritten"):
        train(corpus, output=start, init=str(start), force=True)
    for grammar in ("grammar", load_recipe("grammar")):
        refused("is for the model grammar, not udgn", grammar, model="udgn")
    refused(r"the model has architecture\.\w+ \d+, but recipe", load_recipe("udgn-small"), init=str(tiny_udgn))
    refused("grammar.parts is none", "grammar", changes=["grammar.parts=none"])
    refused("--jobs is for grammars and trees; networks", changes=["grammar.parts=none"], model="udgn", jobs=2)
    refused("--dask is for grammars and trees; networks", changes=["grammar.parts=none"], model="udgn", cluster="local")
    refused("--dask takes local, or an address", "grammar", cluster="nonsense")
    refused("leave --jobs out", "grammar", cluster="tcp://host:1", jobs=2)
    refused("minutes must be a number of at least 0, not -3", "grammar", minutes=-3)
    refused("minutes must be a number of at least 0, not nan", "grammar", minutes=math.nan)
    refused("seed must be a whole number between 0 and 9223372036854775807, not 1.5", "grammar", seed=1.5)
    refused("seed must be a whole number between 0 and", "grammar", seed=2**64)
    refused("jobs must be a whole number of at least 1, not 0", "grammar", jobs=0)
    refused("input_format must be text or conllu or .*, not 'pdf'", "grammar", input_format="pdf")
    refused("--save-every takes updates", "grammar", save_every="often")
    with pytest.raises(DataError, match="no such recipe"):
        train(corpus, "nothing", tmp_path / "model")
    train(corpus, STAGES, tmp_path / "stopped", report=Stop((1, "word classes", 1)))
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SettingError, match="several processes train networks alone"):
        resume(tmp_path / "stopped")
    refused("several processes train networks alone", STAGES)
    refused("several processes cannot plan --minutes", "udgn-small", changes=["grammar.parts=none"], minutes=1)
    assert not (tmp_path / "model").exists()


# Minutes.


@pytest.fixture
def rates(monkeypatch):
    """A function that says how long things take: seconds of a set of grammars, and of a word of training."""

    def known(grammars, of_word):
        monkeypatch.setattr("synparse.training.stages.LARGEST_FRACTION", grammars)
        monkeypatch.setattr("synparse.training.stages.seconds_per_sentence", lambda *_: 1e-6)
        monkeypatch.setattr("synparse.training.timing.seconds_per_word", lambda *_: of_word)

    return known


def test_what_there_is_no_time_for_is_left_out_and_told(corpus, tmp_path, rates):
    rates(0.1, 1e-6)
    events = []
    # Less than its first stage has taken is left, so there is no second one.
    result = train(corpus, STAGES, tmp_path / "model", minutes=0.001, device="cpu", report=events.append)
    assert stages_of(result) == ["grammars", "trees"]
    assert result.stages[1]["result"].startswith("left out, with all later stages")
    assert any(note.startswith("no time for: trees, student, grammars, udgn, grammars;") for note in notes_of(events))
    assert notes_of(events)[-1].startswith("the run took ")
    opened = open_model(tmp_path / "model")
    assert (list(opened.members), len(opened.recipe.stages)) == (["grammar-1"], 1)
    passes = Counter(event.stage for event in events if isinstance(event, Learning))
    assert passes["class grammars"] == passes["dependency model, function words free"] == 4
    assert_parses(tmp_path / "model")


def test_a_resumed_run_with_time_for_no_further_stage_stays_as_it_is(corpus, tmp_path, rates):
    rates(0.1, 1e-6)
    events, output = [], tmp_path / "model"

    between_stages = stop_when(lambda event: isinstance(event, Note) and event.text.startswith("timing"))
    assert train(corpus, STAGES, output, minutes=60, device="cpu", report=between_stages).interrupted
    before = (output / RUN).read_bytes()
    result = resume(output, minutes=0.0001, device="cpu", report=events.append)
    assert (result.is_resumable, result.interrupted, stages_of(result)[:1]) == (True, False, ["grammars"])
    assert any(note.startswith("no time for: trees, student, grammars,") for note in notes_of(events))
    assert (output / RUN).read_bytes() == before
    assert not resume(output, minutes=60, device="cpu").is_resumable


def test_a_planned_run_says_what_it_does_and_its_recipe_repeats_it(sample_text, tmp_path, rates):
    corpus = [str(tmp_path / "corpus.txt")]
    Path(corpus[0]).write_text("\n".join(sample_text[:150]), encoding="utf-8")
    rates(0.1, 3.5)  # two passes of the student are 41 minutes, one of a UDGN 90
    events, recipe = [], tmp_path / "few.yaml"
    recipe.write_text(Path(STAGES).read_text(encoding="utf-8").replace("trees: 100", "trees: 30"), encoding="utf-8")
    changes = ["1.grammar.class_grammar_sentences=50"]  # cut by no plan, so it is of the first stage alone
    options = {"minutes": 60, "changes": changes, "device": "cpu"}
    result = train(corpus, str(recipe), tmp_path / "model", **options, report=events.append)
    said = [note for note in notes_of(events) if note.startswith("stage ")]
    assert said[:3] == [
        "stage 2, trees: sentences: 30 at most",
        "stage 3, student: networks: 1, passes: 2",
        "stage 4, grammars: sets: 1",
    ]
    assert said[3].startswith("stage 5, udgn: networks: 1, passes: 0.")
    planned = open_model(tmp_path / "model").recipe
    assert [stage.settings.class_grammar_sentences for stage in planned.grammars] == [50, 16_000, 16_000]
    assert planned.networks[1].seeds == 1
    assert 0 < planned.networks[1].training.epochs < 1
    again = train(corpus, str(tmp_path / "model"), tmp_path / "again", device="cpu")
    assert [stage["result"] for stage in again.stages] == [stage["result"] for stage in result.stages]
    assert_same_arrays(tmp_path / "again", tmp_path / "model")
    assert open_model(tmp_path / "again").recipe == planned


def test_the_recipe_of_a_run_without_time_repeats_its_grammars_of_fewer_sentences(corpus, tmp_path, monkeypatch):
    for name in grammars.SIZES:
        monkeypatch.setattr(grammars, f"LEAST_{name.upper()}", 20)
    train(corpus, STAGES, tmp_path / "model", minutes=0)
    [settings] = [stage.settings for stage in open_model(tmp_path / "model").recipe.grammars]
    assert [getattr(settings, name) for name in grammars.SIZES] == [20, 20, 20]
    train(corpus, str(tmp_path / "model"), tmp_path / "again")
    assert_same_arrays(tmp_path / "again", tmp_path / "model")


def udgn_first(**trees):
    """The stages of grammars, a UDGN with its grammars, and a student of trees."""
    whole = load_recipe(STAGES)
    stages = [whole.stages[number] for number in (0, 4, 5, 1, 2, 3)]
    return replace(whole, stages=(*stages[:3], replace(stages[3], **trees), *stages[4:]))


def test_networks_are_left_out_for_a_student(corpus, tmp_path, rates):
    rates(0.1, 0.1)  # two passes of the student are three minutes
    events, recipe = [], udgn_first(function_words="auto")
    options = {"device": "cpu", "report": events.append}
    result = train(corpus, recipe, tmp_path / "model", minutes=2, **options)
    assert stages_of(result) == ["grammars", "udgn", "trees", "student", "grammars"]
    why = "in 2 minutes, a student does more"
    assert result.stages[1] == {"number": 2, "stage": "udgn", "minutes": 0.0, "result": f"left out: {why}"}
    assert f"udgn, grammars: left out: {why}" in notes_of(events)
    assert list(open_model(tmp_path / "model").members) == ["student-1"]
    again = train(corpus, str(tmp_path / "model"), tmp_path / "again", device="cpu")
    assert stages_of(again) == ["grammars", "trees", "student", "grammars"]
    assert_same_arrays(tmp_path / "again", tmp_path / "model")


@pytest.mark.parametrize("stop", [(2, "trees", 1), (3, "Progress", 2)])
def test_a_run_stopped_among_trees_or_in_the_network_that_they_guide_ends_as_if_nothing_had_been(
    corpus, tmp_path, stop
):
    whole = load_recipe(STAGES)
    grammars, trees, _, _, udgn, taught = whole.stages
    guided = replace(udgn, seeds=1, training=replace(udgn.training, guidance=1.0))
    recipe = replace(whole, stages=(grammars, trees, guided, taught))
    train(corpus, recipe, tmp_path / "whole", device="cpu")
    train(corpus, recipe, tmp_path / "stopped", device="cpu", report=Stop(stop))
    assert list(open_model(tmp_path / "stopped").members) == ["grammar-1"]  # the best so far
    assert not resume(tmp_path / "stopped", device="cpu").is_resumable
    assert_same_arrays(tmp_path / "stopped", tmp_path / "whole")
    assert list(open_model(tmp_path / "whole").members) == ["udgn-1"]


def test_minutes_that_are_too_few_for_the_first_network_are_told(corpus, tmp_path, tiny_recipe, rates):
    rates(0.1, 1.0)
    events = []
    recipe = load_recipe(str(tiny_recipe))
    for minutes in (0.01, 0):
        train(corpus, recipe, tmp_path / f"model-{minutes}", minutes=minutes, device="cpu", report=events.append)
        assert_parses(tmp_path / f"model-{minutes}")
    told = [note for note in notes_of(events) if "minutes are too few: the first stages are always run, and" in note]
    assert told
    assert all(float(note.split()[-1]) > float(note.split()[0]) for note in told)
    assert any(note.startswith("stage 1, structformer: ") for note in notes_of(events))


# Parsers that are not better.


def test_a_parser_that_finds_less_is_not_taken(corpus, tmp_path, monkeypatch):
    comparisons = iter([finds(2, 3), finds(4, 3)])
    monkeypatch.setattr(run, "compared", lambda *_: next(comparisons))
    events = []
    result = train(corpus, STAGES, tmp_path / "model", device="cpu", report=events.append)
    assert [note for note in notes_of(events) if "the new parser" in note] == [
        f"the new parser is not taken: {finds(2, 3)}",
        f"the new parser is taken: {finds(4, 3)}",
    ]
    assert "not taken" in result.stages[3]["result"]
    opened = open_model(tmp_path / "model")
    assert [type(stage).__name__ for stage in opened.recipe.stages] == ["GrammarStage", "NetworkStage", "GrammarStage"]


def test_the_last_parser_that_was_taken_stays(corpus, tmp_path, monkeypatch):
    comparisons = iter([finds(3, 3), finds(2, 3)])
    monkeypatch.setattr(run, "compared", lambda *_: next(comparisons))
    train(corpus, STAGES, tmp_path / "model", device="cpu")
    opened = open_model(tmp_path / "model")
    assert [grammar_set.folder for grammar_set in opened.grammars] == ["grammars-2"]
    assert {path.name for path in (tmp_path / "model").iterdir() if path.is_dir()} == {"student-1", "grammars-2"}
    assert len(opened.recipe.stages) == 4
    assert_parses(tmp_path / "model")


def test_more_students_are_left_out_where_the_first_was_not_taken(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "compared", lambda *_: finds(2, 3))
    whole = load_recipe(STAGES)
    recipe = replace(whole, stages=(*whole.stages[:4], *whole.stages[2:4]))
    events = []
    result = train(corpus, recipe, tmp_path / "model", device="cpu", report=events.append)
    assert result.stages[4]["result"] == "left out: there is no student for them to join"
    assert "more students, grammars: left out: there is no student for them to join" in notes_of(events)
    assert [each.folder for each in open_model(tmp_path / "model").grammars] == ["grammars-1"]


def test_given_trees_decide_for_students_alone(corpus, tmp_path, monkeypatch):
    """A network of words has seen none of them."""
    monkeypatch.setattr(run, "compared", lambda *_: finds(2, 3))
    (tmp_path / "given.conllu").write_text("1\tdogs\t_\t_\t_\t_\t2\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    trees = [str(tmp_path / "given.conllu")]
    result = train(corpus, STAGES, tmp_path / "model", device="cpu", trees=trees)
    verdicts = [result.stages[position]["result"].rpartition("; ")[2] for position in (3, 5)]
    assert verdicts == [f"taken: {finds(2, 3)}", f"not taken: {finds(2, 3)}"]
    assert [each.folder for each in open_model(tmp_path / "model").grammars] == ["grammars-2"]


def test_no_signal_is_lost_between_stages(corpus, tmp_path):
    stop = stop_when(lambda event: isinstance(event, StageBegins) and event.number == 2)
    assert train(corpus, STAGES, tmp_path / "model", device="cpu", report=stop).is_resumable
    assert read_run(tmp_path / "model").stages == 1
