import re
from pathlib import Path

import pytest
import torch

from synparse.tasks import ENCODERS, TASKS, evaluation
from synparse.tasks.classifier import Answers, coded
from synparse.tasks.directory import TrainedClassifier, load_classifier
from synparse.tasks.evaluation import Tally, evaluate
from synparse.tasks.recipe import load_task_recipe
from synparse.tasks.sentiment import SENTIMENT
from synparse.trees.distances import unbiased_spans
from synparse.trees.errors import SettingError

CPU = torch.device("cpu")


@pytest.mark.parametrize("encoder", ENCODERS)
def test_counts_are_those_of_one_example_at_a_time(trained, examples, encoder):
    model = load_classifier(trained / f"listops-{encoder}", TASKS["listops"], CPU)
    right = matched = spans = 0
    for example in examples["listops"]:
        answers = model.model(coded(TASKS["listops"], [example]).questions([0]).rows)
        right += int(answers.logits.argmax()) == example.label
        gold = set(example.expressions[0].spans())
        spans += len(gold)
        if answers.distances is not None:
            matched += len(gold & set(unbiased_spans(answers.distances[0].tolist())))
    total, groups, _ = evaluate(examples["listops"], model)
    assert total == Tally(40, right, spans, matched, 40)
    for group in groups.values():
        assert list(group) == sorted(group)
        tallies = list(group.values())
        for tally in tallies[1:]:
            tallies[0] += tally
        assert tallies[0] == total


def test_both_formulas_are_scored(trained, examples):
    model = load_classifier(trained / "logic-ordered-memory", TASKS["logic"], CPU)
    total, groups, _ = evaluate(examples["logic"], model)
    expressions = [expression for example in examples["logic"] for expression in example.expressions]
    assert total.spans == sum(len(expression.heights) for expression in expressions)
    assert total.whole == sum(len(expression.leaves) > 1 for expression in expressions)
    assert set(groups["operators"]) == {max(e.operators for e in example.expressions) for example in examples["logic"]}


def test_groups_are_named_by_the_longest(trained, examples):
    model = load_classifier(trained / "listops-lstm", TASKS["listops"], CPU)
    _, groups, _ = evaluate(examples["listops"], model)
    lengths = [len(example.expressions[0].words) for example in examples["listops"]]
    assert {name: tally.examples for name, tally in groups["length"].items()} == {
        10: sum(length <= 10 for length in lengths),
        20: sum(10 < length <= 20 for length in lengths),
    }


def test_ratios_by_hand():
    tally = Tally(examples=4, right=3, spans=10, matched=7, whole=4)
    assert (tally.accuracy, tally.f1, tally.inner_f1) == (0.75, 0.7, 0.5)
    nothing = Tally(examples=4, right=3, spans=10, matched=0, whole=4)
    assert (nothing.f1, nothing.inner_f1) == (None, None)


def test_no_examples_no_scores(trained):
    model = load_classifier(trained / "listops-lstm", TASKS["listops"], CPU)
    with pytest.raises(SettingError, match="no examples"):
        evaluate([], model)


@pytest.mark.parametrize("again", ["a.tsv", "./a.tsv", "link.tsv"])
def test_a_file_is_named_once(again, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("link.tsv").symlink_to("a.tsv")
    with pytest.raises(SettingError, match=f"^{re.escape(again)} is named twice"):
        evaluation.evaluate_models(TASKS["listops"], ["model"], ["a.tsv", "b.tsv", again], "cpu")


SENTENCES = [
    ("(4 (3 Great) (2 film))", 1),
    ("(0 (1 Bad) (2 film))", 0),
    ("(3 (2 So) (3 good))", 0),
    ("(1 (2 So) (1 bad))", 0),
    ("(2 (2 A) (2 film))", 1),
    ("(4 (2 A) (4 (4 great) (2 film)))", 1),
    ("(1 (2 A) (1 (1 bad) (2 film)))", 1),
    ("(3 (3 Good) (3 good))", 1),
    ("(0 Awful)", 0),
    ("(4 Great)", 1),
]
"""With the answer of a model: 0 is negative. One is neutral, and two answers are wrong."""


class Prescribed(torch.nn.Module):
    """A classifier that knows its answers by the words of a sentence."""

    def __init__(self, answers):
        super().__init__()
        self.answers = answers
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, rows):
        words = [tuple(row[:length].tolist()) for row, length in zip(rows.words, rows.lengths, strict=True)]
        return Answers(torch.eye(2)[[self.answers[row] for row in words]], None)


def test_accuracy_of_sentiment_by_hand_on_ten_sentences(tmp_path, monkeypatch):
    (tmp_path / "trees").write_text("".join(f"{tree}\n" for tree, _ in SENTENCES), encoding="utf-8")
    task = SENTIMENT["sst2"]._replace(words=("so", "good", "great", "bad", "awful", "a", "film"))
    index = {word: number for number, word in enumerate(task.words, 1)}
    answers = {tuple(index[word.lower()] for word in re.findall(r"\w+(?=\))", tree)): said for tree, said in SENTENCES}
    model = TrainedClassifier(load_task_recipe("sentiment-small", "lstm"), {}, Prescribed(answers), task)
    monkeypatch.setattr(evaluation, "load_classifier", lambda *_: model)
    comparison = evaluation.evaluate_models(task, ["one", "two", "one"], [str(tmp_path / "trees")], "cpu")
    assert comparison.baselines == {"majority: positive": Tally(9, 5)}
    [(_, first), (_, second)] = comparison.encoders["lstm"]
    assert first == second
    assert (first.total.examples, first.total.right, first.total.accuracy) == (9, 7, 7 / 9)
    assert {name: [tally.examples for tally in group.values()] for name, group in first.groups.items()} == {
        "length": [9]
    }


def test_induced_trees_are_those_that_are_scored(trained, examples):
    model = load_classifier(trained / "logic-ordered-memory", TASKS["logic"], CPU)
    evaluation = evaluate(examples["logic"], model)
    total, trees = evaluation.total, list(evaluation.trees)
    expressions = [expression for example in examples["logic"] for expression in example.expressions]
    assert [tree.words for tree in trees] == [tuple(e.words[leaf] for leaf in e.leaves) for e in expressions]
    matched = 0
    for tree, expression in zip(trees, expressions, strict=True):
        spans = {(start, end) for _, start, end in tree.constituents if end - start > 1}
        matched += len(spans & set(expression.spans()))
    assert matched == total.matched
    lstm = load_classifier(trained / "listops-lstm", TASKS["listops"], CPU)
    assert list(evaluate(examples["listops"], lstm).trees) == []
