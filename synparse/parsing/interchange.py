"""Conversion of parses to tables of pandas and documents of spaCy and Stanza, and of these documents to parses.

A package is imported only where one of its objects is made. Objects that are read are recognised by their attributes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from synparse.corpora.sentences import Sentence
from synparse.files.extras import needing
from synparse.parsing.parse import Parse, names_of, parse_of_sentence
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import OTHER_RELATION, ROOT_RELATION, SurfaceToken, induced_relations, numbered_tokens
from synparse.trees.constituency import Constituent, format_brackets, tree_of
from synparse.trees.errors import DataError

if TYPE_CHECKING:
    import pandas
    import stanza
    from spacy.tokens import Doc, Span, Token
    from spacy.vocab import Vocab

COLUMNS = {"tag": "tags", "head": "heads", "relation": "relations", "head_probability": "head_probabilities"}
"""The columns of what a parse may have of each word, with its fields of a `Parse`."""

SPANS = "synparse"
"""The constituents of a spaCy ``Doc`` are its ``doc.spans["synparse"]``."""

SPACY_ROOT = "ROOT"
"""What spaCy calls the relation ``root``."""


def to_frame(parses: Parse | Iterable[Parse]) -> pandas.DataFrame:
    """A ``pandas.DataFrame`` with a row for each token.

    The columns ``sentence`` and ``position`` count from 1; ``word`` is the token, and ``read`` says whether the model
    read it. There are columns ``tag``, ``head`` (0 for the root), ``relation`` and ``head_probability`` if at least one
    of the parses has them.

    Raises DataError if pandas is not installed, TypeError for values that are not parses.
    """
    try:
        import pandas
    except ImportError:
        raise DataError("to_frame needs pandas: pip install pandas") from None
    parses = _listed(parses, "to_frame")
    table: dict[str, list[Any]] = {
        "sentence": [number for number, parse in enumerate(parses, 1) for _ in parse.tokens],
        "position": [position for parse in parses for position, _ in enumerate(parse.tokens, 1)],
        "word": [token for parse in parses for token in parse.tokens],
        "read": [is_read for parse in parses for is_read in parse.read],
    }
    for column, field in COLUMNS.items():
        if any(getattr(parse, field) is not None for parse in parses):
            values = (getattr(parse, field) or (None,) * len(parse.tokens) for parse in parses)
            table[column] = list(chain.from_iterable(values))
    return pandas.DataFrame(table)


def to_spacy(parses: Parse | Iterable[Parse], vocab: Vocab | None = None) -> Doc:
    """A spaCy ``Doc`` with a sentence for each parse that has words; ``vocab`` is that of a pipeline, if there is one.

    The text is that of the parses, except that multiword tokens whose words are spelled differently, which spaCy cannot
    represent, are replaced by these words, with blanks between them. The annotation is that of `annotate`.

    Raises DataError if spaCy is not installed, TypeError for values that are not parses.
    """
    with needing("to_spacy needs spaCy", "spacy"):
        import spacy
        from spacy.tokens import Doc
    parses = [parse for parse in _listed(parses, "to_spacy") if parse.tokens]
    words = [token for parse in parses for token in parse.tokens]
    starts = [position == 0 for parse in parses for position, _ in enumerate(parse.tokens)]
    spaces = list(chain.from_iterable(map(_spaces, parses)))
    # A vocabulary of a language, if of any, knows which tokens are blanks or punctuation.
    doc = Doc(spacy.blank("xx").vocab if vocab is None else vocab, words=words, spaces=spaces, sent_starts=starts)
    annotate(doc, list(zip(doc.sents, parses, strict=True)))
    return doc


def _spaces(parse: Parse) -> list[bool]:
    """Whether a blank follows each word."""
    spaces = [True] * len(parse.tokens)
    for first, last, token in numbered_tokens(parse.surface, len(parse.tokens)):
        if "".join(parse.tokens[first - 1 : last]) == token.form:
            spaces[first - 1 : last] = [False] * (last - first + 1)
        spaces[last - 1] = token.space_after
    return spaces


def annotate(doc: Doc, sentences: Sequence[tuple[Span, Parse]]) -> None:
    """Annotate a spaCy ``Doc`` with the parses of its sentences, which have its tokens without white space.

    Heads and relations are written to ``head`` and ``dep_``, if every parse has heads; word classes to ``tag_``; parts
    of speech to ``pos_``, or to ``tag_`` if spaCy does not know the name; constituents to ``doc.spans["synparse"]``;
    probabilities to ``token._.head_probability`` and ``span._.probability``. Annotation that the parses do not have is
    left as it is.
    """
    import numpy as np
    from spacy.parts_of_speech import IDS
    from spacy.tokens import Span, Token

    spans = []
    for sentence, parse in sentences:
        words = _words_of_parse(sentence, parse)
        for word, name in zip(words, parse.upos or (), strict=False):
            setattr(word, "pos_" if name in IDS else "tag_", name)
        for word, name in zip(words, parse.tags or (), strict=False):
            word.tag_ = name
        if parse.head_probabilities is not None:
            Token.set_extension("head_probability", default=None, force=True)
            for word, value in zip(words, parse.head_probabilities, strict=True):
                word._.head_probability = value
        constituents = () if parse.tree is None else parse.tree.constituents
        new = [Span(doc, words[start].i, words[end - 1].i + 1, label) for label, start, end in constituents]
        if parse.span_probabilities is not None:
            Span.set_extension("probability", default=None, force=True)
            for span, value in zip(new, parse.span_probabilities, strict=True):
                span._.probability = value
        spans += new
    if any(parse.tree is not None for _, parse in sentences):
        doc.spans[SPANS] = spans
    if all(parse.heads is not None for _, parse in sentences):
        arcs = list(chain.from_iterable(_arcs(sentence, parse) for sentence, parse in sentences))
        offsets = np.array([offset for offset, _ in arcs], np.int64).astype(np.uint64)
        names = np.array([doc.vocab.strings.add(relation) for _, relation in arcs], np.uint64)
        doc.from_array(["HEAD", "DEP"], np.stack([offsets, names], axis=1))


def _arcs(sentence: Span, parse: Parse) -> Iterator[tuple[int, str]]:
    """How far each token is from its head, and its relation. A blank depends on the token before it, or, where a
    sentence begins with blanks, on the token after it."""
    words = [word.i for word in _words_of_parse(sentence, parse)]
    tree = parse.dependencies
    relations = tree.relations or induced_relations(tree.heads)
    arcs = {
        word: (words[head - 1] - word, relation) if head else (0, SPACY_ROOT)
        for word, head, relation in zip(words, tree.heads, relations, strict=True)
    }
    first = words[0] if words else sentence.start
    arcs.setdefault(first, (0, SPACY_ROOT))  # there are blanks alone
    for place in range(sentence.start, sentence.end):
        yield arcs.get(place, (1 if place < first else -1, OTHER_RELATION))


def _words_of_parse(sentence: Span, parse: Parse) -> list[Token]:
    """The tokens of a sentence that a parse has: all, or all but blanks."""
    return list(sentence) if len(sentence) == len(parse.tokens) else _without_blanks(sentence)


def to_stanza(parses: Parse | Iterable[Parse]) -> stanza.Document:
    """A ``stanza.Document`` with a sentence for each parse that has words: its text and multiword tokens, and
    its heads, relations, tags (``xpos``), parts of speech and constituents, if any.

    Raises DataError if Stanza is not installed, TypeError for values that are not parses.
    """
    with needing("to_stanza needs Stanza", "stanza"):
        import stanza
    parses = [parse for parse in _listed(parses, "to_stanza") if parse.tokens]
    return stanza.Document(list(map(_stanza_words, parses)), comments=list(map(_stanza_comments, parses)))


def _stanza_words(parse: Parse) -> list[dict[str, Any]]:
    values: dict[str, Sequence[Any] | None] = {"text": parse.tokens, "upos": parse.upos, "xpos": parse.tags}
    if parse.heads is not None:
        values |= {"head": parse.heads, "deprel": parse.relations or induced_relations(parse.heads)}
    columns = [zip([key] * len(column), column, strict=True) for key, column in values.items() if column is not None]
    words = [{"id": number, **dict(word)} for number, word in enumerate(zip(*columns, strict=True), 1)]
    for first, last, token in reversed(numbered_tokens(parse.surface, len(words))):
        if first < last:
            words.insert(first - 1, {"id": (first, last), "text": token.form})
        if not token.space_after:
            words[first - 1]["misc"] = "SpaceAfter=No"
    return words


def _stanza_comments(parse: Parse) -> list[str]:
    """Stanza reads the text and the constituents of a sentence from its comments."""
    constituents = [] if parse.tree is None else [f"# constituency = {format_brackets(parse.tree)}"]
    return [f"# text = {parse.text}", *constituents]


def from_spacy(doc: Doc | Span) -> list[Parse]:
    """The sentences of a spaCy ``Doc``, or those that a ``Span`` touches, without white space, with its heads,
    relations, tags and parts of speech, and the constituents of ``doc.spans["synparse"]``, if any.

    Raises ValueError if there are no sentence boundaries, if only some words have heads, or if the heads are not a
    tree, TypeError for what is no document.
    """
    return list(map(parse_of_sentence, annotated_sentences(doc)))


def from_stanza(document: stanza.Document) -> list[Parse]:
    """The sentences of a ``stanza.Document``, by their words, with its heads, relations, tags (``xpos``), parts of
    speech and constituents, if any.

    Raises ValueError if only some words have heads, or if the heads are not a tree, TypeError for what is no document.
    """
    return list(map(parse_of_sentence, annotated_sentences(document)))


def annotated_sentences(document: Doc | Span | stanza.Document) -> Iterator[Sentence]:
    """The sentences of a document of spaCy or Stanza, with what they have. Raises TypeError for other values."""
    if hasattr(document, "sents"):
        return _of_spacy(document)
    if not hasattr(document, "sentences"):
        raise TypeError(f"a document of spaCy or Stanza is needed, not {type(document).__name__}")
    return map(_of_stanza, document.sentences)


def written_by_spacy(words: Sequence[Any]) -> tuple[SurfaceToken, ...]:
    """The tokens of spaCy that are words, as they are written; none if these are no tokens of spaCy."""
    if not all(hasattr(word, "whitespace_") for word in words):
        return ()
    return tuple(SurfaceToken(word.text, 1, _is_before_blank(word)) for word in words)


def _is_before_blank(token: Token) -> bool:
    return bool(token.whitespace_) or (token.i + 1 < len(token.doc) and token.nbor().is_space)


def within_span(doc: Doc | Span) -> Iterator[Span]:
    """The sentences of a ``Doc``; of a ``Span``, as far as it has them."""
    if not hasattr(doc, "start"):
        return iter(doc.sents)
    return (doc.doc[max(doc.start, sentence.start) : min(doc.end, sentence.end)] for sentence in doc.sents)


def _of_spacy(doc: Doc | Span) -> Iterator[Sentence]:
    group = doc.doc.spans.get(SPANS)  # of a Span, too
    spans = sorted(((span.start, span.end, span.label_) for span in group or ()), key=itemgetter(0))
    starts = [start for start, _, _ in spans]
    for sentence in doc.sents:
        words = _without_blanks(sentence)
        tokens = tuple(word.text for word in words)
        tags = [word.tag_ for word in words]
        places = [word.i for word in words]
        constituents = (
            Constituent(label, bisect_left(places, start), bisect_left(places, end))
            for start, end, label in spans[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        )
        numbers = {place: number for number, place in enumerate(places, 1)}
        constituents = (part for part in constituents if part.start < part.end)
        yield Sentence(
            tokens,
            names_of(tags),
            tree=None if group is None else tree_of(tokens, constituents, tags),
            heads=tuple(_head(word, numbers) if word.has_head() else None for word in words),
            surface=written_by_spacy(words),
            upos=names_of(word.pos_ for word in words),
            relations=names_of(ROOT_RELATION if word.dep_ == SPACY_ROOT else word.dep_ for word in words),
        )


def _head(word: Token, numbers: Mapping[int, int]) -> int | None:
    """Where the head is a blank, it is the head of that; None for one outside of the sentence."""
    head = word.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return 0 if head.is_space or head.i == word.i else numbers.get(head.i)


def _without_blanks(sentence: Span) -> list[Token]:
    return [token for token in sentence if not token.is_space]


def _of_stanza(sentence: Any) -> Sentence:
    words = sentence.words
    tokens = tuple(word.text for word in words)
    tree = None
    if sentence.constituency is not None:
        [read] = read_brackets([str(sentence.constituency)], "Stanza")
        tree = replace(read.tree, words=tokens)  # in brackets, some are escaped
    return Sentence(
        tokens,
        names_of(word.xpos for word in words),
        tree=tree,
        heads=tuple(word.head for word in words),
        surface=written_by_stanza(sentence),
        upos=names_of(word.upos for word in words),
        relations=names_of(word.deprel for word in words),
    )


def written_by_stanza(sentence: Any) -> tuple[SurfaceToken, ...]:
    """The tokens of a sentence of Stanza as they are written; none if this is no sentence of Stanza."""
    tokens = getattr(sentence, "tokens", ())
    if not all(hasattr(token, "spaces_after") for token in tokens):
        return ()
    return tuple(SurfaceToken(token.text, len(token.words), bool(token.spaces_after)) for token in tokens)


def _listed(parses: Parse | Iterable[Parse], function: str) -> list[Parse]:
    parses = [parses] if isinstance(parses, Parse) else list(parses)
    if others := [parse for parse in parses if not isinstance(parse, Parse)]:
        raise TypeError(f"{function} takes a Parse or an iterable of them, not {type(others[0]).__name__}")
    return parses
