"""Learning grammars in the directory of a trained network: by stages, each of which is kept."""

import os
import shutil
import signal
from dataclasses import replace

import numpy as np
import pytest
import yaml

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sentences import Sentence
from synparse.inducers.base_phrases import learn_chunker
from synparse.inducers.class_tagger import learn_tagger
from synparse.parsing.parser import Parser
from synparse.store.grammars import read_grammars
from synparse.store.model_directory import config_file, read_description
from synparse.training import trainer
from synparse.training.events import Learning, Note
from synparse.training.loop import Progress
from synparse.training.run import resume, train
from synparse.training.teaching import LONGEST_CONTEXT, minutes_for_networks, new_lesson, teach
from synparse.trees.function_words import FUNCTION_WORDS
from tests.conftest import GRAMMARS

TEXT = TextConfig(min_count=2)
CONFIG = GrammarConfig(classes=9, dependency_passes=3, grammars=2, nonterminals=4, grammar_passes=3)
STAGES = [
    "word classes",
    "classes in context",
    "base phrases",
    "evidence",
    "dependency model, function words free",
    "dependency model, function words leaves",
    "class grammars",
]
FILES = ("classes.tsv", "grammar.safetensors")
SENTENCES = ["the old dog sees the cat .", "a cat , which the dog sees , barks", "", "dog"]


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """Also where the tests run in a background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def lesson(sample_text):
    found = new_lesson(TEXT, CONFIG, 1)
    for _ in found.of(Sentence(tuple(line.split())) for line in sample_text):
        pass
    return found


@pytest.fixture
def directory(tiny_udgn, tmp_path):
    return of_settings(shutil.copytree(tiny_udgn, tmp_path / "model"), CONFIG)


def of_settings(directory, config):
    """The directory, with these settings of its grammars."""
    before = read_description(directory)
    after = replace(before, recipe=replace(before.recipe, grammar=config))
    (directory / "config.yaml").write_bytes(config_file(after))
    return directory


def assert_same_grammars(one, other, text=TEXT, config=CONFIG):
    """But for rounding, which differs with what else the process has done."""
    found, expected = (read_grammars(directory, text, config) for directory in (one, other))
    assert found.classes == expected.classes
    for name in FUNCTION_WORDS:
        np.testing.assert_allclose(found.dependencies[name].attach, expected.dependencies[name].attach, rtol=1e-3)
    np.testing.assert_allclose(found.constituents.left, expected.constituents.left, rtol=1e-3)


class Stages:
    """The stages of a run, which asks itself to stop in one of them."""

    def __init__(self, stop_in=None, number=signal.SIGTERM):
        self.names, self.fractions, self.steps, self.notes = [], [], 0, []
        self.stop_in, self.number = stop_in, number

    def __call__(self, event):
        self.steps += isinstance(event, Progress)
        if isinstance(event, Note):
            self.notes.append(event.text)
        if isinstance(event, Learning):
            self.fractions.append(event.fraction)
            self.names += [event.stage] if event.stage not in self.names else []
            if event.stage == self.stop_in:
                os.kill(os.getpid(), self.number)


def test_a_lesson_passes_sentences_on_and_keeps_what_it_needs():
    lines = ["a b c", "one", "", "x !", "a b c d e f", "d e . .", ". ."]
    lesson = new_lesson(TEXT, GrammarConfig(longest=5), 1)
    passed = list(lesson.of(Sentence(tuple(line.split())) for line in lines))
    assert [" ".join(one.tokens) for one in passed] == lines
    assert [" ".join(tokens) for tokens in lesson.sentences] == ["a b c", "d e . ."]
    assert [" ".join(tokens) for tokens in lesson.context.items] == lines
    assert {"one", "f", "x"} <= set(lesson.bigrams.forms())


def test_of_a_long_line_the_beginning_is_kept():
    lesson = new_lesson(TEXT, GrammarConfig(context_sentences=1), 1)
    [passed] = lesson.of([Sentence(("a", "b") * LONGEST_CONTEXT)])
    assert len(passed.tokens) == 2 * LONGEST_CONTEXT
    assert [len(tokens) for tokens in lesson.context.items] == [LONGEST_CONTEXT]


def test_grammars_get_a_part_of_the_time():
    assert minutes_for_networks(10, GrammarConfig()) == 8
    assert minutes_for_networks(0, GrammarConfig()) == 0
    assert minutes_for_networks(1000, GrammarConfig()) == 992
    assert minutes_for_networks(10, GrammarConfig(parts="none")) == 10
    assert minutes_for_networks(None, GrammarConfig()) is None


def test_each_stage_is_reported_and_kept(directory, lesson):
    stages = Stages()
    _, learned = teach(directory, TEXT, CONFIG, lesson, 1, report=stages)
    assert stages.names == STAGES
    assert all(0 <= fraction < 1 for fraction in stages.fractions)
    grammars = read_grammars(directory, TEXT, CONFIG)
    assert grammars.dependencies.keys() == set(FUNCTION_WORDS)
    assert grammars.constituents is not None
    assert learned["classes"] == 9
    assert learned["sentences"] == len(lesson.sentences)
    assert learned["words"] > 2 * learned["sentences"]
    assert all(
        first < last for first, last in (learned["log_likelihood"][name] for name in ("phrases", *FUNCTION_WORDS))
    )


@pytest.mark.parametrize(
    ("setting", "stage", "part"),
    [("context_passes", "classes in context", "tagger"), ("phrase_passes", "base phrases", "chunker")],
)
def test_settings_turn_classes_in_context_and_base_phrases_off(directory, lesson, setting, stage, part):
    config, stages = replace(CONFIG, parts="dependencies", dependency_passes=1, **{setting: 0}), Stages()
    teach(of_settings(directory, config), TEXT, config, lesson, 1, report=stages)
    assert stages.names == [name for name in STAGES[:-1] if name != stage]
    found = read_grammars(directory, TEXT, config)
    assert {name for name in ("tagger", "chunker") if getattr(found, name) is None} == {part}


def test_tagger_and_chunker_are_those_of_the_text(directory, lesson):
    """Punctuation, which the network does not read, is between the segments of the chunker, and in no sentence of the
    tagger."""
    for punctuation in ("evidence", "ignore"):
        config = replace(CONFIG, parts="dependencies", dependency_passes=0, punctuation=punctuation)
        (directory / "grammar.safetensors").unlink(missing_ok=True)
        teach(of_settings(directory, config), TEXT, config, lesson, 1)
        found = read_grammars(directory, TEXT, config)
        sentences, segments = [], []
        for tokens in lesson.context.items:
            segments.append([])
            sentences.append([])
            for token in tokens:
                form = normalize(token, TEXT)
                if form is None and punctuation == "evidence" and token in ",;:.?!":
                    segments.append([])
                if form is not None:
                    segments[-1] += found.classes.numbers_of([form])
                    sentences[-1] += found.classes.numbers_of([form])
        chunker, _ = learn_chunker([np.array(one) for one in segments if one], len(found.classes.members), 40, go_on)
        class_of = np.array([member.word_class for member in found.classes.members])
        words = [np.array(one) for one in sentences if one]
        tagger = learn_tagger(words, class_of, found.classes.size - 1, found.classes.size, 6, go_on)
        for learned, expected in zip((*found.tagger, *found.chunker), (*tagger, *chunker), strict=True):
            np.testing.assert_allclose(learned, expected, rtol=1e-4, atol=1e-7)


def go_on(_):
    return True


@pytest.mark.parametrize(("given", "found"), [("auto", "right"), ("left", "left"), ("none", "none")])
def test_the_text_tells_how_it_branches(directory, lesson, given, found):
    config = replace(CONFIG, parts="dependencies", dependency_passes=1, branching=given)
    assert teach(of_settings(directory, config), TEXT, config, lesson, 1)[0].branching == found
    # Also where nothing is left to learn.
    assert teach(directory, TEXT, config, lesson, 1)[0].branching == found


def test_a_text_that_branches_to_the_left_is_told(directory, sample_text):
    lesson = new_lesson(TEXT, CONFIG, 1)
    for _ in lesson.of(Sentence(tuple(reversed(line.split()))) for line in sample_text):
        pass
    config = replace(CONFIG, parts="dependencies", dependency_passes=1)
    assert teach(of_settings(directory, config), TEXT, config, lesson, 1)[0].branching == "left"


def test_what_was_learned_is_not_learned_again(directory, lesson):
    teach(directory, TEXT, CONFIG, lesson, 1)
    before = [(directory / name).read_bytes() for name in FILES]
    stages = Stages()
    teach(directory, TEXT, CONFIG, lesson, 2, report=stages)
    assert stages.names == ["evidence"]
    assert [(directory / name).read_bytes() for name in FILES] == before


def test_dependencies_alone(directory, lesson):
    config = GrammarConfig(classes=9, dependency_passes=2, parts="dependencies", stops="head", punctuation="ignore")
    stages = Stages()
    teach(of_settings(directory, config), TEXT, config, lesson, 1, report=stages)
    assert stages.names == STAGES[:-1]
    grammars = read_grammars(directory, TEXT, config)
    assert grammars.constituents is None
    assert all(model.stops_by_head for model in grammars.dependencies.values())


@pytest.mark.parametrize("stop_in", STAGES)
def test_a_lesson_that_was_broken_off_is_continued(directory, tmp_path, lesson, stop_in):
    def stop(event):
        if event.stage == stop_in:
            raise InterruptedError

    whole = shutil.copytree(directory, tmp_path / "whole")
    teach(whole, TEXT, CONFIG, lesson, 1)
    before = Parser.load(directory).parse(SENTENCES)
    with pytest.raises(InterruptedError):
        teach(directory, TEXT, CONFIG, lesson, 1, report=stop)
    parser = Parser.load(directory)
    if stop_in == STAGES[-1]:
        assert parser.tree_decoders[0] == "dbm"
    else:
        assert parser.parse(SENTENCES) == before
    teach(directory, TEXT, CONFIG, lesson, 1)
    assert_same_grammars(directory, whole)


def test_without_time_there_are_few_passes(directory, lesson):
    config = GrammarConfig(classes=9, dependency_passes=50, grammars=1, nonterminals=3, grammar_passes=50)
    stages = Stages()
    teach(of_settings(directory, config), TEXT, config, lesson, 1, seconds=0, report=stages)
    assert len(stages.fractions) < 40
    assert read_grammars(directory, TEXT, config).constituents is not None


# By way of a whole run.


@pytest.fixture
def corpus(tiny_taught):
    return [str(tiny_taught.parent / "corpus.txt")]


@pytest.fixture
def recipe(tiny_udgn_recipe):
    return load_recipe(str(tiny_udgn_recipe), ["grammar.parts=all", *GRAMMARS, "text.phrase_boundaries=true"])


def test_a_network_teaches_when_it_is_trained(tiny_taught):
    names = sorted(path.name for path in tiny_taught.iterdir())
    others = ("README.md", "boundaries.safetensors", "config.yaml", "log.jsonl", "vocabulary.txt")
    assert names == sorted((*FILES, *others, "weights.safetensors"))
    learned = read_description(tiny_taught).provenance["grammar"]
    assert learned["classes"] == 12
    card = (tiny_taught / "README.md").read_text(encoding="utf-8")
    assert "| grammars | the dependency-and-boundary model and 2 class grammars of 5 nonterminals on 12 word" in card
    assert "learned with punctuation in sight" in card


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("stop_in", [STAGES[0], STAGES[2], STAGES[4], STAGES[6]])
def test_a_run_that_stops_while_grammars_are_learned_goes_on_there(
    corpus, recipe, tiny_taught, tmp_path, stop_in, number
):
    stopped = Stages(stop_in, number)
    result = train(corpus, recipe, tmp_path / "model", device="cpu", report=stopped)
    assert (result.signal, result.is_resumable) == (number, True)
    assert result.score is not None
    weights = (tmp_path / "model" / "weights.safetensors").read_bytes()
    assert all(parse.heads for parse in Parser.load(tmp_path / "model").parse(["the dog sees the cat"]))
    again = Stages()
    result = resume(tmp_path / "model", device="cpu", report=again)
    assert (result.signal, result.is_resumable) == (None, False)
    assert stopped.steps > 0
    assert again.steps == 0  # the network is trained
    assert stopped.names + [name for name in again.names if name not in stopped.names] == STAGES
    assert (tmp_path / "model" / "weights.safetensors").read_bytes() == weights
    assert_same_grammars(tmp_path / "model", tiny_taught, recipe.text, recipe.grammar)
    assert (tmp_path / "model" / "README.md").read_text().count("| grammars |") == 1


def test_a_run_that_stops_before_its_grammars_learns_them_later(corpus, recipe, tiny_taught, tmp_path):
    def stop(event):
        if getattr(event, "step", 0) == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    assert train(corpus, recipe, tmp_path / "model", device="cpu", report=stop).is_resumable
    assert not (tmp_path / "model" / "classes.tsv").exists()
    assert resume(tmp_path / "model", device="cpu").signal is None
    assert_same_grammars(tmp_path / "model", tiny_taught, recipe.text, recipe.grammar)


@pytest.mark.parametrize("name", ["tiny_recipe", "tiny_on_lstm_recipe", "tiny_ordered_memory_recipe"])
@pytest.mark.parametrize("boundaries", ["true", "false"])
def test_every_kind_of_network_can_teach(corpus, request, tmp_path, name, boundaries):
    changes = ["grammar.parts=all", *GRAMMARS, f"text.phrase_boundaries={boundaries}", "training.epochs=1"]
    recipe = load_recipe(str(request.getfixturevalue(name)), changes)
    train(corpus, recipe, tmp_path / "model", device="cpu")
    parser = Parser.load(tmp_path / "model", device="cpu", punctuation="evidence")
    assert (parser.tree_decoders[0], parser.head_decoders[:2]) == ("grammar", ("grammar", "dbm"))
    assert all(len(parse.tree) == len(parse.heads) == len(parse.tokens) for parse in parser.parse(SENTENCES))


def test_a_student_teaches_where_it_is_told_to(tiny_student, tiny_student_recipe, tmp_path):
    text = [str(tiny_student.parent / "corpus.jsonl")]
    recipe = load_recipe(str(tiny_student_recipe), ["grammar.parts=dependencies", *GRAMMARS])
    train(text, recipe, tmp_path / "model", device="cpu")
    assert Parser.load(tmp_path / "model").head_decoders[0] == "grammar"


def test_the_network_has_most_of_the_minutes(corpus, recipe, tmp_path, monkeypatch):
    limits, steps = [], trainer.train_steps

    def limited(updates, objective, seed, minutes):
        limits.append(minutes)
        return steps(updates, objective, seed, minutes)

    monkeypatch.setattr(trainer, "train_steps", limited)
    train(corpus, recipe, tmp_path / "model", device="cpu", minutes=10)
    assert limits == [8]
    assert (tmp_path / "model" / "grammar.safetensors").exists()


def test_a_new_run_takes_old_grammars_away(corpus, tiny_taught, tiny_udgn_recipe, tmp_path):
    directory = shutil.copytree(tiny_taught, tmp_path / "model")
    train(corpus, load_recipe(str(tiny_udgn_recipe)), directory, device="cpu", force=True)
    assert not any((directory / name).exists() for name in FILES)


def test_a_text_without_short_sentences_teaches_no_grammars(recipe, sample_text, tmp_path):
    lines = [" ".join(sample_text[start : start + 10]) for start in range(0, 300, 10)]
    (tmp_path / "long.txt").write_text("\n".join([*lines, "dog .", "cat !"]), encoding="utf-8")
    stages = Stages()
    result = train([str(tmp_path / "long.txt")], recipe, tmp_path / "model", device="cpu", report=stages)
    assert (result.signal, result.is_resumable) == (None, False)
    assert stages.names == []
    assert stages.notes[-1] == "no sentence of two words has 15 tokens at most, so there are no grammars"
    assert yaml.safe_load((tmp_path / "model" / "config.yaml").read_text())["provenance"].get("grammar") is None
    assert len(Parser.load(tmp_path / "model").parse(SENTENCES)) == len(SENTENCES)


@pytest.mark.parametrize(("perplexity", "strength"), [(1.5, 1.0), (1e6, 0.0)])
def test_a_network_worse_than_class_bigrams_teaches_no_links(directory, lesson, perplexity, strength):
    found = read_description(directory)
    provenance = {**found.provenance, "held_out_perplexity": perplexity}
    (directory / "config.yaml").write_bytes(config_file(replace(found, provenance=provenance)))
    config, learned = teach(directory, TEXT, CONFIG, lesson, 1)
    assert config.link_strength == strength
    assert (learned["perplexity_of_networks"] < learned["perplexity_of_class_bigrams"]) == bool(strength)
