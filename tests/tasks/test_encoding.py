"""What encoders read."""

import torch

from synparse.tasks import TASKS
from synparse.tasks.classifier import coded


def test_rows_are_all_first_expressions_and_then_all_second_ones(examples):
    questions = coded(TASKS["logic"], examples["logic"]).questions([2, 3])
    rows = questions.rows
    (a, b), (c, d) = (examples["logic"][n].expressions for n in (2, 3))
    assert rows.lengths.tolist() == [len(expression.words) for expression in (a, c, b, d)]
    assert rows.leaves == [expression.leaves for expression in (a, c, b, d)]
    assert rows.heights == [expression.heights for expression in (a, c, b, d)]
    assert rows.words.shape == (4, max(rows.lengths))
    assert torch.equal(rows.words[2], questions.words[0, 1, : rows.words.shape[1]])
