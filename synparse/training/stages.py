"""The stages of a run, each a function: what it reads of the run's state, and what it leaves there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import GrammarStage, ModelRecipe, NetworkStage, Stage, TreeStage, is_empty
from synparse.config.training import TextTraining, WordTraining
from synparse.corpora.normalization import TextConfig
from synparse.files.folders import save_together
from synparse.inducers.configurations import NoNetwork
from synparse.store.model_directory import CARD, CONFIG, LoadedModel, ModelDescription, model_files
from synparse.store.models import GrammarSet, Model, config_file, one_member, open_model
from synparse.store.overwriting import RUN, clear_away
from synparse.training.assembly import assembled, files_of
from synparse.training.events import Note
from synparse.training.grammar_text import grammar_text
from synparse.training.grammars import SIZES, learn_grammars
from synparse.training.planning import Rates
from synparse.training.progress import RunState
from synparse.training.reading import corpus_provenance, read_corpus, refuse_changed_corpus
from synparse.training.result import TrainingResult
from synparse.training.save_every import SaveEvery
from synparse.training.trees import seconds_per_sentence, sentences_to_parse, write_trees
from synparse.trees.errors import DataError

if TYPE_CHECKING:
    from synparse.corpora.cache import Corpus
    from synparse.training.network import Start

LARGEST_FRACTION, MOST_SECONDS = 0.25, 240.0
"""Grammars that have not been timed yet get this fraction of a run's minutes, and no more than these seconds."""


class Interrupted(Exception):  # noqa: N818 - no error
    """A signal ended a stage: the result of its network."""

    def __init__(self, result: TrainingResult) -> None:
        self.result = result


@dataclass
class Work:
    """A run in progress. start: what the first network begins with; allows_change: of the text of a network that was
    begun; writes: whether this process writes the directory, of several that train one network; result: of the last
    network."""

    output: Path
    state: RunState
    device: str
    save_every: SaveEvery
    report: Callable[[Any], None]
    start: Start | None = None
    allows_change: bool = False
    writes: bool = True
    result: TrainingResult | None = None

    def parser(self, members: Sequence[str], sets: Sequence[GrammarSet]) -> Model:
        """The parser of these models and grammars."""
        state = self.state
        corpus, seed = state.corpus, state.settings.seed
        return assembled(self.output, state.recipe, members, sets, corpus, seed, state.records)

    def save(self, members: Sequence[str] = (), sets: Sequence[GrammarSet] = ()) -> None:
        """Save the state of the run; with ``members``, also the directory, as a parser of these models and grammars. A
        model that was there before goes with the first of these."""
        if not self.writes:
            return
        replaced = members and self.state.earlier is not None
        files = {} if not members else files_of(self.parser(members, sets), self.output.name)
        if replaced:
            clear_away(self.output, {*self.state.names, RUN, CONFIG, CARD})
            self.state.earlier = None
        save_together(self.output, {**files, **self.state.file()})


def network_stage(work: Work, stage: NetworkStage) -> str:
    """Trains the networks of a stage. Those that learn words stand beside those that do so already; otherwise they take
    the place of what was there. Returns what it did, in words."""
    from synparse.training.network import train_network

    state = work.state
    settings, reads_text = replace(state.settings, minutes=None), True
    if stage.learns_from_trees and state.trees is not None:
        reads_text = False
        settings = replace(settings, corpus=(str(work.output / state.trees),), valid=None, raw=False, input_format=None)
    if not state.units:
        state.units = [state.new_name(stage.model) for _ in range(stage.seeds)]
        work.save()

    for number in range(state.units_done, stage.seeds):
        name = state.units[number]

        def saved(so_far: tuple[str, ...] = tuple(state.units[: number + 1])) -> None:
            if not state.kept_members:  # there is no better parser yet
                work.save([*_networks(work, of_words=True), *so_far])

        result = train_network(
            state.recipe.model_recipe(stage),
            replace(settings, seed=settings.seed + number),
            work.output / name,
            work.device,
            work.save_every,
            work.report,
            saved=saved,
            start=work.start if number == 0 else None,
            fingerprint=_expected(work) if reads_text else None,
            allows_change=work.allows_change,
        )
        work.result = replace(result, directory=work.output)
        if result.signal is not None:
            work.save()  # the time so far
            raise Interrupted(work.result)
        state.units_done += 1
        if work.writes and reads_text and not state.corpus:
            state.corpus = dict(open_model(work.output / name).description.provenance["corpus"])
        work.save()
    state.members, state.sets = [*([] if stage.learns_from_trees else _networks(work, of_words=True)), *state.units], []
    return f"networks: {stage.seeds}, passes: {stage.training.epochs:g}"


def grammar_stage(work: Work, stage: GrammarStage) -> str:
    """Learns sets of grammars, taught by the networks that are there; without any, by counting alone. Returns what it
    did, in words. Raises DataError where the text has no sentence to learn from."""
    state = work.state
    config = replace(
        stage.settings, **{name: min(most, getattr(stage.settings, name)) for name, most in state.sizes.items()}
    )
    networks = _networks(work)
    text = open_model(work.output / networks[0]).description.recipe.text if networks else state.recipe.text
    source = grammar_text(text, config, state.settings.seed)
    has_trees = _text_has_trees(work)
    data = read_corpus(state.settings, text, work.output, work.report, None, source, has_trees)
    _check_text(work, data)
    sentences, words = len(data.train) + len(data.valid), data.train.words + data.valid.words
    work.report(Note(f"{sentences:,} sentences, {words:,} words"))
    if not source.sentences:
        missing = f"no sentence of two words has {source.longest} tokens at most"
        if networks:
            work.report(Note(f"{missing}, so there are no grammars"))
            state.members, state.sets = networks, []
            return "no grammars"
        raise DataError(f"{missing}, so there is nothing to learn; raise grammar.longest")
    if not state.units:
        kind = "dbm" if config.parts == "dependencies" else "grammar"
        alone = [] if networks else [state.new_name(kind)]
        state.units = [*alone, *(state.new_name("grammars") for _ in range(stage.seeds))]
        work.save()
    folders = state.units[-stage.seeds :]
    alone = state.units[: -stage.seeds]
    for name in alone:
        _write_vocabulary(work, name, text, data)
    members = networks or alone
    teachers = [work.output / name for name in members]
    sets: list[GrammarSet] = []
    seconds = None

    def decided(planned: GrammarConfig) -> None:
        """The other sets of the run are of so many sentences, too: what they take has been timed."""
        state.sizes = {name: getattr(planned, name) for name in SIZES}
        work.save()

    for number, name in enumerate(folders):
        if number < state.units_done:
            sets.append(state.sets[number])
            continue
        used, provenance = learn_grammars(
            *(work.output / name, teachers, config, source, state.settings.seed + number, work.device),
            *(None if state.sizes else state.left(), work.report, decided),
        )
        config = replace(config, **{size: getattr(used, size) for size in SIZES})
        sets.append(GrammarSet(name, tuple(members), used, provenance))
        state.sets = list(sets)
        state.units_done += 1
        seconds = provenance["seconds"]
        work.save()
    if seconds is not None:
        state.rates["grammars"] = seconds
    stages = list(state.recipe.stages)
    stages[state.stages] = replace(stage, settings=config)
    state.recipe = replace(state.recipe, stages=tuple(stages))
    state.members, state.sets = members, sets
    return f"sets: {len(sets)}, sentences: {sets[0].provenance['sentences']:,}"


def tree_stage(work: Work, stage: TreeStage) -> str:
    """Parses a sample of the text with the parser that the directory holds. Returns what it did, in words."""
    state = work.state
    sentences = sentences_to_parse(state.settings, state.recipe.text, stage.sentences)
    if state.units:  # a resumed run
        _read_once(work)
    else:
        state.units = [state.new_name("trees")]
        work.save()
    name = f"{state.units[0]}.jsonl"
    path = work.output / name
    write_trees(work.output, sentences, stage.function_words, path, work.device, work.report)
    state.trees, state.members, state.sets = name, [], []
    return f"sentences: {len(sentences):,}"


def measured_rates(work: Work, positions: list[int]) -> Rates:
    """How long things take here: what has been measured, and the rest timed now."""
    state, stages = work.state, work.state.recipe.stages
    text = size_of_text(work)
    if "grammars" not in state.rates:
        left = state.left() or MOST_SECONDS
        state.rates["grammars"] = min(LARGEST_FRACTION * left, MOST_SECONDS)
    if any(isinstance(stages[one], TreeStage) for one in positions) and "trees" not in state.rates:
        few = sentences_to_parse(state.settings, state.recipe.text, 500)
        state.rates["trees"] = seconds_per_sentence(work.output, few, work.device)
    training: dict[int, float] = {}
    for position in positions:
        stage = stages[position]
        if isinstance(stage, NetworkStage):
            key = f"{position}"
            if key not in state.rates:
                work.report(Note(f"timing a {stage.model}"))
                state.rates[key] = _training_rate(state.recipe.model_recipe(stage), state, work.device)
            training[position] = state.rates[key]
    return replace(text, grammars=state.rates["grammars"], trees=state.rates.get("trees", 0.0), training=training)


def size_of_text(work: Work) -> Rates:
    """The words and sentences of the text."""
    if not work.state.corpus:
        _read_once(work)
    return Rates(*(work.state.corpus[key] for key in ("training_words", "training_sentences")))


def _training_rate(recipe: ModelRecipe, state: RunState, device: str) -> float:
    from synparse.training.timing import seconds_per_word

    mean = state.corpus["training_words"] / max(1, state.corpus["training_sentences"])
    return seconds_per_word(recipe, int(state.rates["vocabulary"]), mean, device)


def _read_once(work: Work) -> None:
    """Read the corpus to know its size."""
    state = work.state
    text = next((stage.text for stage in state.recipe.networks), state.recipe.text)
    settings = replace(state.settings, valid=None)
    data = read_corpus(settings, text, work.output, work.report, with_trees=_text_has_trees(work))
    _check_text(work, data)


def _text_has_trees(work: Work) -> bool:
    """Whether the first stage learns from trees, which are those of the text."""
    first = next(stage for stage in work.state.recipe.stages if not is_empty(stage))
    return isinstance(first, NetworkStage) and first.learns_from_trees


def _check_text(work: Work, data: Corpus) -> None:
    """Note what the corpus is. Raises DataError where it is not what it was."""
    state = work.state
    refuse_changed_corpus(_expected(work), data.fingerprint, work.output)
    state.rates["vocabulary"] = len(data.vocabulary)
    state.corpus = state.corpus or corpus_provenance(state.settings.corpus, data, holds_out=False)


def _expected(work: Work) -> str | None:
    """The fingerprint that the corpus must have; None: any. With a file of held-out text, that of networks is
    another."""
    state = work.state
    return None if state.settings.valid else state.corpus.get("sha256")


def _networks(work: Work, of_words: bool = False) -> list[str]:
    """The models that are there, without those of grammars without a network; ``of_words``: those alone that learned
    from words, not from trees."""
    found = {name: open_model(work.output / name).description.recipe for name in work.state.members}
    kinds = (WordTraining,) if of_words else (TextTraining,)
    return [name for name, recipe in found.items() if isinstance(recipe.training, kinds)]


def _write_vocabulary(work: Work, name: str, text: TextConfig, data: Corpus) -> None:
    """The model of grammars without a network: its vocabulary and phrase boundaries."""
    state = work.state
    recipe = ModelRecipe(state.recipe.name, name.rpartition("-")[0], NoNetwork(), text, None)
    provenance = {"corpus": state.corpus, "vocabulary_words": len(data.vocabulary), "seed": state.settings.seed}
    folder = work.output / name
    description = ModelDescription(recipe, provenance)
    files = model_files(LoadedModel(description, data.vocabulary, None, data.boundaries))
    save_together(folder, {**files, CONFIG: config_file(one_member(folder, description))})


def run_stage(work: Work, stage: Stage) -> str:
    """Run one stage; returns what it did, in words."""
    if isinstance(stage, NetworkStage):
        return network_stage(work, stage)
    return grammar_stage(work, stage) if isinstance(stage, GrammarStage) else tree_stage(work, stage)
