"""Parses as a table of pandas, which is imported here only."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from synparse.parsing.parse import Parse
from synparse.trees.errors import DataError

if TYPE_CHECKING:
    import pandas

COLUMNS = {"tag": "tags", "head": "heads", "relation": "relations", "head_probability": "head_probabilities"}
"""The columns of what a parse may have of each word, with its fields of a `Parse`."""


def to_frame(parses: Parse | Iterable[Parse]) -> pandas.DataFrame:
    """A ``pandas.DataFrame`` with a row for each token.

    The columns ``sentence`` and ``position`` count from 1; ``word`` is the token, and ``read`` says whether the model
    read it. ``tag``, ``head`` (0 = root), ``relation`` and ``head_probability`` are there if a parse has them.

    Raises DataError if pandas is not installed, TypeError for what is no parse.
    """
    try:
        import pandas
    except ImportError:
        raise DataError("to_frame needs pandas: pip install pandas") from None
    parses = [parses] if isinstance(parses, Parse) else list(parses)
    if others := [parse for parse in parses if not isinstance(parse, Parse)]:
        raise TypeError(f"to_frame takes a Parse or an iterable of them, not {type(others[0]).__name__}")
    table: dict[str, list[Any]] = {
        "sentence": [number for number, parse in enumerate(parses, 1) for _ in parse.tokens],
        "position": [position for parse in parses for position, _ in enumerate(parse.tokens, 1)],
        "word": [token for parse in parses for token in parse.tokens],
        "read": [is_read for parse in parses for is_read in parse.read],
    }
    for column, field in COLUMNS.items():
        if any(getattr(parse, field) is not None for parse in parses):
            values = (getattr(parse, field) or (None,) * len(parse.tokens) for parse in parses)
            table[column] = list(chain.from_iterable(values))
    return pandas.DataFrame(table)
