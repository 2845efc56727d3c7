"""The speed of training a network on this machine, timed before its stage begins."""

from __future__ import annotations

import itertools
import time

import numpy as np
import torch

from synparse.config.recipe import ModelRecipe
from synparse.corpora.cache import Corpus, TokenCache
from synparse.corpora.tree_targets import NOWHERE
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.inducers.devices import pick_device
from synparse.inducers.table import build
from synparse.training.objectives import objective_of
from synparse.training.state import fresh_state
from synparse.training.threads import own_threads, threads_to_use
from synparse.training.updates import Updates

SECONDS, FRACTION = 6.0, 0.05
"""Seconds for which updates are timed, but no more than this fraction of the time that is left."""

LEAST_UPDATES = 4

WORDS = 60_000
"""Of the random text that is read."""

VALIDATION = 1.05
"""Validations take a twentieth of the time, as the recipes have them."""


def seconds_per_word(recipe: ModelRecipe, vocabulary: int, length: float, device: str, left: float) -> float:
    """The time that training takes for each word, on random sentences of about this mean length.

    vocabulary: how many words the network knows; left: seconds of the run. The time of other processes counts: it is
    what the run will have.
    """
    chosen = pick_device(device)
    with own_threads(), torch.random.fork_rng(devices=[]):
        corpus = _random_text(vocabulary, length)
        assert recipe.training is not None
        objective = objective_of(recipe.training, corpus)
        network = build(recipe.model, len(corpus.vocabulary), recipe.architecture).to(chosen)
        updates = Updates(fresh_state(network, recipe.training), recipe.training, chosen)
        torch.set_num_threads(threads_to_use(None, network.matrix_parameters(), 1))
        words, seconds = 0, 0.0
        batches = itertools.chain.from_iterable(objective.epochs(0, 1))
        for number, batch in enumerate(batches):
            start = time.monotonic()
            updates.update(batch, 0.0)
            if number >= LEAST_UPDATES // 2:  # the first updates prepare what later ones use
                words, seconds = words + batch.words, seconds + time.monotonic() - start
            if seconds >= min(SECONDS, FRACTION * left) and number >= LEAST_UPDATES:
                break
    return VALIDATION * seconds / max(1, words)


def _random_text(vocabulary: int, length: float) -> Corpus:
    source = np.random.default_rng(0)
    lengths = np.clip(source.geometric(1 / max(1.0, length), int(WORDS / max(1.0, length)) + 1), 2, 60)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    size = max(vocabulary, len(SPECIAL) + 2)
    tokens = source.integers(len(SPECIAL), size, int(offsets[-1])).astype(np.int32)
    places = np.concatenate([np.arange(length) for length in lengths])
    trees = np.stack([np.zeros_like(places), places, places + 2], 1).astype(np.int32)  # the first word heads the others
    trees[offsets[1:] - 1, 1:] = NOWHERE
    cache = TokenCache(tokens, offsets.astype(np.int64), trees=trees)
    words = Vocabulary([*SPECIAL, *(f"w{number}" for number in range(size - len(SPECIAL)))])
    return Corpus(cache, cache, words)
