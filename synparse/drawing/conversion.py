"""Pictures in SVG as PNG and PDF, by CairoSVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from synparse.files.extras import how_to_install
from synparse.trees.errors import DataError, SettingError

ConvertedFormat: TypeAlias = Literal["png", "pdf"]

SCALE = 2
"""Pixels of a PNG for each pixel of the SVG, so that print and dense screens show smooth letters."""

MOST_PIXELS = 32_767
"""The longest side of an image of cairo's."""

_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Letters that CairoSVG, which knows no direction, would set from left to right."""

_SIZE = re.compile(r'<svg [^>]* width="([0-9.]+)" height="([0-9.]+)"')


def converter(format: ConvertedFormat) -> Callable[[str], bytes]:
    """The function from an SVG file to the bytes of a PNG or PDF file.

    Raises DataError if CairoSVG or its library is missing; the function, SettingError for more than a PNG can hold, and
    for letters that run from right to left.
    """
    try:
        import cairosvg
    except ImportError:
        raise DataError(f"--format {format} needs CairoSVG: {how_to_install('pictures')}") from None
    except OSError:
        raise DataError(
            f"--format {format} needs the library cairo: install libcairo2 (Debian, Ubuntu) or cairo (Fedora, Homebrew)"
        ) from None

    def convert(svg: str) -> bytes:
        if found := _FROM_RIGHT.search(svg):
            raise SettingError(
                f"--format {format}: CairoSVG sets {found[0]!r} and its neighbours from left to right; choose html, or "
                "svg, and convert it by a browser, Inkscape or rsvg-convert"
            )
        return _png(svg) if format == "png" else bytes(cairosvg.svg2pdf(svg.encode()))

    return convert


def _png(svg: str) -> bytes:
    import cairosvg

    match = _SIZE.match(svg)
    assert match is not None
    width, height = (round(SCALE * float(side)) for side in match.groups())
    if max(width, height) > MOST_PIXELS:
        raise SettingError(
            f"--format png: {width} × {height} pixels are more than the {MOST_PIXELS} that a side can have; draw fewer "
            "sentences, or choose svg, pdf or html"
        )
    return bytes(cairosvg.svg2png(svg.encode(), scale=SCALE))
