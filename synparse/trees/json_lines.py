"""Trees as JSON, one object per line, as ``synparse parse --format json`` writes them.

    {"sent_id": "1", "text": "the dog barked", "tokens": ["the", "dog", "barked"],
     "constituents": [[0, 3], [0, 2]], "heads": [2, 3, 0], …}

Constituents are spans of tokens counted from 0 (start, end), heads are counted from 1 (0 = root); either may be null,
and so may the heads of single tokens, which are then not known (`synparse.parsing.drafts`). Where they are asked for,
there are "labels", one for each constituent, and "tags" and "relations", one for each token ("_" or "" for none). Where
the "text" is not the tokens with blanks between them, "offsets" say where each begins and ends in it, in characters;
the words of a multiword token share theirs.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, NamedTuple, TypeVar

from synparse.trees.conllu import NOT_IN_FORMS, UNKNOWN, SurfaceToken, offsets_of
from synparse.trees.constituency import ConstituencyTree, induced_tree
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_JSON_LINE

Value = TypeVar("Value")

_KEYS = frozenset(
    "sent_id text tokens constituents heads read distances heights offsets labels tags relations span_probabilities "
    "head_probabilities head_distributions uncertain n_best log_probability entropy expected_errors".split()
)
"""All that ``parse`` writes, anew for other trees."""

# What no tag, relation or label has in it.
_NO_NAME = re.compile(r"[\0\s\ud800-\udfff]")


class TreesOfLine(NamedTuple):
    """The tokens of a line with their constituents, labels and tags included, and heads, None for null. Heads are a
    tree, unless some of them are not known. ``text``: "" where there is none; ``surface``: the tokens as they are
    written there, by their offsets or, without any, if these are the text but for blanks; ``tags``, ``relations``: of
    the tokens, None where there are none; ``sent_id``: "" where there is none; ``others``: what has keys that ``parse``
    does not write."""

    tokens: tuple[str, ...]
    tree: ConstituencyTree | None
    heads: tuple[int | None, ...] | None
    text: str = ""
    surface: tuple[SurfaceToken, ...] = ()
    tags: tuple[str, ...] | None = None
    relations: tuple[str, ...] | None = None
    sent_id: str = ""
    others: Mapping[str, Any] = {}


def read_json_lines(lines: Iterable[str], source: str) -> Iterator[TreesOfLine]:
    """The trees of a file, streamed; blank lines are ignored. Raises as `read_objects`."""
    return read_objects(lines, source, trees_of_object)


def read_objects(lines: Iterable[str], source: str, read: Callable[[Any], Value]) -> Iterator[Value]:
    """What ``read`` makes of the object on each line, streamed; blank lines are ignored.

    Raises DataError(source:line) if a line is longer than `LONGEST_JSON_LINE`, is not JSON, or ``read`` raises
    ValueError, TypeError or OverflowError.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_JSON_LINE:
            raise DataError(f"a line of more than {LONGEST_JSON_LINE} characters", source, number)
        try:
            yield read(json.loads(line))
        except RecursionError:
            raise DataError("not what `parse --format json` writes: nested too deeply", source, number) from None
        except json.JSONDecodeError as error:
            raise DataError(
                f"not JSON with an object on each line ({error}): jq -c . writes it", source, number
            ) from None
        except (ValueError, TypeError, OverflowError) as error:
            what = str(error) if type(error) is ValueError else "a value of another kind"
            raise DataError(f"not what `parse --format json` writes: {what}", source, number) from None


def trees_of_object(value: Any) -> TreesOfLine:
    """The tokens and trees of one object. Raises ValueError if they are missing or malformed."""
    if not isinstance(value, dict):
        raise ValueError("not an object; write one on each line (of a list: jq -c '.[]')")
    tokens: Any = value.get("tokens")
    spans: Any = value.get("constituents")
    heads: Any = value.get("heads")
    if tokens is None and isinstance(value.get("text"), str):
        raise ValueError("text without tokens; write the text alone, a sentence a line (jq -r .text)")
    if not _is_list_of(str, tokens) or not all(tokens) or any(map(NOT_IN_FORMS.search, tokens)):
        raise ValueError("tokens must be a list of words")
    tags, relations = (_names_of(value, key, len(tokens)) for key in ("tags", "relations"))
    tree = None
    if spans is not None:
        if not isinstance(spans, list) or not all(_is_list_of(int, span) and len(span) == 2 for span in spans):
            raise ValueError("constituents must be a list of starts and ends")
        tree = induced_tree(
            tokens,
            [(start, end) for start, end in spans],
            tags and ["" if tag == UNKNOWN else tag for tag in tags],
            _names_of(value, "labels", len(spans)),
        )
    if heads is not None:
        if not _is_list_of((int, NoneType), heads) or len(heads) != len(tokens):
            raise ValueError("heads must be a list of numbers, one for each token")
        if None not in heads and (fault := fault_of_heads(heads)):
            raise ValueError(fault)
    text: Any = value.get("text") or ""
    if not isinstance(text, str):
        raise ValueError("text must be a string")
    offsets: Any = value.get("offsets")
    if offsets is None and text != " ".join(tokens):  # written by other programs, whose tokens are in the text
        pairs = offsets_of([SurfaceToken(token) for token in tokens], text)
        offsets = pairs and [list(pair) for pair in pairs]
    surface = _surface(text, offsets, len(tokens))
    others = {key: other for key, other in value.items() if key not in _KEYS}
    json.dumps(others, allow_nan=False)  # Python reads NaN and infinity, but JSON has no such numbers
    heads = None if heads is None else tuple(heads)
    return TreesOfLine(tuple(tokens), tree, heads, text, surface, tags, relations, sent_id_of(value), others)


def sent_id_of(value: Mapping[str, Any]) -> str:
    """The number or name of the sentence of an object, "" where there is none. Raises ValueError for another value."""
    sent_id = value.get("sent_id")
    if not isinstance(sent_id, str | int | float | None):
        raise ValueError("sent_id must be a string or a number")
    return "" if sent_id is None else str(sent_id)  # 0 is a number, too


def _surface(text: str, offsets: Any, count: int) -> tuple[SurfaceToken, ...]:
    """The tokens at these offsets of a text; none where there are no offsets. Raises ValueError if they are not those
    of ``count`` words, left to right."""
    if offsets is None:
        return ()
    if (
        not isinstance(offsets, list)
        or len(offsets) != count
        or not all(_is_list_of(int, pair) and len(pair) == 2 for pair in offsets)
    ):
        raise ValueError(f"offsets must be a list of {count} starts and ends")
    spans = [(*span, len(list(words))) for span, words in itertools.groupby(map(tuple, offsets))]
    starts = [start for start, _, _ in spans[1:]] + [len(text)]
    surface = []
    for (start, end, words), following in zip(spans, starts, strict=True):
        form, after = text[start:end], text[end:following]
        if not 0 <= start < end <= following or NOT_IN_FORMS.search(form) or after.strip():
            raise ValueError(f"no token of the text at the offsets {start}, {end}")
        surface.append(SurfaceToken(form, words, bool(after) or end == len(text)))
    return tuple(surface)


def _names_of(value: dict[str, Any], key: str, count: int) -> tuple[str, ...] | None:
    """The tags, relations or labels of an object, None if it has none. Raises ValueError if there is not one name for
    each."""
    names: Any = value.get(key)
    if names is None:
        return None
    if not _is_list_of(str, names) or len(names) != count or any(map(_NO_NAME.search, names)):
        raise ValueError(f"{key} must be a list of {count} names without blanks (_ where there is none)")
    return tuple(names)


def _is_list_of(kinds: type | tuple[type, ...], value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, kinds) and type(entry) is not bool for entry in value)
