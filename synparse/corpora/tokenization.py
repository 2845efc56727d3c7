"""Lines of text → sentences of tokens.

A tokenizer is a function from a line to its sentences. Without ``raw`` a line is one sentence; with ``raw`` a line is a
paragraph, which is first split into sentences. (Text wrapped at a fixed width must be unwrapped before.)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from synparse.trees.errors import DataError, SettingError

Tokenizer = Callable[[str], list[list[str]]]

TOKENIZERS = ("whitespace", "treebank", "stanza:LANG")

# Stanza makes file names from its languages, and a model from a stranger may name any.
_NAME = re.compile(r"whitespace|treebank|stanza:[A-Za-z0-9_-]+")

SENTENCE_MODEL = "english"


def check_tokenizer(name: str) -> None:
    """Raises SettingError if there is no tokenizer of this name."""
    if not _NAME.fullmatch(name):
        raise SettingError(f"unknown tokenizer {name!r}; there are {', '.join(TOKENIZERS)}")


def load_tokenizer(name: str, raw: bool = False) -> Tokenizer:
    """The tokenizer of this name: ``whitespace``, ``treebank`` or ``stanza:LANG`` (LANG as Stanza names it: en, de, …).

    With ``raw``, Punkt (Kiss and Strunk, 2006, its English model) splits paragraphs into sentences, or Stanza itself;
    and ``treebank`` replaces ``whitespace``, because in running text punctuation is attached to words.

    Raises SettingError for an unknown name, DataError if Stanza or its model is not installed.
    """
    check_tokenizer(name)
    kind, _, language = name.partition(":")
    if kind == "stanza":
        return _stanza(language, raw)
    if raw:
        return _punkt_and_treebank()
    if name == "whitespace":
        return lambda line: [line.split()]
    words = _treebank()
    return lambda line: [words(line)]


def _treebank() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer  # slow to import, and rarely needed

    tokenize = NLTKWordTokenizer().tokenize
    return lambda line: list(tokenize(line))


def _punkt_and_treebank() -> Tokenizer:
    import punkt

    splitter = punkt.PunktSentenceTokenizer(punkt.load_model(SENTENCE_MODEL))
    words = _treebank()
    return lambda line: [words(sentence) for sentence in splitter.tokenize(line)] if line.strip() else [[]]


def _stanza(language: str, raw: bool) -> Tokenizer:
    try:
        import stanza
    except ImportError:
        raise DataError("this tokenizer needs Stanza: pip install 'synparse[stanza]'") from None
    try:
        pipeline = stanza.Pipeline(
            language, processors="tokenize", tokenize_no_ssplit=not raw, download_method=None, verbose=False
        )
    except Exception as error:  # Stanza raises its own types, which differ between versions
        raise DataError(
            f"Stanza cannot load its {language!r} tokenizer ({str(error).splitlines()[0] if str(error) else error!r}); "
            f"fetch it with: python -c \"import stanza; stanza.download('{language}', processors='tokenize')\""
        ) from None

    def tokenize(line: str) -> list[list[str]]:
        if not line.strip():
            return [[]]
        return [[word.text for word in sentence.words] for sentence in pipeline(line).sentences]

    return tokenize
