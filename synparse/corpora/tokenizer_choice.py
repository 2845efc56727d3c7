"""The choice of a tokenizer for files: by their language, by what their first lines show, and by the model that reads
them."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Sequence

from synparse.corpora.languages import Language, language_of, language_or_english
from synparse.corpora.sentences import TEXT, format_of_file
from synparse.corpora.tokenization import (
    CHARACTERS,
    LINES_TO_LOOK_AT,
    WHITESPACE,
    TokenizerChoice,
    are_words_separate,
    check_tokenizer,
    is_tokenized,
    language_of_lines,
    tokenizer_for,
)
from synparse.files.streams import first_lines, is_read_once
from synparse.trees.errors import name_of

FILES_TO_COMPARE, LINES_TO_COMPARE = 20, 100
"""How many files, and first lines of them, show whether they are tokenised alike."""

LONGEST_MEAN_OF_SENTENCES = 40
"""Words of a line, on average, above which lines may be paragraphs."""


def chosen_tokenizer(
    paths: Sequence[str], language: str, raw: bool, format: str | None = None, own: str = WHITESPACE
) -> TokenizerChoice:
    """The tokenizer for these files in a language (its ISO 639 code or English name; "" if none is named: then that of
    a script without blanks, or English).

    Where a line is a sentence, the first lines of text show whether it is tokenised already; then, and where there is
    no text among the files, blanks separate words. ``own``: the tokenizer that a model has learned from, which is taken
    for running text, without a word on it, unless it is ``whitespace``. Raises SettingError for what is no language,
    DataError for a file that cannot be read.
    """
    language = language or _language_of_text(paths, format)
    known = language_or_english(language)
    lines = list(itertools.islice(_first_lines_of_text(paths, format), 1 if raw else LINES_TO_LOOK_AT))
    if not lines:
        return TokenizerChoice(WHITESPACE, "")
    choice = tokenizer_for(language, raw) if own == WHITESPACE else TokenizerChoice(own, "")
    if raw:
        return choice
    if len(paths) > 1:
        _warn_of_both_kinds(paths, known, format)
    if are_words_separate(lines, known, own):
        reason = "because punctuation is not attached to them" if known.has_blanks else "because words are separate"
        return TokenizerChoice(
            WHITESPACE, f"{known.name}: each line is a sentence, and blanks separate its words, {reason}"
        )
    advice = f"--raw splits running text into sentences; --tokenizer {WHITESPACE} splits at blanks only"
    lengths = [len(chunks) for line in lines if (chunks := line.split())]
    if (words := sum(lengths) // max(1, len(lengths))) > LONGEST_MEAN_OF_SENTENCES:
        advice = f"lines have {words} words on average: --raw splits paragraphs into sentences"
        if not choice.note:
            return choice._replace(note=advice)
    note = choice.note.replace(": ", ": each line is a sentence, ", 1)
    return choice._replace(note=note and f"{note}; {advice}")


def _warn_of_both_kinds(paths: Sequence[str], language: Language, format: str | None) -> None:
    """Warn if one text is tokenised and another one is not: all are split alike. A few lines of a few files show it."""
    examples: dict[bool, str] = {}
    for path in [path for path in paths if not is_read_once(path)][:FILES_TO_COMPARE]:
        lines = list(itertools.islice(_first_lines_of_text([path], format), LINES_TO_COMPARE))
        shown = {is_tokenized(lines, language, unless_shown) for unless_shown in (True, False)}
        if len(shown) == 1 and len(lines) > LINES_TO_COMPARE / 10:
            examples.setdefault(shown.pop(), name_of(path))
    if len(examples) == 2:
        warnings.warn(
            f"{examples[True]} is tokenised, {examples[False]} is not, and the first lines of all decide how all are "
            "split: prepare them alike",
            stacklevel=2,
        )


def tokenizer_for_model(
    paths: Sequence[str],
    own: str,
    own_language: str,
    *,
    tokenizer: str | None = None,
    language: str | None = None,
    raw: bool = False,
    format: str | None = None,
) -> TokenizerChoice:
    """The tokenizer of files for a model that has learned from words by the tokenizer ``own``, in ``own_language`` ("":
    not known). One that is named goes first; then `chosen_tokenizer`, which for text in the model's own language takes
    the model's own tokenizer, if that splits running text. The note is empty where there is nothing to say: blanks
    separate words, or the model decides, whose language is not split into characters for want of a segmenter.

    Raises as `chosen_tokenizer`.
    """
    if tokenizer is not None:
        check_tokenizer(tokenizer)
        return TokenizerChoice(tokenizer, "")
    code = own_language if language is None else language_of(language).code
    is_own = language is None or (bool(own_language) and code == language_of(own_language).code)
    choice = chosen_tokenizer(paths, code, raw, format, own if is_own else WHITESPACE)
    is_expected = language is None and (choice.name == WHITESPACE or (raw and bool(code) and choice.name != CHARACTERS))
    return choice._replace(note="") if is_expected else choice


def text_settings(
    paths: Sequence[str],
    tokenizer: str | None,
    language: str | None,
    raw: bool = False,
    format: str | None = None,
    has_own: bool = False,
) -> tuple[dict[str, str], str]:
    """The settings ``tokenizer`` and ``language`` of a training text, if they are given or the text shows them, and a
    note on what was chosen (empty if nothing was). Without a tokenizer, one is chosen for a language
    (`chosen_tokenizer`); without both, for text that is not tokenised, unless a recipe or a model of the user
    ``has_own``. Text in a script without blanks shows its language. Raises as `chosen_tokenizer`."""
    settings, note = dict[str, str](), ""
    if language is None and tokenizer is None and not has_own:
        language = _language_of_text(paths, format) or None
    if language is not None:
        settings["language"] = language_of(language).code
    if tokenizer is None and (settings or not has_own):
        choice = chosen_tokenizer(paths, settings.get("language", ""), raw, format)
        if settings or choice.name != WHITESPACE:
            tokenizer, note = choice
    if tokenizer is not None:
        settings["tokenizer"] = tokenizer
    return settings, note


def _language_of_text(paths: Sequence[str], format: str | None) -> str:
    return language_of_lines(list(itertools.islice(_first_lines_of_text(paths, format), LINES_TO_LOOK_AT)))


def _first_lines_of_text(paths: Sequence[str], format: str | None) -> Iterator[str]:
    """The first lines of the files that are text."""
    for path in paths:
        if (format or format_of_file(path)) == TEXT:
            yield from first_lines(path, LINES_TO_LOOK_AT)
