"""Training speed at paper size: tokens/s, and as a share of what this machine's matrix product gives.

    python benchmarks/train_speed.py [--recipe structformer-ptb] [--steps 5]

The share is 6 × matrix parameters × tokens/s over the measured rate of float32 matrix products: a forward and a
backward pass multiply each word by each matrix three times, two operations per parameter. Embedding and output matrix
are left out of the parameters (the output is computed on masked words only), so the share is on the low side. Matrix
products are timed before, between and after the steps, since a shared machine's rate drifts.
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

from synparse.inducers import inducer_kind
from synparse.recipe import load_recipe
from synparse.training.objectives import mask_words

VOCABULARY = 10_000
LENGTH = 28  # words in a batch's sentences; one length, as length-grouped batches nearly have
SGEMM_SIZE = 2048


def sgemm_rate() -> float:
    """Floating-point operations per second of a large float32 matrix product, median of five."""
    a, b = torch.randn(SGEMM_SIZE, SGEMM_SIZE), torch.randn(SGEMM_SIZE, SGEMM_SIZE)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        a @ b
        seconds.append(time.perf_counter() - start)
    return 2 * SGEMM_SIZE**3 / statistics.median(seconds)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", default="structformer-ptb")
    options.add_argument("--steps", type=int, default=5)
    chosen = options.parse_args()
    recipe = load_recipe(chosen.recipe)
    torch.manual_seed(1)
    model = inducer_kind(recipe.model).model(VOCABULARY, recipe.architecture).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.training.learning_rate)
    generator = torch.Generator().manual_seed(1)
    sentences = recipe.training.batch_tokens // LENGTH
    lengths = torch.full((sentences,), LENGTH)
    rates, speeds = [sgemm_rate()], []
    for step in range(chosen.steps + 1):
        words = torch.randint(3, VOCABULARY, (sentences, LENGTH), generator=generator)
        batch = mask_words(words, lengths, recipe.training.mask_rate, generator)
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = model.loss(batch)
        (loss.total / loss.predictions).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.training.gradient_clip)
        optimizer.step()
        if step:  # the first one warms up
            speeds.append(sentences * LENGTH / (time.perf_counter() - start))
        rates.append(sgemm_rate())
    speed, rate = statistics.median(speeds), statistics.median(rates)
    share = 6 * model.matrix_parameters() * speed / rate
    print(f"recipe                 {recipe.name} ({torch.get_num_threads()} threads)")
    print(f"matrix parameters      {model.matrix_parameters():,}")
    print(f"batch                  {sentences} sentences of {LENGTH} words")
    print(f"training               {speed:,.0f} tokens/s (median; {min(speeds):,.0f}–{max(speeds):,.0f})")
    print(f"float32 product        {rate / 1e9:,.0f} GFLOP/s ({min(rates) / 1e9:,.0f}–{max(rates) / 1e9:,.0f})")
    print(f"share of that rate     {100 * share:.0f} %")


if __name__ == "__main__":
    main()
