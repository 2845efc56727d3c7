"""What can be installed beside synparse, as the extras of pyproject.toml name it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator

from synparse.trees.errors import DataError

EXTRAS = {
    "train": ("torch>=2.6",),
    "dask": ("dask[distributed]>=2024.8", "cryptography>=41"),
    "spacy": ("spacy>=3.7",),
    "stanza": ("stanza>=1.8",),
    "ja": ("fugashi>=1.3", "unidic-lite>=1.0.8"),
    "zh": ("rjieba>=0.2",),
    "lemmas": ("lemminflect>=0.2.3",),
    "craft": ("gymnasium>=1.1",),
    "pictures": ("cairosvg>=2.7",),
}
"""The packages of each extra."""


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra. It names them, and not synparse, which may have been
    installed from anywhere.

    >>> how_to_install("train")
    "pip install 'torch>=2.6'"
    """
    return shlex.join(["pip", "install", *EXTRAS[extra]])


@contextlib.contextmanager
def needing(need: str, extra: str) -> Iterator[None]:
    """Within, what cannot be imported is a DataError: what is needed for what, and how to install it."""
    try:
        yield
    except ImportError:
        raise DataError(f"{need}: {how_to_install(extra)}") from None
