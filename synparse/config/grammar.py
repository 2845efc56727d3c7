"""How grammars are learned: the grammar section of a recipe, and of the config of several models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from synparse.config.training import Count, CountOrZero
from synparse.corpora.word_classes import MOST_WORDS, WordClassConfig
from synparse.inducers.configurations import NonNegative
from synparse.trees.function_words import LEARNED_CONVENTIONS, MOST_FREQUENT

MostFrequent = Annotated[int, Meta(ge=1, le=MOST_WORDS)]


@dataclass(frozen=True)
class GrammarConfig(WordClassConfig):
    """The settings of word classes and of the grammars over them, which learn from the networks so far, if any.

    parts: ``all``: the dependency-and-boundary model and class grammars; ``dependencies``: the first alone; ``none``.
    context_sentences: how many sentences of any length, at most, classes in context, base phrases and verbs are learned
    from. context_passes: passes of EM by which words in context get classes of their own
    (`synparse.inducers.class_tagger`); 0: a word has the same class everywhere. phrase_passes: passes of EM by which
    base phrases are learned (`synparse.inducers.base_phrases`), at most; 0: none are. branching: how what is between
    base phrases branches, ``right``, ``left`` or ``none``; ``auto``: as clear relators tell, else to the side of
    sentences where words and their endings vary more; ``none`` if both sides are alike (`synparse.corpora.branching`).
    function_words: how many of the most frequent words are function words; ``auto``: determined from the word classes
    (`synparse.corpora.closed_classes`). directions: ``auto``: where function words point, and, in a language that
    branches to the left, on the right, heads are more probable at the start of EM (`synparse.corpora.branching`), and
    verbs are heads (`synparse.corpora.verbs`); ``none``: neither. sentences, longest: how many sentences they learn
    from, at most, and how many tokens these have, at most; class_grammar_sentences: how many of these the class
    grammars learn from, which take the longest. Short sentences give better grammars (Spitkovsky et al., 2010, "From
    Baby Steps to Leapfrog: How 'Less is More' in Unsupervised Dependency Parsing", where up to 15 words did best).
    stops: what the probability to stop depends on once a head has dependents: the class of the ``outermost`` word so
    far (DBM), or of the ``head`` (DMV). dependency_passes: passes of EM. link_strength: power of the network's
    undirected links in the weights of arcs; 0: its head scores are left out, in parsing too. That is so for a network
    that predicts words worse than bigrams of word classes do. class_grammars: how many class grammars, which differ by
    their random start; their posteriors are averaged. nonterminals: of each. grammar_passes: passes of EM.
    span_strengths: powers of span scores in the weights of spans. None is known to be right without a treebank, so the
    grammars take these in turn. focused_passes: passes over the sentences of any length by which another class
    grammar is learned, focused on the trees that the others think possible (`synparse.training.focused_grammar`); 0:
    none is. focused_nonterminals: of this grammar. punctuation: ``evidence``: learn with punctuation cues; ``ignore``:
    without.
    """

    parts: Literal["all", "dependencies", "none"] = "all"
    context_sentences: Count = 40_000
    context_passes: CountOrZero = 6
    phrase_passes: CountOrZero = 40
    branching: Literal["auto", "right", "left", "none"] = "auto"
    function_words: Literal["auto"] | MostFrequent = MOST_FREQUENT
    directions: Literal["auto", "none"] = "auto"
    sentences: Count = 16_000
    class_grammar_sentences: Count = 16_000
    longest: Annotated[int, Meta(ge=2, le=200)] = 15
    stops: Literal["outermost", "head"] = "outermost"
    dependency_passes: CountOrZero = 25
    link_strength: NonNegative = 1.0
    class_grammars: Annotated[int, Meta(ge=1, le=100)] = 3
    nonterminals: Annotated[int, Meta(ge=1, le=1000)] = 30
    grammar_passes: CountOrZero = 30
    span_strengths: Annotated[tuple[NonNegative, ...], Meta(min_length=1, max_length=100)] = (1.0, 2.0, 4.0)
    focused_passes: CountOrZero = 0
    focused_nonterminals: Annotated[int, Meta(ge=1, le=1000)] = 60
    punctuation: Literal["evidence", "ignore"] = "evidence"

    @property
    def parameters(self) -> int:
        """The number of probabilities of all grammars: of the dependency model, for each learned convention of function
        words, and of class grammars."""
        if self.parts == "none":
            return 0
        C, N = self.classes + 1, self.nonterminals
        dependencies = len(LEARNED_CONVENTIONS) * (C + 4 * C + 4 * C * C)
        if self.parts == "dependencies":
            return dependencies
        sizes = [N] * self.class_grammars + [self.focused_nonterminals] * (self.focused_passes > 0)
        return dependencies + sum(size + 2 * size * (size + C) for size in sizes)
