"""Learning grammars: word classes, the dependency-and-boundary model, and class grammars, in a model directory whose
models teach them. Each stage is saved when it is done, so that a run that was stopped continues after it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence
from synparse.corpora.word_classes import BigramCounts, WordClasses, class_perplexity, learn_word_classes
from synparse.files.folders import save_together
from synparse.parsing.grammars import LINK_STRENGTHS, arc_posteriors, span_scores
from synparse.parsing.parser import Parser
from synparse.parsing.windows import windows_of
from synparse.store.bundle import open_model
from synparse.store.grammars import Grammars, grammar_files, read_grammars
from synparse.training.allocation import keep_freed_memory
from synparse.training.events import Learning
from synparse.training.expectation_maximization import Example, learn_constituents, learn_dependencies
from synparse.trees.function_words import FREE, FUNCTION_WORDS, LEAVES

LARGEST_FRACTION, MOST_MINUTES = 0.2, 8.0
"""A run that is limited to some minutes keeps this fraction of them for grammars, and no more than these minutes."""


@dataclass(frozen=True)
class Lesson:
    """The text that grammars are learned from: the bigrams of all of it, and a random sample of its sentences of 2 to
    ``longest`` tokens."""

    bigrams: BigramCounts
    sample: Sample[Sequence[str]]
    longest: int

    @property
    def sentences(self) -> list[Sequence[str]]:
        """Those of two words or more: of a shorter one, every grammar makes the same tree."""
        text = self.bigrams.text
        return [
            tokens for tokens in self.sample.items if sum(normalize(token, text) is not None for token in tokens) > 1
        ]

    def of(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The same sentences, one by one; the lesson keeps of them what it needs."""
        for sentence in sentences:
            self.bigrams.add(sentence.tokens)
            if 1 < len(sentence.tokens) <= self.longest:
                self.sample.offer(sentence.tokens)
            yield sentence


def new_lesson(text: TextConfig, config: GrammarConfig, seed: int) -> Lesson:
    return Lesson(BigramCounts(text), Sample(config.sentences, seed), config.longest)


def minutes_for_networks(minutes: float | None, config: GrammarConfig) -> float | None:
    """The limit of a run's networks, if grammars follow."""
    if minutes is None or config.parts == "none":
        return minutes
    return minutes - min(LARGEST_FRACTION * minutes, MOST_MINUTES)


def teach(
    directory: Path,
    text: TextConfig,
    config: GrammarConfig,
    lesson: Lesson,
    seed: int,
    device: str = "auto",
    seconds: float | None = None,
    report: Callable[[Learning], None] = lambda _: None,
) -> tuple[GrammarConfig, dict[str, Any]]:
    """Learn the grammars of the models in ``directory``, after the stages that are already there; returns the settings
    in force (`_checked`) and their provenance. ``seconds``: the time there is; a run that is short of time makes fewer
    passes of EM.

    Raises DataError if the directory cannot be read or written.
    """
    start = time.monotonic()
    end = None if seconds is None else start + seconds
    keep_freed_memory()  # every pass of EM needs as much as the last one

    def stage(name: str, until: float) -> Callable[[float], bool]:
        """``until``: the fraction of the time that may be over at its end."""

        def step(fraction: float) -> bool:
            report(Learning(name, fraction))
            return end is None or time.monotonic() < start + until * (end - start)

        return step

    def kept(learned: Grammars) -> Grammars:
        """These grammars as they are saved, rounded, so that a run that continues after them does the same."""
        save_together(directory, grammar_files(learned))
        saved = read_grammars(directory, text, config)
        assert saved is not None
        return saved

    grammars = read_grammars(directory, text, config)
    if grammars is None:
        stage("word classes", 1)(0.0)
        grammars = kept(Grammars(config, learn_word_classes(lesson.bigrams, config, seed)))
    config, perplexities = _checked(directory, text, config, lesson, grammars.classes)
    grammars = replace(grammars, config=config)
    examples = _examples(directory, grammars, lesson.sentences, device, stage("evidence", 1))
    free = [one._replace(evidence=one.evidence._replace(is_function=None)) for one in examples]
    likelihoods: dict[str, Any] = {}
    if not grammars.dependencies:
        dependencies = {}
        for convention, of_convention in zip(FUNCTION_WORDS, (free, examples), strict=True):
            step = stage(f"dependency model, function words {convention}", 0.3)
            model, found = learn_dependencies(of_convention, grammars.classes.size, config, step)
            dependencies[convention] = model
            likelihoods[convention] = [round(value, 1) for value in found[:: max(1, len(found) - 1)]]
        grammars = kept(replace(grammars, dependencies=dependencies))
    if config.parts == "all" and grammars.constituents is None:
        evidence = [one.evidence for one in free]
        arcs = arc_posteriors(grammars.dependencies[FREE], evidence, LINK_STRENGTHS)
        scores = [span_scores(one, of_one) for one, of_one in zip(evidence, arcs, strict=True)]
        constituents, by_pass = learn_constituents(
            free, scores, grammars.classes.size, config, seed, stage("class grammars", 1)
        )
        likelihoods["grammar"] = [[round(value, 1) for value in of_pass] for of_pass in by_pass[-1:]]
        grammars = kept(replace(grammars, constituents=constituents))
    return config, {
        "classes": grammars.classes.size - 1,
        **perplexities,
        "sentences": len(examples),
        "words": sum(len(one.evidence.classes) for one in examples),
        "log_likelihood": likelihoods,
        "seconds": round(time.monotonic() - start, 1),
        "seed": seed,
    }


def _checked(
    directory: Path, text: TextConfig, config: GrammarConfig, lesson: Lesson, classes: WordClasses
) -> tuple[GrammarConfig, dict[str, float]]:
    """The settings, without links where the networks cannot teach any: where they predict held-out words worse than
    bigrams of word classes predict the text, they know nothing of its structure yet. And both perplexities."""
    members, _ = open_model(directory)
    found = [one.description.provenance.get("held_out_perplexity") for one in members.values()]
    known = [float(value) for value in found if isinstance(value, int | float)]
    if not known or not config.link_strength:
        return config, {}
    networks, bigrams = sum(known) / len(known), class_perplexity(lesson.bigrams, classes, text.min_count)
    perplexities = {"perplexity_of_networks": round(networks, 2), "perplexity_of_class_bigrams": round(bigrams, 2)}
    return (config if networks < bigrams else replace(config, link_strength=0.0)), perplexities


def _examples(
    directory: Path,
    grammars: Grammars,
    sentences: Sequence[Sequence[str]],
    device: str,
    step: Callable[[float], bool],
) -> list[Example]:
    """What the models of the directory say of the sentences, function words marked."""
    punctuation = grammars.config.punctuation
    parser = Parser.load(directory, punctuation=punctuation, function_words=LEAVES, device=device)
    examples: list[Example] = []
    read = 0
    for window in windows_of(sentences, len):
        step(read / len(sentences))
        read += len(window)
        found = itertools.starmap(Example, parser.evidence([tuple(tokens) for tokens in window], grammars))
        examples += found
    return examples
