"""What encoders read and make: rows of expressions, and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor


class Rows(NamedTuple):
    """R expressions of up to T words.

    words [R, T]: indices, anything at padding; lengths [R]; leaves, heights: each gold tree's (`Expression`).
    """

    words: Tensor
    lengths: Tensor
    leaves: Sequence[Sequence[int]]
    heights: Sequence[Sequence[int]]


class Encoding(NamedTuple):
    """vectors [R, D]; distances [R, T − 1]: syntactic distances, where the encoder induces trees."""

    vectors: Tensor
    distances: Tensor | None = None
