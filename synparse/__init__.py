"""synparse learns the structure of language from raw text, and parses with what was learned.

>>> import synparse
>>> [parse] = synparse.load("right-branching").parse(["the dog barked"])
>>> parse.heads
(0, 1, 2)
"""

from typing import TYPE_CHECKING, Any

from synparse.config.version import __version__ as __version__

if TYPE_CHECKING:
    from synparse.parsing.interchange import from_spacy as from_spacy
    from synparse.parsing.interchange import from_stanza as from_stanza
    from synparse.parsing.interchange import to_frame as to_frame
    from synparse.parsing.interchange import to_spacy as to_spacy
    from synparse.parsing.interchange import to_stanza as to_stanza
    from synparse.parsing.parse import Parse as Parse
    from synparse.parsing.parser import Parser as Parser
    from synparse.training.run import train as train

    load = Parser.load

_INTERCHANGE = ["from_spacy", "from_stanza", "to_frame", "to_spacy", "to_stanza"]

__all__ = ["Parse", "Parser", "load", "train", *_INTERCHANGE]


def __dir__() -> list[str]:
    return ["__version__", *__all__]


def __getattr__(name: str) -> Any:
    # Imported where it is used: the command line shows its help before any of it is loaded.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "train":
        from synparse.training.run import train

        return train
    if name in _INTERCHANGE:
        from synparse.parsing import interchange

        return getattr(interchange, name)
    from synparse.parsing.parse import Parse
    from synparse.parsing.parser import Parser

    return {"Parse": Parse, "Parser": Parser, "load": Parser.load}[name]
