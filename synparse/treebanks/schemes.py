"""What Penn-style trees are converted to, by name: the dependency schemes, or brackets."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from synparse.treebanks.conversion import Conversion
    from synparse.treebanks.penn import Node

Converter = Callable[["Node"], "Conversion"]
"""From the tree of `synparse.treebanks.penn.nodes_of`, which the converter may change, to dependencies."""


class Scheme(NamedTuple):
    """A dependency scheme: the module (imported when needed) and function to convert.

    reads_functions: whether most relations come from function tags and traces, so that ``raw`` can ignore them. The
    others always read the few that they use: stanford and ud those of adverbials (TMP, ADV), ud gaps (NP=2), too.
    """

    module: str
    function: str = "convert"
    reads_functions: bool = False


SCHEMES = {
    "stanford": Scheme("stanford"),
    "lth2008": Scheme("lth", "convert_2008", True),
    "lth2007": Scheme("lth", "convert_2007", True),
    "penn2malt": Scheme("penn2malt"),
    "ud": Scheme("universal_dependencies"),
}

Target: TypeAlias = Literal["stanford", "lth2008", "lth2007", "penn2malt", "ud", "brackets"]
"""One of `SCHEMES`, or clean brackets."""

SourceFormat: TypeAlias = Literal["brackets", "conllu"]
DependencyFormat: TypeAlias = Literal["conllu", "conllx"]
Engine: TypeAlias = Literal["synparse", "corenlp"]


def load_converter(name: str, raw: bool = False) -> Converter:
    """The converter to one of `SCHEMES`; ``raw`` ignores function tags and traces, if the scheme can."""
    scheme = SCHEMES[name]
    module = importlib.import_module(f"synparse.treebanks.{scheme.module}")
    convert: Callable[..., Conversion] = getattr(module, scheme.function)
    return partial(convert, raw=raw) if scheme.reads_functions else convert
