"""What holds for all encoders."""

from dataclasses import replace

import pytest
import torch

from synparse.tasks import ENCODERS, TASKS
from synparse.tasks.classifier import Classifier, coded
from synparse.tasks.recipe import load_task_recipe
from synparse.trees.distances import unbiased_spans


@pytest.fixture(params=ENCODERS)
def encoder(request):
    return request.param


def classifier(task, encoder, recipe):
    torch.manual_seed(0)
    return Classifier(TASKS[task], load_task_recipe(recipe, encoder)).eval()


@pytest.mark.parametrize("task", TASKS)
def test_an_answer_does_not_depend_on_the_batch(task, encoder, tiny_task_recipe, examples):
    model = classifier(task, encoder, tiny_task_recipe)
    data = coded(TASKS[task], examples[task])
    with torch.no_grad():
        together = model(data.questions(range(10)).rows)
        for n in range(10):
            alone = model(data.questions([n]).rows)
            torch.testing.assert_close(together.logits[n], alone.logits[0], atol=1e-5, rtol=1e-5)
            if together.distances is not None:
                points = len(examples[task][n].expressions[0].words) - 1
                pair = (answers.distances[row, :points].tolist() for answers, row in ((together, n), (alone, 0)))
                assert len({tuple(unbiased_spans(distances)) for distances in pair}) == 1


@pytest.mark.parametrize("encoder", ["lstm", "on-lstm"])
def test_words_may_have_another_size_than_the_vector_of_the_expression(encoder, tiny_task_recipe, examples):
    recipe = load_task_recipe(tiny_task_recipe, encoder)
    architecture = replace(recipe.architecture, embedding_size=5)
    model = Classifier(TASKS["logic"], replace(recipe, architecture=architecture)).eval()
    assert model.embedding.weight.shape[1] == 5
    rows = coded(TASKS["logic"], examples["logic"]).questions(range(4)).rows
    assert model.encoder(model.embedding(rows.words), rows).vectors.shape[1] == architecture.hidden_size


def test_gold_trees_are_told_only_to_those_that_are_named_after_them(encoder, tiny_task_recipe, examples):
    model = classifier("listops", encoder, tiny_task_recipe)
    rows = coded(TASKS["listops"], examples["listops"]).questions(range(8)).rows
    turned = rows._replace(heights=[tuple(range(len(row), 0, -1)) for row in rows.heights])
    with torch.no_grad():
        same = torch.equal(model(rows).logits, model(turned).logits)
    assert same == (not encoder.startswith("tree-"))


def test_only_two_encoders_induce_trees(encoder, tiny_task_recipe, examples):
    model = classifier("listops", encoder, tiny_task_recipe)
    rows = coded(TASKS["listops"], examples["listops"]).questions(range(8)).rows
    distances = model(rows).distances
    if encoder in ("ordered-memory", "on-lstm"):
        assert distances.shape == (8, rows.words.shape[1] - 1)
    else:
        assert distances is None


def test_the_distance_of_an_on_lstm_is_what_it_forgets(tiny_task_recipe, examples):
    model = classifier("listops", "on-lstm", tiny_task_recipe)
    rows = coded(TASKS["listops"], examples["listops"]).questions(range(4)).rows
    gates = []
    layer = model.encoder.layers[min(2, len(model.encoder.layers)) - 1]
    layer.register_forward_hook(lambda _, __, out: gates.append(out.forget))
    with torch.no_grad():
        distances = model(rows).distances
    [forget] = gates  # [T, B, chunks]: 1 where the cell is kept
    assert torch.equal(distances.argmax(1), forget.sum(2)[1:].argmin(0))
    assert torch.equal(distances.argmin(1), forget.sum(2)[1:].argmax(0))


def test_every_weight_learns(encoder, tiny_task_recipe, examples):
    model = classifier("logic", encoder, tiny_task_recipe).train()
    rows = coded(TASKS["logic"], examples["logic"]).questions(range(40)).rows
    model(rows).logits.square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        # One layer norm follows the attention's keys alone, and one number added to all slots changes nothing.
        assert parameter.grad.abs().sum() > 0, name
