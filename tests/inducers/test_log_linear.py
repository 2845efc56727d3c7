import numpy as np

from synparse.inducers import log_linear
from synparse.inducers.log_linear import LogLinear, learned, predicted, rows_of

WORDS = [("3=ing", "s=a"), ("3=ing", "s=A"), ("3=dog", "s=a"), ("3=dog", "s=A")]


def test_what_the_features_tell_is_learned():
    model = learned(WORDS, ["VERB", "NAME", "NOUN", "NAME"], 1)
    assert model.names == ("NAME", "NOUN", "VERB")
    assert predicted(model, reversed(WORDS)) == ["NAME", "NOUN", "NAME", "VERB"]
    assert predicted(model, [("3=new", "s=A")]) == ["NAME"]  # a feature that was never seen says nothing
    assert predicted(model, []) == []
    again = learned(WORDS, ["VERB", "NAME", "NOUN", "NAME"], 1)
    assert np.array_equal(model.weights, again.weights)
    assert len(model.weights) == 16  # the least power of two that is four times the four features


def test_predictions_are_the_largest_sums_of_weights(monkeypatch):
    monkeypatch.setattr(log_linear, "CHUNK", 3)
    source = np.random.default_rng(1)
    model = LogLinear(("a", "b", "c"), source.standard_normal((8, 3)).astype(np.float32))
    examples = [(f"x={number}", f"y={number % 3}", "bias") for number in range(10)]
    sums = [sum(model.weights[row] for row in rows) for rows in rows_of(examples, 8).tolist()]
    assert predicted(model, examples) == [model.names[int(np.argmax(values))] for values in sums]


def test_an_update_follows_the_gradient():
    """The first step of AdaGrad is as long as its rate, against the sign of the gradient."""
    weights, squares = np.zeros((4, 2)), np.full((4, 2), 1e-8)
    log_linear._update(weights, squares, np.array([[0, 2], [2, 2]]), np.array([1, 1]))
    expected = np.array([[-1, 1], [0, 0], [-1, 1], [0, 0]]) * log_linear.RATE
    assert np.allclose(weights, expected, atol=1e-6)
    assert np.allclose(squares, np.array([[0.25, 0.25], [0, 0], [2.25, 2.25], [0, 0]]) + 1e-8)
