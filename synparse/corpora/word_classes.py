"""Word classes, learned from raw text: words that stand between the same words get the same class.

The commonest words are types of their own. All other words share types by what they look like: numbers, words with a
hyphen, words with the same last three letters, short words. Exchange clustering (`synparse.corpora.exchange`) gives
each type its class, so every word has one, whether the text had it or not. Punctuation is one class, the last one.
"""

from __future__ import annotations

import math
import random
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from synparse.corpora.exchange import Bigrams, Counts, Exchange
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.unknown_words import known_spelling, last_letters
from synparse.corpora.vocabulary import read_lines_of_words
from synparse.trees.errors import DataError
from synparse.trees.punctuation import is_punctuation

GROUP = "\t"
"""Stands before the name of a group of words that share a type. No word has a tab: tokenizers split at it."""

PUNCTUATION, NUMBER, HYPHEN, SHORT, UNKNOWN = (
    GROUP + name for name in ("punctuation", "number", "hyphen", "short", "unknown")
)
_BOUNDARY = GROUP + "boundary"
"""The type of beginning and end of a sentence, which is in no class."""

ENDING = 3
"""In letters, with their accents. The group of a longer word is called by its ending, so no other group has a name of
this length."""

SHORT_WORD = 4
"""In letters: the length of a word up to which its ending says little."""

_DESCRIPTIONS = {
    PUNCTUATION: "punctuation",
    NUMBER: "other numbers",
    HYPHEN: "other words with a hyphen",
    SHORT: f"other words of 1 to {SHORT_WORD} letters",
    UNKNOWN: "other words",
}

_OTHER_GROUPS = len(_DESCRIPTIONS)
"""The groups besides those of endings."""

RARE_GROUP = 5
"""Groups that occur fewer times than this are part of the group of unknown words."""

LONGEST_TYPE = 100
"""In characters. A longer token has no type of its own."""

MOST_CLASSES = 1000
MOST_WORDS = 100_000

_MARGIN = 1 << 20
"""Bigrams that are collected, at least, before they are counted."""

_NO_WORD = re.compile("[\t\n\ud800-\udfff]")
"""What a word in a file of classes cannot have."""

_ROW = re.compile(r"(\t?[^\t]+)\t([0-9]{1,9})\t([0-9]{1,15})")


@dataclass(frozen=True)
class WordClassConfig:
    """How word classes are learned.

    classes: how many, besides the one of punctuation. class_words: how many words, the most frequent ones, get a class
    of their own choice; other words get the class of their group. class_min_count: words seen fewer times than this get
    that of their group, too. class_passes: passes over these words and groups, at most.
    """

    classes: Annotated[int, Meta(ge=1, le=MOST_CLASSES)] = 100
    class_words: Annotated[int, Meta(ge=1, le=MOST_WORDS)] = 12_000
    class_min_count: Annotated[int, Meta(ge=1)] = 3
    class_passes: Annotated[int, Meta(ge=1, le=100)] = 6


class BigramCounts:
    """How often each normalized word follows each other one, counted while sentences pass by.

    All punctuation is one type, and so are beginning and end of a sentence, so that a text is a circle. Memory grows
    with the distinct bigrams, 16 bytes each: what is added is collected, and counted when it is a fourth as long.
    """

    def __init__(self, text: TextConfig) -> None:
        self.text = text
        self._number = {_BOUNDARY: 0, PUNCTUATION: 1}
        self._buffer = array("i")  # numbers of words, with a boundary after each sentence
        self._joined: list[tuple[Counts, Counts]] = []
        self._pairs = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)

    @cached_property
    def _number_of(self) -> Callable[[str], int]:
        number, text = self._number, self.text
        return lru_cache(1 << 16)(lambda token: number.setdefault(_form(token, text), len(number)))

    def __getstate__(self) -> dict[str, Any]:
        self._merge()
        return {name: value for name, value in vars(self).items() if name != "_number_of"}  # which does not pickle

    def add(self, tokens: Sequence[str]) -> None:
        """Count the bigrams of a sentence. A sentence without tokens has none."""
        if not tokens:
            return
        self._buffer.extend(map(self._number_of, tokens))
        self._buffer.append(0)
        if len(self._buffer) > max(_MARGIN, len(self._pairs) // 4):
            self._merge()

    def join(self, later: BigramCounts) -> None:
        """Add the counts of a later part of the text."""
        number = self._number
        numbers = np.array([number.setdefault(form, len(number)) for form in later.forms()], np.int64)
        bigrams = later.bigrams()
        self._joined.append((numbers[bigrams.first] << 32 | numbers[bigrams.second], bigrams.counts))
        if sum(len(pairs) for pairs, _ in self._joined) > max(_MARGIN, len(self._pairs) // 4):
            self._merge()

    def forms(self) -> list[str]:
        """The distinct words, by number: first the boundary of sentences, then `PUNCTUATION`."""
        return list(self._number)

    def occurrences(self) -> dict[str, int]:
        """How often each word, and `PUNCTUATION`, occurs."""
        forms, bigrams = self.forms(), self.bigrams()
        counts = np.bincount(bigrams.first, bigrams.counts, len(forms)).astype(np.int64).tolist()
        return dict(zip(forms[1:], counts[1:], strict=True))

    def bigrams(self) -> Bigrams:
        """The distinct bigrams of numbers of `forms`."""
        self._merge()
        return Bigrams(self._pairs >> 32, self._pairs & (1 << 32) - 1, self._counts)

    def _merge(self) -> None:
        if not (self._joined or self._buffer):
            return
        numbers = np.array(self._buffer, np.int64)
        more = [*self._joined, (np.append(0, numbers[:-1]) << 32 | numbers, np.ones(len(numbers), np.int64))]
        self._joined.clear()
        del self._buffer[:]
        pairs, counts = _summed(*map(np.concatenate, zip(*more, strict=True)))
        places = np.searchsorted(self._pairs, pairs)
        is_new = np.append(self._pairs, -1)[places] != pairs
        self._pairs = np.insert(self._pairs, places[is_new], pairs[is_new])
        self._counts = np.insert(self._counts, places[is_new], 0)
        self._counts[np.searchsorted(self._pairs, pairs)] += counts


class ClassMember(NamedTuple):
    """A word, or a group (it begins with `GROUP`), its class, and how often the text had it."""

    type: str
    word_class: int
    occurrences: int

    @property
    def is_group(self) -> bool:
        return self.type.startswith(GROUP)

    @property
    def name(self) -> str:
        """The word; for a group, what its words have in common, in brackets."""
        if not self.is_group:
            return self.type
        return f"({_DESCRIPTIONS.get(self.type) or 'other words in -' + self.type.removeprefix(GROUP)})"


@dataclass(frozen=True)
class WordClasses:
    """The classes 0 … size − 1 of words and groups of words, the most frequent class first, punctuation last.

    members: by class, then by falling count, each word or group once. digits: what replaces numbers in words, see
    `TextConfig`. Raises ValueError if those of punctuation and unknown words are missing.
    """

    members: tuple[ClassMember, ...]
    digits: str

    def __post_init__(self) -> None:
        if not {PUNCTUATION, UNKNOWN} <= self._number.keys():
            raise ValueError("word classes need one of punctuation and one of unknown words")
        if any(member.word_class >= self.size - (member.type != PUNCTUATION) for member in self.members):
            raise ValueError("a class is not below that of punctuation")

    @cached_property
    def _number(self) -> dict[str | None, int]:
        return {member.type: number for number, member in enumerate(self.members)}

    @cached_property
    def size(self) -> int:
        """The number of classes, that of punctuation included."""
        return self.members[self._number[PUNCTUATION]].word_class + 1

    @cached_property
    def class_of(self) -> NDArray[np.int64]:
        """The class of each member, [M]."""
        return np.array([member.word_class for member in self.members], np.int64)

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """How often the text had each member, [M]."""
        return np.array([member.occurrences for member in self.members], np.int64)

    def of(self, words: Iterable[str | None]) -> list[int]:
        """The class of each normalized word; None is punctuation that normalization leaves out."""
        return [self.members[number].word_class for number in self.numbers_of(words)]

    def numbers_of(self, words: Iterable[str | None]) -> list[int]:
        """The member that each normalized word is, or belongs to, by its place in ``members``."""
        known = self._number.get
        return [self._number_of(word) if (number := known(word)) is None else number for word in words]

    def _number_of(self, word: str | None) -> int:
        """The member of a word that is not one itself."""
        if (spelling := known_spelling(word or "", self._number)) is not None:
            return self._number[spelling]
        group = PUNCTUATION if word is None or _is_mark(word) else group_of(word, self.digits)
        return self._number.get(group, self._number[UNKNOWN])

    def write(self, path: Path) -> None:
        """One member per line: word, class and count, between tabs. A group begins with one more tab."""
        lines = (f"{member.type}\t{member.word_class}\t{member.occurrences}\n" for member in self.members)
        path.write_text("".join(lines), encoding="utf-8", newline="")

    @classmethod
    def read(cls, path: Path, text: TextConfig, config: WordClassConfig) -> WordClasses:
        """The word classes that were learned with these settings.

        Raises DataError(file:line) if the file is missing, larger than they allow, cut off, not UTF-8, or no word
        classes.
        """
        most = 2 * config.class_words + _OTHER_GROUPS
        longest = 4 * LONGEST_TYPE + 30  # bytes; a character takes up to four
        rows = read_lines_of_words(path, "word classes", most, "of its settings", longest)
        members: dict[str, ClassMember] = {}
        for number, row in enumerate(rows, 1):
            match = _ROW.fullmatch(row)
            if match is None:
                raise DataError("not a word, a class and a count, between tabs", str(path), number)
            member = ClassMember(match[1], int(match[2]), int(match[3]))
            if len(member.type) > LONGEST_TYPE:
                raise DataError(f"a word of more than {LONGEST_TYPE} characters", str(path), number)
            if member.type in members:
                raise DataError(f"{member.name} has a class already", str(path), number)
            if member.word_class > config.classes - (member.type != PUNCTUATION):
                raise DataError(f"class {member.word_class} of {config.classes}", str(path), number)
            members[member.type] = member
        try:
            return cls(tuple(members.values()), text.digits)
        except ValueError as error:
            raise DataError(str(error), str(path)) from None


def learn_word_classes(counts: BigramCounts, config: WordClassConfig, seed: int) -> WordClasses:
    """Learn at most ``config.classes`` classes, as many as there are types if they are fewer, and that of punctuation.

    To begin with, each of the commonest types has a class, and the others get one in turn, by falling frequency; the
    seed decides between types of the same frequency. The result does not depend on the order of sentences, or on the
    machine. Time O(distinct bigrams) and that of `Exchange.run`.
    """
    forms, bigrams = counts.forms(), counts.bigrams()
    digits = counts.text.digits
    occurrences = counts.occurrences()
    marks = occurrences.pop(PUNCTUATION)
    type_of = _types(occurrences, config, digits)
    total: Counter[str] = Counter({UNKNOWN: 0})
    for form, count in occurrences.items():
        total[type_of[form]] += count
    ordered = _by_frequency(total, seed)
    V, K = len(ordered), min(config.classes, len(ordered))
    number = {PUNCTUATION: V, _BOUNDARY: V + 1} | {name: index for index, name in enumerate(ordered)}
    numbers = np.array([number[type_of.get(form, form)] for form in forms], np.int64)
    pairs, summed = _summed(numbers[bigrams.first] * (V + 2) + numbers[bigrams.second], bigrams.counts)
    type_bigrams = Bigrams(pairs // (V + 2), pairs % (V + 2), summed)
    exchange = Exchange(type_bigrams, np.array([*(t % K for t in range(V)), K, K + 1]), movable=V, open_classes=K)
    exchange.run(config.class_passes)
    class_of = dict(zip(ordered, exchange.classes.tolist(), strict=False))
    sizes: Counter[int] = Counter()
    for name, word_class in class_of.items():
        sizes[word_class] += total[name]
    rank = {word_class: place for place, word_class in enumerate(sorted(range(K), key=lambda c: (-sizes[c], c)))}
    members = [ClassMember(name, rank[word_class], total[name]) for name, word_class in class_of.items()]
    members.sort(key=lambda member: (member.word_class, -member.occurrences, member.type))
    return WordClasses((*members, ClassMember(PUNCTUATION, K, marks)), digits)


def class_perplexity(counts: BigramCounts, classes: WordClasses, least: int) -> float:
    """The perplexity of the words of the text that occur at least ``least`` times, punctuation aside, under the class
    bigram model, p(class | class before) · p(word | class). Without such words, infinity."""
    forms, bigrams = counts.forms(), counts.bigrams()
    form_classes = [classes.size, classes.size - 1, *classes.of(forms[2:])]  # the boundary of sentences is a class here
    class_of = np.array(form_classes, np.int64)
    size = classes.size + 1
    before, after = class_of[bigrams.first], class_of[bigrams.second]
    class_bigrams = np.bincount(before * size + after, bigrams.counts, size * size).reshape(size, size)
    occurrences = np.bincount(bigrams.second, bigrams.counts, len(forms))
    class_occurrences = np.bincount(class_of, occurrences, size)
    known = (occurrences[bigrams.second] >= least) & (bigrams.second > 1)
    before, after, words, weights = (part[known] for part in (before, after, bigrams.second, bigrams.counts))
    if not len(words):
        return math.inf
    transitions = class_bigrams[before, after] / class_bigrams.sum(1)[before]
    logs = np.log(transitions * occurrences[words] / class_occurrences[after])
    return float(np.exp(-(weights * logs).sum() / weights.sum()))


@lru_cache(1 << 16)
def group_of(word: str, digits: str) -> str:
    """The group of a normalized word whose numbers were replaced by ``digits``.

    >>> [group_of(word, "N").strip() for word in ("N", "२०", "N-year-old", "word‐class", "parsing", "dogs", "Nth")]
    ['number', 'number', 'hyphen', 'hyphen', 'ing', 'short', 'short']
    """
    rest = word.replace(digits, "") if digits else word
    has_number = rest != word or any(map(str.isnumeric, rest))
    if has_number and not any(character.isalpha() and not character.isnumeric() for character in rest):
        return NUMBER
    if any(unicodedata.category(character) == "Pd" for character in word):
        return HYPHEN
    last = last_letters(word, SHORT_WORD + 1)
    return SHORT if len(last) <= SHORT_WORD else GROUP + "".join(last[-ENDING:])


def _form(token: str, text: TextConfig) -> str:
    """What a token is counted as."""
    form = normalize(token, text)
    return PUNCTUATION if form is None or _is_mark(form) else form


def _is_mark(form: str) -> bool:
    """Whether a normalized word is punctuation; -LRB- may be in lower case."""
    return is_punctuation(form.upper())


def _types(count_of: dict[str, int], config: WordClassConfig, digits: str) -> dict[str, str]:
    """The type of each word: itself, or its group."""
    words = (form for form in count_of if len(form) <= LONGEST_TYPE and not _NO_WORD.search(form))
    common = sorted(words, key=lambda form: (-count_of[form], form))
    own = {form for form in common[: config.class_words] if count_of[form] >= config.class_min_count}
    group = {form: group_of(form, digits) for form in count_of if form not in own}
    sizes: Counter[str] = Counter()
    for form, name in group.items():
        sizes[name] += count_of[form]
    names = sorted((name for name in sizes if not _NO_WORD.search(name, 1)), key=lambda name: (-sizes[name], name))
    kept = {name for name in names[: config.class_words] if sizes[name] >= RARE_GROUP}
    return {form: form for form in own} | {form: name if name in kept else UNKNOWN for form, name in group.items()}


def _by_frequency(total: Counter[str], seed: int) -> list[str]:
    """Types by falling count; those of the same count in random order."""
    types = sorted(total)
    random.Random(seed).shuffle(types)
    return sorted(types, key=lambda name: -total[name])


def _summed(keys: Counts, counts: Counts) -> tuple[Counts, Counts]:
    """The distinct keys in rising order, and the sum of the counts of each."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[firsts], np.add.reduceat(counts, firsts) if len(firsts) else counts
