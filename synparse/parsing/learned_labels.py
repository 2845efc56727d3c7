"""Tags of words, relations of arcs and labels of constituents that a model has learned from given trees: the features
of their classifiers (`synparse.inducers.log_linear`), and parses with these labels.

Features are the forms and endings of words, their induced classes, if the model has any, and the shape of the tree.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from synparse.config.parsing import CONSTITUENTS, RELATIONS, TAGS
from synparse.inducers.log_linear import predicted
from synparse.parsing.parse import Parse
from synparse.store.labels import LearnedLabels
from synparse.trees.conllu import ROOT_RELATION
from synparse.trees.constituency import INDUCED_LABEL

OUTSIDE = "|"
"""In place of a word before the first, after the last, and of the head of the root."""

MOST_DISTANCE, MOST_DEPENDENTS = 5, 3
"""Greater numbers are these."""


class Words:
    """The words of a sentence as features see them, composed (NFC), 0 the first; any other number is outside."""

    def __init__(self, tokens: Sequence[str], classes: Sequence[str] | None) -> None:
        self._tokens = [unicodedata.normalize("NFC", token) for token in tokens]
        self._forms = [token.lower() for token in self._tokens]
        self._classes = classes or [""] * len(tokens)

    def __len__(self) -> int:
        return len(self._forms)

    def form(self, word: int) -> str:
        return self._forms[word] if 0 <= word < len(self) else OUTSIDE

    def ending(self, word: int, length: int = 3) -> str:
        return self.form(word)[-length:]

    def word_class(self, word: int) -> str:
        return self._classes[word] if 0 <= word < len(self) else OUTSIDE

    def shape(self, word: int) -> str:
        """Upper case, digits or signs at the beginning, and whether the word is the first."""
        token = self._tokens[word]
        kind = "A" if token[:1].isupper() else "a" if token[:1].islower() else "0" if token[:1].isdigit() else "."
        return f"{kind}{token.isupper()}{any(map(str.isdigit, token))}{'-' in token}{word == 0}"


def features_of_word(words: Words, word: int) -> list[str]:
    """Of the tag of a word."""
    form, before, after = words.form(word), word - 1, word + 1
    classes = [words.word_class(other) for other in range(word - 2, word + 3)]
    return [
        "bias",
        f"w={form}",
        *(f"{length}={form[-length:]}" for length in (1, 2, 3, 4)),
        f"p={form[:3]}",
        f"s={words.shape(word)}",
        f"c={classes[2]}",
        f"cs={classes[2]} {words.shape(word)}",
        f"c3={classes[2]} {words.ending(word)}",
        f"b={words.form(before)}",
        f"a={words.form(after)}",
        f"b3={words.ending(before)}",
        f"a3={words.ending(after)}",
        f"bc={classes[1]} {classes[2]}",
        f"ca={classes[2]} {classes[3]}",
        f"bca={classes[1]} {classes[2]} {classes[3]}",
        f"bb={classes[0]} {classes[1]}",
        f"aa={classes[3]} {classes[4]}",
        f"bw={words.form(before)} {words.ending(word, 2)}",
    ]


def features_of_arc(words: Words, heads: Sequence[int], dependents: Sequence[Sequence[int]], word: int) -> list[str]:
    """Of the relation of a word to its head. ``dependents``: those of each word, in order."""
    head = heads[word] - 1
    distance = max(-MOST_DISTANCE, min(MOST_DISTANCE, head - word))
    side = "<" if head < word else ">"
    form, of_head = words.form(word), words.form(head)
    own, its = words.word_class(word), words.word_class(head)
    above = heads[head] - 1 if head >= 0 else -1
    return [
        "bias",
        f"w={form}",
        f"ws={form} {side}",
        f"3={words.ending(word)} {side}",
        f"2={words.ending(word, 2)} {side}",
        f"s={words.shape(word)} {side}",
        f"h={of_head} {side}",
        f"h3={words.ending(head)} {side}",
        f"wh={form} {of_head}",
        f"33={words.ending(word, 2)} {words.ending(head, 2)} {side}",
        f"c={own} {side}",
        f"hc={its} {side}",
        f"cc={own} {its} {side}",
        f"ccd={own} {its} {distance}",
        f"wc={form} {its} {side}",
        f"cw={own} {of_head} {side}",
        f"d={distance}",
        f"n={min(MOST_DEPENDENTS, len(dependents[word]))} {own} {side}",
        f"nh={min(MOST_DEPENDENTS, len(dependents[head])) if head >= 0 else 0} {its} {side}",
        f"b={words.form(word - 1)} {side}",
        f"a={words.form(word + 1)} {side}",
        f"bc={words.word_class(word - 1)} {own} {side}",
        f"ca={own} {words.word_class(word + 1)} {side}",
        f"g={words.word_class(above)} {own} {side}",
        f"f={words.form(dependents[word][0]) if dependents[word] else ''} {side}",
    ]


def features_of_constituent(words: Words, start: int, end: int) -> list[str]:
    """Of the label of a constituent."""
    first, last, length = start, end - 1, min(MOST_DISTANCE, end - start)
    return [
        "bias",
        f"n={length}",
        f"whole={end - start == len(words)}",
        *(f"{place}={words.form(word)}" for place, word in (("f", first), ("l", last), ("b", start - 1), ("a", end))),
        *(f"{place}2={words.form(word)}" for place, word in (("f", first + 1), ("l", last - 1))),
        *(f"{place}3={words.ending(word)}" for place, word in (("f", first), ("l", last))),
        f"fc={words.word_class(first)} {words.word_class(first + 1)}",
        f"lc={words.word_class(last - 1)} {words.word_class(last)}",
        f"flc={words.word_class(first)} {words.word_class(last)} {length}",
        f"bfc={words.word_class(start - 1)} {words.word_class(first)}",
        f"lac={words.word_class(last)} {words.word_class(end)}",
        f"fs={words.shape(first)} {words.shape(last)}",
    ]


def features_of_words(words: Words) -> list[list[str]]:
    """Of the tags of all words."""
    return [features_of_word(words, word) for word in range(len(words))]


def features_of_arcs(words: Words, heads: Sequence[int]) -> list[list[str]]:
    """Of the relations of all words to their heads (from 1; 0 = root)."""
    dependents: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head:
            dependents[head - 1].append(word)
    return [features_of_arc(words, heads, dependents, word) for word in range(len(words))]


def with_learned(parse: Parse, learned: LearnedLabels, classes: Sequence[str] | None) -> Parse:
    """The parse with what there is of these: tags, relations of its arcs, and labels of constituents that have none."""
    if not learned:
        return parse
    words = Words(parse.tokens, classes)
    if (tags := learned.get(TAGS)) is not None:
        upos = tuple(predicted(tags, features_of_words(words)))
        parse = replace(parse, upos=upos)
        if parse.tree is not None and parse.tags is None:
            parse = replace(parse, tree=replace(parse.tree, tags=upos))
    if (relations := learned.get(RELATIONS)) is not None and parse.heads is not None:
        names = predicted(relations, features_of_arcs(words, parse.heads))
        pairs = zip(parse.heads, names, strict=True)
        parse = replace(parse, relations=tuple(name if head else ROOT_RELATION for head, name in pairs))
    if (constituents := learned.get(CONSTITUENTS)) is not None and parse.tree is not None:
        spans = [(start, end) for label, start, end in parse.tree.constituents if label == INDUCED_LABEL]
        labels = iter(predicted(constituents, (features_of_constituent(words, *span) for span in spans)))
        labelled = tuple(
            constituent._replace(label=next(labels)) if constituent.label == INDUCED_LABEL else constituent
            for constituent in parse.tree.constituents
        )
        parse = replace(parse, tree=replace(parse.tree, constituents=labelled), is_labelled=True)
    return parse
