"""What random starts are judged by."""

import pytest

from synparse.training.starts import agreement_of_heads

SENTENCES = [("the", "old", "dog"), ("cats", "sleep"), ("Yes",), ()]


def test_words_agree_that_have_the_same_head():
    # Each word depends on the next one, or on the one before; the root of one word is the same.
    assert agreement_of_heads("chain", "chain", SENTENCES) == 1
    assert agreement_of_heads("chain", "content-chain-back", SENTENCES) == pytest.approx(1 / 6)
    assert agreement_of_heads("chain", "chain", [()]) == 1
