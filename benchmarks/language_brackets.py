"""UF1 of induced brackets beside trivial trees: Spanish (CESS), Portuguese (Floresta), Chinese (Sinica).

    python benchmarks/language_brackets.py DATA MODELS > language_brackets.tsv

DATA has the treebanks (`TREEBANKS`), MODELS a model directory for each language, named by its code; a language without
one gets the trivial trees alone. Multiword units are split, as in raw text, and punctuation is left out by form. The
models and `right-branching, punctuation` parse with ``--punctuation evidence``; the other trivial trees are over the
words that are scored.

Sinica is in traditional characters, the text of Chinese models in simplified ones. OpenCC (``pip install opencc``)
converts its words; without OpenCC, Sinica is left out, and a line on standard error says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from synparse.parsing.options import ParserOptions
from synparse.parsing.run import parse
from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.comparison import Comparison, Scores, Wanted
from synparse.scoring.in_step import NamedLines
from synparse.treebanks.convert import ConvertOptions, convert
from synparse.trees.errors import SettingError

PROTOCOLS = ("kim2019", "shen2018")
RIGHT = "right-branching"


class Treebank(NamedTuple):
    """name; file in DATA; is_traditional: in traditional Chinese characters."""

    name: str
    file: str
    is_traditional: bool = False


TREEBANKS = {
    "es": Treebank("CESS", "es/trees-cess.ptb.gz"),
    "pt": Treebank("Floresta, dev", "pt/trees-floresta-dev.ptb.gz"),
    "zh": Treebank("Sinica", "zh/trees-sinica.ptb.gz", is_traditional=True),
}


def gold_brackets(data: Path, treebank: Treebank) -> str:
    """The clean trees of a treebank, a line each. Raises SettingError where characters cannot be converted."""
    trees = "".join(convert([str(data / treebank.file)], ConvertOptions("brackets", split_units=True)))
    return simplified(trees) if treebank.is_traditional else trees


def simplified(text: str) -> str:
    """Text in traditional characters, as they are used in Taiwan, in simplified ones; words stay apart.

    Raises SettingError where OpenCC is not installed.
    """
    try:
        from opencc import OpenCC
    except ImportError:
        raise SettingError("Sinica is in traditional characters, so it is left out: pip install opencc") from None
    converted: str = OpenCC("tw2s").convert(text)
    return converted


def scored(model: str, gold: Path, protocol: str, baselines: bool = False) -> Comparison:
    """The brackets of a model (a directory or a trivial parser) against the clean trees of a file."""
    predicted = "".join(parse([str(gold)], [model], "brackets", options=ParserOptions(punctuation="evidence")))
    lines = gold.read_text(encoding="utf-8").splitlines(keepends=True)
    runs = [NamedLines(model, predicted.splitlines(keepends=True))]
    return compare_brackets(runs, NamedLines(str(gold), lines), protocol, wanted=Wanted(baselines=baselines))


def rows(language: str, gold: Path, model: str | None) -> Iterator[list[str]]:
    """Language, treebank, trees, parser, and UF1 in per cent: by sentence and over the corpus, and that of shen2018."""
    by_protocol: list[dict[str, Scores]] = []
    trees = 0
    for protocol in PROTOCOLS:
        right = scored(RIGHT, gold, protocol, baselines=True)
        trees = right.totals["sentences"]
        found = {one.name: one.scores for one in right.baselines}
        found[f"{RIGHT}, punctuation"] = right.systems[0].scores
        if model is not None:
            found["model"] = scored(model, gold, protocol).systems[0].scores
        by_protocol.append(found)
    kim, shen = by_protocol
    for name in kim:
        values = kim[name]["uf1_sentence"], kim[name]["uf1_corpus"], shen[name]["uf1_sentence"]
        cells = ("" if value is None else f"{100 * value:.2f}" for value in values)
        yield [language, TREEBANKS[language].name, str(trees), name, *cells]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, metavar="DATA")
    options.add_argument("models", type=Path, metavar="MODELS")
    options.add_argument("--languages", nargs="+", choices=list(TREEBANKS), default=list(TREEBANKS))
    chosen = options.parse_args()
    print("language", "treebank", "trees", "parser", "UF1 sentence", "UF1 corpus", "UF1 shen2018", sep="\t")
    with tempfile.TemporaryDirectory() as folder:
        for language in chosen.languages:
            try:
                trees = gold_brackets(chosen.data, TREEBANKS[language])
            except SettingError as error:
                print(error, file=sys.stderr)
                continue
            gold = Path(folder, f"{language}.brackets")
            gold.write_text(trees, encoding="utf-8")
            model = chosen.models / language
            for row in rows(language, gold, str(model) if model.is_dir() else None):
                print(*row, sep="\t", flush=True)


if __name__ == "__main__":
    main()
