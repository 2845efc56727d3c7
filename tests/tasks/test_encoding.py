"""What encoders read."""

import pytest

from synparse.tasks import TASKS
from synparse.tasks.classifier import coded


@pytest.mark.parametrize("task", TASKS)
def test_rows_have_the_words_and_the_gold_trees_of_the_expressions(task, examples):
    rows = coded(TASKS[task], examples[task]).questions(range(8)).rows
    expressions = [expression for example in examples[task][:8] for expression in example.expressions]
    assert sorted(rows.lengths.tolist()) == sorted(len(expression.words) for expression in expressions)
    for words, length, leaves, heights in zip(*rows, strict=True):
        assert (words[:length] > 0).all()
        assert len(heights) == len(leaves) - 1
        assert all(0 <= leaf < length for leaf in leaves)
