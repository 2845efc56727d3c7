import pytest

from synparse.corpora.scripts import language_without_blanks, scripts_of


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ({}, ""),
        ({"the": 33, "π": 1}, "Latin"),
        ({"the": 33, "π": 3}, "Latin 97 %, Greek 3 %"),
        ({"ひらがな": 1, "漢字": 1, "カナ": 1}, "Hiragana 50 %, Han 25 %, Katakana 25 %"),
        ({"I": 1, "１": 9, "\ue000": 1}, "Latin"),  # digits and private characters are no letters
    ],
)
def test_scripts_are_told_by_how_often_their_letters_occur(words, found):
    assert scripts_of(words) == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我们昨天看了一本书。", "zh"),
        ("私はPythonを使って書く。", "ja"),
        ("カタカナ", "ja"),
        ("แมวนั่งบนเสื่อ", "th"),
        ("ဆရာမ", "my"),
        ("ꦱꦧꦼꦤ꧀ꦮꦺꦴꦁ", "jv-java"),
        ("ᬲᬓᬮ᭄ᬯᬶᬭ", "ban-bali"),
        ("The word 猫 is Chinese for cat.", ""),
        ("한국어를 쓴다", ""),
        ("1990 .", ""),
        ("", ""),
    ],
)
def test_a_script_without_blanks_shows_the_language(text, language):
    assert language_without_blanks(text) == language
