"""What a task is trained on: examples of a formal language, or the sentences of a treebank with their phrases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from synparse.tasks.expressions import Example, Task, format_example, read_examples
from synparse.tasks.recipe import TaskRecipe
from synparse.tasks.sentiment import read_sentences, vocabulary_of
from synparse.training.example_batches import held_out_parts
from synparse.training.reading import RunSettings
from synparse.trees.errors import DataError, SettingError


class TaskData(NamedTuple):
    """A task with its words, what is trained on and what validates; fingerprint: of both."""

    task: Task
    training: Sequence[Example]
    held_out: Sequence[Example]
    fingerprint: str


def read_data(task: Task, recipe: TaskRecipe, settings: RunSettings) -> TaskData:
    """The examples of the files of a run. What validates is ``settings.valid``, or else held out of the others; of a
    treebank, whole sentences.

    Raises DataError for bad files, for expressions that an Ordered Memory's slots cannot hold, and for fewer than two
    examples, or sentences, where none are given that validate; SettingError for the recipe of another kind of task.
    """
    if task.example is None and recipe.text is None:
        raise SettingError(f"the recipe {recipe.name} has no section text, which says how a treebank becomes examples")
    if task.example is not None and recipe.text is not None:
        raise SettingError(f"the recipe {recipe.name} is for treebanks; {task.name} has none, so leave out its text")
    most = recipe.training.validation_examples
    text = hashlib.sha256(task.name.encode())
    if recipe.text is None:
        examples = list(read_examples(task, settings.corpus, slots_of(recipe)))
        for example in examples:
            text.update(format_example(task, example).encode())
        return TaskData(task, *held_out_parts(examples, most), text.hexdigest())
    sentences = list(read_sentences(task, settings.corpus))
    if settings.valid is None:
        training, held_out = held_out_parts(sentences, most)
    else:
        training, held_out = sentences, list(read_sentences(task, [settings.valid]))
        if not (training and held_out):
            raise DataError("training needs a sentence that is not neutral, and so does --valid")
    for sentence in (*training, *held_out):
        text.update(repr([(example.label, *example.expressions) for example in sentence]).encode())
    words = vocabulary_of(training, recipe.text.min_count).words
    chosen = [example for sentence in training for example in (sentence if recipe.text.phrases else sentence[:1])]
    return TaskData(task._replace(words=words), chosen, [sentence[0] for sentence in held_out], text.hexdigest())


def slots_of(recipe: TaskRecipe) -> int | None:
    """The slots that the expressions of a formal language must fit into; None where any fit."""
    is_limited = recipe.encoder == "ordered-memory" and recipe.text is None
    return recipe.architecture.slots if is_limited else None
