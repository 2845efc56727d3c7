"""Learning grammars: word classes, the dependency-and-boundary model, and class grammars, in a model directory whose
models teach them. Each stage is saved when it is done, so that a run that was stopped continues after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from synparse.config.grammar import GrammarConfig
from synparse.config.training import WordTraining
from synparse.corpora.branching import branching_of, head_directions, relators_of
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence
from synparse.corpora.word_classes import BigramCounts, WordClasses, class_perplexity, learn_word_classes
from synparse.files.folders import save_together
from synparse.inducers.base_phrases import learn_chunker
from synparse.inducers.class_tagger import learn_tagger
from synparse.parsing.grammars import LINK_STRENGTHS, arc_posteriors, span_scores, words_between_punctuation
from synparse.parsing.options import EVIDENCE
from synparse.parsing.parser import Parser
from synparse.parsing.windows import windows_of
from synparse.store.bundle import open_model
from synparse.store.grammars import Grammars, grammar_files, read_grammars
from synparse.training.allocation import keep_freed_memory
from synparse.training.events import Learning
from synparse.training.expectation_maximization import Example, Step, learn_constituents, learn_dependencies
from synparse.trees.function_words import FREE, FUNCTION_WORDS, LEAVES
from synparse.trees.punctuation_cues import cues_of

LARGEST_FRACTION, MOST_MINUTES = 0.2, 8.0
"""A run that is limited to some minutes keeps this fraction of them for grammars, and no more than these minutes."""

LONGEST_CONTEXT = 1000
"""In tokens. A longer line is no sentence, and many of them would not fit the memory."""


@dataclass(frozen=True)
class Lesson:
    """The text that grammars are learned from: the bigrams of all of it, a random sample of its sentences (``context``;
    of long ones the first `LONGEST_CONTEXT` tokens), and one of those of 2 to ``longest`` tokens (``sample``)."""

    bigrams: BigramCounts
    context: Sample[Sequence[str]]
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
            self.context.offer(sentence.tokens[:LONGEST_CONTEXT])
            if 1 < len(sentence.tokens) <= self.longest:
                self.sample.offer(sentence.tokens)
            yield sentence


def new_lesson(text: TextConfig, config: GrammarConfig, seed: int) -> Lesson:
    context = Sample[Sequence[str]](config.context_sentences, seed)
    return Lesson(BigramCounts(text), context, Sample(config.sentences, seed), config.longest)


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
    in force (the direction of branching filled in, links as in `_checked`) and their provenance. ``seconds``: the time
    there is; a run that is short of time makes fewer passes of EM.

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
        saved = read_grammars(directory, text, learned.config)
        assert saved is not None
        return saved

    if config.branching == "auto":
        config = replace(config, branching=branching_of(lesson.bigrams))
    grammars = read_grammars(directory, text, config)
    if grammars is None:
        stage("word classes", 1)(0.0)
        grammars = kept(Grammars(config, learn_word_classes(lesson.bigrams, config, seed)))
    likelihoods: dict[str, Any] = {}
    if grammars.tagger is None and grammars.chunker is None and not grammars.dependencies:
        grammars, likelihoods = _with_context(grammars, lesson, stage)
        grammars = kept(grammars)
    config, perplexities = _checked(directory, text, config, lesson, grammars.classes)
    grammars = replace(grammars, config=config)
    examples = _examples(directory, grammars, lesson, device, stage("evidence", 1))
    # Where function words may be heads, a preposition or an article before a word says nothing of where its head is.
    free = [one._replace(evidence=one.evidence._replace(is_function=None), directions=None) for one in examples]
    if not grammars.dependencies:
        dependencies = {}
        for convention, of_convention in zip(FUNCTION_WORDS, (free, examples), strict=True):
            step = stage(f"dependency model, function words {convention}", 0.4)
            model, by_pass = learn_dependencies(of_convention, grammars.classes.size, config, step)
            dependencies[convention] = model
            likelihoods[convention] = _first_and_last(by_pass)
        grammars = kept(replace(grammars, dependencies=dependencies))
    if config.parts == "all" and grammars.constituents is None:
        evidence = [one.evidence for one in free]
        arcs = arc_posteriors(grammars.dependencies[FREE], evidence, LINK_STRENGTHS)
        scores = [span_scores(one, of_one) for one, of_one in zip(evidence, arcs, strict=True)]
        constituents, of_each = learn_constituents(
            free, scores, grammars.classes.size, config, seed, stage("class grammars", 1)
        )
        likelihoods["grammar"] = [[round(value, 1) for value in of_pass] for of_pass in of_each[-1:]]
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


def _with_context(
    grammars: Grammars, lesson: Lesson, stage: Callable[[str, float], Step]
) -> tuple[Grammars, dict[str, Any]]:
    """The same classes with the tagger and the chunker of their settings; and the log-likelihoods of the chunker before
    its first and last pass of EM, in nats."""
    config, classes, text = grammars.config, grammars.classes, lesson.bigrams.text
    words, cues = [], []
    for tokens in lesson.context.items:
        forms = [normalize(token, text) for token in tokens]
        numbers = classes.numbers_of([form for form in forms if form is not None])
        if numbers:
            words.append(np.array(numbers, np.int64))
            cues.append(cues_of(tokens, [form is not None for form in forms]))
    likelihoods: dict[str, Any] = {}
    if config.context_passes and words:
        class_of = np.array([member.word_class for member in classes.members], np.int64)
        of_punctuation, step = classes.size - 1, stage("classes in context", 0.15)
        tagger = learn_tagger(words, class_of, of_punctuation, classes.size, config.context_passes, step)
        grammars = replace(grammars, tagger=tagger)
    if config.phrase_passes and words:
        by_sentence = words_between_punctuation(words, cues if config.punctuation == EVIDENCE else None)
        segments = [segment for segments in by_sentence for segment in segments]
        step = stage("base phrases", 0.25)
        chunker, by_pass = learn_chunker(segments, len(classes.members), config.phrase_passes, step)
        likelihoods["phrases"] = _first_and_last(by_pass)
        grammars = replace(grammars, chunker=chunker)
    return grammars, likelihoods


def _first_and_last(likelihoods: Sequence[float]) -> list[float]:
    return [round(value, 1) for value in likelihoods[:: max(1, len(likelihoods) - 1)]]


def _checked(
    directory: Path, text: TextConfig, config: GrammarConfig, lesson: Lesson, classes: WordClasses
) -> tuple[GrammarConfig, dict[str, float]]:
    """The settings, without links where the networks cannot teach any: where they predict held-out words worse than
    bigrams of word classes predict the text, they know nothing of its structure yet. And both perplexities. Networks
    that learned from trees predict no words, so there is nothing to compare."""
    members, _ = open_model(directory)
    of_words = [
        one.description for one in members.values() if isinstance(one.description.recipe.training, WordTraining)
    ]
    found = [description.provenance.get("held_out_perplexity") for description in of_words]
    known = [float(value) for value in found if isinstance(value, int | float)]
    if not known or not config.link_strength:
        return config, {}
    networks, bigrams = sum(known) / len(known), class_perplexity(lesson.bigrams, classes, text.min_count)
    perplexities = {"perplexity_of_networks": round(networks, 2), "perplexity_of_class_bigrams": round(bigrams, 2)}
    return (config if networks < bigrams else replace(config, link_strength=0.0)), perplexities


def _examples(
    directory: Path,
    grammars: Grammars,
    lesson: Lesson,
    device: str,
    step: Callable[[float], bool],
) -> list[Example]:
    """What the models of the directory say of the sentences of the lesson, function words marked."""
    sentences, text = lesson.sentences, lesson.bigrams.text
    punctuation = grammars.config.punctuation
    branching, knows = grammars.config.branching, grammars.config.directions == "auto"
    relators = relators_of(lesson.bigrams) if knows else None
    parser = Parser.load(directory, punctuation=punctuation, function_words=LEAVES, device=device)
    examples: list[Example] = []
    read = 0
    for window in windows_of(sentences, len):
        step(read / len(sentences))
        read += len(window)
        evidence = parser.evidence([tuple(tokens) for tokens in window], grammars)
        for tokens, (one, cues) in zip(window, evidence, strict=True):
            words = [form for form in (normalize(token, text) for token in tokens) if form is not None]
            is_function = [word in grammars.function_words for word in words]
            directions = None if relators is None else head_directions(words, is_function, relators, branching)
            examples.append(Example(one._replace(is_function=is_function), cues, directions))
    return examples
