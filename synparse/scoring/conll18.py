"""Scores of the CoNLL 2018 shared task: CoNLL-U against CoNLL-U, however each of them was cut into words and sentences.

Source: Zeman et al., "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies" (2018), §4,
and https://universaldependencies.org/conll18/evaluation.html.

- Both files have the same characters, spaces aside. A token, multiword tokens included, is a span of them, and so is a
  sentence; these are right where the other file has the same span. Comments and empty nodes are not read.
- Words are aligned: one that is a token by itself with the one of the same span. Words in a multiword token have no
  span; there, over the text that multiword tokens of either file cover in one piece, words are aligned by
  the longest common subsequence of their forms, upper and lower case being the same.
- A word is attached where its head is aligned with the gold head. Relations are compared without subtypes, features as
  far as they are universal; a gold lemma ``_`` is matched by any.
- Precision is out of predicted words, recall out of gold ones, and AligndAcc out of aligned ones. CLAS, MLAS and BLEX
  are of content words, by their relation in either file. For MLAS a word has its tag, its features and its function
  words right too, for BLEX its lemma.

Hand-worked: gold "al mar" is the multiword token al = a + el, then mar; the prediction takes "al" for one word. Three
gold words, two predicted, of which "mar" is aligned: precision 1/2, recall 1/3.

    >>> gold = ["1-2 al _ _ _ _ _ _ _ _", "1 a _ ADP _ _ 3 case _ _", "2 el _ DET _ _ 3 det _ _"]
    >>> gold += ["3 mar _ NOUN _ _ 0 root _ _"]
    >>> predicted = ["1 al _ ADP _ _ 2 case _ _", "2 mar _ NOUN _ _ 0 root _ _"]
    >>> predicted, gold = ([line.replace(" ", "\\t") for line in lines] for lines in (predicted, gold))
    >>> scores = evaluate_conll18(NamedLines("predicted", predicted), NamedLines("gold", gold))
    >>> scores["Tokens"].f1, scores["Words"].precision, round(scores["UAS"].recall, 3), scores["UAS"].aligned_accuracy
    (1.0, 0.5, 0.333, 1.0)
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from synparse.scoring.counts import Counts, ratio
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import FORM, HEAD, RELATION, UPOS, XPOS, ConlluSentence, read_conllu
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError

PROTOCOL = "CoNLL 2018: aligned by characters, punctuation scored, relations without subtypes"

LEMMA, FEATURES = 2, 5

CONTENT_RELATIONS = frozenset(
    """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod
    conj fixed flat compound list parataxis orphan goeswith reparandum root dep""".split()
)

FUNCTION_RELATIONS = frozenset("aux cop mark det clf case cc".split())

UNIVERSAL_FEATURES = frozenset(
    """PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect
    Voice Evident Polarity Person Polite""".split()
)

SPAN_METRICS = ("Tokens", "Sentences", "Words")
WORD_METRICS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS")
CONTENT_METRICS = ("CLAS", "MLAS", "BLEX")

Span = tuple[int, int]
"""First character and the one after the last, counted from the start of a segment."""

ROOT = -1


@dataclass(frozen=True, slots=True)
class MatchCounts(Counts):
    """Counts that add up over a file: units in gold, in the prediction, right, and (of words) aligned."""

    gold: int = 0
    predicted: int = 0
    right: int = 0
    aligned: int = 0

    @property
    def precision(self) -> float | None:
        """The fraction of predicted units that are right, 0 … 1; None where there are none, as in all that follow."""
        return ratio(self.right, self.predicted)

    @property
    def recall(self) -> float | None:
        """The fraction of gold units that are right, 0 … 1."""
        return ratio(self.right, self.gold)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, 0 … 1."""
        return ratio(2 * self.right, self.gold + self.predicted)

    @property
    def aligned_accuracy(self) -> float | None:
        """The fraction of aligned words that are right, 0 … 1; None of spans, which are not aligned."""
        return ratio(self.right, self.aligned)


class Token(NamedTuple):
    """Characters without spaces, the number of words in it (0: it is a word itself), and its line."""

    form: str
    parts: int
    line: int


class Word(NamedTuple):
    """A word as it is compared. span: its token's; head: position in the segment, or `ROOT`."""

    span: Span
    in_multiword: bool
    form: str
    lemma: str
    upos: str
    xpos: str
    features: str
    head: int
    relation: str


class ConlluSegment(NamedTuple):
    """The part of a file between two positions at which both files end the same token, and a sentence."""

    tokens: list[Span]
    sentences: list[Span]
    words: list[Word]


def evaluate_conll18(predicted: NamedLines, gold: NamedLines) -> dict[str, MatchCounts]:
    """Score a CoNLL-U file against a gold one: counts by metric, in the task's order.

    Streams: what is in memory is the text between two positions at which both files end the same token, and a sentence.
    Raises DataError (file:line) where a file is malformed, heads are no tree with one root, or characters differ.
    """
    total = dict.fromkeys((*SPAN_METRICS, *WORD_METRICS, *CONTENT_METRICS), MatchCounts())
    for segment, gold_segment in _segments(predicted, gold):
        for metric, counts in score_segment(segment, gold_segment).items():
            total[metric] += counts
    if not total["Words"].gold:
        raise DataError("holds no sentences", gold.name)
    return total


def score_segment(predicted: ConlluSegment, gold: ConlluSegment) -> dict[str, MatchCounts]:
    """The counts of all metrics over a segment of the same characters."""
    pairs = align_words(predicted.words, gold.words)
    right = Counter(_agreements(predicted.words, gold.words, pairs))
    sizes = len(gold.words), len(predicted.words)
    content_gold, content_predicted = (
        sum(word.relation in CONTENT_RELATIONS for word in words) for words in (gold.words, predicted.words)
    )
    content_aligned = sum(gold.words[position].relation in CONTENT_RELATIONS for position in pairs.values())
    return {
        "Tokens": _match_spans(gold.tokens, predicted.tokens),
        "Sentences": _match_spans(gold.sentences, predicted.sentences),
        "Words": MatchCounts(*sizes, len(pairs)),
        **{metric: MatchCounts(*sizes, right[metric], len(pairs)) for metric in WORD_METRICS},
        **{
            metric: MatchCounts(content_gold, content_predicted, right[metric], content_aligned)
            for metric in CONTENT_METRICS
        },
    }


def align_words(predicted: Sequence[Word], gold: Sequence[Word]) -> dict[int, int]:
    """Which predicted word is which gold word, by position. O(words), beside O(p · g) where multiword tokens are.

    Both files are walked from left to right, gold first where words begin together. Where neither is in a multiword
    token, words pair by span. Otherwise a zone opens, which ends where the next words of both files are outside: every
    multiword token that begins in a zone widens it, and single words are inside where they end in it.
    """
    pairs: dict[int, int] = {}
    i = j = 0
    while i < len(predicted) and j < len(gold):
        word, gold_word = predicted[i], gold[j]
        if word.in_multiword or gold_word.in_multiword:
            start, end = gold_word.span if gold_word.in_multiword else word.span
            i += not word.in_multiword and word.span[0] < start  # began before the zone
            j += not gold_word.in_multiword and gold_word.span[0] < start
            last, last_gold = _end_of_zone(predicted, i, gold, j, end)
            forms, gold_forms = (
                [word.form.lower() for word in zone] for zone in (predicted[i:last], gold[j:last_gold])
            )
            pairs.update((i + k, j + m) for k, m in _common_subsequence(forms, gold_forms))
            i, j = last, last_gold
        elif word.span == gold_word.span:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif gold_word.span[0] <= word.span[0]:
            j += 1
        else:
            i += 1
    return pairs


def _end_of_zone(predicted: Sequence[Word], i: int, gold: Sequence[Word], j: int, end: int) -> tuple[int, int]:
    """The first positions after a zone that begins at i and j, and reaches to the character ``end`` so far."""
    while _is_inside(predicted, i, end) or _is_inside(gold, j, end):
        gold_is_next = i == len(predicted) or (j < len(gold) and gold[j].span[0] <= predicted[i].span[0])
        word = gold[j] if gold_is_next else predicted[i]
        i, j = i + (not gold_is_next), j + gold_is_next
        end = max(end, word.span[1]) if word.in_multiword else end
    return i, j


def _is_inside(words: Sequence[Word], position: int, end: int) -> bool:
    if position == len(words):
        return False
    start, last = words[position].span
    return start < end if words[position].in_multiword else last <= end


def _common_subsequence(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The positions in a longest common subsequence, matched as early as possible; of two choices, skip in ``second``.

    >>> list(_common_subsequence(["a", "b", "c"], ["b", "a", "c"]))
    [(0, 1), (2, 2)]
    """
    longest = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]  # of what follows two positions
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            match = first[i] == second[j]
            longest[i][j] = longest[i + 1][j + 1] + 1 if match else max(longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i][j + 1] == longest[i][j]:
            j += 1
        else:
            i += 1


def _agreements(predicted: Sequence[Word], gold: Sequence[Word], pairs: Mapping[int, int]) -> Iterator[str]:
    """The name of each metric once for every aligned word that is right by it."""
    functions = _function_words(predicted, map(pairs.get, range(len(predicted))))
    gold_functions = _function_words(gold, range(len(gold)))
    for position, gold_position in pairs.items():
        word, gold_word = predicted[position], gold[gold_position]
        same_lemma = gold_word.lemma in ("_", word.lemma)
        attached = (word.head if word.head == ROOT else pairs.get(word.head)) == gold_word.head
        labelled = attached and word.relation == gold_word.relation
        content = labelled and gold_word.relation in CONTENT_RELATIONS
        upos, xpos = word.upos == gold_word.upos, word.xpos == gold_word.xpos
        features = word.features == gold_word.features
        same_functions = functions.get(position) == gold_functions.get(gold_position)
        verdicts = {
            "UPOS": upos,
            "XPOS": xpos,
            "UFeats": features,
            "AllTags": upos and xpos and features,
            "Lemmas": same_lemma,
            "UAS": attached,
            "LAS": labelled,
            "CLAS": content,
            "MLAS": content and upos and features and same_functions,
            "BLEX": content and same_lemma,
        }
        yield from (metric for metric, is_right in verdicts.items() if is_right)


def _function_words(words: Sequence[Word], aligned: Iterable[int | None]) -> dict[int, list[Any]]:
    """By head: each function word as MLAS compares it, with the gold word that it is aligned with, or None."""
    children: dict[int, list[Any]] = {}
    for word, position in zip(words, aligned, strict=True):
        if word.relation in FUNCTION_RELATIONS:
            children.setdefault(word.head, []).append((position, word.relation, word.upos, word.features))
    return children


def _match_spans(gold: Sequence[Span], predicted: Sequence[Span]) -> MatchCounts:
    return MatchCounts(len(gold), len(predicted), len(set(gold) & set(predicted)))


class _TokenizedSentence(NamedTuple):
    """A sentence and its tokens."""

    sentence: ConlluSentence
    tokens: list[Token]


def _segments(predicted: NamedLines, gold: NamedLines) -> Iterator[tuple[ConlluSegment, ConlluSegment]]:
    """The shortest parts of both files that have the same characters and end with the same token and sentence.

    Without the same token, a word that crosses no border here could be aligned with one of the next part.
    """
    files = [_sentences(predicted), _sentences(gold, is_gold=True)]
    waiting: tuple[list[_TokenizedSentence], list[_TokenizedSentence]] = [], []
    texts = ["", ""]
    while True:
        behind = int(len(texts[1]) < len(texts[0]))  # 0: the prediction, 1: gold
        read = next(files[behind], None)
        if read is None:
            break
        waiting[behind].append(read)
        known = min(map(len, texts))
        texts[behind] += "".join(token.form for token in read.tokens)
        both = min(map(len, texts))
        if texts[0][known:both] != texts[1][known:both]:
            position = next(position for position in range(known, both) if texts[0][position] != texts[1][position])
            token, gold_token = (_token_at(reads, position) for reads in waiting)
            expected = f"{gold.name}:{gold_token.line} has {gold_token.form!r}"
            raise DataError(f"{token.form!r} where {expected}", predicted.name, token.line)
        last_forms = {reads[-1].tokens[-1].form for reads in waiting if reads}
        if len(texts[0]) == len(texts[1]) and len(last_forms) == 1:
            yield _segment_of(waiting[0]), _segment_of(waiting[1])
            waiting, texts = ([], []), ["", ""]
    ahead, names = 1 - behind, (predicted.name, gold.name)
    rest = [*waiting[ahead], *itertools.islice(files[ahead], 1)]
    if sum(len(token.form) for read in rest for token in read.tokens) > len(texts[behind]):
        token = _token_at(rest, len(texts[behind]))
        raise DataError(f"ends where {names[ahead]}:{token.line} continues with {token.form!r}", names[behind])
    if rest:
        yield _segment_of(waiting[0]), _segment_of(waiting[1])


def _sentences(file: NamedLines, is_gold: bool = False) -> Iterator[_TokenizedSentence]:
    """The sentences that have words. Raises DataError(file:line) where heads are no tree with one root."""
    for sentence in read_conllu(file.lines, file.name):
        if sentence.rows:
            fault = fault_of_heads(sentence.gold_heads if is_gold else sentence.heads)
            if fault:
                raise DataError(f"no tree: {fault}", file.name, sentence.line_of_words)
            yield _TokenizedSentence(sentence, list(_tokens(sentence)))


def _tokens(sentence: ConlluSentence) -> Iterator[Token]:
    covered = 0  # the last word of the multiword token before
    for number, line in enumerate(sentence.lines, sentence.first_line):
        identifier, *columns = line.split("\t", FORM + 1)
        if not columns or line.startswith("#") or "." in identifier:
            continue
        first, _, last = identifier.partition("-")
        if int(first) > covered:
            form = _without_spaces(columns[0])
            if not form:
                raise DataError(f"token {identifier} has no form but spaces", sentence.source, number)
            covered = int(last or first)
            yield Token(form, covered - int(first) + 1 if last else 0, number)


def _without_spaces(form: str) -> str:
    return form if form.isascii() and " " not in form else "".join(c for c in form if unicodedata.category(c) != "Zs")


def _token_at(reads: Iterable[_TokenizedSentence], position: int) -> Token:
    """The token that holds the character at this position."""
    tokens = (token for read in reads for token in read.tokens)
    ends = itertools.accumulate(len(token.form) for read in reads for token in read.tokens)
    return next(token for token, end in zip(tokens, ends, strict=True) if position < end)


def _segment_of(reads: Iterable[_TokenizedSentence]) -> ConlluSegment:
    segment = ConlluSegment([], [], [])
    end = 0
    for sentence, tokens in reads:
        first_word, first_character = len(segment.words), end
        rows = iter(sentence.rows)
        for token in tokens:
            span = end, end + len(token.form)
            end = span[1]
            segment.tokens.append(span)
            for row in itertools.islice(rows, token.parts or 1):
                segment.words.append(_word(row, span, token.parts > 0, first_word))
        segment.sentences.append((first_character, end))
    return segment


def _word(row: Sequence[str], span: Span, in_multiword: bool, first_word: int) -> Word:
    head = int(row[HEAD])
    return Word(
        span,
        in_multiword,
        row[FORM] if in_multiword else _without_spaces(row[FORM]),
        row[LEMMA],
        row[UPOS],
        row[XPOS],
        _universal(row[FEATURES]),
        first_word + head - 1 if head else ROOT,
        row[RELATION].partition(":")[0],
    )


@functools.lru_cache(maxsize=4096)
def _universal(features: str) -> str:
    """Those of the features that are universal, in order."""
    universal = (feature for feature in features.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(universal))
