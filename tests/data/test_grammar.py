"""The generated language is what the README of data/ says, and the shipped sample is what the generator gives."""

import itertools
import sys
from collections import Counter
from pathlib import Path

import pytest

from synparse.trees.brackets import format_brackets, read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.dependency import is_projective
from synparse.trees.spans import sentence_spans

DATA = Path(__file__).resolve().parents[2] / "data"
SAMPLE = DATA / "sample"
sys.path.insert(0, str(DATA))

from generate import format_example, load_grammar, verb_forms  # noqa: E402


@pytest.fixture(scope="module")
def examples():
    return list(itertools.islice(load_grammar().sentences(7), 400))


def test_heads_are_projective_and_each_constituent_has_one_head_outside(examples):
    for example in examples:
        heads = example.dependencies.heads
        assert is_projective(heads)
        for start, end in sentence_spans(example.constituency, whole=True, single=True):
            outside = [w for w in range(start + 1, end + 1) if not start < heads[w - 1] <= end]
            assert len(outside) == 1


def test_subjects_and_verbs_agree_over_any_distance(examples):
    checked = apart = 0
    for example in examples:
        words, tags = example.constituency.words, example.constituency.tags
        heads, relations = example.dependencies.heads, example.dependencies.relations
        for subject, (head, relation) in enumerate(zip(heads, relations, strict=True)):
            finite = [
                w
                for w in range(len(words))
                if (w == head - 1 or (heads[w] == head and relations[w] in ("aux", "cop")))
                and tags[w] in ("VBZ", "VBP")
                and w > subject
            ]
            if relation != "nsubj" or tags[subject] not in ("NN", "NNS") or not finite:
                continue
            if any(heads[w] == subject + 1 and tags[w] == "CC" for w in range(len(words))):
                continue  # a coordination is plural
            verb = finite[0]
            assert (tags[verb] == "VBZ") == (tags[subject] == "NN"), " ".join(words)
            checked += 1
            apart += any(tags[w] in ("NN", "NNS") and tags[w] != tags[subject] for w in range(subject + 1, verb))
    assert checked > 100
    assert apart > 5  # a noun of the other number stands between


def test_the_same_seed_gives_the_same_sentences():
    first, second = (list(itertools.islice(load_grammar().sentences(3), 20)) for _ in range(2))
    assert first == second


def test_the_shipped_sample_is_what_the_generator_gives():
    grammar = load_grammar()
    lines = (SAMPLE / "train.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 20_000
    made = [" ".join(one.constituency.words) for one in itertools.islice(grammar.sentences(1), 100)]
    assert lines[:100] == made
    known = set(lines)
    gold = [one for one in itertools.islice(grammar.sentences(2), 110) if " ".join(one.constituency.words) not in known]
    trees = (SAMPLE / "gold.brackets").read_text(encoding="utf-8").splitlines()
    assert trees[:100] == [format_brackets(one.constituency) for one in gold[:100]]
    conllu = (SAMPLE / "gold.conllu").read_text(encoding="utf-8")
    assert conllu.startswith("".join(format_example(one, k) for k, one in enumerate(gold[:100], 1)))


def test_the_gold_files_are_in_step_and_apart_from_the_training_text():
    text = (SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines()
    with (SAMPLE / "gold.brackets").open(encoding="utf-8") as lines:
        trees = [tree for _, tree in read_brackets(lines, "gold.brackets")]
    with (SAMPLE / "gold.conllu").open(encoding="utf-8") as lines:
        sentences = list(read_conllu(lines, "gold.conllu"))
    assert len(text) == len(trees) == len(sentences) == 1000
    for line, tree, sentence in zip(text, trees, sentences, strict=True):
        assert tuple(line.split()) == tree.words == sentence.words
        assert tree.tags == sentence.xpos
        assert sentence.heads
    assert not set(text) & set((SAMPLE / "train.txt").read_text(encoding="utf-8").splitlines())


def test_nearly_every_gold_word_was_seen_five_times_in_training():
    counts = Counter((SAMPLE / "train.txt").read_text(encoding="utf-8").lower().split())
    gold = (SAMPLE / "gold.txt").read_text(encoding="utf-8").lower().split()
    assert sum(counts[word] < 5 for word in gold) < 0.003 * len(gold)


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
