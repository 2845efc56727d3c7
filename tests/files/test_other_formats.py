"""Files that people have, and that hold no plain text."""

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from synparse.files.other_formats import refuse_other_formats
from synparse.trees.errors import DataError

SENTENCES = "The cat sat.\nIt slept.\n"


def docx():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("beginning", "message"),
    [
        (docx(), "this is a zip archive, as Word (docx), Excel (xlsx) and LibreOffice files are; save it as"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "this is a document of an old Word"),
        (b"u8.txt".ljust(257, b"\0") + b"ustar  \0", "this is a tar archive; take the text out of it: tar -xf"),
        (b"%PDF-1.7\n%\xe2\xe3", "this is a PDF; take the text out of it, for instance with pdftotext"),
        (b"{\\rtf1\\ansi The cat sat.}", "this is rich text (RTF); save it as plain text"),
        (b"# global.columns = ID FORM HEAD DEPREL\n1\ta\t0\troot\n\n", "this is CoNLL-U Plus; write the ten columns"),
        (b"<!DOCTYPE html>\n<html>", "this is HTML; save it as plain text"),
        (b"\xef\xbb\xbf\n <HTML lang=en>", "this is HTML; save it as plain text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is a picture; take the text out of it, for instance with tesseract"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "this is a picture; "),
        (b'<?xml version="1.0"?>', "this is XML; "),
        (SENTENCES.encode("utf-32"), "this is UTF-32; convert it: iconv -f UTF-32 -t UTF-8"),
        (SENTENCES.encode("utf-16"), "this is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
        (b"\xfe\xff" + SENTENCES.encode("utf-16-be"), "this is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
        (SENTENCES.encode("utf-16-le"), "without a byte order mark; convert it: iconv -f UTF-16LE -t UTF-8"),
        (SENTENCES.encode("utf-16-be"), "without a byte order mark; convert it: iconv -f UTF-16BE -t UTF-8"),
        ("Кот сидел на окне и спал.\n".encode("utf-16-le"), "iconv -f UTF-16LE -t UTF-8"),
        ("hi\n".encode("utf-16-le"), "iconv -f UTF-16LE -t UTF-8"),
        (b"\x28\xb5\x2f\xfd" + bytes(9), "this is packed by Zstandard; unpack it: zstd -dc"),
    ],
)
def test_what_is_no_text_is_told_with_what_to_do(beginning, message):
    with pytest.raises(DataError) as raised:
        refuse_other_formats(beginning, "file")
    assert str(raised.value).startswith("file: this is ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"P",
        SENTENCES.encode(),
        SENTENCES.encode("utf-8-sig"),
        "Кот сидел на окне.\n猫が座った。\n".encode(),
        b"a\0b \0 c\0\0 d",
        b"(\0S (\0NN a) (VP\0 b)) ",
        b"the\0dog " + b"barks " * 100 + b"\0\0\0",
        b"<html5> is a tag\n",
        b"<p> is one too\n",
        b"PK is a short name\n",
        b"BZh is none\n",
        b'{"tokens": ["a"]}\n',
        b'{"sent_id": null, "tokens": ["a"]}\n',
        b"(S (NP (NN rtf)))\n",
        b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\ta" + 8 * b"\t_" + b"\n\n",
        gzip.compress(SENTENCES.encode(), mtime=0),
        bz2.compress(SENTENCES.encode()),
        lzma.compress(SENTENCES.encode()),
    ],
)
def test_text_is_text(beginning):
    refuse_other_formats(beginning, "file")
