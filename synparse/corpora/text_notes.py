"""Notes for the user on files that are read as text, but have lines that are not sentences, or more than sentences."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence

from synparse.corpora.sentences import TEXT, format_by_name, format_of
from synparse.files.packed import ending_of
from synparse.files.streams import first_lines
from synparse.trees.errors import name_of
from synparse.trees.punctuation import is_punctuation

FIRST_LINES = 200
"""Number of lines that show what a text is."""

MOST = 0.8
"""The fraction of these lines, blank ones aside, that have to look alike."""

_CHAT = re.compile(r"@[A-Z][\w ]*(?::\t|:?$)|[*%]\w+:\t")
_SUBTITLES = re.compile(r"(?:\d+:)?\d\d:\d\d[,.]\d+ -->")
_TOOLBOX = re.compile(r"\\[a-z_]\w*(\s|$)")
_VERSE = re.compile(r"\\[cv] \d")
_NUMBERS = (r"^\(?\d+[a-z]?[.)]* +", r"^(?:\S+ )?\d+:\d+ +")
"""Numbers of sentences or verses before them, in digits of any script, as Perl and Python know them, but not sed."""

_TAG = re.compile(r"</\w+>|<br ?/?>|&(?:amp|lt|gt|quot|nbsp|#x?\w+);")
"""Remains of HTML and XML. Begins of tags are none: texts for language models have ``<unk>`` and ``<s>``."""

LEAST_MARKS = 1 / 40
"""The least fraction of lines that are punctuation alone, where each line is a word: one of a sentence of 40 words."""

LEAST_TAGGED = 0.01
"""The fraction of the lines, at least two, that have remains of HTML or XML."""

LEAST_PAIRS = 8
"""Least number of different pairs of neighbouring lines that show whether text is wrapped at a fixed width."""


def text_notes(paths: Sequence[str], format: str | None = None, to_split: bool = False) -> list[str]:
    """What to tell the user about the files that are read as text, of each kind of note the first one; and about a file
    of another format, if the user has asked ``to_split`` text. Of standard input, what has come by now is looked at.
    Raises DataError for a file that cannot be read."""
    notes: dict[_Check | None, str] = {}
    for path in paths:
        if (format or format_by_name(path) or format_of(first_lines(path, FIRST_LINES, waits=False))) != TEXT:
            if to_split:
                notes.setdefault(None, f"{name_of(path)}: its words stay; --raw and --tokenizer are for text")
            continue
        lines = list(first_lines(path, FIRST_LINES, waits=False))
        text = "".join(lines)
        filled = [line.strip() for line in lines if line.strip()]
        for check in _CHECKS if format else (_other_format, *_CHECKS):
            if note := check(path, text, filled):
                notes.setdefault(check, f"{name_of(path)}: {note}")
                break
    return list(notes.values())


_Check = Callable[[str, str, list[str]], str]
"""From the path of a text, its beginning, and the lines of this that are not blank, to a note, or "" if it has none."""


def _other_format(path: str, text: str, _filled: list[str]) -> str:
    """A file with the name of a text, which holds trees."""
    format = format_of(text.splitlines()) if format_by_name(path) else TEXT
    return "" if format == TEXT else f"by its name, this is read as text; if it is {format}: --from {format}"


def _old_line_ends(_path: str, text: str, _filled: list[str]) -> str:
    is_old = re.search(r"\r[^\r\n]", text)
    return "CR alone, as on old Macs, ends no line here; convert such line ends: tr '\\r' '\\n'" if is_old else ""


def _markers(_path: str, _text: str, filled: list[str]) -> str:
    if _most(_TOOLBOX.match, filled) and any(map(_VERSE.match, filled)):
        return "Bible text in USFM; keep only the text of verses in it, for instance: sed -n 's/^\\\\v [^ ]* *//p'"
    if _most(_TOOLBOX.match, filled):
        return "records of Toolbox or FLEx; keep only the text in them, for instance: sed -n 's/^\\\\tx *//p'"
    if _most(_CHAT.match, filled):
        return "a transcript in CHAT; keep only the utterances in it, for instance: grep '^\\*' | cut -f 2"
    if any(map(_SUBTITLES.match, filled[:3])):
        return "subtitles; keep only the lines of text in them, for instance: tr -d '\\r' | grep -vE '^[0-9]+$|-->'"
    return ""


def _square_brackets(_path: str, _text: str, filled: list[str]) -> str:
    if not filled or not all(re.match(r"\[\S+ .*\[\S+ .*\]$", line) for line in filled):
        return ""
    return "trees in square brackets, which are read as words; write parentheses: tr '[]' '()'"


def _words(_path: str, _text: str, filled: list[str]) -> str:
    """Words one a line, perhaps with tags after a tab. (Lines without blanks alone might be sentences in Chinese.)"""
    words = [line.split("\t")[0].strip() for line in filled]
    marks = sum(map(is_punctuation, words))
    if not _most(lambda word: " " not in word, words) or marks < LEAST_MARKS * len(words):
        return ""
    return "one word a line, but each line is read as a sentence; write the words of a sentence in one line"


def _table(path: str, _text: str, filled: list[str]) -> str:
    separator = "," if ending_of(path) == ".csv" else "\t"
    is_table = _most(lambda line: separator in line, [line for line in filled if not line.startswith("#")])
    return "a table; each line is read as a sentence, so leave only the column of sentences in it" if is_table else ""


def _numbered(_path: str, _text: str, filled: list[str]) -> str:
    """Sentences with different numbers before them."""
    for numbers in _NUMBERS:
        before_words = re.compile(rf"{numbers}(?=\W*[^\W\d])")
        begins = {match[0] for line in filled if (match := before_words.match(line))}
        if len(begins) >= max(3, MOST * len(filled)):
            return f"the numbers before the sentences would be words; take them out: perl -CSD -pe 's/{numbers}//'"
    return ""


def _tags(_path: str, _text: str, filled: list[str]) -> str:
    tagged = [match[0] for line in filled if (match := _TAG.search(line))]
    if len(tagged) < max(2, LEAST_TAGGED * len(filled)):
        return ""
    return f"{tagged[0]} and the like would be words; take them out, for instance with html2text"


def _wrapped(_path: str, text: str, _filled: list[str]) -> str:
    """If the lines are wrapped at a fixed width, so that sentences are cut. In such text, the first word of a line
    would rarely have fitted on the line before, which rarely ends a sentence."""
    lines = [line.strip() for line in text.splitlines()]
    pairs = {(line, after.split()[0]) for line, after in itertools.pairwise(lines) if line and " " in after}
    if len(pairs) < LEAST_PAIRS:
        return ""
    lengths = sorted(map(len, filter(None, lines)))
    width = lengths[len(lengths) * 19 // 20]  # few lines may be longer
    full = sum(len(line) + 1 + len(word) > width for line, word in pairs)
    unfinished = sum(unicodedata.category(line[-1])[0] in "LM" or line[-1] in ",-" for line, _ in pairs)
    hyphens = 'gsub(/-\\n/, ""); ' if any(line[-2:-1].isalpha() and line[-1] == "-" for line, _ in pairs) else ""
    unix = "tr -d '\\r' | " if "\r\n" in text else ""
    if full < 0.8 * len(pairs) or unfinished < 0.5 * len(pairs):
        return ""
    return (
        f"the lines are wrapped at about {width} characters, so sentences are cut; "
        f"join the lines of each paragraph: {unix}awk -v RS= '{{{hyphens}gsub(/\\n/, \" \")}} 1'"
    )


def _most(holds: Callable[[str], object], lines: list[str]) -> bool:
    """Whether this holds for most of the lines; one line, or none, shows nothing."""
    return len(lines) > 1 and sum(map(bool, map(holds, lines))) >= MOST * len(lines)


_CHECKS: tuple[_Check, ...] = (_old_line_ends, _markers, _square_brackets, _words, _table, _numbered, _tags, _wrapped)
