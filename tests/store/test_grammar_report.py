"""What a report of grammars says, against grammars worked out by hand and against the stored probabilities."""

import shutil

import numpy as np
import pytest

from synparse.config.parsing import ParsingConfig
from synparse.inducers.class_grammar import ClassGrammars, random_grammars
from synparse.inducers.dependency_boundary import ADJACENT, LATER, LEFT, RIGHT, DependencyModel
from synparse.store import grammar_report as module
from synparse.store.grammar_report import (
    expected_arcs,
    expected_numbers,
    expected_uses,
    grammar_report,
    short_examples,
)
from synparse.store.grammars import find_grammars
from synparse.store.model_directory import StoredModel
from synparse.store.models import GrammarSet, Model, config_file, open_model
from synparse.trees.errors import DataError, SettingError


@pytest.fixture(scope="module")
def stored(tiny_grammar):
    [grammar_set] = find_grammars(open_model(tiny_grammar))
    return grammar_set.grammars


@pytest.fixture(scope="module")
def report(tiny_grammar):
    return grammar_report(tiny_grammar)


def random_model(classes, stops_by_head=False, seed=1):
    source = np.random.default_rng(seed)
    attach = source.dirichlet(np.ones(classes), (classes, 2, 2))
    stop = source.uniform(0.2, 0.9, (classes, 2, 2))
    return DependencyModel(source.dirichlet(np.ones(classes)), stop, attach, stops_by_head)


def test_a_head_that_stops_by_itself_goes_on_a_geometric_number_of_times():
    model = random_model(4, stops_by_head=True)
    stop = model.stop[:, RIGHT, LATER]
    assert expected_numbers(model, RIGHT) == pytest.approx((1 - stop) / stop)


def test_it_does_not_matter_which_word_decides_where_all_stop_alike():
    model = random_model(4)
    model.stop[:, LEFT, LATER] = 0.3
    assert expected_numbers(model, LEFT) == pytest.approx(expected_numbers(model._replace(stops_by_head=True), LEFT))


def test_the_outermost_word_decides_by_hand():
    # Class 0 takes dependents of class 1, which take one of class 2 half of the time. Under 1 as the outermost word the
    # head goes on half of the time, under 2 never: so it goes on after a quarter of its dependents.
    stop, attach = np.ones((3, 2, 2)), np.zeros((3, 2, 2, 3))
    stop[0, RIGHT, ADJACENT], stop[1, RIGHT, ADJACENT], stop[1, RIGHT, LATER] = 0, 0.5, 0.5
    attach[0, :, :, 1] = attach[1, :, :, 2] = attach[2, :, :, 2] = 1
    more = expected_numbers(DependencyModel(np.ones(3) / 3, stop, attach), RIGHT)
    assert more == pytest.approx([1 / 3, 0, 0])
    arcs = expected_arcs(DependencyModel(np.ones(3) / 3, stop, attach), np.array([30.0, 10.0, 5.0]))
    assert arcs[:, RIGHT] == pytest.approx(np.array([[0, 40, 0], [0, 0, 5], [0, 0, 0]]))
    assert arcs[:, LEFT].tolist() == [[0] * 3] * 3


def test_a_model_that_never_stops_has_numbers():
    model = random_model(3)
    model.stop[:] = 0
    assert np.isfinite(expected_numbers(model, LEFT)).all()
    assert np.isfinite(expected_numbers(model._replace(stops_by_head=True), LEFT)).all()


def test_uses_are_the_sum_over_all_levels_of_the_tree():
    grammars = random_grammars(1, 4, 9, seed=1)
    root, parts = grammars.root[0], grammars.left[0, :, :4] + grammars.right[0, :, :4]
    level, total = root, np.zeros(4)
    for _ in range(1000):
        total, level = total + level, level @ parts
    assert expected_uses(root, parts) == pytest.approx(total)


@pytest.mark.parametrize("branching", [1.0, 1.5])
def test_trees_without_a_finite_size_have_no_uses(branching):
    assert expected_uses(np.ones(2) / 2, np.full((2, 2), branching / 2)) is None


def test_examples_are_the_words_of_the_most_probable_trees():
    # NT1 → NT2 b 0.9 · 0.8, NT2 → a b 0.6 · 0.7; NT3 → NT3 NT3 alone, which has no tree.
    left = np.array([[0, 0.9, 0, 0.1, 0], [0.4, 0, 0, 0.6, 0], [0, 0, 1.0, 0, 0]])
    right = np.array([[0, 0.2, 0, 0, 0.8], [0.3, 0, 0, 0, 0.7], [0, 0, 1.0, 0, 0]])
    assert short_examples(left, right, ["a", "b"]) == ["a b b", "a b", "", "a", "b"]


def test_classes_have_their_words_and_share(report, stored):
    members = stored.classes.members
    total = sum(member.occurrences for member in members)
    names = [word_class["name"] for word_class in report["classes"]]
    assert names == [*(f"C{number}" for number in range(1, stored.classes.size)), "PUNCT"]
    assert list(report["commonest"]) == names
    counts = [word_class["count"] for word_class in report["classes"]]
    assert counts[:-1] == sorted(counts[:-1], reverse=True)
    for number, word_class in enumerate(report["classes"]):
        words = [(member.name, member.occurrences) for member in members if member.word_class == number]
        assert [(word["word"], word["count"]) for word in word_class["words"]] == words
        assert word_class["share"] == pytest.approx(sum(count for _, count in words) / total, abs=1e-6)
        assert report["commonest"][word_class["name"]] in dict(words)


def test_the_commonest_word_is_no_group_where_a_class_has_words():
    group, word = module.ClassMember("\ting", 0, 9), module.ClassMember("a", 0, 1)
    assert module._commonest([group, word], "C1") == "a"
    assert module._commonest([group], "C1") == "(other words in -ing)"
    assert module._commonest([], "C1") == "C1"


def test_adpositions_are_named_by_frequency(tiny_grammar, stored):
    names = [
        word["word"]
        for word in sorted(
            (word for row in grammar_report(tiny_grammar)["classes"] for word in row["words"]),
            key=lambda word: -word["count"],
        )
    ]
    adpositions = grammar_report(tiny_grammar)["adpositions"]
    assert adpositions == [name for name in names if name in stored.adpositions]
    assert len(adpositions) > 2
    assert grammar_report(tiny_grammar, most=2)["adpositions"] == adpositions[:2]


@pytest.mark.parametrize(("convention", "learned"), [("free", "free"), ("leaves", "leaves"), ("adpositions", "free")])
def test_dependencies_are_the_stored_probabilities(tiny_grammar, stored, convention, learned):
    report = grammar_report(tiny_grammar, function_words=convention)
    model = stored.dependencies[learned]
    assert report["function_words"] == learned
    assert [class_report["class"] for class_report in report["dependencies"]] == [
        f"C{n}" for n in range(1, stored.classes.size)
    ]
    for number, class_report in enumerate(report["dependencies"]):
        assert class_report["root"] == pytest.approx(model.root[number], abs=1e-6)
        for side, name in ((LEFT, "left"), (RIGHT, "right")):
            assert class_report[name]["none"] == pytest.approx(model.stop[number, side, ADJACENT], abs=1e-6)
            for place, adjacent in (("first", ADJACENT), ("later", LATER)):
                shares = class_report[name][place]
                assert list(shares.values()) == sorted(shares.values(), reverse=True)
                for dependent, share in shares.items():
                    at = stored.classes.size - 1 if dependent == "PUNCT" else int(dependent[1:]) - 1
                    assert share == pytest.approx(model.attach[number, side, adjacent, at], abs=1e-6)
        assert sum(head["share"] for head in class_report["heads"]) == pytest.approx(1, abs=1e-4)
        assert all(head["class"] != "PUNCT" for head in class_report["heads"])  # it is not read


def test_rules_are_products_and_nonterminals_are_ordered_by_use(tiny_grammar, stored, report):
    second = grammar_report(tiny_grammar, grammar=2)
    assert (report["grammar"], second["grammar"], second["of"]) == (1, 2, 2)
    for number, values in enumerate((report["constituents"], second["constituents"])):
        uses = [nonterminal["uses"] for nonterminal in values]
        assert uses == sorted(uses, reverse=True)
        assert {nonterminal["name"] for nonterminal in values} == {f"NT{n}" for n in range(1, 6)}
        for nonterminal in values:
            row = int(nonterminal["name"][2:]) - 1
            left, right = stored.constituents.left[number, row], stored.constituents.right[number, row]
            assert nonterminal["root"] == pytest.approx(stored.constituents.root[number, row], abs=1e-6)
            assert sum(nonterminal["left"].values()) == pytest.approx(1, abs=1e-4)
            best = nonterminal["rules"][0]
            assert best["probability"] == pytest.approx(left.max() * right.max(), abs=1e-6)
            assert best["left"] == next(iter(nonterminal["left"]))
            assert best["right"] == next(iter(nonterminal["right"]))
            probabilities = [rule["probability"] for rule in nonterminal["rules"]]
            assert probabilities == sorted(probabilities, reverse=True)
            assert len(probabilities) <= module.MOST_RULES


def test_every_list_is_cut(tiny_grammar, report):
    cut = grammar_report(tiny_grammar, most=3)
    assert [word_class["name"] for word_class in cut["classes"]] == ["C1", "C2", "C3"]
    assert [class_report["class"] for class_report in cut["dependencies"]] == ["C1", "C2", "C3"]
    assert [nonterminal["name"] for nonterminal in cut["constituents"]] == [
        nonterminal["name"] for nonterminal in report["constituents"][:3]
    ]
    for nonterminal, whole in zip(cut["constituents"], report["constituents"], strict=False):
        assert nonterminal["rules"] == whole["rules"][:3]
        assert list(nonterminal["left"]) == list(whole["left"])[:3]
    assert all(len(word_class["words"]) <= 3 for word_class in cut["classes"])
    assert cut["commonest"] == report["commonest"]


def test_without_finite_trees_nonterminals_are_ordered_by_root():
    left = np.array([[[0.9, 0, 0.1], [0, 0.9, 0.1]]])
    grammars = ClassGrammars(np.array([[0.2, 0.8]]), left, left)
    values = module._constituents(grammars, 0, ["C1"], ["a"], None)
    assert [(nonterminal["name"], nonterminal["uses"]) for nonterminal in values] == [("NT2", None), ("NT1", None)]


def test_of_several_sets_of_grammars_the_first_is_described(tiny_grammar, tmp_path, report):
    model = open_model(tiny_grammar)
    members = {}
    for name in ("a", "b"):
        shutil.copytree(tiny_grammar, tmp_path / name)
        members[name] = StoredModel(tmp_path / name / "grammar-1", model.description)
        shutil.copytree(tiny_grammar / "grammars-1", tmp_path / f"grammars-{name}")
    [grammar_set] = model.grammars
    sets = tuple(GrammarSet(f"grammars-{name}", (name,), grammar_set.settings) for name in members)
    config = config_file(Model(tmp_path, members, tuple(members), ("a",), sets, ParsingConfig(function_words="leaves")))
    (tmp_path / "config.yaml").write_bytes(config.replace(b"/grammar-1", b""))
    for name in members:
        for file in ("vocabulary.txt", "boundaries.safetensors"):
            shutil.copy(tiny_grammar / "grammar-1" / file, tmp_path / name)
    described = grammar_report(tmp_path)
    assert described["function_words"] == "leaves"
    assert {**described, "model": report["model"]} == grammar_report(tiny_grammar, function_words="leaves")
    (tmp_path / "grammars-b" / "classes.tsv").write_text("damaged")
    with pytest.raises(DataError, match=r"grammars-b.classes\.tsv"):
        grammar_report(tmp_path)


@pytest.mark.parametrize("model", ["right-branching", "tiny_udgn"])
def test_a_model_without_grammars_is_told(model, request):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    with pytest.raises(SettingError, match=r"has no grammars; .*train a model with grammars by: synparse train"):
        grammar_report(name)


@pytest.mark.parametrize("number", [0, 3])
def test_a_grammar_that_there_is_not_is_told(tiny_grammar, number):
    with pytest.raises(SettingError, match=f"--grammar must be 1 to 2, the number of class grammars, not {number}"):
        grammar_report(tiny_grammar, grammar=number)


def test_conjunctions_are_named_by_frequency():
    assert grammar_report("english")["conjunctions"] == ["and", "or"]
    assert grammar_report("english", most=1)["conjunctions"] == ["and"]
    assert grammar_report("japanese")["conjunctions"] == []
