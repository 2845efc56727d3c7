"""How sentences are parsed: everything that can be chosen, as one value."""

from __future__ import annotations

from typing import Literal, TypeAlias

TreeDecoder: TypeAlias = Literal["unbiased", "published", "boundaries", "projective"]
HeadDecoder: TypeAlias = Literal["mst", "argmax", "projective", "joint", "boundaries"]
Punctuation: TypeAlias = Literal["ignore", "evidence"]
OutputFormat: TypeAlias = Literal["conllu", "brackets", "json"]
