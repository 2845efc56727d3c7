import pytest

from synparse.corpora.languages import LANGUAGES, language_of
from synparse.trees.errors import SettingError


@pytest.mark.parametrize("text", ["fi", "FI", "fin", "finnish", " Finnish ", "fi-FI", "fi_Latn"])
def test_a_language_has_codes_and_a_name(text):
    assert language_of(text) == ("fi", "Finnish", True)


def test_a_name_may_be_two_words():
    assert language_of("ancient greek") == language_of("grc") == ("grc", "Ancient Greek", True)


def test_bibliographic_codes_and_those_of_a_part_of_a_language_lead_to_it():
    assert [language_of(code).name for code in ("ger", "FRE", "ekk", "arb")] == [
        "German",
        "French",
        "Estonian",
        "Arabic",
    ]
    assert language_of("nb") == language_of("nob") == language_of("Norwegian")  # as spaCy and Stanza name it
    assert language_of("chi") == language_of("cmn") == language_of("zh")


@pytest.mark.parametrize(
    "code", ["ja", "zh", "th", "zh-Hans", "cmn-Hant", "yue", "lzh", "jv-Java", "jv_Java", "ban-bali"]
)
def test_some_scripts_have_no_blanks(code):
    assert not language_of(code).has_blanks


def test_javanese_in_latin_letters_has_blanks():
    assert language_of("jv") == language_of("jv-Latn") == ("jv", "jv", True)


def test_every_code_leads_to_its_own_language():
    assert all(language_of(language.code) == language for language in LANGUAGES.values())


def test_an_unknown_code_is_a_language_with_blanks():
    assert language_of("qaa") == ("qaa", "qaa", True)


@pytest.mark.parametrize("text", ["", "12", "klingonian", "f", "../x", "fi\nfi"])
def test_what_is_no_language_is_an_error_of_one_line(text):
    with pytest.raises(SettingError, match="ISO 639") as caught:
        language_of(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "code"), [("Deutsch", "de"), ("norsk", "no"), ("Русский", "ru"), ("日本語", "ja")])
def test_a_language_has_the_name_of_its_speakers(name, code):
    assert language_of(name).code == code


def test_a_misspelt_name_is_told():
    with pytest.raises(SettingError, match="not all names are known, so give its ISO 639 code"):
        language_of("Amharic")
    with pytest.raises(SettingError, match=r"unknown language 'finish'; did you mean finnish\?"):
        language_of("finish")
