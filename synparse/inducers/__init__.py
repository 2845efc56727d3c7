"""One file per model, readable beside its paper; each offers ``loss(batch)`` and ``induce(batch)``."""

from __future__ import annotations

from typing import Any, NamedTuple


class InducerKind(NamedTuple):
    """A model class and the frozen dataclass of its sizes."""

    model: type[Any]
    config: type[Any]


INDUCER_NAMES = ("structformer",)


def inducer_kind(name: str) -> InducerKind:
    """The inducer of that name. Imports torch. Raises ValueError for an unknown name."""
    if name == "structformer":
        from synparse.inducers.structformer import StructFormer, StructFormerConfig

        return InducerKind(StructFormer, StructFormerConfig)
    raise ValueError(f"unknown model {name!r}; there are {', '.join(INDUCER_NAMES)}")
