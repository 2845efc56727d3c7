"""What is induced, as one table: train, parse, score, for each recipe and seed, beside the trivial parsers.

    python benchmarks/induction.py --minutes 3                    on the sample of data/, a grammar with gold trees
    python benchmarks/induction.py --real DATA --minutes 20       on real text
    python benchmarks/induction.py --real DATA --models DIR…      scores models that are there

DATA holds text/brown.txt and text/ewt-gum.txt (the corpus), wsj/trees.mrg with conversion/wsj.sd.conll, and
gum/dev.ptb with gum/dev.conllu. A row for each model and decoder: the default brackets with each decoder of heads (and
the published split, where a model has distances), then the mean and standard deviation over seeds. Prints Markdown.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any

from synparse.cli.evaluate import evaluate_files
from synparse.corpora.sentences import read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.parser import Parser
from synparse.parsing.windows import Writing, parsed_text
from synparse.recipe import load_recipe
from synparse.training.run import train
from synparse.trees.trivial import TRIVIAL_PARSERS

RECIPES = ("structformer-small", "udgn-small", "on-lstm-small")
SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"

Treebanks = dict[str, tuple[Path, Path]]
"""Bracketed and CoNLL-U gold files of each treebank."""


def score(parser: Parser, gold: Path, format: str, tree_decoder: str | None, head_decoder: str | None) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prediction"
        sentences = read_sentences(str(gold), load_tokenizer("whitespace"))
        with path.open("w", encoding="utf-8", newline="") as out:
            out.writelines(parsed_text(parser, sentences, Writing(format, tree_decoder, head_decoder)))
        return evaluate_files(str(path), str(gold))


def rows(parser: Parser, treebanks: Treebanks) -> dict[str, list[float | None]]:
    """Decoder → UF1 by sentence, UF1 over the corpus, UAS and UUAS on each treebank; None where there is nothing."""
    default, *others = parser.tree_decoders
    wanted: list[tuple[str, str | None, str | None]] = [(name, default, name) for name in parser.head_decoders]
    if "published" in others:
        wanted.append(("published", "published", None))
    if not parser.head_decoders:
        wanted.insert(0, (default, default, None))
    found: dict[str, list[float | None]] = {}
    spans: dict[tuple[str | None, Path], Any] = {}
    for name, tree_decoder, head_decoder in wanted:
        cells: list[float | None] = []
        for trees, heads in treebanks.values():
            key = tree_decoder, trees
            if key not in spans:
                spans[key] = score(parser, trees, "brackets", tree_decoder, None)
            cells += [spans[key]["uf1_sentence"], spans[key]["uf1_corpus"]]
            if head_decoder is None:
                cells += [None, None]
                continue
            scores = score(parser, heads, "conllu", default if head_decoder == "joint" else None, head_decoder)
            cells += [scores["uas"], scores["uuas"]]
        found[name] = cells
    return found


def show(name: str, runs: list[list[float | None]]) -> None:
    """One row; of several runs their mean and, in parentheses, standard deviation."""

    def cell(values: tuple[float | None, ...]) -> str:
        known = [value for value in values if value is not None]
        if not known:
            return "–"
        spread = f" ({statistics.stdev(known):.1f})" if len(known) > 1 else ""
        return f"{statistics.mean(known):.1f}{spread}"

    cells = [cell(values) for values in zip(*runs, strict=True)]
    banks = [" / ".join(cells[at : at + 4]) for at in range(0, len(cells), 4)]
    print(f"| {name} | " + " | ".join(banks) + " |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--real", type=Path, metavar="DATA")
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    options.add_argument("--recipes", nargs="+", default=RECIPES)
    options.add_argument("--models", nargs="*", help="score these instead of training")
    chosen = options.parse_args()
    data = chosen.real
    treebanks: Treebanks = {"data/sample": (SAMPLE / "gold.brackets", SAMPLE / "gold.conllu")}
    corpus = [str(SAMPLE / "train.txt")]
    if data is not None:
        treebanks = {
            "WSJ sample (stanford)": (data / "wsj/trees.mrg", data / "conversion/wsj.sd.conll"),
            "GUM dev (UD)": (data / "gum/dev.ptb", data / "gum/dev.conllu"),
        }
        corpus = [str(data / "text" / name) for name in ("ewt-gum.txt", "brown.txt")]
    print("UF1 sentence / UF1 corpus / UAS / UUAS, per cent\n")
    print("| parser | " + " | ".join(treebanks) + " |\n|---|" + "---|" * len(treebanks))
    for model in chosen.models or ():
        for decoder, cells in rows(Parser.load(model), treebanks).items():
            show(f"{Path(model).name}, {decoder}", [cells])
    for recipe in chosen.recipes if chosen.models is None else ():
        runs: dict[str, list[list[float | None]]] = {}
        for seed in chosen.seeds:
            with tempfile.TemporaryDirectory() as folder:
                directory = Path(folder) / "model"
                result = train(corpus, load_recipe(recipe), directory, minutes=chosen.minutes, seed=seed)
                for decoder, cells in rows(Parser.load(directory), treebanks).items():
                    show(f"{recipe}, seed {seed}, {decoder}, perplexity {result.perplexity:.0f}", [cells])
                    runs.setdefault(decoder, []).append(cells)
        for decoder, found in runs.items():
            show(f"**{recipe}, {decoder}: mean of {len(found)}**", found)
    for name in TRIVIAL_PARSERS:
        show(name, [rows(Parser.load(name), treebanks)["joint"]])


if __name__ == "__main__":
    main()
