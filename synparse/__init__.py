"""synparse learns the structure of language from raw text, and parses with what was learned.

>>> import synparse
>>> [parse] = synparse.load("right-branching").parse(["the dog barked"])
>>> parse.heads
(0, 1, 2)
"""

from typing import TYPE_CHECKING, Any

from synparse.config.version import __version__ as __version__

if TYPE_CHECKING:
    from synparse.parsing.frames import to_frame as to_frame
    from synparse.parsing.options import ParserOptions as ParserOptions
    from synparse.parsing.parse import Parse as Parse
    from synparse.parsing.parser import Parser as Parser
    from synparse.training.run import train as train

    load = Parser.load

__all__ = ["Parse", "Parser", "ParserOptions", "load", "to_frame", "train"]


def __dir__() -> list[str]:
    return ["__version__", *__all__]


def __getattr__(name: str) -> Any:
    # Imported where it is used: the command line shows its help before any of it is loaded.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "train":
        from synparse.training.run import train

        return train
    from synparse.parsing.frames import to_frame
    from synparse.parsing.options import ParserOptions
    from synparse.parsing.parse import Parse
    from synparse.parsing.parser import Parser

    known = {"Parse": Parse, "Parser": Parser, "ParserOptions": ParserOptions, "load": Parser.load}
    return {**known, "to_frame": to_frame}[name]
