"""The options of parsing, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from synparse.config.parsing import HeadDecoder, Punctuation, TreeDecoder
from synparse.inducers.devices import PRECISIONS, Precision
from synparse.trees.errors import SettingError
from synparse.trees.function_words import FUNCTION_WORDS, FunctionWords

OutputFormat: TypeAlias = Literal["conllu", "brackets", "json"]

Labels: TypeAlias = Literal["none", "induced"]
"""Whether constituents have the nonterminals of a class grammar as labels, and words their classes as tags."""

Tags: TypeAlias = Literal["none", "classes"]
"""Whether words have their classes as tags."""

Confidence: TypeAlias = Literal["none", "raw", "fitted"]
"""Whether arcs and spans get probabilities, and which: those of the models (`synparse.parsing.decoding`), or these
mapped to how often such arcs and spans are right in gold trees (`synparse.trees.calibration`)."""

Relations: TypeAlias = Literal["none", "channels", "messages"]
"""Whether arcs have relations, and by which rule of `synparse.parsing.relations`."""

LOCAL: Final = "local"
"""Given in place of the address of a scheduler: a cluster of processes on this machine."""

DECODERS: tuple[str, ...] = tuple(dict.fromkeys((*get_args(HeadDecoder), *get_args(TreeDecoder))))
PUNCTUATION: tuple[Punctuation, ...] = get_args(Punctuation)
EVIDENCE: Final = "evidence"


@dataclass(frozen=True)
class ParserOptions:
    """How models are loaded and used for parsing.

    - ``seed``: of the baseline ``random``.
    - ``device``: ``auto``, ``cpu``, ``cuda``, … as PyTorch names them.
    - ``layer``: the layer (from 1) whose distances give the trees, in models with several; None: the model's default.
    - ``precision``: of matrix products; bfloat16 may change a tree if scores are nearly equal.
    - ``punctuation``: ``ignore``, or ``evidence``: use punctuation cues. No effect on models that read punctuation.
    - ``calibration``: a file with the maps of fitted probabilities; None: those of the model directory.
    - ``content_chain_function_words``: the function words of the baselines ``content-chain`` and
      ``content-chain-back``, as a parser reads them; None: those of all the sentences that are parsed.
    - ``relations``: ``channels`` or ``messages``: arcs get relations, which needs a UDGN that is not packed, and
      PyTorch; ``none``.
    - ``relation_layer``: the layer (from 1) whose channels are the relations; None: the first.
    - ``function_words``: ``free``, or ``leaves``: function words have no dependents. This changes heads, and also
      brackets that are the subtrees of a projective tree.

    If ``punctuation`` or ``function_words`` is None, models use what their directories record
    (`synparse.config.parsing.ParsingConfig`), if all of them record the same, else ``ignore`` and ``free``. Baselines
    follow the others. Raises SettingError for an unknown choice.
    """

    seed: int = 1
    device: str = "auto"
    layer: int | None = None
    precision: Precision = "float32"
    punctuation: Punctuation | None = None
    function_words: FunctionWords | None = None
    calibration: str | None = None
    content_chain_function_words: frozenset[str] | None = None
    relations: Relations = "none"
    relation_layer: int | None = None

    def __post_init__(self) -> None:
        for name, known in (
            ("precision", PRECISIONS),
            ("punctuation", (None, *PUNCTUATION)),
            ("function_words", (None, *FUNCTION_WORDS)),
            ("relations", get_args(Relations)),
        ):
            if (choice := getattr(self, name)) not in known:
                raise SettingError(f"{name} must be {' or '.join(filter(None, known))}, not {choice!r}")
        if self.relation_layer is not None and self.relations == "none":
            raise SettingError("--relation-layer chooses the channels of --relations channels; add it")
