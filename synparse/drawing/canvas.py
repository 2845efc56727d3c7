"""The frame of every picture, and the colours in it.

A picture may be a file of its own, for programs that know no style sheets (Inkscape, rsvg-convert, CairoSVG). So all
that can be seen is said by attributes, in the colours of a light page. Pages in HTML have `STYLE`, which turns these
colours dark where the reader's system is: a rule of a style sheet goes before an attribute.
"""

from __future__ import annotations

from collections.abc import Iterable

from synparse.drawing.markup import escaped

INK, PAPER, FAINT, LINE, RULE, MARK, ACCENT = "#1c2024", "#fff", "#60646c", "#8b8d98", "#d9d9e0", "#c62a2f", "#0b68b8"
"""Of text, of what is below it, of notes, of lines, of lines that lead the eye, of what is marked, of values."""

_NAMES = {"ink": INK, "paper": PAPER, "faint": FAINT, "line": LINE, "rule": RULE, "mark": MARK, "accent": ACCENT}

_DARK = ("#edeef0", "#111113", "#b0b4ba", "#7b7e86", "#363a3f", "#ff9592", "#70b8ff")
"""Of the same, in this order. Colours that are none of them stay as they are."""


def _style() -> str:
    light = " ".join(f"--{name}: {colour};" for name, colour in _NAMES.items())
    dark = " ".join(f"--{name}: {colour};" for name, colour in zip(_NAMES, _DARK, strict=True))
    rules = "".join(
        f'svg[{paint}="{colour}"], svg [{paint}="{colour}"] {{ {paint}: var(--{name}); }}\n'
        for name, colour in _NAMES.items()
        for paint in ("fill", "stroke")
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{rules}"
    )


STYLE = _style()
"""Of pages, with or without pictures in them."""


def svg(kind: str, width: float, height: float, name: str, parts: Iterable[str], size: int = 12) -> str:
    """A picture as an element of a page. ``kind`` is its class, ``name`` what a screen reader calls it, ``size`` that
    of its letters, in pixels."""
    wide, high = round(width, 1), round(height, 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" font-family="monospace" font-size="{size}" fill="{INK}">\n'
        f"<title>{escaped(name)}</title>\n{''.join(parts)}</svg>\n"
    )


def svg_file(kind: str, width: float, height: float, name: str, parts: Iterable[str], size: int = 12) -> str:
    """Likewise as a file of its own, which has its paper: it may be shown on any colour."""
    paper = f'<rect class="paper" width="100%" height="100%" fill="{PAPER}"/>\n'
    return svg(kind, width, height, name, (paper, *parts), size)
