import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora import normalization
from synparse.corpora.normalization import TextConfig, normalize
from synparse.trees.constituency import unescaped
from synparse.trees.errors import SettingError
from synparse.trees.limits import LONGEST_WORD
from synparse.trees.punctuation import is_punctuation


@pytest.mark.parametrize(
    "token",
    [
        *(",", ".", "...", "``", "''", "--", "-LRB-", "(", "?!", "«", "$", "#", "—", "¿"),
        *(":-RRB-", "-LRB--LRB-", "\\/", "\\*\\*", "`-LSB-"),
        *("。", "।", "؟", "،", "་", "፡", "״", "·", "『", "；", "։", "\u200d", "\ufeff"),
    ],
)
def test_punctuation(token):
    assert is_punctuation(token)
    assert normalize(token, TextConfig()) is None
    kept = normalize(token, TextConfig(punctuation="keep"))
    assert kept == (token.lower() if token == "-LRB-" else unescaped(token))


@pytest.mark.parametrize(
    ("token", "form"), [("1\\/2", "N"), ("and\\/or", "and/or"), ("f-LRB-x-RRB-", "f(x)"), ("A\\*", "a*")]
)
def test_a_word_is_the_same_with_escapes_of_penn_files(token, form):
    assert normalize(token, TextConfig()) == normalize(unescaped(token), TextConfig()) == form


@pytest.mark.parametrize("token", ["\u203c\ufe0f", "؟\u200f", "\u200b\u200b"])
def test_punctuation_with_invisible_characters(token):
    assert is_punctuation(token)
    assert normalize(token, TextConfig()) is None


@pytest.mark.parametrize(
    "token",
    [
        *("%", "&", "@", "'s", "n't", "U.S.", "1", "+", "é", "😀", "O'Neil", "=", "€"),
        *("％", "٪", "‰", "＆", "﹠", "＠", "⁊", "❤\ufe0f", "\U0001f469\u200d\U0001f4bb", "\u0301", "می\u200cخواهم"),
    ],
)
def test_words_and_spoken_symbols_are_not_punctuation(token):
    assert not is_punctuation(token)


@pytest.mark.parametrize(
    ("token", "word"),
    [("The", "the"), ("1990", "N"), ("3,500.25", "N"), ("10-year", "N-year"), ("2:30pm", "Npm"), ("ÉTÉ", "été")],
)
def test_normal_forms(token, word):
    assert normalize(token, TextConfig()) == word


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("Cafe\u0301", "café"),
        ("Àgbà", "àgbà"),
        ("A\u0300gba\u0300", "àgbà"),
        ("o\u0301\u0323", "ọ\u0301"),  # the order of marks does not matter
        ("\u1100\u1161\u11a8", "각"),
        ("ΟΔΟΣ", "οδος"),
        ("İstanbul", "istanbul"),
        ("IŞIK", "işik"),  # Turkish would have ışık: lower case knows no language
        ("STRAẞE", "straße"),
        ("Ko\u00adope\u00adra\u00adtion", "kooperation"),
        ("\ufeffDog", "dog"),
        ("\u200fשלום\u200e", "שלום"),
        ("م\u0640\u0640حمد", "محمد"),
        ("བོད་", "བོད"),
        ("ቃል፡", "ቃል"),
        ("\ufb01n\ufb00", "finff"),
        ("\ufee3\ufea4\ufee4\ufeaa", "محمد"),
        ("\ufecb\ufee0\ufbfd", "علی"),
        ("\u2067شمس\u2069", "شمس"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("❤\ufe0f", "❤"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
    ],
)
def test_a_word_has_one_form_however_it_is_encoded(token, word):
    assert normalize(token, TextConfig()) == word


@pytest.mark.parametrize(
    "number", ["１９９０", "१९९०", "١٩٩٠", "۱۹۹۰", "๑๙๙๐", "１，９９０．５", "١٬٩٩٠٫٥", "12\u2044７", "１２：３０"]
)
def test_numbers_of_every_script_have_one_form(number):
    assert normalize(number, TextConfig()) == "N"
    assert normalize(f"{number}年", TextConfig()) == "N年"


@pytest.mark.parametrize("word", ["三十", "百", "Ⅷ", "½"])
def test_numerals_that_are_not_digits_stay(word):
    assert normalize(word, TextConfig(lowercase=False)) == word


def test_every_common_separator_joins_numbers():
    """The property that the list of separators stands for."""
    common = [chr(code) for code in range(0x110000) if unicodedata.bidirectional(chr(code)) == "CS"]
    for separator in [*common, "٫", "٬"]:
        assert normalize(f"1{separator}5", TextConfig()) == "N", hex(ord(separator))


@given(st.text(max_size=12))
def test_every_token_has_a_form_that_encodings_share(token):
    for config in (TextConfig(), TextConfig(punctuation="keep")):
        form = normalize(token, config)
        assert form is None or form or not token
        assert normalize(unicodedata.normalize("NFD", token), config) == normalize(
            unicodedata.normalize("NFC", token), config
        )


def test_each_step_can_be_switched_off():
    assert normalize("In1990", TextConfig(lowercase=False)) == "InN"
    assert normalize("In1990", TextConfig(digits="")) == "in1990"


@pytest.mark.parametrize(
    "wrong",
    [
        {"digits": r"\g<7>"},
        {"digits": "two words"},
        {"digits": "N" * 21},
    ],
)
def test_wrong_settings_are_errors(wrong):
    with pytest.raises(SettingError, match="must"):
        TextConfig(**wrong)
    with pytest.raises(SettingError, match="unknown tokenizer"):
        TextConfig(tokenizer="stanza:../../x")


def test_only_words_are_remembered(monkeypatch):
    """Or a text of long lines without blanks would fill the memory."""
    calls = []
    monkeypatch.setattr(normalization, "is_punctuation", lambda token: calls.append(token) or False)
    word, longer = "normalized-once", "x" * (LONGEST_WORD + 1)
    assert [normalize(token, TextConfig()) for token in (word, longer) * 2] == [word, longer] * 2
    assert calls == [word, longer, longer]
