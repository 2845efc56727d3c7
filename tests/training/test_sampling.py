import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers.batch import IGNORED, Batch
from synparse.training.sampling import FLATTENING, inclusion_probabilities, with_candidates

WORDS = torch.tensor([[40, 7, 199], [7, 90, 0]])
BATCH = Batch(
    WORDS, torch.tensor([3, 2]), WORDS.masked_fill(torch.tensor([[False, True, False], [False] * 2 + [True]]), IGNORED)
)
WANTED = [7, 40, 90, 199]


@given(st.integers(1, 3000), st.integers(1, 4000))
def test_as_many_words_are_expected_as_were_asked_for_and_frequent_ones_more_often(size, expected):
    inclusion = inclusion_probabilities(size, expected)
    assert inclusion.shape == (size,)
    assert float(inclusion.double().sum()) == pytest.approx(min(size, expected), rel=1e-4)
    assert float(inclusion.min()) > 0
    assert float(inclusion.max()) <= 1
    assert (inclusion.diff() <= 0).all()
    rare = inclusion[inclusion < 1]
    if len(rare) > 1:
        first = size - len(rare) + 1
        assert float(rare[-1] / rare[0]) == pytest.approx((first / size) ** FLATTENING, rel=1e-3)


def test_targets_are_certain_and_the_others_bring_their_probability():
    inclusion = inclusion_probabilities(200, 50)
    words, log_inclusion = with_candidates(BATCH, inclusion, (1, 1, 0)).candidates
    assert words.tolist() == sorted(set(words.tolist()) | set(WANTED))
    for word, log_probability in zip(words.tolist(), log_inclusion.tolist(), strict=True):
        expected = 1.0 if word in WANTED else float(inclusion[word])
        assert log_probability == pytest.approx(float(torch.tensor(expected).log()))
    assert 0.0 not in log_inclusion[~torch.isin(words, torch.tensor(WANTED)) & (words > 20)]


def test_words_are_drawn_as_often_as_their_probability_says():
    inclusion, draws = inclusion_probabilities(200, 50), 2000
    counts = torch.zeros(200)
    for step in range(draws):
        counts[with_candidates(BATCH, inclusion, (3, 1, step)).candidates.words] += 1
    counts[WANTED] = inclusion[WANTED] * draws
    spread = (inclusion * (1 - inclusion) / draws).sqrt()
    assert ((counts / draws - inclusion).abs() <= 5 * spread).all()


def test_a_draw_depends_on_its_place_alone_and_all_words_may_be_drawn():
    inclusion = inclusion_probabilities(200, 50)
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first, again, other = (
        with_candidates(BATCH, inclusion, position).candidates for position in ((1, 2, 3), (1, 2, 3), (1, 2, 4))
    )
    assert torch.equal(torch.get_rng_state(), before)
    assert first.words.tolist() == again.words.tolist() != other.words.tolist()
    everything = with_candidates(BATCH, inclusion_probabilities(200, 200), (1, 1, 1)).candidates
    assert everything.words.tolist() == list(range(200))
    assert everything.log_inclusion.count_nonzero() == 0
