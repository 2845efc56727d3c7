"""How well running text is split into sentences and words: writes benchmarks/segmentation.tsv, a row for each language.

    python -m benchmarks.languages.segmentation ../shared/data/languages --work RUNS

The `# text` lines of the development part of a UD treebank go through `parse --raw --language`, and their sentences and
tokens are scored by protocol conll18. No model has a part in that, so the parser is the right-branching one. Words of
Vietnamese have blanks, so they are not those of `parse --raw`, and it has no row.

Columns: language; tokens F1, sentences F1: per cent; scored at: the commit, with + if files had changed since; date;
command.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.commands import CommandError, program, run
from benchmarks.languages.data import Language, arguments, languages_in, running_text
from benchmarks.quality.gold import ROOT, in_per_cent
from benchmarks.quality.table import made_now, mean_and_spread, put_row
from synparse.files.streams import read_lines, write_whole
from synparse.files.tables import Row
from synparse.scoring.evaluate import evaluate
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import read_conllu
from synparse.trees.errors import DataError, SettingError

TABLE = ROOT / "benchmarks" / "segmentation.tsv"

SCORES = ("tokens F1", "sentences F1")
COLUMNS = ("language", *SCORES, "scored at", "date", "command")


def segmented(language: Language, work: Path) -> Path:
    """The development part, split into sentences and words again from its running text, as CoNLL-U."""
    text, output = (work / f"{language.code}-raw.{ending}" for ending in ("txt", "conllu"))
    with write_whole(str(text)) as out:
        out.write(running_text(read_conllu(read_lines(str(language.dev)), str(language.dev))))
    run("parse", text, "--raw", "--language", language.code, "--model", "right-branching", "--output", output)
    return output


def segmentation_scores(gold: Path, prediction: Path) -> Row:
    """F1 of tokens and sentences by protocol conll18. Raises DataError if the characters differ."""
    ours, theirs = (NamedLines(str(path), read_lines(str(path))) for path in (prediction, gold))
    scores = evaluate([ours], theirs, protocol="conll18").systems[0].scores
    values = in_per_cent(scores, ("tokens_f1", "sentences_f1"))
    return {column: mean_and_spread([value]) for column, value in zip(SCORES, values, strict=True)}


def main() -> None:
    options = arguments("python -m benchmarks.languages.segmentation", __doc__)
    chosen = options.parse_args()
    made, failed = made_now("benchmarks.languages.segmentation"), 0
    try:
        languages = languages_in(chosen.data, chosen.languages)
    except SettingError as error:
        options.error(str(error))
    chosen.work.mkdir(parents=True, exist_ok=True)
    for language in languages:
        try:
            scores = segmentation_scores(language.dev, segmented(language, chosen.work))
        except (CommandError, DataError) as error:
            print(f"{language.code}: {error}", file=sys.stderr)
            failed = 1
        else:
            put_row(TABLE, {"language": language.name, **scores, **made}, ("language",), COLUMNS)
    sys.exit(failed)


if __name__ == "__main__":
    program(main)
