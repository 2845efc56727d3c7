"""Which sentences of a text to annotate next (``synparse select``): those that the parser is least sure of, or that
have most of what no annotated sentence has, and not all alike.

The choice is greedy. Each time, it takes the sentence whose score, times the fraction of its *parts* that neither the
chosen sentences nor those with known trees have, is the highest. The parts are its words and its constructions: the
induced rules of its dependencies, which are the word classes of a dependent and of its head, and on which side it is.
That gain only falls as sentences are chosen, so most gains need not be computed again (Minoux, 1978, "Accelerated
greedy algorithms for maximizing submodular set functions").
"""

from __future__ import annotations

import heapq
import io
import itertools
import unicodedata
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from synparse.corpora.sample import Sample
from synparse.corpora.sentences import InputFormat, Sentence, read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.tree_targets import read_trees
from synparse.files.streams import STANDARD_STREAM
from synparse.inducers.head_choice import arc_rows, choice_words
from synparse.parsing.drafts import is_checked
from synparse.parsing.formats import FORMATS, with_assumptions
from synparse.parsing.options import CANDIDATES, MOST_WORDS, By, ParserOptions, Request
from synparse.parsing.parse import LEAST_CERTAIN, Parse
from synparse.parsing.parser import Parser
from synparse.parsing.run import chosen_decoders, refuse_without_heads, tokenizer_of_input
from synparse.parsing.unknown_words import Report, watched
from synparse.parsing.windows import Numbering, windows_of
from synparse.store.shipped import default_model
from synparse.trees.arguments import refuse_repeated
from synparse.trees.conllu import GLOBAL_COLUMNS, read_conllu, with_comments
from synparse.trees.constituency import unescaped
from synparse.trees.errors import SettingError
from synparse.trees.punctuation import is_punctuation

BASELINES = ("random", "length")
"""Of these, sentences may be alike."""

Parts: TypeAlias = frozenset[Hashable]

MOST_ARCS = 5
"""Words in the comment with those whose arcs are least certain."""


class Candidate(NamedTuple):
    """A sentence, and the numbering before it."""

    sentence: Sentence
    before: Numbering


def select(
    inputs: Sequence[str],
    models: Sequence[str],
    number: int,
    options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
    *,
    by: By = "coverage",
    trees: Sequence[str] = (),
    most_words: int = MOST_WORDS,
    candidates: int = CANDIDATES,
    min_confidence: float | None = None,
    raw: bool = False,
    tokenizer: str | None = None,
    language: str | None = None,
    input_format: InputFormat | None = None,
    report: Report = lambda _: None,
    counted: Callable[[Iterable[Sentence]], Iterable[Sentence]] = iter,
) -> Iterator[str]:
    """The text, in CoNLL-U, of ``number`` sentences to annotate, fewer where there are no more, the best ones first:
    drafts, with the parser's heads and their fitted probabilities.

    ``trees``: files with sentences whose trees are known, which are not chosen; ``most_words``: of a sentence;
    ``candidates``: sentences that are parsed; ``min_confidence``, ``report``, ``counted`` and the rest: as in
    `synparse.parsing.run.parse`; ``report`` also gets a note where there are no ``number`` sentences. Raises what that
    raises, SettingError where both the text and ``trees`` are standard input, and where a text is named twice, and
    DataError where a file of ``trees`` has none.
    """
    refuse_repeated(inputs)
    if STANDARD_STREAM in inputs and STANDARD_STREAM in trees:
        raise SettingError("--trees: standard input is the text; name a file")
    models = models or [default_model(language)]
    parser = Parser.load(models, options)
    refuse_without_heads(parser)
    decoders = chosen_decoders(parser, "conllu")
    request = Request(*decoders, tags=parser.names_classes, confidence="fitted", least=min_confidence)
    request = parser.checked(replace(request, distributions=by == "change"))
    name, code = tokenizer_of_input(parser, inputs, tokenizer, language, raw, input_format, report)
    tokenize = load_tokenizer(name, False, code)
    known = [sentence for path in trees for sentence in read_trees(path, tokenize)]
    known_parses = _parses(parser, (sentence.tokens for sentence in known), request)
    known_parts = frozenset(itertools.chain.from_iterable(map(parts_of, known_parses)))
    text = counted(read_files(inputs, load_tokenizer(name, raw, code), input_format))
    text = watched(text, parser.knows, models, report)
    sample = _sample(text, frozenset().union(*map(_spellings, known)), most_words, candidates, options.seed)
    parses = _parses(parser, (sentence.tokens for sentence, _ in sample), request)
    source = Random(options.seed)
    scores = [score_of(parse, by, source) for parse in parses]
    parts = [frozenset() if by in BASELINES else parts_of(parse) for parse in parses]
    chosen = greedy_choice(scores, parts, number, known_parts)
    if len(chosen) < number:
        limits = f"--max-words {most_words}, --candidates {candidates} and --trees"
        advice = "" if chosen or raw else "; if the lines of a text are paragraphs: --raw"
        report(f"selected {len(chosen)} of {number} sentences: {limits} leave no others{advice}")
    tokens = (sample[index].sentence.tokens for index in chosen)
    unfitted = _parses(parser, tokens, replace(request, confidence="raw", least=None, distributions=False))
    drafts = (_draft(sample[index], parses[index], again) for index, again in zip(chosen, unfitted, strict=True))
    return with_assumptions(drafts, parser.assumptions)


def _parses(parser: Parser, sentences: Iterable[tuple[str, ...]], request: Request) -> list[Parse]:
    return [parse for window in windows_of(sentences, len) for parse in parser.parse_window(window, request)]


def _sample(
    sentences: Iterable[Sentence], known: frozenset[str], most_words: int, size: int, seed: int
) -> list[Candidate]:
    """Sentences that may be chosen, in the order of the text: a sample of this size, each of them once, and none that
    is marked as checked, since a draft has new heads. known: `_spellings` of those that may not be chosen."""
    sample: Sample[Candidate] = Sample(size, seed)
    before = Numbering()
    for sentence in sentences:
        words = sum(not is_punctuation(token) for token in sentence.tokens)  # the head of a lone one is known
        is_open = not is_checked(sentence) and known.isdisjoint(_spellings(sentence))
        if words > 1 and len(sentence.tokens) <= most_words and is_open:
            sample.offer(partial(Candidate, sentence, Numbering(before.number)))
        before = before.after(sentence)
    in_order = sorted(sample.items, key=lambda candidate: candidate.before.number)
    return list({_words_of(candidate.sentence.tokens): candidate for candidate in in_order}.values())


def _words_of(tokens: Iterable[str]) -> tuple[str, ...]:
    """Words as they are compared: composed, and without the escapes of brackets, which known trees may have where the
    text has none."""
    return tuple(unicodedata.normalize("NFC", unescaped(token)) for token in tokens)


def _spellings(sentence: Sentence) -> frozenset[str]:
    """The letters of a sentence, which is the same however it is divided into words: annotators divide it in other
    places, and write two words for a token (*zu dem* for *zum*). So there are those of its words and of its tokens."""
    surface = sentence.surface if sentence.conllu is None else sentence.conllu.surface
    spellings = (sentence.tokens, [token.form for token in surface])
    return frozenset("".join("".join(_words_of(forms)).split()) for forms in spellings if forms)


def score_of(parse: Parse, by: By, source: Random) -> float:
    """How much a sentence should be annotated.

    ``errors``: how many of its arcs are expected to be wrong; ``entropy``: the mean entropy of the heads of its words;
    ``change``: the `expected_change`; ``coverage``: how many different parts it has for each word; ``length``: its
    words; ``random``: a number of ``source``.
    """
    if by == "random":
        return source.random()
    if by == "change":
        return expected_change(parse)
    value = {
        "errors": parse.expected_errors,
        "entropy": parse.entropy,
        "coverage": len(parts_of(parse)) / len(parse.tokens),
        "length": len(parse.tokens),
    }[by]
    return value or 0.0


def expected_change(parse: Parse) -> float:
    """How much the heads of this sentence are expected to change a model that learns them: the expected length of the
    gradient of their log-likelihood (Settles, Craven & Ray, 2008, "Multiple-Instance Active Learning", section 3.2),
    summed over words,

        Σ_d Σ_h p(h | d) |φ(d, h) − Σ_k p(k | d) φ(d, k)|

    where φ are the features of `synparse.inducers.head_choice` that the parse tells: words, classes, distances. They
    are 0 or 1, so a product of two φ is the number of features that both arcs have.
    """
    distributions = parse.head_distributions or ()
    read = [word for word, row in enumerate(distributions) if row is not None]
    if not read:
        return 0.0
    all_heads = np.array([distributions[word] for word in read])
    probabilities = all_heads[:, [word + 1 for word in read]]
    np.fill_diagonal(probabilities, all_heads[:, 0])
    tags = parse.tags or parse.tokens
    classes = np.array([zlib.crc32(str(tags[word]).encode()) for word in read], np.int64)
    words = _words_of(parse.tokens)
    rows = arc_rows(choice_words([words[word].lower() for word in read], classes, (), None))
    change = 0.0
    for features, p in zip(rows, probabilities, strict=True):  # [T, F] and [T]: of the heads of a word
        with_mean = (features[:, None] == features).sum(-1) @ p
        squares = features.shape[-1] - 2 * with_mean + p @ with_mean
        change += float(p @ np.sqrt(np.maximum(squares, 0)))
    return change


def parts_of(parse: Parse) -> Parts:
    """The words that were read, and, where words have classes, the rules of their arcs."""
    words = {word.lower() for word, is_read in zip(_words_of(parse.tokens), parse.read, strict=True) if is_read}
    tags, heads = parse.tags or (), parse.heads or ()
    rules = {
        (tags[word], tags[head - 1] if head else None, word < head)
        for word, (head, is_read) in enumerate(zip(heads, parse.read, strict=True))
        if tags and is_read
    }
    return frozenset(words | rules)


def greedy_choice(
    scores: Sequence[float], parts: Sequence[Parts], number: int, known: Parts = frozenset()
) -> list[int]:
    """The indices of ``number`` sentences, the best one first: see the module. A sentence without parts keeps its
    score; of equal ones, the earlier is taken.

    >>> greedy_choice([3, 2, 1], [frozenset("ab"), frozenset("ab"), frozenset("cd")], 2)
    [0, 2]
    """
    covered = set(known)

    def gain(index: int) -> float:
        own = parts[index]
        return scores[index] * len(own - covered) / len(own) if own else scores[index]

    waiting = [(-gain(index), index) for index in range(len(scores))]
    heapq.heapify(waiting)
    chosen: list[int] = []
    while waiting and len(chosen) < number:
        _, index = heapq.heappop(waiting)
        entry = (-gain(index), index)  # the gain may have fallen
        if waiting and waiting[0] < entry:
            heapq.heappush(waiting, entry)
            continue
        chosen.append(index)
        covered |= parts[index]
    return chosen


def _draft(candidate: Candidate, parse: Parse, raw: Parse) -> str:
    """The sentence in CoNLL-U, with a comment that has the words whose arcs are least certain."""
    sentence, before = candidate
    [text] = FORMATS["conllu"]([(sentence, replace(parse, tags=None, head_distributions=None))], before)
    [conllu] = read_conllu(io.StringIO(text), "")
    comments = {LEAST_CERTAIN: least_certain(parse, raw)}
    return "".join(with_comments(conllu, comments, [LEAST_CERTAIN, GLOBAL_COLUMNS]).lines)


def least_certain(parse: Parse, raw: Parse) -> str:
    """The words whose arcs are least certain, by number, each with the probability of its arc. ``raw``: the same with
    raw probabilities, by which they are ordered: many have the same fitted one.

    >>> parse = Parse(("a", "dog"), None, (2, 0), (True, True), head_probabilities=(0.9, 0.25))
    >>> least_certain(parse, parse)
    '2 dog 0.25, 1 a 0.90'
    """
    values = zip(raw.head_probabilities or (), parse.head_probabilities or (), strict=True)
    ranked = sorted((rank, word, value) for word, (rank, value) in enumerate(values, 1) if rank is not None)
    return ", ".join(f"{word} {parse.tokens[word - 1]} {value:.2f}" for _, word, value in ranked[:MOST_ARCS])
