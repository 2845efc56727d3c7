"""Examples as tensors, and the classifier over the vectors of an encoder."""

import pytest
import torch
from torch.nn import functional

from synparse.inducers.batch import IGNORED, predictions_of
from synparse.tasks import TASKS
from synparse.tasks.classifier import PADDING, Classifier, coded
from synparse.tasks.recipe import load_task_recipe


def test_words_become_their_indices_in_the_order_of_the_task(examples):
    for name, task in TASKS.items():
        data = coded(task, examples[name])
        chosen = [5, 0, 17]
        questions = data.questions(chosen)
        for row, n in enumerate(chosen):
            for s, expression in enumerate(examples[name][n].expressions):
                T = len(expression.words)
                assert questions.lengths[row, s] == T
                words = [task.words[index - PADDING] for index in questions.words[row, s, :T].tolist()]
                assert words == list(expression.words)
        assert questions.targets.tolist() == [examples[name][n].label for n in chosen]
        assert predictions_of(questions) == 3
        assert predictions_of(questions._replace(targets=torch.tensor([IGNORED, 1, IGNORED]))) == 1


@pytest.fixture
def model(tiny_task_recipe):
    torch.manual_seed(1)
    return Classifier(TASKS["logic"], load_task_recipe(tiny_task_recipe, "lstm")).eval()


def test_pairs_are_compared_as_the_paper_says(model, examples, monkeypatch):
    """[h₁; h₂; h₁∘h₂; |h₁ − h₂|], Shen et al. (2019), section 4.1."""
    rows = coded(TASKS["logic"], examples["logic"]).questions([0, 1, 2]).rows
    vectors = torch.randn(6, 8)
    monkeypatch.setattr(model.encoder, "forward", lambda *_: (vectors, None))
    answers = model(rows)
    for n in range(3):
        first, second = vectors[n], vectors[3 + n]
        joined = torch.cat([first, second, first * second, (first - second).abs()])
        torch.testing.assert_close(answers.logits[n], model.classifier(joined))
    assert answers.distances is None


def test_the_loss_is_the_negative_log_likelihood_of_the_labels(model, examples):
    questions = coded(TASKS["logic"], examples["logic"]).questions([0, 1, 2])
    logits = model(questions.rows).logits
    result = model.loss(questions)
    expected = -sum(functional.log_softmax(logits[n], 0)[questions.targets[n]] for n in range(3))
    torch.testing.assert_close(result.total, expected)
    assert result.predictions == 3
    some = model.loss(questions._replace(targets=torch.tensor([IGNORED, questions.targets[1], IGNORED])))
    torch.testing.assert_close(some.total, -functional.log_softmax(logits[1], 0)[questions.targets[1]])


def test_what_every_word_is_multiplied_by(model):
    assert model.matrix_parameters() == sum(p.numel() for p in model.encoder.parameters() if p.dim() == 2) > 0
