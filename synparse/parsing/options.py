"""The options of parsing, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

from synparse.config.parsing import DEFAULT, LABEL_KINDS, Default, HeadDecoder, Punctuation, TreeDecoder
from synparse.config.settings import names_in, refuse_unknown
from synparse.inducers.devices import PRECISIONS, Precision
from synparse.trees.errors import SettingError
from synparse.trees.function_words import FUNCTION_WORDS, FunctionWords

OutputFormat: TypeAlias = Literal["conllu", "brackets", "json"]

Labels: TypeAlias = Literal["learned", "none", "induced"]
"""Whether constituents have labels: those learned from given trees, where the model has learned some; or the
nonterminals of a class grammar, and words their classes as tags."""

Tags: TypeAlias = Literal["learned", "none", "classes"]
"""Whether words have tags: those learned from given trees, where the model has learned some; or their classes."""

Confidence: TypeAlias = Literal["none", "raw", "fitted"]
"""Whether arcs and spans get probabilities, and which: those of the models (`synparse.parsing.decoding`), or these
mapped to how often such arcs and spans are right in gold trees (`synparse.trees.calibration`)."""

Kept: TypeAlias = Literal["heads", "brackets"]
"""What of the trees of the input stays; `synparse.parsing.drafts`."""

Relations: TypeAlias = Literal["learned", "none", "channels", "messages"]
"""Whether arcs have relations: those learned from given trees, where the model has learned some; or induced ones, by
which rule of `synparse.parsing.relations`."""

RelationRule: TypeAlias = Literal["channels", "messages"]

By: TypeAlias = Literal["entropy", "errors", "change", "coverage", "random", "length"]
"""What makes a sentence one to annotate next; see `synparse.parsing.selection.score_of`."""

CANDIDATES = 5000
"""Sentences that are parsed, to choose the next ones among: a random sample of a longer text."""

MOST_WORDS = 30
"""Of a sentence to annotate. Longer ones take an annotator long, and parsers of raw text have learned little from
such."""

LOCAL: Final = "local"
"""Given in place of the address of a scheduler: a cluster of processes on this machine."""

PUNCTUATION: tuple[Punctuation, ...] = get_args(Punctuation)

Term: TypeAlias = Literal[
    "punctuation-cues", "phrase-boundaries", "grammars", "class-grammars", "base-phrases", "network-heads"
]
"""What scores consist of, and what can be left out of them: punctuation between words; what words begin and end
phrases; all grammars, so that networks parse alone; of grammars, those of constituents, the base phrases, or the heads
of the networks that they learned from."""

TERMS: tuple[Term, ...] = get_args(Term)
EVIDENCE: Final = "evidence"


@dataclass(frozen=True)
class Request:
    """What is wanted of a parser.

    - ``brackets``, ``heads``: the decoders; ``default``: the parser's own, None: these trees are not wanted.
    - ``labels``: constituents get the nonterminals of the first class grammar (``X``, where the tree is not binary).
    - ``tags``: words get the names of their classes.
    - ``learned``: of ``tags``, ``relations`` and ``constituents``, which get the labels that the model has learned from
      given trees, where it has some; induced ones that are asked for go first.
    - ``confidence``: arcs and spans get probabilities.
    - ``best``: how many trees, the best first, are wanted beside the one.
    - ``keep``: what of the input's own trees stays: ``heads`` of CoNLL-U and JSON, ``brackets`` of bracketed trees and
      JSON. The rest is filled in: the best tree of those that have all that is given.
    - ``flat``: base phrases are flat: no constituents inside. Heads are those of the binary tree.
    - ``distributions``: the probabilities of all heads of each word, whatever the tree.
    - ``least``: drop constituents and mark arcs that are less probable; see `synparse.parsing.parse.Parse.certain`. By
      the probabilities of ``confidence``; without them, by fitted ones.

    Raises SettingError for an unknown choice of ``confidence`` and ``keep``.
    """

    brackets: TreeDecoder | Default | None = DEFAULT
    heads: HeadDecoder | Default | None = DEFAULT
    labels: bool = False
    tags: bool = False
    confidence: Confidence = "none"
    best: int = 0
    least: float | None = None
    keep: tuple[Kept, ...] = ()
    distributions: bool = False
    flat: bool = False
    learned: tuple[str, ...] = LABEL_KINDS

    def __post_init__(self) -> None:
        if unknown := [part for part in self.keep if part not in get_args(Kept)]:
            raise SettingError(f"--keep takes heads and brackets, not {unknown[0]!r}")
        if self.confidence not in get_args(Confidence):
            raise SettingError(f"confidence must be {' or '.join(get_args(Confidence))}, not {self.confidence!r}")

    @property
    def tree_decoder(self) -> TreeDecoder | None:
        """The decoder of brackets of a request that `synparse.parsing.parser.Parser.checked` has returned."""
        assert self.brackets != DEFAULT
        return self.brackets

    @property
    def head_decoder(self) -> HeadDecoder | None:
        """Likewise that of heads."""
        assert self.heads != DEFAULT
        return self.heads


@dataclass(frozen=True)
class ParserOptions:
    """How models are loaded and used for parsing.

    - ``seed``: of the baseline ``random``.
    - ``device``: ``auto``, ``cpu``, ``cuda``, … as PyTorch names them.
    - ``layer``: the layer (from 1) whose distances give the trees, in models with several; None: the model's default.
    - ``precision``: of matrix products; bfloat16 may change a tree if scores are nearly equal.
    - ``punctuation``: ``ignore``, or ``evidence``: use punctuation cues. No effect on models that read punctuation.
    - ``calibration``: a file with the maps of fitted probabilities; None: those of the model directory, or, where it
      has none for such parses, the mean ones of the shipped models.
    - ``content_chain_function_words``: the function words of the baselines ``content-chain`` and
      ``content-chain-back``, as a parser reads them; None: those of all the sentences that are parsed.
    - ``relations``: ``learned``: arcs get those of given trees, where the model has learned some; ``channels`` or
      ``messages``: induced ones, which needs a UDGN that is not packed, and PyTorch; ``none``.
    - ``relation_layer``: the layer (from 1) whose channels are the relations; None: the first.
    - ``without``: `TERMS` that are left out of the scores.
    - ``function_words``: ``free``; ``leaves``: function words have no dependents; or ``adpositions``: none but
      adpositions have. This changes heads, and also brackets that are the subtrees of a projective tree.

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
    relations: Relations = "learned"
    relation_layer: int | None = None
    without: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        for name, known in (
            ("precision", PRECISIONS),
            ("punctuation", (None, *PUNCTUATION)),
            ("function_words", (None, *FUNCTION_WORDS)),
            ("relations", get_args(Relations)),
        ):
            if (choice := getattr(self, name)) not in known:
                raise SettingError(f"{name} must be {' or '.join(filter(None, known))}, not {choice!r}")
        if unknown := [term for term in self.without if term not in TERMS]:
            raise SettingError(f"--without takes {', '.join(TERMS)}; not {unknown[0]!r}")
        if "punctuation-cues" in self.without and self.punctuation == EVIDENCE:
            raise SettingError(f"--punctuation {EVIDENCE} uses the cues that --without punctuation-cues leaves out")
        if self.relation_layer is not None and self.relation_rule is None:
            raise SettingError("--relation-layer needs --relations channels")

    @property
    def relation_rule(self) -> RelationRule | None:
        """The rule of induced relations, if these are wanted."""
        return self.relations if self.relations in ("channels", "messages") else None


Options = TypeVar("Options", Request, ParserOptions)


def changed(options: Options, changes: dict[str, Any]) -> Options:
    """The options with other values for some fields. Raises SettingError for a name that is none of its fields, with
    the nearest one that is, and for an unknown choice."""
    refuse_unknown(changes, names_in(options), "")
    return replace(options, **changes)
