"""The tables of languages, benchmarks/languages.tsv and, of those on whose gold trees nothing was decided
(benchmarks/languages/data.py), benchmarks/untouched_languages.tsv: a row for each language, and one for their mean.

Columns; with several seeds a cell is the mean, and in parentheses the standard deviation (n − 1); a dash where nothing
was measured:

- language; settings: options of all commands; seeds;
- words: of the training text; minutes, CPU minutes: of a training run, by the clock and of its processor;
- UAS, UUAS: of the development part of the UD treebank, per cent, without punctuation, the root scored like a word; and
  of baselines: the previous word, the next word, random projective trees (the mean of five), each word's head the next
  (content-chain) or the previous (content-chain-back) word that is no function word of the training text;
- supervised: of students that learned the trees of four fifths of the same sentences; ceiling: of the best projective
  tree, or of the best binary one;
- UF1: of constituency trees, the mean over sentences by protocol kim2019, and of baselines;
- below: the targets that the row misses, of `missed_targets`;
- scored at: the commit, with + if files had changed since; date; command.

A row replaces the one of the same language, settings and seeds. The mean is over the languages with these settings and
seeds; in `below` it has their number.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.languages.scores import Scores
from benchmarks.quality.gold import ROOT
from benchmarks.quality.score import run_of
from benchmarks.quality.table import NOTHING, markdown_table, mean_and_spread, with_row, write_table
from synparse.files.tables import Row, read_table
from synparse.scoring.baselines import CEILING, HEAD_BASELINES, SPAN_BASELINES
from synparse.store.languages import corpus_of
from synparse.trees.trivial import CONTENT_CHAINS, RANDOM

TABLE, UNTOUCHED = (ROOT / "benchmarks" / name for name in ("languages.tsv", "untouched_languages.tsv"))

MEAN = "mean"

SUPERVISED = "supervised"
OTHERS = (*HEAD_BASELINES, RANDOM, *CONTENT_CHAINS, SUPERVISED, CEILING)
MEASURES = ("UAS", "UUAS")
CUT = "right-branching, cut at punctuation"
OF_TREES = ("UF1", *(f"{name} UF1" for name in (*SPAN_BASELINES, CUT, RANDOM, CEILING)))
SCORES = (
    *MEASURES,
    *(f"{name} {measure}" for name in OTHERS for measure in MEASURES),
    *OF_TREES,
)
COSTS = ("words", "minutes", "CPU minutes")
COLUMNS = ("language", "settings", "seeds", *COSTS, *SCORES, "below", "scored at", "date", "command")
IDENTITY = ("language", "settings", "seeds")

POINTS_ABOVE_WORDS = 8.0
"""By which UAS and UUAS are to be above those of the better of `HEAD_BASELINES`."""

POINTS_ABOVE_CHAINS = 3.0
"""By which UUAS is to be above that of the better of `CONTENT_CHAINS`."""


def run_cells(language: str, models: Sequence[Path], settings: str) -> Row:
    """What the models of all seeds were trained on, and what that took."""
    runs = [run_of([model]) for model in models]
    words = corpus_of(models[0])["training_words"]
    return {
        **{"language": language, "settings": settings, "seeds": " ".join(str(run.seed) for run in runs)},
        "words": f"{words:,}",
        "minutes": mean_and_spread(run.record.minutes or run.minutes for run in runs),
        "CPU minutes": mean_and_spread(run.record.cpu_minutes for run in runs),
    }


def score_cells(scores: Scores) -> Row:
    return {column: mean_and_spread(scores.get(column, ())) for column in SCORES}


def number(cell: str) -> float | None:
    """The mean in a cell.

    >>> number("50.3 (0.4)"), number("–")
    (50.3, None)
    """
    return None if cell == NOTHING else float(cell.split()[0].replace(",", ""))


def missed_targets(row: Row) -> Row:
    """The cell of the targets that a row misses: how far its scores are above those of baselines.

    >>> missed_targets({"UAS": "40", "UUAS": "52", "next word UAS": "30", "next word UUAS": "45",
    ...     "previous word UAS": "35", "previous word UUAS": "40", "content-chain UUAS": "48",
    ...     "content-chain-back UUAS": "44"})
    {'below': 'UAS +5.0 of +8 over words; UUAS +7.0 of +8 over words'}
    """
    found = []
    for measure, names, wanted, what in (
        ("UAS", HEAD_BASELINES, POINTS_ABOVE_WORDS, "words"),
        ("UUAS", HEAD_BASELINES, POINTS_ABOVE_WORDS, "words"),
        ("UUAS", CONTENT_CHAINS, POINTS_ABOVE_CHAINS, "content chains"),
    ):
        ours, others = number(row[measure]), [number(row[f"{name} {measure}"]) for name in names]
        known = [value for value in others if value is not None]
        if ours is not None and known and round(ours - max(known), 1) < wanted:
            found.append(f"{measure} {ours - max(known):+.1f} of +{wanted:g} over {what}")
    return {"below": "; ".join(found) or NOTHING}


def mean_row(rows: Sequence[Row]) -> Row:
    """The mean over languages of what was measured for all of them."""
    cells: dict[str, str] = {}
    for column in (*COSTS, *SCORES):
        values = [number(row[column]) for row in rows]
        known = [value for value in values if value is not None]
        if len(known) == len(rows):
            cells[column] = f"{statistics.mean(known):,.0f}" if column == "words" else f"{statistics.mean(known):.1f}"
    return cells


def with_means(rows: Sequence[Row]) -> list[Row]:
    """The table by settings, seeds and language, with a row for the mean of several languages."""
    found: list[Row] = []
    rows = [row for row in rows if row["language"] != MEAN]
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in sorted(rows, key=lambda row: (row["settings"], row["seeds"], row["language"])):
        groups.setdefault((row["settings"], row["seeds"]), []).append(row)
    for (settings, seeds), group in groups.items():
        found += group
        if len(group) > 1:
            identity = {"language": MEAN, "settings": settings, "seeds": seeds}
            below = sum(row["below"] != NOTHING for row in group)
            found.append({**identity, **mean_row(group), "below": f"{below} of {len(group)}"})
    return found


def add_row(path: Path, row: Row) -> None:
    """Put a row into the table, and write it with its means."""
    write_table(path, with_means(with_row(read_table(path), row, IDENTITY)), COLUMNS)


def report(path: Path, settings: str) -> Iterator[str]:
    """The rows with these settings as Markdown, and the languages that miss targets."""
    rows = [row for row in read_table(path) if row["settings"] == settings]
    yield from markdown_table(("language", "seeds", *COSTS, *SCORES), rows)
    below = [row for row in rows if row["below"] != NOTHING and row["language"] != MEAN]
    if below:
        yield "\nTargets missed:\n"
        yield from (f"- {row['language']}: {row['below']}\n" for row in below)
