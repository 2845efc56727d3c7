"""The main job on real text, as one table: train, parse two treebanks, score beside the trivial parsers.

    python benchmarks/real_text.py DATA --minutes 20 --seeds 1 2 3      trains a model for each seed
    python benchmarks/real_text.py DATA --models DIR…                   scores models that are there

DATA holds text/brown.txt and text/ewt-gum.txt (the corpus), wsj/trees.mrg with conversion/wsj.sd.conll, and
gum/dev.ptb with gum/dev.conllu. Heads by every decoder. Prints Markdown.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from synparse.cli.evaluate import evaluate_files
from synparse.cli.parse import parsed_text
from synparse.corpora.sentences import read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.parser import HEAD_DECODERS, Parser
from synparse.recipe import load_recipe
from synparse.training.run import train
from synparse.trees.trivial import TRIVIAL_PARSERS

TREEBANKS = {
    "WSJ sample (stanford)": ("wsj/trees.mrg", "conversion/wsj.sd.conll"),
    "GUM dev (UD)": ("gum/dev.ptb", "gum/dev.conllu"),
}


def parse_to(path: Path, parser: Parser, source: Path, format: str, head_decoder: str) -> str:
    sentences = read_sentences(str(source), load_tokenizer("whitespace"))
    with path.open("w", encoding="utf-8", newline="") as out:
        out.writelines(parsed_text(parser, sentences, format, "unbiased", head_decoder))
    return str(path)


def row(data: Path, parser: Parser, head_decoder: str) -> list[str]:
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for trees, heads in TREEBANKS.values():
            constituency = evaluate_files(
                parse_to(out, parser, data / trees, "brackets", head_decoder), str(data / trees)
            )
            dependencies = evaluate_files(
                parse_to(out, parser, data / heads, "conllu", head_decoder), str(data / heads)
            )
            scores = [
                constituency["uf1_sentence"],
                constituency["uf1_corpus"],
                dependencies["uas"],
                dependencies["uuas"],
            ]
            cells.append(" / ".join(f"{score:.1f}" for score in scores))
    return cells


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    options.add_argument("--recipe", default="structformer-small")
    options.add_argument("--models", nargs="*", help="score these instead of training")
    chosen = options.parse_args()
    print("UF1 sentence / UF1 corpus / UAS / UUAS, per cent\n")
    print("| parser | " + " | ".join(TREEBANKS) + " |\n|---|" + "---|" * len(TREEBANKS))
    models = chosen.models
    with tempfile.TemporaryDirectory() as folder:
        if models is None:
            corpus = [str(chosen.data / "text" / name) for name in ("ewt-gum.txt", "brown.txt")]
            models = [f"{folder}/seed-{seed}" for seed in chosen.seeds]
            for seed, model in zip(chosen.seeds, models, strict=True):
                train(corpus, load_recipe(chosen.recipe), Path(model), minutes=chosen.minutes, seed=seed)
        for model in models:
            for decoder in HEAD_DECODERS:
                cells = row(chosen.data, Parser.load(model), decoder)
                print(f"| {Path(model).name}, {decoder} | " + " | ".join(cells) + " |", flush=True)
    for name in TRIVIAL_PARSERS:
        print(f"| {name} | " + " | ".join(row(chosen.data, Parser.load(name), "joint")) + " |", flush=True)


if __name__ == "__main__":
    main()
