"""The text of a pattern, token by token. What is wrong with it is told with its column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import partial

import regex

from synparse.trees.errors import SettingError
from synparse.trees.limits import LONGEST_PATTERN

composed = partial(unicodedata.normalize, "NFC")
"""The form in which patterns and what they search are compared, so that it does not matter how a file encodes
accents."""


class TooManyMatches(Exception):  # noqa: N818 - the search says of which sentence, as a DataError
    """A sentence has more matches than are counted, or finding them takes too many steps. Its text says which."""


class Tokens:
    """The tokens of a pattern, taken one after the other; at the end, the next one is "". ``subject`` is what the
    pattern is about, for messages: it may be of the other kind than the input.

    Raises SettingError for a character that begins none of the tokens, and for more than `LONGEST_PATTERN`.
    """

    def __init__(self, pattern: str, token: re.Pattern[str], subject: str) -> None:
        if len(pattern) > LONGEST_PATTERN:
            raise SettingError(f"a pattern of more than {LONGEST_PATTERN} characters")
        self._subject = subject
        self._tokens: list[tuple[str, int]] = []
        self._taken = 0
        position = len(pattern) - len(pattern.lstrip())
        while position < len(pattern):
            match = token.match(pattern, position)
            if match is None:
                raise self._fault(position, f"{pattern[position]!r} cannot begin a term; put words in quotes")
            self._tokens.append((match[0], position))
            position = match.end()
            position += len(pattern[position:]) - len(pattern[position:].lstrip())
        self._tokens.append(("", len(pattern)))

    def next(self, further: int = 0) -> str:
        """The next token, or one further on."""
        return self._tokens[min(self._taken + further, len(self._tokens) - 1)][0]

    @property
    def last(self) -> str:
        """The token that was taken last, "" before the first."""
        return self._tokens[self._taken - 1][0] if self._taken else ""

    @property
    def follows_at_once(self) -> bool:
        """Whether no blank stands before the next token."""
        return self._taken > 0 and self._tokens[self._taken][1] == self._tokens[self._taken - 1][1] + len(self.last)

    def take(self) -> str:
        """The next token, which is taken."""
        token = self.next()
        self._taken = min(self._taken + 1, len(self._tokens) - 1)
        return token

    def take_if(self, wanted: Collection[str]) -> str:
        """The next token if it is one of these, "" if it is another one, which is not taken."""
        return self.take() if self.next() in wanted else ""

    def expect(self, token: str) -> None:
        """Take this token. Raises SettingError if it is not the next one."""
        if not self.take_if([token]):
            raise self.expected(repr(token))

    def expected(self, what: str) -> SettingError:
        """The error of a next token that should be something else."""
        token = self.next()
        return self.fault(f"expected {what}, " + (f"not {token!r}" if token else "but the pattern ends"))

    def fault(self, message: str) -> SettingError:
        """An error with the column of the next token."""
        return self._fault(self._tokens[self._taken][1], message)

    def _fault(self, position: int, message: str) -> SettingError:
        return SettingError(f"column {position + 1} of the pattern of {self._subject}: {message}")


def compiled(expression: str, tokens: Tokens) -> regex.Pattern[str]:
    """A regular expression, in which properties of Unicode may stand (\\p{L}), and \\w is a letter of any script with
    its marks. Raises SettingError, at the next token, for what is none."""
    try:
        return regex.compile(expression)
    except (regex.error, RecursionError, OverflowError) as error:
        raise tokens.fault(f"not a regular expression: {error}") from None


def unquoted(token: str) -> str:
    """What stands between the quotes of a token, where a backslash escapes quotes and backslashes."""
    return re.sub(r'\\(["\\])', r"\1", token[1:-1])
