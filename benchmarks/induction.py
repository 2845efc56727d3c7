"""Scores of induced trees in one table: train, parse, score, for each recipe and seed, with the trivial parsers.

    python benchmarks/induction.py --minutes 3                    on the sample of data/, a grammar with gold trees
    python benchmarks/induction.py --real DATA --minutes 20       on real text
    python benchmarks/induction.py --real DATA --models DIR…      scores trained models

DATA has text/brown.txt and text/ewt-gum.txt (the corpus), wsj/trees.mrg with conversion/wsj.sd.conll, and
gum/dev.ptb with gum/dev.conllu. One row per model and decoder: the default brackets with each decoder of heads (and the
published split, if the model has distances), then the mean and standard deviation over seeds. Prints Markdown. What is
trained here parses as in papers, without punctuation cues and with function words as heads; trained models, as they
record.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from quality import Decoders, compared, in_per_cent, mean_and_spread, predicted, read_gold

from synparse.config.recipe import load_recipe
from synparse.parsing.parser import Parser
from synparse.training.run import train
from synparse.trees.trivial import TRIVIAL_PARSERS

RECIPES = ("structformer-small", "udgn-small", "on-lstm-small")
SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"

Treebanks = dict[str, tuple[Path, Path]]
"""Bracketed and CoNLL-U gold files of each treebank."""


def score(parser: Parser, path: Path, decoders: Decoders, *measures: str) -> list[float | None]:
    gold = read_gold(path)
    scores = compared(gold.kind, predicted(parser, gold, decoders), gold.texts).systems[0].scores
    return in_per_cent(scores, measures)


def rows(parser: Parser, treebanks: Treebanks) -> dict[str, list[float | None]]:
    """Decoder → UF1 by sentence, UF1 over the corpus, UAS and UUAS on each treebank; None where there is nothing."""
    default, *others = parser.tree_decoders
    wanted: list[tuple[str, str | None, str | None]] = [(name, default, name) for name in parser.head_decoders]
    if "published" in others:
        wanted.append(("published", "published", None))
    if not parser.head_decoders:
        wanted.insert(0, (default, default, None))
    found: dict[str, list[float | None]] = {}
    spans: dict[tuple[str | None, Path], list[float | None]] = {}
    for name, tree_decoder, head_decoder in wanted:
        cells: list[float | None] = []
        for trees, heads in treebanks.values():
            key = tree_decoder, trees
            if key not in spans:
                spans[key] = score(parser, trees, Decoders(tree_decoder, None), "uf1_sentence", "uf1_corpus")
            cells += spans[key]
            if head_decoder is None:
                cells += [None, None]
                continue
            decoders = Decoders(default if head_decoder == "joint" else None, head_decoder)
            cells += score(parser, heads, decoders, "uas", "uuas")
        found[name] = cells
    return found


def show(name: str, runs: list[list[float | None]]) -> None:
    """One row; of several runs their mean and, in parentheses, standard deviation."""
    cells = [mean_and_spread(values) for values in zip(*runs, strict=True)]
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
                parser = Parser.load(directory, punctuation="ignore", function_words="free")
                for decoder, cells in rows(parser, treebanks).items():
                    show(f"{recipe}, seed {seed}, {decoder}, perplexity {result.score:.0f}", [cells])
                    runs.setdefault(decoder, []).append(cells)
        for decoder, found in runs.items():
            show(f"**{recipe}, {decoder}: mean of {len(found)}**", found)
    for name in TRIVIAL_PARSERS:
        show(name, [rows(Parser.load(name), treebanks)["joint"]])


if __name__ == "__main__":
    main()
