"""The table of scores, benchmarks/quality.tsv: reads it, puts rows into it, and prints it as Markdown.

    python -m benchmarks.quality.table --topic parts

Columns; with several seeds a cell is the mean, and in parentheses the standard deviation (n − 1); a dash where nothing
was measured, or recorded:

- topic: which table of docs/results.md shows the row; none, if there is a dash;
- parser, changes: a name, or the recipe, and settings that differ from the shipped recipe of this name (or, if there is
  none, from the model's own recipe, which is named); of several models, their names;
- budget: minutes of a seed's whole run, or epochs;
- decoders: of brackets and of heads; punctuation, function words: the options of `synparse parse`. "WSJ free, UD
  leaves": `free` on WSJ and where heads are scored by Stanford Dependencies, `leaves` on the rest of GUM and on EWT;
- perplexity: held out, in training. Perplexities are comparable if model, vocabulary and text are the same;
- WSJ (the sample, wsj/trees.mrg), GUM and EWT (their dev parts), per cent: UF1 is the mean over sentences, by protocol
  shen2018 (a sentence of one word scores 1) and kim2019 (it is left out); UAS and UUAS are against basic Stanford
  Dependencies or Universal Dependencies (UD), without punctuation, the root scored like a word;
- direction: UAS / UUAS, a ratio; in rows older than this column that of the means;
- known, unknown: the same on sentences whose words are all in the vocabulary of each model, and on the others (words as
  the model reads them, without punctuation); known fraction: per cent of the sentences, in the first file of the
  treebank that the model can parse;
- agreement: the trees of every two seeds scored against each other (UF1 by kim2019), mean and spread over pairs. No
  gold annotation is used: punctuation is recognized by its form;
- text: the training files; M words seen; minutes, CPU minutes: of a seed's run, by the clock and of processors, reading
  the corpus included. The teachers of grammars were trained before, and do not count. cores: threads of each run, and
  how many ran at once;
- trained at, scored at: commits, with + if files had changed since; several, if runs began or resumed at several;
- date; command: what made the row, as it was typed in the folder of the repository; note.

A row replaces the row in which all of `IDENTITY` is the same.
"""

from __future__ import annotations

import argparse
import datetime
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.quality.gold import AGREEMENTS, DIRECTIONS, FRACTIONS, KNOWN, ROOT, SCORES, UNKNOWN
from synparse.files.streams import write_whole
from synparse.files.tables import Row, read_table

TABLE = ROOT / "benchmarks" / "quality.tsv"
NOTHING = "–"

HOW = ("parser", "changes", "budget", "seeds", "decoders", "punctuation", "function words")
COSTS = ("M words seen", "minutes", "CPU minutes")
MADE = ("cores", "trained at", "scored at", "date", "command", "note")
COLUMNS = (
    *("topic", *HOW, "perplexity"),
    *(*SCORES, *DIRECTIONS),
    *(f"{score}{part}" for part in (KNOWN, UNKNOWN) for score in SCORES),
    *(*FRACTIONS, *AGREEMENTS),
    *("text", *COSTS, *MADE),
)
IDENTITY = ("topic", *HOW, "text", "cores", "trained at", "note")


def mean_and_spread(values: Iterable[float | None], decimals: int = 1) -> str:
    """The mean of what is there, and of several their standard deviation (n − 1).

    >>> mean_and_spread([1.0, 3.0]), mean_and_spread([2.0]), mean_and_spread([None])
    ('2.0 (1.4)', '2.0', '–')
    """
    known = [value for value in values if value is not None]
    if not known:
        return NOTHING
    spread = f" ({statistics.stdev(known):.{decimals}f})" if len(known) > 1 else ""
    return f"{statistics.mean(known):.{decimals}f}{spread}"


def with_row(table: Sequence[Row], row: Row, identity: Sequence[str] = IDENTITY) -> list[Row]:
    """The table with a row more, or in the place of the one where these columns are the same."""
    same = [all(old.get(name, NOTHING) == row.get(name, NOTHING) for name in identity) for old in table]
    if any(same):
        return [row if is_same else old for old, is_same in zip(table, same, strict=True)]
    return [*table, row]


def write_table(path: Path, table: Iterable[Row], columns: Sequence[str] = COLUMNS) -> None:
    """Tabs and line ends in a cell become spaces."""
    with write_whole(str(path)) as out:
        out.write("\t".join(columns) + "\n")
        for row in table:
            cells = (row.get(name, NOTHING) for name in columns)
            out.write("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in cells) + "\n")


def put_row(path: Path, row: Row, identity: Sequence[str] = IDENTITY, columns: Sequence[str] = COLUMNS) -> None:
    """Write the table of a file `with_row`."""
    write_table(path, with_row(read_table(path), row, identity), columns)


def add_rows(path: Path, rows: Iterable[Row]) -> None:
    """Put each row into the table as soon as it is there, then print them all."""
    added = []
    for row in rows:
        put_row(path, row)
        added.append(row)
    print("".join(markdown(added)), end="")


def dated() -> Row:
    """The commit and the day of a row that is made now."""
    return {"commit": commit(), "date": datetime.date.today().isoformat()}


def made_now(program: str) -> Row:
    """The cells of a row that a program, ``benchmarks.quality`` or one of its modules, makes now."""
    command = shlex.join(["python", "-m", program, *sys.argv[1:]])
    return {"scored at": commit(), "date": datetime.date.today().isoformat(), "command": command}


def commit() -> str:
    """The commit that is checked out, with + where files of the program differ from it; nothing in a bare copy."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    if head.returncode:
        return NOTHING
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "synparse", "models", "benchmarks/quality"])
    return head.stdout.strip() + "+" * changed.returncode


def markdown(table: Sequence[Row]) -> Iterator[str]:
    """The table as three: scores, scores by known and unknown words, and what the rows are."""
    yield "UF1 / UAS / UUAS in per cent; mean (standard deviation) of several seeds\n\n"
    yield from markdown_table((*HOW, "perplexity", *SCORES, *DIRECTIONS), table)
    yield "\nSentences of known words alone / with unknown words\n\n"
    parted = [{**row, **{score: _known_and_unknown(row, score) for score in SCORES}} for row in table]
    yield from markdown_table(("parser", "changes", "punctuation", *FRACTIONS, *SCORES), parted)
    yield "\nHow far seeds agree, and what the runs were\n\n"
    yield from markdown_table(("topic", "parser", "changes", *AGREEMENTS, "text", *COSTS, *MADE), table)


def _known_and_unknown(row: Row, score: str) -> str:
    return f"{row.get(score + KNOWN, NOTHING)} / {row.get(score + UNKNOWN, NOTHING)}"


def markdown_table(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    for row in rows:
        yield f"| {' | '.join(row.get(name, NOTHING).replace('|', '/') for name in columns)} |\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--topic", help="only the rows of this topic")
    options.add_argument("--table", type=Path, default=TABLE)
    chosen = options.parse_args()
    rows = read_table(chosen.table)
    print("".join(markdown([row for row in rows if chosen.topic in (None, row["topic"])])), end="")


if __name__ == "__main__":
    main()
