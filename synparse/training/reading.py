"""What a run reads: its corpus, as its settings name it. Needs no PyTorch."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.config.version import __version__
from synparse.corpora.cache import Corpus, build_corpus
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.phrase_boundaries import SENTENCES, learn_phrase_boundaries
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import Tokenizer, load_tokenizer
from synparse.corpora.tree_targets import has_trees
from synparse.corpora.vocabulary import Vocabulary
from synparse.corpora.word_classes import BigramCounts
from synparse.files.folders import scratch_folder
from synparse.files.streams import STANDARD_STREAM, unwritable
from synparse.training.events import Reading
from synparse.trees.errors import DataError

MOST_NAMES = 100

LONGEST_CONTEXT = 1000
"""In tokens. A longer line is no sentence, and many of them would not fit the memory."""


@dataclass(frozen=True)
class RunSettings:
    """The arguments of a run besides its recipe; see `synparse.training.run.train`.

    corpus, valid, trees: absolute paths, or ``-`` for standard input; vocabulary: the path of a file.
    """

    corpus: tuple[str, ...]
    valid: str | None = None
    raw: bool = False
    input_format: str | None = None
    minutes: float | None = None
    seed: int = 1
    vocabulary: str | None = None
    trees: tuple[str, ...] = ()

    def absolute(self) -> RunSettings:
        """The same files from any folder."""
        corpus, trees = tuple(map(_absolute, self.corpus)), tuple(map(_absolute, self.trees))
        valid, vocabulary = self.valid and _absolute(self.valid), self.vocabulary and _absolute(self.vocabulary)
        return replace(self, corpus=corpus, trees=trees, valid=valid, vocabulary=vocabulary)

    def changed(self, corpus: Sequence[str], minutes: float | None) -> RunSettings:
        """Those of a resumed run, whose files have moved, if there is a ``corpus``, or which has other minutes."""
        settings = replace(self, corpus=tuple(corpus)).absolute() if corpus else self
        return settings if minutes is None else replace(settings, minutes=minutes)


@dataclass(frozen=True)
class GrammarText:
    """The text that grammars are learned from: the bigrams of all of it, a random sample of its sentences (``context``;
    of long ones the first `LONGEST_CONTEXT` tokens), and one of those of 2 to ``longest`` tokens (``sample``)."""

    bigrams: BigramCounts
    context: Sample[Sequence[str]]
    sample: Sample[Sequence[str]]
    longest: int

    @property
    def sentences(self) -> list[Sequence[str]]:
        """Those of the sample that `has_use_of`."""
        return [tokens for tokens in self.sample.items if self.has_use_of(tokens)]

    def has_use_of(self, tokens: Sequence[str]) -> bool:
        """Whether a sentence is not too long, and has two words or more: of a shorter one, every grammar makes the same
        tree."""
        is_short = len(tokens) <= self.longest
        return is_short and sum(normalize(token, self.bigrams.text) is not None for token in tokens) > 1

    def of(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The same sentences, one by one; what grammars need of them is kept."""
        for sentence in sentences:
            self.bigrams.add(sentence.tokens)
            self.context.offer(sentence.tokens[:LONGEST_CONTEXT])
            if 1 < len(sentence.tokens) <= self.longest:
                self.sample.offer(sentence.tokens)
            yield sentence


def grammar_text(text: TextConfig, config: GrammarConfig, seed: int) -> GrammarText:
    context = Sample[Sequence[str]](config.context_sentences, seed)
    return GrammarText(BigramCounts(text), context, Sample(config.sentences, seed), config.longest)


def _absolute(path: str) -> str:
    return path if path == STANDARD_STREAM else str(Path(path).absolute())


def read_corpus(
    settings: RunSettings,
    text: TextConfig,
    output: Path,
    report: Callable[[Reading], None],
    known: Vocabulary | None = None,
    text_of_grammars: GrammarText | None = None,
    with_trees: bool = False,
) -> Corpus:
    """The corpus, in files that are already unlinked, so that they disappear with the process, however it ends.

    known: a vocabulary that is kept, in place of that of the settings, if any, and of one that is counted;
    text_of_grammars: takes what these are learned from. Raises DataError for bad files, and where the disk is full.
    """
    if known is None and settings.vocabulary is not None:
        known = Vocabulary.read(Path(settings.vocabulary), sys.maxsize)
    tokenizer = load_tokenizer(text.tokenizer, settings.raw, text.language)
    sentences_of = partial(_sentences, report, tokenizer, with_trees)
    with scratch_folder(output) as scratch:
        sentences = sentences_of(settings.corpus, settings.input_format)
        sample: Sample[Sequence[str]] = Sample(SENTENCES, settings.seed)
        if text.phrase_boundaries:
            sentences = sample.of(sentences, lambda sentence: sentence.tokens)
        if text_of_grammars is not None:
            sentences = text_of_grammars.of(sentences)
        held_out = None if settings.valid is None else sentences_of([settings.valid], settings.input_format)
        try:
            data = build_corpus(sentences, text, scratch, held_out, known, with_trees)
        except OSError as error:
            raise unwritable(str(output), error) from None
    if not text.phrase_boundaries:
        return data
    return replace(data, boundaries=learn_phrase_boundaries(sample.items, text, data.vocabulary))


def _sentences(
    report: Callable[[Reading], None],
    tokenizer: Tokenizer,
    with_trees: bool,
    paths: Sequence[str],
    format: str | None,
) -> Iterator[Sentence]:
    count = 0
    for path in paths:
        if Path(path).is_dir():
            raise DataError("is a folder, not a file; name the files in it", path)
        for sentence in read_sentences(path, tokenizer, format):
            count += 1
            if count % 10_000 == 0:
                report(Reading(count))
            if with_trees and sentence.tokens and not has_trees(sentence):
                how = "make them with: synparse parse --model MODEL --format json TEXT > trees.jsonl"
                raise DataError(f"has no trees to learn from; {how}", path)
            yield sentence


def refuse_changed_corpus(before: str | None, now: str, output: Path) -> None:
    """Raises DataError where the run in ``output`` would continue with another corpus, by their fingerprints; a
    fingerprint ``before`` of None allows any."""
    if before not in (None, now):
        raise DataError(
            "the corpus has changed since this run began; restore it, or continue with --allow-changed-corpus",
            str(output),
        )


def names_of_files(paths: Sequence[str]) -> list[str]:
    """The names of the first `MOST_NAMES` files, and how many more there are: a config does not list a whole corpus."""
    names = [Path(path).name for path in paths[:MOST_NAMES]]
    return [*names, f"and {len(paths) - MOST_NAMES} more"] if len(paths) > MOST_NAMES else names


def versions(**libraries: str) -> dict[str, str]:
    """What made a model: the versions of synparse, of the libraries that matter to it, and of Python."""
    return {"synparse": __version__, **libraries, "python": platform.python_version()}


def corpus_provenance(files: Sequence[str], data: Corpus, holds_out: bool = True) -> dict[str, Any]:
    """The provenance of a model's text; without ``holds_out``, it has learned from the held-out part as well."""
    held_out = (0, 0) if holds_out else (len(data.valid), data.valid.words)
    return {
        "files": names_of_files(files),
        "sha256": data.fingerprint,
        "training_sentences": len(data.train) + held_out[0],
        "training_words": data.train.words + held_out[1],
        "held_out_sentences": len(data.valid) if holds_out else 0,
        **data.train.target_counts,
    }
