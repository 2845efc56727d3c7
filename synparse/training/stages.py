"""The stages of a run. Each is a function that reads the state of the run and changes it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import GrammarStage, ModelRecipe, NetworkStage, Stage, TreeStage
from synparse.config.training import TextTraining, TreeTraining, WordTraining
from synparse.corpora.branching import UNDECIDED, Branching, branching_of
from synparse.corpora.normalization import TextConfig
from synparse.corpora.scripts import scripts_of
from synparse.corpora.sentences import Sentence
from synparse.corpora.text_counts import PARTS, TRAINING
from synparse.corpora.tokenization import CHARACTERS
from synparse.corpora.tokenizer_choice import LONGEST_MEAN_OF_SENTENCES
from synparse.corpora.word_classes import PUNCTUATION
from synparse.files.folders import Content, save_together, stored
from synparse.files.processes import Executor
from synparse.inducers.configurations import NoNetwork
from synparse.parsing.decoders import fitting
from synparse.store.cards import described_files
from synparse.store.model_directory import (
    CARD,
    CONFIG,
    RUN,
    WEIGHTS,
    LoadedModel,
    ModelDescription,
    StoredModel,
    is_unfinished,
    load,
    model_files,
    weights_to_read,
)
from synparse.store.models import GIVEN_TREES, ORIGINS, GrammarSet, Model, config_file, one_member, open_model
from synparse.store.overwriting import clear_away
from synparse.training.agreement import agreement_of, in_words
from synparse.training.events import Note, Report, TrainingResult
from synparse.training.given_models import start_of
from synparse.training.given_trees import GivenTree, fingerprint, fraction_of_text, given_trees, note_on_checked
from synparse.training.grammars import SIZES, learn_grammars
from synparse.training.launcher import is_first
from synparse.training.planning import Rates
from synparse.training.progress import RunState
from synparse.training.reading import (
    CountedText,
    GrammarText,
    corpus_provenance,
    count_corpus,
    names_of_files,
    refuse_changed_corpus,
    versions,
)
from synparse.training.save_every import SaveEvery
from synparse.training.trees import seconds_per_sentence, sentences_to_parse, write_trees
from synparse.trees.errors import DataError
from synparse.trees.function_words import LEARNED_CONVENTIONS, LEAVES
from synparse.trees.spans import RIGHT

LARGEST_FRACTION, MOST_SECONDS = 0.25, 240.0
"""Fraction of the time limit, and most seconds, for grammars and trees that cannot be timed yet."""


@dataclass
class Work:
    """A run in progress. allows_change: whether the text of an unfinished network may have changed; replaced: the
    content of the file `RUN` of the unfinished run that this one overwrites, if any; is_resumed: whether the run was
    begun by another call and no stage has been run in this one; result: of the last network; given: the
    given trees, read once for each tokenizer and language; samples: of the text, read once for each size; timed: the
    `Rates` of networks, and of trees by the parser so far, on this machine; executor: counts the text, computes
    expected counts and parses (None: this process, or as many processes as save time). If several processes train a
    network, the first one writes the directory."""

    output: Path
    state: RunState
    device: str
    save_every: SaveEvery
    report: Report
    allows_change: bool = False
    replaced: bytes | None = None
    is_resumed: bool = False
    result: TrainingResult | None = None
    given: dict[tuple[str, str], list[GivenTree]] = field(default_factory=dict)
    samples: dict[int, list[Sentence]] = field(default_factory=dict)
    timed: dict[str, float] = field(default_factory=dict)
    executor: Executor | None = None

    def parser(self, members: Sequence[str], sets: Sequence[GrammarSet]) -> Model:
        """A parser of these models and sets of grammars. Raises DataError if one of them is damaged."""
        state, output = self.state, self.output
        models = {name: StoredModel(output / name, open_model(output / name).description) for name in members}
        first = next(iter(models.values())).description.provenance
        of_text = {} if "sha256" in state.corpus else first.get("corpus", {})
        provenance = {
            "corpus": {**of_text, **state.corpus},
            "seed": state.settings.seed,
            "versions": versions(numpy=np.__version__),
            "stages": [dict(record) for record in state.records],
            **({ORIGINS: state.origins} if state.origins else {}),
        }
        names, recipe = tuple(models), state.recipe
        parsing = fitting(recipe.parsing, [model.description for model in models.values()], bool(sets))
        return Model(output, models, names, names, tuple(sets), parsing, recipe, provenance)

    def sample(self, most: int) -> list[Sentence]:
        """A random sample of the sentences of the text."""
        if most not in self.samples:
            settings, text = self.state.settings, self.state.recipe.text
            self.samples[most] = sentences_to_parse(settings, text, most, self.executor or map)
        return self.samples[most]

    def save(
        self, members: Sequence[str] = (), sets: Sequence[GrammarSet] = (), others: Mapping[str, Content] | None = None
    ) -> None:
        """Save the state of the run, together with ``others``; with ``members``, also the directory, as a parser of
        these models and grammars. The first time, this deletes an earlier model."""
        if not is_first():
            return
        files = described_files(self.parser(members, sets)) if members else {}
        save_together(self.output, {**files, **self.state.file(), **(others or {})})
        if members and self.state.earlier is not None:
            clear_away(self.output, {*self.state.names, RUN, CONFIG, CARD})
            self.state.earlier = None
            self.save()


def network_stage(work: Work, stage: NetworkStage) -> str:
    """Train the networks of a stage. They are added to the earlier ones of their kind, those that learn from words to
    those, students to the students of the same trees, with their grammars; other models so far are replaced. Returns a
    summary for the user. Raises KeyboardInterrupt if a signal stopped the training."""
    from synparse.training.network import train_network
    from synparse.training.trainer import Job

    state = work.state
    settings, reads_text = replace(state.settings, minutes=None), True
    if stage.training.reads_trees and state.trees is not None:
        reads_text = False
        settings = replace(
            settings, corpus=(str(work.output / state.trees),), valid=None, raw=False, input_format=None, trees=()
        )
    if not state.units:
        state.units = [state.new_name(stage.model) for _ in range(stage.seeds)]
        work.save()
    earlier = networks_so_far(work, kind_of(stage))

    for number in range(state.units_done, stage.seeds):
        name = state.units[number]

        def saved(so_far: tuple[str, ...] = tuple(state.units[: number + 1])) -> None:
            if not state.has_parser:  # there is no better one yet
                work.save([*earlier, *so_far])

        own_settings = replace(settings, seed=state.seed_of(len(earlier) + number))
        recipe = state.recipe.model_recipe(stage)
        job = Job(recipe, own_settings, work.output / name, None, work.device, work.save_every, work.report)
        result = train_network(
            job,
            saved=saved,
            # Not what the kept model says: where another text is allowed, it may be from the one before.
            read=partial(_know, state) if reads_text else lambda _: None,
            start=_start(work, job.output) if number == 0 and stage is state.recipe.networks[0] else None,
            fingerprint=state.corpus.get("sha256") if reads_text else None,
            allows_change=work.allows_change,
            executor=work.executor or map,
        )
        work.result = replace(result, directory=work.output)
        # It may be done all the same: the signal came in its last update.
        is_done = stored(job.output, WEIGHTS).is_file() and not is_unfinished(job.output)
        if result.signal is None or is_done:
            state.units_done += 1
        work.save()  # also the time so far
        if result.signal is not None:
            raise KeyboardInterrupt
    state.members = [*earlier, *state.units]
    state.sets = [grammars for grammars in state.sets if stage.is_student and {*grammars.members} <= {*earlier}]
    return f"networks: {stage.seeds}, passes: {stage.training.epochs:g}"


def kind_of(stage: NetworkStage) -> type[TextTraining]:
    """What networks learn from, as earlier ones that they are added to."""
    return TreeTraining if stage.is_student else WordTraining


def fingerprint_of(model: StoredModel) -> str:
    """The SHA-256 of the weights of a model."""
    return hashlib.sha256(weights_to_read(model.directory).read_bytes()).hexdigest()


def _start(work: Work, folder: Path) -> LoadedModel | None:
    """The model of --init, unless the network in this folder has begun with it. Raises DataError if it has changed."""
    init = work.state.init
    if not init or is_unfinished(folder):
        return None
    _, model = start_of(init["model"])
    before = None if work.allows_change else init["sha256"]
    refuse_changed_corpus(before, fingerprint_of(model), work.output, "the model of --init")
    return load(model)


def grammar_stage(work: Work, stage: GrammarStage) -> str:
    """Learn sets of grammars, by counting and from the networks so far, if any. Earlier sets are kept. Returns a
    summary for the user. Raises DataError if the text has no sentence to learn from."""
    state = work.state

    def sized() -> GrammarConfig:
        """The settings, with the number of sentences that was decided."""
        fewer = {name: min(most, getattr(stage.settings, name)) for name, most in state.sizes.items()}
        return replace(stage.settings, **fewer)

    networks = networks_so_far(work)
    text = open_model(work.output / networks[0]).description.recipe.text if networks else state.recipe.text
    # Of samples as large as those of the default settings, fewer are chosen: the recipe of a planned run repeats it.
    largest = {name: max(getattr(stage.settings, name), getattr(GrammarConfig, name)) for name in SIZES}
    counted = _read(work, text, replace(stage.settings, **largest))
    source, size = counted.of_grammars, counted.size
    assert source is not None
    parts = PARTS if state.settings.valid is None else (TRAINING,)
    sentences, words = (sum(size[f"{part}_{unit}"] for part in parts) for unit in ("sentences", "words"))
    occurrences = source.bigrams.occurrences()
    spelled = {word: count for word, count in occurrences.items() if word not in (PUNCTUATION, text.digits)}
    work.report(Note(f"{sentences:,} sentences, {words:,} words; script: {scripts_of(spelled)}"))
    if not source.sentences:
        missing = f"no sentence of two words has {source.longest} tokens at most"
        if not networks:
            has_paragraphs = not state.settings.raw and words > LONGEST_MEAN_OF_SENTENCES * sentences
            raise DataError(f"{missing}, so there is nothing to learn; {_advice(text, has_paragraphs)}")
        work.report(Note(f"{missing}, so there are no grammars"))
        state.members, state.sets = networks, []
        return "no grammars"
    given = given_to(work, text)
    if not state.members:
        name = state.new_name("dbm" if stage.settings.parts == "dependencies" else "grammar")
        _write_vocabulary(work, name, text, counted)
        state.members = [name]
    if not state.units:
        state.units = [state.new_name("grammars") for _ in range(stage.seeds)]
        work.save()
    state.members = networks or state.members
    teachers = [work.output / name for name in state.members]

    def use_plan(planned: GrammarConfig) -> None:
        """Use the same number of sentences for the other sets of the run, whose time is known now."""
        asked = stage.settings
        state.sizes = {name: fewer for name in SIZES if (fewer := getattr(planned, name)) < getattr(asked, name)}
        work.save()

    def report_once(event: Any) -> None:
        """Report what is learned for the first set only: further sets give the same."""
        if not (state.sets and isinstance(event, Note)):
            work.report(event)

    branching, how_it_branches = _branching(stage.settings, source)
    work.report(Note(how_it_branches, matters=stage.settings.branching == "auto" and branching == "none"))
    for name in state.units[state.units_done :]:
        state.spent_on(name)
        used, provenance = learn_grammars(
            *(work.output / name, teachers, replace(sized(), branching=branching), source),
            state.seed_of(len(state.sets)),
            work.device,
            math.inf if "grammars" in state.rates else state.left() / stage.seeds,
            *(report_once, use_plan, given),
            executor=work.executor,
        )
        provenance["seconds"] = state.rates["grammars"] = round(state.spent_on(name), 1)
        state.sets.append(GrammarSet(name, tuple(state.members), used, provenance))
        state.units_done += 1
        work.save()
    _replace_stage(state, replace(stage, settings=sized()))
    result = f"sets: {len(state.sets)}, sentences: {state.sets[0].provenance['sentences']:,}, {how_it_branches}"
    if stage.settings.parts == "all" and not networks and len(state.sets) == 1:
        model = work.parser(state.members, state.sets)
        if (agreement := agreement_of(model, source.context.items, work.device)) is not None:
            work.report(Note(in_words(agreement)))
            result += f", long-distance heads that agree without class grammars: {100 * agreement:.0f} %"
    return result


def _advice(text: TextConfig, has_paragraphs: bool) -> str:
    """What to do where all sentences are too long for grammars. has_paragraphs: whether lines may be paragraphs."""
    if text.tokenizer == CHARACTERS:
        return "each character is a word: write blanks between words, and each sentence in a line of its own"
    if has_paragraphs:
        return "if lines are paragraphs, split them into sentences: --raw"
    return "raise this number: --set grammar.longest=…"


def _branching(settings: GrammarConfig, text: GrammarText) -> tuple[Branching, str]:
    """The direction of branching of the text, and a message that also says how clear it is."""
    if settings.branching != "auto":
        return settings.branching, f"branching: {settings.branching}, as set"
    tendency = branching_of(text.context.items, text.bigrams)
    branching, nats = tendency.branching, tendency.nats
    if branching == "none":
        return branching, f"branching: unclear ({abs(nats):.2f} nats); --set grammar.branching=left or right decides"
    if branching != tendency.of_sentences:
        words = f"most function words stand {'before' if branching == RIGHT else 'after'} what they mark"
        ends = (
            f"{others} by sentence ends" if (others := tendency.of_sentences) != "none" else "sentence ends do not tell"
        )
        return branching, f"branching: {branching}, because {words} ({ends})"
    return branching, f"branching: {branching} ({abs(nats):.2f} nats; unclear below {UNDECIDED:g})"


def tree_stage(work: Work, stage: TreeStage) -> str:
    """Parse a sample of the text with the parser in the directory. Returns a summary for the user."""
    state = work.state
    if stage.function_words == "auto":
        branches_right = all(grammars.settings.branching == RIGHT for grammars in state.sets)
        is_both = branches_right and networks_so_far(work, WordTraining)
        stage = replace(stage, function_words="both" if is_both else LEAVES)
        _replace_stage(state, stage)
    sentences = work.sample(stage.sentences)
    if state.units or "sha256" not in state.corpus:  # a resumed run, or one that begins with trees
        _read(work)
    given = given_to(work, state.recipe.text)
    if not state.units:
        state.units = [state.new_name("trees")]
        work.save()
    name = f"{state.units[0]}.jsonl"
    path = work.output / name
    conventions = [name for name in LEARNED_CONVENTIONS if stage.function_words in (name, "both")]
    write_trees(work.output, sentences, conventions, path, work.device, work.report, given, work.executor)
    state.trees, state.members, state.sets = name, [], []
    return f"sentences: {len(sentences):,}, function words: {stage.function_words}"


def _replace_stage(state: RunState, stage: Stage) -> None:
    """Replace the current stage in the recipe."""
    stages = list(state.recipe.stages)
    stages[state.stages] = stage
    state.recipe = replace(state.recipe, stages=tuple(stages))


def measured_rates(work: Work, positions: Sequence[int]) -> Rates:
    """The times that stages take on this machine: those known from the run, and the others timed now."""
    state = work.state
    if "vocabulary" not in state.rates:  # also where a network has read the text
        _read(work)
    text = size_of_text(work)
    unknown = min(LARGEST_FRACTION * max(0.0, state.left()), MOST_SECONDS)
    rates = {"grammars": unknown, **state.rates, **work.timed, **text}
    known: dict[ModelRecipe, float] = {}
    for position in positions:
        stage = state.recipe.stages[position]
        if isinstance(stage, NetworkStage) and str(position) not in work.timed:
            recipe = state.recipe.model_recipe(stage)
            if recipe not in known:
                from synparse.training.timing import seconds_per_word

                work.report(Note(f"timing a {stage.model}"))
                vocabulary, length = int(rates["vocabulary"]), text["words"] / max(1, text["sentences"])
                known[recipe] = seconds_per_word(recipe, vocabulary, length, work.device, state.left())
            work.timed[str(position)] = known[recipe]
        elif isinstance(stage, TreeStage) and not state.has_parser and position != positions[0]:
            rates["trees"] = unknown / stage.sentences  # the stages before it make the parser
        elif isinstance(stage, TreeStage) and "trees" not in work.timed:
            work.timed["trees"] = seconds_per_sentence(work.output, work.sample(500), work.device)
    return {**rates, **work.timed}


def size_of_text(work: Work) -> Rates:
    """The numbers of words and sentences of the text, and the weight of given trees."""
    if "sha256" not in work.state.corpus:
        _read(work)
    size = {name: work.state.corpus[f"training_{name}"] for name in ("words", "sentences")}
    return {**size, "given": fraction_of_text(len(given_to(work, work.state.recipe.text)))}


def _read(work: Work, text: TextConfig | None = None, grammar: GrammarConfig | None = None) -> CountedText:
    """Count the corpus, by default as the first network reads it, and record its fingerprint. Raises DataError if it
    has changed."""
    state = work.state
    text = text or next((stage.text for stage in state.recipe.networks), state.recipe.text)
    first = state.recipe.active_stages[0]
    has_trees = isinstance(first, NetworkStage) and first.training.reads_trees  # which are those of the text
    counted = count_corpus(state.settings, text, work.report, None, grammar, has_trees, work.executor or map)
    refuse_changed_corpus(state.corpus.get("sha256"), counted.fingerprint, work.output)
    state.rates["vocabulary"] = len(counted.vocabulary)
    _know(state, corpus_provenance(state.settings.corpus, counted, holds_out=state.settings.valid is not None))
    return counted


def _know(state: RunState, corpus: Mapping[str, Any]) -> None:
    """Record what was read of the text, the first time."""
    if "sha256" not in state.corpus:  # given trees may be known already
        state.corpus |= corpus


def given_to(work: Work, text: TextConfig) -> list[GivenTree]:
    """Read the given trees, and record their number. Raises DataError if they have changed."""
    state, key = work.state, (text.tokenizer, text.language)
    if key not in work.given:
        work.given[key] = trees = given_trees(state.settings.trees, text)
        if trees:
            before, now = state.corpus.get(GIVEN_TREES, {}), fingerprint(state.settings.trees)
            refuse_changed_corpus(before.get("sha256"), now, work.output, "what --trees names")
            if not before and (note := note_on_checked(trees)):
                work.report(Note(note, matters=True))
            read = {"files": names_of_files(state.settings.trees), "sha256": now, "sentences": len(trees)}
            state.corpus[GIVEN_TREES] = read
    return work.given[key]


def networks_so_far(work: Work, kind: type[TextTraining] = TextTraining) -> list[str]:
    """The networks so far, or those that learned from words or from trees."""
    recipes = {name: open_model(work.output / name).description.recipe for name in work.state.members}
    return [name for name, recipe in recipes.items() if isinstance(recipe.training, kind)]


def _write_vocabulary(work: Work, name: str, text: TextConfig, counted: CountedText) -> None:
    """Write the model of grammars without a network: its vocabulary and phrase boundaries."""
    state = work.state
    recipe = ModelRecipe(state.recipe.name, name.rpartition("-")[0], NoNetwork(), text, None)
    provenance = {"corpus": state.corpus, "vocabulary_words": len(counted.vocabulary), "seed": state.settings.seed}
    folder = work.output / name
    description = ModelDescription(recipe, provenance)
    files = model_files(LoadedModel(description, counted.vocabulary, None, counted.boundaries(text)))
    save_together(folder, {**files, CONFIG: config_file(one_member(folder, description))})


def run_stage(work: Work, stage: Stage) -> str:
    """Run a stage. Returns a summary for the user."""
    if isinstance(stage, NetworkStage):
        return network_stage(work, stage)
    return grammar_stage(work, stage) if isinstance(stage, GrammarStage) else tree_stage(work, stage)
