"""The options of parsing, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

from synparse.config.parsing import DEFAULT, LABEL_KINDS, Default, HeadDecoder, Punctuation, TreeDecoder
from synparse.config.settings import names_in, refuse_unknown
from synparse.inducers.devices import PRECISIONS, Precision
from synparse.trees.arguments import Name, names_given, number_given
from synparse.trees.errors import SettingError, check_choice
from synparse.trees.function_words import FUNCTION_WORDS, FunctionWords

OutputFormat: TypeAlias = Literal["conllu", "brackets", "json"]

Labels: TypeAlias = Literal["learned", "none", "induced"]
"""The labels of constituents: those that the model has learned from given trees, if any; none; or the nonterminals of
a class grammar, with word classes as the tags of words."""

Tags: TypeAlias = Literal["learned", "none", "classes"]
"""The tags of words: those that the model has learned from given trees, if any; none; or word classes."""

Confidence: TypeAlias = Literal["none", "raw", "fitted"]
"""The probabilities of arcs and spans: none; those of the models (`synparse.parsing.decoding`); or these, calibrated on
gold trees (`synparse.trees.calibration`)."""

Kept: TypeAlias = Literal["heads", "brackets"]
"""Which trees of the input are kept; see `synparse.parsing.drafts`."""

Relations: TypeAlias = Literal["learned", "none", "channels", "messages"]
"""The relations of arcs: those that the model has learned from given trees, if any; none; or induced relations, by one
of the rules of `synparse.parsing.relations`."""

RelationRule: TypeAlias = Literal["channels", "messages"]

By: TypeAlias = Literal["entropy", "errors", "change", "coverage", "random", "length"]
"""The criterion by which sentences are selected for annotation; see `synparse.parsing.selection.score_of`."""

CANDIDATES = 5000
"""Number of sentences that are parsed to select among; of a longer text, a random sample."""

MOST_WORDS = 30
"""Maximal length of a sentence to annotate. Longer sentences take much work, and unsupervised parsers learn little from
them."""

LOCAL: Final = "local"
"""In place of the address of a scheduler: a cluster of processes on this machine."""

PUNCTUATION: tuple[Punctuation, ...] = get_args(Punctuation)

Term: TypeAlias = Literal[
    "punctuation-cues",
    "phrase-boundaries",
    "grammars",
    "class-grammars",
    "focused-grammars",
    "base-phrases",
    "network-heads",
]
"""The terms of the scores that can be left out: punctuation cues; the probabilities that words begin and end phrases;
all grammars, so that networks parse alone; or, of the grammars, the class grammars, the focused ones alone, the base
phrases, or the heads of the networks from which they learned."""

TERMS: tuple[Term, ...] = get_args(Term)
EVIDENCE: Final = "evidence"


MOST_TREES = 100
"""The most trees of one sentence."""


@dataclass(frozen=True)
class Request:
    """What a parser is asked to predict.

    - ``brackets``, ``heads``: the decoders. ``default``: those of the parser; None: do not predict such trees.
    - ``labels``: label constituents with the nonterminals of the first class grammar (``X`` if the tree is not binary).
    - ``tags``: tag words with the names of their classes.
    - ``learned``: which of ``tags``, ``relations`` and ``constituents`` get labels that the model has learned from
      given trees, if any. Requested induced labels take precedence.
    - ``confidence``: the kind of probabilities of arcs and spans.
    - ``best``: number of best trees in `Parse.best`, the best one first.
    - ``keep``: which trees of the input are kept: ``heads`` (CoNLL-U, JSON) or ``brackets`` (bracketed trees, JSON).
      The result is the best tree that contains all that is given.
    - ``flat``: base phrases have no constituents inside, and no constituent begins or ends with a conjunction. Heads
      are those of the binary tree.
    - ``distributions``: also return the probabilities of all possible heads of each word.
    - ``least``: drop constituents, and mark arcs, with a lower probability; see `synparse.parsing.parse.Parse.certain`.
      Uses the probabilities of ``confidence``, or fitted ones if these are ``none``.

    Raises SettingError for an unknown value, and for ``best`` or ``least`` out of range.
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
        _as_tuples(self, "keep", "learned")
        if unknown := [part for part in self.keep if part not in get_args(Kept)]:
            raise SettingError(f"--keep takes heads and brackets, not {unknown[0]!r}")
        for kind in self.learned:
            if kind not in LABEL_KINDS:
                raise SettingError(f"learned takes {', '.join(LABEL_KINDS)}; not {kind!r}")
        for name in ("labels", "tags", "distributions", "flat"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} must be True or False, not {getattr(self, name)!r}")
        check_choice("confidence", self.confidence, get_args(Confidence))
        object.__setattr__(self, "best", number_given("--n-best", self.best, 0, MOST_TREES))
        if self.least is not None:
            object.__setattr__(self, "least", number_given("--min-confidence", self.least, 0, 1, is_whole=False))

    @property
    def tree_decoder(self) -> TreeDecoder | None:
        """The decoder of brackets of a request that `synparse.parsing.parser.Parser.checked` has returned."""
        assert self.brackets != DEFAULT
        return self.brackets

    @property
    def head_decoder(self) -> HeadDecoder | None:
        """The decoder of heads of such a request."""
        assert self.heads != DEFAULT
        return self.heads

    @property
    def computed_confidence(self) -> Confidence:
        """The probabilities that are written, or by which something is left out."""
        return "fitted" if self.confidence == "none" and self.least is not None else self.confidence


@dataclass(frozen=True)
class ParserOptions:
    """How models are loaded and used for parsing.

    - ``seed``: seed of the baseline ``random``.
    - ``device``: a PyTorch device (``cpu``, ``cuda``, …), or ``auto``.
    - ``layer``: the layer (from 1) whose distances give the trees, in models with several such layers; None: the
      model's default.
    - ``precision``: precision of matrix products; bfloat16 may change a tree if scores are nearly equal.
    - ``punctuation``: ``evidence``: use punctuation cues; ``ignore``: do not. No effect on models that read
      punctuation.
    - ``calibration``: a file written by ``synparse calibrate``; None: the calibration of the model directory, or, if it
      has none for these options, the mean of the shipped models.
    - ``content_chain_function_words``: the function words of the baselines ``content-chain`` and
      ``content-chain-back``, normalised; None: those of the sentences to be parsed.
    - ``relations``: ``learned``: relations that the model has learned from given trees, if any; ``channels`` or
      ``messages``: induced relations, which need PyTorch and a UDGN that is not packed; ``none``.
    - ``relation_layer``: the layer (from 1) whose channels are the relations; None: the first.
    - ``without``: terms to leave out of the scores (`TERMS`).
    - ``function_words``: ``leaves``: function words have no dependents; ``adpositions``: only adpositions among them
      have; ``free``: no restriction. This changes heads and, with grammars or by ``projective``, brackets, too.

    If ``punctuation`` or ``function_words`` is None, models use what their directories record
    (`synparse.config.parsing.ParsingConfig`) if all of them record the same, else ``ignore`` and ``free``. Baselines
    use what the other models use. Raises SettingError for an unknown value.
    """

    seed: int = 1
    device: str = "auto"
    layer: int | None = None
    precision: Precision = "float32"
    punctuation: Punctuation | None = None
    function_words: FunctionWords | None = None
    calibration: Name | None = None
    content_chain_function_words: frozenset[str] | None = None
    relations: Relations = "learned"
    relation_layer: int | None = None
    without: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        _as_tuples(self, "without")
        object.__setattr__(self, "seed", number_given("seed", self.seed, 0))
        check_choice("precision", self.precision, PRECISIONS)
        check_choice("punctuation", self.punctuation, PUNCTUATION, is_optional=True)
        check_choice("function_words", self.function_words, FUNCTION_WORDS, is_optional=True)
        check_choice("relations", self.relations, get_args(Relations))
        if unknown := [term for term in self.without if term not in TERMS]:
            raise SettingError(f"--without takes {', '.join(TERMS)}; not {unknown[0]!r}")
        if "punctuation-cues" in self.without and self.punctuation == EVIDENCE:
            raise SettingError(f"--punctuation {EVIDENCE} uses the cues that --without punctuation-cues leaves out")
        if self.content_chain_function_words is not None:
            words = frozenset(names_given(self.content_chain_function_words))
            object.__setattr__(self, "content_chain_function_words", words)
        if self.relation_layer is not None and self.relation_rule is None:
            raise SettingError("--relation-layer needs --relations channels")

    @property
    def relation_rule(self) -> RelationRule | None:
        """The rule of induced relations, if these are wanted."""
        return self.relations if self.relations in ("channels", "messages") else None


def _as_tuples(options: object, *fields: str) -> None:
    """One name, or several in any iterable, as a tuple."""
    for field in fields:
        object.__setattr__(options, field, names_given(getattr(options, field)))


Options = TypeVar("Options", Request, ParserOptions)


def changed(options: Options, changes: dict[str, Any], kind: type[Options]) -> Options:
    """The options with some fields changed. Raises SettingError for an unknown field, naming the most similar one, and
    for an unknown value; TypeError for what are no options of this kind, such as a second model that is not in a list
    with the first."""
    if not isinstance(options, kind):
        raise TypeError(
            f"options have names or are a {kind.__name__}, and several models or sentences are a list; {options!r} is "
            "neither"
        )
    refuse_unknown(changes, names_in(options), "")
    return replace(options, **changes)
