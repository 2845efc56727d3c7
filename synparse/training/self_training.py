"""Self-training: from the text of a language to a parser, in three steps.

1. Grammars are learned from the text by counting (`synparse.training.counting`).
2. A student (`synparse.inducers.student`) learns from the trees that these give to the text. It reads words where they
   read word classes, so it makes better trees than its teachers, which have no trees of people either.
3. The student teaches grammars, and parses together with them.

The work of the first two steps is in a folder beside the output until the third is done, so that a run that was stopped
goes on where it was. McClosky, Charniak & Johnson (2006), "Effective Self-Training for Parsing", is the idea with a
treebank to begin with.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synparse.config.recipe import Recipe, load_recipe, recipe_from
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence, read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.cores import available_cores
from synparse.files.folders import Content, save_together, stored
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.parsing.jobs import ModelChoice, Writing, parsed_text_by_processes, useful_processes
from synparse.parsing.options import EVIDENCE, ParserOptions
from synparse.parsing.parser import Parser
from synparse.store.cards import model_card
from synparse.store.model_directory import CARD, CONFIG, read_description
from synparse.store.overwriting import clear_away, is_unfinished, refuse_to_overwrite
from synparse.training import counting
from synparse.training.events import Learning, Note
from synparse.training.reading import RunSettings
from synparse.training.stopping import stop_on_signals
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import LEAVES

if TYPE_CHECKING:
    from synparse.training.job import Report

SENTENCES = 30_000
"""Sentences whose trees a student learns from, at most; a random sample of a longer text."""

LEAST_SECONDS = 60.0
"""A student that has less time would be worse than its teachers, and is left out."""

RESERVE = 1.5
"""The third step may take so many times as long as the first one."""

STUDENT = "student-small"
"""The recipe of the student."""

_STEPS, _RUN, _GRAMMAR, _TREES, _STUDENT = ".steps", "run.json", "grammar", "trees.jsonl", "student"


def recipes(changes: Sequence[str]) -> tuple[Recipe, Recipe]:
    """The recipes of the grammars and of the student, with settings changed as by ``--set``: those of text and
    parsing in both, those of the network and its training in the student's, all others in that of the grammars.

    Raises SettingError for unknown settings.
    """
    shared = [change for change in changes if change.startswith(("text.", "parsing."))]
    of_student = [change for change in changes if change.startswith(("architecture.", "training."))]
    of_grammars = [change for change in changes if change not in of_student]
    return (
        load_recipe("grammar", of_grammars),
        load_recipe(STUDENT, [*shared, *of_student]),
    )


def learn(
    corpus: Sequence[str],
    grammar: Recipe,
    student: Recipe,
    output: Path,
    *,
    raw: bool = False,
    input_format: str | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 1,
    report: Report = lambda _: None,
    force: bool = False,
) -> counting.Learned:
    """Learn a parser from the files ``corpus`` (``-`` = standard input) by self-training.

    ``grammar``, ``student``: the recipes, see `recipes`; ``minutes``: limit of the whole run; where it leaves no time
    for a student, the grammars of the first step are the result. SIGINT (Ctrl-C) and SIGTERM end the run, `resume`
    continues it. Raises as `synparse.training.counting.learn`.
    """
    refuse_to_overwrite(output, force)
    steps = _folder(output)
    if steps.exists() and not force:
        raise SettingError(
            f"--output: {steps} holds an unfinished run; --resume {output} continues it, --force replaces it"
        )
    shutil.rmtree(steps, ignore_errors=True)
    try:
        steps.mkdir(parents=True)
        paths = [_kept(path, steps) for path in corpus]
        settings = RunSettings(tuple(paths), None, raw, input_format, minutes, seed)
        run = {"settings": asdict(settings), "grammar": grammar.as_mapping(), "student": student.as_mapping()}
        with write_whole(str(steps / _RUN)) as file:
            file.write(json.dumps(run) + "\n")
        return _go_on(_Run(settings, grammar, student, output, device, report))
    except (DataError, SettingError):
        if not (steps / _GRAMMAR).exists():
            shutil.rmtree(steps, ignore_errors=True)  # nothing was done yet
        raise
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", str(steps)) from None


def is_self_training(directory: Path) -> bool:
    """Whether there is an unfinished run of `learn` with this output."""
    return (_folder(directory) / _RUN).is_file()


def resume(
    directory: Path,
    *,
    minutes: float | None = None,
    device: str = "auto",
    allow_changed_corpus: bool = False,
    report: Report = lambda _: None,
) -> counting.Learned:
    """Continue the run whose output is ``directory``; ``minutes``: limit from now on. Raises as `learn`, and DataError
    if its settings are damaged."""
    path = _folder(directory) / _RUN
    try:
        run = json.loads("".join(read_lines(str(path))))
        settings = RunSettings(**{**run["settings"], "corpus": tuple(run["settings"]["corpus"])})
        grammar, student = recipe_from(run["grammar"]), recipe_from(run["student"])
    except (KeyError, TypeError, ValueError, SettingError) as error:
        raise DataError(f"damaged settings of an unfinished run: {error}", str(path)) from None
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    return _go_on(_Run(settings, grammar, student, directory, device, report, allow_changed_corpus))


@dataclass(frozen=True)
class _Run:
    settings: RunSettings
    grammar: Recipe
    student: Recipe
    output: Path
    device: str
    report: Report
    allow_changed_corpus: bool = False


def _go_on(run: _Run) -> counting.Learned:
    """The steps that are not done yet."""
    start, settings, steps = time.monotonic(), run.settings, _folder(run.output)
    grammar, trees, student = steps / _GRAMMAR, steps / _TREES, steps / _STUDENT

    def left(reserved: float = 0.0) -> float | None:
        """The minutes that are left, besides some seconds."""
        if settings.minutes is None:
            return None
        return max(0.0, settings.minutes - (time.monotonic() - start + reserved) / 60)

    if not _is_done(grammar):
        learned = _counted(run, grammar, (), left())
        if learned.signal is not None:
            return _stopped(run, learned.signal)
    reserved = RESERVE * _seconds(grammar)
    minutes = left(reserved)
    if minutes is not None and 60 * minutes < LEAST_SECONDS and not _is_done(student):
        run.report(Note("no time for a student, so the grammars are the parser"))
        learned = _kept_grammars(grammar, run.output)
    else:
        if not trees.exists():
            with stop_on_signals() as stop:
                try:
                    _write_trees(run, grammar, trees)
                except KeyboardInterrupt:
                    return _stopped(run, stop.signal or signal.SIGINT)
        if not _is_done(student):
            stopped_by = _taught(run, trees, student, left(reserved))
            if stopped_by is not None:
                return _stopped(run, stopped_by)
        learned = _counted(run, run.output, (str(student),), left())
    if learned.signal is not None:
        return _stopped(run, learned.signal)
    shutil.rmtree(steps, ignore_errors=True)
    return learned


def _stopped(run: _Run, by: int) -> counting.Learned:
    return counting.Learned(run.output, {}, by, is_resumable=True)


def _counted(run: _Run, output: Path, teachers: Sequence[str], minutes: float | None) -> counting.Learned:
    """Grammars, learned or learned on; the limit of a run does not keep a step from its fewest passes."""
    settings, device, report = run.settings, run.device, run.report
    if counting.is_counting(output):
        return counting.resume(
            output,
            device=device,
            minutes=minutes,
            allow_changed_corpus=run.allow_changed_corpus,
            report=report,
        )
    return counting.learn(
        settings.corpus,
        run.grammar,
        output,
        teachers=teachers,
        raw=settings.raw,
        input_format=settings.input_format,
        minutes=minutes,
        device=device,
        seed=settings.seed,
        report=report,
        force=True,
    )


def _kept_grammars(model: Path, output: Path) -> counting.Learned:
    """The grammars of the first step as the result, under the name of the output."""
    description = read_description(model)
    files: dict[str, Content] = {path.name: path.read_bytes() for path in model.iterdir() if path.is_file()}
    clear_away(output)
    save_together(output, {**files, CARD: model_card(output.name, description).encode()})
    return counting.Learned(output, description.provenance)


def _write_trees(run: _Run, model: Path, output: Path) -> None:
    """The trees that a model gives to a sample of the corpus, as JSON lines."""
    settings, text = run.settings, run.grammar.text
    tokenize = load_tokenizer(text.tokenizer, settings.raw, text.language)
    sample: Sample[Sentence] = Sample(SENTENCES, settings.seed)
    for sentence in read_files(settings.corpus, tokenize, settings.input_format):
        if sentence.tokens:
            sample.offer(Sentence(sentence.tokens))
    options = ParserOptions(device=run.device, punctuation=EVIDENCE, function_words=LEAVES)
    parser = Parser.load(model, options)
    writing = Writing("json", parser.tree_decoders[0], parser.head_decoders[0])
    processes = useful_processes(parser, None, available_cores())
    choice, done = ModelChoice((str(model),), options), 0
    with (
        write_whole(str(output)) as file,
        contextlib.closing(parsed_text_by_processes(parser, choice, sample.items, writing, processes)) as texts,
    ):
        for part in texts:
            done += part.count("\n")
            run.report(Learning("trees", done / len(sample.items)))
            file.write(part)


def _taught(run: _Run, trees: Path, output: Path, minutes: float | None) -> int | None:
    """A student of the trees; returns the signal that stopped it, None if it is finished."""
    from synparse.training import run as network

    given: dict[str, Any] = {"minutes": minutes, "device": run.device, "report": run.report}
    if is_unfinished(output):
        return network.resume(output, corpus=[str(trees)], **given).signal
    return network.train([str(trees)], run.student, output, seed=run.settings.seed, force=True, **given).signal


def _is_done(directory: Path) -> bool:
    return stored(directory, CONFIG).is_file() and not is_unfinished(directory)


def _seconds(directory: Path) -> float:
    """How long it took to learn these grammars."""
    of_grammar = read_description(directory).provenance.get("grammar")
    seconds = of_grammar.get("seconds") if isinstance(of_grammar, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else 0.0


def _folder(output: Path) -> Path:
    """Where the work of a run is until it is done: beside the output, also where that is the current folder (``.``)."""
    return Path(f"{output.resolve()}{_STEPS}")


def _kept(path: str, steps: Path) -> str:
    """The path of a file as every step finds it: standard input is copied, because it can be read only once."""
    if path != STANDARD_STREAM:
        return str(Path(path).absolute())
    copy = steps / "text"
    with write_whole(str(copy)) as file:
        file.writelines(read_lines(STANDARD_STREAM))
    return str(copy)
