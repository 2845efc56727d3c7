from math import inf

import pytest

from synparse.training.save_every import TEN_MINUTES, SaveEvery, save_every
from synparse.trees.errors import SettingError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500", SaveEvery(500, inf)),
        (500, SaveEvery(500, inf)),
        (TEN_MINUTES, TEN_MINUTES),
        ("90s", SaveEvery(inf, 90.0)),
        ("10m", SaveEvery(inf, 600.0)),
        ("1.5m", SaveEvery(inf, 90.0)),
        ("1h", SaveEvery(inf, 3600.0)),
    ],
)
def test_updates_or_a_time(text, expected):
    assert save_every(text) == expected


@pytest.mark.parametrize("text", ["", "0", "-3", "0m", "-1h", "1.5", "m", "ten", "10d", "nans", "10 %"])
def test_other_texts_are_refused(text):
    with pytest.raises(SettingError, match=r"takes updates \(500\) or time \(90s, 10m, 1h\), not"):
        save_every(text)


@pytest.mark.parametrize(
    ("every", "steps", "seconds", "is_due"),
    [
        (TEN_MINUTES, 10**6, 599.9, False),
        (TEN_MINUTES, 1, 600.0, True),
        (SaveEvery(5, inf), 4, 10.0**6, False),
        (SaveEvery(5, inf), 5, 0.0, True),
        (SaveEvery(5, 60.0), 4, 60.0, True),
        (SaveEvery(inf, inf), 10**6, 10.0**6, False),
    ],
)
def test_a_save_is_due_after_either(every, steps, seconds, is_due):
    assert every.is_due(steps, seconds) == is_due
