"""The tables of figures in README.md, docs/ and model cards, written from the TSV files beside this program.

    python -m benchmarks.results    writes them anew, and says which pages changed (part of `make docs`)

A page names a table by two comments; what stands between them is written by this program, never by hand:

    <!-- table: speed -->
    <!-- end of table -->

It also writes models/languages.tsv, the scores that `synparse info --language` prints, models/agreement.tsv, with which
a run compares its own grammars, and the pictures of figures in docs/images/: signs.svg, curve.svg and those of Craft.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.curve import SCORES as CURVE_SCORES
from benchmarks.languages.directions import FIGURES as FIGURES_OF_DIRECTION
from benchmarks.languages.errors import LABEL
from benchmarks.languages.signs import AGREEMENTS, CORRELATION, FIGURES
from benchmarks.panels import CurvePoint, Panel, Series, curves_svg
from benchmarks.quality.score import FLAT
from benchmarks.quality.table import NOTHING, mean_and_spread
from synparse.corpora.languages import language_of
from synparse.drawing.plot import Scatter, scatters_svg
from synparse.files.tables import Row, read_table
from synparse.replication.papers import load_paper, paper_names
from synparse.store.languages import PARSERS

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
MEAN = "mean"

MODEL = "--model "
"""How the settings of a shipped model begin in language_models.tsv; its name follows."""

MARKED = re.compile(r"(<!-- table: (?P<name>[^>]+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def rows_of(name: str) -> list[Row]:
    """The rows of a table beside this program; none where there is no such table."""
    return read_table(FOLDER / f"{name}.tsv")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; a pipe in a cell would end the cell, so it is escaped. A sentence where there are no rows."""
    header, rows = list(header), list(rows)
    if not rows:
        return "Not measured yet.\n"
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def pair(row: Row, *columns: str) -> str:
    """Several scores in one cell, as ``50.7 / 62.5``; a dash where none of them is known."""
    scores = [row.get(column, NOTHING) for column in columns]
    return " / ".join(scores) if set(scores) != {NOTHING} else NOTHING


def chosen(name: str, columns: Iterable[str], keep: Callable[[Row], bool] = lambda _: True) -> str:
    """A table of some columns of a TSV file, as they are."""
    columns = list(columns)
    return table(columns, ([row[column] for column in columns] for row in rows_of(name) if keep(row)))


def quality(topic: str) -> list[Row]:
    """The rows of quality.tsv on a topic."""
    return [row for row in rows_of("quality") if row["topic"] == topic]


def shipped_english() -> dict[tuple[str, str, bool], Row]:
    """The rows of the shipped model by punctuation, function words, and whether base phrases are flat."""
    return {(row["punctuation"], row["function words"], FLAT in row["decoders"]): row for row in quality("english")}


def english() -> str:
    """The shipped model, and baselines that learn nothing."""
    shipped = shipped_english()
    parsers = (
        ("`english`", shipped["evidence", "leaves", False]),
        ("`english --function-words free`", shipped["evidence", "free", False]),
        ("`english --function-words adpositions`", shipped["evidence", "adpositions", False]),
        ("`english --punctuation ignore`", shipped["ignore", "leaves", False]),
        ("`english --flat` (not binary)", shipped["evidence", "leaves", True]),
        *trivial_parsers(),
    )
    columns = (*COLUMNS[:4], ("GUM: UAS / UUAS (Stanford)", ("GUM UAS stanford", "GUM UUAS stanford")), COLUMNS[4])
    return table(
        ("parser", *(title for title, _ in columns)),
        ((title, *(pair(row, *of) for _, of in columns)) for title, row in parsers),
    )


COLUMNS = (
    ("WSJ: UF1", ("WSJ UF1 shen2018",)),
    ("WSJ: UAS / UUAS (Stanford)", ("WSJ UAS stanford", "WSJ UUAS stanford")),
    ("GUM: UF1", ("GUM UF1 shen2018",)),
    ("GUM: UAS / UUAS (UD)", ("GUM UAS UD", "GUM UUAS UD")),
    ("EWT: UAS / UUAS (UD)", ("EWT UAS UD", "EWT UUAS UD")),
)
"""The titles of columns of scores, and what stands there."""

DIRECTIONS = ("WSJ direction stanford", "GUM direction UD", "EWT direction UD")


def trivial_rows() -> dict[str, Row]:
    """Of parsers that learn nothing, and upper bounds, by name."""
    return {row["parser"]: row for row in (*quality("trivial"), *rows_of("baselines"))}


def trivial_parsers() -> list[tuple[str, Row]]:
    """Parsers that learn nothing, and upper bounds."""
    trivial = trivial_rows()
    return [
        ("right-branching; heads: the previous word", joined(trivial["right-branching"], trivial["previous word"])),
        ("right-branching, cut at punctuation", trivial["right-branching, cut at punctuation"]),
        ("left-branching; heads: the next word", joined(trivial["left-branching"], trivial["next word"])),
        ("heads: the next word that is no function word", trivial["next content word"]),
        ("random", trivial["random"]),
        ("best possible (binary, projective)", trivial["ceiling"]),
    ]


def joined(brackets: Row, heads: Row) -> Row:
    """One row of a parser of brackets and one of heads."""
    return {column: brackets[column] if heads[column] == NOTHING else heads[column] for column in brackets}


def recipe_of(row: Row) -> str:
    """The recipe, and what was changed."""
    return " ".join(part for part in (row["parser"], row["changes"]) if part != NOTHING)


def over_seeds() -> str:
    """Networks: mean and standard deviation over seeds."""
    return table(
        (
            *("recipe, changes", "budget", "decoders", "punctuation", "function words", "perplexity", "WSJ: UF1"),
            *("WSJ: UAS / UUAS (Stanford)", "GUM: UF1", "GUM: UAS / UUAS (UD)", "EWT: UAS / UUAS (UD)"),
            "minutes of one core",
        ),
        (
            (
                recipe_of(row),
                *(row[column] for column in ("budget", "decoders", "punctuation", "function words", "perplexity")),
                row["WSJ UF1 kim2019"],
                pair(row, "WSJ UAS stanford", "WSJ UUAS stanford"),
                row["GUM UF1 kim2019"],
                pair(row, "GUM UAS UD", "GUM UUAS UD"),
                pair(row, "EWT UAS UD", "EWT UUAS UD"),
                row["minutes"],
            )
            for row in quality("networks")
            if row["seeds"] == "1 2 3"
        ),
    )


def known_words() -> str:
    """Sentences all of whose words the model knows, and the others, with and without classes of unknown words."""
    return table(
        (
            *("recipe, changes", "decoders", "function words", "perplexity"),
            *(
                f"{bank}, {part} words"
                for bank in ("WSJ: UF1", "GUM: UF1", "WSJ: UAS")
                for part in ("known", "unknown")
            ),
        ),
        (
            (
                recipe_of(row),
                *(row[column] for column in ("decoders", "function words", "perplexity")),
                *(
                    row[f"{column}, {part}"]
                    for column in ("WSJ UF1 kim2019", "GUM UF1 kim2019", "WSJ UAS stanford")
                    for part in ("known", "unknown")
                ),
            )
            for row in quality("networks")
            if row["seeds"] == "1 2 3" and row["budget"] == "3 epochs" and row["punctuation"] == "evidence"
        ),
    )


def single_runs() -> str:
    """Runs of one seed, with UF1 over the corpus as well, from induction.tsv."""
    scores = ("UF1 sentence", "UF1 corpus")
    return table(
        (
            *("parser", "decoder", "punctuation", "million words seen, perplexity", "WSJ: UF1 sentence / corpus"),
            *("WSJ: UAS / UUAS (Stanford)", "GUM: UF1 sentence / corpus", "GUM: UAS / UUAS (UD)"),
            "cost",
        ),
        (
            (
                row["parser"] + (f" ({row['note']})" if row["note"] != NOTHING else ""),
                row["decoder"],
                row["punctuation"],
                ", ".join(part for part in (row["M words seen"], row["perplexity"]) if part != NOTHING) or NOTHING,
                pair(row, *(f"WSJ {score}" for score in scores)),
                pair(row, "WSJ UAS stanford", "WSJ UUAS stanford"),
                pair(row, *(f"GUM {score}" for score in scores)),
                pair(row, "GUM UAS UD", "GUM UUAS UD"),
                row["cost"],
            )
            for row in rows_of("induction")
        ),
    )


def grammars() -> str:
    """Grammars on word classes with and without networks that teach them, over seeds, beside parsers that learn
    nothing."""
    rows = [(row["parser"], row) for row in quality("grammars")] + trivial_parsers()
    return compared_parsers(rows, ("text", "changes", "punctuation", "seeds"), ("minutes",))


def parts() -> str:
    """The pipeline of the English model, with and without each of its parts."""
    rows = [(row["parser"], row) for row in quality("parts")]
    return compared_parsers(rows, ("punctuation",), ("minutes", "CPU minutes"))


def ceilings() -> str:
    """What parts of the pipeline reach with gold trees in place of the others, a column for each treebank."""
    rows = {(row["part"], row["treebank"]): row for row in rows_of("ceilings")}
    banks = list(dict.fromkeys(bank for _, bank in rows))
    return table(
        ("part", *(f"{bank}: {score}" for bank in banks for score in ("UF1", "UAS / UUAS")), "CPU minutes"),
        (
            (
                part,
                *(pair(rows[part, bank], *scores) for bank in banks for scores in (("UF1",), ("UAS", "UUAS"))),
                "; ".join(dict.fromkeys(rows[part, bank]["CPU minutes"] for bank in banks)),
            )
            for part in dict.fromkeys(part for part, _ in rows)
        ),
    )


def compared_parsers(rows: Iterable[tuple[str, Row]], before: Iterable[str], after: Iterable[str]) -> str:
    """Parsers by their titles: their scores, and UAS / UUAS, between other columns."""
    before, after = list(before), list(after)
    return table(
        ("parser", *before, *(title for title, _ in COLUMNS), "UAS / UUAS: WSJ, GUM, EWT", *after),
        (
            (
                title,
                *(row.get(name, NOTHING) for name in before),
                *(pair(row, *of) for _, of in COLUMNS),
                pair(row, *DIRECTIONS).replace(" / ", ", "),
                *(row.get(name, NOTHING) for name in after),
            )
            for title, row in rows
        ),
    )


OF_HEADS = (
    ("parser: UAS / UUAS", ""),
    *((name, f"{name} ") for name in ("next word", "previous word", "content-chain", "content-chain-back")),
)
"""The titles of parsers of the table of languages, all of which have UAS / UUAS, and how their columns begin there."""


def language_models(name: str = "") -> str:
    """The shipped models of languages, or one of them, beside baselines."""
    rows = [row for row in rows_of("language_models") if not name or row["settings"] == MODEL + name]
    return table(
        (
            *("language", "model", "million words"),
            *(title for title, _ in OF_HEADS),
        ),
        (
            (
                *(row["language"], f"`{row['settings'].removeprefix(MODEL)}`", f"{_count(row['words']) / 1e6:.2f}"),
                *(pair(row, f"{of}UAS", f"{of}UUAS") for _, of in OF_HEADS),
            )
            for row in rows
            if row["language"] != MEAN
        ),
    )


def confidence_of(model: str) -> str:
    """How well the probabilities of a shipped model are calibrated by its own maps."""
    return chosen(
        "confidence",
        ("gold", "of", "precision", "ECE raw", "ECE fitted"),
        lambda row: row["parser"] == model and row["ECE fitted"] != NOTHING,
    )


def _count(cell: str) -> int:
    return int(cell.replace(",", ""))


def languages(name: str = "languages") -> str:
    """Parsers of many languages from raw text, and baselines; the mean of all last. ``name``: of their TSV file."""
    heads, split = (*OF_HEADS, ("supervised", "supervised ")), segmentations()
    return table(
        (
            *("language", "seeds", "million words", "minutes"),
            *(title for title, _ in heads),
            "F1 of tokens / sentences",
        ),
        (
            (
                *(row["language"], row["seeds"]),
                f"{_count(row['words']) / 1e6:.2f}",
                row["minutes"],
                *(pair(row, f"{of}UAS", f"{of}UUAS") for _, of in heads),
                pair(split.get(row["language"], {}), *SEGMENTATION),
            )
            for row in _of_most_seeds(_of_the_command(name))
        ),
    )


SEGMENTATION = ("tokens F1", "sentences F1")


def segmentations() -> dict[str, Row]:
    """How running text of each language is split, which does not depend on a parser."""
    return {row["language"]: {name: row[name] for name in SEGMENTATION} for row in rows_of("segmentation")}


def _of_the_command(name: str) -> list[Row]:
    """The rows of a table of languages that the whole command made, not one of its steps."""
    return [row for row in rows_of(name) if "--model" not in row["settings"]]


def _of_most_seeds(rows: Iterable[Row]) -> list[Row]:
    """The row of each language that has the most seeds, and what it lacks from the others, such as the supervised
    parser, which has no seeds; the mean of all last."""
    found: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: (row["language"] == MEAN, row["language"], len(row["seeds"]))):
        known = {name: cell for name, cell in row.items() if cell != NOTHING}
        found[row["language"]] = {**found.get(row["language"], row), **known}
    return list(found.values())


def languages_steps() -> str:
    """UAS / UUAS of one seed by language and settings: what each step adds to the parsers of many languages."""
    rows = [row for row in rows_of("languages") if row["seeds"] == "1"]
    settings = sorted({row["settings"] for row in rows}, key=lambda options: ("--model" not in options, -len(options)))
    by_language: dict[str, dict[str, str]] = {}
    for row in rows:
        by_language.setdefault(row["language"], {})[row["settings"]] = pair(row, "UAS", "UUAS")
    names = sorted(by_language, key=lambda name: (name == MEAN, name))
    header = ("language", *(f"`{setting}`" for setting in settings))
    return table(header, ((name, *(by_language[name].get(setting, NOTHING) for setting in settings)) for name in names))


MOST_FREQUENT = 10
"""Of the relations and parts of speech of all languages together, and of the labels of each: how many are shown."""


def languages_errors() -> str:
    """The share, UAS and UUAS of words by their relation, part of speech, distance to the head and its side, for each
    language."""
    of_heads = (row for row in rows_of("language_errors") if row["by"] != LABEL)
    rows = {(row["by"], row["value"], row["language"]): row for row in of_heads}
    names = sorted({name for _, _, name in rows})
    shares: dict[str, Any] = {}
    for (by, value, _), row in rows.items():
        shares.setdefault(by, Counter())[value] += float(row["per cent"])

    def cell(row: Row | None) -> str:
        return NOTHING if row is None else f"{row['per cent']} %: {pair(row, 'UAS', 'UUAS')}"

    return table(
        ("by", "", *names),
        (
            (by, value, *(cell(rows.get((by, value, name))) for name in names))
            for by, counts in shares.items()
            for value, _ in (counts.most_common(MOST_FREQUENT) if len(counts) > MOST_FREQUENT else counts.items())
        ),
    )


def languages_labels() -> str:
    """The recall of constituents by their commonest labels, for each language."""
    rows: dict[str, list[Row]] = {}
    for row in rows_of("language_errors"):
        if row["by"] == LABEL:
            rows.setdefault(row["language"], []).append(row)
    return table(
        ("language", "label", "per cent of all constituents", "recall"),
        (
            (name, row["value"], row["per cent"], row["recall"])
            for name, labels in sorted(rows.items())
            for row in sorted(labels, key=lambda row: -float(row["per cent"]))[:MOST_FREQUENT]
        ),
    )


def languages_brackets() -> str:
    """UF1 of those languages that have constituency trees, beside baselines."""
    cut = "right-branching, cut at punctuation"
    baselines = ("left-branching", "right-branching", cut, "balanced", "random", "ceiling")
    columns = ("UF1", *(f"{name} UF1" for name in baselines))
    return chosen("languages", ("language", "settings", "seeds", *columns), lambda row: row["UF1"] != NOTHING)


SIGNS_SHOWN = "![Each sign against UAS, a point for each language](images/signs.svg)\n"


def signs_of_languages() -> str:
    """The signs without gold trees, and the scores that they may go with."""
    return table(
        (
            *("language", "options", "seeds", *(f"{sign}: UAS / UUAS" for sign in AGREEMENTS), *FIGURES),
            "against gold: UAS / UUAS",
        ),
        (
            (
                *(row["language"], f"`{row['settings']}`", row["seeds"]),
                *(pair(row, f"{sign} UAS", f"{sign} UUAS") for sign in AGREEMENTS),
                *(row[name] for name in FIGURES),
                pair(row, "UAS", "UUAS"),
            )
            for row in rows_of("signs")
            if not row["language"].startswith(CORRELATION)
        ),
    )


def correlations() -> str:
    """Spearman's correlation of each sign with UAS and UUAS."""
    rows = {(row["language"], row["settings"]): row for row in rows_of("signs")}
    signs = (*(f"{sign} {measure}" for sign in AGREEMENTS for measure in ("UAS", "UUAS")), *FIGURES)
    return table(
        ("sign", "options", "correlation with UAS (languages)", "with UUAS (languages)"),
        (
            (sign, f"`{settings}`", *(rows[f"{CORRELATION}{measure}", settings][sign] for measure in ("UAS", "UUAS")))
            for settings in dict.fromkeys(settings for _, settings in rows)
            for sign in signs
        ),
    )


def picture_of_signs() -> str:
    """Each sign against UAS, a point for each language, of the settings that most languages have; "" before any is
    measured."""
    rows = [row for row in rows_of("signs") if not row["language"].startswith(CORRELATION)]
    counts = Counter(row["settings"] for row in rows)
    rows = [row for row in rows if row["settings"] == max(counts, key=lambda name: counts[name])]
    titles = {f"{sign} UAS": (f"agreement: {sign}", "UAS of two parses") for sign in AGREEMENTS}
    scatters = []
    for sign, labels in (titles | {name: (name, name) for name in FIGURES}).items():
        known = [row for row in rows if NOTHING not in (row[sign], row["UAS"])]
        points = [(language_of(row["language"]).code, _mean(row[sign]), _mean(row["UAS"])) for row in known]
        scatters += [Scatter(*labels, "UAS against gold trees", points)] if points else []
    return scatters_svg("Signs of quality without gold trees, and UAS", scatters) if scatters else ""


def _mean(cell: str) -> float:
    """A cell without the deviation in parentheses."""
    return float(cell.split()[0].replace(",", ""))


def _conditions(row: Row) -> str:
    """What the machine of a run of the curve did beside it, and which instructions it imitated."""
    imitated = "" if row["instruction set"] == "native" else f", {row['instruction set']}"
    threads = "" if row["threads"] == "1" else f", {row['threads']} threads"
    return f"{row['load']}{threads}{imitated}"


ENGLISH_TEXT, MACHINE = "english.txt", "machine"


def _rows_of_curve() -> list[Row]:
    rows = (row for row in rows_of("curve") if row["text"] == ENGLISH_TEXT)
    return sorted(rows, key=lambda row: (_conditions(row), float(row["minutes"]), int(row["seed"])))


def curve() -> str:
    """What `synparse train` makes in so many minutes."""
    columns = ("minutes", MACHINE, "seed", "wall minutes", "processor minutes", "stages taken")
    return _curve_table(columns, _rows_of_curve())


def curve_by_words() -> str:
    """What `synparse train` makes of texts of growing size."""
    rows = [row for row in rows_of("curve") if row["text"] != ENGLISH_TEXT]
    rows.sort(key=lambda row: (row["text"].partition("-")[0], float(row["minutes"]), float(row["million words"])))
    return _curve_table(("text", "million words", "minutes", MACHINE, "seed", "wall minutes", "stages taken"), rows)


def _curve_table(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """These columns and the scores."""
    titles = ("WSJ: UF1", "WSJ: UAS / UUAS (Stanford)", "GUM: UF1", "GUM: UAS / UUAS (UD)")
    return table(
        (*columns, *titles),
        (
            (
                *(_conditions(row) if column == MACHINE else row[column] for column in columns),
                *(row[CURVE_SCORES[0]], pair(row, *CURVE_SCORES[1:3])),
                *(row[CURVE_SCORES[3]], pair(row, *CURVE_SCORES[4:])),
            )
            for row in rows
        ),
    )


def picture_of_curve() -> str:
    """Each score against minutes, mean and deviation over seeds, a line for each state of the machine."""
    panels = []
    for score in CURVE_SCORES:
        curves: dict[str, dict[float, list[float]]] = {}
        for row in _rows_of_curve():
            if row[score] != NOTHING:
                curves.setdefault(_conditions(row), {}).setdefault(float(row["minutes"]), []).append(float(row[score]))
        lines = _lines(curves)
        panels += [Panel(score, "minutes", "per cent", lines, is_logarithmic=True)] if lines else []
    return curves_svg("Scores by minutes of training", panels)


def _lines(curves: Mapping[str, Mapping[float, list[float]]]) -> list[Series]:
    """A line for each curve, through the mean of the values at each x."""
    return [
        Series(name, [CurvePoint(x, mean(ys), stdev(ys) if len(ys) > 1 else None) for x, ys in sorted(points.items())])
        for name, points in curves.items()
    ]


ANNOTATION = ("language", "parser", "by", "trees")


def _annotated() -> dict[tuple[str, ...], list[Row]]:
    """The seeds of each row of annotation.tsv."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows_of("annotation"):
        found.setdefault(tuple(row[name] for name in ANNOTATION), []).append(row)
    return found


def annotation() -> str:
    """UAS / LAS of parsers, a column for each number of trees that they have learned from; more than a hundred are all
    that a language has."""
    return _annotation_table(("UAS", "LAS"))


def annotation_work() -> str:
    """The per cent of arcs to change in drafts, and where the rest of a sentence is parsed again after each change."""
    of_drafts = ("arcs to change", "arcs to change with --keep")
    return _annotation_table(of_drafts, lambda parser, by: "--trees" in parser and by == "random")


def _annotation_table(measures: Sequence[str], keep: Callable[[str, str], bool] = lambda *_: True) -> str:
    """These means and deviations over seeds: a row for each language and parser, a column for each number of trees.
    Parsers without any trees are in the rows of those with random ones."""
    cells: dict[tuple[str, ...], dict[int, str]] = {}
    for (code, parser, by, trees), seeds in _annotated().items():
        if keep(parser, by):
            key = (language_of(code).name, parser, "random" if by == NOTHING else by)
            cells.setdefault(key, {})[int(trees)] = " / ".join(_over_seeds(seeds, name) or NOTHING for name in measures)
    numbers = sorted({number for of in cells.values() for number in of if number <= MANY_TREES})
    return table(
        ("language", "parser", "select", *map(str, numbers), "all"),
        (
            (
                *key,
                *(of.get(number, NOTHING) for number in numbers),
                of[most] if (most := max(of)) > MANY_TREES else NOTHING,
            )
            for key, of in cells.items()
        ),
    )


MANY_TREES = 100


def picture_of_annotation() -> str:
    """UAS against the number of trees, a panel for each language: a line for each way to select, from none on, and one
    for each parser of the trees alone, those chosen at random."""
    rows = _annotated()
    languages: dict[str, dict[str, dict[float, list[float]]]] = {}
    ours = {(code, parser): seeds for (code, parser, by, _), seeds in rows.items() if by == NOTHING}
    for (code, parser, by, trees), seeds in rows.items():
        starts = ours.get((code, parser))
        if by != NOTHING and (starts or by == "random"):
            curve = languages.setdefault(language_of(code).name, {}).setdefault(f"{parser}, {by}", {})
            curve[float(trees)] = [float(row["UAS"]) for row in seeds]
            if starts:
                curve[0.0] = [float(row["UAS"]) for row in starts]
    panels = [Panel(name, "trees", "UAS", _lines(curves)) for name, curves in languages.items()]
    return curves_svg("UAS by the number of given trees", panels) if panels else ""


def _over_seeds(rows: Iterable[Row], column: str) -> str:
    return mean_and_spread(float(row[column]) for row in rows if row.get(column, NOTHING) != NOTHING)


def kept_heads() -> str:
    """UAS of the words whose heads are not given, without and with those that are, a column for each share of these."""
    rows = rows_of("kept_heads")
    shares = list(dict.fromkeys(row["given"] for row in rows))
    scores = {(row["model"], row["which"], row["given"]): pair(row, "UAS without", "UAS with") for row in rows}
    return table(
        ("model", "given", *shares),
        (
            (model, which, *(scores[model, which, share] for share in shares))
            for model, which in dict.fromkeys(key[:2] for key in scores)
        ),
    )


def logic() -> str:
    """Accuracy of each encoder by the operators of the longer formula."""
    rows = rows_of("logic")
    operators = list(dict.fromkeys(row["operators"] for row in rows))
    accuracy = {(row["encoder"], row["operators"]): row["accuracy"] for row in rows}
    return table(
        ("accuracy by operators", *operators, "seeds", "cost of each"),
        (
            (name, *(accuracy[name, count] for count in operators), encoder_row["seeds"], encoder_row["cost"])
            for name, encoder_row in {row["encoder"]: row for row in rows}.items()
        ),
    )


def schemes() -> str:
    """One and the same prediction against each scheme of conversion."""
    return table(
        ("UAS / UUAS", "right-branching: each word's head is the previous one", "chain: the next one"),
        (
            (
                row["scheme"],
                pair(row, "right-branching UAS", "right-branching UUAS"),
                pair(row, "chain UAS", "chain UUAS"),
            )
            for row in rows_of("conversion")
        ),
    )


CRAFT_TASKS = "AC CD DA"
"""Of the models of imitation that are compared: setting S1."""

CRAFT_SCORES = ("alignment accuracy", "F1", "NMI")
"""The scores of segmentations."""

KINDS_OF_AGENTS = ("options", "one-step", "flat")

REWARDS = ("sparse", "dense")

CRAFT_ORDER = (*KINDS_OF_AGENTS, "option-controller", "mixture-of-experts", "ompn")
"""Of the curves in a picture."""


def craft_returns() -> str:
    """Returns of agents at the end, each kind at its best learning rate; and what the thesis tells (section 5.3.1)."""
    keys = ("setting", "task", "reward", "world", "steps")
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows_of("craft_transfer"):
        if row["best"] == "yes":
            of = rows.setdefault(tuple(row[key] for key in keys), {})
            of[row["kind"]] = f"{row['return']} at {row['learning rate']}"
            of["seeds"] = ", ".join(dict.fromkeys(filter(None, (of.get("seeds"), row["seeds"]))))
    columns = (*KINDS_OF_AGENTS, "seeds")
    ours = ((*key, *(of.get(column, NOTHING) for column in columns)) for key, of in sorted(rows.items()))
    published = ("S1, published", "three tasks", "sparse", NOTHING, NOTHING, "0.7", *[NOTHING] * 3)
    return table((*keys, *columns), (*ours, published))


def craft_pictures() -> dict[str, str]:
    """The curves of Craft, by the names of their files: scores of models while they imitate, and returns of agents in
    the world that most of them were in."""
    rows = rows_of("craft_curves")
    models = [row for row in rows if row["unit"] == "updates" and row["tasks"] == CRAFT_TASKS]
    agents = [row for row in rows if row["unit"] == "steps"]

    def returns(setting: str) -> list[Panel]:
        setting_rows = [row for row in agents if row["setting"] == setting]
        worlds = Counter(row["world"] for row in setting_rows)
        panels: dict[tuple[int, str], list[Row]] = {}
        for row in setting_rows:
            if row["world"] == max(worlds, key=lambda world: worlds[world]):
                panels.setdefault((REWARDS.index(row["reward"]), row["tasks"]), []).append(row)
        return [
            Panel(
                f"{task}, {REWARDS[reward]} reward",
                "steps",
                "return",
                _series(panel_rows, lambda row: row["model"]),
                (0, 1),
            )
            for (reward, task), panel_rows in sorted(panels.items())
        ]

    def scores(model_rows: Iterable[Row], label: Callable[[Row], str]) -> list[Panel]:
        model_rows = list(model_rows)
        return [
            Panel(score, "updates", "per cent", _series(of_score, label), (0, 100))
            for score in CRAFT_SCORES
            if (of_score := [row for row in model_rows if row["measure"] == score])
        ]

    of_three = (row for row in models if row["options"] in ("3", NOTHING))
    by_number = (row for row in models if _label(row) == "option-controller, T = 10")
    return {
        "craft-imitation.svg": curves_svg("Scores of segmentations during imitation", scores(of_three, _label)),
        "craft-options.svg": curves_svg(
            "Scores of segmentations by the number of options",
            scores(by_number, lambda row: f"{row['options']} options"),
        ),
        "craft-returns-one.svg": curves_svg("Returns with the options of one model", returns("S1")),
        "craft-returns-pooled.svg": curves_svg("Returns with the options of two models", returns("S2")),
    }


def _label(row: Row) -> str:
    """What a curve of a model of imitation is called."""
    if row["model"] != "option-controller":
        return row["model"]
    unbalanced = ", balance 0" if row["balance"] == "0" else ""
    return f"{row['model']}, T = {row['temperature']}{unbalanced}"


def _series(rows: Iterable[Row], label: Callable[[Row], str]) -> list[Series]:
    """The curves of rows; of several configurations with one label, that of the most seeds."""
    rows = sorted(
        rows,
        key=lambda row: (
            *(CRAFT_ORDER.index(row["model"]), -_number(row["temperature"]), label(row), -_number(row["end cost"])),
        ),
    )
    curves: dict[str, dict[tuple[str, ...], list[Row]]] = {}
    for row in rows:
        configuration = tuple(row[name] for name in ("name", "options", "learning rate", "end cost"))
        curves.setdefault(label(row), {}).setdefault(configuration, []).append(row)
    return [
        Series(
            name, [_point(row) for row in max(of.values(), key=lambda group: max(int(row["seeds"]) for row in group))]
        )
        for name, of in curves.items()
    ]


def _number(cell: str) -> float:
    return 0.0 if cell == NOTHING else _mean(cell)


def _point(row: Row) -> CurvePoint:
    deviation = None if row["deviation"] == NOTHING else float(row["deviation"])
    return CurvePoint(float(row["x"]), float(row["mean"]), deviation)


def paper_table(paper: str, number: str) -> str:
    """A table of a paper with its source, and claims of the paper before it: the published rows, then ours, from
    models/papers/measured.tsv, which `synparse tables --json` and `benchmarks.paper_tables` make."""
    known = load_paper(paper)
    of, ours = known.tables[number], known.measured.get(number, {})
    costs = ("seeds", "minutes", "data") if ours else ()
    lines = [["", *of.columns, *costs]]
    for name, cells in of.published.items():
        shown = (NOTHING if cell is None else str(cell) for cell in cells)
        lines.append([name, *shown, *(NOTHING for _ in costs)])
    for name, row in ours.items():
        of_ours = (row.cells.get(column, NOTHING) for column in of.columns)
        lines.append([f"ours: {name}", *of_ours, *(getattr(row, cost) for cost in costs)])
    if of.turned:
        lines = [list(column) for column in zip(*lines, strict=True)]
    claims = "".join(f"- **{claim}** Our rows: {verdict}.\n" for claim, verdict in of.claims.items())
    return f"{claims}\n{table(lines[0], lines[1:])}\n*{of.title}* ({of.source}). Rules: {of.protocol}.\n".lstrip()


def claims() -> str:
    """The claims of all papers, and in short what our rows say of them; the figures are beside the rows."""
    rows = [
        [paper, number, claim, re.split("[:;]", verdict)[0]]
        for paper in paper_names()
        for number, of in load_paper(paper).tables.items()
        for claim, verdict in of.claims.items()
    ]
    return table(["paper", "table", "claim", "our rows"], rows)


NOT_KEPT = re.compile("not (taken|built)|diagnosis")
"""What a finding says that changed nothing: it is in findings.tsv alone."""

THE_SAME = "the same"
"""What was tried is what the finding before says."""


def findings(topic: str) -> str:
    """What was tried on a subject and kept, and what it did: an entry of a list for each, as cells would be too long
    for a table."""
    groups: list[list[Row]] = []  # a row and those that say the same of something else
    for row in rows_of("findings"):
        if row["topic"] == topic:
            if row["what"] != THE_SAME:
                groups.append([])
            groups[-1].append(row)
    kept = [group for group in groups if not any(NOT_KEPT.search(cell) for row in group for cell in row.values())]
    entries = "\n".join(f"- **{group[0]['what']}.** {' '.join(map(_finding, group))}" for group in kept)
    more = f"\n\nTried and not kept: {len(groups) - len(kept)} more, in `benchmarks/findings.tsv`."
    return entries + (more if len(kept) < len(groups) else "") + "\n"


def _finding(row: Row) -> str:
    """What was measured, against what, and how."""
    compared = "" if row["compared with"] == NOTHING else f"; compared with: {row['compared with']}"
    conditions = "" if row["conditions"] == NOTHING else f" ({row['conditions']})"
    return f"{row['measure']}: {row['value']}{compared}{conditions}."


TABLES: dict[str, Callable[[], str]] = {
    "english": english,
    "claims": claims,
    "over seeds": over_seeds,
    "known words": known_words,
    "single runs": single_runs,
    "grammars": grammars,
    "parts": parts,
    "ceilings": ceilings,
    "annotation": annotation,
    "annotation: work": annotation_work,
    "curve": curve,
    "curve: words": curve_by_words,
    "sample": lambda: chosen(
        "sample", ("parser", "decoder", "UF1 sentence", "UF1 corpus", "UAS", "UUAS", "seeds", "cost", "note")
    ),
    "sample baselines": lambda: chosen(
        "sample", ("parser", "UF1 sentence", "UAS", "UUAS"), lambda row: row["seeds"] == NOTHING
    ),
    "listops": lambda: chosen("listops", ("encoder", "test", "generate", "accuracy", "F1", "seeds", "cost")),
    "listops median": lambda: chosen("listops_median", ("arguments", "accuracy MED", "seeds", "cost", "note")),
    "languages": languages,
    "untouched languages": lambda: languages("untouched_languages"),
    "languages: steps": languages_steps,
    "languages: errors": languages_errors,
    "languages: brackets": languages_brackets,
    "languages: labels": languages_labels,
    "languages: directions": lambda: chosen("language_directions", ("language", *FIGURES_OF_DIRECTION, "decided")),
    "language models": language_models,
    "signs": signs_of_languages,
    "signs: correlations": correlations,
    "signs: picture": lambda: SIGNS_SHOWN if picture_of_signs() else "",
    "logic": logic,
    "craft imitation": lambda: chosen(
        "craft_imitation",
        (
            *("name", "tasks", "model", "options", "temperature", "balance", "end cost", "updates", "minutes"),
            *("seeds", "scored on", "boundaries", *CRAFT_SCORES, "action accuracy", "seeds with NMI from 95 on"),
        ),
    ),
    "craft options": lambda: chosen("craft_options", ("name", "seeds", "option", "A", "B", "C", "D")),
    "craft returns": craft_returns,
    "schemes": schemes,
    "conversion": lambda: chosen(
        "conversion",
        ("scheme", "WSJ agreement", "GUM agreement"),
        lambda row: row["WSJ agreement"] != NOTHING,
    ),
    "confidence": lambda: chosen(
        "confidence",
        (
            *("parser", "options", "gold", "of", "precision", "of the most confident half"),
            *("ECE raw", "ECE fitted", "ECE mean", "Brier raw", "Brier fitted", "Brier mean"),
        ),
    ),
    "sentence confidence": lambda: chosen(
        "sentence_confidence",
        ("model", "gold", "measure", "sentences", "wrong heads", "fraction wrong"),
    ),
    "kept heads": kept_heads,
    "protocols": lambda: chosen("protocols", ("protocol", "what it counts", "shipped sample", "WSJ sample")),
    "scale": lambda: chosen(
        "scale",
        (
            *("what", "sentences", "words each", "processes", "sentences/s", "words/s", "own memory"),
            *("over fewer sentences: time per sentence, memory", "note"),
        ),
    ),
    "speed": lambda: chosen("speed", ("model", "training", "parsing and writing")),
    "kernels": lambda: chosen(
        "kernels",
        ("kernel", "recipe", "lines of code and tests", "AVX-512", "AVX2"),
        lambda row: row["verdict"] == "kept",
    ),
    "first tree": lambda: chosen(
        "first_tree",
        ("how", "first tree", "scoring the WSJ sample (AVX-512, AVX2)", "added to the installation", "trees"),
    ),
    "chart languages": lambda: chosen(
        "chart_languages",
        ("how", "inside pass of 400 sentences", "compilation at run time", "size", "lines", "what building needs"),
    ),
} | {
    f"findings: {topic}": partial(findings, topic)
    for topic in dict.fromkeys(row["topic"] for row in rows_of("findings"))
}

TABLES |= {
    f"confidence: {name}": partial(confidence_of, name)
    for name in dict.fromkeys(row["parser"] for row in rows_of("confidence"))
}

TABLES |= {
    f"language model: {name}": partial(language_models, name)
    for name in (row["settings"].removeprefix(MODEL) for row in rows_of("language_models"))
}

TABLES |= {
    f"paper: {paper} {number}": partial(paper_table, paper, number)
    for paper in paper_names()
    for number in load_paper(paper).tables
}


def with_tables(page: str) -> str:
    """A page with each table that it names written anew. Raises KeyError for one that there is not."""
    return MARKED.sub(lambda match: f"{match[1]}\n{TABLES[match['name']]()}\n{match[3]}", page)


def pages() -> list[Path]:
    """Every page that may name a table."""
    return [
        ROOT / "README.md",
        *sorted((ROOT / "models").rglob("*/README.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        ROOT / "data" / "README.md",
    ]


def tab_separated(lines: Iterable[Iterable[str]]) -> str:
    return "".join("\t".join(line) + "\n" for line in lines)


def shipped_scores() -> str:
    """models/languages.tsv, which `synparse info --language` reads: the tables of languages, and the shipped models."""
    split = segmentations()
    of_tables = [
        {**row, **split.get(row["language"], {}), "model": NOTHING}
        for name in ("languages", "untouched_languages")
        for row in _of_the_command(name)
        if row["language"] != MEAN
    ]
    of_models = [
        {**row, "model": row["settings"].removeprefix(MODEL), "settings": NOTHING}
        for row in rows_of("language_models")
        if row["language"] != MEAN
    ]
    rows = sorted([english_scores(), *of_models, *of_tables], key=lambda row: language_of(row["language"]).code)
    cells = (
        (language_of(row["language"]).code, *(row.get(column, NOTHING) for column in SHIPPED_COLUMNS[1:]))
        for row in rows
    )
    return tab_separated([SHIPPED_COLUMNS, *cells])


def shipped_agreement() -> str:
    """models/agreement.tsv, with which a run compares its own grammars: agreement and UAS of those of languages."""
    rows = [row for row in rows_of("signs") if not row["language"].startswith(CORRELATION)]
    of_grammars = [row for row in rows if "--model grammar" in row["settings"]]
    cells = ((row["language"], *(f"{_mean(row[name])}" for name in ("class grammars", "UAS"))) for row in of_grammars)
    return tab_separated([("language", "agreement", "UAS"), *cells])


OTHER_PARSERS = PARSERS[1:]

SHIPPED_COLUMNS = (
    *("language", "model", "settings", "seeds", "words", "minutes", "UAS", "UUAS"),
    *(f"{name} {measure}" for name in OTHER_PARSERS for measure in ("UAS", "UUAS")),
    *(*SEGMENTATION, "scored at", "date"),
)


def english_scores() -> Row:
    """The shipped English model on EWT, as a row of the table of languages."""
    ours = shipped_english()["evidence", "leaves", False]
    trivial = trivial_rows()
    others = dict(zip(OTHER_PARSERS, ("next word", "previous word", "random", "next content word"), strict=False))
    scores = {
        f"{name} {measure}": trivial[parser][f"EWT {measure} UD"]
        for name, parser in (others | {"ceiling": "ceiling"}).items()
        for measure in ("UAS", "UUAS")
    }
    own = {measure: ours[f"EWT {measure} UD"] for measure in ("UAS", "UUAS")}
    return {
        "language": "English",
        "model": "english",
        **own,
        **scores,
        **{of: ours[of] for of in ("scored at", "date")},
    }


def written() -> dict[Path, str]:
    """What this program writes: the pages, pictures, and the scores that come with the package."""
    texts = {path: with_tables(path.read_text(encoding="utf-8")) for path in pages()}
    pictures = {
        "signs.svg": picture_of_signs(),
        "curve.svg": picture_of_curve(),
        "annotation.svg": picture_of_annotation(),
        **craft_pictures(),
    }
    drawn = {ROOT / "docs" / "images" / name: picture for name, picture in pictures.items() if picture}
    shipped = {"languages.tsv": shipped_scores(), "agreement.tsv": shipped_agreement()}
    return texts | drawn | {ROOT / "models" / name: text for name, text in shipped.items()}


def main() -> None:
    for path, text in written().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
