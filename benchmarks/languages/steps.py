"""What is made for a language: models and trees, each a file or a folder in RUNS. What is there is not made again."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.languages.brackets import clean_brackets
from benchmarks.languages.ceiling import FOLDS, PARSING, parts_of_fold, pooled, student_options
from benchmarks.languages.data import Language, running_text
from benchmarks.quality.table import commit
from benchmarks.quality.train import is_trained, train_seed, training_command
from synparse.files.folders import stored
from synparse.files.streams import read_lines, write_whole
from synparse.store.model_directory import CONFIG
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.errors import SettingError


class StepError(Exception):
    """A command failed: which one, and the last line that it printed."""


@dataclass(frozen=True)
class Steps:
    """The commands for all languages, and where their output is; ``train_options``, ``parse_options`` as typed.

    ceilings: the folder of students and their trees, which do not depend on the settings.
    """

    work: Path
    ceilings: Path
    minutes: float
    seeds: Sequence[int]
    train_options: str = ""
    parse_options: str = ""

    @property
    def settings(self) -> str:
        """What the seeds of a row have in common, as a cell of the table."""
        return " ".join(filter(None, [f"--minutes {self.minutes:g}", self.train_options, self.parse_options]))

    def begin(self) -> None:
        """Make the folders. Raises SettingError if ``work`` has runs of other settings."""
        for folder in (self.work, self.ceilings):
            folder.mkdir(parents=True, exist_ok=True)
        path = self.work / "settings.json"
        if path.exists():
            begun = json.loads(path.read_text(encoding="utf-8"))
            if begun != self.settings:
                raise SettingError(f"{self.work} has runs with {begun}; name another folder by --work")
        path.write_text(json.dumps(self.settings) + "\n", encoding="utf-8")

    def trained(self, language: Language, seed: int) -> Path:
        """The model of a seed; begins its training, or goes on with it, if it is not done."""
        directory = self.work / f"{language.code}-seed{seed}"
        if not is_trained(directory):
            texts = [str(path.absolute()) for path in language.texts]
            arguments = [*texts, "--language", language.code, *shlex.split(self.train_options)]
            arguments += ["--minutes", str(self.minutes)]
            begun = {"commit": commit(), "budget": f"{self.minutes:g} minutes", "cores": "1"}
            code = train_seed(training_command(directory, arguments, seed), directory, begun)
            if code:
                raise StepError(f"training into {directory} ended with exit code {code}; the same command goes on")
        return directory

    def parsed(self, source: Path, model: Path) -> Path:
        """The trees that a model gives to a file, CoNLL-U or brackets, in the same format."""
        is_brackets = source.suffix == ".ptb"
        output = model.with_name(f"{model.name}{'.ptb' if is_brackets else '.conllu'}")
        options = ["--format", "brackets"] if is_brackets else []
        return self._parse(source, model, output, [*options, *shlex.split(self.parse_options)])

    def segmented(self, language: Language, model: Path) -> Path:
        """The development part, split into sentences and words again from its running text, as CoNLL-U."""
        text = self.work / f"{language.code}-raw.txt"
        if not text.exists():
            with write_whole(str(text)) as out:
                out.write(running_text(_conllu(language.dev)))
        output = model.with_name(f"{model.name}-raw.conllu")
        options = ["--raw", "--language", language.code, *shlex.split(self.parse_options)]
        return self._parse(text, model, output, options)

    def clean_trees(self, language: Language, trees: Path) -> Path:
        """The constituency trees of a language as they are scored. Raises SettingError where they cannot be read."""
        output = self.work / f"{language.code}-trees.ptb"
        if not output.exists():
            text = clean_brackets(trees)
            with write_whole(str(output)) as out:
                out.write(text)
        return output

    def right_branching(self, trees: Path) -> Path:
        """Right-branching trees of the same sentences, cut at punctuation."""
        output = trees.with_name(f"{trees.stem}-right.ptb")
        if not output.exists():
            how = ("--model", "right-branching", "--punctuation", "evidence", "--format", "brackets")
            synparse("parse", str(trees), *how, "-o", str(output))
        return output

    def supervised(self, language: Language) -> Path:
        """The development part, each fifth of it parsed by a student that has learned the trees of the others."""
        output = self.ceilings / f"{language.code}-supervised.conllu"
        if output.exists():
            return output
        sentences = [one for one in _conllu(language.dev) if one.rows]
        predicted = []
        for number in range(FOLDS):
            folder = self.ceilings / f"{language.code}-fold{number + 1}"
            folder.mkdir(exist_ok=True)
            train, test, model = folder / "train.conllu", folder / "test.conllu", folder / "student"
            known, unknown = parts_of_fold(sentences, number)
            if not is_trained(model):
                _write(train, known)
                _write(test, unknown)
                synparse("train", str(train), *student_options(known), "--force", "-o", str(model))
            predicted.append(list(_conllu(self._parse(test, model, folder / "parsed.conllu", PARSING))))
        _write(output, pooled(predicted))
        return output

    def _parse(self, source: Path, model: Path, output: Path, options: Sequence[str] = ()) -> Path:
        """Parse, unless it was done since the model was written."""
        if not output.exists() or output.stat().st_mtime < stored(model, CONFIG).stat().st_mtime:
            synparse("parse", str(source), "--model", str(model), "--jobs", "1", *options, "-o", str(output))
        return output


def _conllu(path: Path) -> Iterator[ConlluSentence]:
    return read_conllu(read_lines(str(path)), str(path))


def _write(path: Path, sentences: Iterable[ConlluSentence]) -> None:
    with write_whole(str(path)) as out:
        out.writelines(line for sentence in sentences for line in sentence.lines)


def synparse(*arguments: str) -> None:
    """Run a command with one thread. Raises StepError with the last line of its messages if it fails."""
    command = [sys.executable, "-m", "synparse", *arguments]
    done = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise StepError(f"synparse {shlex.join(arguments)}: {last}")
