"""PNG and PDF from SVG, and what is said where that cannot be done."""

import sys

import pytest

from synparse.drawing.canvas import svg_file
from synparse.drawing.conversion import MOST_PIXELS, converter
from synparse.trees.errors import DataError, SettingError
from tests.pictures import cairosvg_or_skip


@pytest.fixture
def convert():
    cairosvg_or_skip()
    return lambda format, *size: converter(format)(svg_file("tree", *size, "a picture", []))


def test_a_png_has_two_pixels_for_each(convert):
    png = convert("png", 30, 20)
    assert png.startswith(b"\x89PNG\r\n")
    assert [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)] == [60, 40]


def test_a_pdf(convert):
    assert convert("pdf", 30, 20).startswith(b"%PDF-")


def test_what_no_png_can_hold(convert):
    with pytest.raises(SettingError, match=r"^--format png: 60 × 60000 pixels are more than .* fewer"):
        convert("png", 30, 30_000)
    assert convert("png", 1, MOST_PIXELS // 2)
    assert convert("pdf", 30, 30_000)


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_letters_from_right_to_left_are_refused(format):
    cairosvg_or_skip()
    for word in ("שלום", "سیب"):
        with pytest.raises(SettingError, match=f"^--format {format}: CairoSVG sets '{word[0]}' .* choose html, or svg"):
            converter(format)(svg_file("tree", 30, 20, "a picture", [f"<text>a {word}</text>"]))
    assert converter(format)(svg_file("tree", 30, 20, "a picture", ["<text>Łódź слово 猫</text>"]))


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_a_missing_package_is_told_with_what_installs_it(monkeypatch, format):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(DataError, match=rf"^--format {format} needs CairoSVG: pip install '?cairosvg"):
        converter(format)


def test_a_missing_library_is_told(monkeypatch, tmp_path):
    (tmp_path / "cairosvg.py").write_text("raise OSError('no library called cairo-2 was found')\n")
    monkeypatch.delitem(sys.modules, "cairosvg", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DataError, match=r"^--format pdf needs the library cairo: install libcairo2"):
        converter("pdf")
