"""Parses as a table. Pandas need not be here: what it is given is a table already."""

import sys
from types import SimpleNamespace

import pytest

import synparse
from synparse.parsing.frames import to_frame
from synparse.trees.errors import DataError


@pytest.fixture
def pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))


@pytest.mark.usefixtures("pandas")
def test_a_row_is_a_word():
    parses = synparse.load("chain").parse("the dog , too\n\nhello")
    assert synparse.to_frame(iter(parses)) == {
        "sentence": [1, 1, 1, 1, 3],
        "position": [1, 2, 3, 4, 1],
        "word": ["the", "dog", ",", "too", "hello"],
        "read": [True, True, False, True, True],
        "head": [2, 4, 4, 0, 0],
    }
    assert to_frame(parses[2]) == {"sentence": [1], "position": [1], "word": ["hello"], "read": [True], "head": [0]}


@pytest.mark.usefixtures("pandas")
def test_what_a_parse_lacks_is_empty_beside_others():
    parser = synparse.load("english")
    [with_tags, without] = [*parser.parse("it barks", tags=True), *parser.parse("hello", heads=None)]
    frame = to_frame([with_tags, without])
    assert frame["tag"] == [*with_tags.tags, None]
    assert frame["head"] == [*with_tags.heads, None]
    assert "relation" not in frame


def test_real_pandas_takes_it():
    pandas = pytest.importorskip("pandas", reason="no pandas here: pip install pandas")
    frame = to_frame(synparse.load("chain").parse("the dog barks"))
    assert isinstance(frame, pandas.DataFrame)
    assert frame.shape == (3, 5)


def test_without_pandas_one_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(DataError, match=r"^to_frame needs pandas: pip install pandas$"):
        to_frame([])


@pytest.mark.usefixtures("pandas")
def test_what_is_no_parse_is_told():
    with pytest.raises(TypeError, match=r"^to_frame takes a Parse or an iterable of them, not str$"):
        to_frame(["the dog"])
