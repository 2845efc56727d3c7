"""Learning grammars from what trained models say: by parts, each of which is kept."""

import random
import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.corpora import closed_classes
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sentences import Sentence
from synparse.corpora.verbs import Verbs
from synparse.inducers import dependency_boundary
from synparse.inducers.base_phrases import learn_chunker
from synparse.inducers.class_tagger import learn_tagger
from synparse.parsing.drafts import draft_of
from synparse.parsing.parser import Parser
from synparse.store.grammars import Grammars, find_grammars, read_grammars
from synparse.store.models import config_file, one_member, open_model
from synparse.training import grammars as module
from synparse.training.events import Learning, Note
from synparse.training.given_trees import GivenTree
from synparse.training.grammars import evenly_spaced, learn_grammars
from synparse.training.reading import grammar_text
from synparse.training.run import train
from synparse.trees.errors import DataError
from synparse.trees.function_words import FREE, LEARNED_CONVENTIONS, LEAVES

TEXT = TextConfig(min_count=2)
CONFIG = GrammarConfig(
    classes=9,
    class_words=200,
    class_passes=2,
    dependency_passes=3,
    class_grammars=2,
    nonterminals=4,
    grammar_passes=3,
)
PARTS = [
    "word classes",
    "classes in context",
    "base phrases",
    "evidence",
    "dependency model, function words free",
    "dependency model, function words leaves",
    "class grammars",
]
FILES = ("classes.tsv", "grammar.safetensors")


@pytest.fixture(scope="module")
def source(sample_text):
    return text_of(line.split() for line in sample_text[:200])


@pytest.fixture
def ten_a_second(monkeypatch):
    """A clock on which each of the three parts that are timed, of ten sentences, takes a second."""
    seconds = iter(range(10**6))
    monkeypatch.setattr(module, "TIMED", 10)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    return monkeypatch


def text_of(sentences):
    text = grammar_text(TEXT, CONFIG, 1)
    for _ in text.of(Sentence(tuple(tokens)) for tokens in sentences):
        pass
    return text


@pytest.fixture
def learned(tiny_udgn, tmp_path, source):
    """A function that learns grammars in a folder, taught by a UDGN."""

    def learn(config=CONFIG, folder=tmp_path / "grammars", source=source, seed=1, **options):
        return learn_grammars(folder, [tiny_udgn], config, source, seed, "cpu", **options)

    return learn


class Parts:
    """The parts that are reported, and how often each is."""

    def __init__(self):
        self.counts, self.fractions = {}, []

    def __call__(self, event):
        if isinstance(event, Learning):
            self.fractions.append(event.fraction)
            self.counts[event.stage] = self.counts.get(event.stage, 0) + 1

    @property
    def names(self):
        return list(self.counts)


def assert_same_grammars(folder, other):
    for name in FILES:
        assert (folder / name).read_bytes() == (other / name).read_bytes()


def test_function_words_are_told_the_commonest_first(learned, tmp_path):
    config, notes = replace(CONFIG, parts="dependencies", dependency_passes=0, phrase_passes=0, function_words=14), []
    learned(config, report=lambda event: notes.append(event.text) if isinstance(event, Note) else None)
    members = read_grammars(tmp_path / "grammars", TEXT, config).classes.members
    count_of = {member.type: member.occurrences for member in members if not member.is_group}
    note, *_ = notes
    assert note.startswith("14 function words: the ")
    assert note.endswith(" …")
    assert [count_of[word] for word in note.split()[3:-1]] == sorted(count_of.values(), reverse=True)[:12]


def test_verbs_are_told_the_commonest_first(learned, tmp_path):
    config, notes = replace(CONFIG, parts="dependencies", dependency_passes=0, phrase_passes=0), []
    learned(config, report=lambda event: notes.append(event.text) if isinstance(event, Note) else None)
    grammars = read_grammars(tmp_path / "grammars", TEXT, config)
    members = [member for member in grammars.classes.members if grammars.verbs.classes[member.word_class]]
    *_, note = notes
    words = sorted((-member.occurrences, member.type) for member in members if not member.is_group)
    assert note.split() == ["verbs:", *(word for _, word in words[:12]), *["…"] * (len(words) > 12)]


def test_each_part_is_reported_and_kept(learned, source, tmp_path):
    parts = Parts()
    _, provenance = learned(report=parts)
    assert parts.names == PARTS
    assert all(0 <= fraction < 1 for fraction in parts.fractions)
    grammars = read_grammars(tmp_path / "grammars", TEXT, CONFIG)
    assert grammars.dependencies.keys() == set(LEARNED_CONVENTIONS)
    assert grammars.constituents is not None
    assert (provenance["classes"], provenance["seed"]) == (9, 1)
    assert provenance["sentences"] == len(source.sentences)
    assert provenance["words"] > 2 * provenance["sentences"]
    likelihoods = provenance["log_likelihood"]
    assert all(first < last for first, last in (likelihoods[name] for name in ("phrases", *LEARNED_CONVENTIONS)))


@pytest.mark.parametrize(
    ("setting", "part", "missing"),
    [("context_passes", "classes in context", "tagger"), ("phrase_passes", "base phrases", "chunker")],
)
def test_settings_turn_classes_in_context_and_base_phrases_off(learned, tmp_path, setting, part, missing):
    config, parts = replace(CONFIG, parts="dependencies", dependency_passes=1, **{setting: 0}), Parts()
    learned(config, report=parts)
    assert parts.names == [name for name in PARTS[:-1] if name != part]
    stored = read_grammars(tmp_path / "grammars", TEXT, config)
    assert {name for name in ("tagger", "chunker") if getattr(stored, name) is None} == {missing}


@pytest.mark.parametrize("punctuation", ["evidence", "ignore"])
def test_tagger_and_chunker_are_those_of_the_text(learned, source, tmp_path, punctuation):
    """Punctuation, which the network does not read, is between the segments of the chunker, and in no sentence of the
    tagger."""
    config = replace(CONFIG, parts="dependencies", dependency_passes=0, punctuation=punctuation)
    learned(config)
    stored = read_grammars(tmp_path / "grammars", TEXT, config)
    sentences, segments = [], []
    for tokens in source.context.items:
        segments.append([])
        sentences.append([])
        for token in tokens:
            form = normalize(token, TEXT)
            if form is None and punctuation == "evidence" and token in ",;:.?!":
                segments.append([])
            if form is not None:
                segments[-1] += stored.classes.numbers_of([form])
                sentences[-1] += stored.classes.numbers_of([form])
    silent = Parts()
    chunker, _ = learn_chunker(
        [np.array(segment) for segment in segments if segment], len(stored.classes.members), 40, silent
    )
    class_of = np.array([member.word_class for member in stored.classes.members])
    words = [np.array(sentence) for sentence in sentences if sentence]
    tagger = learn_tagger(words, class_of, stored.classes.size - 1, stored.classes.size, 6, silent)
    for of_run, expected in zip((*stored.tagger, *stored.chunker), (*tagger, *chunker), strict=True):
        np.testing.assert_allclose(of_run, expected, rtol=1e-4, atol=1e-7)


def test_what_was_learned_is_not_learned_again(learned, tmp_path):
    learned()
    before = [(tmp_path / "grammars" / name).read_bytes() for name in FILES]
    parts = Parts()
    learned(seed=2, report=parts)
    assert parts.names == ["evidence"]
    assert [(tmp_path / "grammars" / name).read_bytes() for name in FILES] == before


@pytest.mark.parametrize(("synthetic", "teacher"), [(0.0, FREE), (2.0, LEAVES)])
def test_function_words_are_leaves_for_class_grammars_where_endings_mark_relations(
    learned, tmp_path, monkeypatch, synthetic, teacher
):
    def recorded(model, sentences):
        teaching.append((model, {sentence.is_function is None for sentence in sentences}))
        return arc_posteriors(model, sentences)

    teaching, arc_posteriors = [], module.arc_posteriors
    monkeypatch.setattr(closed_classes, "SYNTHETIC", synthetic)
    monkeypatch.setattr(module, "arc_posteriors", recorded)
    config, notes = replace(CONFIG, branching="left", dependency_passes=1, grammar_passes=1), []
    learned(config, report=lambda event: notes.append(event.text) if isinstance(event, Note) else None)
    assert sum(note.endswith("so endings mark relations") for note in notes) == (teacher == LEAVES)
    [(model, are_free)] = teaching
    grammars = read_grammars(tmp_path / "grammars", TEXT, config)
    assert are_free == {teacher == FREE}
    for name in LEARNED_CONVENTIONS:
        assert np.array_equal(model.root, grammars.dependencies[name].root) == (name == teacher)


@pytest.mark.parametrize("leaves", [{"the", "a"}, set()])
def test_some_function_words_have_no_dependents_even_if_they_are_free(learned, monkeypatch, leaves):
    def recorded(examples, *others):
        told.append([example.evidence.is_function for example in examples])
        return learn_dependencies(examples, *others)

    told, learn_dependencies = [], module.learn_dependencies
    monkeypatch.setattr(module, "learn_dependencies", recorded)
    monkeypatch.setattr(Grammars, "function_words", {"the", "a", "in"})
    monkeypatch.setattr(Grammars, "leaves_but_adpositions", leaves)
    sentences = ["the dog sleeps in a house".split(), "a dog sleeps in the house".split()] * 9
    learned(replace(CONFIG, parts="dependencies", dependency_passes=1), source=text_of(sentences))
    free, all_leaves = told
    assert all(marked == [True, False, False, True, True, False] for marked in all_leaves)
    assert all(marked == ([True, False, False, False, True, False] if leaves else None) for marked in free)


@pytest.mark.parametrize(("synthetic", "known"), [(0.0, [False, True]), (2.0, [True, True])])
def test_directions_are_known_with_free_function_words_where_endings_mark_relations(
    learned, monkeypatch, synthetic, known
):
    def recorded(examples, *others):
        told.append(all(example.directions is not None for example in examples))
        return learn_dependencies(examples, *others)

    told, learn_dependencies = [], module.learn_dependencies
    monkeypatch.setattr(closed_classes, "SYNTHETIC", synthetic)
    monkeypatch.setattr(module, "learn_dependencies", recorded)
    learned(replace(CONFIG, branching="left", parts="dependencies", dependency_passes=1))
    assert told == known  # of free function words, of leaves


@pytest.mark.parametrize(("directions", "known"), [("auto", [False, True]), ("none", [False, False])])
def test_the_model_with_function_words_as_leaves_starts_with_verbs(learned, monkeypatch, directions, known):
    def recorded(*arguments):
        *_, verbs = arguments
        told[-1] |= bool(verbs.any())
        return harmonic_counts(*arguments)

    def learn(*arguments):
        told.append(False)
        return learn_dependencies(*arguments)

    told, learn_dependencies, harmonic_counts = [], module.learn_dependencies, dependency_boundary.harmonic_counts
    monkeypatch.setattr(module, "learn_dependencies", learn)
    monkeypatch.setattr(dependency_boundary, "harmonic_counts", recorded)
    monkeypatch.setattr(
        module, "verbs_of", lambda pairs, *_: Verbs(*(np.ones((3, 1)) > [[0], [1], [1]]).repeat(len(pairs), 1))
    )
    passes = {"context_passes": 0, "phrase_passes": 0, "dependency_passes": 0}
    learned(replace(CONFIG, directions=directions, parts="dependencies", **passes))
    assert told == known  # of free function words, of leaves


def test_dependencies_alone(learned, tmp_path):
    config = replace(CONFIG, dependency_passes=2, parts="dependencies", stops="head", punctuation="ignore")
    parts = Parts()
    learned(config, report=parts)
    assert parts.names == PARTS[:-1]
    grammars = read_grammars(tmp_path / "grammars", TEXT, config)
    assert grammars.constituents is None
    assert all(model.stops_by_head for model in grammars.dependencies.values())


def test_what_was_broken_off_in_any_part_is_continued(learned, tmp_path):
    def stop(event):
        if getattr(event, "stage", None) == left[0]:
            raise InterruptedError

    left = list(PARTS)
    while left:
        with pytest.raises(InterruptedError):
            learned(report=stop)
        left.pop(0)
    resumed, whole = learned()[1], learned(folder=tmp_path / "whole")[1]
    assert_same_grammars(tmp_path / "grammars", tmp_path / "whole")
    assert {**resumed, "seconds": 0} == {**whole, "seconds": 0}


FOCUSED = replace(CONFIG, focused_nonterminals=3, focused_passes=2)


@pytest.fixture
def is_enough(monkeypatch):
    """The text is enough for a focused grammar."""
    monkeypatch.setattr(module, "LEAST_FOCUSED", 1)


@pytest.mark.usefixtures("is_enough")
def test_a_focused_grammar_is_learned_in_the_end_and_continued(learned, tmp_path):
    def stop(event):
        if getattr(event, "stage", None) in ("spans of the text", "focused grammar"):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        learned(FOCUSED, report=stop)
    before = read_grammars(tmp_path / "grammars", TEXT, FOCUSED)
    assert (before.constituents is None, before.focused) == (False, None)
    parts = Parts()
    _, provenance = learned(FOCUSED, report=parts)
    assert parts.names[-2:] == ["spans of the text", "focused grammar"]
    assert parts.fractions == pytest.approx(np.clip(parts.fractions, 0, 1))
    focused = read_grammars(tmp_path / "grammars", TEXT, FOCUSED).focused
    assert (focused.nonterminals, focused.classes) == (3, before.classes.size)
    first, last = provenance["log_likelihood"]["focused"]
    assert last > first
    learned(FOCUSED, folder=tmp_path / "whole")
    assert_same_grammars(tmp_path / "grammars", tmp_path / "whole")


@pytest.mark.usefixtures("is_enough")
@pytest.mark.parametrize("changes", [{"focused_passes": 0}, {"parts": "dependencies"}])
def test_without_passes_or_class_grammars_there_is_no_focused_one(learned, tmp_path, changes):
    config = replace(FOCUSED, **changes)
    learned(config)
    assert read_grammars(tmp_path / "grammars", TEXT, config).focused is None


def test_little_text_is_not_enough_for_a_focused_grammar(learned, tmp_path):
    used, _ = learned(FOCUSED)
    assert used.focused_passes == 0  # so that no card speaks of one
    assert read_grammars(tmp_path / "grammars", TEXT, FOCUSED).focused is None


@pytest.mark.usefixtures("is_enough")
def test_given_trees_teach_the_focused_grammar(learned, tmp_path):
    sentence = Sentence(tuple("the dog sees the cat".split()))
    given = GivenTree(sentence, draft_of((2, 3, 0, 5, 3), None, ("heads",), 5))
    learned(FOCUSED, folder=tmp_path / "without")
    learned(FOCUSED, folder=tmp_path / "with", given=[given])
    without, taught = (read_grammars(tmp_path / name, TEXT, FOCUSED).focused for name in ("without", "with"))
    assert not np.allclose(without.left, taught.left)


@pytest.mark.usefixtures("is_enough")
def test_time_is_planned_for_a_focused_grammar(learned, source, ten_a_second, tmp_path):
    """With one, ten sentences take a second more."""
    for name in ("LEAST_CLASS_GRAMMAR_SENTENCES", "LEAST_SENTENCES", "LEAST_CONTEXT_SENTENCES"):
        ten_a_second.setattr(module, name, 0)
    sentences, contexts = len(source.sentences), len(source.context.items)
    needed = 0.2 * sentences + 0.2 * contexts
    config, _ = learned(FOCUSED, seconds=needed + 5)
    assert (config.class_grammar_sentences, config.context_sentences) >= (sentences, contexts)
    config, _ = learned(FOCUSED, folder=tmp_path / "less", seconds=needed + 5 - 10)
    assert config.class_grammar_sentences == sentences - 100


def test_a_damaged_log_is_one_line(learned, tmp_path):
    learned()
    (tmp_path / "grammars" / "log.jsonl").write_text("[1")
    with pytest.raises(DataError, match=r"log\.jsonl: damaged log"):
        learned()


def test_the_same_seed_gives_the_same_grammars(learned, tmp_path):
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        learned(folder=tmp_path / name, seed=seed)
    assert_same_grammars(tmp_path / "one", tmp_path / "again")
    assert (tmp_path / "one" / FILES[1]).read_bytes() != (tmp_path / "other" / FILES[1]).read_bytes()


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (0, (0, 0, 0)),
        (9.95, (100, 0, 0)),  # 0.1 s for a sentence of class grammars: the first to go
        (0.1 * 150 + 9.95, (150, 0, 100)),  # then as much for classes in context and base phrases
        (0.1 * 150 + 0.1 * 170 + 4.35, (150, 44, 170)),  # then as much for evidence and dependencies
        (1e6, (150, 140, 170)),
    ],
)
def test_with_little_time_there_are_fewer_sentences_and_all_passes(learned, source, ten_a_second, missing, expected):
    sentences, contexts = len(source.sentences), len(source.context.items)
    least = [sentences - 150, sentences - 140, contexts - 170]
    names = ("LEAST_CLASS_GRAMMAR_SENTENCES", "LEAST_SENTENCES", "LEAST_CONTEXT_SENTENCES")
    for name, number in zip(names, least, strict=True):
        ten_a_second.setattr(module, name, number)
    parts = Parts()
    needed = sentences * 0.1 + sentences * 0.1 + contexts * 0.1
    config, provenance = learned(seconds=needed + 4 - missing, report=parts)  # 4 s are gone once it is planned
    planned = (config.class_grammar_sentences, config.sentences, config.context_sentences)
    asked = (sentences, sentences, contexts)
    # A number that is not cut stays that of the recipe, more than there are.
    assert tuple(max(0, before - after) for before, after in zip(asked, planned, strict=True)) == expected
    assert provenance["sentences"] == min(sentences, config.sentences)
    passes = {
        "class grammars": 3,
        **{f"dependency model, function words {convention}": 3 for convention in LEARNED_CONVENTIONS},
    }
    assert {name: parts.counts[name] for name in passes} == passes


@pytest.mark.parametrize(("missing", "fewer"), [(0, 0), (10, 100)])
def test_time_is_planned_for_given_trees(learned, source, ten_a_second, missing, fewer):
    """They take as long as other sentences, however much they count."""
    for name in ("LEAST_CLASS_GRAMMAR_SENTENCES", "LEAST_SENTENCES", "LEAST_CONTEXT_SENTENCES"):
        ten_a_second.setattr(module, name, 0)
    tree = GivenTree(Sentence(("the", "dog")), draft_of((2, 0), None, ("heads",), 2))
    sentences, contexts = len(source.sentences), len(source.context.items)
    config, _ = learned(seconds=0.2 * (sentences + 50) + 0.1 * contexts + 4 - missing, given=[tree] * 50)
    assert min(sentences, config.class_grammar_sentences) == sentences - fewer


def test_a_planned_run_is_repeated_without_a_plan(learned, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LEAST_SENTENCES", 40)
    monkeypatch.setattr(module, "LEAST_CONTEXT_SENTENCES", 50)
    config, _ = learned(seconds=0.0)
    assert (config.sentences, config.context_sentences) == (40, 50)
    assert learned(config, folder=tmp_path / "again")[0] == config
    assert_same_grammars(tmp_path / "grammars", tmp_path / "again")


@pytest.mark.parametrize(("perplexity", "strength"), [(1.5, 1.0), (1e6, 0.0), (None, 1.0)])
def test_a_network_worse_than_class_bigrams_teaches_no_links(tiny_udgn, source, tmp_path, perplexity, strength):
    teacher = shutil.copytree(tiny_udgn, tmp_path / "teacher")
    description = open_model(teacher).description
    changed = replace(description, provenance={**description.provenance, "held_out_perplexity": perplexity})
    (teacher / "config.yaml").write_bytes(config_file(one_member(teacher, changed)))
    config, learned = learn_grammars(tmp_path / "grammars", [teacher], CONFIG, source, 1)
    assert config.link_strength == strength
    assert learned.get("perplexity_of_networks") == perplexity  # a model may come without, and is not compared
    assert ("perplexity_of_class_bigrams" in learned) == (perplexity is not None)


def test_a_spread_sample_is_from_all_places_alike():
    assert evenly_spaced(range(10), 4) == [0, 2, 5, 7]
    assert evenly_spaced(range(3), 4) == [0, 1, 2]
    assert evenly_spaced([], 4) == []


def test_the_words_of_a_fixed_expression_depend_on_the_first_one_where_phrases_branch_to_the_left(tmp_path):
    source = random.Random(1)
    nouns, verbs = ([f"{kind}{a}{b}a" for a in "bcdfgh" for b in "bcdfgh"] for kind in "nv")
    marks = (["ne"], ["ko"], ["ke", "liye"], ["ke", "liye"], ["ke", "saath"])
    lines = [
        " ".join([source.choice(nouns), *source.choice(marks), source.choice(verbs), "hai", "."]) for _ in range(300)
    ]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    settings = ("classes=12", "class_min_count=1", "dependency_passes=2", "grammar_passes=2")
    for branching, first in (("left", 2), ("right", None)):
        changes = [f"grammar.{setting}" for setting in (*settings, f"branching={branching}")]
        train([str(tmp_path / "text.txt")], "grammar", tmp_path / branching, changes=changes)
        grammars = find_grammars(open_model(tmp_path / branching))[0].grammars
        assert (grammars.firsts is None) == (first is None)
        [parse] = Parser.load(tmp_path / branching, function_words="leaves").parse(["nbba ke liye vbba hai ."])
        assert first is None or parse.heads[2] == first
        assert sorted(parse.heads).count(0) == 1
