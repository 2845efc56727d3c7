"""A comparison as plain values (for JSON) and as tables: scores in per cent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import Any

from synparse.scoring.comparison import BreakdownTable, Comparison, Scores, System
from synparse.scoring.tables import Table, as_text

NO_FRACTIONS = frozenset({"average_crossing", "short_average_crossing", "mean_depth"})
"""Scores that are numbers of constituents, not fractions."""

SCORES = "scores"

SHORT = "short_"
"""Begins the names of EVALB's scores of short sentences."""

TITLES = {
    "scored_sentences": "  of them scored",
    "words": "words scored",
    "uf1_sentence": "UF1, sentence",
    "uf1_corpus": "UF1, corpus",
    "precision": "  precision",
    "recall": "  recall",
    "uas": "UAS",
    "uuas": "UUAS",
    "ned": "NED",
    "las": "LAS",
    "exact_trees": "  exact trees",
    "root_accuracy": "  roots found",
    "fmeasure": "F-measure",
    **{name: name.upper() for name in ("upos", "xpos", "clas", "mlas", "blex")},
    **{name.lower(): name for name in ("Lemmas", "UFeats", "AllTags", "F1")},
    **{f"{name}_f1": name.capitalize() for name in ("tokens", "sentences", "words")},
    "aligned_accuracy": "aligned",
    "cutoff": "cutoff length",
    "labelled_f1": "labelled F1",
    "relation_las": "LAS, mapped",
    "many_to_one": "many-to-one",
    "v_measure": "V-measure",
    **{
        f"{what}_{name}": title
        for what in ("label", "tag", "relation")
        for name, title in {
            "many_to_one": f"many-to-one, {what}",
            "v_measure": f"V-measure, {what}",
            "homogeneity": "  homogeneity",
            "completeness": "  completeness",
        }.items()
    },
}


# bash names pipes /dev/fd/63, zsh /proc/self/fd/11.
_NUMBER = re.compile(r"(?<!/dev/fd/)(?<!/self/fd/)(?<!\d)\d+")


def values_of(comparison: Comparison) -> dict[str, Any]:
    """All results as plain values: one prediction's scores at the top level, those of several under ``runs``, with
    their mean and standard deviation if they are seeds of one parser (`are_seeds`); intervals and tests if the
    comparison has a seed for them."""
    systems, seed = comparison.systems, comparison.seed
    result: dict[str, Any] = {"gold": comparison.gold, **comparison.totals}
    if len(systems) == 1:
        result = {"prediction": systems[0].name, **result, **_system_values(systems[0])}
    else:
        result["runs"] = [{"prediction": system.name, **_system_values(system)} for system in systems]
        if are_seeds(system.name for system in systems):
            result["mean"], result["standard_deviation"] = _spread(systems)
        result["agreement"] = [
            {"first": agreement.first, "second": agreement.second, **in_per_cent(agreement.scores)}
            for agreement in comparison.agreements
        ]
    if comparison.baselines:
        result["baselines"] = {system.name: in_per_cent(system.scores) for system in comparison.baselines}
    if seed is not None:
        result["intervals"] = _intervals(systems, seed)
        result["significance"] = _differences(systems, seed)
    return {**result, "protocol": comparison.protocol}


def are_seeds(names: Iterable[str]) -> bool:
    """Whether these files are of one parser, trained with several seeds: their names differ, in numbers alone, and
    these are not those of pipes, such as ``<(zcat pred.gz)`` in a shell.

    >>> are_seeds(["seed-1/pred.conllu", "seed-2/pred.conllu"]), are_seeds(["udgn-1.conllu", "right-branching.conllu"])
    (True, False)
    >>> are_seeds(["/dev/fd/63", "/dev/fd/62"])
    False
    """
    names = list(names)
    return len({_NUMBER.sub("", name) for name in names}) == 1 and len(set(names)) == len(names)


def _system_values(system: System) -> dict[str, Any]:
    values: dict[str, Any] = in_per_cent(system.scores)
    if system.breakdowns:
        values["breakdowns"] = {
            table.name: [{table.key: key, **in_per_cent(scores)} for key, scores in table.rows.items()]
            for table in system.breakdowns
        }
    return values


def in_per_cent(scores: Scores) -> dict[str, float | int | None]:
    """Fractions in per cent, to two decimals; counts and numbers of constituents as they are."""
    return {
        key: round(value if key in NO_FRACTIONS else 100 * value, 2) if isinstance(value, float) else value
        for key, value in scores.items()
    }


def _spread(systems: Sequence[System]) -> tuple[dict[str, float], dict[str, float]]:
    """The mean of each score that all runs have, and its standard deviation (n − 1)."""
    means: dict[str, float] = {}
    deviations: dict[str, float] = {}
    for key in dict.fromkeys(key for system in systems for key in system.scores):
        values = [system.scores.get(key) for system in systems]
        if any(isinstance(value, int) for value in values):  # a count
            continue
        known = [value if key in NO_FRACTIONS else 100 * value for value in values if value is not None]
        if len(known) == len(systems):
            means[key], deviations[key] = round(mean(known), 2), round(stdev(known), 2)
    return means, deviations


def _intervals(systems: Sequence[System], seed: int) -> list[dict[str, Any]]:
    """The 95 % interval of each system's scores."""
    from synparse.scoring.significance import interval  # imports NumPy, which the other scores do not need

    intervals = []
    for system in systems:
        for measure, ratios in system.ratios.items():
            bounds = interval(ratios, seed=seed) or (None, None)
            values = in_per_cent(dict(zip(("score", "low", "high"), (ratios.score, *bounds), strict=True)))
            intervals.append({"prediction": system.name, "measure": measure, **values})
    return intervals


def _differences(systems: Sequence[System], seed: int) -> list[dict[str, Any]]:
    """Each further system against the first: the difference, its 95 % interval, and the p of two tests."""
    from synparse.scoring.significance import difference

    differences = []
    for other in systems[1:]:
        for measure, ratios in systems[0].ratios.items():
            result = difference(ratios, other.ratios[measure], seed=seed)
            values: dict[str, Any] = dict.fromkeys(("difference", "low", "high", "bootstrap_p", "randomisation_p"))
            if result is not None:
                low, high = result.interval
                values = {
                    **in_per_cent({"difference": result.difference, "low": low, "high": high}),
                    "bootstrap_p": round(result.bootstrap_p, 4),
                    "randomisation_p": round(result.randomisation_p, 4),
                }
            differences.append({"first": systems[0].name, "second": other.name, "measure": measure, **values})
    return differences


def text_of(comparison: Comparison, tables: Sequence[Table]) -> Iterator[str]:
    """The tables as text, then the summaries of EVALB; a single summary replaces the table of scores."""
    summaries = [system.summary for system in comparison.systems if system.summary]
    is_shown = len(summaries) != 1 or bool(comparison.baselines)
    yield from as_text((table for table in tables if is_shown or table.title != SCORES), comparison.protocol)
    yield from (f"\n{summary}" for summary in summaries)


def tables_of(comparison: Comparison, values: Mapping[str, Any]) -> list[Table]:
    """The scores first, then whatever else ``values`` holds, which are those of `values_of`."""
    return [*_score_tables(comparison, values), *_further_tables(comparison, values)]


def _score_tables(comparison: Comparison, values: Mapping[str, Any]) -> Iterator[Table]:
    """Values shared by all systems come first, then the scores, with a column for each of several systems."""
    systems = comparison.systems
    about = [(title_of(key), cell(values[key])) for key in ("prediction", "gold", *comparison.totals) if key in values]
    named = [(system.name, in_per_cent(system.scores)) for system in systems]
    if "mean" in values:
        named += [("mean", values["mean"]), ("deviation", values["standard_deviation"])]
    named += [(system.name, in_per_cent(system.scores)) for system in comparison.baselines]
    names, columns = zip(*named, strict=True)
    longest_first = sorted(columns, key=len, reverse=True)  # so that what some lack is in its place
    keys = list(dict.fromkeys(key for column in longest_first for key in column))
    rows = [(title_of(key), *(cell(column.get(key, "")) for column in columns)) for key in keys]
    if len(columns) > 1:
        yield Table("", (), about)
        yield Table(SCORES, ("", *names), rows)
    elif systems[0].summary:
        yield Table("", (), about)
        yield Table(SCORES, ("", "all", f"length <= {values['cutoff']}"), _evalb_rows(columns[0]))
    else:
        yield Table("", (), [*about, *rows])


def _evalb_rows(scores: Scores) -> list[tuple[str, str, str]]:
    """EVALB's two tables, of all sentences and of short ones, beside each other."""
    keys = [key for key in scores if not key.startswith(SHORT)]
    return [(title_of(key), cell(scores[key]), cell(scores.get(SHORT + key, ""))) for key in keys]


def _further_tables(comparison: Comparison, values: Mapping[str, Any]) -> Iterator[Table]:
    if values.get("agreement"):
        rows = [[cell(value) for value in agreement.values()] for agreement in values["agreement"]]
        columns = [key if key in ("first", "second") else title_of(key) for key in values["agreement"][0]]
        yield Table("agreement of the predictions", columns, rows)
    if "intervals" in values:
        names = ("prediction", "measure", "score", "low", "high")
        yield Table("95 % intervals, bootstrap", names, [_cells(row, names) for row in values["intervals"]])
    if values.get("significance"):
        from synparse.scoring.significance import RESAMPLES

        keys = ("second", "measure", "difference", "low", "high", "bootstrap_p", "randomisation_p")
        title = f"against {comparison.systems[0].name}, paired; 95 % interval, {RESAMPLES} resamples"
        heads = ("prediction", "measure", "difference", "low", "high", "p, bootstrap", "p, randomisation")
        yield Table(title, heads, [_cells(row, keys) for row in values["significance"]])
    for system in comparison.systems:
        for table in system.breakdowns:
            yield _breakdown_table(table, system.name if len(comparison.systems) > 1 else "")


def _breakdown_table(table: BreakdownTable, name: str) -> Table:
    keys = list(dict.fromkeys(key for scores in table.rows.values() for key in scores))
    rows = [(row, *(cell(in_per_cent(scores).get(key, "")) for key in keys)) for row, scores in table.rows.items()]
    title = f"by {table.name.replace('_', ' ')}" + (f": {name}" if name else "")
    return Table(title, (table.key, *(title_of(key).strip() for key in keys)), rows)


def _cells(row: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    return [title_of(row[name]) if name == "measure" else cell(row[name], name) for name in columns]


def title_of(key: str) -> str:
    """The name of a score for display."""
    if key.startswith(SHORT):
        return f"short: {title_of(key.removeprefix(SHORT)).strip()}"
    return TITLES.get(key, key.replace("_", " "))


def cell(value: object, name: str = "") -> str:
    """A value for display: two decimals, four for a p; "none" if there is nothing to score."""
    if value is None:
        return "none"
    if isinstance(value, float):
        digits = 4 if name.endswith("_p") else 2
        return f"{round(value, digits) + 0.0:.{digits}f}"  # + 0.0: without the sign of a zero
    return str(value)
