import pytest
import torch

from synparse.tasks import ENCODERS, TASKS
from synparse.tasks.classifier import coded
from synparse.tasks.directory import load_classifier
from synparse.tasks.evaluation import Tally, evaluate
from synparse.trees.distances import unbiased_spans
from synparse.trees.errors import SettingError

CPU = torch.device("cpu")


@pytest.mark.parametrize("encoder", ENCODERS)
def test_counts_are_those_of_one_example_at_a_time(trained, examples, encoder):
    model = load_classifier(trained / f"listops-{encoder}", TASKS["listops"], CPU)
    right = found = spans = 0
    for example in examples["listops"]:
        answers = model.model(coded(TASKS["listops"], [example]).questions([0]).rows)
        right += int(answers.logits.argmax()) == example.label
        gold = set(example.expressions[0].spans())
        spans += len(gold)
        if answers.distances is not None:
            found += len(gold & set(unbiased_spans(answers.distances[0].tolist())))
    total, groups = evaluate(examples["listops"], model)
    assert total == Tally(40, right, spans, found, 40)
    for group in groups.values():
        assert list(group) == sorted(group)
        tallies = list(group.values())
        for tally in tallies[1:]:
            tallies[0] = tallies[0].plus(tally)
        assert tallies[0] == total


def test_both_formulas_are_scored(trained, examples):
    model = load_classifier(trained / "logic-ordered-memory", TASKS["logic"], CPU)
    total, groups = evaluate(examples["logic"], model)
    expressions = [expression for example in examples["logic"] for expression in example.expressions]
    assert total.spans == sum(len(expression.heights) for expression in expressions)
    assert total.whole == sum(len(expression.leaves) > 1 for expression in expressions)
    assert set(groups["operators"]) == {max(e.operators for e in example.expressions) for example in examples["logic"]}


def test_groups_are_named_by_the_longest(trained, examples):
    model = load_classifier(trained / "listops-lstm", TASKS["listops"], CPU)
    _, groups = evaluate(examples["listops"], model)
    lengths = [len(example.expressions[0].words) for example in examples["listops"]]
    assert {name: tally.examples for name, tally in groups["length"].items()} == {
        10: sum(length <= 10 for length in lengths),
        20: sum(10 < length <= 20 for length in lengths),
    }


def test_ratios_by_hand():
    tally = Tally(examples=4, right=3, spans=10, found=7, whole=4)
    assert (tally.accuracy, tally.f1, tally.inner_f1) == (0.75, 0.7, 0.5)
    nothing = Tally(examples=4, right=3, spans=10, found=0, whole=4)
    assert (nothing.f1, nothing.inner_f1) == (None, None)


def test_no_examples_no_scores(trained):
    model = load_classifier(trained / "listops-lstm", TASKS["listops"], CPU)
    with pytest.raises(SettingError, match="no examples"):
        evaluate([], model)
