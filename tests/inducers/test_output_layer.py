"""The softmax over candidates against the one over the whole vocabulary."""

import itertools
import math

import pytest
import torch

from synparse.inducers.batch import IGNORED, Batch, Candidates
from synparse.inducers.output_layer import cross_entropy
from synparse.inducers.table import BASELINES, INDUCERS, build
from tests.untrained import NETWORKS

V, M, D = 9, 4, 5
TARGETS = torch.tensor([2, 7, 7, 0])
CERTAIN = {0, 2, 7}


def layer(seed=0, spread=1.0):
    """States, weight and bias with gradients, in double precision."""
    generator = torch.Generator().manual_seed(seed)
    shapes = (M, D), (V, D), (V,)
    return [
        (spread * torch.randn(shape, generator=generator, dtype=torch.float64)).requires_grad_() for shape in shapes
    ]


def candidates(words, inclusion):
    return Candidates(torch.tensor(words), torch.tensor([inclusion[word] for word in words], dtype=torch.float64).log())


def samples():
    """Each set of words that may be drawn beside the targets, with its probability; and those of the words."""
    others = [word for word in range(V) if word not in CERTAIN]
    inclusion = [1.0 if word in CERTAIN else 0.2 + 0.07 * word for word in range(V)]
    for chosen in itertools.product([False, True], repeat=len(others)):
        drawn = {word for word, is_drawn in zip(others, chosen, strict=True) if is_drawn}
        probability = math.prod(inclusion[word] if word in drawn else 1 - inclusion[word] for word in others)
        yield candidates(sorted(CERTAIN | drawn), inclusion), probability


def test_over_all_words_it_is_the_mean_log_probability():
    states, weight, bias = layer()
    logits = states @ weight.t() + bias
    expected = -sum(torch.log_softmax(row, 0)[target] for row, target in zip(logits, TARGETS, strict=True))
    torch.testing.assert_close(cross_entropy(states, TARGETS, weight, bias), expected)


def test_a_sample_that_is_the_whole_vocabulary_changes_nothing_nor_its_gradient():
    results = []
    for among in (None, candidates(range(V), [1.0] * V)):
        parameters = layer()
        total = cross_entropy(parameters[0], TARGETS, *parameters[1:], among)
        results.append([total, *torch.autograd.grad(total, parameters)])
    for sampled, exact in zip(*results, strict=True):
        torch.testing.assert_close(sampled, exact)


def test_the_normalisation_is_right_on_average_over_all_samples():
    states, weight, bias = layer()
    logits = states @ weight.t() + bias
    target_logits = logits.gather(1, TARGETS[:, None]).squeeze(1)
    estimate, whole = torch.zeros(M, dtype=torch.float64), 0.0
    for among, probability in samples():
        whole += probability
        nats = torch.stack(
            [cross_entropy(states[[i]], TARGETS[[i]], weight, bias, among) for i in range(M)]
        )  # log of the sum minus the target's score
        estimate += probability * (nats + target_logits).exp()
    assert whole == pytest.approx(1)
    torch.testing.assert_close(estimate, logits.exp().sum(1))


def test_its_logarithm_is_a_little_low():
    """Jensen's inequality; and the flatter the distribution, the less there is to lose."""
    gaps = []
    for spread in (1.0, 0.1):
        states, weight, bias = layer(spread=spread)
        estimate = sum(p * cross_entropy(states, TARGETS, weight, bias, among) for among, p in samples())
        gaps.append(float((cross_entropy(states, TARGETS, weight, bias) - estimate).detach()) / M)
    assert 0 < gaps[0] < 0.3
    assert 0 < gaps[1] < 0.1


def test_the_gradient_is_that_of_the_loss():
    parameters = layer()
    among = candidates([0, 1, 2, 5, 7], [1.0, 0.3, 1.0, 0.5, 1.0, 0.5, 0.5, 1.0, 1.0])
    assert torch.autograd.gradcheck(lambda s, w, b: cross_entropy(s, TARGETS, w, b, among), parameters)
    cross_entropy(parameters[0], TARGETS, *parameters[1:], among).backward()
    touched = parameters[1].grad.abs().sum(1) > 0
    assert touched.nonzero().squeeze(1).tolist() == [0, 1, 2, 5, 7]


@pytest.mark.parametrize("name", [name for name in (*NETWORKS, *BASELINES) if INDUCERS[name].objective != "tree"])
def test_every_model_predicts_among_the_candidates_it_is_given(name):
    torch.manual_seed(0)
    model = build(name, 30, INDUCERS[name].configuration()).eval()
    words = torch.randint(4, 30, (3, 6))
    targets = words.masked_fill(torch.arange(6) % 2 == 0, IGNORED)
    masked = words.masked_fill(targets != IGNORED, 2)
    batch = Batch(masked, torch.tensor([6, 6, 6]), targets)
    exact = model.loss(batch)
    whole = model.loss(batch._replace(candidates=Candidates(torch.arange(30), torch.zeros(30))))
    few = targets[targets != IGNORED].unique()
    sampled = model.loss(batch._replace(candidates=Candidates(few, torch.zeros(len(few)))))
    torch.testing.assert_close(whole.total, exact.total)
    assert sampled.total < exact.total
    assert exact.predictions == whole.predictions == sampled.predictions == 9
