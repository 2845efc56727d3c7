"""How sentences are parsed: everything that can be chosen, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from synparse.inducers.devices import PRECISIONS, Precision
from synparse.trees.errors import SettingError
from synparse.trees.function_words import FUNCTION_WORDS, FunctionWords

TreeDecoder: TypeAlias = Literal["unbiased", "published", "boundaries", "projective"]
"""Split at the largest distance first; the split that ON-LSTM was published with; the phrases that the words at their
boundaries make probable (`synparse.trees.phrase_boundaries`); the subtrees of the projective tree."""

HeadDecoder: TypeAlias = Literal["mst", "argmax", "projective", "joint", "boundaries"]
"""Single-root maximum spanning tree over the head scores; best head of each word, made a tree; best projective tree;
heads from the constituency tree and the heights; the best heads of the phrases of the decoder ``boundaries``."""

Punctuation: TypeAlias = Literal["ignore", "evidence"]
"""What the punctuation that a model does not read is to its scores; see `synparse.trees.punctuation_cues`."""

OutputFormat: TypeAlias = Literal["conllu", "brackets", "json"]

LOCAL: Final = "local"
"""In place of the address of a cluster's scheduler: processes of this machine."""

DECODERS: tuple[str, ...] = tuple(dict.fromkeys((*get_args(HeadDecoder), *get_args(TreeDecoder))))
PUNCTUATION: tuple[Punctuation, ...] = get_args(Punctuation)
EVIDENCE: Final = "evidence"


@dataclass(frozen=True)
class ParserOptions:
    """How models are loaded and parse.

    seed: of the trivial parser ``random``.
    device: ``auto``, ``cpu``, ``cuda``, … as PyTorch names them.
    layer: the layer (from 1) that trees are read from, where a model has several; None is the model's own.
    precision: of the matrix products; bfloat16 may change a tree where scores are nearly equal.
    punctuation: ``ignore``, or ``evidence``, which changes nothing for models that read punctuation.
    function_words: ``free``, or ``leaves``: function words have no dependents. It changes heads, and with them brackets
        that are the subtrees of a projective tree.

    Where ``punctuation`` or ``function_words`` is None, a directory of several models decides that is parsed with
    alone; otherwise they are ``ignore`` and ``free``. Raises SettingError for an unknown choice.
    """

    seed: int = 1
    device: str = "auto"
    layer: int | None = None
    precision: Precision = "float32"
    punctuation: Punctuation | None = None
    function_words: FunctionWords | None = None

    def __post_init__(self) -> None:
        for name, known in (
            ("precision", PRECISIONS),
            ("punctuation", (None, *PUNCTUATION)),
            ("function_words", (None, *FUNCTION_WORDS)),
        ):
            if (choice := getattr(self, name)) not in known:
                raise SettingError(f"{name} must be {' or '.join(filter(None, known))}, not {choice!r}")
