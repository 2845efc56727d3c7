"""The stage of a run that learns grammars: word classes, the dependency-and-boundary model, and class grammars, by
counting and from the networks so far. Each part is saved when it is done, so that a stopped run continues after it.

EM always makes all of its passes. If time is short, it uses fewer sentences: first, each part is timed on a few.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from synparse.config.grammar import GrammarConfig
from synparse.config.training import WordTraining
from synparse.corpora.branching import head_directions, relators_of
from synparse.corpora.closed_classes import SYNTHETIC, fraction_closed, function_words_of_classes, is_mostly_closed
from synparse.corpora.conjunctions import conjunctions_of
from synparse.corpora.fixed_expressions import firsts_of
from synparse.corpora.normalization import normalized
from synparse.corpora.verbs import Verbs, neighbours_in_segments, pairs_in_segments, verbs_of
from synparse.corpora.word_classes import ClassMember, WordClasses, class_perplexity, learn_word_classes
from synparse.files.folders import save_together
from synparse.files.processes import Executor, threads
from synparse.inducers.base_phrases import learn_chunker
from synparse.inducers.class_grammar import ClassGrammars
from synparse.inducers.class_tagger import learn_tagger
from synparse.inducers.dependency_boundary import DependencyModel
from synparse.inducers.head_choice import choice_words, chosen_heads, learned_choice
from synparse.parsing.drafts import Draft
from synparse.parsing.grammars import (
    LONGEST,
    OUTSIDE_OF_ALL,
    arc_posteriors,
    grammar_scores,
    mixed,
    span_scores,
    words_between_punctuation,
)
from synparse.parsing.options import EVIDENCE
from synparse.parsing.parser import Parser
from synparse.parsing.windows import windows_of
from synparse.store.grammars import Grammars, grammar_files, read_grammars
from synparse.store.model_directory import LOG, ModelDescription, read_text
from synparse.store.models import open_model
from synparse.training.allocation import keep_freed_memory
from synparse.training.events import Learning, Note
from synparse.training.expectation_maximization import GrammarExample, Step, learn_constituents, learn_dependencies
from synparse.training.focused_grammar import learn_focused_grammar
from synparse.training.given_trees import GivenTree, times_counted
from synparse.training.reading import GrammarText
from synparse.trees.averaging import normalized_scores
from synparse.trees.function_words import FREE, LEARNED_CONVENTIONS, LEAVES, LearnedConvention
from synparse.trees.given import given_of_kept
from synparse.trees.punctuation_cues import Cues, cues_of
from synparse.trees.span_chart import Array
from synparse.trees.spans import LEFT, RIGHT

TIMED = 1000
"""Number of sentences of each kind on which the parts are timed."""

SIZES = ("sentences", "class_grammar_sentences", "context_sentences")
"""The settings with the numbers of sentences from which grammars are learned."""

NAMED = 12
"""Number of function words and verbs that a run names."""

LEAST_SENTENCES, LEAST_CLASS_GRAMMAR_SENTENCES, LEAST_CONTEXT_SENTENCES = 8000, 2500, 15_000
"""Least numbers of sentences from which dependencies, class grammars, and classes in context and base phrases are
learned, however short the time, if the text has as many."""

LONGEST_FOCUSED, LEAST_FOCUSED = 40, 100_000
"""Of sentences that a focused grammar is learned from: the words of the longest, and the tokens of all together. With
fewer it makes worse trees: from 57,000 tokens of English UF1 is 0.5 to 1.3 points lower, from 150,000 higher."""

Item = TypeVar("Item")


def learn_grammars(
    folder: Path,
    teachers: Sequence[Path],
    config: GrammarConfig,
    text: GrammarText,
    seed: int,
    device: str = "auto",
    seconds: float = math.inf,
    report: Callable[[Learning | Note], None] = lambda _: None,
    use_plan: Callable[[GrammarConfig], None] = lambda _: None,
    given: Sequence[GivenTree] = (),
    executor: Executor | None = None,
) -> tuple[GrammarConfig, dict[str, Any]]:
    """Learn grammars into ``folder``, continuing after the parts that it already has. ``teachers``: the folders of the
    networks to learn from. Returns the settings used (with the planned numbers of sentences, links as in `_checked`,
    and no focused grammar where the text is too small for one) and the provenance. The direction of branching has been
    decided before. ``seconds``: the approximate time limit; ``use_plan``: called with the planned numbers of sentences;
    ``executor``: computes the expected counts of EM; None: a thread for each core.

    Raises DataError if a folder cannot be read or written.
    """
    start = time.monotonic()
    keep_freed_memory()  # every pass of EM needs as much as the last one
    descriptions = [open_model(teacher).description for teacher in teachers]
    form = descriptions[0].recipe.text
    parser = Parser.load(teachers, punctuation=config.punctuation, function_words=LEAVES, device=device)

    def step(name: str) -> Step:
        return lambda fraction: report(Learning(name, fraction))

    def kept(learned: Grammars) -> Grammars:
        """The grammars rounded as they are saved, so that a resumed run computes the same."""
        save_together(folder, {**grammar_files(learned), LOG: json.dumps(likelihoods).encode()})
        saved = read_grammars(folder, form, learned.config)
        assert saved is not None
        return saved

    # Those of what a resumed run has.
    likelihoods: dict[str, Any] = read_text(folder, LOG, lambda text: dict(json.loads(text)), {}, "damaged log")
    grammars = read_grammars(folder, form, config)
    if grammars is None:
        step("word classes")(0.0)
        grammars = kept(Grammars(config, learn_word_classes(text.bigrams, config, seed)))
    short = [tree for tree in given if text.has_use_of(tree.sentence.tokens)]
    config, perplexities = _checked(descriptions, config, text, grammars.classes)
    if sum(map(len, text.context.items)) < LEAST_FOCUSED:
        config = replace(config, focused_passes=0)
    grammars = replace(grammars, config=config)
    is_new = grammars.tagger is None and grammars.chunker is None and not grammars.dependencies
    if seconds < math.inf and is_new:
        step("timing")(0.0)
        config = _planned(parser, grammars, text, len(short), seconds - (time.monotonic() - start))
        grammars = replace(grammars, config=config)
        use_plan(config)
    if is_new:
        chosen = evenly_spaced(text.context.items, config.context_sentences)
        grammars, context_likelihoods = _with_context(grammars, text, chosen, step)
        likelihoods |= context_likelihoods
        grammars = kept(grammars)
    for note in _notes(grammars):
        report(Note(note))
    examples = _examples(parser, grammars, text, evenly_spaced(text.sentences, config.sentences), (), step("evidence"))
    given_tokens, drafts = [tree.sentence.tokens for tree in short], [tree.draft for tree in short]
    of_given = _examples(parser, grammars, text, given_tokens, drafts, step("given trees"))
    with nullcontext(executor) if executor is not None else threads() as counting:
        if not grammars.dependencies:
            together = _together(examples, of_given)
            dependencies, dependency_likelihoods = _dependencies(together, grammars, step, counting)
            likelihoods |= dependency_likelihoods
            grammars = kept(replace(grammars, dependencies=dependencies))
        if config.parts == "all" and grammars.constituents is None:
            some = _together(evenly_spaced(examples, config.class_grammar_sentences), of_given)
            constituents, by_pass = _constituents(some, grammars, seed, step("class grammars"), counting)
            likelihoods["grammar"] = [[round(value, 1) for value in values] for values in by_pass[-1:]]
            grammars = kept(replace(grammars, constituents=constituents))
    if grammars.constituents is not None and config.focused_passes and grammars.focused is None:
        sentences = evenly_spaced(text.context.items, config.context_sentences)
        focused, of_passes = _focused(parser, grammars, text, sentences, of_given, seed, step)
        likelihoods["focused"] = _first_and_last(of_passes)
        grammars = kept(replace(grammars, focused=focused))
    if grammars.head_choice is None:
        choice = _head_choice(parser, grammars, text, given, step("choice of heads"))
        grammars = grammars if choice is None else kept(replace(grammars, head_choice=choice))
    return config, {
        "classes": grammars.classes.size - 1,
        **perplexities,
        "sentences": len(examples) + len(of_given),
        "words": sum(len(example.evidence.classes) for example in (*examples, *of_given)),
        "log_likelihood": likelihoods,
        "seconds": round(time.monotonic() - start, 1),
        "seed": seed,
    }


def _notes(grammars: Grammars) -> Iterator[str]:
    """Messages: which words are function words, verbs and conjunctions, and whether endings mark relations."""
    known = grammars.function_words - {grammars.classes.digits}
    yield f"{len(known)} function words: {_commonest(grammars, lambda member: member.type in known)}"
    if grammars.marked_by_endings:
        few = f"{fraction_closed(grammars.classes):.0%} of the words (few below {SYNTHETIC:.0%})"
        yield f"closed classes: {few}, so endings mark relations"
    if grammars.verbs is not None and grammars.verbs.classes.any():
        are_verbs = grammars.verbs.classes
        yield f"verbs: {_commonest(grammars, lambda member: not member.is_group and are_verbs[member.word_class])}"
    if joining := grammars.conjunction_words:
        yield f"conjunctions: {_commonest(grammars, lambda member: member.type in joining)}"


def _commonest(grammars: Grammars, is_meant: Callable[[ClassMember], bool]) -> str:
    """The most frequent members of the word classes of which something is true."""
    meant = sorted(filter(is_meant, grammars.classes.members), key=lambda member: (-member.occurrences, member.type))
    return " ".join(member.type for member in meant[:NAMED]) + " …" * (len(meant) > NAMED)


def evenly_spaced(items: Sequence[Item], most: int) -> list[Item]:
    """At most this number of items, evenly spaced."""
    count = min(most, len(items))
    return [items[number * len(items) // count] for number in range(count)]


def _together(examples: Sequence[GrammarExample], given: Sequence[GrammarExample]) -> list[GrammarExample]:
    """The sentences of the text, and those with given trees, which have a higher weight."""
    times = times_counted(len(given), len(examples))
    return [*examples, *(example._replace(times=times) for example in given)]


def _free(examples: Sequence[GrammarExample], marked_by_endings: bool) -> list[GrammarExample]:
    """The examples without directions of heads, and without verbs. If function words may be heads, a preposition or an
    article before a word does not show where its head is. But if endings mark relations, few words have one beside
    them, and heads are last all the same, so directions are kept. Where phrases branch to the right, only adpositions
    have dependents: else EM makes articles the heads of their nouns as easily as the other way round."""
    return [
        example._replace(
            evidence=example.evidence._replace(is_function=example.are_leaves),
            directions=example.directions if marked_by_endings else None,
            verbs=None,
        )
        for example in examples
    ]


def _dependencies(
    examples: Sequence[GrammarExample], grammars: Grammars, step: Callable[[str], Step], executor: Executor = map
) -> tuple[dict[LearnedConvention, DependencyModel], dict[str, Any]]:
    """A dependency model for each convention of function words, and their log-likelihoods before the first and the last
    pass."""
    models: dict[LearnedConvention, DependencyModel] = {}
    likelihoods: dict[str, Any] = {}
    free = _free(examples, grammars.marked_by_endings)
    for convention, sentences in zip(LEARNED_CONVENTIONS, (free, examples), strict=True):
        name = f"dependency model, function words {convention}"
        model, by_pass = learn_dependencies(sentences, grammars.classes.size, grammars.config, step(name), executor)
        models[convention], likelihoods[convention] = model, _first_and_last(by_pass)
    return models, likelihoods


def _constituents(
    examples: Sequence[GrammarExample], grammars: Grammars, seed: int, step: Step, executor: Executor = map
) -> tuple[ClassGrammars, list[list[float]]]:
    """Class grammars, under the span scores of the models and the dependency model: that with free function words, or,
    where endings mark relations, that with leaves, which knows better where heads are."""
    convention: LearnedConvention = LEAVES if grammars.marked_by_endings else FREE
    treated = examples if convention == LEAVES else _free(examples, grammars.marked_by_endings)
    evidence = [example.evidence for example in treated]
    arcs = arc_posteriors(grammars.dependencies[convention], evidence)
    cost = OUTSIDE_OF_ALL if grammars.marked_by_endings else None
    scores = [span_scores(*known, cost) for known in zip(evidence, arcs, strict=True)]
    return learn_constituents(treated, scores, grammars.classes.size, grammars.config, seed, step, executor)


def _focused(
    parser: Parser,
    grammars: Grammars,
    text: GrammarText,
    sentences: Sequence[Sequence[str]],
    given: Sequence[GrammarExample],
    seed: int,
    step: Callable[[str], Step],
) -> tuple[ClassGrammars, list[float]]:
    """A grammar that is focused on what the others see in these sentences, and in those with ``given`` trees; and its
    log-likelihoods."""
    classes: list[Array] = []
    spans: list[Array] = []

    def add(examples: Sequence[GrammarExample], times: int = 1) -> None:
        evidence = [example.evidence for example in examples]
        for known, scores in zip(evidence, grammar_scores(grammars, evidence, LEAVES), strict=True):
            if known.plain is not None and len(known.plain) > 1:
                classes.extend([known.plain] * times)
                spans.extend([scores.spans.astype(np.float32)] * times)

    report = step("spans of the text")
    of_use = [tokens for tokens in sentences if 1 < text.words_in(tokens) <= LONGEST_FOCUSED]
    for window in windows_of(of_use, len):
        report(len(classes) / len(of_use))
        add(_examples(parser, grammars, text, window, (), lambda _: None))
    add(given, times_counted(len(given), len(classes)))
    with threads() as executor:  # each step takes some milliseconds, too little to be sent elsewhere
        report = step("focused grammar")
        return learn_focused_grammar(classes, spans, grammars.classes.size, grammars.config, seed, report, executor)


def _head_choice(
    parser: Parser, grammars: Grammars, text: GrammarText, given: Sequence[GivenTree], step: Step
) -> Array | None:
    """The correction of heads that is learned from given heads, beside the scores of models and grammars; None without
    given heads. Sentences that are too long for EM are used as well, since there are few."""
    sentences, all_words, all_heads = [], [], []
    for tree in given:
        tokens, draft = tree.sentence.tokens, tree.draft
        forms = normalized(tokens, text.bigrams.text)
        heads = given_of_kept(draft.given, [word is not None for word in forms]).heads
        if any(head is not None for head in heads) and len(tokens) <= LONGEST:
            sentences.append(tokens)
            all_words.append([word for word in forms if word is not None])
            all_heads.append(heads)
    if not sentences:
        return None
    examples = _examples(parser, grammars, text, sentences, (), step)
    arcs = arc_posteriors(grammars.dependencies[LEAVES], [example.evidence for example in examples])
    learning = []
    for words, heads, example, posteriors in zip(all_words, all_heads, examples, arcs, strict=True):
        of_choice = choice_words(words, example.evidence.classes, grammars.function_words, example.cues)
        learning.append(chosen_heads(of_choice, normalized_scores(mixed(example.evidence.links, posteriors)), heads))
    return learned_choice(learning)


def _planned(parser: Parser, grammars: Grammars, text: GrammarText, given: int, seconds: float) -> GrammarConfig:
    """The settings, with as many sentences as there are seconds for, beside so many given trees. Each part is timed on
    a few of them; what is cut first is what takes the longest and loses the least."""
    config, sentences, contexts = grammars.config, text.sentences, text.context.items
    some, some_contexts = evenly_spaced(sentences, TIMED), evenly_spaced(contexts, TIMED)

    def silent(_: str) -> Step:
        return lambda _: None

    start = time.monotonic()
    timed, _ = _with_context(grammars, text, some_contexts, silent)
    with_context = time.monotonic()
    examples = _examples(parser, timed, text, some, (), silent(""))
    dependencies, _ = _dependencies(examples, timed, silent)
    with_dependencies = time.monotonic()
    timed = replace(timed, dependencies=dependencies)
    if config.parts == "all":
        constituents, _ = _constituents(examples, timed, 0, silent(""))
        timed = replace(timed, constituents=constituents)
    with_constituents = end = time.monotonic()
    if timed.constituents is not None and config.focused_passes:
        _focused(parser, timed, text, some_contexts, (), 0, silent)
        end = time.monotonic()
    most = min(config.sentences, len(sentences))
    context_seconds = (with_context - start + end - with_constituents) / max(1, len(some_contexts))
    class_grammar_seconds = (with_constituents - with_dependencies) / len(some)
    given_seconds = given * (with_constituents - with_context) / len(some)
    parts = (
        ("class_grammar_sentences", LEAST_CLASS_GRAMMAR_SENTENCES, class_grammar_seconds, most),
        ("context_sentences", LEAST_CONTEXT_SENTENCES, context_seconds, len(contexts)),
        ("sentences", LEAST_SENTENCES, (with_dependencies - with_context) / len(some), most),
    )
    counts = {name: min(getattr(config, name), there) for name, _, _, there in parts}
    over = sum(cost * counts[name] for name, _, cost, _ in parts) - (seconds - (end - start) - given_seconds)
    for name, least, cost, _ in parts:
        if over > 0 and cost > 0:
            kept = max(min(least, counts[name]), counts[name] - math.ceil(over / cost))
            over -= cost * (counts[name] - kept)
            config = replace(config, **{name: kept})
    return config


def _with_context(
    grammars: Grammars, text: GrammarText, sentences: Sequence[Sequence[str]], step: Callable[[str], Step]
) -> tuple[Grammars, dict[str, Any]]:
    """The same classes with the tagger and the chunker of their settings, with verbs and conjunctions; and the
    log-likelihoods of the chunker before its first and last pass of EM, in nats."""
    config, classes, form = grammars.config, grammars.classes, text.bigrams.text
    words: list[Array] = []
    cues: list[Cues | None] = []
    for tokens in sentences:
        forms = normalized(tokens, form)
        numbers = classes.numbers_of([word for word in forms if word is not None])
        if numbers:
            words.append(np.array(numbers, np.int64))
            seen = cues_of(tokens, [word is not None for word in forms]) if config.punctuation == EVIDENCE else None
            cues.append(seen)
    class_of = grammars.classes.class_of
    segments = list(itertools.chain.from_iterable(words_between_punctuation(words, cues)))
    likelihoods: dict[str, Any] = {}
    if config.context_passes and words:
        punctuation_class, report_pass = classes.size - 1, step("classes in context")
        with threads() as executor:  # the counts are too large to be sent elsewhere
            tagger = learn_tagger(
                *(words, class_of, punctuation_class, classes.size, config.context_passes, report_pass),
                executor=executor,
            )
        grammars = replace(grammars, tagger=tagger)
    if config.phrase_passes and words:
        chunker, by_pass = learn_chunker(segments, len(classes.members), config.phrase_passes, step("base phrases"))
        likelihoods["phrases"] = _first_and_last(by_pass)
        grammars = replace(grammars, chunker=chunker)
    firsts = firsts_of(segments, len(classes.members)) if config.branching == LEFT else None
    function_words = function_words_of_classes(classes)
    are_function = np.array([member.type in function_words for member in classes.members])
    conjunctions = conjunctions_of(segments, class_of, are_function)
    verbs = _verbs(classes, are_function, [class_of[segment] for segment in segments], config.branching)
    return replace(grammars, verbs=verbs, firsts=firsts, conjunctions=conjunctions), likelihoods


def _verbs(classes: WordClasses, are_function: Array, segments: Sequence[Array], branching: str) -> Verbs:
    """The verbs among the word classes, from the classes of the words between two punctuation marks. are_function [M]:
    which words are function words."""
    counts = np.bincount(classes.class_of, classes.occurrences, classes.size)
    function_counts = np.bincount(classes.class_of, classes.occurrences * are_function, classes.size)
    before = neighbours_in_segments(segments, classes.size)
    sides = {} if is_mostly_closed(classes) else {LEFT: before.T, RIGHT: before}
    return verbs_of(pairs_in_segments(segments, classes.size), function_counts <= counts / 2, sides.get(branching))


def _first_and_last(likelihoods: Sequence[float]) -> list[float]:
    return [round(value, 1) for value in likelihoods[:: max(1, len(likelihoods) - 1)]]


def _checked(
    descriptions: Sequence[ModelDescription], config: GrammarConfig, text: GrammarText, classes: WordClasses
) -> tuple[GrammarConfig, dict[str, float]]:
    """The settings, without links where the networks cannot teach any: where they predict held-out words worse than
    bigrams of word classes predict the text, they know nothing of its structure yet. And both perplexities. Networks
    that learned from trees predict no words, so there is nothing to compare."""
    trained = [description for description in descriptions if isinstance(description.recipe.training, WordTraining)]
    values = [description.provenance.get("held_out_perplexity") for description in trained]
    known = [float(value) for value in values if isinstance(value, int | float)]
    if not known or not config.link_strength:
        return config, {}
    networks, bigrams = sum(known) / len(known), class_perplexity(text.bigrams, classes, text.bigrams.text.min_count)
    perplexities = {"perplexity_of_networks": round(networks, 2), "perplexity_of_class_bigrams": round(bigrams, 2)}
    return (config if networks < bigrams else replace(config, link_strength=0.0)), perplexities


def _examples(
    parser: Parser,
    grammars: Grammars,
    text: GrammarText,
    sentences: Sequence[Sequence[str]],
    drafts: Sequence[Draft | None],
    step: Step,
) -> list[GrammarExample]:
    """The examples of these sentences: the scores of the models given the ``drafts`` of the trees, and which words are
    function words."""
    form, knows = text.bigrams.text, grammars.config.directions == "auto"
    relators = relators_of(text.bigrams) if knows else None
    leaves = grammars.leaves_but_adpositions
    examples: list[GrammarExample] = []
    read = 0
    for window in windows_of(sentences, len):
        step(read / len(sentences))
        of_window = drafts[read : read + len(window)]
        read += len(window)
        evidence = parser.grammar_inputs([tuple(tokens) for tokens in window], grammars, of_window)
        for tokens, (grammar_input, cues) in zip(window, evidence, strict=True):
            words = [word for word in normalized(tokens, form) if word is not None]
            is_function = [word in grammars.function_words for word in words]
            are_leaves = [word in leaves for word in words] if leaves else None
            directions = verbs = None
            if relators is not None:
                directions = head_directions(words, is_function, relators, grammars.config.branching)
                verbs = grammars.verbs_in(words, grammar_input.classes)
            seen = grammar_input._replace(is_function=is_function)
            examples.append(GrammarExample(seen, cues, directions, verbs, are_leaves))
    return examples
