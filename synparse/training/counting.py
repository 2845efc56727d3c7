"""Learning grammars by counting alone: without any network, or taught by models that are trained already. Needs no
PyTorch, unless the teachers do."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from synparse.config import renamed
from synparse.config.parsing import DEFAULT
from synparse.config.recipe import Recipe, recipe_from
from synparse.config.version import __version__
from synparse.corpora.cache import Corpus
from synparse.corpora.normalization import TextConfig
from synparse.files.folders import Content, exclusive_lock, save_together, stored
from synparse.parsing.decoders import check_recorded
from synparse.store.bundle import Bundle, StoredModels, open_model
from synparse.store.cards import model_card, taught_card
from synparse.store.model_directory import (
    BOUNDARIES,
    CARD,
    CONFIG,
    VOCABULARY,
    WEIGHTS,
    LoadedModel,
    ModelDescription,
    StoredModel,
    file_to_read,
    model_files,
)
from synparse.store.overwriting import LAST, clear_away, is_unfinished, refuse_to_overwrite
from synparse.training.events import Learning, Note, Reading
from synparse.training.reading import RunSettings, names_of_files, read_corpus, refuse_changed_corpus
from synparse.training.stopping import stop_on_signals
from synparse.training.teaching import new_lesson, teach
from synparse.trees.errors import DataError, SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS

_RUN, _KIND = "synparse-run", "counts"

Report = Callable[["Reading | Note | Learning"], None]


@dataclass(frozen=True)
class Learned:
    """The directory of the grammars, and what they were learned from. signal: the one that stopped the run, None if it
    is finished; is_resumable: whether a later run can continue this one."""

    directory: Path
    provenance: Mapping[str, Any]
    signal: int | None = None
    is_resumable: bool = False


def learn(
    corpus: Sequence[str],
    recipe: Recipe,
    output: Path,
    *,
    teachers: Sequence[str] = (),
    raw: bool = False,
    input_format: str | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 1,
    report: Report = lambda _: None,
    force: bool = False,
) -> Learned:
    """Learn word classes and grammars from the files ``corpus`` (``-`` = standard input).

    - ``recipe``: of the model ``grammar`` or ``dbm``; ``output``: the model directory to write.
    - ``teachers``: trained models, which are copied to the directory and parse together with the grammars.
    - ``minutes``: limit of the run; EM makes fewer passes if it is short.

    SIGINT (Ctrl-C) and SIGTERM end the run; it can continue with `resume`, after the last stage that was done. Raises
    DataError for a bad corpus or teacher and an output that cannot be written; SettingError for an output that exists,
    for baselines as teachers, for teachers that read text differently, and for decoders to record that do not fit.
    """
    refuse_to_overwrite(output, force)
    if recipe.grammar.parts == "none":
        raise SettingError(f"grammar.parts is none, so a {recipe.model} has nothing to learn")
    found = _teachers(teachers, output)
    descriptions = [one.description for one in found.values()] or [ModelDescription(recipe, {})]
    check_recorded(recipe.parsing, descriptions, recipe.grammar)
    run = _Run(
        recipe,
        RunSettings(tuple(_absolute(corpus)), None, raw, input_format, minutes, seed),
        StoredModels(found, _bundle(found, recipe) if found else None),
        output,
    )
    return _learned(run, device, report)


def is_counting(directory: Path) -> bool:
    """Whether the unfinished run in this directory is one of `learn`."""
    return is_unfinished(directory) and _read_run(directory).get("kind") == _KIND


def resume(
    directory: Path,
    *,
    device: str = "auto",
    minutes: float | None = None,
    allow_changed_corpus: bool = False,
    report: Report = lambda _: None,
) -> Learned:
    """Continue an interrupted run. Raises as `learn`, and DataError if its checkpoint is damaged or the corpus has
    changed (unless ``allow_changed_corpus``)."""
    try:
        values = _read_run(directory)
        given = {**values["settings"], "corpus": tuple(values["settings"]["corpus"])}
        settings, recipe = RunSettings(**given), recipe_from(values["recipe"])
        fingerprint = str(values["fingerprint"])
    except (KeyError, TypeError, SettingError) as error:
        raise DataError(f"damaged checkpoint: {error}", str(stored(directory, LAST))) from None
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    found = open_model(directory)
    run = _Run(
        recipe,
        settings,
        found if found.bundle is not None else StoredModels({}),
        directory,
        is_new=False,
        fingerprint=None if allow_changed_corpus else fingerprint,
    )
    return _learned(run, device, report)


@dataclass(frozen=True)
class _Run:
    """teachers: the models, and the directory that they are to make together with the grammars; fingerprint: of the
    corpus that it must be, None if any will do."""

    recipe: Recipe
    settings: RunSettings
    teachers: StoredModels
    output: Path
    is_new: bool = True
    fingerprint: str | None = None

    @property
    def text(self) -> TextConfig:
        """How text is read: as the first teacher reads it."""
        recipes = [one.description.recipe for one in self.teachers.members.values()]
        return recipes[0].text if recipes else self.recipe.text


def _learned(run: _Run, device: str, report: Report) -> Learned:
    with stop_on_signals() as stop:
        try:
            with exclusive_lock(run.output):
                return Learned(run.output, _provenance_of(run, device, report))
        except KeyboardInterrupt:
            return Learned(run.output, {}, stop.signal or signal.SIGINT, is_unfinished(run.output))


def _provenance_of(run: _Run, device: str, report: Report) -> dict[str, Any]:
    """Read the corpus, learn the grammars and save them; returns where they come from."""
    output, config, settings = run.output, run.recipe.grammar, run.settings
    lesson = new_lesson(run.text, config, settings.seed)
    data = read_corpus(settings, run.text, output, report, lesson=lesson)
    sentences, words = len(data.train) + len(data.valid), data.train.words + data.valid.words
    report(Note(f"{sentences:,} sentences, {words:,} words"))
    refuse_changed_corpus(run.fingerprint, data.fingerprint, output)
    if not lesson.sentences:
        raise DataError(
            f"no sentence of two words has {lesson.longest} tokens at most, so there is nothing to learn; raise "
            "grammar.longest"
        )
    provenance: dict[str, Any] = {
        "corpus": {
            "files": names_of_files(settings.corpus),
            "sha256": data.fingerprint,
            "training_sentences": sentences,
            "training_words": words,
            "held_out_sentences": 0,
        },
        "vocabulary_words": len(data.vocabulary),
        "seed": settings.seed,
        "versions": {"synparse": __version__, "numpy": np.__version__},
    }
    if run.is_new:
        clear_away(output)
        for name, one in run.teachers.members.items():
            _copy(one.directory, output / name)
        save_together(output, {**_files(run, data, provenance), LAST: _run_file(run, data.fingerprint)})
    seconds = None if settings.minutes is None else 60 * settings.minutes
    config, provenance["grammar"] = teach(output, run.text, config, lesson, settings.seed, device, seconds, report)
    run = replace(run, recipe=replace(run.recipe, grammar=config))
    save_together(output, _files(run, data, provenance), gone=[LAST])
    return provenance


def _files(run: _Run, data: Corpus, provenance: Mapping[str, Any]) -> dict[str, Content]:
    """The files of the directory besides the grammars."""
    name, (members, bundle) = run.output.name, run.teachers
    if bundle is None:
        description = ModelDescription(run.recipe, provenance)
        model = LoadedModel(description, data.vocabulary, None, data.boundaries)
        return model_files(model, model_card(name, description), "")
    whole = replace(bundle, grammar=run.recipe.grammar, provenance=provenance)
    card = taught_card(name, whole, {member: one.description for member, one in members.items()})
    return {CONFIG: yaml.safe_dump(whole.as_mapping(), sort_keys=False).encode(), CARD: card.encode()}


def _teachers(names: Sequence[str], output: Path) -> dict[str, StoredModel]:
    """The models behind these names, each under a name of its own. Raises SettingError for a baseline, where they read
    text differently, and where one is in ``output``."""
    found: dict[str, StoredModel] = {}
    for name in names:
        if name in TRIVIAL_PARSERS:
            raise SettingError(f"--teacher: {name} is a baseline, which has nothing to teach")
        members, _ = open_model(name)
        for one in members.values():
            kind = one.description.recipe.model
            number = sum(other.description.recipe.model == kind for other in found.values()) + 1
            found[f"{kind}-{number}"] = one
    if any(one.directory.resolve().is_relative_to(output.resolve()) for one in found.values()):
        raise SettingError(f"--teacher: a teacher is in {output}, which this run overwrites; name another --output")
    texts = {one.description.recipe.text.punctuation for one in found.values()}
    if len(texts) > 1:
        raise SettingError("--teacher: these models do not read the same tokens (text.punctuation)")
    return found


def _bundle(found: Mapping[str, StoredModel], recipe: Recipe) -> Bundle:
    """All teachers give brackets and heads. They parse with the grammars as the recipe of these says."""
    parsing = recipe.parsing
    return Bundle(
        tuple(found),
        tuple(found),
        parsing.punctuation,
        parsing.function_words,
        None if parsing.brackets == DEFAULT else parsing.brackets,
        None if parsing.heads == DEFAULT else parsing.heads,
        grammar=recipe.grammar,
    )


def _copy(directory: Path, output: Path) -> None:
    """The files of a model that parsing reads. Its own grammars give way to those that all models teach."""
    output.mkdir(parents=True, exist_ok=True)
    for name in (CONFIG, VOCABULARY, WEIGHTS, BOUNDARIES, renamed.BOUNDARIES, CARD):
        if stored(directory, name).exists():
            shutil.copyfile(file_to_read(directory, name, "not there"), output / name)


def _run_file(run: _Run, fingerprint: str) -> Callable[[Path], None]:
    from safetensors.numpy import save_file

    recipe, settings = run.recipe.as_mapping(), asdict(run.settings)
    described = {"kind": _KIND, "recipe": recipe, "settings": settings, "fingerprint": fingerprint}
    return lambda path: save_file({}, path, {_RUN: json.dumps(described)})


def _read_run(directory: Path) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(stored(directory, LAST), "numpy") as saved:
            values = json.loads((saved.metadata() or {}).get(_RUN, "{}"))
    except (OSError, SafetensorError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _absolute(paths: Sequence[str]) -> list[str]:
    """Files that exist, by absolute paths; others, and standard input, as they are named."""
    return [str(Path(path).absolute()) if Path(path).exists() else path for path in paths]
