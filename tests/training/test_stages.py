"""What each kind of stage reads of a run, and what it leaves there."""

import json
import shutil
from dataclasses import replace

import pytest

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe, recipe_from
from synparse.parsing.parser import Parser
from synparse.store.model_directory import RUN
from synparse.store.models import GrammarSet, open_model
from synparse.training import stages
from synparse.training.events import Note
from synparse.training.progress import RunState, read_run
from synparse.training.reading import RunSettings
from synparse.training.run import _keep_the_better, train
from synparse.training.save_every import TEN_MINUTES
from synparse.training.stages import Work, measured_rates, run_stage
from synparse.trees.errors import DataError
from synparse.trees.function_words import LEARNED_CONVENTIONS
from tests.conftest import GRAMMARS


@pytest.fixture
def corpus(tmp_path, sample_text):
    (tmp_path / "corpus.txt").write_text("".join(f"{line}\n" for line in sample_text[:100]), encoding="utf-8")
    return str(tmp_path / "corpus.txt")


@pytest.fixture
def work(corpus, tmp_path, tiny_udgn_recipe, tiny_student_recipe):
    """A run of grammars, trees, a student and two UDGNs; nothing is done yet."""
    grammars = load_recipe("grammar", GRAMMARS).stages[0].as_mapping()
    [student] = load_recipe(str(tiny_student_recipe)).networks
    [udgn] = load_recipe(str(tiny_udgn_recipe)).networks
    settings_of_stages = [grammars, {"trees": 30}, student.as_mapping(), {**udgn.as_mapping(), "seeds": 2}]
    recipe = recipe_from({"name": "several", "text": {"min_count": 2}, "stages": settings_of_stages})
    state = RunState(recipe, RunSettings((corpus,), seed=3))
    return Work(tmp_path / "model", state, "cpu", TEN_MINUTES, lambda _: None)


def run_next(work):
    state = work.state
    did = run_stage(work, state.recipe.stages[state.stages])
    state.stages, state.units, state.units_done = state.stages + 1, [], 0
    return did


def test_the_first_grammars_tell_what_they_found_and_further_ones_do_not(work):
    events, grammars = [], work.state.recipe.stages[0]
    work.report = events.append
    text, branching = "100 sentences, 889 words; script: Latin", "branching: right (0.56 nats; unclear below 0.1)"
    run_next(work)
    notes = [event.text for event in events if isinstance(event, Note)]
    assert notes[:2] == [text, branching]
    assert "function words: the " in notes[2]
    assert notes[3].startswith("verbs: ")
    assert notes[4].startswith("of the heads that are not neighbouring words, ")
    assert len(notes) == 5
    events.clear()
    run_stage(work, grammars)
    assert [event.text for event in events if isinstance(event, Note)] == [text, branching]


def test_each_stage_leaves_what_the_next_one_learns_from(work):
    state = work.state
    counted = "sets: 1, sentences: 88, branching: right (0.56 nats; unclear below 0.1)"
    assert run_next(work).startswith(f"{counted}, long-distance heads that agree without class grammars: ")
    assert (state.members, [grammar_set.folder for grammar_set in state.sets]) == (["grammar-1"], ["grammars-1"])
    assert (state.corpus["training_sentences"], state.corpus["files"]) == (100, ["corpus.txt"])
    work.save(state.members, state.sets)
    before = Parser.load(work.output, punctuation="evidence", function_words="leaves")
    assert run_next(work) == "sentences: 30, function words: leaves"
    assert state.recipe.stages[1].function_words == "leaves"  # as it was decided, for whoever repeats the recipe
    assert (state.trees, state.members, state.sets) == ("trees-1.jsonl", [], [])
    rows = [json.loads(line) for line in (work.output / "trees-1.jsonl").read_text().splitlines()]
    assert [row["heads"] for row in rows] == [
        list(parse.heads) for parse in before.parse([row["tokens"] for row in rows])
    ]
    assert run_next(work) == "networks: 1, passes: 1"
    student = open_model(work.output / "student-1").description.provenance["corpus"]
    assert (student["files"], student["heads"] > 0) == (["trees-1.jsonl"], True)
    assert state.members == ["student-1"]
    assert run_next(work) == "networks: 2, passes: 1"
    assert state.members == ["udgn-1", "udgn-2"]  # networks that learned words take the place of students
    assert [open_model(work.output / name).description.provenance["seed"] for name in state.members] == [3, 1_000_006]
    assert read_run(work.output).corpus == state.corpus


def test_trees_guide_a_network_that_predicts_words(work):
    state = work.state
    grammars, trees, _, udgn = state.recipe.stages
    others = {}
    for guidance in (0.001, 10.0):
        guided = replace(udgn, seeds=1, training=replace(udgn.training, epochs=20, guidance=guidance))
        state.recipe, state.stages = replace(state.recipe, stages=(grammars, trees, guided, grammars)), 0
        run_next(work)
        work.save(state.members, state.sets)
        run_next(work)
        assert run_next(work) == "networks: 1, passes: 20"
        [name] = state.members
        read = open_model(work.output / name).description.provenance["corpus"]
        assert (read["files"], read["heads"] > 0) == ([state.trees], True)
        rows = [json.loads(line) for line in (work.output / state.trees).read_text().splitlines()]
        parses = Parser.load(work.output / name, function_words="free").parse([row["tokens"] for row in rows])
        pairs = [
            pair
            for row, parse in zip(rows, parses, strict=True)
            for pair in zip(row["heads"], parse.heads, strict=True)
        ]
        others[guidance] = sum(given != induced for given, induced in pairs) / len(pairs)
        run_next(work)
        assert [each.members for each in state.sets] == [(name,)]
    assert others[10.0] < 0.8 * others[0.001]


def test_students_of_the_same_trees_join_the_first_and_its_grammars(work):
    state = work.state
    grammars, trees, student, _ = state.recipe.stages
    several = replace(student, seeds=2)
    state.recipe = replace(state.recipe, stages=(grammars, trees, student, grammars, several, grammars, trees, student))
    for stage in range(6):
        run_next(work)
        if stage == 0:
            work.save(state.members, state.sets)
    students = ["student-1", "student-2", "student-3"]
    assert state.members == students
    seeds = [open_model(work.output / name).description.provenance["seed"] for name in students]
    assert seeds == [3, 1_000_006, 2_000_009]
    assert [(each.folder, each.members) for each in state.sets] == [
        ("grammars-2", ("student-1",)),
        ("grammars-3", tuple(students)),
    ]
    assert [each.provenance["seed"] for each in state.sets] == [3, 1_000_006]
    work.save(state.members, state.sets)
    run_next(work)
    run_next(work)
    assert (state.members, state.sets) == (["student-4"], [])  # which has other trees


def test_half_of_the_trees_of_networks_that_learned_words_have_free_function_words(work):
    state = work.state
    state.recipe = replace(state.recipe, stages=tuple(state.recipe.stages[number] for number in (3, 1, 2)))
    run_next(work)
    work.save(state.members, state.sets)
    before = {
        name: Parser.load(work.output, punctuation="evidence", function_words=name) for name in LEARNED_CONVENTIONS
    }
    assert run_next(work) == "sentences: 30, function words: both"
    rows = [json.loads(line) for line in (work.output / "trees-1.jsonl").read_text().splitlines()]
    for convention, half in (("free", rows[:15]), ("leaves", rows[15:])):
        parses = before[convention].parse([row["tokens"] for row in half])
        assert [row["heads"] for row in half] == [list(parse.heads) for parse in parses]


def test_the_state_is_saved_with_the_directory_or_without(work, monkeypatch):
    work.save()
    assert [path.name for path in work.output.iterdir()] == [RUN]
    run_next(work)
    work.save(work.state.members, work.state.sets)
    assert list(open_model(work.output).members) == ["grammar-1"]
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "1")  # another process writes
    (work.output / RUN).unlink()
    work.save()
    assert not (work.output / RUN).exists()


def test_a_model_that_was_there_goes_when_there_is_another_one(work, tiny_recipe):
    train(work.state.settings.corpus, str(tiny_recipe), work.output, device="cpu")
    work.state.earlier = ["structformer-1"]
    work.save()
    assert list(open_model(work.output).members) == ["structformer-1"]
    run_next(work)
    assert list(open_model(work.output).members) == ["structformer-1"]
    work.save(work.state.members, work.state.sets)
    assert list(open_model(work.output).members) == ["grammar-1"]
    assert not (work.output / "structformer-1").exists()
    assert read_run(work.output).earlier is None


def test_a_text_without_short_sentences_teaches_no_grammars(tiny_udgn_recipe, sample_text, tmp_path):
    lines = [" ".join(sample_text[start : start + 10]) for start in range(0, 300, 10)]
    (tmp_path / "long.txt").write_text("\n".join([*lines, "dog .", "cat !"]), encoding="utf-8")
    events, changes = [], ["grammar.parts=all", *GRAMMARS]
    options = {"changes": changes, "device": "cpu", "report": events.append}
    result = train([str(tmp_path / "long.txt")], str(tiny_udgn_recipe), tmp_path / "model", **options)
    notes = [event.text for event in events if isinstance(event, Note)]
    assert notes[-1] == "no sentence of two words has 15 tokens at most, so there are no grammars"
    assert (result.signal, result.stages[1]["result"]) == (None, "no grammars")
    assert open_model(tmp_path / "model").grammars == ()
    assert Parser.load(tmp_path / "model").parse(["the dog barks"])[0].heads


@pytest.mark.parametrize(
    ("name", "boundaries"),
    [
        ("tiny_recipe", "true"),
        ("tiny_recipe", "false"),
        ("tiny_on_lstm_recipe", "true"),
        ("tiny_ordered_memory_recipe", "false"),
    ],
)
def test_every_kind_of_network_can_teach(corpus, request, tmp_path, name, boundaries):
    changes = ["grammar.parts=all", *GRAMMARS, f"text.phrase_boundaries={boundaries}"]
    train([corpus], str(request.getfixturevalue(name)), tmp_path / "model", changes=changes, device="cpu")
    parser = Parser.load(tmp_path / "model", device="cpu", punctuation="evidence")
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("grammar", "grammar")
    for parse in parser.parse(["the old dog sees the cat .", "a cat , which the dog sees , barks", "", "dog"]):
        assert len(parse.tree) == len(parse.heads) == len(parse.tokens)


def test_the_first_sets_of_grammars_share_the_time_of_the_run(work, monkeypatch):
    work.state.settings = RunSettings(work.state.settings.corpus, minutes=2.0)
    seconds = []

    def learn(*arguments, **_):
        seconds.append(arguments[6])
        raise InterruptedError

    monkeypatch.setattr(stages, "learn_grammars", learn)
    with pytest.raises(InterruptedError):
        run_stage(work, replace(work.state.recipe.stages[0], seeds=3))
    assert 0 < seconds[0] <= 40


def test_what_is_not_known_is_timed_once(work, monkeypatch):
    work.state.settings = RunSettings(work.state.settings.corpus, minutes=2.0)
    timed = []
    monkeypatch.setattr(stages, "seconds_per_sentence", lambda *_: timed.append("trees") or 0.5)
    monkeypatch.setattr("synparse.training.timing.seconds_per_word", lambda *of: timed.append(of[0].model) or 0.25)
    rates = measured_rates(work, [1, 2, 3])
    assert timed == ["trees", "student", "udgn"]
    assert (rates["words"], rates["sentences"]) == (889, 100)
    assert (rates["trees"], rates["2"], rates["3"]) == (0.5, 0.25, 0.25)
    assert 0 < rates["grammars"] <= 0.25 * 120  # of grammars, nothing is known before the first ones
    run_next(work)
    measured = measured_rates(work, [1, 2, 3])
    assert measured["grammars"] == work.state.sets[0].provenance["seconds"]
    assert len(timed) == 3


def test_trees_are_not_timed_before_there_is_a_parser_that_makes_them(work, monkeypatch):
    state = work.state
    state.recipe = replace(state.recipe, stages=tuple(state.recipe.stages[number] for number in (3, 0, 1, 2)))
    state.settings = RunSettings(state.settings.corpus, minutes=2.0)
    timed = []
    monkeypatch.setattr(stages, "seconds_per_sentence", lambda *_: timed.append("trees") or 0.5)
    monkeypatch.setattr("synparse.training.timing.seconds_per_word", lambda *_: 0.25)
    rates = measured_rates(work, [0, 1, 2, 3])
    assert (timed, 30 * rates["trees"]) == ([], rates["grammars"])  # as long as grammars, of which nothing is known too
    state.has_parser = True
    assert measured_rates(work, [2, 3])["trees"] == 0.5


def test_trees_are_timed_again_with_another_parser(work, monkeypatch):
    seconds = iter([0.5, 0.75])
    monkeypatch.setattr(stages, "seconds_per_sentence", lambda *_: next(seconds))
    run_next(work)
    assert [measured_rates(work, [1])["trees"] for _ in range(2)] == [0.5, 0.5]
    _keep_the_better(work, (0,))
    assert measured_rates(work, [1])["trees"] == 0.75
    assert set(read_run(work.output).rates) == {"grammars", "vocabulary"}  # another machine may go on with the run


def test_a_run_whose_network_has_read_the_text_can_be_planned(work, monkeypatch):
    monkeypatch.setattr("synparse.training.timing.seconds_per_word", lambda *of: of[1])
    work.state.corpus = {"files": ["corpus.txt"], "sha256": None, "training_words": 889, "training_sentences": 100}
    assert 4 < measured_rates(work, [2])["2"] == work.state.rates["vocabulary"]


def test_the_trees_of_another_corpus_are_refused(work):
    run_next(work)
    work.save(work.state.members, work.state.sets)
    work.state.units = [work.state.new_name("trees")]  # as of a run that was stopped in this stage
    with open(work.state.settings.corpus[0], "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write("one more sentence\n")
    with pytest.raises(DataError, match="the corpus has changed"):
        run_stage(work, work.state.recipe.stages[1])
    work.state.corpus = {}  # nothing is known of it
    assert run_stage(work, work.state.recipe.stages[1]) == "sentences: 30, function words: leaves"


# The parser of a run, of the folders that its stages have written.

CORPUS = {"files": ["a.txt"], "sha256": "x", "training_words": 10, "training_sentences": 5}
RECORDS = [{"number": 1, "stage": "udgn", "minutes": 0.5, "result": "networks: 2, passes: 3"}]


def run_of(output, recipe, **known):
    state = RunState(recipe, RunSettings(("a.txt",), seed=7), **known)
    return Work(output, state, "cpu", TEN_MINUTES, lambda _: None)


def test_folders_become_one_parser(tmp_path, tiny_udgns):
    recipe = load_recipe("udgn-small", ["parsing.function_words=free"])
    names = ("udgn-1", "udgn-2")
    for name, folder in zip(names, tiny_udgns, strict=False):
        shutil.copytree(folder, tmp_path / name)
    run_of(tmp_path, recipe, corpus=CORPUS, records=RECORDS).save(names)
    model = open_model(tmp_path)
    assert (model.brackets, model.heads, model.grammars) == (names, names, ())
    assert (model.recipe, model.parsing) == (recipe, recipe.parsing)
    assert (model.provenance["corpus"], model.provenance["seed"]) == (CORPUS, 7)
    assert model.provenance["stages"] == RECORDS
    assert "torch" not in model.provenance["versions"]
    assert (tmp_path / "README.md").read_text().startswith(f"# {tmp_path.name}\n")
    parses = [Parser.load(path).parse(["the dog sees"]) for path in (tmp_path, [tmp_path / name for name in names])]
    assert parses[0] == parses[1]


def test_without_a_corpus_it_is_that_of_the_first_model(tmp_path, tiny_udgn):
    shutil.copytree(tiny_udgn, tmp_path / "udgn-1")
    model = run_of(tmp_path, load_recipe("udgn-small")).parser(["udgn-1"], [])
    assert model.provenance["corpus"] == open_model(tiny_udgn).description.provenance["corpus"]


def test_grammars_are_named_with_those_that_taught_them(tmp_path, tiny_taught):
    shutil.copytree(tiny_taught, tmp_path / "model")
    before = open_model(tiny_taught)
    run_of(tmp_path / "model", before.recipe).save(["udgn-1"], before.grammars)
    assert open_model(tmp_path / "model").grammars == before.grammars
    assert Parser.load(tmp_path / "model").parse(["the dog"]) == Parser.load(tiny_taught).parse(["the dog"])


def test_a_folder_that_is_damaged_is_told(tmp_path):
    grammar_set = GrammarSet("grammars-1", ("udgn-1",), GrammarConfig())
    with pytest.raises(DataError, match="no such model"):
        run_of(tmp_path, load_recipe("udgn-small")).parser(["udgn-1"], [grammar_set])
