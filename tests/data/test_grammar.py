"""The generated language agrees with the README of data/, and the shipped sample with the generator."""

import itertools
import sys
from collections import Counter
from pathlib import Path

import pytest

from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.constituency import format_brackets
from synparse.trees.dependency import is_projective
from synparse.trees.spans import sentence_spans
from tests.trees.dependency_trees import is_tree

DATA = Path(__file__).resolve().parents[2] / "data"
SAMPLE = DATA / "sample"
sys.path.insert(0, str(DATA))

from generate import Grammar, format_example, held_out, load_grammar, verb_forms  # noqa: E402


@pytest.fixture(scope="module")
def training():
    return (SAMPLE / "train.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def gold_trees():
    with (SAMPLE / "gold.brackets").open(encoding="utf-8") as lines:
        return [tree for _, tree in read_brackets(lines, "gold.brackets")]


@pytest.fixture(scope="module")
def gold_sentences():
    with (SAMPLE / "gold.conllu").open(encoding="utf-8") as lines:
        return list(read_conllu(lines, "gold.conllu"))


def test_heads_are_projective_and_each_constituent_has_one_head_outside(gold_trees, gold_sentences):
    for tree, sentence in zip(gold_trees, gold_sentences, strict=True):
        heads = sentence.heads
        assert is_tree(heads)
        assert is_projective(heads)
        for start, end in sentence_spans(tree, whole=True):
            outside = [w for w in range(start + 1, end + 1) if not start < heads[w - 1] <= end]
            assert len(outside) == 1


def test_subjects_and_verbs_agree_over_any_distance(gold_sentences):
    checked = apart = 0
    for sentence in gold_sentences:
        words, tags, heads, relations = sentence.words, sentence.xpos, sentence.heads, sentence.relations
        for subject, relation in enumerate(relations, 1):
            if relation != "nsubj":
                continue
            head = heads[subject - 1]
            auxiliaries = [w for w in _dependents(heads, head) if relations[w - 1] in ("aux", "cop")]
            numbers = {verb_number(words[w - 1], tags[w - 1]) for w in [head, *auxiliaries]} - {None}
            number = subject_number(sentence, subject)
            assert numbers <= {number}, f"{words[subject - 1]} in: {' '.join(words)}"
            checked += len(numbers)
            between = tags[subject : auxiliaries[0] - 1 if auxiliaries else head - 1]
            apart += bool(numbers) and {"sg": "NNS", "pl": "NN"}[number] in between
    assert checked > 800
    assert apart > 30  # with a noun of the other number between them


def verb_number(word, tag):
    """The number that a finite form shows, None if it shows none (must, did, to bake)."""
    if tag == "VBD":
        return {"was": "sg", "were": "pl"}.get(word.lower())
    return {"VBZ": "sg", "VBP": "pl"}.get(tag)


def subject_number(sentence, subject):
    """A coordination is plural; a relative pronoun has the number of the noun that its clause modifies."""
    tags, heads, relations = sentence.xpos, sentence.heads, sentence.relations
    position = subject
    if tags[subject - 1] in ("WDT", "WP"):
        clause = heads[subject - 1]
        while relations[clause - 1] == "conj":
            clause = heads[clause - 1]
        position = heads[clause - 1]
    last = (
        subject if position != subject else len(tags)
    )  # what follows the pronoun is joined to noun and clause together
    if any(relations[w - 1] == "cc" and w < last for w in _dependents(heads, position)):
        return "pl"
    word, tag = sentence.words[position - 1].lower(), tags[position - 1]
    return "pl" if tag == "NNS" or word == "you" else "sg"


def _dependents(heads, head):
    return [w for w, other in enumerate(heads, 1) if other == head]


def test_every_relation_and_constituent_of_the_grammar_is_in_the_gold_trees(gold_trees, gold_sentences):
    grammar = load_grammar()
    children = [child for rules in grammar.rules.values() for rule in rules for child in rule.children]
    found = {relation for sentence in gold_sentences for relation in sentence.relations}
    assert found == {child.relation for child in children if not child.is_head} | {"root"}
    assert {label for tree in gold_trees for label, _, _ in tree.constituents} == set(grammar.rules)


def test_the_same_seed_gives_the_same_sentences():
    first, second = (list(itertools.islice(load_grammar().sentences(3), 20)) for _ in range(2))
    assert first == second


def test_the_shipped_training_text_is_what_the_generator_gives(training):
    assert len(training) == 20_000
    made = [" ".join(one.constituency.words) for one in itertools.islice(load_grammar().sentences(1), 300)]
    assert training[:300] == made


def test_the_shipped_gold_trees_are_what_the_generator_gives(training):
    gold = list(itertools.islice(held_out(load_grammar().sentences(2), training), 1000))
    assert (SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines() == [
        " ".join(one.constituency.words) for one in gold
    ]
    assert (SAMPLE / "gold.brackets").read_text(encoding="utf-8").splitlines() == [
        format_brackets(one.constituency) for one in gold
    ]
    assert (SAMPLE / "gold.conllu").read_text(encoding="utf-8") == "".join(
        format_example(one, k) for k, one in enumerate(gold, 1)
    )


def test_brackets_and_dependencies_are_read_back_as_the_same_words_and_tags(gold_trees, gold_sentences):
    text = (SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines()
    assert len(text) == len(gold_trees) == len(gold_sentences) == 1000
    for line, tree, sentence in zip(text, gold_trees, gold_sentences, strict=True):
        assert tuple(line.split()) == tree.words == sentence.words
        assert tree.tags == sentence.xpos


def test_gold_sentences_are_not_in_the_training_text_but_their_words_are_five_times(training, gold_sentences):
    assert not {" ".join(sentence.words) for sentence in gold_sentences} & set(training)
    counts = Counter(word.lower() for line in training for word in line.split())
    assert min(counts[word.lower()] for sentence in gold_sentences for word in sentence.words) >= 5


def test_sentences_are_seldom_repeated_and_of_at_most_forty_words(training):
    lengths = [len(line.split()) for line in training]
    assert len(set(training)) > 0.99 * len(training)
    assert max(lengths) <= 40
    assert 10 < sum(lengths) / len(lengths) < 12


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("bake", ("bake", "bakes", "baked", "baking", "baked")),
        ("cry", ("cry", "cries", "cried", "crying", "cried")),
        ("plan", ("plan", "plans", "planned", "planning", "planned")),
        ("enjoy", ("enjoy", "enjoys", "enjoyed", "enjoying", "enjoyed")),
        ("give/gives/gave/giving/given", ("give", "gives", "gave", "giving", "given")),
    ],
)
def test_verbs_are_inflected(verb, forms):
    assert verb_forms(verb) == forms


def test_a_line_that_is_not_a_rule_is_an_error_that_names_it():
    with pytest.raises(ValueError, match=r"not a rule.*S = NP VP"):
        Grammar({"start": "S", "damping": 1, "numbers": {}, "rules": ["S = NP VP"]})
