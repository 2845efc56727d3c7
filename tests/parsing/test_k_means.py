import numpy as np
import pytest

from synparse.parsing.k_means import k_means, nearest


@pytest.fixture(scope="module")
def points():
    """Three heaps around three corners, of 30, 20 and 10 points."""
    source = np.random.default_rng(1)
    corners = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], [10, 30, 20], axis=0)
    return corners + source.normal(size=corners.shape)


def test_heaps_are_found_the_largest_first(points):
    means = k_means(points, 3)
    expected = [points[10:40].mean(0), points[40:].mean(0), points[:10].mean(0)]
    np.testing.assert_allclose(means, expected)
    assert nearest(points, means).tolist() == [2] * 10 + [0] * 30 + [1] * 20
    assert np.array_equal(k_means(points, 3), means)


def test_each_mean_is_that_of_the_points_nearest_to_it(points):
    means = k_means(points, 7)
    group = nearest(points, means)
    distances = ((points[:, None] - means) ** 2).sum(2)
    assert (distances[np.arange(len(points)), group] == distances.min(1)).all()
    np.testing.assert_allclose(means, [points[group == k].mean(0) for k in range(7)])


def test_there_are_no_more_groups_than_different_points():
    assert k_means(np.array([[1.0], [1.0], [2.0]]), 5).tolist() == [[1.0], [2.0]]
    assert k_means(np.ones((4, 2)), 2).tolist() == [[1.0, 1.0]]
