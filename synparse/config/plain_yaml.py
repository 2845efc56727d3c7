"""The part of YAML that settings need: mappings with text for keys, lists, text, numbers, true, false and null.

Refuses the rest where it could do harm (aliases, which make a small file a huge value; tags, which name types of
Python; very deep nesting; numbers of a million digits) or hide a mistake (a key that appears twice). Dates are text.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from synparse.trees.errors import DataError, unreadable
from synparse.trees.limits import DEEPEST, LARGEST_SETTINGS, LONGEST_NUMBER, MOST_VALUES

_SCALARS = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float")}
_NUMBERS = {f"tag:yaml.org,2002:{name}" for name in ("int", "float")}


def read_plain_yaml(path: Path) -> object:
    """The value in a file.

    Raises DataError(file:line) where the file cannot be read, is larger than `LARGEST_SETTINGS`, or is no plain YAML.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_SETTINGS + 1)
    except OSError as error:
        raise unreadable(str(path), error) from None
    if len(content) > LARGEST_SETTINGS:
        raise DataError(f"larger than {LARGEST_SETTINGS} bytes, which no settings need", str(path))
    try:
        return plain_yaml(content.decode("utf-8"), str(path))
    except UnicodeDecodeError:
        raise DataError("not YAML: not UTF-8", str(path)) from None


def plain_yaml(text: str, source: str = "") -> object:
    """The value in a YAML text. Raises DataError(source:line) where it is no plain YAML."""
    try:
        return _Loader(text).get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "; ".join(str(error).splitlines())
        raise DataError(f"not YAML: {problem}", source, mark.line + 1 if mark else None) from None
    except (ValueError, OverflowError) as error:  # an escape for no character (\Uffffffff), no number (0b_)
        raise DataError(f"not YAML: {error}", source) from None


def lines_of_key(text: str, key: str) -> list[int]:
    """The lines of a plain YAML text, from 1, where a mapping at any depth has this key."""
    lines: list[int] = []
    nodes = [_Loader(text).get_single_node()]
    for node in nodes:
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            lines += [name.start_mark.line + 1 for name, _ in node.value if name.value == key]
            nodes += [value for _, value in node.value]
    return sorted(lines)


class _Loader(yaml.SafeLoader):
    """The safe loader with the refusals above. Python's own, not libyaml's: it asks `compose_node` for every value."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the name and type are PyYAML's
        first: [(tag, pattern) for tag, pattern in resolvers if tag in _SCALARS]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.values = self.depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refusal("aliases are not read; write the value out", event.start_mark)
        if event.tag is not None:
            raise _refusal(f"tags are not read: {event.tag}", event.start_mark)
        if self.depth == DEEPEST:
            raise _refusal(f"nested more than {DEEPEST} deep", event.start_mark)
        if self.values == MOST_VALUES:
            raise _refusal(f"more than {MOST_VALUES} values", event.start_mark)
        self.values += 1
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.ScalarNode):
            node.value = node.value.encode(errors="replace").decode()  # half a surrogate pair cannot be printed
            if node.tag in _NUMBERS and len(node.value) > LONGEST_NUMBER:
                raise _refusal(f"a number of more than {LONGEST_NUMBER} digits", node.start_mark)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set[str]()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                raise _refusal("a key that is no text; put it in quotes", key.start_mark)
            if key.value in seen:
                raise _refusal(f"the key {key.value!r} appears twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _refusal(problem: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
