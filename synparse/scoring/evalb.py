"""EVALB's scores of bracketed trees, by its parameter file.

Sekine and Collins (1997), https://nlp.cs.nyu.edu/evalb/. Its rules, as its source code has them:

- A terminal whose tag is in DELETE_LABEL leaves its tree, by the tag that its own tree gives it; constituents left
  empty leave too. Labels lose what follows a ``-`` or ``=``; constituents with a label in DELETE_LABEL do not count.
  The span of the whole sentence counts, one-word spans count, and so does each constituent of a unary chain.
- A gold constituent matches a predicted one with the same span and (LABELED 1) the same label, each at most once;
  EQ_LABEL and EQ_WORD name pairs that are the same. A complete match has nothing else on either side.
- Crossing are predicted constituents that overlap a gold one without containing it or being inside it.
- Where the terminals that are left are not as many or not the same words, the sentence is an error and not scored; more
  than MAX_ERROR + 1 of these end the run. Terminals whose word is a quote and whose tag is in QUOTE_LABEL are put back
  where one tree deletes them and the other does not.
- The second table is of sentences of CUTOFF_LEN gold terminals or fewer, not counting tags in DELETE_LABEL_FOR_LENGTH.

Two rules are added for induced trees: a prediction without any tag loses the terminals that gold loses (and gold those
that the prediction lacks), and a tree with no label but ``X`` is compared without labels. An outermost bracket without
label is not counted (EVALB's own gold files call it TOP and delete it). Hand-worked; gold has S, NP and VP, the
prediction S and a VP that crosses the NP:

    >>> from synparse.trees.brackets import read_brackets
    >>> [(_, gold)] = read_brackets(["(S (NP (DT the) (NN dog)) (VP (VBD barked)) (. .))"], "gold")
    >>> [(_, pred)] = read_brackets(["(S (DT the) (VP (NN dog) (VBD barked)) (. .))"], "pred")
    >>> counts = score_trees(gold, pred, Parameters())
    >>> counts.matched, counts.gold, counts.predicted, counts.crossing, counts.correct_tags
    (1, 3, 2, 1, 3)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

from synparse.scoring.constituency import bare_label
from synparse.scoring.counts import Counts, ratio
from synparse.trees.constituency import INDUCED_LABEL, ConstituencyTree, Constituent
from synparse.trees.errors import DataError
from synparse.trees.scored_words import NO_WORDS, kept_leaves
from synparse.trees.spans import constituents_of_kept, with_words

_NUMBER = re.compile(r"[0-9]{1,9}\Z")
_QUOTES = frozenset({"'", '"', "/"})

Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Parameters:
    """A parameter file's values; by default those of COLLINS.prm, with ROOT and S1 deleted as TOP is."""

    labelled: bool = True
    cutoff: int = 40
    max_errors: int = 10
    deleted: frozenset[str] = frozenset({"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."})
    deleted_for_length: frozenset[str] = frozenset({"-NONE-"})
    equal_labels: Pairs = frozenset({("ADVP", "PRT"), ("PRT", "ADVP")})
    equal_words: Pairs = frozenset()
    quotes: frozenset[str] = frozenset()

    @property
    def rule(self) -> str:
        """In one line, for the output."""
        labelled = "labelled" if self.labelled else "unlabelled"
        return (
            f"evalb: {labelled} constituents, among them the whole sentence, one-word spans and unary chains; "
            f"deleted: {' '.join(sorted(self.deleted))}; induced trees, all X, without labels (Sekine and Collins 1997)"
        )


def read_parameters(lines: Iterable[str], source: str) -> Parameters:
    """The values of a parameter file: a name and its value on each line, ``#`` begins a comment line.

    What the file does not name is not deleted and not equal; CUTOFF_LEN is 40, MAX_ERROR 10, LABELED 1. DEBUG is read
    and ignored. Raises DataError(source:line) for other names, and for values that are none.
    """
    numbers = {"LABELED": 1, "CUTOFF_LEN": 40, "MAX_ERROR": 10, "DEBUG": 0}
    sets: dict[str, set[str]] = {name: set() for name in ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")}
    pairs: dict[str, set[tuple[str, str]]] = {"EQ_LABEL": set(), "EQ_WORD": set()}
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        name, *values = line.split()
        if name not in (known := [*numbers, *sets, *pairs]):
            raise DataError(f"{name!r} is not an EVALB parameter; known are {', '.join(known)}", source, number)
        what = "two values" if name in pairs else "a whole number" if name in numbers else "one value"
        if len(values) != 1 + (name in pairs) or (name in numbers and not _NUMBER.match(values[0])):
            raise DataError(f"{name} takes {what}, not {' '.join(values)!r}", source, number)
        if name in numbers:
            numbers[name] = int(values[0])
        elif name in sets:
            sets[name].add(values[0])
        else:
            pairs[name] |= {(values[0], values[1]), (values[1], values[0])}
    labelled, cutoff, max_errors, _ = numbers.values()
    deleted, deleted_for_length, quotes = map(frozenset, sets.values())
    equal_labels, equal_words = map(frozenset, pairs.values())
    return Parameters(
        bool(labelled), cutoff, max_errors, deleted, deleted_for_length, equal_labels, equal_words, quotes
    )


@dataclass(frozen=True, slots=True)
class EvalbCounts(Counts):
    """Counts that add up over sentences; only the first two and ``skipped`` count sentences that are not scored."""

    sentences: int = 0
    errors: int = 0
    skipped: int = 0
    matched: int = 0
    gold: int = 0
    predicted: int = 0
    complete: int = 0
    crossing: int = 0
    without_crossing: int = 0
    two_or_less: int = 0
    words: int = 0
    correct_tags: int = 0

    def scores(self) -> dict[str, float | int | None]:
        """Numbers of sentences, ratios (0 … 1), crossing constituents a sentence; None where nothing is scored."""
        valid = self.sentences - self.errors - self.skipped
        return {
            "valid_sentences": valid,
            "error_sentences": self.errors,
            "skipped_sentences": self.skipped,
            "recall": ratio(self.matched, self.gold),
            "precision": ratio(self.matched, self.predicted),
            "fmeasure": ratio(2 * self.matched, self.gold + self.predicted),
            "complete_match": ratio(self.complete, valid),
            "average_crossing": ratio(self.crossing, valid),
            "no_crossing": ratio(self.without_crossing, valid),
            "two_or_less_crossing": ratio(self.two_or_less, valid),
            "tagging_accuracy": ratio(self.correct_tags, self.words),
        }


def sentence_length(gold: ConstituencyTree, parameters: Parameters) -> int:
    """The number of gold terminals that CUTOFF_LEN is compared with."""
    return sum(tag not in parameters.deleted_for_length for tag in gold.tags)


def score_trees(gold: ConstituencyTree, predicted: ConstituencyTree, parameters: Parameters) -> EvalbCounts:
    """The counts of one sentence; one error where the terminals that are left do not line up."""
    gold_kept, kept = _kept(gold, predicted, parameters)
    words, tags = list(compress(predicted.words, kept)), list(compress(predicted.tags, kept))
    gold_words, gold_tags = list(compress(gold.words, gold_kept)), list(compress(gold.tags, gold_kept))
    if not words:
        return EvalbCounts(sentences=1, skipped=1)
    if len(words) != len(gold_words) or any(
        pair[0] != pair[1] and pair not in parameters.equal_words for pair in zip(gold_words, words, strict=True)
    ):
        return EvalbCounts(sentences=1, errors=1)
    ours, theirs = _brackets(predicted, kept, parameters), _brackets(gold, gold_kept, parameters)
    matched = _matched(theirs, ours, parameters)
    gold_spans = {(start, end) for _, start, end in theirs}
    odd = [(start, end) for _, start, end in ours if (start, end) not in gold_spans]
    crossing = sum(any(a < start < b < end or start < a < end < b for a, b in gold_spans) for start, end in odd)
    return EvalbCounts(
        sentences=1,
        matched=matched,
        gold=len(theirs),
        predicted=len(ours),
        complete=int(matched == len(ours) == len(theirs)),
        crossing=crossing,
        without_crossing=int(crossing == 0),
        two_or_less=int(crossing <= 2),
        words=len(words),
        correct_tags=sum(
            pair[0] == pair[1] or pair in parameters.equal_labels for pair in zip(gold_tags, tags, strict=True)
        ),
    )


def without_deleted(gold: ConstituencyTree, predicted: ConstituencyTree, parameters: Parameters) -> ConstituencyTree:
    """The predicted tree over the terminals that are left when it is scored against gold; it may have no tags itself to
    say which."""
    return with_words(predicted, _kept(gold, predicted, parameters)[1])


def _kept(
    gold: ConstituencyTree, predicted: ConstituencyTree, parameters: Parameters
) -> tuple[Sequence[bool], Sequence[bool]]:
    """Which terminals of the two trees are left."""
    gold_kept = [tag not in parameters.deleted for tag in gold.tags]
    if not any(predicted.tags):
        return _kept_without_tags(gold, gold_kept, predicted)
    kept = [tag not in parameters.deleted for tag in predicted.tags]
    # Traces, which one tree may have and the other not, stand beside nothing.
    gold_words, words = ([at for at, tag in enumerate(tree.tags) if tag not in NO_WORDS] for tree in (gold, predicted))
    if parameters.quotes and sum(kept) != sum(gold_kept) and len(words) == len(gold_words):
        for gold_word, word in zip(gold_words, words, strict=True):
            is_quote = gold.words[gold_word] in _QUOTES
            if is_quote and {gold.tags[gold_word], predicted.tags[word]} <= parameters.quotes:
                gold_kept[gold_word] = kept[word] = gold_kept[gold_word] or kept[word]
    return gold_kept, kept


def _kept_without_tags(
    gold: ConstituencyTree, gold_kept: Sequence[bool], predicted: ConstituencyTree
) -> tuple[Sequence[bool], Sequence[bool]]:
    """The same for a prediction without tags. What it lacks of the gold's words leaves both trees: traces, what gold
    deletes, or all that UF1 leaves out. Where gold has fewer words, the prediction's punctuation leaves it."""
    words = list(predicted.words)
    everything, visible = [True] * len(gold), [tag not in NO_WORDS for tag in gold.tags]
    for present in (everything, visible, gold_kept, kept_leaves(gold)):
        if words == list(compress(gold.words, present)):
            both = [is_kept and is_present for is_kept, is_present in zip(gold_kept, present, strict=True)]
            return both, list(compress(gold_kept, present))
    return gold_kept, kept_leaves(predicted)


def _brackets(tree: ConstituencyTree, kept: Sequence[bool], parameters: Parameters) -> list[Constituent]:
    """The constituents that count, over the terminals that are left, in pre-order."""
    brackets = (
        Constituent(bare_label(label), start, end) for label, start, end in constituents_of_kept(tree, kept) if label
    )
    equal = {label for label, same in parameters.equal_labels if same in parameters.deleted} | parameters.deleted
    return [bracket for bracket in brackets if bracket.label not in equal]


def _matched(gold: Sequence[Constituent], predicted: Sequence[Constituent], parameters: Parameters) -> int:
    """Gold constituents, each with the first predicted one that is not taken yet and is the same."""
    labels_at: dict[tuple[int, int], list[str]] = {}
    for label, start, end in predicted:
        labels_at.setdefault((start, end), []).append(label)
    unlabelled = not parameters.labelled or all(label == INDUCED_LABEL for label, _, _ in predicted)
    matched = 0
    for label, start, end in gold:
        free = labels_at.get((start, end), [])
        for position, other in enumerate(free):
            if unlabelled or label == other or (label, other) in parameters.equal_labels:
                del free[position]
                matched += 1
                break
    return matched


def summary(counts: EvalbCounts, short: EvalbCounts, cutoff: int) -> str:
    """EVALB's summary of all sentences and of those of ``cutoff`` terminals or fewer, line by line as it prints it."""
    return f"=== Summary ===\n\n-- All --\n{_block(counts)}\n-- len<={cutoff} --\n{_block(short)}"


SUMMARY = {
    "sentences": "Number of sentence",
    "error_sentences": "Number of Error sentence",
    "skipped_sentences": "Number of Skip  sentence",
    "valid_sentences": "Number of Valid sentence",
    "recall": "Bracketing Recall",
    "precision": "Bracketing Precision",
    "fmeasure": "Bracketing FMeasure",
    "complete_match": "Complete match",
    "average_crossing": "Average crossing",
    "no_crossing": "No crossing",
    "two_or_less_crossing": "2 or less crossing",
    "tagging_accuracy": "Tagging accuracy",
}
"""The lines of EVALB's summary, by score."""


def _block(counts: EvalbCounts) -> str:
    scores = {"sentences": counts.sentences, **counts.scores()}
    lines = []
    for key, title in SUMMARY.items():
        value = scores[key] or 0
        scale = 1 if key == "average_crossing" else 100
        lines.append(f"{title:<25} = {value if key.endswith('sentences') else f'{scale * value:.2f}':>6}\n")
    return "".join(lines)
