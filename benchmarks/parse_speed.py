"""Parsing speed at paper size: sentences/s, text in, CoNLL-U written.

    python benchmarks/parse_speed.py [--recipe structformer-ptb] [--sentences 5000] [--decode mst]

Sentences have WSJ-like lengths (a negative binomial with mean 20, and one in a hundred of 80 words), words drawn by a
Zipf law. The weights are untrained: speed does not depend on them, but for the spanning tree, which has more cycles to
break when heads are random, so the figure is on the low side. Loading is not counted.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from synparse.cli.parse import parsed_text
from synparse.corpora.sentences import read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.inducers import inducer_kind
from synparse.model_directory import ModelDescription, save_model
from synparse.parser import Parser
from synparse.recipe import load_recipe

VOCABULARY = 10_000


def wsj_like(count: int) -> list[str]:
    """Sentences of made-up words."""
    random = np.random.default_rng(1)
    lengths = 1 + random.negative_binomial(4, 4 / (4 + 18.4), count)
    lengths[::100] = 80
    return [" ".join(f"w{min(rank, VOCABULARY)}" for rank in random.zipf(1.3, length)) for length in lengths]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", default="structformer-ptb")
    options.add_argument("--sentences", type=int, default=5000)
    options.add_argument("--decode", default="mst")
    chosen = options.parse_args()
    recipe = load_recipe(chosen.recipe)
    vocabulary = Vocabulary([*SPECIAL, *(f"w{rank}" for rank in range(1, VOCABULARY))])
    torch.manual_seed(1)
    model = inducer_kind(recipe.model).model(len(vocabulary), recipe.architecture)
    sentences = wsj_like(chosen.sentences)
    words = sum(sentence.count(" ") + 1 for sentence in sentences)
    with tempfile.TemporaryDirectory() as folder:
        directory, text, out = Path(folder) / "model", Path(folder) / "text", Path(folder) / "out.conllu"
        save_model(directory, ModelDescription(recipe, {}), vocabulary, model, "", "")
        text.write_text("".join(f"{sentence}\n" for sentence in sentences))
        parser = Parser.load(directory, device="cpu")
        parser.parse(sentences[:100])  # warm up
        start = time.perf_counter()
        read = read_sentences(str(text), load_tokenizer("whitespace"))
        with out.open("w", encoding="utf-8") as stream:
            for chunk in parsed_text(parser, read, "conllu", "unbiased", chosen.decode):
                stream.write(chunk)
        seconds = time.perf_counter() - start
    print(f"recipe       {recipe.name} ({os.cpu_count()} cores, {torch.get_num_threads()} threads)")
    print(f"input        {len(sentences):,} sentences, mean {words / len(sentences):.1f} words, longest 80")
    print(f"decoder      {chosen.decode}")
    print(f"parsing      {len(sentences) / seconds:,.0f} sentences/s, {words / seconds:,.0f} words/s")


if __name__ == "__main__":
    main()
