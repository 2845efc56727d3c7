"""Tiny data, recipes and models of the tasks."""

import pytest

from synparse.tasks import ENCODERS, TASKS, listops, logic
from synparse.tasks.expressions import format_example
from tests.sharing import made_once

TINY = """\
encoders:
  ordered-memory: {hidden_size: 8, slots: 6}
  on-lstm: {hidden_size: 8, layers: 2, chunk_size: 2}
  lstm: {hidden_size: 8}
  transformer: {hidden_size: 8, layers: 1, attention_heads: 2, feed_forward_size: 16}
  udgn: {hidden_size: 8, layers: 2, channels: 2, channel_size: 4, parser_layers: 1}
  tree-cell: {hidden_size: 8}
  tree-rnn: {hidden_size: 8}
  tree-lstm: {hidden_size: 8}
training: {learning_rate: 1e-2, batch_size: 16, epochs: 1, validate_every: 5, validation_examples: 20}
"""


@pytest.fixture(scope="session")
def tiny_task_recipe(tmp_path_factory):
    path = tmp_path_factory.mktemp("recipe") / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="session")
def examples():
    """Forty examples of each task."""
    limits = listops.Limits(max_depth=3, max_length=16, min_length=4)
    return {"listops": list(listops.generate(limits, 40, seed=1)), "logic": list(logic.generate(0, 3, 40, seed=1))}


@pytest.fixture(scope="session")
def files(tmp_path_factory, examples):
    """The same examples as files."""
    folder = tmp_path_factory.mktemp("data")
    for name, task in TASKS.items():
        text = "".join(format_example(task, example) for example in examples[name])
        (folder / name).write_text(text, encoding="utf-8")
    return {name: str(folder / name) for name in TASKS}


@pytest.fixture(scope="session")
def trained(tmp_path_factory, tiny_task_recipe, files):
    """Model directories of every encoder on ListOps, and of an Ordered Memory on logic."""
    from synparse.tasks.recipe import load_task_recipe
    from synparse.tasks.run import classification
    from synparse.training.trainer import train

    def make(folder):
        for task, encoder in [*(("listops", encoder) for encoder in ENCODERS), ("logic", "ordered-memory")]:
            recipe = load_task_recipe(tiny_task_recipe, encoder)
            train(classification(TASKS[task]), [files[task]], recipe, folder / f"{task}-{encoder}", device="cpu")

    return made_once(tmp_path_factory, "task-models", make)
