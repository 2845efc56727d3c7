"""Labels cannot be induced: at the end of a run, the names of tags, relations and constituents are learned from given
trees (``train --trees``), if these have any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from synparse.config.parsing import CONSTITUENTS, LABEL_KINDS, RELATIONS, TAGS
from synparse.inducers.log_linear import learned
from synparse.parsing.learned_labels import Words, features_of_arcs, features_of_constituent, features_of_words
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.store.labels import LearnedLabels
from synparse.store.models import LABEL
from synparse.training.given_trees import GivenTree, completed
from synparse.trees.conllu import OTHER_RELATION, UNKNOWN
from synparse.trees.constituency import INDUCED_LABEL
from synparse.trees.given import FLAT

NO_LABELS = {UNKNOWN, "", INDUCED_LABEL, OTHER_RELATION}
"""The values of unknown tags, labels and relations."""


def learned_labels(model: Path, trees: Sequence[GivenTree], device: str = "auto", seed: int = 1) -> LearnedLabels:
    """Classifiers of the labels of these trees; the model in a directory fills gaps in the trees."""
    if not trees:
        return {}
    examples: dict[str, tuple[list[list[str]], list[str]]] = {kind: ([], []) for kind in LABEL_KINDS}
    parser = Parser.load(model, ParserOptions(device=device))
    for tree, parse in completed(parser, trees, Request(tags=parser.names_classes)):
        for kind, features, name in _labelled(tree, parse):
            if name not in NO_LABELS and LABEL.fullmatch(name):
                examples[kind][0].append(features)
                examples[kind][1].append(name)
    return {kind: learned(features, names, seed) for kind, (features, names) in examples.items() if len(set(names)) > 1}


def _labelled(tree: GivenTree, parse: Parse) -> Iterator[tuple[str, list[str], str]]:
    """What has a label: its kind, its features and the label."""
    words, upos, relations = Words(parse.tokens, parse.tags), tree.sentence.upos, tree.sentence.relations
    if upos is not None:
        for features, name in zip(features_of_words(words), upos, strict=True):
            yield TAGS, features, name
    if relations is not None and tree.draft.given.heads and parse.heads is not None:
        arcs = zip(parse.heads, tree.draft.given.heads, features_of_arcs(words, parse.heads), strict=True)
        for (head, given, features), name in zip(arcs, relations, strict=True):
            if head and given is not None:
                yield RELATIONS, features, name
    for label, start, end in tree.draft.constituents:
        yield CONSTITUENTS, features_of_constituent(words, start, end), label.removesuffix(FLAT)
