"""From the text of a language to a parser: grammars, a student of their trees, and grammars of the student."""

import io
import json
import signal
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from synparse.parsing.parser import Parser
from synparse.store.bundle import open_model
from synparse.training import self_training
from synparse.training.events import Learning, Note
from synparse.training.self_training import is_self_training, learn, recipes, resume
from synparse.trees.dependency import is_tree
from synparse.trees.errors import DataError, SettingError
from tests.conftest import GRAMMARS

SMALL = (
    *GRAMMARS,
    "text.min_count=2",
    "training.epochs=1",
    "architecture.hidden_size=8",
)


@pytest.fixture
def corpus(tiny_grammar):
    return [str(tiny_grammar.parent / "corpus.txt")]


def learned(corpus, output, **options):
    return learn(corpus, *recipes(SMALL), output, **options)


def arrays_of(directory):
    return {path.relative_to(directory): load_file(path) for path in sorted(Path(directory).rglob("*.safetensors"))}


def assert_same(one, other):
    first, second = arrays_of(one), arrays_of(other)
    assert first.keys() == second.keys()
    for name, arrays in first.items():
        for key, array in arrays.items():
            assert (array == second[name][key]).all(), (name, key)


@pytest.fixture(scope="module")
def whole(tiny_grammar, tmp_path_factory):
    output = tmp_path_factory.mktemp("self-training") / "model"
    result = learned([str(tiny_grammar.parent / "corpus.txt")], output)
    assert result.signal is None
    return output


def test_the_parser_is_a_student_and_its_grammars(whole):
    members, bundle = open_model(whole)
    [student] = members.values()
    assert student.description.recipe.model == "student"
    assert bundle.grammar is not None
    assert [path.name for path in whole.parent.iterdir()] == ["model"]  # the work is gone
    parser = Parser.load(whole)
    assert (parser.punctuation, parser.function_words) == ("evidence", "leaves")
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("grammar", "grammar")
    for parse in parser.parse(["the old dog sees the cat .", "dog"]):
        assert is_tree(parse.heads)


def test_a_student_learns_the_trees_of_the_grammars(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(self_training, "SENTENCES", 50)
    monkeypatch.setattr(self_training.shutil, "rmtree", lambda *_, **__: None)
    learned(corpus, tmp_path / "model")
    steps = tmp_path / "model.steps"
    rows = [json.loads(line) for line in (steps / "trees.jsonl").read_text().splitlines()]
    assert len(rows) == 50
    parser = Parser.load(steps / "grammar", punctuation="evidence", function_words="leaves")
    for row, parse in zip(rows, parser.parse([row["tokens"] for row in rows]), strict=True):
        assert row["heads"] == list(parse.heads)


class Stop:
    """A report that asks the run to stop at an event."""

    def __init__(self, wanted):
        self.wanted, self.done = wanted, False

    def __call__(self, event):
        name = event.stage if isinstance(event, Learning) else type(event).__name__
        if name == self.wanted and not self.done:
            self.done = True
            signal.raise_signal(signal.SIGTERM)


@pytest.mark.parametrize("stage", ["word classes", "trees", "Progress"])
def test_a_stopped_run_goes_on(whole, corpus, tmp_path, stage):
    output = tmp_path / "model"
    stopped = learned(corpus, output, report=Stop(stage))
    assert (stopped.signal, stopped.is_resumable, stopped.directory) == (signal.SIGTERM, True, output)
    assert is_self_training(output)
    with pytest.raises(SettingError, match=r"unfinished run; --resume .*model continues it"):
        learned(corpus, output)
    again = resume(output)
    assert (again.signal, is_self_training(output)) == (None, False)
    assert_same(output, whole)


def test_the_last_step_goes_on_too(whole, corpus, tmp_path, monkeypatch):
    output = tmp_path / "model"
    real = self_training._counted

    def stopping(run, directory, teachers, minutes):
        if directory == output and not stop.done:
            run = self_training.replace(run, report=stop)
        return real(run, directory, teachers, minutes)

    stop = Stop("class grammars")
    monkeypatch.setattr(self_training, "_counted", stopping)
    assert learned(corpus, output).signal == signal.SIGTERM
    assert resume(output).signal is None
    assert_same(output, whole)


def test_the_current_folder_may_be_the_output(whole, corpus, tmp_path, monkeypatch):
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path / "model")
    assert not is_self_training(Path())
    assert learned(corpus, Path(), report=Stop("trees")).signal == signal.SIGTERM
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "model.steps"]
    assert resume(Path()).signal is None
    assert_same(tmp_path / "model", whole)


def test_without_time_for_a_student_grammars_are_the_parser(corpus, tmp_path):
    notes = []
    output = tmp_path / "model"
    learned(corpus, output, minutes=0.1, report=lambda event: notes.append(event) if isinstance(event, Note) else None)
    assert any("no time for a student" in note.text for note in notes)
    [only] = open_model(output).members.values()
    assert only.description.recipe.model == "grammar"
    assert (output / "README.md").read_text().startswith("# model\n")
    assert is_tree(Parser.load(output).parse(["the dog sees the cat ."])[0].heads)
    assert not is_self_training(output)


def test_standard_input_is_read_once(whole, corpus, tmp_path, monkeypatch):
    text = io.BytesIO(Path(corpus[0]).read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(text))
    learned(["-"], tmp_path / "model")
    assert_same(tmp_path / "model", whole)


def test_settings_are_divided():
    changes = ["text.min_count=4", "parsing.function_words=free", "training.epochs=3", "grammar.classes=7"]
    grammar, student = recipes(changes)
    assert (grammar.grammar.classes, student.training.epochs) == (7, 3)
    assert grammar.text.min_count == student.text.min_count == 4
    assert grammar.parsing.function_words == student.parsing.function_words == "free"
    with pytest.raises(SettingError, match="unknown setting"):
        recipes(["grammar.nothing=1"])


def test_damaged_settings_of_a_run_are_named(tmp_path):
    folder = tmp_path / "model.steps"
    folder.mkdir()
    for content in ("", "[]", "{}", '{"settings": {"corpus": 1}}'):
        (folder / "run.json").write_text(content)
        with pytest.raises(DataError, match=r"run\.json.*damaged settings of an unfinished run"):
            resume(tmp_path / "model")


def test_nothing_stays_of_a_run_that_cannot_begin(tmp_path):
    with pytest.raises(DataError):
        learned([str(tmp_path / "nothing.txt")], tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError):
        learned(["/dev/null"], tmp_path / "model")
