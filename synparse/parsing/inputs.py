"""The sentences that a parser is given in Python: strings, tokens, and the trees and documents of other libraries."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any, cast

from synparse.corpora.sentences import Sentence
from synparse.corpora.tokenization import TokenizedSentence
from synparse.parsing.interchange import annotated_sentences, within_span, written_by_spacy, written_by_stanza
from synparse.parsing.parse import sentence_of_token_list, tree_of_nltk


def sentences_of_input(given: Any, with_trees: bool) -> Iterable[Any]:
    """The lines of a text; the sentences of a document of spaCy or Stanza, ``with_trees`` if these are to be kept; or
    what is an iterable of sentences already. Raises TypeError for other values."""
    if isinstance(given, str):
        return io.StringIO(given)
    if hasattr(given, "sents") or hasattr(given, "sentences"):
        if with_trees:
            return annotated_sentences(given)
        return within_span(given) if hasattr(given, "sents") else cast("Iterable[Any]", given.sentences)
    if isinstance(given, Iterable) and not isinstance(given, bytes | Mapping) and not hasattr(given, "leaves"):
        return given
    raise TypeError(
        "sentences must be a string (a sentence a line), a document of spaCy or Stanza, or an iterable of sentences, "
        f"such as a list, not {type(given).__name__}"
    )


def sentence_of_input(sentence: Any) -> Sentence:
    """A tree or a token list with what it has, or the strings of a sequence, or the texts of its tokens; those that
    spaCy makes of blanks are no words. Raises TypeError for other values, ValueError for an empty word."""
    if isinstance(sentence, Sentence):
        return sentence
    if isinstance(sentence, TokenizedSentence):
        return Sentence(sentence.words, surface=sentence.surface)
    if hasattr(sentence, "leaves"):  # of NLTK, which takes seconds to import
        tree = tree_of_nltk(sentence)
        return Sentence(tree.words, tree.tags, tree=tree)
    if hasattr(sentence, "metadata"):  # of conllu
        return sentence_of_token_list(sentence)
    surface = written_by_stanza(sentence)
    sentence = getattr(sentence, "words", sentence)  # of Stanza
    kind = type(sentence).__name__
    is_doc = hasattr(sentence, "sents") and not hasattr(sentence, "sent")  # of spaCy: a Span has both
    if isinstance(sentence, Iterable) and not isinstance(sentence, bytes | Mapping) and not is_doc:
        tokens = [token for token in sentence if not getattr(token, "is_space", False)]
        # Strings of NumPy, too, become Python's own, the only ones that spaCy takes.
        words = tuple(str(token) if isinstance(token, str) else getattr(token, "text", None) for token in tokens)
        if all(isinstance(word, str) for word in words):
            if "" in words:
                raise ValueError(f"word {words.index('') + 1} of a sentence is empty")
            return Sentence(cast("tuple[str, ...]", words), surface=surface or written_by_spacy(tokens))
        other = next(token for token, word in zip(tokens, words, strict=True) if not isinstance(word, str))
        kind = f"a {kind} with {type(other).__name__}"
    raise TypeError(
        "each of the sentences must be a string, a sequence of words, an nltk.Tree, a conllu.TokenList or a spaCy Span "
        f"(of doc.sents), not {kind}"
    )
