import math
import shutil
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from synparse.config.grammar import GrammarConfig
from synparse.corpora import closed_classes
from synparse.corpora.normalization import TextConfig
from synparse.corpora.verbs import Verbs
from synparse.corpora.word_classes import BigramCounts, learn_word_classes
from synparse.files.folders import save_together
from synparse.inducers.base_phrases import PAIRS, Chunker, I, O, learn_chunker
from synparse.inducers.class_grammar import random_grammars
from synparse.inducers.class_tagger import ClassTagger, class_probabilities, learn_tagger
from synparse.inducers.dependency_boundary import estimated, no_counts
from synparse.inducers.head_choice import ROWS
from synparse.parsing.parser import Parser
from synparse.store import grammars as store_grammars
from synparse.store.grammars import (
    Grammars,
    find_grammars,
    gives_heads,
    grammar_files,
    grammar_shapes,
    has_grammars,
    leaves_of_sets,
    read_grammars,
)
from synparse.store.model_directory import StoredModel
from synparse.store.models import GrammarSet, Model, open_model
from synparse.trees.errors import DataError
from synparse.trees.function_words import LEARNED_CONVENTIONS

TEXT = TextConfig()
NOT_OF_GRAMMARS = ("context", "phrases", "verbs", "choice", "fixed", "conjunctions")
CONFIG = GrammarConfig(
    classes=3, class_min_count=1, class_grammars=2, nonterminals=4, focused_passes=1, focused_nonterminals=5
)


@pytest.fixture(scope="module")
def classes():
    counts = BigramCounts(TEXT)
    for line in ("the dog sees a cat .", "a cat sees the dog .", "the dog barks !"):
        counts.add(line.split())
    return learn_word_classes(counts, CONFIG, 1)


def dependencies(classes, seed=1):
    counts, source = no_counts(classes.size), np.random.default_rng(seed)
    return estimated(type(counts)(*(part + source.random(part.shape) for part in counts)))


def whole(classes, config=CONFIG):
    models = {name: dependencies(classes, seed) for seed, name in enumerate(LEARNED_CONVENTIONS)}
    constituents, choice = random_grammars(2, 4, classes.size, 1), np.random.default_rng(1).normal(size=ROWS)
    numbers = np.arange(classes.size)
    verbs = Verbs(numbers < 2, numbers == 1, numbers == 2)
    firsts = np.arange(len(classes.members)) - 1
    conjunctions = firsts == 0
    focused = random_grammars(1, config.focused_nonterminals, classes.size, 2)
    learned = (tagger(classes), chunker(classes), verbs, models, constituents, focused, choice, firsts, conjunctions)
    return Grammars(config, classes, *learned)


def texts(classes):
    return [np.arange(len(classes.members)), np.array([0, 1, 0])]


def tagger(classes):
    class_of = np.array([member.word_class for member in classes.members])
    return learn_tagger(texts(classes), class_of, classes.size - 1, classes.size, 2, lambda _: None)


def chunker(classes):
    return learn_chunker(texts(classes), len(classes.members), 3, lambda _: None)[0]


@pytest.fixture
def directory(classes, tmp_path):
    save_together(tmp_path / "model", grammar_files(whole(classes)))
    return tmp_path / "model"


def rewrite(directory, change):
    path = directory / "grammar.safetensors"
    arrays = load_file(path)
    change(arrays)
    save_file(arrays, path)


def same(array, other):
    return np.array_equal(np.float32(array), np.float32(other))


@pytest.mark.parametrize("stops", ["outermost", "head"])
def test_what_was_written_is_read(classes, directory, stops):
    config = replace(CONFIG, stops=stops)
    expected, stored = whole(classes, config), read_grammars(directory, TEXT, config)
    assert (stored.config, stored.classes) == (config, classes)
    for name in LEARNED_CONVENTIONS:
        model, expected_model = stored.dependencies[name], expected.dependencies[name]
        assert model.stops_by_head == (stops == "head")
        assert all(same(getattr(model, part), getattr(expected_model, part)) for part in ("root", "stop", "attach"))
        assert model.attach.dtype == np.float64
    for part in ("tagger", "chunker", "verbs", "constituents", "focused"):
        assert type(getattr(stored, part)) is type(getattr(expected, part))
        assert all(map(same, getattr(stored, part), getattr(expected, part)))
    assert same(stored.head_choice, expected.head_choice)
    assert np.array_equal(stored.firsts, expected.firsts)
    assert stored.conjunctions.tolist() == expected.conjunctions.tolist()
    words = texts(classes)
    (of_stored, *_), (of_expected, *_) = (
        class_probabilities(grammars.tagger, words) for grammars in (stored, expected)
    )
    assert same(of_stored[:, 0], of_expected[:, 0])
    shapes = grammar_shapes(directory).items()
    assert sum(np.prod(shape) for name, shape in shapes if not name.startswith(NOT_OF_GRAMMARS)) == CONFIG.parameters


OPTIONAL = ("tagger", "chunker", "verbs", "focused", "head_choice", "firsts", "conjunctions")


@pytest.mark.parametrize("part", OPTIONAL)
def test_all_but_classes_dependencies_and_constituents_may_be_missing(classes, directory, part):
    """As in directories that are older than these, where settings turn one off, and without given trees."""
    save_together(directory, grammar_files(replace(whole(classes), **{part: None})))
    stored = read_grammars(directory, TEXT, CONFIG)
    assert getattr(stored, part) is None
    assert all(getattr(stored, other) is not None for other in {*OPTIONAL, "constituents"} - {part})


@pytest.mark.parametrize(("branching", "are_adpositions"), [("left", True), ("right", False), ("none", False)])
def test_adpositions_are_the_function_words_that_base_phrases_tell(classes, branching, are_adpositions):
    """Here all words are the last of a base phrase, with another word behind it."""
    emission = np.zeros((len(classes.members), len(PAIRS)))
    emission[:, PAIRS.index((I, O))] = 1
    ends = Chunker(np.array([1.0, 0.0]), np.array([1, 0, 1, 0, 0, 0, 1.0]), emission)
    grammars = replace(whole(classes), chunker=ends, config=replace(CONFIG, function_words=2, branching=branching))
    assert len(grammars.function_words) == 2
    assert grammars.adpositions == (grammars.function_words if are_adpositions else set())
    assert replace(grammars, chunker=None).adpositions == set()


@pytest.mark.parametrize(
    ("branching", "mostly_closed", "are_leaves"),
    [("left", False, True), ("right", False, False), ("right", True, True), ("none", False, True)],
)
def test_function_words_that_end_phrases_are_no_leaves_where_phrases_branch_to_the_right(
    classes, branching, mostly_closed, are_leaves, monkeypatch
):
    monkeypatch.setattr(store_grammars, "is_mostly_closed", lambda _: mostly_closed)
    grammars = replace(whole(classes), config=replace(CONFIG, function_words=2, branching=branching))
    monkeypatch.setattr(store_grammars, "ends_phrases", lambda _: np.ones(len(classes.members), bool))
    assert grammars.leaves == (grammars.function_words if are_leaves else set())
    assert replace(grammars, chunker=None).leaves == grammars.function_words


@pytest.mark.parametrize(
    ("branching", "mostly_closed", "has_adpositions", "known"),
    [
        ("right", False, True, True),
        ("left", False, True, False),
        ("right", True, True, False),
        ("right", False, False, False),
    ],
)
def test_all_function_words_but_adpositions_are_always_leaves_where_phrases_branch_to_the_right(
    classes, branching, mostly_closed, has_adpositions, known, monkeypatch
):
    monkeypatch.setattr(store_grammars, "is_mostly_closed", lambda _: mostly_closed)
    monkeypatch.setattr(store_grammars, "ends_phrases", lambda _: np.zeros(len(classes.members), bool))
    grammars = replace(whole(classes), config=replace(CONFIG, function_words=3, branching=branching))
    words = sorted(grammars.function_words)
    are_adpositions = np.array([has_adpositions and member.type == words[0] for member in classes.members])
    monkeypatch.setattr(store_grammars, "adpositions", lambda *_: are_adpositions)
    assert grammars.leaves_but_adpositions == (set(words[1:]) if known else set())


def test_a_function_word_is_a_leaf_in_classes_of_function_words(classes, monkeypatch):
    monkeypatch.setattr(store_grammars, "is_mostly_closed", lambda _: False)
    [word] = replace(whole(classes), config=replace(CONFIG, function_words=1)).function_words
    emission = np.array([[0.5, 0.49] if member.type == word else [0.25, 0.25] for member in classes.members])
    tagger = ClassTagger(np.zeros((classes.size + 1,) * 2), np.tile([0, 1], (len(emission), 1)), emission)
    grammars = replace(whole(classes), config=replace(CONFIG, function_words=1), tagger=tagger)
    assert np.flatnonzero(grammars.function_classes).tolist() == [0]
    words, in_context = [word, word, "other"], np.array([0, 1, 0])
    assert grammars.leaves_in(words, in_context, grammars.leaves) == [True, False, False]
    assert grammars.leaves_in(words, in_context, ()) == [False] * 3
    assert replace(grammars, tagger=None).leaves_in(words, in_context, grammars.leaves) == [True, True, False]
    monkeypatch.setattr(store_grammars, "is_mostly_closed", lambda _: True)
    assert replace(grammars).leaves_in(words, in_context, grammars.leaves) == [True, True, False]


@pytest.mark.parametrize(
    ("branching", "synthetic", "expected"),
    [("left", 2.0, True), ("left", 0.0, False), ("right", 2.0, False), ("none", 2.0, False), ("auto", 2.0, False)],
)
def test_endings_mark_relations_where_phrases_grow_to_the_left_and_function_words_are_few(
    classes, monkeypatch, branching, synthetic, expected
):
    monkeypatch.setattr(closed_classes, "SYNTHETIC", synthetic)
    monkeypatch.setattr(closed_classes, "CLOSED", 0)  # so the commonest words alone are function words
    grammars = Grammars(replace(CONFIG, branching=branching, function_words="auto"), classes)
    assert grammars.marked_by_endings == expected
    assert grammars.function_words == (frozenset() if expected else closed_classes.commonest_words(classes, 25))


def test_words_of_closed_classes_of_auxiliaries_are_function_words(classes, monkeypatch):
    for name, value in (("COMMONEST", 0), ("CLOSED", 0), ("CLOSED_AUXILIARIES", math.inf), ("LEAST_FREQUENCY", 0)):
        monkeypatch.setattr(closed_classes, name, value)
    auxiliary = next(member.word_class for member in classes.members if not member.is_group and member.occurrences)
    are_auxiliaries = np.arange(classes.size) == auxiliary
    verbs = Verbs(np.ones(classes.size, bool), are_auxiliaries, np.zeros(classes.size, bool))
    grammars = Grammars(replace(CONFIG, function_words="auto"), classes, verbs=verbs)
    words = {member.type for member in classes.members if member.word_class == auxiliary and not member.is_group}
    assert grammars.function_words == words
    assert replace(grammars, verbs=None).function_words == set()
    monkeypatch.setattr(closed_classes, "COMMONEST", 9)
    of_closed_verbs = replace(grammars, verbs=verbs._replace(closed=are_auxiliaries))
    assert of_closed_verbs.function_words == closed_classes.commonest_words(classes, 9) - words != set()


def test_sets_that_parse_together_have_the_leaves_of_half_of_them_where_closed_classes_have_verbs(classes):
    knowing = whole(classes)
    unknowing = replace(knowing, verbs=None)

    def leaves_of(*counts_and_sets):
        sets = [replace(known, config=replace(CONFIG, function_words=count)) for count, known in counts_and_sets]
        return [len(leaves) for leaves in leaves_of_sets(sets)]

    assert leaves_of((1, knowing), (2, unknowing), (3, knowing)) == [2, 2, 2]
    assert leaves_of((1, knowing), (2, unknowing), (3, unknowing), (4, knowing)) == [3, 3, 3, 3]
    assert leaves_of((1, knowing), (2, unknowing), (3, unknowing)) == [1, 2, 3]
    assert leaves_of((2, knowing)) == [2]
    assert leaves_of() == []


def test_leaves_are_fixed_expressions_with_the_word_that_mostly_stands_before_them(classes):
    grammars = whole(classes)  # each word with the one before it in the classes
    numbers, are_leaves = np.array([0, 1, 2, 2, 3, 4]), [True, True, True, True, False, True]
    assert grammars.fixed_in(numbers, are_leaves).tolist() == [False, True, True, False, False, False]
    assert not replace(grammars, firsts=None).fixed_in(numbers, are_leaves).any()


def test_a_directory_without_grammars_has_none(tmp_path):
    assert read_grammars(tmp_path, TEXT, CONFIG) is None
    assert not has_grammars(tmp_path)
    assert grammar_shapes(tmp_path) == {}


def test_what_is_learned_so_far_is_read(classes, tmp_path):
    parts = whole(classes)
    save_together(tmp_path, grammar_files(Grammars(CONFIG, classes)))
    stored = read_grammars(tmp_path, TEXT, CONFIG)
    assert (stored.classes, dict(stored.dependencies), stored.constituents) == (classes, {}, None)
    assert stored.tagger is stored.chunker is None
    assert has_grammars(tmp_path)
    save_together(tmp_path, grammar_files(replace(parts, constituents=None)))
    stored = read_grammars(tmp_path, TEXT, CONFIG)
    assert stored.dependencies.keys() == set(LEARNED_CONVENTIONS)
    assert stored.constituents is None


def test_other_numbers_of_words_and_classes_are_told(directory):
    with pytest.raises(DataError, match=r"does not fit classes.tsv and config.yaml: grammar.left is \(2, 4, 8\), exp"):
        read_grammars(directory, TEXT, replace(CONFIG, nonterminals=5))
    with pytest.raises(DataError, match=r"grammar.left is \(2, 4, 8\), expected \(3, 4, 8\)"):
        read_grammars(directory, TEXT, replace(CONFIG, class_grammars=3))
    with pytest.raises(DataError, match=r"classes\.tsv:\d+: class 2 of 2"):
        read_grammars(directory, TEXT, replace(CONFIG, classes=2))
    counts = BigramCounts(TEXT)
    counts.add("one one one one".split())
    save_together(directory, {"classes.tsv": learn_word_classes(counts, CONFIG, 1).write})
    with pytest.raises(DataError, match=r"does not fit classes\.tsv"):
        read_grammars(directory, TEXT, CONFIG)


def one_alone(array):
    array[...] = np.arange(array.shape[-1]) == 0


def put(name, value):
    def change(arrays):
        arrays[name].flat[0] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("free.root", np.nan), "free.root holds nan"),
        (put("grammar.left", np.inf), "grammar.left holds inf"),
        (lambda arrays: arrays["focused.left"].fill(1), "probabilities of focused.left do not add up to 1"),
        (lambda arrays: one_alone(arrays["focused.right"]), "a probability of focused.right is 0"),
        (lambda arrays: arrays.pop("focused.root"), r"focused.left is .*, expected nothing"),
        (put("leaves.attach", -0.5), "a probability of leaves.attach is not between 0 and 1"),
        (put("free.stop", 1.5), "a probability of free.stop is not between 0 and 1"),
        (lambda arrays: arrays["free.root"].fill(0), "probabilities of free.root do not add up to 1"),
        (lambda arrays: arrays["grammar.left"].fill(1), "probabilities of grammar.left do not add up to 1"),
        (lambda arrays: one_alone(arrays["grammar.right"]), "a probability of grammar.right is 0"),
        (lambda arrays: arrays.pop("leaves.root"), r"leaves.root is missing, expected \(4,\)"),
        (lambda arrays: arrays.pop("grammar.right"), r"grammar.right is missing"),
        (lambda arrays: arrays.pop("grammar.root"), r"grammar.left is .*, expected nothing"),
        (lambda arrays: arrays.update({"x" * 999: np.ones(1, np.float32)}), r"x{40} is \(1,\), expected nothing"),
        (lambda arrays: arrays.update({"free.stop": np.ones((4, 2), np.float32)}), r"free.stop is \(4, 2\), expected"),
        (lambda arrays: arrays.update({"free.root": np.ones(4, np.int64)}), "free.root holds I64"),
        (put("context.transition", np.nan), "context.transition holds nan"),
        (lambda arrays: arrays["context.transition"].fill(1), "probabilities of context.transition do not add up to 1"),
        (lambda arrays: one_alone(arrays["context.transition"]), "a probability of context.transition is 0"),
        (put("context.candidates", 4), "context.candidates has numbers that are no class"),
        (put("context.candidates", -1), "context.candidates has numbers that are no class"),
        (put("context.candidates", 0.5), "context.candidates has numbers that are no class"),
        (lambda arrays: arrays["context.candidates"][2].fill(1), "context.candidates has a class of a word twice"),
        (put("context.emission", 1.5), "a probability of context.emission is not between 0 and 1"),
        (lambda arrays: arrays["context.emission"][2].fill(0), "context.emission has a word without a class"),
        (lambda arrays: arrays.pop("context.candidates"), r"context.candidates is missing, expected \(\d+, 4\)"),
        (lambda arrays: arrays.pop("context.transition"), r"context.candidates is .*, expected nothing"),
        (put("verbs.classes", 2), "a probability of verbs.classes is not between 0 and 1"),
        (put("conjunctions.words", 2), "a probability of conjunctions.words is not between 0 and 1"),
        (lambda arrays: arrays.pop("verbs.auxiliaries"), r"verbs.auxiliaries is missing, expected \(4,\)"),
        (put("choice.weights", np.inf), "choice.weights holds inf"),
        (put("fixed.firsts", -2), "fixed.firsts has numbers that are no word"),
        (put("fixed.firsts", 99), "fixed.firsts has numbers that are no word"),
        (put("fixed.firsts", 0.5), "fixed.firsts has numbers that are no word"),
        (
            lambda arrays: arrays.update({"choice.weights": np.ones(9, np.float32)}),
            r"choice.weights is \(9,\), expected",
        ),
        (lambda arrays: arrays["phrases.start"].fill(1), "probabilities of phrases.start do not add up to 1"),
        (put("phrases.start", -1), "a probability of phrases.start is not between 0 and 1"),
        (put("phrases.steps", 1.5), "a probability of phrases.steps is not between 0 and 1"),
        (put("phrases.steps", 0), "a probability of phrases.steps is 0"),
        (put("phrases.emission", np.inf), "phrases.emission holds inf"),
        (put("phrases.emission", 0), "a probability of phrases.emission is 0"),
        (lambda arrays: arrays.pop("phrases.steps"), r"phrases.steps is missing, expected \(7,\)"),
        (lambda arrays: arrays.pop("phrases.start"), r"phrases.emission is .*, expected nothing"),
    ],
)
def test_damage_is_told_in_one_line(directory, change, message):
    rewrite(directory, change)
    with pytest.raises(DataError, match=message) as caught:
        read_grammars(directory, TEXT, CONFIG)
    assert str(caught.value).startswith(str(directory / "grammar.safetensors"))
    assert len(str(caught.value).splitlines()) == 1


def test_a_missing_or_broken_file_is_told(directory):
    (directory / "grammar.safetensors").write_bytes(b"no weights")
    with pytest.raises(DataError, match=r"grammar\.safetensors: damaged"):
        read_grammars(directory, TEXT, CONFIG)
    (directory / "classes.tsv").unlink()
    with pytest.raises(DataError, match=r"classes\.tsv: the model has no such file, though it has grammars"):
        read_grammars(directory, TEXT, CONFIG)


@pytest.mark.parametrize("name", ["classes.tsv", "grammar.safetensors"])
def test_links_out_of_the_directory_are_not_followed(directory, tmp_path, name):
    (directory / name).rename(tmp_path / name)
    (directory / name).symlink_to(tmp_path / name)
    with pytest.raises(DataError, match="is a link that leads out of the model directory"):
        read_grammars(directory, TEXT, CONFIG)


def test_every_sentence_has_its_tree_under_certain_rules(tiny_grammar, tmp_path):
    """The root, every dependent and every stop is sure to be another class than those of the sentence."""

    def be_certain(arrays):
        for name, array in arrays.items():
            if name.startswith(("free", "leaves")):
                array[...] = 1 if name.endswith("stop") else np.arange(array.shape[-1]) == array.shape[-1] - 1

    directory = shutil.copytree(tiny_grammar, tmp_path / "model")
    rewrite(directory / "grammars-1", be_certain)
    [parse] = Parser.load(directory, punctuation="evidence").parse(["the old dog , sees the cat ."])
    assert len(parse.tree) == len(parse.heads) == 8


def test_all_sets_of_a_directory_are_found(classes, tiny_taught, tiny_on_lstm, tmp_path):
    of_run = open_model(tiny_taught)
    [grammar_set] = find_grammars(of_run)
    assert (grammar_set.members, grammar_set.text) == (("udgn-1",), of_run.description.recipe.text)
    assert grammar_set.grammars.config == of_run.grammars[0].settings
    assert find_grammars(open_model(tiny_on_lstm)) == []
    save_together(tmp_path / "a", grammar_files(whole(classes)))
    save_together(tmp_path / "b", grammar_files(Grammars(CONFIG, classes)))
    members = {name: StoredModel(tmp_path, of_run.description) for name in ("one", "other")}
    sets = GrammarSet("a", ("one", "other"), CONFIG), GrammarSet("b", ("other",), CONFIG)
    first, second = find_grammars(Model(tmp_path, members, ("one",), (), sets))
    assert (first.members, second.members) == (("one", "other"), ("other",))
    assert first.grammars.dependencies
    assert not second.grammars.dependencies
    (tmp_path / "b" / "grammar.safetensors").unlink()
    with pytest.raises(DataError, match=r"b.grammar\.safetensors: the model has no such file, though it has grammars"):
        find_grammars(Model(tmp_path, members, ("one",), (), sets))


def test_heads_come_from_a_network_for_heads_or_from_grammars(classes, tiny_udgn, tiny_on_lstm, tiny_grammar, tmp_path):
    assert gives_heads(open_model(tiny_udgn))
    assert not gives_heads(replace(open_model(tiny_udgn), heads=()))
    assert gives_heads(open_model(tiny_grammar))
    without = open_model(tiny_on_lstm)
    assert not gives_heads(without)
    save_together(tmp_path, grammar_files(whole(classes)))
    with_grammars = replace(without, directory=tmp_path, grammars=(GrammarSet(".", ("on-lstm-1",), CONFIG),))
    assert gives_heads(with_grammars)
    save_together(tmp_path, grammar_files(Grammars(CONFIG, classes)))
    assert not gives_heads(with_grammars)
