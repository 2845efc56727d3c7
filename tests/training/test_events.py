import signal
from pathlib import Path

import pytest

from synparse.training.events import TrainingResult, rounded, what_is_kept


@pytest.mark.parametrize(("measure", "expected"), [("perplexity", 12.35), ("accuracy", 12.3457), ("spearman", 12.3457)])
def test_scores_have_as_many_digits_as_they_are_worth(measure, expected):
    assert rounded(measure, 12.345678) == expected
    assert rounded(measure, 12.345678, 1) == round(12.345678, 3 if measure == "perplexity" else 5)


def test_what_is_kept_is_told():
    assert what_is_kept(Path("model"), "perplexity", None) == "this run has no model yet"
    expected = "the best model so far (perplexity 12.35) is in model"
    assert what_is_kept(Path("model"), "perplexity", 12.345678) == expected


def test_a_signal_is_an_interruption():
    values = (Path("model"), "perplexity", 1.0, 1, 1, 1.0)
    assert TrainingResult(*values, signal.SIGINT, True).interrupted
    assert not TrainingResult(*values, None, False).interrupted
