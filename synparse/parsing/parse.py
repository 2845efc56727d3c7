"""The trees of one sentence, and conversion to and from NLTK and conllu."""

from __future__ import annotations

import base64
import io
import itertools
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from synparse.corpora.sentences import Sentence
from synparse.trees.conllu import (
    ARGMAX_HEAD,
    CONFIDENCE,
    HEAD,
    RELATION,
    UNKNOWN,
    ConlluSentence,
    SurfaceToken,
    format_conllu,
    induced_relations,
    read_conllu,
    surface_of,
    text_of,
    with_comments,
    with_heads,
    with_misc,
    with_tags,
    with_upos,
)
from synparse.trees.constituency import (
    INDUCED_LABEL,
    NO_TAG,
    ConstituencyTree,
    Constituent,
    escaped,
    induced_tree,
    tree_of,
)
from synparse.trees.dependency import DependencyTree
from synparse.trees.errors import DataError
from synparse.trees.scored_words import NO_WORDS
from synparse.trees.spans import sentence_spans

if TYPE_CHECKING:
    import conllu
    import nltk


LONGEST_REPR = 100
"""In characters; longer ones are cut."""

UNCERTAIN = "Uncertain"
"""The attribute in MISC that is ``Yes`` if an arc is less probable than was asked for."""

ATTRIBUTES = (CONFIDENCE, UNCERTAIN, ARGMAX_HEAD)
"""The attributes in MISC that say something of an arc."""

MEASURES = ("log_probability", "entropy", "expected_errors")
"""The parts of a parse that say how sure the parser is of the heads of a sentence."""

LEAST_CERTAIN = "least_certain"
"""The comment of a draft with the words whose arcs are least certain."""

ASSUMPTIONS = "synparse"
"""The comment with what the trees of a document depend on."""

OF_A_PARSE = (*MEASURES, LEAST_CERTAIN, ASSUMPTIONS)
"""The comments of CoNLL-U that an earlier parse or selection has written."""

CHECKED = "checked"
"""What marks a sentence, in CoNLL-U and JSON, whose tree somebody has checked (``synparse show --edit``)."""


class RankedTree(NamedTuple):
    """One of the best trees of a sentence, its heads (None if not requested), and its score, which compares it with the
    other trees: see `synparse.parsing.decoding.RankedChunk`."""

    tree: ConstituencyTree
    heads: tuple[int, ...] | None
    score: float


@dataclass(frozen=True, slots=True)
class Parse:
    """The trees of a sentence, over all its tokens.

    - ``tree``: the induced constituents. Its tags are ``tags``, or else ``upos``, if there are any.
    - ``heads``: the head of each token, counted from 1 (0 for the root).
    - ``read``: for each token, whether the model read it. Models do not read punctuation; it is attached to the trees
      afterwards (`synparse.trees.punctuation`).
    - ``distances``, ``heights``: syntactic distances and heights of the words that were read; of a very long sentence,
      the distance between two chunks is None.
    - ``tags``: the names of the word classes of all tokens, or, of a draft, the tags that came with it.
    - ``is_labelled``: whether the constituents have the labels of a class grammar, or learned or kept ones; otherwise
      each is an ``X``.
    - ``span_probabilities``, ``head_probabilities``: the probability of each constituent of ``tree``, and of the arc of
      each token. The whole sentence has probability 1. None for what no model decided: what is kept of a draft, and
      arcs of punctuation and those that join the chunks of a very long sentence.
    - ``log_probability``: the log-probability of the heads under the model, in nats; ``entropy``: the entropy of the
      model's distribution over the heads of a word, in nats, averaged over words. Neither is calibrated.
    - ``best``: the best trees, this one first.
    - ``relations``: the relation of each token to its head: induced (`synparse.parsing.relations`), learned from given
      trees, or kept.
    - ``upos``: the parts of speech of all tokens, learned from given trees or, of a draft, those that came with it.
    - ``head_distributions``: for each token that the model read, the probability that it is the root, followed by the
      probability of each token to be its head.
    - ``uncertain``: for each token, whether its arc is less probable than requested; see `certain`.
    - ``surface``: the tokens as they are written in `text`, if that was split into words; ``origin``: the sentence of
      CoNLL-U that was parsed, if it was one. Both are ignored when parses are compared.

    What the model does not predict, or was not requested, is None. A sentence without tokens has an empty tree and no
    heads. The ``repr`` has the words with a pair of brackets for each constituent; notebooks show the picture of `svg`.
    """

    tokens: tuple[str, ...]
    tree: ConstituencyTree | None
    heads: tuple[int, ...] | None
    read: tuple[bool, ...]
    distances: tuple[float | None, ...] | None = None
    heights: tuple[float, ...] | None = None
    tags: tuple[str, ...] | None = None
    is_labelled: bool = False
    span_probabilities: tuple[float | None, ...] | None = None
    head_probabilities: tuple[float | None, ...] | None = None
    best: tuple[RankedTree, ...] | None = None
    uncertain: tuple[bool, ...] | None = None
    relations: tuple[str, ...] | None = None
    head_distributions: tuple[tuple[float, ...] | None, ...] | None = None
    log_probability: float | None = None
    entropy: float | None = None
    upos: tuple[str, ...] | None = None
    surface: tuple[SurfaceToken, ...] = field(default=(), compare=False)
    origin: ConlluSentence | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        words = self.tokens if self.tree is None else _with_brackets(self.tree)
        text = " ".join(itertools.islice(words, LONGEST_REPR))
        return f"<Parse {text if len(text) <= LONGEST_REPR else f'{text[: LONGEST_REPR - 1]}…'!r}>"

    @property
    def text(self) -> str:
        """The sentence as it was written, if that is known, else its tokens with blanks between them."""
        return text_of(self.surface) if self.surface else " ".join(self.tokens)

    def svg(self) -> str:
        """The constituents and the dependencies, whichever there are, as the text of an SVG file."""
        from synparse.drawing.svg import sheet_svg

        trees = [self.tree, None if self.heads is None else self.dependencies]
        return sheet_svg([("", [tree for tree in trees if tree])])

    def _repr_html_(self) -> str:
        """For notebooks. An image, because the style of SVG inside of a page would be that of the page."""
        picture = base64.b64encode(self.svg().encode()).decode()
        return f'<img alt="trees" src="data:image/svg+xml;base64,{picture}">'

    def certain(self, least: float) -> Parse:
        """The parse without constituents that are less probable than ``least``; less probable arcs are marked in
        ``uncertain``.

        Constituents and arcs without a probability count as certain. Raises ValueError if the parse has no
        probabilities.
        """
        if self.tokens and self.span_probabilities is None and self.head_probabilities is None:
            raise ValueError("this parse has no probabilities")
        tree, probabilities, heads = self.tree, self.span_probabilities, self.head_probabilities
        uncertain = None
        if tree is not None and probabilities is not None:
            pairs = zip(tree.constituents, probabilities, strict=True)
            kept = [(constituent, value) for constituent, value in pairs if value is None or value >= least]
            tree = replace(tree, constituents=tuple(constituent for constituent, _ in kept))
            probabilities = tuple(value for _, value in kept)
        if heads is not None:
            uncertain = tuple(value is not None and value < least for value in heads)
        return replace(self, tree=tree, span_probabilities=probabilities, uncertain=uncertain)

    @property
    def expected_errors(self) -> float | None:
        """The expected number of wrong arcs: the sum of 1 − p over arcs with a probability p. It is meaningful only if
        the probabilities are fitted. None without probabilities."""
        values = self.head_probabilities
        return None if values is None else sum((1 - value for value in values if value is not None), 0.0)

    @property
    def argmax_heads(self) -> tuple[int | None, ...]:
        """The most probable head of each token, arg max_{j≠i} p(j | i) (StructFormer, eq. 18; Shen's thesis, 4.3.2).
        These heads need not form a tree. 0 for the only word of a sentence, None for tokens that the model did not
        read.

        Raises ValueError if there are no distributions.
        """
        if self.head_distributions is None:
            raise ValueError("this parse has no distributions of heads")
        words = [word for word, row in enumerate(self.head_distributions, 1) if row is not None]
        return tuple(
            None if row is None else max((head for head in words if head != word), key=row.__getitem__, default=0)
            for word, row in enumerate(self.head_distributions, 1)
        )

    @property
    def dependencies(self) -> DependencyTree:
        """The heads, and the relations if there are any, as a `DependencyTree`. Raises ValueError if there are no
        heads."""
        return DependencyTree(self.tokens, self._known_heads(), self.relations)

    def to_nltk(self) -> nltk.Tree:
        """The constituents as an ``nltk.Tree``, with labels, tags and words as in the text of ``tree``: parentheses in
        words are -LRB- and -RRB-, as in NLTK's corpora, so that the tree can be read again from its own text.

            >>> import synparse
            >>> print(synparse.load("right-branching").parse(["the dog barked"])[0].to_nltk())
            (X (_ the) (X (_ dog) (_ barked)))

        Raises ValueError if there are no constituents.
        """
        from nltk.tree import Tree

        tree = self._known_tree()
        root = Tree("", [])
        open_nodes = [(root, len(tree))]
        waiting = list(reversed(tree.constituents))
        for position, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
            while open_nodes[-1][1] <= position:
                open_nodes.pop()
            while waiting and waiting[-1].start == position:
                label, _, end = waiting.pop()
                node = Tree(escaped(label), [])
                open_nodes[-1][0].append(node)
                open_nodes.append((node, end))
            open_nodes[-1][0].append(Tree(escaped(tag) or NO_TAG, [escaped(word) or NO_TAG]))
        return root[0] if len(root) == 1 else root

    def to_conllu(self) -> conllu.TokenList:
        """The sentence as a ``conllu.TokenList``, as ``synparse parse`` writes it, but without a new number: one that
        came in CoNLL-U keeps its comments, and all columns but those of heads, relations and what was requested.

            >>> import synparse
            >>> [token["head"] for token in synparse.load("chain").parse(["the dog barked"])[0].to_conllu()]
            [2, 3, 0]

        Raises ValueError if there are no heads.
        """
        import conllu

        self._known_heads()
        text = conllu_of(self)
        if self.origin is not None and self.tokens:
            text = "".join(with_parse(self.origin, self).lines)
        [sentence] = conllu.parse(text)
        return sentence

    @classmethod
    def from_nltk(cls, tree: nltk.Tree) -> Parse:
        """The constituents of an ``nltk.Tree``, without labels. A unary chain becomes one constituent. Traces (-NONE-)
        are no words. Raises TypeError for what is no tree, and for leaves that are not strings."""
        labelled = tree_of_nltk(tree)
        tokens = labelled.words
        spans = {(start, end) for _, start, end in labelled.constituents if end - start > 1}
        if tokens:
            spans.add((0, len(tokens)))
        return cls(tokens, induced_tree(tokens, spans), None, (True,) * len(tokens))

    @classmethod
    def from_conllu(cls, sentence: conllu.TokenList) -> Parse:
        """The words, heads, relations and tags of a ``conllu.TokenList``. Multiword tokens and empty nodes are no
        words, but `text` and `to_conllu` have them. Raises TypeError for what is no ``TokenList``, ValueError if a head
        is missing or the heads are not a tree."""
        known = sentence_of_token_list(sentence)
        parse = parse_of_sentence(known)
        if parse.heads is None:
            raise ValueError("word 1 has no head")
        relations = None if parse.relations == induced_relations(parse.heads) else parse.relations
        return replace(parse, relations=relations, origin=known.conllu)

    def spans(self) -> frozenset[tuple[int, int]]:
        """The constituents of two words or more as pairs of positions (start, end), without the whole sentence.

        Raises ValueError if there are no constituents.
        """
        return sentence_spans(self._known_tree())

    def _known_tree(self) -> ConstituencyTree:
        if self.tree is None:
            raise ValueError("this parse has no constituents")
        return self.tree

    def _known_heads(self) -> tuple[int, ...]:
        if self.heads is None:
            raise ValueError("this parse has no heads")
        return self.heads


def conllu_of(parse: Parse, comments: Sequence[str] = ()) -> str:
    """A parse with heads as a new sentence of CoNLL-U with its text: multiword tokens where its tokens are known,
    relations, word classes, parts of speech, and probabilities."""
    assert parse.heads is not None
    comments = [*comments, f"text = {parse.text}", *(f"{name} = {value}" for name, value in measures_of(parse).items())]
    upos, xpos, misc = parse.upos or (), parse.tags or (), attributes_of(parse)
    return format_conllu(parse.tokens, parse.heads, parse.relations, comments, upos, xpos, misc, parse.surface)


def with_parse(sentence: ConlluSentence, parse: Parse) -> ConlluSentence:
    """A sentence of CoNLL-U with the heads of a parse, and what else the parse has; all its other columns and comments
    stay, but for what was said of heads that it had before."""
    assert parse.heads is not None
    before = [(row[HEAD], row[RELATION]) for row in sentence.rows]
    sentence = with_heads(sentence, parse.heads, parse.relations or induced_relations(parse.heads))
    after = [(row[HEAD], row[RELATION]) for row in sentence.rows]
    is_kept = all(
        head == new_head and relation in (UNKNOWN, new_relation)
        for (head, relation), (new_head, new_relation) in zip(before, after, strict=True)
    )
    sentence = sentence if parse.tags is None else with_tags(sentence, parse.tags)
    sentence = sentence if parse.upos is None else with_upos(sentence, parse.upos)
    sentence = with_misc(sentence, attributes_of(parse), ATTRIBUTES)
    outdated = OF_A_PARSE if is_kept else (*OF_A_PARSE, CHECKED)
    return with_comments(sentence, {name: str(value) for name, value in measures_of(parse).items()}, outdated)


def measures_of(parse: Parse) -> dict[str, float]:
    """Measures of the parser's confidence in the sentence, by name; empty if arcs have no probabilities."""
    measures = {name: getattr(parse, name) for name in MEASURES}
    return {name: round(value, 4) + 0.0 for name, value in measures.items() if value is not None}  # 0, not −0


def attributes_of(parse: Parse) -> list[dict[str, str]]:
    """The attributes of each token in CoNLL-U, `ATTRIBUTES` that are asked for."""
    nothing = (None,) * len(parse.tokens)
    values = parse.head_probabilities or nothing
    uncertain = parse.uncertain or nothing
    heads = nothing if parse.head_distributions is None else parse.argmax_heads
    return [
        ({} if value is None else {CONFIDENCE: f"{value:.2f}"})
        | ({UNCERTAIN: "Yes"} if is_uncertain else {})
        | ({} if head is None else {ARGMAX_HEAD: str(head)})
        for value, is_uncertain, head in zip(values, uncertain, heads, strict=True)
    ]


def _with_brackets(tree: ConstituencyTree) -> Iterator[str]:
    """The words of a tree, with a bracket where a constituent begins or ends."""
    begins = Counter(start for _, start, _ in tree.constituents)
    ends = Counter(end for _, _, end in tree.constituents)
    return (f"{'(' * begins[position]}{word}{')' * ends[position + 1]}" for position, word in enumerate(tree.words))


def tree_of_nltk(tree: nltk.Tree) -> ConstituencyTree:
    """An ``nltk.Tree`` with its labels, as strings, and its tags as labels of words alone. Traces (-NONE-) are no
    words. Raises TypeError for what is no tree, and for leaves that are not strings."""
    if not hasattr(tree, "label"):
        raise TypeError(f"an nltk.Tree is needed, not {type(tree).__name__}; nltk.Tree.fromstring reads its text")
    constituents: list[Constituent] = []
    tokens: list[str] = []
    tags: list[str] = []
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Constituent):  # all of its words have been seen
            constituents.append(node._replace(end=len(tokens)))
        elif isinstance(node, str):
            tokens.append(node)
            tags.append("")
        elif not hasattr(node, "label"):
            raise TypeError(f"the leaves of an nltk.Tree must be strings, not {type(node).__name__}")
        elif len(node) == 1 and node.label() in NO_WORDS:
            continue
        elif len(node) == 1 and isinstance(node[0], str):
            tokens.append(node[0])
            tags.append("" if node.label() == NO_TAG else str(node.label()))
        else:
            waiting += [Constituent(str(node.label() or ""), len(tokens), 0), *reversed(node)]
    outer_first = [constituent for constituent in reversed(constituents) if constituent.end > constituent.start]
    return tree_of(tokens, outer_first, tags)


def sentence_of_token_list(sentence: conllu.TokenList) -> Sentence:
    """The words of a ``conllu.TokenList``, with what they have. Raises TypeError for what is none, ValueError where a
    token has no ``id`` or ``form``, where words are not numbered as CoNLL-U does, and where a head is no number."""
    if not hasattr(sentence, "serialize"):
        raise TypeError(f"a conllu.TokenList is needed, not {type(sentence).__name__}; conllu.parse reads its text")
    if not all("id" in token and "form" in token for token in sentence):
        raise ValueError("each token of a conllu.TokenList needs an id and a form")
    words = [token for token in sentence if isinstance(token["id"], int)]  # not multiword tokens and empty nodes
    if any(word["id"] != number for number, word in enumerate(words, 1)):
        raise ValueError("the words of a conllu.TokenList are numbered 1, 2, 3 … (TokenList.filter leaves gaps)")
    numbered = ((token["id"] if isinstance(token["id"], tuple) else (token["id"],), token) for token in sentence)
    surface = surface_of(
        (numbers, token["form"], (token.get("misc") or {}).get("SpaceAfter") != "No")
        for numbers, token in numbered
        if "." not in numbers
    )
    try:
        whole = next(read_conllu(io.StringIO(sentence.serialize()), "TokenList"), None)
    except DataError:  # made by hand, without some of the columns
        whole = None
    return Sentence(
        tuple(word["form"] for word in words),
        names_of(word.get("xpos") for word in words),
        whole,
        heads=tuple(map(_head_of_token, words)),
        surface=surface,
        upos=names_of(word.get("upos") for word in words),
        relations=names_of(word.get("deprel") for word in words),
    )


def _head_of_token(word: conllu.models.Token) -> int | None:
    """Raises ValueError where it is no whole number."""
    head = word.get("head")
    try:
        return None if head is None else operator.index(head)
    except TypeError:
        raise ValueError(f"the head of word {word['id']} must be a whole number, not {head!r}") from None


def parse_of_sentence(sentence: Sentence) -> Parse:
    """What came with a sentence, as a parse of it. Raises ValueError if only some words have heads, or if the heads are
    not a tree."""
    tokens, tree, known = sentence.tokens, sentence.tree, sentence.heads or ()
    heads = tuple(head for head in known if isinstance(head, int))
    if heads and len(heads) < len(tokens):
        raise ValueError(f"word {known.index(None) + 1} has no head")
    return Parse(
        tokens,
        tree,
        DependencyTree(tokens, heads).heads if len(heads) == len(tokens) else None,
        (True,) * len(tokens),
        is_labelled=tree is not None and any(label != INDUCED_LABEL for label, _, _ in tree.constituents),
        relations=sentence.relations,
        upos=sentence.upos,
        tags=sentence.tags,
        surface=sentence.surface,
    )


def names_of(values: Iterable[str | None]) -> tuple[str, ...] | None:
    """None, where no word has a name."""
    names = tuple(value or UNKNOWN for value in values)
    return names if any(name != UNKNOWN for name in names) else None
