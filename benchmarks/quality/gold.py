"""The gold files that trees are scored on, and the scores of trees against them and against each other."""

from __future__ import annotations

import io
import itertools
import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from synparse.corpora.sentences import BRACKETS, CONLLU, Sentence, format_of_file, sentences_of
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.streams import read_lines
from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.comparison import Comparison, Scores, Wanted
from synparse.scoring.head_comparison import compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.constituency import format_brackets
from synparse.trees.function_words import FREE, LEAVES, FunctionWords
from synparse.trees.scored_words import PunctuationRule

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("SYNPARSE_DATA", ROOT.parent / "shared" / "data"))
"""Where gold files and text/ are by default."""

MEASURES = {BRACKETS: ("uf1_sentence",), CONLLU: ("uas", "uuas")}
"""The measures of each kind of trees, by their names in `Scores`."""

TITLES = {"uf1_sentence": "UF1", "uas": "UAS", "uuas": "UUAS"}


class Source(NamedTuple):
    """A gold file of DATA: its treebank; its kind of trees; the names of its scores, which are the protocols of
    brackets or the scheme of heads; and how its trees treat function words."""

    bank: str
    kind: str
    rules: tuple[Any, ...]
    function_words: FunctionWords
    file: str

    @property
    def fraction(self) -> str:
        return f"{self.bank} known fraction"

    @property
    def measures(self) -> tuple[str, ...]:
        return MEASURES[self.kind]

    def columns(self) -> list[str]:
        return [column for rule in self.rules for column in self.columns_of(rule)]

    def columns_of(self, rule: str) -> list[str]:
        return [f"{self.bank} {TITLES[measure]} {rule}" for measure in self.measures]

    def directions(self) -> list[str]:
        return [f"{self.bank} direction {rule}" for rule in self.rules if self.kind == CONLLU]

    def agreements(self) -> list[str]:
        return [f"{self.bank} agreement {TITLES[measure]}" for measure in self.measures]


PROTOCOLS = ("shen2018", "kim2019")
SOURCES = (
    Source("WSJ", BRACKETS, PROTOCOLS, FREE, "wsj/trees.mrg"),
    Source("WSJ", CONLLU, ("stanford",), FREE, "conversion/wsj.sd.conll"),
    Source("GUM", BRACKETS, PROTOCOLS, LEAVES, "gum/dev.ptb"),
    Source("GUM", CONLLU, ("UD",), LEAVES, "gum/dev.conllu"),
    Source("GUM", CONLLU, ("stanford",), FREE, "conversion/gum-dev.sd.conll"),
    Source("EWT", CONLLU, ("UD",), LEAVES, "ewt/dev.conllu"),
)

SCORES = tuple(column for source in SOURCES for column in source.columns())
DIRECTIONS = tuple(column for source in SOURCES for column in source.directions())
FRACTIONS = tuple(dict.fromkeys(source.fraction for source in SOURCES))
AGREEMENTS = tuple(dict.fromkeys(column for source in SOURCES for column in source.agreements()))
KNOWN, UNKNOWN = ", known", ", unknown"


class Gold(NamedTuple):
    """The sentences of a gold file, as text and as a parser reads them, and their kind of trees."""

    kind: str
    texts: tuple[str, ...]
    sentences: tuple[Sentence, ...]


Golds: TypeAlias = Mapping[Source, Gold]
"""The gold files that are there."""


def read_golds(data: Path) -> Golds:
    """Raises DataError(file:line) where a file is malformed."""
    paths = {source: data / source.file for source in SOURCES}
    return {source: read_gold(path) for source, path in paths.items() if path.exists()}


def read_gold(path: Path) -> Gold:
    """Raises DataError(file:line) where the file is malformed."""
    kind = format_of_file(str(path))
    if kind == BRACKETS:
        texts = tuple(f"{format_brackets(tree)}\n" for _, tree in read_brackets(read_lines(str(path)), str(path)))
    else:
        texts = tuple("".join(sentence.lines) for sentence in conllu_sentences(path))
    sentences = sentences_of(io.StringIO("".join(texts)), str(path), load_tokenizer("whitespace"), kind)
    return Gold(kind, texts, tuple(sentences))


def conllu_sentences(path: Path) -> list[ConlluSentence]:
    """Those that have words. Raises DataError(file:line) where the file is malformed."""
    return [sentence for sentence in read_conllu(read_lines(str(path)), str(path)) if sentence.rows]


def compared(
    kind: str,
    prediction: Iterable[str],
    gold: Iterable[str],
    protocol: Literal["kim2019", "shen2018", "evalb"] = "kim2019",
    punctuation: PunctuationRule = "auto",
    wanted: Wanted = Wanted(),  # noqa: B008 - immutable
) -> Comparison:
    """Predicted sentences against gold ones; ``protocol`` is of brackets, ``punctuation`` of heads.

    Raises DataError where there are no sentences, or they do not line up.
    """
    ours = NamedLines("prediction", io.StringIO("".join(prediction)))
    theirs = NamedLines("gold", io.StringIO("".join(gold)))
    if kind == BRACKETS:
        return compare_brackets([ours], theirs, protocol, wanted=wanted)
    return compare_heads([ours], theirs, punctuation=punctuation, wanted=wanted)


def in_per_cent(scores: Scores, names: Iterable[str]) -> list[float | None]:
    """Some of the scores, as `synparse eval` prints them."""
    values = [scores[name] for name in names]
    return [None if value is None else round(100 * value, 2) for value in values]


def scores_of_part(source: Source, gold: Gold, prediction: Sequence[str], part: Sequence[bool]) -> list[float | None]:
    """The scores of some of the sentences, a value for each of the source's columns; None where there are none."""
    if not any(part):
        return [None] * len(source.columns())
    ours, theirs = list(itertools.compress(prediction, part)), list(itertools.compress(gold.texts, part))
    systems = (compared(source.kind, ours, theirs, rule).systems[0] for rule in source.rules)
    return [value for system in systems for value in in_per_cent(system.scores, source.measures)]


def scores_of_run(
    source: Source, gold: Gold, prediction: Sequence[str], known: Sequence[bool]
) -> dict[str, float | None]:
    """Scores by column: of all sentences, of those of known words alone, and of the others; and the `directions`."""
    parts = {"": [True] * len(known), KNOWN: known, UNKNOWN: [not is_known for is_known in known]}
    found: dict[str, float | None] = {source.fraction: 100 * statistics.mean(known)}
    for suffix, part in parts.items():
        names = [f"{column}{suffix}" for column in source.columns()]
        found |= zip(names, scores_of_part(source, gold, prediction, part), strict=True)
    return found | directions(source, found)


def directions(source: Source, scores: Mapping[str, float | None]) -> dict[str, float | None]:
    """UAS / UUAS by column, of these scores: the fraction of right links whose direction is right, too."""
    found = {}
    for rule, column in zip(source.rules, source.directions(), strict=False):  # brackets have none
        directed, undirected = (scores[name] for name in source.columns_of(rule))
        found[column] = directed / undirected if directed is not None and undirected else None
    return found


def agreement(source: Source, predictions: Sequence[Sequence[str]]) -> dict[str, list[float | None]]:
    """How far each two runs agree in per cent, by column; without gold trees or tags."""
    pairs = [
        in_per_cent(compared(source.kind, other, one, punctuation="form").systems[0].scores, source.measures)
        for one, other in itertools.combinations(predictions, 2)
    ]
    return {column: [pair[position] for pair in pairs] for position, column in enumerate(source.agreements())}
