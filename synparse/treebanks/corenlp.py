"""The user's own CoreNLP as a converter, through Stanza, to compare with the conversions of this package."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
from typing import Any

from synparse.files.extras import needing
from synparse.treebanks.conversion import Conversion
from synparse.treebanks.penn import Node, without_traces
from synparse.trees.errors import DataError


def convert(root: Node) -> Conversion:
    """Basic Universal Dependencies by CoreNLP. Changes ``root``; call `require` first."""
    from stanza.models.constituency.parse_tree import Tree
    from stanza.protobuf import DependencyConverterRequest
    from stanza.server.java_protobuf_requests import build_tree

    built: dict[Node, Any] = {}
    for node in without_traces(root).bottom_up():
        below = [Tree(node.word)] if node.is_word else [built.pop(child) for child in node.children]
        built[node] = Tree(node.label, below)
    request = DependencyConverterRequest()
    request.trees.append(build_tree(built[root], None))
    [answer] = _converter().process_request(request).conversions
    heads = [0] * len(root.leaves())
    relations = ["root"] * len(heads)
    for edge in answer.graph.edge:
        heads[edge.target - 1], relations[edge.target - 1] = edge.source, edge.dep
    return Conversion(tuple(heads), tuple(relations))


def require() -> None:
    """Raises DataError if Java, CoreNLP or Stanza is missing."""
    if shutil.which("java") is None:
        raise DataError("--engine corenlp needs Java, and there is none on the PATH")
    if not os.environ.get("CORENLP_HOME"):
        raise DataError("--engine corenlp needs CoreNLP: set CORENLP_HOME to the folder with its .jar files")
    with needing("--engine corenlp needs Stanza", "stanza"):
        import stanza.server.dependency_converter  # noqa: F401


@functools.cache
def _converter() -> Any:
    """The Java process, which runs as long as this process."""
    from stanza.server.dependency_converter import DependencyConverter

    converter = DependencyConverter()
    converter.__enter__()
    atexit.register(converter.__exit__, None, None, None)
    return converter
