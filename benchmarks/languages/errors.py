"""Where the trees of a language are wrong: heads by relation, part of speech, distance and direction; recall by label.

    python -m benchmarks.languages.errors ../shared/data/languages --work RUNS --languages eu,fi,hi,yo,de,ru

RUNS is the folder of `python -m benchmarks.languages`: the trees RUNS/de-seed1.conllu of the development parts, which
are scored against their gold trees. A row of benchmarks/language_errors.tsv has the words with one gold relation
(without subtypes), part of speech, distance to the head or side of the head, their percentage of all words without
punctuation, and their UAS and UUAS. Where RUNS has constituents (RUNS/es-seed1.ptb, RUNS/es-trees.ptb), other rows have
the percentage of gold constituents with one label, and their recall. Rows of a language are replaced together.
`python -m benchmarks.results` puts them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.commands import CommandError, program, read_record
from benchmarks.languages.data import Language, arguments, languages_in
from benchmarks.quality.gold import ROOT
from benchmarks.quality.table import made_now, write_table
from synparse.files.streams import read_lines
from synparse.files.tables import Row, read_table
from synparse.scoring.comparison import Wanted
from synparse.scoring.evaluate import evaluate
from synparse.scoring.in_step import NamedLines

TABLE = ROOT / "benchmarks" / "language_errors.tsv"
COLUMNS = ("language", "settings", "by", "value", "per cent", "UAS", "UUAS", "recall", "scored at", "date", "command")
BY = {"relation": "relation", "part_of_speech": "part of speech", "length": "distance", "direction": "side of the head"}
"""The breakdowns of synparse.scoring.dependency_breakdowns, and what the table calls them."""

LABEL = "label"
"""The breakdown of constituents, which the table calls so too."""


def without_subtypes(path: Path) -> Iterator[str]:
    """The lines of a CoNLL-U file, with relations such as nmod of nmod:poss."""
    for line in read_lines(str(path)):
        columns = line.split("\t")
        if len(columns) == 10:
            columns[7] = columns[7].partition(":")[0]
        yield "\t".join(columns)


def rows_of(language: Language, trees: Path, made: Row) -> list[Row]:
    """The rows of a language. Raises CommandError where it has no trees."""
    if not trees.exists():
        raise CommandError(f"no trees {trees}; make them with: python -m benchmarks.languages")
    prediction = NamedLines(str(trees), read_lines(str(trees)))
    gold = NamedLines(str(language.dev), without_subtypes(language.dev))
    found = evaluate([prediction], gold, wanted=Wanted(breakdowns=True)).systems[0]
    settings = read_record(trees.with_suffix("")).settings
    rows: list[Row] = []
    for table in found.breakdowns:
        words = sum(scores["words"] or 0 for scores in table.rows.values())
        for value, scores in table.rows.items() if table.name in BY else ():
            fractions = {"per cent": (scores["words"] or 0) / words, "UAS": scores["uas"], "UUAS": scores["uuas"]}
            cells = {name: f"{100 * (fraction or 0):.1f}" for name, fraction in fractions.items()}
            rows.append({"language": language.name, "settings": settings, "by": BY[table.name], "value": value} | cells)
    rows += labels_of(language, settings, trees.with_suffix(".ptb"), trees.with_name(f"{language.code}-trees.ptb"))
    return [{**row, **made} for row in rows]


def labels_of(language: Language, settings: str, trees: Path, gold: Path) -> list[Row]:
    """The rows of the labels of gold constituents; none where there are no such trees."""
    if not trees.exists():
        return []
    files = [NamedLines(str(path), read_lines(str(path))) for path in (trees, gold)]
    [labels] = [
        table.rows
        for table in evaluate(files[:1], files[1], wanted=Wanted(breakdowns=True)).systems[0].breakdowns
        if table.name == LABEL
    ]
    constituents = sum(scores["gold"] or 0 for scores in labels.values())
    identity = {"language": language.name, "settings": settings, "by": LABEL}
    return [
        identity
        | {"value": label, "per cent": f"{100 * (scores['gold'] or 0) / constituents:.1f}"}
        | {"recall": f"{100 * (scores['recall'] or 0):.1f}"}
        for label, scores in labels.items()
    ]


def main() -> None:
    options = arguments("python -m benchmarks.languages.errors", __doc__)
    options.add_argument("--table", type=Path, default=TABLE, help="where the rows go")
    chosen = options.parse_args()
    made, table = made_now("benchmarks.languages.errors"), read_table(chosen.table)
    for language in languages_in(chosen.data, chosen.languages):
        if language.is_untouched:
            print(f"{language.code}: nothing is to be decided on its gold trees, so its errors stay unseen")
            continue
        rows = rows_of(language, chosen.work / f"{language.code}-seed1.conllu", made)
        table = [row for row in table if row["language"] != language.name] + rows
        write_table(chosen.table, table, COLUMNS)


if __name__ == "__main__":
    program(main)
