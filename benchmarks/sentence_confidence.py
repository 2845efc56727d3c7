"""Does the confidence of a sentence tell how many of its heads are wrong? Writes benchmarks/sentence_confidence.tsv.

    SYNPARSE_DATA=../shared/data python -m benchmarks.sentence_confidence

Spearman's rank correlation over the even sentences of development parts, since the maps of fitted probabilities are
fitted on the odd ones: of each measure with the number of wrong heads, and with the fraction of heads that is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from benchmarks.calibrations import gold_of
from benchmarks.quality.gold import DATA, ROOT, read_gold
from benchmarks.quality.table import NOTHING, made_now, write_table
from synparse.files.tables import Row
from synparse.parsing.calibrate import judged_arcs
from synparse.parsing.parser import Parser
from synparse.scoring.correlation import spearman
from synparse.trees.scored_words import rule_of_sentences

TABLE = ROOT / "benchmarks" / "sentence_confidence.tsv"
COLUMNS = ("model", "gold", "measure", "sentences", "wrong heads", "fraction wrong", "command", "date", "commit")
MODELS = {"english": "en", "german": "de"}

MEASURES = ("words", "negative log-probability", "entropy per word", "expected wrong heads", "expected fraction wrong")


def rows(model: str, code: str) -> Iterator[Row]:
    gold = gold_of(code, DATA, DATA)["arcs"]
    sentences = [sentence for sentence in read_gold(gold.path).sentences if sentence.tokens][1::2]
    parses = Parser.load(model).parse([sentence.tokens for sentence in sentences], brackets=None, confidence="fitted")
    punctuation = rule_of_sentences([sentence.conllu for sentence in sentences if sentence.conllu])
    values: list[tuple[float, ...]] = []
    wrong: list[int] = []
    fractions: list[float] = []
    for sentence, parse in zip(sentences, parses, strict=True):
        judged = judged_arcs(sentence, parse, punctuation)
        if not judged:
            continue
        errors, count = sum(not is_right for _, is_right in judged), len(judged)
        expected = parse.expected_errors or 0.0
        values.append((count, -(parse.log_probability or 0.0), parse.entropy or 0.0, expected, expected / count))
        wrong.append(errors)
        fractions.append(errors / count)
    for measure, column in zip(MEASURES, zip(*values, strict=True), strict=True):
        yield {
            "model": model,
            "gold": gold.treebank,
            "measure": measure,
            "sentences": str(len(wrong)),
            "wrong heads": correlation(column, wrong),
            "fraction wrong": correlation(column, fractions),
        }


def correlation(measure: tuple[float, ...], errors: Sequence[float]) -> str:
    rho = spearman(measure, errors)
    return NOTHING if rho is None else f"{rho:.2f}"


def main() -> None:
    argparse.ArgumentParser(
        "python -m benchmarks.sentence_confidence",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    made = made_now("benchmarks.sentence_confidence")
    made = {**made, "commit": made["scored at"]}
    write_table(TABLE, [{**row, **made} for model, code in MODELS.items() for row in rows(model, code)], COLUMNS)


if __name__ == "__main__":
    main()
