"""Tokenization: from lines of text to sentences of words.

A tokenizer is a function from a line to its sentences. Without ``raw`` a line is one sentence; with ``raw`` a line is a
paragraph, which is first split into sentences. (Text wrapped at a fixed width must be unwrapped before.)
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import regex

from synparse.corpora.contractions import Split, contractions_of
from synparse.corpora.languages import Language, language_of, language_or_english
from synparse.corpora.scripts import language_without_blanks
from synparse.files.extras import how_to_install, needing
from synparse.trees.conllu import SurfaceToken
from synparse.trees.errors import DataError, SettingError
from synparse.trees.punctuation import visible


class TokenizedSentence(NamedTuple):
    """The words of a sentence, and its tokens as they are written, if that is known: a token may have several words."""

    words: tuple[str, ...]
    surface: tuple[SurfaceToken, ...] = ()


Tokenizer = Callable[[str], list[TokenizedSentence]]

Words = Callable[[str], list[str]]
"""From a sentence to its tokens."""

TOKENIZERS = ("whitespace", "treebank", "rules:LANG", "characters", "fugashi", "jieba", "stanza:LANG")

WHITESPACE, TREEBANK, RULES = "whitespace", "treebank", "rules"
CHARACTERS, FUGASHI, JIEBA = "characters", "fugashi", "jieba"

# Stanza makes file names from its languages, and a model from a stranger may name any.
_NAME = re.compile(r"whitespace|treebank|characters|fugashi|jieba|rules|rules:[a-z]{2,3}|stanza:[A-Za-z0-9_-]+")

# The language whose sentences a tokenizer splits, where nothing else is said.
_LANGUAGE_OF = {TREEBANK: "en", FUGASHI: "ja", JIEBA: "zh"}

# Segmenters of languages that are written without blanks, and their packages; the extra has the language's code.
_SEGMENTERS = {"ja": (FUGASHI, ("fugashi", "unidic_lite")), "zh": (JIEBA, ("rjieba",))}

LONGEST_MEAN = 5
"""Characters between blanks, on average, up to which a text in a script without blanks is one with blanks between its
words."""

LINES_TO_LOOK_AT = 1000
"""The lines that show whether a text is tokenised."""


def check_tokenizer(name: str) -> None:
    """Raises SettingError if there is no tokenizer of this name."""
    if not _NAME.fullmatch(name):
        raise SettingError(f"unknown tokenizer {name!r}; there are {', '.join(TOKENIZERS)}")


def load_tokenizer(name: str, raw: bool = False, language: str = "") -> Tokenizer:
    """The tokenizer of this name.

    ``whitespace``; ``treebank`` (NLTK's, for English); ``rules:LANG`` (`synparse.corpora.word_rules`); ``characters``,
    for scripts without blanks; ``fugashi`` (Japanese); ``jieba`` (Chinese); ``stanza:LANG`` (LANG as Stanza names it:
    en, de, …). All but the first two split contractions of the language into words, and keep how tokens are written.

    With ``raw``, Punkt (Kiss and Strunk, 2006) splits paragraphs into sentences, by its model of the language (an ISO
    639 code, "" if it is not known), or rules where it has none, or Stanza itself. In running text punctuation is
    attached to words, so there ``whitespace`` means the tokenizer of `tokenizer_for`.

    Raises SettingError for an unknown name, DataError if a package or model is not installed.
    """
    check_tokenizer(name)
    if raw and name == WHITESPACE:
        name = tokenizer_for(language).name
    kind, _, own_language = name.partition(":")
    if kind == "stanza":
        return _stanza(own_language, raw, contractions_of(language and language_of(language).code))
    if name == WHITESPACE:
        return lambda line: [TokenizedSentence(tuple(_chunks(line)))]
    code = language_of(own_language or language).code if own_language or language else _LANGUAGE_OF.get(kind, "")
    if kind == TREEBANK:
        return _tokenizer(_treebank(), code, raw)
    return _tokenizer(_WORDS[kind](code), code, raw, contractions_of(code))


def tokenizer_of_lines(name: str, language: str, lines: Sequence[str], raw: bool = False) -> Tokenizer:
    """The tokenizer of this name for sentences, a line each, or, with ``raw``, for paragraphs; ``whitespace`` where
    these lines are sentences and show that they are tokenised; where it is ``whitespace``, and they are not, the one of
    `tokenizer_for`. Raises as `load_tokenizer`."""
    if name == WHITESPACE:
        language = language or language_of_lines(lines)
    if not raw and are_words_separate(lines, language_or_english(language), name):
        return load_tokenizer(WHITESPACE)
    return load_tokenizer(tokenizer_for(language, raw).name if name == WHITESPACE else name, raw, language)


def language_of_lines(lines: Sequence[str]) -> str:
    """The code of the language of text that has no blanks between its words, by its script; "" for other text."""
    code = language_without_blanks("".join(lines))
    return "" if not code or is_tokenized(lines, language_of(code)) else code


def joined(sentences: Sequence[TokenizedSentence]) -> TokenizedSentence:
    """The sentences of a line as one; how its tokens are written is known if it is of all of them."""
    words = tuple(itertools.chain.from_iterable(sentence.words for sentence in sentences))
    surface = tuple(itertools.chain.from_iterable(sentence.surface for sentence in sentences))
    return TokenizedSentence(words, surface if all(sentence.surface for sentence in sentences) else ())


class TokenizerChoice(NamedTuple):
    """A tokenizer by its name, and one line about it for the user."""

    name: str
    note: str


def tokenizer_for(language: str, raw: bool = True) -> TokenizerChoice:
    """The best tokenizer that is installed for a language (its ISO 639 code or English name): Stanza's, if its model
    is on this machine; a segmenter, for scripts without blanks, or else characters; rules. "": where no language is
    named, it is taken as English.

    Raises SettingError for what is no language.
    """
    known = language_or_english(language)
    try:
        _stanza(known.code, raw, contractions_of(known.code))
    except DataError as error:
        reason = "has no model here" if error.message.startswith("Stanza cannot") else "is not installed"
    else:
        return TokenizerChoice(
            f"stanza:{known.code}", f"{known.name}: {'sentences and ' if raw else ''}words by Stanza"
        )
    from synparse.corpora.sentence_rules import punkt_model

    name, words, more = _without_stanza(known)
    sentences = f"sentences by {'Punkt' if punkt_model(known.code) else 'rules'}, " if raw else ""
    return TokenizerChoice(name, f"{known.name}: {sentences}words by {words} (Stanza {reason}){more}")


def _without_stanza(language: Language) -> tuple[str, str, str]:
    """The name of the tokenizer of words, how it splits in words, and what may be installed for a better one."""
    if language.has_blanks:
        return f"{RULES}:{language.code}", RULES, ""
    name, packages = _SEGMENTERS.get(language.code, (CHARACTERS, ()))
    if all(find_spec(package) for package in packages):
        return name, name, ""
    return CHARACTERS, CHARACTERS, f"; for real words: {how_to_install(language.code)}"


def extra_for(language: Language) -> str:
    """The extra of this package with the tokenizer of a language: its segmenter, if it has one, or Stanza, whose models
    must be fetched as well; "" if that is installed."""
    stanza: tuple[str, tuple[str, ...]] = ("stanza", ("stanza",))
    extra, packages = (language.code, _SEGMENTERS[language.code][1]) if language.code in _SEGMENTERS else stanza
    return "" if all(find_spec(package) for package in packages) else extra


# Punctuation of any script that running text writes at a word, after it and before it. Full stops are also at
# abbreviations, so those at a word count at the end of a line alone.
_CLOSING = regex.compile(r"[\p{Terminal_Punctuation}…)\]}\"”»--.]", regex.V1)  # differences of sets
_OPENING = regex.compile(r"[(\[{\"“„«¿¡]")

_BETWEEN_BLANKS = "«»;:!?।॥۔"
"""Punctuation that running text in French, or in Indic scripts and Urdu, also writes between blanks."""

# Punctuation that only tokenised text writes between blanks.
_DECISIVE = regex.compile(rf"(?![{_BETWEEN_BLANKS}])(?:{_CLOSING.pattern}|{_OPENING.pattern})|\.|``|''", regex.V1)

# Clitics, with the word that they are written at.
_CLITICS = {
    "en": re.compile(r"(\w*)(?:n['’]t|['’](?:s|re|ve|ll|d|m))", re.IGNORECASE),
    "fr": re.compile(r"(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’](.*)", re.IGNORECASE),
}


def is_tokenized(lines: Iterable[str], language: Language, unless_shown: bool = True) -> bool:
    """Whether text has blanks between its tokens.

    Its punctuation shows it, that which French, too, writes at words, and clitics alone, the *n't* and *l'* of English
    and French; where there is neither, clitics at words, as in *didn't*; in scripts without blanks, how long words are,
    and punctuation at words that no blanks separate, or zero-width spaces, which `word_rules` knows.
    ``unless_shown``: what text is taken for where nothing of this occurs.
    """
    lines = list(lines)
    split = [chunks for line in lines if (chunks := list(filter(None, map(visible, _chunks(line)))))]
    if not language.has_blanks:
        chunks = list(itertools.chain.from_iterable(split))
        is_short = sum(map(len, chunks)) <= LONGEST_MEAN * len(chunks)
        has_gaps = len(chunks) > len(split)
        if (not has_gaps or any("\u200b" in line for line in lines)) and any(map(_has_mark, chunks)):
            return False
        return is_short and (unless_shown or has_gaps)
    clitic = _CLITICS.get(language.code)
    clitics = [match for chunks in split for chunk in chunks if clitic and (match := clitic.fullmatch(chunk))]
    alone = sum(bool(_DECISIVE.fullmatch(chunk)) for chunks in split for chunk in chunks)
    alone += sum(not match[1] for match in clitics)
    attached = sum(_has_mark(chunk) for chunks in split for chunk in chunks)
    attached += sum(_ends_with_full_stop(chunks[-1]) for chunks in split)
    if alone or attached:
        return alone >= attached
    if clitics:
        return False
    return unless_shown or any(chunk in _BETWEEN_BLANKS for chunks in split for chunk in chunks)


def are_words_separate(lines: Iterable[str], language: Language, own: str) -> bool:
    """Whether text is tokenised, so that it is left as it is, for a model that has learned from words by the tokenizer
    ``own``: one of characters knows no words, and one of running text takes text for such if nothing shows what it
    is."""
    return own != CHARACTERS and is_tokenized(lines, language, unless_shown=own == WHITESPACE)


def _chunks(line: str) -> list[str]:
    """What blanks separate; so does the zero-width space, which separates words in Khmer, Thai or Burmese."""
    return line.replace("\u200b", " ").split()


def _has_mark(chunk: str) -> bool:
    """Whether punctuation is written at a word, full stops apart."""
    return bool(_CLOSING.match(chunk[-1]) or _OPENING.match(chunk)) and any(map(str.isalnum, chunk))


def _ends_with_full_stop(chunk: str) -> bool:
    """Whether a full stop, and no other punctuation, is written at a word."""
    return chunk[-1] == "." and any(map(str.isalnum, chunk)) and not _has_mark(chunk)


def _tokenizer(words: Words, code: str, raw: bool, split: Split | None = None) -> Tokenizer:
    """Sentences (with ``raw``) of tokens, of which ``split`` makes words; without it, tokens are words, and are not
    looked for in the line, because they may be written in another way."""
    sentences = None
    if raw:
        from synparse.corpora.sentence_rules import sentence_rules  # compiles expressions, and is rarely needed

        sentences = sentence_rules(code)

    def tokenize(line: str) -> list[TokenizedSentence]:
        if not line.strip():
            return [TokenizedSentence(())]
        texts = [line] if sentences is None else sentences(line)
        if split is None:
            return [TokenizedSentence(tuple(words(text))) for text in texts]
        tokens = ([(token, split(token)) for token in words(text)] for text in texts)
        return list(map(_with_surface, texts, tokens, _blank_follows(line, texts)))

    return tokenize


def _blank_follows(line: str, sentences: Sequence[str]) -> Iterator[bool]:
    """Whether a blank, or the end of the line, follows each sentence: no blank need stand between two."""
    end = 0
    for sentence in sentences:
        start = line.find(sentence, end)
        end = (end if start < 0 else start) + len(sentence)
        yield start < 0 or end == len(line) or line[end].isspace()


def _with_surface(
    sentence: str, tokens: Sequence[tuple[str, tuple[str, ...]]], blank_follows: bool
) -> TokenizedSentence:
    """Tokens and their words, with the places of blanks in the sentence and after it; without them if a token is not
    found there."""
    words = tuple(itertools.chain.from_iterable(parts for _, parts in tokens))
    ends, gaps = [0], []  # gaps: what is before each token, blanks and invisible characters, and after the last one
    for token, _ in tokens:
        start = sentence.find(token, ends[-1])
        if start < 0:
            return TokenizedSentence(words)
        gaps.append(sentence[ends[-1] : start])
        ends.append(start + len(token))
    blanks = [any(map(str.isspace, gap)) for gap in [*gaps, sentence[ends[-1] :]][1:]]
    if blanks:
        blanks[-1] = blanks[-1] or blank_follows
    surface = (SurfaceToken(token, len(parts), blank) for (token, parts), blank in zip(tokens, blanks, strict=True))
    return TokenizedSentence(words, tuple(surface))


def _rules(code: str, by_characters: bool = False) -> Words:
    from synparse.corpora.word_rules import word_rules

    return word_rules(code, by_characters)


def _treebank() -> Words:
    from nltk.tokenize.destructive import NLTKWordTokenizer  # slow to import, and rarely needed

    tokenize = NLTKWordTokenizer().tokenize
    return lambda line: list(tokenize(line))


def _fugashi(_: str) -> Words:
    try:
        import fugashi

        tagger = fugashi.Tagger()
    except (ImportError, RuntimeError):  # without a dictionary
        raise DataError(f"this tokenizer needs fugashi and its dictionary: {how_to_install('ja')}") from None
    return lambda line: [word.surface for word in tagger(line) if not word.surface.isspace()]


def _jieba(_: str) -> Words:
    with needing("this tokenizer needs rjieba", "zh"):
        import rjieba
    return lambda line: [word for word in rjieba.cut(line) if not word.isspace()]


_WORDS: dict[str, Callable[[str], Words]] = {
    RULES: _rules,
    CHARACTERS: functools.partial(_rules, by_characters=True),
    FUGASHI: _fugashi,
    JIEBA: _jieba,
}


def _stanza(language: str, raw: bool, split: Split) -> Tokenizer:
    with needing("this tokenizer needs Stanza", "stanza"):
        import stanza
    try:
        pipeline = stanza.Pipeline(
            language, processors="tokenize", tokenize_no_ssplit=not raw, download_method=None, verbose=False
        )
    except Exception as error:  # Stanza raises its own types, which differ between versions
        raise DataError(
            f"Stanza cannot load its {language!r} tokenizer ({str(error).splitlines()[0] if str(error) else error!r}); "
            f"fetch it with: python -c \"import stanza; stanza.download('{language}', processors='tokenize')\""
        ) from None

    def tokenize(line: str) -> list[TokenizedSentence]:
        if not line.strip():
            return [TokenizedSentence(())]
        sentences = pipeline(line).sentences
        texts = [sentence.text for sentence in sentences]
        return list(map(_with_surface, texts, map(list, map(_tokens, sentences)), _blank_follows(line, texts)))

    def _tokens(sentence: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
        for token in sentence.tokens:
            words = tuple(word.text for word in token.words)
            yield token.text, split(token.text) if len(words) == 1 else words

    return tokenize
