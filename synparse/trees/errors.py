"""The one error that every reader raises: where a file is wrong, and what to do about it."""

from __future__ import annotations


class DataError(ValueError):
    """A file does not hold what its format says.

    Its text is one line, ``source:line: message``, ready to be shown to a user. Lines are counted
    from 1; ``line`` is left out where the whole file is meant.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source
        self.line = line
        place = source if line is None else f"{source or '<text>'}:{line}"
        super().__init__(f"{place}: {message}" if place else message)
