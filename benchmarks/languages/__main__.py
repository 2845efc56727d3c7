"""Trains a parser of each language on raw text, scores it, and puts the row into benchmarks/languages.tsv, or into
benchmarks/untouched_languages.tsv if nothing was decided on its gold trees.

    python -m benchmarks.languages ../shared/data/languages --work RUNS --minutes 30 --jobs 2
    python -m benchmarks.languages DATA --work RUNS3 --languages de,es,fi,ja --seeds 1,2,3
    python -m benchmarks.languages DATA --work RUNS0 --train-options "--model grammar" \
        --parse-options "--punctuation evidence --function-words leaves"

For each language:

1. `synparse train` on its text, with one thread (RUNS/de-seed1);
2. a bare `synparse parse` of the development part of its UD treebank, scored by UAS and UUAS, without punctuation,
   beside the next and the previous word, random projective trees, and chains of content words in either direction,
   whose function words are those of the training text;
3. a supervised ceiling: students taught by trees of the development part (benchmarks/languages/ceiling.py);
4. constituency trees, where there are some: UF1 beside left-, right-branching, balanced and random trees, and
   right-branching ones that are cut at punctuation.

With several seeds, a row has means and, in parentheses, standard deviations (n − 1). The same command, run again, goes
on where it stopped: training resumes, and what was parsed is not parsed again. What fails is reported, and the rest
goes on. A --work folder is for one setting; the students of the ceiling, which take five minutes a language, can be
shared by --ceilings. No step before the scores reads a gold tree, but for the ceiling. benchmarks/languages/table.py
explains the columns.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.commands import CommandError, program
from benchmarks.languages import table
from benchmarks.languages.data import Language, arguments, languages_in, training_sentences
from benchmarks.languages.scores import (
    baseline_scores,
    content_chain_scores,
    over_seeds,
    right_branching_trees,
    tree_scores,
)
from benchmarks.languages.steps import Steps
from benchmarks.quality.gold import read_gold
from benchmarks.quality.table import made_now
from synparse.files.tables import Row
from synparse.trees.errors import DataError, SettingError

PARTS = ("heads", "baselines", "supervised", "brackets")
"""What is scored."""


def row_of(language: Language, steps: Steps, made: Row, parts: Container[str] = PARTS) -> Row:
    """All steps of one language. Raises CommandError where training or parsing fails; other scores that fail are
    reported and left out."""
    gold = read_gold(language.dev)
    models = [steps.trained(language, seed) for seed in steps.seeds]
    scores: dict[str, Sequence[float | None]] = {}
    for part, score in (
        ("heads", lambda: over_seeds([tree_scores(gold, steps.parsed(language.dev, model)) for model in models])),
        ("baselines", lambda: baseline_scores(gold) | content_chain_scores(gold, training_sentences(language))),
        ("supervised", lambda: tree_scores(gold, steps.supervised(language), f"{table.SUPERVISED} ")),
        ("brackets", lambda: constituency_scores(language, steps, models)),
    ):
        if part not in parts:
            continue
        try:
            scores |= score()
        except (CommandError, DataError, SettingError) as error:
            print(f"{language.code}, {part}: {error}", file=sys.stderr)
    cells = table.score_cells(scores)
    run = table.run_cells(language.name, models, steps.settings)
    return {**run, **cells, **table.missed_targets(cells), **made}


def constituency_scores(language: Language, steps: Steps, models: Sequence[Path]) -> dict[str, Sequence[float | None]]:
    """UF1 of the models and of baselines; nothing where there are no constituency trees."""
    if language.trees is None:
        return {}
    trees = steps.clean_trees(language, language.trees)
    gold = read_gold(trees)
    found = over_seeds([tree_scores(gold, steps.parsed(trees, model)) for model in models])
    return found | baseline_scores(gold) | tree_scores(gold, right_branching_trees(gold), f"{table.CUT} ")


def main() -> None:
    options = arguments("python -m benchmarks.languages", __doc__)
    options.add_argument("--ceilings", type=Path, help="where supervised students are kept; default: the --work folder")
    options.add_argument("--minutes", type=float, default=30, help="of each training run")
    options.add_argument("--seeds", default="1", help="as 1,2,3")
    options.add_argument("--jobs", type=int, default=1, metavar="N", help="languages at a time, a core each")
    options.add_argument("--train-options", default="", help="more options of synparse train, in quotes")
    options.add_argument("--parse-options", default="", help="more options of synparse parse, in quotes")
    options.add_argument("--without", action="append", default=[], choices=PARTS[1:], help="what is not to be scored")
    options.add_argument("--table", type=Path, help="where all rows go; default: the two in benchmarks/")
    chosen = options.parse_args()
    made, parts = made_now("benchmarks.languages"), [part for part in PARTS if part not in chosen.without]
    try:
        languages = languages_in(chosen.data, chosen.languages)
        seeds = [int(seed) for seed in chosen.seeds.split(",")]
    except (SettingError, ValueError) as error:
        options.error(str(error))
    folders = (chosen.work, chosen.ceilings or chosen.work)
    steps = Steps(*folders, chosen.minutes, seeds, chosen.train_options, chosen.parse_options)

    def table_of(language: Language) -> Path:
        return chosen.table or (table.UNTOUCHED if language.is_untouched else table.TABLE)

    def row_if_made(language: Language) -> Row | None:
        try:
            return row_of(language, steps, made, parts)
        except (CommandError, DataError, SettingError) as error:
            print(f"{language.code}: {error}", file=sys.stderr)
            return None

    rows = []
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for language, row in zip(languages, pool.map(row_if_made, languages), strict=True):
            rows.append(row)
            if row is not None:
                table.add_row(table_of(language), row)
    for path in sorted(set(map(table_of, languages))):
        print("".join(table.report(path, steps.settings)), end="")
    sys.exit(1 if None in rows else 0)


if __name__ == "__main__":
    program(main)
