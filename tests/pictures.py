"""What tests of PNG and PDF need."""

from typing import Any

import pytest

from synparse.drawing.conversion import converter
from synparse.trees.errors import DataError


def cairosvg_or_skip() -> Any:
    """CairoSVG. Skips the test where it, or the library that it draws with, is missing."""
    try:
        converter("png")
    except DataError as error:
        pytest.skip(error.message)
    import cairosvg

    return cairosvg
