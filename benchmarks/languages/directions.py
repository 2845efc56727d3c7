"""The direction in which each language branches, as its text tells, by each kind of evidence alone, and by gold trees.

    python -m benchmarks.languages.directions ../shared/data/languages --languages de,es,fi

A row of benchmarks/language_directions.tsv has, of the first sentences of the text (synparse/corpora/branching.py): how
much easier the last words of sentences are to predict than the first ones, in nats, by words, by their endings, and by
both, which decides; how clearly the commonest words are relators, on average (above 0: they stand before what they
mark); and the percentage of gold heads, function words aside, that stand after their word. Above 0 nats, and below 0
for relators, is evidence of branching to the left. No gold tree decides anything here.
"""

from __future__ import annotations

import itertools
from pathlib import Path

from benchmarks.commands import program
from benchmarks.languages.data import Language, arguments, languages_in, training_sentences
from benchmarks.quality.gold import ROOT
from benchmarks.quality.table import made_now, write_table
from synparse.corpora.branching import branching_of
from synparse.corpora.normalization import TextConfig
from synparse.corpora.word_classes import BigramCounts
from synparse.files.streams import read_lines
from synparse.files.tables import Row, read_table

TABLE = ROOT / "benchmarks" / "language_directions.tsv"
FIGURES = ("of words", "of endings", "of both", "relators", "heads after, per cent")
COLUMNS = ("language", *FIGURES, "decided", "scored at", "date", "command")
SENTENCES = 10_000

CONTENT = {"ADJ", "ADV", "NOUN", "NUM", "PRON", "PROPN", "VERB"}


def row_of(language: Language) -> Row:
    """The figures of a language."""
    sentences = list(itertools.islice(training_sentences(language), SENTENCES))
    counts = BigramCounts(TextConfig())
    for sentence in sentences:
        counts.add(sentence)
    tendency = branching_of(sentences, counts)
    figures = (
        *(f"{nats:+.2f}" for nats in (tendency.of_words, tendency.of_endings, tendency.nats)),
        f"{tendency.of_relators:+.2f}",
        f"{100 * heads_after(language.dev):.0f}",
    )
    return {"language": language.name, **dict(zip(FIGURES, figures, strict=True)), "decided": tendency.branching}


def heads_after(dev: Path) -> float:
    """The fraction of content words whose gold head stands after them, of those that have one."""
    rows = (line.split("\t") for line in read_lines(str(dev)))
    words = [row for row in rows if len(row) == 10 and row[0].isdigit() and row[3] in CONTENT and row[6] != "0"]
    return sum(int(row[6]) > int(row[0]) for row in words) / max(1, len(words))


def main() -> None:
    options = arguments("python -m benchmarks.languages.directions", __doc__)
    options.add_argument("--table", type=Path, default=TABLE, help="where the rows go")
    chosen = options.parse_args()
    made = made_now("benchmarks.languages.directions")
    rows = {row["language"]: row for row in read_table(chosen.table)}
    for language in languages_in(chosen.data, chosen.languages):
        if language.is_untouched:
            print(f"{language.code}: nothing is to be decided on its gold trees, so they stay unseen")
            continue
        rows[language.name] = {**row_of(language), **made}
    write_table(chosen.table, [rows[name] for name in sorted(rows)], COLUMNS)


if __name__ == "__main__":
    program(main)
