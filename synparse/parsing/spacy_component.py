"""synparse as a component of spaCy pipelines: ``nlp.add_pipe("synparse")``.

spaCy finds this module by the entry point in pyproject.toml and imports it for every pipeline, so it imports little.
"""

# Annotations are values here, not strings: spaCy checks settings against them.

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spacy.language import Language

from synparse.config.parsing import Default, HeadDecoder, TreeDecoder
from synparse.parsing.options import Confidence, Request

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synparse.parsing.parser import Parser

BATCH = 128
"""In documents."""


@dataclass(frozen=True)
class SpacyComponent:
    """Annotates each ``Doc`` with the trees of a parser (`synparse.parsing.interchange.annotate`). ``request``: as
    returned by `Parser.checked`.

    Words and sentence boundaries are those of the ``Doc``. If it has no sentence boundaries, they are set by spaCy's
    ``Sentencizer``, which splits after full stops, question marks and exclamation marks.
    """

    parser: "Parser"
    request: Request

    def __call__(self, doc: "Doc") -> "Doc":
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable["Doc"], batch_size: int = BATCH) -> Iterator["Doc"]:
        """Annotate documents and yield them. Those of a batch are parsed together."""
        from spacy.pipeline import Sentencizer
        from spacy.util import minibatch

        from synparse.parsing.interchange import annotate

        split = Sentencizer()
        for batch in minibatch(docs, size=batch_size):
            sentences = [list((doc if doc.has_annotation("SENT_START") else split(doc)).sents) for doc in batch]
            parses = self.parser.stream((sentence for part in sentences for sentence in part), self.request)
            for doc, part in zip(batch, sentences, strict=True):
                annotate(doc, list(zip(part, parses, strict=False)))
                yield doc


def create(
    nlp: Language,
    name: str,  # noqa: ARG001 - spaCy gives it by this name
    model: str | list[str] | None,
    brackets: TreeDecoder | Default | None,
    heads: HeadDecoder | Default | None,
    labels: bool,
    tags: bool,
    confidence: Confidence,
    options: dict[str, Any],
) -> SpacyComponent:
    """The component with these settings: ``model`` (or several models) and ``options`` are those of `Parser.load`, the
    others those of `Request`. The default model is the shipped model of the pipeline's language. Raises as these do,
    and SettingError if no model of the language is shipped."""
    from synparse.parsing.parser import Parser
    from synparse.store.shipped import default_model

    parser = Parser.load(default_model(nlp.lang) if model is None else model, **options)
    return SpacyComponent(parser, parser.checked(Request(brackets, heads, labels, tags, confidence)))


Language.factory(
    "synparse",
    assigns=["token.head", "token.dep", "token.is_sent_start", "doc.sents", "doc.spans"],
    default_config={
        "model": None,
        "brackets": "default",
        "heads": "default",
        "labels": False,
        "tags": False,
        "confidence": "none",
        "options": {},
    },
    func=create,
)
