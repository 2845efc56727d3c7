"""Segmentations of demonstrations into subtasks, as Lu et al. score them (Learning Task Decomposition with Ordered
Memory Policy Network, ICLR 2021): alignment accuracy, boundary F1, and mutual information of options and subtasks.

A demonstration is a sequence of steps, one for each action. It is cut by its boundaries: the steps, counted from 0, at
which a new segment starts. Step 0 starts a segment in any case and is no boundary, nor is the end of the demonstration.

- Alignment accuracy: the i-th segment is taken to be the i-th subtask of the task; the fraction of steps whose subtask
  is the true one. A step in a segment beyond the last subtask is wrong.
- Boundary precision, recall and F1: of the boundaries of all demonstrations together. A predicted and a gold boundary
  match where they are no further apart than the tolerance; each matches one at most, and as many match as can.
  Demonstrations without boundaries count nothing; F1 is 2 · matched / (gold + predicted). The authors' code is more
  lenient: several predicted boundaries may match one, the end counts as a boundary, and F1 is a mean over
  demonstrations.
- NMI: `normalised_mutual_information` of the active option and the true subtask, over the steps of all
  demonstrations together.

Hand-worked, a demonstration of 6 steps whose second subtask starts at step 3, cut at steps 2 and 5. Steps 0, 1, 3 and 4
are given the right subtask; the boundary at 2 is within one step of 3; the options part the subtasks:

    >>> scores = score_segmentations([Segmented(6, (1, 3), (3,), (2, 5), (0, 0, 0, 2, 2, 2))], tolerance=1)
    >>> round(scores.alignment_accuracy, 3), scores.precision, scores.recall, round(scores.f1, 3), scores.nmi
    (0.667, 0.5, 1.0, 0.667, 1.0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from synparse.scoring.clustering import clustering_scores
from synparse.scoring.counts import ratio

TOLERANCE = 1
"""Steps between two boundaries that still match, in the paper's tables."""

THRESHOLD = 0.5


class Segmented(NamedTuple):
    """A demonstration and its segmentation.

    length: steps; subtasks: those of its task in order; gold, predicted: boundaries, in order; options: the active
    option at each step, if the model has options.
    """

    length: int
    subtasks: Sequence[int]
    gold: Sequence[int]
    predicted: Sequence[int]
    options: Sequence[int] | None = None


class SegmentationScores(NamedTuple):
    """Scores over demonstrations, 0 … 1; None where there is nothing to score: precision without predicted boundaries,
    recall without gold ones, F1 without either, NMI without options."""

    alignment_accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    nmi: float | None
    demonstrations: int


def score_segmentations(demonstrations: Iterable[Segmented], tolerance: int = TOLERANCE) -> SegmentationScores:
    """All scores. O(steps).

    Raises ValueError where boundaries do not lie inside the demonstration, each after the one before; where gold
    segments are not as many as subtasks; and where options are not as many as steps.
    """
    number = steps = aligned = gold = predicted = matched = 0
    options, subtasks = list[int](), list[int]()
    for demonstration in demonstrations:
        _check(demonstration)
        gold_subtasks = subtask_of_each_step(demonstration.gold, demonstration.length, demonstration.subtasks)
        predicted_subtasks = subtask_of_each_step(demonstration.predicted, demonstration.length, demonstration.subtasks)
        number += 1
        steps += demonstration.length
        pairs = zip(predicted_subtasks, gold_subtasks, strict=True)
        aligned += sum(subtask is not None and subtask == gold_subtask for subtask, gold_subtask in pairs)
        gold += len(demonstration.gold)
        predicted += len(demonstration.predicted)
        matched += matched_boundaries(demonstration.gold, demonstration.predicted, tolerance)
        if demonstration.options is not None:
            options += demonstration.options
            subtasks += [subtask for subtask in gold_subtasks if subtask is not None]
    return SegmentationScores(
        alignment_accuracy=ratio(aligned, steps),
        precision=ratio(matched, predicted),
        recall=ratio(matched, gold),
        f1=ratio(2 * matched, gold + predicted),
        nmi=normalised_mutual_information(options, subtasks),
        demonstrations=number,
    )


def _check(demonstration: Segmented) -> None:
    for boundaries in (demonstration.gold, demonstration.predicted):
        if any(before >= after for before, after in pairwise((0, *boundaries, demonstration.length))):
            raise ValueError(f"boundaries {tuple(boundaries)} do not cut {demonstration.length} steps")
    if len(demonstration.gold) + 1 != len(demonstration.subtasks):
        raise ValueError(f"{len(demonstration.gold) + 1} gold segments for {len(demonstration.subtasks)} subtasks")
    if demonstration.options is not None and len(demonstration.options) != demonstration.length:
        raise ValueError(f"{len(demonstration.options)} options for {demonstration.length} steps")


def subtask_of_each_step(boundaries: Sequence[int], length: int, subtasks: Sequence[int]) -> list[int | None]:
    """The i-th subtask at each step of the i-th segment; None beyond the last subtask.

    >>> subtask_of_each_step((2, 3), 5, (4, 1))
    [4, 4, 1, None, None]
    """
    steps: list[int | None] = []
    for number, (start, end) in enumerate(pairwise((0, *boundaries, length))):
        steps += [subtasks[number] if number < len(subtasks) else None] * (end - start)
    return steps


def matched_boundaries(gold: Sequence[int], predicted: Sequence[int], tolerance: int = TOLERANCE) -> int:
    """How many boundaries match at most, each with one of the others; both in order. O(boundaries).

    The earliest two that can match do so: neither could serve a later one better.

    >>> matched_boundaries((3, 8), (2, 4, 8), tolerance=1)
    2
    """
    matched = at = 0
    for boundary in gold:
        while at < len(predicted) and predicted[at] < boundary - tolerance:
            at += 1
        if at < len(predicted) and predicted[at] <= boundary + tolerance:
            matched += 1
            at += 1
    return matched


def normalised_mutual_information(first: Sequence[int], second: Sequence[int]) -> float | None:
    """2 I(U; V) / (H(U) + H(V)) of paired classes, 0 … 1; None without pairs. It is normalised by the arithmetic mean
    of the entropies (NMI_sum in Vinh, Epps and Bailey, JMLR 2010; scikit-learn's default).

    It is 1 where one class determines the other and the other way round, also where both have a single value; 0 where
    only one of them has. It is the V-measure under another name, so that is what computes it: with the mutual
    information I, homogeneity is I / H(V) and completeness I / H(U), and their harmonic mean is the quotient above.

    >>> round(normalised_mutual_information([0, 0, 1, 2], [5, 5, 5, 7]), 4)  # in bits, I = 0.8113, H = 1.5 and 0.8113
    0.702
    """
    pairs = Counter((str(a), str(b)) for a, b in zip(first, second, strict=True))
    return clustering_scores(pairs)["v_measure"]


def boundaries_by_threshold(scores: Sequence[float]) -> tuple[int, ...]:
    """A boundary wherever the score is above `THRESHOLD`, after step 0.

    >>> boundaries_by_threshold([1.0, 0.2, 0.9, 0.5, 0.6])
    (2, 4)
    """
    return tuple(step for step in range(1, len(scores)) if scores[step] > THRESHOLD)


def boundaries_by_number(scores: Sequence[float], segments: int) -> tuple[int, ...]:
    """The boundaries where the number of segments is known, as OMPN is scored: the steps after step 0 with the highest
    scores; of equal ones, the earlier. Raises ValueError where there are fewer steps than segments, or no segment.

    >>> boundaries_by_number([1.0, 0.2, 0.4, 0.1, 0.4], segments=2)
    (2,)
    """
    if not 1 <= segments <= len(scores):
        raise ValueError(f"{len(scores)} steps cannot be cut into {segments} segments")
    ranked = sorted(range(1, len(scores)), key=lambda step: (-scores[step], step))
    return tuple(sorted(ranked[: segments - 1]))
