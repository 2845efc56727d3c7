"""What a run reads: its corpus, as its settings name it. Needs no PyTorch."""

from __future__ import annotations

import itertools
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from synparse.config.grammar import GrammarConfig
from synparse.config.version import __version__
from synparse.corpora.cache import Corpus, write_corpus
from synparse.corpora.normalization import TextConfig, normalized
from synparse.corpora.phrase_boundaries import SENTENCES, PhraseBoundaries, learn_phrase_boundaries
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import FORMATS, Sentence
from synparse.corpora.text_counts import HELD_OUT, TRAINING, Part, TextCounts, count_text, vocabulary_of
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.tree_targets import has_trees
from synparse.corpora.vocabulary import Vocabulary
from synparse.corpora.word_classes import BigramCounts
from synparse.files.folders import scratch_folder
from synparse.files.processes import Executor
from synparse.files.streams import STANDARD_STREAM
from synparse.parsing.partitions import Partition, partitions_of, read_partition
from synparse.training.events import Reading
from synparse.trees.arguments import LARGEST_SEED, number_given, refuse_repeated
from synparse.trees.errors import DataError, check_choice, unwritable

MOST_NAMES = 100

LONGEST_CONTEXT = 1000
"""In tokens. A longer line is no sentence, and many of them would not fit the memory."""

PARTITION = 16_000_000
"""Bytes of a file that are counted as a part, by whoever counts them: samples depend on it, as each part has its own.
Packed files are parts as they are."""

_tokenizer = lru_cache(1)(load_tokenizer)
"""That of the parts of a text."""


@dataclass(frozen=True)
class RunSettings:
    """The arguments of a run besides its recipe; see `synparse.training.run.train`.

    corpus, valid, trees: absolute paths, or ``-`` for standard input; vocabulary: the path of a file. Raises
    SettingError for a seed or minutes below 0, an unknown format, and a file that is named twice.
    """

    corpus: tuple[str, ...]
    valid: str | None = None
    raw: bool = False
    input_format: str | None = None
    minutes: float | None = None
    seed: int = 1
    vocabulary: str | None = None
    trees: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", number_given("seed", self.seed, 0, LARGEST_SEED))
        if self.minutes is not None:
            object.__setattr__(self, "minutes", number_given("minutes", self.minutes, 0, is_whole=False))
        check_choice("input_format", self.input_format, FORMATS, is_optional=True)
        refuse_repeated([*self.corpus, *filter(None, [self.valid])])  # what is held out is not learned
        refuse_repeated(self.trees)

    def absolute(self) -> RunSettings:
        """The same files from any folder."""
        corpus, trees = tuple(map(_absolute, self.corpus)), tuple(map(_absolute, self.trees))
        valid, vocabulary = self.valid and _absolute(self.valid), self.vocabulary and _absolute(self.vocabulary)
        return replace(self, corpus=corpus, trees=trees, valid=valid, vocabulary=vocabulary)

    def changed(self, corpus: Sequence[str], minutes: float | None, trees: Sequence[str] = ()) -> RunSettings:
        """Those of a resumed run, with what is given anew: files that have moved, other minutes."""
        return replace(
            self,
            corpus=tuple(corpus) or self.corpus,
            trees=tuple(trees) or self.trees,
            minutes=self.minutes if minutes is None else minutes,
        ).absolute()


@dataclass(frozen=True)
class GrammarText:
    """The text that grammars are learned from: the bigrams of all of it, a random sample of its sentences (``context``;
    of long ones the first `LONGEST_CONTEXT` tokens), and one of those of 2 to ``longest`` tokens (``sample``)."""

    bigrams: BigramCounts
    context: Sample[Sequence[str]]
    sample: Sample[Sequence[str]]
    longest: int

    def join(self, later: GrammarText) -> None:
        """Add what is kept of a later part of the text."""
        self.bigrams.join(later.bigrams)
        self.context.join(later.context)
        self.sample.join(later.sample)

    @property
    def sentences(self) -> list[Sequence[str]]:
        """Those of the sample that `has_use_of`."""
        return [tokens for tokens in self.sample.items if self.has_use_of(tokens)]

    def has_use_of(self, tokens: Sequence[str]) -> bool:
        """Whether a sentence is not too long, and has two words or more: of a shorter one, every grammar makes the same
        tree."""
        return len(tokens) <= self.longest and self.words_in(tokens) > 1

    def words_in(self, tokens: Sequence[str]) -> int:
        """How many of these tokens are words."""
        return sum(form is not None for form in normalized(tokens, self.bigrams.text))

    def of(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The same sentences, one by one; what grammars need of them is kept."""
        for sentence in self.context.of(sentences, lambda sentence: interned(sentence.tokens[:LONGEST_CONTEXT])):
            self.bigrams.add(sentence.tokens)
            if 1 < len(sentence.tokens) <= self.longest:
                self.sample.offer(partial(interned, sentence.tokens))
            yield sentence


def grammar_text(text: TextConfig, config: GrammarConfig, seed: int, part: int = 0) -> GrammarText:
    context = Sample[Sequence[str]](config.context_sentences, seed, part)
    return GrammarText(BigramCounts(text), context, Sample(config.sentences, seed, part), config.longest)


def interned(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens of a sentence that is kept: every word is in memory once."""
    return tuple(map(sys.intern, tokens))


def _absolute(path: str) -> str:
    return path if path == STANDARD_STREAM else str(Path(path).absolute())


class TextPart(NamedTuple):
    """A partition of a corpus, or of its held-out text, and its number among all of them. part: what its sentences are
    for; None: some are held out."""

    number: int
    partition: Partition
    part: Part | None


class CountedText(NamedTuple):
    """What is known of a corpus once it is counted. sample: of its sentences, for phrase boundaries; size, fingerprint:
    see `TextCounts`; of_grammars: what grammars learn from, where there are some."""

    vocabulary: Vocabulary
    sample: Sample[Sequence[str]]
    size: Mapping[str, int]
    fingerprint: str
    of_grammars: GrammarText | None

    def boundaries(self, text: TextConfig) -> PhraseBoundaries | None:
        """The phrase boundaries of the text, if its config asks for them; learning them takes as long as counting."""
        return learn_phrase_boundaries(self.sample.items, text, self.vocabulary) if text.phrase_boundaries else None


class _Counted(NamedTuple):
    """What a part gives, as in `CountedText`."""

    counts: TextCounts
    sample: Sample[Sequence[str]]
    of_grammars: GrammarText | None

    def join(self, later: _Counted) -> None:
        """Add what a later part gives."""
        self.counts.join(later.counts)
        self.sample.join(later.sample)
        if self.of_grammars is not None and later.of_grammars is not None:
            self.of_grammars.join(later.of_grammars)


def parts_of(settings: RunSettings) -> Iterator[TextPart]:
    """The corpus of a run in parts, then its held-out text, if it has its own. Raises DataError for bad files."""
    texts: list[tuple[Sequence[str], Part | None]] = [(settings.corpus, None)]
    if settings.valid is not None:
        texts = [(settings.corpus, TRAINING), ([settings.valid], HELD_OUT)]
    numbers = itertools.count()
    for paths, part in texts:
        if folder := next((path for path in paths if Path(path).is_dir()), None):
            raise DataError("is a folder, not a file; name the files in it", folder)
        for partition in partitions_of(paths, settings.input_format, PARTITION):
            yield TextPart(next(numbers), partition, part)


def sentences_of(
    part: TextPart, settings: RunSettings, text: TextConfig, on_read: Callable[[], None] = lambda: None
) -> Iterator[Sentence]:
    """The sentences of a part; ``on_read`` is called with each. Raises DataError for bad files."""
    for sentence in read_partition(part.partition, _tokenizer(text.tokenizer, settings.raw, text.language)):
        on_read()
        yield sentence


def count_corpus(
    settings: RunSettings,
    text: TextConfig,
    report: Callable[[Reading], None],
    known: Vocabulary | None,
    grammar: GrammarConfig | None,
    with_trees: bool,
    executor: Executor,
) -> CountedText:
    """Count a corpus. ``executor`` counts its parts, so that memory is that of a few of them and of the distinct words
    and bigrams; the result is the same wherever they are counted.

    known: a vocabulary that is kept, in place of that of the settings, if any, and of one that is counted; grammar:
    settings of grammars that are to learn from the text; with_trees: whether its trees are counted. Raises DataError
    for bad files, and where there is nothing to learn from.
    """
    if known is None and settings.vocabulary is not None:
        known = Vocabulary.read(Path(settings.vocabulary), sys.maxsize)
    function = partial(_counted, settings, text, grammar, with_trees)
    if executor is map:
        function = partial(function, on_read=_progress(report))
    parts = executor(function, parts_of(settings))
    total = next(parts, _Counted(TextCounts(), Sample(0, 0), None))  # where all files are empty
    for counted in parts:
        total.join(counted)
        if executor is not map:
            report(Reading(total.counts.sentences))
    counts, sample, of_grammars = total
    vocabulary = vocabulary_of(counts, text, known)
    if settings.valid is not None and not counts.size["held_out_words"]:
        raise DataError("the validation text holds no words")
    return CountedText(vocabulary, sample, counts.size, counts.fingerprint, of_grammars)


def _counted(
    settings: RunSettings,
    text: TextConfig,
    grammar: GrammarConfig | None,
    with_trees: bool,
    part: TextPart,
    on_read: Callable[[], None] = lambda: None,
) -> _Counted:
    sentences = sentences_of(part, settings, text, on_read)
    if with_trees:
        sentences = _with_trees(sentences, part.partition.name)
    sample: Sample[Sequence[str]] = Sample(SENTENCES, settings.seed, part.number)
    of_grammars = None
    if part.part != HELD_OUT and text.phrase_boundaries:
        sentences = sample.of(sentences, lambda sentence: interned(sentence.tokens))
    if part.part != HELD_OUT and grammar is not None:
        of_grammars = grammar_text(text, grammar, settings.seed, part.number)
        sentences = of_grammars.of(sentences)
    return _Counted(count_text(sentences, text, part.part, with_trees), sample, of_grammars)


def _with_trees(sentences: Iterable[Sentence], path: str) -> Iterator[Sentence]:
    """The same sentences. Raises DataError where one has no trees."""
    for sentence in sentences:
        if sentence.tokens and not has_trees(sentence):
            how = "make them with: synparse parse --model MODEL --format json TEXT > trees.jsonl"
            raise DataError(f"has no trees to learn from; {how}", path)
        yield sentence


def _progress(report: Callable[[Reading], None]) -> Callable[[], None]:
    """A function that is called with every sentence, and reports each ten thousand."""
    numbers = itertools.count(1)

    def on_read() -> None:
        number = next(numbers)
        if number % 10_000 == 0:
            report(Reading(number))

    return on_read


def read_corpus(
    settings: RunSettings,
    text: TextConfig,
    counted: CountedText,
    output: Path,
    report: Callable[[Reading], None],
    with_trees: bool = False,
) -> Corpus:
    """The words of a corpus, in files that are already unlinked, so that they disappear with the process, however it
    ends. Raises DataError for bad files, and where the disk is full."""
    on_read = _progress(report)
    sentences = (
        (sentence, part.part) for part in parts_of(settings) for sentence in sentences_of(part, settings, text, on_read)
    )
    with scratch_folder(output) as scratch:
        try:
            train, valid = write_corpus(sentences, text, scratch, counted.vocabulary, with_trees)
        except OSError as error:
            raise unwritable(str(output), error) from None
    return Corpus(train, valid, counted.vocabulary, counted.boundaries(text))


def refuse_changed_corpus(before: str | None, now: str, output: Path, what: str = "the corpus") -> None:
    """Raises DataError where the run in ``output`` would continue with another corpus, by their fingerprints; a
    fingerprint ``before`` of None allows any. ``what``: what has these fingerprints."""
    if before not in (None, now):
        raise DataError(
            f"{what} has changed since this run began, or another version of synparse read it; restore it, or "
            "continue with --allow-changed-corpus",
            str(output),
        )


def names_of_files(paths: Sequence[str]) -> list[str]:
    """The names of the first `MOST_NAMES` files, and how many more there are: a config does not list a whole corpus.

    What is not UTF-8 in a name is ``?``, as where a config is read, so that one file never has two names.
    """
    names = [Path(path).name.encode(errors="replace").decode() for path in paths[:MOST_NAMES]]
    return [*names, f"and {len(paths) - MOST_NAMES} more"] if len(paths) > MOST_NAMES else names


def versions(**libraries: str) -> dict[str, str]:
    """What made a model: the versions of synparse, of the libraries that matter to it, and of Python."""
    return {"synparse": __version__, **libraries, "python": platform.python_version()}


def corpus_provenance(files: Sequence[str], counted: CountedText, holds_out: bool = True) -> dict[str, Any]:
    """The provenance of a model's text; without ``holds_out``, it has learned from the held-out part as well."""
    size = counted.size
    return {
        "files": names_of_files(files),
        "sha256": counted.fingerprint,
        "training_sentences": size["training_sentences"] + (0 if holds_out else size["held_out_sentences"]),
        "training_words": size["training_words"] + (0 if holds_out else size["held_out_words"]),
        "held_out_sentences": size["held_out_sentences"] if holds_out else 0,
        **{name: size[name] for name in ("heads", "splits") if name in size},
    }
