"""Is a text in the language of the models? Said by the fraction of its words that they do not know.

Models of thirteen languages, each of about 300,000 words, do not know 9 to 33 % of the words of more text from the same
source (most of them in Finnish: 41 % in the worst thousand words). The model english does not know 63 % of the words of
Spanish, 77 % of German and 98 % of Japanese (56 % in the best thousand words of any language), and 4 to 9 % of English
(19 % in the worst thousand). So the limit is one half. In a few words, another shipped model shows it: one that knows
many more of them.
"""

from __future__ import annotations

import functools
import itertools
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from synparse.corpora.scripts import scripts_of
from synparse.corpora.sentences import Sentence
from synparse.corpora.tokenization import CHARACTERS, LONGEST_MEAN, load_tokenizer
from synparse.store.shipped import known_words, shipped_models
from synparse.trees.trivial import TRIVIAL_PARSERS

FIRST_WORDS = 1000
"""Words from the beginning of a text that are looked up."""

LEAST_WORDS = 5
"""Fewer words say nothing about a text."""

SUSPECT = 0.25
"""The fraction of unknown words from which on the words of other models are looked at."""

Report: TypeAlias = Callable[[str], None]
"""Receives a note for the user, one line without its end."""


def watched(
    sentences: Iterable[Sentence], knows: Callable[[Sequence[str]], list[bool]], models: Sequence[str], report: Report
) -> Iterator[Sentence]:
    """The same sentences, as they come; ``report`` gets `note_on_unknown_words` once, as soon as there is one.
    ``knows``: see `synparse.parsing.parser.Parser.knows`."""
    remaining = iter(sentences)
    known: list[bool] = []
    tokens: list[str] = []
    for sentence in remaining:
        words = _without_runs(sentence.tokens)
        known += knows(words)
        tokens += words
        note = note_on_unknown_words(known, tokens, models)
        if note is not None:
            report(note)
        yield sentence
        if note is not None or len(tokens) >= FIRST_WORDS:
            break
    yield from remaining


def _without_runs(tokens: Sequence[str]) -> Sequence[str]:
    """The tokens, but the characters of those that are sentences or phrases in a script without blanks: as few words
    they would say nothing."""
    if not any(len(token) > LONGEST_MEAN and not token.isascii() for token in tokens):
        return tokens
    split = load_tokenizer(CHARACTERS)
    return [
        word
        for token in tokens
        for word in ((token,) if len(token) <= LONGEST_MEAN or token.isascii() else split(token)[0].words)
    ]


def first_sentences(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences from the beginning up to `FIRST_WORDS` tokens."""
    tokens = 0
    for sentence in sentences:
        yield sentence
        tokens += len(sentence.tokens)
        if tokens >= FIRST_WORDS:
            return


def note_on_unknown_words(known: Sequence[bool], tokens: Sequence[str], models: Sequence[str]) -> str | None:
    """A question to the user if most words are surely unknown to the models (by name), or the models are shipped and
    another one surely knows more of them and most of them, else None.

    Surely: by more than 1.5 / √words, which is at least three standard deviations of a fraction, for it is asked after
    every sentence; 1 / √words is enough where another model bears witness. ``known``: of each word among the tokens,
    whether the models know it; baselines know no words, and ask nothing.
    """
    words, unknown = len(known), known.count(False)
    if words < LEAST_WORDS or unknown <= SUSPECT * words:
        return None
    fraction, margin = unknown / words, 1 / math.sqrt(words)
    names = [name for name in dict.fromkeys(models) if name not in TRIVIAL_PARSERS]
    is_shipped = set(names) <= set(shipped_models())  # the words of a user's own model are the user's choice
    is_foreign = fraction - 1.5 * margin > 0.5
    if not is_foreign and not is_shipped:
        return None
    better, known_there = _best_shipped(tokens, names)
    is_better = known_there > 0.5 and known_there - (1 - fraction) > margin
    if not is_foreign and not is_better:
        return None
    whose, its = ("model", "its") if len(names) == 1 else ("models", "their")
    if is_better and better:
        advice = f"{better} knows {known_there:.0%} of them (synparse parse --model {better})"
    elif is_shipped and (others := _other_script(tokens, names)):
        advice = others
    elif is_shipped:
        advice = f"is the text in {its} language, and split into words?"
    else:
        advice = f"is the text in {its} language, and split into words? did the {whose} read enough text in training?"
    note = f"{fraction:.0%} of the first {words:,} words are unknown to the {whose} {', '.join(names)}: {advice}"
    return note.replace("%", " %")


def _other_script(tokens: Sequence[str], models: Sequence[str]) -> str:
    """The script of the words, and that of the words of the models, if it is another one: a language may be written in
    both."""
    of_text = scripts_of(Counter(tokens)).partition(" ")[0]
    of_models = scripts_of(Counter(itertools.chain.from_iterable(_known_words()[name] for name in models)))
    if not of_text or of_text in of_models:
        return ""
    return f"they are in the {of_text} script, known words in the {of_models.partition(' ')[0]} one"


def _best_shipped(tokens: Sequence[str], models: Sequence[str]) -> tuple[str, float]:
    """The shipped model that knows most of the words, "" where several know as many, and what fraction of them; models
    of the run are left out."""
    forms = [unicodedata.normalize("NFC", token.lower()) for token in tokens if any(map(str.isalpha, token))]
    fractions = {
        name: sum(form in words for form in forms) / len(forms)
        for name, words in _known_words().items()
        if name not in models and forms
    }
    most = max(fractions.values(), default=0.0)
    best = [name for name, fraction in fractions.items() if fraction == most]
    return best[0] if len(best) == 1 else "", most


@functools.cache
def _known_words() -> dict[str, frozenset[str]]:
    return {name: known_words(name) for name in shipped_models()}
