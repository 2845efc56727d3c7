"""The grammars of a model directory: classes.tsv, the classes of words, and grammar.safetensors, the probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, compress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.config.grammar import GrammarConfig
from synparse.corpora.closed_classes import commonest_words, function_words_of_classes, is_mostly_closed, is_synthetic
from synparse.corpora.fixed_expressions import NONE
from synparse.corpora.normalization import TextConfig
from synparse.corpora.verbs import Verbs
from synparse.corpora.word_classes import WordClasses
from synparse.files.folders import Content, stored
from synparse.inducers.base_phrases import PAIRS, Chunker, adpositions, ends_phrases
from synparse.inducers.class_grammar import ClassGrammars
from synparse.inducers.class_tagger import CANDIDATES, ClassTagger, fractions_of_classes
from synparse.inducers.dependency_boundary import DependencyModel
from synparse.inducers.head_choice import ROWS
from synparse.store.model_directory import CLASSES, CONFIG, GRAMMAR, file_to_read, traits_of
from synparse.store.models import Model, folder_in, open_model
from synparse.store.shipped import shipped_models
from synparse.store.weights import Shapes, read_arrays, refuse_other_shapes, weight_shapes
from synparse.trees.errors import DataError
from synparse.trees.function_words import LEARNED_CONVENTIONS, LearnedConvention
from synparse.trees.spans import LEFT, RIGHT


@dataclass(frozen=True)
class Grammars:
    """Word classes, and what was learned on them so far.

    tagger: predicts the classes of words in context, None if each word has one class; chunker: of base phrases, or
    None. Both read words as members of the classes. dependencies: a model for each convention of function words
    (`synparse.trees.function_words`), or none yet; constituents: class grammars, or None; focused: one more,
    learned from what these see (`synparse.training.focused_grammar`), or None; head_choice: the weights of
    `synparse.inducers.head_choice`, None if no heads were given; firsts [M]: with which member of the classes each one
    is a fixed expression (`synparse.corpora.fixed_expressions`), None where phrases do not branch to the left;
    conjunctions [M]: which members of the classes are some (`synparse.corpora.conjunctions`), None if not known.
    """

    config: GrammarConfig
    classes: WordClasses
    tagger: ClassTagger | None = None
    chunker: Chunker | None = None
    verbs: Verbs | None = None
    dependencies: Mapping[LearnedConvention, DependencyModel] = field(default_factory=dict)
    constituents: ClassGrammars | None = None
    focused: ClassGrammars | None = None
    head_choice: NDArray[Any] | None = None
    firsts: NDArray[Any] | None = None
    conjunctions: NDArray[np.bool_] | None = None

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The normalised forms of the function words."""
        count = self.config.function_words
        if count == "auto":
            verbs = self.verbs
            kinds = (
                [] if verbs is None else [np.flatnonzero(kind).tolist() for kind in (verbs.auxiliaries, verbs.closed)]
            )
            return function_words_of_classes(self.classes, self.marked_by_endings, *kinds)
        return commonest_words(self.classes, count)

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The function words without dependents, if function words are leaves: all but those that end phrases, such as
        *years*, provided that the classes separate function words from others."""
        if self.chunker is None or self.config.branching != RIGHT or not self._tells_function_words:
            return self.function_words
        return self.function_words - self._types(ends_phrases(self.chunker))

    @cached_property
    def function_classes(self) -> NDArray[np.bool_]:
        """For each word class [C], whether at least half of its words are `leaves`: *have* has dependents where its
        class is that of *get* and *make*."""
        if self.tagger is None or not self._tells_function_words:
            return np.ones(self.classes.size, bool)
        are_leaves = np.array([member.type in self.leaves for member in self.classes.members])
        return fractions_of_classes(self.tagger, are_leaves) >= 0.5

    @cached_property
    def _tells_function_words(self) -> bool:
        """Whether the classes separate function words from others; not if nearly all words of a text are in closed
        classes."""
        return not is_mostly_closed(self.classes)

    @cached_property
    def marked_by_endings(self) -> bool:
        """Whether endings mark relations, as in Turkish: whether the language branches to the left, but has few
        relators after what they mark."""
        return self.config.branching == LEFT and is_synthetic(self.classes)

    @cached_property
    def adpositions(self) -> frozenset[str]:
        """The function words that are adpositions, determined by base phrases; none without these."""
        if self.chunker is None:
            return frozenset()
        return self.function_words & self._types(adpositions(self.chunker, self.config.branching))

    @cached_property
    def conjunction_words(self) -> frozenset[str]:
        """The normalised forms of the conjunctions; none where they are not known."""
        return frozenset() if self.conjunctions is None else self._types(self.conjunctions)

    @cached_property
    def leaves_but_adpositions(self) -> frozenset[str]:
        """The `leaves` that have no dependents even if function words are free: where phrases branch to the right, and
        text tells function words and adpositions, all but adpositions; else none."""
        if self.config.branching != RIGHT or not self._tells_function_words or not self.adpositions:
            return frozenset()
        return self.leaves - self.adpositions

    def leaves_in(self, words: Sequence[str], classes: NDArray[Any], leaves: Container[str]) -> list[bool]:
        """Which words of a sentence are among these ``leaves``, and have one of the `function_classes` there. classes
        [T]: of the normalized ``words``."""
        are_closed = self.function_classes[classes].tolist()
        return [is_closed and word in leaves for word, is_closed in zip(words, are_closed, strict=True)]

    def fixed_in(self, numbers: NDArray[Any], are_leaves: Sequence[bool]) -> NDArray[np.bool_]:
        """Which words of a sentence are in a fixed expression with the word before them, both being leaves. numbers
        [T]: of the words, as the classes know them."""
        are_fixed = np.zeros(len(numbers), bool)
        if self.firsts is not None:
            both = np.array(are_leaves, bool)
            are_fixed[1:] = both[1:] & both[:-1] & (self.firsts[numbers[1:]] == numbers[:-1])
        return are_fixed

    def verbs_in(self, words: Sequence[str | None], classes: Sequence[int] | NDArray[Any]) -> NDArray[np.bool_]:
        """Which words of a sentence are verbs, function words aside; none where verbs are not known. classes [T]: of
        the normalized ``words``, which are None for punctuation."""
        if self.verbs is None:
            return np.zeros(len(words), bool)
        are_function = [word in self.function_words for word in words]
        are_verbs: NDArray[np.bool_] = self.verbs.classes[np.asarray(classes, np.int64)] & ~np.array(are_function, bool)
        return are_verbs

    def _types(self, are_meant: NDArray[np.bool_]) -> frozenset[str]:
        """The members of classes that are meant, as words. are_meant [M]"""
        return frozenset(member.type for member in compress(self.classes.members, are_meant))


def leaves_of_sets(sets: Sequence[Grammars]) -> list[frozenset[str]]:
    """The `Grammars.leaves` of each set of those that parse together.

    If at least half of the sets know verbs of closed classes, the others take these for function words, so all have the
    leaves of at least half of the sets. Elsewhere each set has its own: it is better there that words which are leaves
    for a few sets, such as auxiliaries, have fewer dependents than others.
    """
    know_closed_verbs = sum(grammars.verbs is not None and bool(grammars.verbs.closed.any()) for grammars in sets)
    if 2 * know_closed_verbs < len(sets):
        return [grammars.leaves for grammars in sets]
    votes = Counter(chain.from_iterable(grammars.leaves for grammars in sets))
    return [frozenset(word for word, count in votes.items() if 2 * count >= len(sets))] * len(sets)


CLASS, NONTERMINAL, PUNCTUATION = "C", "NT", "PUNCT"


def class_name(number: int, size: int) -> str:
    """The name of a word class, of which there are ``size``: C1 is the most frequent one, PUNCT that of punctuation."""
    return PUNCTUATION if number == size - 1 else f"{CLASS}{number + 1}"


def nonterminal_name(number: int) -> str:
    return f"{NONTERMINAL}{number + 1}"


_CONSTITUENTS, _TAGGER, _CHUNKER, _VERBS, _CHOICE, _FIXED = "grammar", "context", "phrases", "verbs", "choice", "fixed"
_FOCUSED, _CONJUNCTIONS = "focused", "conjunctions"


def grammar_files(grammars: Grammars) -> dict[str, Content]:
    """The files of a model directory, by name."""
    from safetensors.numpy import save_file

    parts: dict[str, Any] = {name: model._asdict() for name, model in grammars.dependencies.items()}
    others = {
        _TAGGER: grammars.tagger,
        _CHUNKER: grammars.chunker,
        _VERBS: grammars.verbs,
        _CONSTITUENTS: grammars.constituents,
        _FOCUSED: grammars.focused,
    }
    parts |= {name: part._asdict() for name, part in others.items() if part is not None}
    if grammars.head_choice is not None:
        parts[_CHOICE] = {"weights": grammars.head_choice}
    if grammars.firsts is not None:
        parts[_FIXED] = {"firsts": grammars.firsts}
    if grammars.conjunctions is not None:
        parts[_CONJUNCTIONS] = {"words": grammars.conjunctions}
    arrays = {
        f"{name}.{key}": np.ascontiguousarray(array, np.float32)
        for name, part in parts.items()
        for key, array in part.items()
        if key != "stops_by_head"
    }
    return {CLASSES: grammars.classes.write, GRAMMAR: lambda path: save_file(arrays, path)}


def has_grammars(directory: Path) -> bool:
    """Whether a model directory has word classes, and the grammars that were learned so far."""
    return stored(directory, GRAMMAR).exists()


def who_has_grammars() -> str:
    """A message: the shipped models with grammars, and how to train one."""
    shipped = [name for name in shipped_models() if open_model(name).grammars]
    having = f"{', '.join(shipped)} {'has' if len(shipped) == 1 else 'have'} them; " if shipped else ""
    return f"{having}train a model with grammars by: synparse train TEXT --model grammar"


def grammar_shapes(directory: Path) -> Shapes:
    """The name and shape of each array of a model's grammars; none without grammars. Raises DataError if their file is
    damaged."""
    return weight_shapes(file_to_read(directory, GRAMMAR, _MISSING)) if has_grammars(directory) else {}


def gives_heads(model: Model) -> bool:
    """Whether a model directory predicts heads, by its networks or by grammars. Raises DataError if the file of its
    grammars is damaged."""
    by_networks = any(traits_of(model.members[name].description).gives_heads for name in model.heads)
    folders = (folder_in(model.directory, grammars.folder) for grammars in model.grammars)
    return by_networks or any(_has_dependencies(grammar_shapes(folder)) for folder in folders)


def _has_dependencies(shapes: Shapes) -> bool:
    return any(name.partition(".")[0] in LEARNED_CONVENTIONS for name in shapes)


def read_grammars(directory: Path, text: TextConfig, config: GrammarConfig) -> Grammars | None:
    """The grammars of a model directory, learned with these settings; None if it has none.

    Raises DataError if a file is missing or damaged, or does not fit the others.
    """
    if not has_grammars(directory):
        return None
    classes = WordClasses.read(file_to_read(directory, CLASSES, _MISSING), text, config)
    path = file_to_read(directory, GRAMMAR, _MISSING)
    stored_shapes, C, M = weight_shapes(path), classes.size, len(classes.members)
    G, N, K, X = config.class_grammars, config.nonterminals, min(CANDIDATES, C), len(PAIRS)
    F = config.focused_nonterminals
    shapes: dict[str, Shapes] = {
        **{name: {"root": (C,), "stop": (C, 2, 2), "attach": (C, 2, 2, C)} for name in LEARNED_CONVENTIONS},
        _CONSTITUENTS: {"root": (G, N), "left": (G, N, N + C), "right": (G, N, N + C)},
        _FOCUSED: {"root": (1, F), "left": (1, F, F + C), "right": (1, F, F + C)},
        _TAGGER: {"transition": (C + 1, C + 1), "candidates": (M, K), "emission": (M, K)},
        _CHUNKER: {"start": (2,), "steps": (X,), "emission": (M, X)},
        _VERBS: {name: (C,) for name in Verbs._fields if name != "closed" or f"{_VERBS}.{name}" in stored_shapes},
        _CHOICE: {"weights": (ROWS,)},
        _FIXED: {"firsts": (M,)},
        _CONJUNCTIONS: {"words": (M,)},
    }
    there = {name for name, parts in shapes.items() if f"{name}.{next(iter(parts))}" in stored_shapes}
    if _has_dependencies(stored_shapes):
        there.update(LEARNED_CONVENTIONS)
    expected = {f"{name}.{part}": size for name in there for part, size in shapes[name].items()}
    refuse_other_shapes(path, stored_shapes, expected, f"does not fit {CLASSES} and {CONFIG}")
    arrays = {name: array.astype(np.float64) for name, array in read_arrays(path).items()}
    for array_name, array in arrays.items():
        if array_name == f"{_TAGGER}.candidates":
            _check_numbers(array_name, array, range(C), "class", path)
            if not np.diff(np.sort(array, axis=1)).all():
                raise DataError(f"damaged: {array_name} has a class of a word twice", str(path))
        elif array_name == f"{_FIXED}.firsts":
            _check_numbers(array_name, array, range(NONE, M), "word", path)
        elif array_name != f"{_CHOICE}.weights":
            _check_probabilities(array_name, array, path)
    parts = {name: {part: arrays[f"{name}.{part}"] for part in shapes[name]} for name in shapes if name in there}
    by_head = config.stops == "head"
    return Grammars(
        config,
        classes,
        ClassTagger(**parts[_TAGGER]) if _TAGGER in there else None,
        Chunker(**parts[_CHUNKER]) if _CHUNKER in there else None,
        Verbs(*(parts[_VERBS].get(name, np.zeros(C)) > 0 for name in Verbs._fields)) if _VERBS in there else None,
        {name: DependencyModel(**parts[name], stops_by_head=by_head) for name in LEARNED_CONVENTIONS if name in there},
        ClassGrammars(**parts[_CONSTITUENTS]) if _CONSTITUENTS in there else None,
        ClassGrammars(**parts[_FOCUSED]) if _FOCUSED in there else None,
        parts[_CHOICE]["weights"] if _CHOICE in there else None,
        parts[_FIXED]["firsts"].astype(np.int64) if _FIXED in there else None,
        parts[_CONJUNCTIONS]["words"] > 0 if _CONJUNCTIONS in there else None,
    )


class LoadedGrammars(NamedTuple):
    """A set of grammars, how it reads text, and the names of the models from which it learned."""

    grammars: Grammars
    text: TextConfig
    members: tuple[str, ...]


def find_grammars(model: Model) -> list[LoadedGrammars]:
    """The sets of grammars of a model directory. Raises as `read_grammars`."""
    loaded = []
    for entry in model.grammars:
        text = model.members[entry.members[0]].description.recipe.text
        folder = folder_in(model.directory, entry.folder)
        grammars = read_grammars(folder, text, entry.settings)
        if grammars is None:
            raise DataError(_MISSING, str(folder / GRAMMAR))
        loaded.append(LoadedGrammars(grammars, text, entry.members))
    return loaded


def _check_probabilities(name: str, array: NDArray[Any], path: Path) -> None:
    """Raises DataError for values that training cannot have produced."""
    if (array < 0).any() or (array > 1).any():
        raise DataError(f"damaged: a probability of {name} is not between 0 and 1", str(path))
    if not name.endswith(_NOT_DISTRIBUTIONS) and (abs(array.sum(-1) - 1) > _ROUNDING).any():
        raise DataError(f"damaged: probabilities of {name} do not add up to 1", str(path))
    if name.startswith(_NEVER_ZERO) and not array.all():
        raise DataError(f"damaged: a probability of {name} is 0, which no training leaves", str(path))
    if name == f"{_TAGGER}.emission" and not array.any(1).all():
        raise DataError(f"damaged: {name} has a word without a class", str(path))


def _check_numbers(name: str, array: NDArray[Any], numbers: range, what: str, path: Path) -> None:
    if (array < numbers.start).any() or (array >= numbers.stop).any() or (array != array.round()).any():
        raise DataError(f"damaged: {name} has numbers that are no {what}", str(path))


_NOT_DISTRIBUTIONS = (".stop", ".steps", ".emission", ".words", *(f"{_VERBS}.{name}" for name in Verbs._fields))
"""Arrays of probabilities that do not add up to 1 along their last axis."""

_NEVER_ZERO = (_CONSTITUENTS, _FOCUSED, _CHUNKER, f"{_TAGGER}.transition")
"""What the names of arrays of probabilities begin with that are smoothed."""

_ROUNDING = 1e-3
_MISSING = "the model has no such file, though it has grammars; fetch it again"
