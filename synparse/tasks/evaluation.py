"""Scores of trained classifiers: the accuracy of their answers, and F1 of their trees."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import torch

from synparse.inducers.batch import on_device
from synparse.inducers.devices import pick_device
from synparse.scoring.counts import Counts
from synparse.tasks.classifier import coded
from synparse.tasks.data import slots_of
from synparse.tasks.directory import TrainedClassifier, load_classifier
from synparse.tasks.expressions import Example, Expression, Task, read_examples
from synparse.tasks.sentiment import read_sentences
from synparse.training.example_batches import batches_in_order
from synparse.trees.arguments import named_once, refuse_repeated
from synparse.trees.constituency import ConstituencyTree, induced_tree
from synparse.trees.errors import DataError, SettingError

BATCH = 256
Spans: TypeAlias = "list[tuple[int, int]]"

LENGTHS = 10
"""Words in a group of lengths."""


@dataclass(frozen=True, slots=True)
class Tally(Counts):
    """What adds up over examples.

    examples, right; spans: constituents of the gold trees, which have two words or more; matched: how many of them the
    induced trees have; whole: how many are whole expressions, which every tree has. Both trees are binary, so precision
    and recall are one.
    """

    examples: int = 0
    right: int = 0
    spans: int = 0
    matched: int = 0
    whole: int = 0

    @property
    def accuracy(self) -> float:
        return self.right / self.examples

    @property
    def f1(self) -> float | None:
        """Of constituents summed over expressions, whole ones counted, as EVALB does; None where none was induced."""
        return self.matched / self.spans if self.matched else None

    @property
    def inner_f1(self) -> float | None:
        """The same without whole expressions."""
        inner = self.spans - self.whole
        return (self.matched - self.whole) / inner if self.matched and inner else None


def _most(count: Callable[[Expression], int]) -> Callable[[Example], int]:
    return lambda example: max(map(count, example.expressions))


GROUPS: dict[str, Callable[[Example], int]] = {
    "length": _most(lambda expression: (len(expression.words) - 1) // LENGTHS * LENGTHS + LENGTHS),
    "depth": _most(lambda expression: expression.depth),
    "operators": _most(lambda expression: expression.operators),
}
"""The breakdowns of accuracy: by the longer, deeper, larger expression of an example. Lengths are in groups of
`LENGTHS` words, named after the longest."""


class Evaluation(NamedTuple):
    """Counts of one model over all examples, and by each value of each of `GROUPS`; of a treebank, by length alone.
    induced: of each expression, in order, the spans of leaves that were induced; nothing where none were."""

    total: Tally
    groups: dict[str, dict[int, Tally]]
    induced: Sequence[tuple[Expression, Spans]] = ()

    @property
    def trees(self) -> Iterator[ConstituencyTree]:
        """The induced trees, over the leaves of each expression."""
        return (
            induced_tree([expression.words[leaf] for leaf in expression.leaves], spans)
            for expression, spans in self.induced
        )


@torch.inference_mode()
def evaluate(examples: Sequence[Example], trained: TrainedClassifier) -> Evaluation:
    """The answers and trees of a model. Raises SettingError where there are no examples."""
    if not examples:
        raise SettingError("there are no examples to evaluate on")
    task = trained.task
    device = next(trained.model.parameters()).device
    data = coded(task, examples)
    total = Tally()
    names = GROUPS if task.example is not None else ("length",)
    groups: dict[str, dict[int, Tally]] = {name: {} for name in names}
    induced: dict[int, list[tuple[Expression, Spans]]] = {}
    for chosen in batches_in_order(data.lengths, BATCH):
        logits, distances = trained.model(on_device(data.questions(chosen), device).rows)
        answers = logits.argmax(1).tolist()
        rows = None if distances is None else distances.tolist()
        for position, number in enumerate(chosen):
            example = examples[number]
            if rows is not None:
                distances_of = (rows[position + s * len(chosen)] for s in range(task.sentences))
                pairs = zip(example.expressions, distances_of, strict=True)
                induced[number] = [(expression, expression.induced_spans(values)) for expression, values in pairs]
            tally = _tally(example, answers[position], induced.get(number))
            total += tally
            for name, group in groups.items():
                value = GROUPS[name](example)
                group[value] = group.get(value, Tally()) + tally
    in_order = itertools.chain.from_iterable(induced[number] for number in sorted(induced))
    return Evaluation(total, {name: dict(sorted(group.items())) for name, group in groups.items()}, tuple(in_order))


def _tally(example: Example, answer: int, induced: Sequence[tuple[Expression, Spans]] | None) -> Tally:
    spans = matched = whole = 0
    for number, expression in enumerate(example.expressions):
        points = len(expression.heights)
        if points:
            whole += 1
            spans += points
            if induced is not None:
                matched += len(set(induced[number][1]) & set(expression.spans()))
    return Tally(1, int(answer == example.label), spans, matched, whole)


class EncoderComparison(NamedTuple):
    """The evaluations of each encoder's models, with their directories; baselines: by its title, the counts of a model
    that always gives the most frequent answer of the data."""

    encoders: dict[str, list[tuple[str, Evaluation]]]
    baselines: dict[str, Tally]


def evaluate_models(task: Task, models: Sequence[str], data: Sequence[str], device: str) -> EncoderComparison:
    """Evaluate models on files of examples, or on treebanks; a model that is named twice counts once. Raises as
    `load_classifier` and `read_examples`, DataError where no sentence has a label, and SettingError for a file that is
    named twice."""
    refuse_repeated(data)
    chosen = pick_device(device)
    trained = {directory: load_classifier(Path(directory), task, chosen) for directory in named_once(models)}
    if task.example is None:
        examples = [sentence[0] for sentence in read_sentences(task, data)]
        if not examples:
            raise DataError(f"no sentence has a label of {task.name}", data[0])
    else:
        slots = [most for classifier in trained.values() if (most := slots_of(classifier.recipe)) is not None]
        examples = list(read_examples(task, data, min(slots, default=None)))
    evaluations: dict[str, list[tuple[str, Evaluation]]] = {}
    for directory, classifier in trained.items():
        evaluations.setdefault(classifier.recipe.encoder, []).append((directory, evaluate(examples, classifier)))
    [(label, count)] = Counter(example.label for example in examples).most_common(1)
    return EncoderComparison(evaluations, {f"majority: {task.labels[label]}": Tally(len(examples), count)})
