"""How a model parses by default: the parsing section of a recipe, which the model's directory records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

from synparse.trees.function_words import FunctionWords

TreeDecoder: TypeAlias = Literal["grammar", "unbiased", "splits", "published", "boundaries", "projective"]
"""The tree with the most probable constituents under class grammars, or, without these, by span scores to which the
dependency model has added (`synparse.parsing.grammars`). Split at the largest distance first; the tree with the most
probable constituents, where distances give the probabilities of splits (`synparse.trees.span_probabilities`); the split
that ON-LSTM was published with; the tree with the highest span scores, which come from phrase boundaries
(`synparse.trees.phrase_boundaries`); the subtrees of the projective tree."""

HeadDecoder: TypeAlias = Literal["mst", "argmax", "projective", "joint", "phrases", "boundaries", "grammar"]
"""Single-root maximum spanning tree over the head scores; best head of each word, made a tree; best projective tree;
heads from the constituency tree and the heights; the best heads of the phrases of the brackets, whatever their decoder,
or of the decoder ``boundaries``, or of ``grammar``."""

Punctuation: TypeAlias = Literal["ignore", "evidence"]
"""Whether punctuation that a model does not read affects its scores; see `synparse.trees.punctuation_cues`."""

Default: TypeAlias = Literal["default"]

TAGS, RELATIONS, CONSTITUENTS = LABEL_KINDS = ("tags", "relations", "constituents")
"""The kinds of labels that can be learned from given trees: of words, arcs and constituents."""

DEFAULT: Final = "default"
"""In place of a decoder: the model's own decoder, or none if the model has no such trees."""


@dataclass(frozen=True)
class ParsingConfig:
    """The default options of ``parse``. The defaults here are those of models made before this section existed.

    punctuation: ``evidence``: use punctuation cues; ``ignore``: use none.
    function_words: ``leaves``: function words have no dependents, as in Universal Dependencies; ``free``: heads as the
        model scores them; ``adpositions``: as ``leaves``, but adpositions may have dependents, and words that
        networks use as heads, as in Stanford Dependencies, which needs grammars with base phrases.
    brackets, heads: the decoders; ``default``: the model's own.
    """

    punctuation: Punctuation = "ignore"
    function_words: FunctionWords = "free"
    brackets: Literal[TreeDecoder, Default] = DEFAULT
    heads: Literal[HeadDecoder, Default] = DEFAULT


def agreed(records: Iterable[ParsingConfig]) -> ParsingConfig:
    """The settings in which all records agree; the others, and those of no records, are as in `ParsingConfig`.

    >>> agreed([ParsingConfig("evidence", "leaves"), ParsingConfig("evidence", "free")]).punctuation
    'evidence'
    """
    known = list(records)
    values = {field.name: {getattr(record, field.name) for record in known} for field in fields(ParsingConfig)}
    return ParsingConfig(**{name: choices.pop() for name, choices in values.items() if len(choices) == 1})
