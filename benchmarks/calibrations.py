"""Calibrates the shipped models on gold trees, and measures what probabilities mean: writes benchmarks/confidence.tsv.

    SYNPARSE_DATA=../shared/data python -m benchmarks.calibrations --work RUNS

1. Each shipped model parses the development part of a treebank, unless nothing is to be decided on the gold trees of
   its language. The maps of its probabilities are fitted on the odd sentences (as by `synparse calibrate`; supervised)
   and go into its config.yaml.
2. The mean of these maps goes to models/calibrations/mean.yaml, for models and options without maps of their own.
3. On the even sentences, each row of the table measures raw probabilities, those by the model's own maps, and those by
   mean maps: of the shipped models for other languages, as if there were none for this one. Rows of `english` are also
   of treebanks and options that its maps were not fitted on. Grammars of further languages, which are trained in RUNS,
   and models of English named by --english stand for the models that people train; they have mean maps alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import program, trained
from benchmarks.languages.brackets import clean_brackets
from benchmarks.languages.data import LOOKED_AT, TREES
from benchmarks.quality.gold import DATA, ROOT
from benchmarks.quality.table import NOTHING, made_now, write_table
from synparse.config.parsing import DEFAULT, Default, HeadDecoder, TreeDecoder
from synparse.corpora.languages import language_of
from synparse.files.folders import exclusive_lock
from synparse.files.streams import write_whole
from synparse.files.tables import Row
from synparse.parsing.calibrate import CalibrationResult, ScoredPredictions, calibrate
from synparse.parsing.options import ParserOptions
from synparse.scoring.confidence import expected_calibration_error, precision_of_half, reliability
from synparse.store.calibrations import MEAN, Calibration, calibration_file, save_calibration
from synparse.store.languages import GOLD, language_of_shipped
from synparse.store.shipped import ENGLISH, TEXTS, model_folder, read_rows, shipped_models
from synparse.trees.calibration import DIGITS, GROUPS, CalibrationMap

TABLE = ROOT / "benchmarks" / "confidence.tsv"
MODELS = ROOT / "models"

KINDS = {"arcs": "arcs", "spans": "constituents"}
"""What has probabilities: in a calibration, and in the table."""

COLUMNS = (
    *("parser", "options", "gold", "of", "number", "precision", "of the most confident half"),
    *("ECE raw", "ECE fitted", "ECE mean", "Brier raw", "Brier fitted", "Brier mean"),
    *("command", "date", "commit"),
)

CONSTITUENTS = {"es": "CESS-ESP", "pt": "Floresta, development part"}
"""Treebanks of constituents, by language."""

OTHERS = ("hi", "nl", "zh")
"""Languages without a shipped model."""


class GoldFile(NamedTuple):
    path: Path
    treebank: str


class Case(NamedTuple):
    """What is parsed: by which model (its name in the table, and its directory), how, and the gold file of each of
    `KINDS`."""

    parser: str
    model: str
    gold: Mapping[str, GoldFile]
    options: ParserOptions = ParserOptions()
    brackets: TreeDecoder | Default = DEFAULT
    heads: HeadDecoder | Default = DEFAULT

    @property
    def typed(self) -> str:
        """The options as they are typed."""
        options = {
            "--punctuation": self.options.punctuation,
            "--function-words": self.options.function_words,
            "--decode-brackets": self.brackets,
            "--decode-heads": self.heads,
        }
        words = [f"{name} {value}" for name, value in options.items() if value not in (None, DEFAULT)]
        return " ".join(words) or NOTHING


def english_gold(data: Path) -> dict[str, GoldFile]:
    files = {"arcs": data / "gum" / "dev.conllu", "spans": data / "gum" / "dev.ptb"}
    return {kind: GoldFile(path, "GUM, development part") for kind, path in files.items()}


def gold_of(code: str, data: Path, work: Path) -> dict[str, GoldFile]:
    """The gold files of a language; trees of constituents are cleaned in ``work``."""
    if code == "en":
        return english_gold(data)
    [row] = (row for row in read_rows(TEXTS) if row["language"] == code and row["in the table"] == GOLD)
    folder = data / "languages" / code
    gold = {"arcs": GoldFile(folder / row["file"], row["source"])}
    if code in CONSTITUENTS:
        clean = work / f"{code}-trees.ptb"
        with write_whole(str(clean)) as out:
            out.write(clean_brackets(folder / TREES[code]))
        gold["spans"] = GoldFile(clean, CONSTITUENTS[code])
    return gold


def further_cases(data: Path, models: Iterable[Path]) -> list[Case]:
    """Of English: other treebanks, options that the shipped maps are not for, and other models."""
    stanford = GoldFile(data / "conversion" / "wsj.sd.conll", "WSJ (Stanford)")
    gum = english_gold(data)
    return [
        Case(ENGLISH, ENGLISH, {"arcs": GoldFile(data / "ewt" / "dev.conllu", "EWT, development part")}),
        Case(ENGLISH, ENGLISH, {"spans": GoldFile(data / "wsj" / "trees.mrg", "WSJ")}),
        Case(ENGLISH, ENGLISH, {"arcs": stanford}, ParserOptions(function_words="free")),
        Case(ENGLISH, ENGLISH, gum, ParserOptions(punctuation="ignore")),
        Case(ENGLISH, ENGLISH, gum, brackets="unbiased", heads="mst"),
        *(Case(directory.name, str(directory), gum) for directory in models),
    ]


def calibrated(case: Case) -> CalibrationResult:
    """Its maps name treebanks in place of files."""
    treebanks = tuple(dict.fromkeys(file.treebank for file in case.gold.values()))
    print(case.parser, case.typed, *treebanks, sep="\t", file=sys.stderr)
    gold = [str(file.path) for file in case.gold.values()]
    result = calibrate(case.model, gold, case.options, case.brackets, case.heads)
    return result._replace(calibration=replace(result.calibration, gold=treebanks))


def mean_of(calibrations: Iterable[Calibration]) -> Calibration:
    """The mean maps, for all models and options."""
    known = list(calibrations)
    arcs = [calibration.arcs for calibration in known if calibration.arcs]
    spans = [calibration.spans for calibration in known if calibration.spans]
    treebanks = dict.fromkeys(name for calibration in known for name in calibration.gold)
    return Calibration(mean_map(arcs), mean_map(spans), gold=tuple(treebanks))


def mean_map(maps: Sequence[CalibrationMap]) -> CalibrationMap:
    """The mean of maps, at as many points as each has at most: more of them where theirs are dense."""
    points = np.sort(np.concatenate([known.log_odds for known in maps]))
    means = (round(float(group.mean()), DIGITS) for group in np.array_split(points, min(GROUPS, len(points))))
    log_odds = list(dict.fromkeys(means))
    values = np.mean([np.interp(log_odds, known.log_odds, known.fitted) for known in maps], axis=0)
    return CalibrationMap(tuple(log_odds), tuple(round(float(value), DIGITS) for value in values))


def rows(case: Case, result: CalibrationResult, own: Calibration | None, mean: Calibration) -> Iterator[Row]:
    """The scores of each kind. ``own``: the maps of the model, None where they are not for such parses."""
    for kind, file in case.gold.items():
        judged: ScoredPredictions = getattr(result, kind).of_sentences(odd=False)
        raw, right = judged.probabilities, judged.right.astype(float)
        scores = {"raw": raw, "mean": getattr(mean, kind).of(raw)}
        if own is not None:
            scores["fitted"] = getattr(own, kind).of(raw)
        yield {
            "parser": case.parser,
            "options": case.typed,
            "gold": file.treebank,
            "of": KINDS[kind],
            "number": str(len(right)),
            "precision": f"{100 * right.mean():.1f}",
            "of the most confident half": f"{100 * precision_of_half(raw, right):.1f}",
            **{f"ECE {name}": f"{100 * error(values, right):.1f}" for name, values in scores.items()},
            **{f"Brier {name}": f"{np.mean((values - right) ** 2):.3f}" for name, values in scores.items()},
        }


def error(probabilities: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    return expected_calibration_error(reliability(probabilities, right))


def save(calibrations: Mapping[str, Calibration]) -> None:
    """Write the maps of each shipped model, and the mean ones."""
    for name, calibration in calibrations.items():
        with exclusive_lock(model_folder(name)):
            save_calibration(model_folder(name), calibration)
    with write_whole(str(MODELS / MEAN)) as out:
        out.write(calibration_file(mean_of(calibrations.values())))


def measured(data: Path, work: Path, english: Iterable[Path]) -> Iterator[Row]:
    """Calibrates the shipped models; then the rows of all cases."""
    known = ((name, language_of_shipped(name)) for name in shipped_models())
    codes = {name: of.code for name, of in known if of is not None and of.code in {"en", *LOOKED_AT}}
    shipped = [Case(name, name, gold_of(code, data, work)) for name, code in codes.items()]
    results = {case.model: calibrated(case) for case in shipped}
    own = {name: result.calibration for name, result in results.items()}
    save(own)
    without = {left: mean_of(known for name, known in own.items() if name != left) for left in own}
    for case in shipped:
        yield from rows(case, results[case.model], own[case.model], without[case.model])
    for case in further_cases(data, english):
        holds = case.model == ENGLISH and case.typed == NOTHING
        yield from rows(case, calibrated(case), own[ENGLISH] if holds else None, without[ENGLISH])
    for code in OTHERS:
        text = data / "languages" / code / "text.txt.gz"
        model = trained(work / f"grammar-{code}", text, "--language", code, "--model", "grammar")
        case = Case(f"grammar, {language_of(code).name}", str(model), gold_of(code, data, work))
        yield from rows(case, calibrated(case), None, mean_of(own.values()))


def main() -> None:
    options = argparse.ArgumentParser(
        "python -m benchmarks.calibrations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, default=DATA, help="the folder of gold files")
    options.add_argument("--work", type=Path, required=True, help="the folder of trained models")
    options.add_argument("--english", type=Path, nargs="*", default=[], metavar="MODEL", help="further models")
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    made = made_now("benchmarks.calibrations")
    made = {**made, "commit": made["scored at"]}
    write_table(TABLE, [{**row, **made} for row in measured(chosen.data, chosen.work, chosen.english)], COLUMNS)


if __name__ == "__main__":
    program(main)
