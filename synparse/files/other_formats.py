"""Files that are no plain text, told by their first bytes."""

from __future__ import annotations

import re

from synparse.trees.errors import DataError

_AS_TEXT = "save it as plain text, in UTF-8"

_KINDS = (
    (rb"PK\x03\x04", f"a zip archive, as Word (docx), Excel (xlsx) and LibreOffice files are; {_AS_TEXT}"),
    (rb"\xd0\xcf\x11\xe0", f"a document of an old Word or other Office program; {_AS_TEXT}"),
    (rb"[\s\S]{257}ustar", "a tar archive; take the text out of it: tar -xf"),
    (rb"%PDF", "a PDF; take the text out of it, for instance with pdftotext"),
    (rb"\{\\rtf", f"rich text (RTF); {_AS_TEXT}"),
    (rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)\b", f"HTML; {_AS_TEXT}"),
    (rb"(\xef\xbb\xbf)?<\?xml\b", "XML; take the text or the trees out of it"),
    (
        rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|II\*\0|MM\0\*",
        "a picture; take the text out of it, for instance with tesseract",
    ),
    (rb"\xff\xfe\0\0|\0\0\xfe\xff", "UTF-32; convert it: iconv -f UTF-32 -t UTF-8"),
    (rb"\xff\xfe|\xfe\xff", "UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
    (rb"\x28\xb5\x2f\xfd", "packed by Zstandard; unpack it: zstd -dc"),
    (
        rb"(\xef\xbb\xbf)?# *global\.columns *=(?! *ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC *[\r\n]).*\n",
        "CoNLL-U Plus; write the ten columns of CoNLL-U, without the line # global.columns",
    ),
)
"""What such files begin with, and what to tell of each."""

BYTES = 1000
"""How much of a file is looked at."""

_LEAST_NULS, _MOST_BLOCKS = 3, 4
"""In UTF-16, one of the two bytes of a character says in which block of the script it is, 0 for Latin letters and
blanks: a text has few different ones. A damaged text may have NULs, too."""


def refuse_other_formats(beginning: bytes, path: str) -> None:
    """Raises DataError for the first bytes of a file that is surely no UTF-8 text, with what it is and what to do."""
    for pattern, what in _KINDS:
        if re.match(pattern, beginning, re.IGNORECASE):
            raise DataError(f"this is {what}", path)
    for order, first in ("LE", 1), ("BE", 0):
        blocks, others = beginning[first:BYTES:2], beginning[1 - first : BYTES : 2]
        if blocks.count(0) >= _LEAST_NULS and 0 not in others and len(set(blocks)) <= _MOST_BLOCKS:
            raise DataError(
                f"this is UTF-16 without a byte order mark; convert it: iconv -f UTF-16{order} -t UTF-8", path
            )
