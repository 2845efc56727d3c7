"""How sentences are split into words for one or more language models, which read the same words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from synparse.corpora.languages import language_of, language_or_english
from synparse.corpora.tokenization import WHITESPACE, TokenizerChoice, check_tokenizer, is_tokenized, tokenizer_for
from synparse.corpora.tokenizer_choice import tokenizer_for_model
from synparse.language_models.loading import LoadedLanguageModel
from synparse.trees.errors import SettingError


def language_of_run(models: Sequence[LoadedLanguageModel], language: str | None) -> str:
    """The code of the language that is named, or of the models' own; "" where there is none. Raises SettingError for
    what is no language, and for models of several languages."""
    if language is not None:
        return language_of(language).code
    return _agreed(models, "language", "languages", [model.text.language for model in models if model.text.language])


def tokenizer_of_text(
    models: Sequence[LoadedLanguageModel],
    path: str,
    tokenizer: str | None,
    language: str | None,
    raw: bool,
    format: str | None,
) -> TokenizerChoice:
    """The tokenizer of a text, as `parse` chooses it (`tokenizer_for_model`). Raises SettingError where the models' own
    differ."""
    if tokenizer is not None:
        return tokenizer_for_model([path], WHITESPACE, "", tokenizer=tokenizer)
    code, own = language_of_run(models, language), _own_tokenizer(models)
    is_own = language is None or all(model.text.language == code for model in models)
    return tokenizer_for_model([path], own, code if is_own else "", language=language, raw=raw, format=format)


def tokenizer_of_sentences(
    models: Sequence[LoadedLanguageModel], lines: Iterable[str], tokenizer: str | None, language: str | None
) -> TokenizerChoice:
    """The tokenizer of sentences that each stand alone: the one that is named; blanks, where punctuation in the
    ``lines`` shows that they are tokenised; the models' own, if it is one for running text; else the best one for the
    language, where none is known that of the Penn Treebank. Raises SettingError where the models' own differ."""
    if tokenizer is not None:
        check_tokenizer(tokenizer)
        return TokenizerChoice(tokenizer, f"words by {tokenizer}")
    code = language_of_run(models, language)
    if is_tokenized(lines, language_or_english(code), unless_shown=False):
        return TokenizerChoice(WHITESPACE, "words between blanks")
    own = _own_tokenizer(models)
    if own == WHITESPACE:
        own = tokenizer_for(code, raw=False).name
    return TokenizerChoice(own, f"words by {own}")


def _own_tokenizer(models: Sequence[LoadedLanguageModel]) -> str:
    return _agreed(models, "tokenizer", "tokenizers", [model.text.tokenizer for model in models])


def _agreed(models: Sequence[LoadedLanguageModel], option: str, plural: str, values: Sequence[str]) -> str:
    """The one value among these, "" where there is none. Raises SettingError where there are several."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) > 1:
        names = ", ".join(model.name for model in models)
        raise SettingError(f"{names} have different {plural} ({', '.join(distinct)}); choose one by --{option}")
    return distinct[0] if distinct else ""
