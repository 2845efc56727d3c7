"""How well language models predict a text.

A model of the next word reads the text as one stream, <eos> w1 … wn <eos> …, from its beginning to its end, and
predicts every word and every <eos> but the first; an unknown word is predicted as <unk>. Its state runs on from one
sentence to the next, as in the papers. A masked model reads sentence by sentence, and predicts the words that chance
has masked, several times with other masks; unknown words are neither masked nor predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from synparse.corpora.batches import batches_by_length, padded
from synparse.corpora.normalization import normalized
from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.vocabulary import END_INDEX, SPECIAL
from synparse.inducers.batch import State
from synparse.inducers.devices import pick_device
from synparse.inducers.table import Objective
from synparse.language_models.loading import MASKED, NEXT_WORD, LoadedLanguageModel, kinds, load_language_model
from synparse.language_models.reading import language_of_run, tokenizer_of_text
from synparse.language_models.sentence_scores import log_likelihoods, predicted_as, sentence_scores, without_padding
from synparse.parsing.windows import windows_of
from synparse.scoring.perplexity import ModelPerplexity, Predictions, StateRule, TextCounts
from synparse.training.objectives import mask_words
from synparse.trees.errors import DataError, SettingError

SEEDS = 3
"""Masks of a text, where nothing else is said."""

SEGMENT = 512
"""Words of a stream that are read at once; the state runs on."""

BATCH_WORDS = 2048
"""Words of a batch of sentences, padding included; longer sentences are cut."""

LONGEST = 1000
"""Words of a sentence of which each is masked alone; longer sentences are cut."""


@dataclass(frozen=True)
class Perplexities:
    """models: of each its perplexity; protocol: how it was measured, in one line; notes: why some of them cannot be
    compared."""

    models: Sequence[ModelPerplexity]
    protocol: str
    notes: Sequence[str]


@torch.inference_mode()
def perplexity(
    models: Sequence[str],
    path: str,
    *,
    state: StateRule | None = None,
    mask_rate: float | None = None,
    seeds: int | None = None,
    pseudo: bool = False,
    raw: bool = False,
    tokenizer: str | None = None,
    language: str | None = None,
    format: str | None = None,
    device: str = "auto",
    report: Callable[[str], None] = lambda _: None,
) -> Perplexities:
    """The perplexity of each model on the sentences of a file (``-`` is standard input), in bounded memory.

    state: by default ``stream``; mask_rate: by default that of each model's recipe; seeds: of the masks, 1, 2, … up to
    this number, by default `SEEDS`; pseudo: mask each word alone, too, which takes as many times as long as a sentence
    has words; tokenizer, language, raw, format: as `synparse.corpora.sentences.read_sentences` and
    `tokenizer_of_text`; report: gets a note of the tokenizer that was chosen. Raises SettingError for models that are
    no language models, and for settings that none of them has; DataError for files that cannot be read, and for a text
    without words.
    """
    loaded = [load_language_model(name) for name in models]
    if mask_rate is not None and not 0 < mask_rate < 1:
        raise SettingError("--mask-rate takes a fraction between 0 and 1")
    for option, value in (("--mask-rate", mask_rate), ("--seeds", seeds), ("--pseudo", pseudo)):
        _check(loaded, MASKED, option, value)
    _check(loaded, NEXT_WORD, "--state", state)
    torch_device = pick_device(device)
    choice = tokenizer_of_text(loaded, path, tokenizer, language, raw, format)
    if choice.note:
        report(choice.note)
    tokenize = load_tokenizer(choice.name, raw, language_of_run(loaded, language))
    state, seeds = state or "stream", seeds or SEEDS
    readers = [_Reader(model, _predictor(model, state, mask_rate, seeds, pseudo)) for model in loaded]
    for model in loaded:
        model.network.to(torch_device)
    for window in windows_of(read_sentences(path, tokenize, format), lambda sentence: len(sentence.tokens)):
        for reader in readers:
            reader.read(window)
    for reader in readers:
        if not reader.text.words:
            raise DataError(f"{reader.model.name} reads no words here: empty, blank or only punctuation", path)
    notes = [note for other in loaded[1:] for note in _differences(_compared_with(other, loaded), other, mask_rate)]
    return Perplexities([reader.result() for reader in readers], _protocol(loaded, state, seeds, pseudo), notes)


@dataclass
class _Reader:
    """A model, its predictor, and what it has read so far."""

    model: LoadedLanguageModel
    predictor: _Stream | _Sentences | _Masks
    text: TextCounts = field(default_factory=TextCounts)

    def read(self, window: Iterable[Sentence]) -> None:
        sentences = []
        for sentence in window:
            forms = normalized(sentence.tokens, self.model.text)
            tokens = [token for token, form in zip(sentence.tokens, forms, strict=True) if form is not None]
            if tokens:
                indices = self.model.indices(tokens)
                unknown = sum(map(self.model.is_unknown, indices))
                self.text += TextCounts(len(tokens), unknown, sum(map(len, tokens)) + len(tokens))
                sentences.append(indices)
        if sentences:
            self.predictor.read(sentences)

    def result(self) -> ModelPerplexity:
        name, kind, objective = self.model.name, self.model.kind, self.model.objective
        return ModelPerplexity(name, kind, objective, self.text, **self.predictor.result())


def _predictor(
    model: LoadedLanguageModel, state: StateRule, mask_rate: float | None, seeds: int, pseudo: bool
) -> _Stream | _Sentences | _Masks:
    """What predicts the words of a text: ``read`` takes the next sentences, as indices, none of them empty; ``result``
    gives the fields of `ModelPerplexity` that say how well the words were predicted."""
    if model.objective == MASKED:
        return _Masks(model, mask_rate or model.mask_rate, seeds, pseudo)
    return _Stream(model) if state == "stream" else _Sentences(model)


@dataclass
class _NextWords:
    """What a model of the next word has predicted so far."""

    model: LoadedLanguageModel
    predictions: Predictions = field(default_factory=Predictions)

    def result(self) -> dict[str, Any]:
        return {"runs": [self.predictions]}


@dataclass
class _Stream(_NextWords):
    """One stream of all sentences, whose state runs on."""

    state: State | None = None

    def read(self, sentences: Sequence[Sequence[int]]) -> None:
        # Before the first word is the <eos> of the sentence before, or that which begins the stream.
        stream = torch.tensor([[END_INDEX, *(index for sentence in sentences for index in (*sentence, END_INDEX))]])
        following = predicted_as(stream[:, 1:], self.model.vocabulary.first_class)
        parts = zip(torch.split(stream[:, :-1], SEGMENT, 1), torch.split(following, SEGMENT, 1), strict=True)
        for words, targets in parts:
            batch = without_padding(words, targets)._replace(state=self.state)
            likelihoods, self.state = log_likelihoods(self.model, batch)
            self.predictions += Predictions(-float(likelihoods.sum()), len(likelihoods))


class _Sentences(_NextWords):
    """Each sentence from zero state."""

    def read(self, sentences: Sequence[Sequence[int]]) -> None:
        scores = sentence_scores(self.model, list(map(tuple, sentences)))
        self.predictions += Predictions(-sum(scores), sum(len(sentence) + 1 for sentence in sentences))


class _Masks:
    """Masked words of each sentence, several times with other masks; and, with ``pseudo``, each word alone."""

    def __init__(self, model: LoadedLanguageModel, rate: float, seeds: int, pseudo: bool) -> None:
        self.model, self.rate = model, rate
        self.generators = [torch.Generator().manual_seed(seed) for seed in range(1, seeds + 1)]
        self.runs = [Predictions()] * seeds
        self.alone = Predictions() if pseudo else None

    def read(self, sentences: Sequence[Sequence[int]]) -> None:
        first_class = self.model.vocabulary.first_class
        for pieces in batches_by_length(list(map(len, sentences)), range(len(sentences)), BATCH_WORDS):
            words, lengths = padded([sentences[piece.sentence][piece.start : piece.end] for piece in pieces])
            read = torch.from_numpy(words), torch.from_numpy(lengths)
            for number, generator in enumerate(self.generators):
                likelihoods, _ = log_likelihoods(self.model, mask_words(*read, self.rate, generator, first_class))
                self.runs[number] += Predictions(-float(likelihoods.sum()), len(likelihoods))
        if self.alone is not None:
            cut = [
                tuple(words[start : start + LONGEST]) for words in sentences for start in range(0, len(words), LONGEST)
            ]
            known = sum(not self.model.is_unknown(index) for sentence in cut for index in sentence)
            self.alone += Predictions(-sum(sentence_scores(self.model, cut)), known)

    def result(self) -> dict[str, Any]:
        return {"runs": self.runs, "mask_rate": self.rate, "pseudo": self.alone}


def _check(models: Sequence[LoadedLanguageModel], objective: Objective, option: str, value: object) -> None:
    """Raises SettingError for an option that is given, but for models of which there are none."""
    if value and not any(model.objective == objective for model in models):
        able = {MASKED: "masked models", NEXT_WORD: "models of the next word"}[objective]
        raise SettingError(f"{option} is for {able} ({', '.join(kinds(objective))}); there are none here")


def _protocol(models: Sequence[LoadedLanguageModel], state: StateRule, seeds: int, pseudo: bool) -> str:
    parts = []
    if any(model.objective == NEXT_WORD for model in models):
        where = "one stream with running state" if state == "stream" else "each sentence from zero state"
        parts += [
            f"next word: {where}, <eos> is predicted, unknown words as <unk>",
            "per word: the same nats, over words without <eos>",
            "bits per character: words as they are written and a blank after each; a lower bound, since <unk> costs "
            "less than the spelling of an unknown word",
        ]
    if any(model.objective == MASKED for model in models):
        masks = "seed 1" if seeds == 1 else f"seeds 1 to {seeds}, mean and deviation"
        parts.append(f"masked: masks of {masks}; <unk> is neither masked nor predicted")
    if pseudo:
        parts.append("masked, per word: pseudo-perplexity, each known word masked alone")
    return "; ".join(parts)


def _compared_with(other: LoadedLanguageModel, models: Sequence[LoadedLanguageModel]) -> LoadedLanguageModel:
    """The first model that predicts the same kind of words; if that is this one, the first of all."""
    first = next(model for model in models if model.objective == other.objective)
    return models[0] if first is other else first


def _differences(first: LoadedLanguageModel, other: LoadedLanguageModel, mask_rate: float | None) -> Iterator[str]:
    """Why the perplexities of two models cannot be compared: a line for each reason."""
    names = f"{first.name} and {other.name} cannot be compared"
    if first.objective != other.objective:
        yield f"{names}: one predicts masked words, the other the next word"
        return
    for setting in ("lowercase", "digits", "punctuation"):
        first_value, other_value = getattr(first.text, setting), getattr(other.text, setting)
        if first_value != other_value:
            yield f"{names}: they read other words, text.{setting} is {first_value!r} and {other_value!r}"
    known = [model.vocabulary.words[: model.vocabulary.first_class] for model in (first, other)]
    if known[0] != known[1]:
        sizes = " and ".join(str(len(words) - len(SPECIAL)) for words in known)
        yield f"{names}: their vocabularies differ ({sizes} words), and other words are unknown"
    if first.objective == MASKED and mask_rate is None and first.mask_rate != other.mask_rate:
        yield f"{names}: their mask rates are {first.mask_rate} and {other.mask_rate}; choose one by --mask-rate"
