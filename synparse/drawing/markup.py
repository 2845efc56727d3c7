"""Escaping text in SVG and HTML."""

from __future__ import annotations

import html
import re

# What XML 1.0 has no way of writing: control characters and half of a surrogate pair.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Text escaped for elements and attributes of SVG and HTML; characters that neither allows become U+FFFD.

    >>> escaped('R&D < "x"')
    'R&amp;D &lt; &quot;x&quot;'
    """
    return html.escape(_UNWRITABLE.sub("\ufffd", text))
