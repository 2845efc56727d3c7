"""Pairs of sentences with scores of their similarity, from 0 to 5.

Files are tab-separated with a head line: ``score``, ``sentence1``, ``sentence2`` and perhaps ``source``, in any order;
other columns mean nothing. A cell is one text, which may have several sentences, raw or tokenised. STS 2012 to 2016
(Agirre et al.), the STS benchmark (Cer et al., 2017) and SICK (Marelli et al., 2014) come in this form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from synparse.corpora.languages import language_or_english
from synparse.corpora.normalization import TextConfig
from synparse.corpora.tokenization import LINES_TO_LOOK_AT, WHITESPACE, is_tokenized, load_tokenizer
from synparse.files.packed import plain_name
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.trees.errors import DataError

COLUMNS = ("score", "sentence1", "sentence2")
SOURCE = "source"
HIGHEST = 5.0
"""The score of two sentences that mean the same."""

PUBLISHED_SOURCES = {
    "sts12": ("MSRpar", "MSRvid", "OnWN", "SMTeuroparl", "SMTnews"),
    "sts13": ("FNWN", "OnWN", "headlines"),
    "sts14": ("OnWN", "deft-forum", "deft-news", "headlines", "images", "tweet-news"),
    "sts15": ("answers-forums", "answers-students", "belief", "headlines", "images"),
    "sts16": ("answer-answer", "headlines", "plagiarism", "postediting", "question-question"),
}
"""The sources that published tables score together, by the names of the sets, as SentEval distributes them (Conneau and
Kiela, 2018). A table says which of them a file of that name lacks."""


class SentencePair(NamedTuple):
    """score: 0 … `HIGHEST`; source: where the pair is from, "" where the file does not say."""

    score: float
    first: str
    second: str
    source: str = ""


PairOfTokens: TypeAlias = tuple[list[str], list[str]]
"""The tokens of both sentences."""


class SentencePairFile(NamedTuple):
    """The pairs of a file; name: that of the file without its endings."""

    name: str
    pairs: list[SentencePair]

    @property
    def scores(self) -> list[float]:
        return [pair.score for pair in self.pairs]

    @property
    def sources(self) -> list[str]:
        """The sources in the file, sorted."""
        return sorted({pair.source for pair in self.pairs} - {""})

    @property
    def missing(self) -> list[str]:
        """The sources that the published set of this name has, and this file does not; none where it names none."""
        sources = self.sources
        return [source for source in PUBLISHED_SOURCES.get(self.name.lower(), ()) if sources and source not in sources]


def read_pairs(path: str) -> SentencePairFile:
    """Raises DataError (file:line) for a file without the columns or without pairs, for a line with fewer or more
    cells than the head line, for an empty sentence, and for what is no score from 0 to `HIGHEST`."""
    lines = enumerate(read_lines(path), 1)
    _, head = next(lines, (1, ""))
    columns = head.rstrip("\r\n").split("\t")
    if missing := [name for name in COLUMNS if name not in columns]:
        count = f"{len(columns)} column{'s' * (len(columns) > 1)}"
        raise DataError(
            f"no column {missing[0]}: the first line names the columns {', '.join(COLUMNS)}, with tabs between them; "
            f"this one has {count}",
            path,
            1,
        )
    pairs = [_pair(columns, line.rstrip("\r\n"), path, number) for number, line in lines if line.strip()]
    if not pairs:
        raise DataError("there are no pairs", path)
    name = "pairs" if path == STANDARD_STREAM else Path(plain_name(path)).name.removesuffix(".tsv")
    return SentencePairFile(name, pairs)


def _pair(columns: Sequence[str], line: str, path: str, number: int) -> SentencePair:
    cells = line.split("\t")
    if len(cells) != len(columns):
        raise DataError(f"{len(cells)} cells where the first line names {len(columns)} columns", path, number)
    fields = dict(zip(columns, cells, strict=True))
    for name in COLUMNS[1:]:
        if not fields[name].strip():
            raise DataError(f"{name} is empty", path, number)
    try:
        score = float(fields["score"])
    except ValueError:
        raise DataError(f"the score is no number: {fields['score']!r}", path, number) from None
    if not 0 <= score <= HIGHEST:
        raise DataError(f"the score {fields['score']} is out of range: scores are 0 to {HIGHEST:g}", path, number)
    return SentencePair(score, fields[COLUMNS[1]], fields[COLUMNS[2]], fields.get(SOURCE, ""))


def tokens_of(pairs: Sequence[SentencePair], text: TextConfig) -> Iterator[PairOfTokens]:
    """The tokens of both sentences of each pair, as a model reads text. Running text is split into sentences and
    tokens, and the sentences are joined; without punctuation, text is running text, for *don't* is not split there.

    Raises DataError where a tokenizer is not installed.
    """
    language = language_or_english(text.language)
    texts = list(islice(chain.from_iterable((pair.first, pair.second) for pair in pairs), LINES_TO_LOOK_AT))
    is_raw = not is_tokenized(texts, language, unless_shown=False)
    tokenizer = load_tokenizer(text.tokenizer if is_raw else WHITESPACE, is_raw, text.language)

    @cache  # a sentence often stands in several pairs
    def tokens(sentences: str) -> list[str]:
        return [word for sentence in tokenizer(sentences) for word in sentence.words]

    for pair in pairs:
        yield tokens(pair.first), tokens(pair.second)
