"""Files that are no plain text, told by their first bytes."""

from __future__ import annotations

import re

from synparse.trees.errors import DataError

_AS_TEXT = "save it as plain text, in UTF-8"

_KINDS = (
    (rb"PK\x03\x04", f"a zip archive, as Word (docx) and LibreOffice documents are; {_AS_TEXT}"),
    (rb"\xd0\xcf\x11\xe0", f"a document of an old Word or other Office program; {_AS_TEXT}"),
    (rb"%PDF", "a PDF; take the text out of it, for instance with pdftotext"),
    (rb"\{\\rtf", f"rich text (RTF); {_AS_TEXT}"),
    (rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)\b", f"HTML; {_AS_TEXT}"),
    (rb"(\xef\xbb\xbf)?<\?xml\b", "XML; take the text or the trees out of it"),
    (rb"\xff\xfe|\xfe\xff", "UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
    (rb"BZh[1-9]1AY&SY|\xfd7zXZ|\x28\xb5\x2f\xfd", "packed, and not by gzip; unpack it first"),
)
"""What such files begin with, and what to tell of each."""

BYTES = 1000
"""How much of a file is looked at."""

_LEAST_NULS, _LEAST_PART = 3, 0.05
"""NULs in UTF-16, and their part of the bytes: each letter of a Latin script has one, and each blank. Text may have a
few of its own."""


def refuse_other_formats(beginning: bytes, path: str) -> None:
    """Raises DataError for the first bytes of a file that is surely no UTF-8 text, with what it is and what to do."""
    for pattern, what in _KINDS:
        if re.match(pattern, beginning, re.IGNORECASE):
            raise DataError(f"this is {what}", path)
    nuls = [position % 2 for position, byte in enumerate(beginning[:BYTES]) if not byte]
    if len(nuls) >= max(_LEAST_NULS, _LEAST_PART * len(beginning[:BYTES])) and len(set(nuls)) == 1:
        order = "LE" if nuls[0] else "BE"
        raise DataError(f"this is UTF-16 without a byte order mark; convert it: iconv -f UTF-16{order} -t UTF-8", path)
