"""k-means: points in groups, each around its mean (Lloyd 1982), from starts that lie apart (k-means++, Arthur and
Vassilvitskii 2007)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

STARTS, PASSES = 5, 40


def k_means(points: NDArray[Any], groups: int) -> NDArray[Any]:
    """The means [K, D] of at most ``groups`` groups of the points [N, D], the largest group first.

    The best of `STARTS` starts, by the sum of squared distances; fewer groups if there are fewer different points. The
    same points have the same means. O(N D K) for each of `PASSES` passes at most.
    """
    points = np.asarray(points, np.float64)
    source = np.random.default_rng(1)
    results = [_from_start(points, _start(points, groups, source)) for _ in range(STARTS)]
    means, group, _ = min(results, key=lambda result: result[2])
    sizes = np.bincount(group, minlength=len(means))
    return means[np.argsort(-sizes, kind="stable")]


def nearest(points: NDArray[Any], means: NDArray[Any]) -> NDArray[np.int64]:
    """The number of the mean that is nearest to each point [N, D], from 0."""
    return np.asarray(_distances(points, means).argmin(1), np.int64)


def _distances(points: NDArray[Any], means: NDArray[Any]) -> NDArray[Any]:
    """Squared distances [N, K], less |point|², which is the same for all means."""
    return np.asarray((means**2).sum(1) - 2 * points @ means.T)


def _start(points: NDArray[Any], groups: int, source: np.random.Generator) -> NDArray[Any]:
    """Points, each drawn with a probability that grows with its squared distance from those drawn before."""
    chosen = [int(source.integers(len(points)))]
    distances = ((points - points[chosen[0]]) ** 2).sum(1)
    while len(chosen) < groups and distances.any():
        chosen.append(int(source.choice(len(points), p=distances / distances.sum())))
        distances = np.minimum(distances, ((points - points[chosen[-1]]) ** 2).sum(1))
    return points[chosen]


def _from_start(points: NDArray[Any], means: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64], float]:
    """The means, the group of each point, and the sum of squared distances. A group that loses all points stays."""
    group = nearest(points, means)
    for _ in range(PASSES):
        means = np.stack([points[group == k].mean(0) if (group == k).any() else means[k] for k in range(len(means))])
        before, group = group, nearest(points, means)
        if (group == before).all():
            break
    return means, group, float(((points - means[group]) ** 2).sum())
