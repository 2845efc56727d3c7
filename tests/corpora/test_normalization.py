import pytest

from synparse.corpora.normalization import TextConfig, normalize
from synparse.trees.errors import SettingError
from synparse.trees.punctuation import is_punctuation


@pytest.mark.parametrize(
    "token", [",", ".", "...", "``", "''", "--", "-LRB-", "(", "?!", "«", "。", "$", "#", "—", "¿"]
)
def test_punctuation(token):
    assert is_punctuation(token)
    assert normalize(token, TextConfig()) is None
    assert normalize(token, TextConfig(punctuation="keep")) == token.lower()


@pytest.mark.parametrize("token", ["%", "&", "@", "'s", "n't", "U.S.", "1", "+", "é", "😀", "O'Neil", "=", "€"])
def test_words_and_spoken_symbols_are_no_punctuation(token):
    assert not is_punctuation(token)


@pytest.mark.parametrize(
    ("token", "word"),
    [("The", "the"), ("1990", "N"), ("3,500.25", "N"), ("10-year", "N-year"), ("2:30pm", "Npm"), ("ÉTÉ", "été")],
)
def test_normal_forms(token, word):
    assert normalize(token, TextConfig()) == word


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
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(SettingError, match="must"):
        TextConfig(**wrong)
    with pytest.raises(SettingError, match="unknown tokenizer"):
        TextConfig(tokenizer="stanza:../../x")
