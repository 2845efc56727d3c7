import re
import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora import tokenization
from synparse.corpora.languages import language_of
from synparse.corpora.tokenization import extra_for, is_tokenized, load_tokenizer, tokenizer_for, tokenizer_of_lines
from synparse.files.extras import how_to_install
from synparse.trees.errors import DataError, SettingError


def words(tokenizer, line):
    return [list(sentence.words) for sentence in tokenizer(line)]


def test_whitespace_is_one_sentence_a_line():
    assert words(load_tokenizer("whitespace"), "Hello , world .\n") == [["Hello", ",", "world", "."]]
    assert words(load_tokenizer("whitespace"), "\n") == [[]]


def test_a_zero_width_space_separates_words():
    assert words(load_tokenizer("whitespace"), "the\u200bdog\u200b sleeps\n\u200b") == [["the", "dog", "sleeps"]]
    khmer = "ឆ្កែ\u200bនិង\u200bឆ្មា\u200bដេក"
    assert words(load_tokenizer("whitespace"), khmer) == [khmer.split("\u200b")]
    assert is_tokenized([khmer], language_of("km"))
    assert not is_tokenized([khmer.replace("\u200b", "")], language_of("km"))


@pytest.mark.parametrize("raw", [False, True])
def test_a_line_of_invisible_characters_has_no_words(raw):
    tokenizer = load_tokenizer("rules:en", raw)
    assert [words(tokenizer, line) for line in ("\u200b", " \u200b\u2060 ", "\u00ad\n")] == [[[]]] * 3


def test_treebank_splits_words_and_not_sentences():
    assert words(load_tokenizer("treebank"), "I don't (really). Yes.\n") == [
        ["I", "do", "n't", "(", "really", ")", ".", "Yes", "."]
    ]


def test_raw_splits_sentences_and_words_without_a_network():
    sentences = words(load_tokenizer("whitespace", raw=True), "Mr. Smith doesn't swim. He walked 3.5 miles (home).\n")
    assert sentences == [
        ["Mr.", "Smith", "does", "n't", "swim", "."],
        ["He", "walked", "3.5", "miles", "(", "home", ")", "."],
    ]
    assert words(load_tokenizer("whitespace", raw=True), "\n") == [[]]


def test_rules_split_sentences_by_the_language_and_keep_how_tokens_are_written():
    first, second = load_tokenizer("rules:de", raw=True)("Er geht z.B. zum Dom. Sie\u00a0 nicht.\n")
    assert first.words == ("Er", "geht", "z.B.", "zu", "dem", "Dom", ".")
    assert first.surface[2:] == (("z.B.", 1, True), ("zum", 2, True), ("Dom", 1, False), (".", 1, True))
    assert second == (("Sie", "nicht", "."), (("Sie", 1, True), ("nicht", 1, False), (".", 1, True)))


@pytest.mark.parametrize("mark", ["\u200f", "\u200e", "\u00ad", "\ufeff", "\u200c"])
def test_a_blank_beside_an_invisible_mark_is_a_blank(mark):
    first, second = load_tokenizer("rules:he", raw=True)(f"אבא,{mark} אמא {mark}(דוד).\u200f הן.{mark}\n")
    written = [f"{token.form}{' ' * token.space_after}" for token in first.surface]
    assert "".join(written) == "אבא, אמא (דוד). "
    assert second.surface == (("הן", 1, False), (".", 1, True))


def test_without_raw_a_line_is_a_sentence():
    [sentence] = load_tokenizer("rules:fr")("Il va au lit. Bien.\n")
    assert sentence.words == ("Il", "va", "à", "le", "lit", ".", "Bien", ".")
    assert load_tokenizer("rules:fr")(" \n") == [((), ())]


def test_rules_take_the_language_of_the_text_where_they_name_none():
    assert load_tokenizer("rules", language="german")("zum")[0].words == ("zu", "dem")
    assert load_tokenizer("rules")("zum")[0].words == ("zum",)


def test_running_text_between_blanks_is_split_by_the_language():
    assert words(load_tokenizer("whitespace", raw=True, language="de"), "Zum Dom.") == [["Zu", "dem", "Dom", "."]]


def test_treebank_takes_the_sentences_of_the_language():
    tokenizer = load_tokenizer("treebank", raw=True, language="fi")
    assert len(tokenizer("Hän asuu esim. Turussa. Talo on vanha.")) == 2


def test_characters_need_no_package():
    assert words(load_tokenizer("characters", raw=True), "行く。PC3を見た。") == [
        ["行", "く", "。"],
        ["PC3", "を", "見", "た", "。"],
    ]


def test_a_line_without_sentence_ends_is_one_sentence():
    for name in ("rules:fi", "rules:eu", "characters"):
        [sentence] = load_tokenizer(name, raw=True)("sana " * 5000)
        assert len(sentence.words) == 5000


@pytest.fixture
def segmenters(monkeypatch):
    """Stand-ins for the packages: a word is two characters."""

    def halves(text):
        return [text[start : start + 2] for start in range(0, len(text), 2)]

    tagger = types.SimpleNamespace(Tagger=lambda: lambda line: [types.SimpleNamespace(surface=s) for s in halves(line)])
    monkeypatch.setitem(sys.modules, "fugashi", tagger)
    monkeypatch.setitem(sys.modules, "rjieba", types.SimpleNamespace(cut=halves))


@pytest.mark.usefixtures("segmenters")
@pytest.mark.parametrize("name", ["fugashi", "jieba"])
def test_segmenters_give_the_words_of_scripts_without_blanks(name):
    first, second = load_tokenizer(name, raw=True)("東京都。  大阪。")
    assert first.words == ("東京", "都。")
    assert second.surface == (("大阪", 1, False), ("。", 1, True))


@pytest.mark.parametrize(("name", "module", "extra"), [("fugashi", "fugashi", "ja"), ("jieba", "rjieba", "zh")])
def test_without_its_package_one_line_says_what_to_install(name, module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=re.escape(how_to_install(extra))):
        load_tokenizer(name)


def test_real_segmenters():
    pytest.importorskip("fugashi")
    pytest.importorskip("rjieba")
    assert words(load_tokenizer("fugashi", raw=True), "犬が走る。") == [["犬", "が", "走る", "。"]]
    assert words(load_tokenizer("jieba", raw=True), "我们是学生。") == [["我们", "是", "学生", "。"]]


@pytest.fixture
def without_packages(monkeypatch):
    for module in ("stanza", "fugashi", "rjieba"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(tokenization, "find_spec", lambda _: None)


@pytest.mark.usefixtures("without_packages")
@pytest.mark.parametrize(
    ("language", "name", "note"),
    [
        ("finnish", "rules:fi", "Finnish: sentences by Punkt, words by rules (Stanza is not installed)"),
        ("eu", "rules:eu", "Basque: sentences by rules, words by rules (Stanza is not installed)"),
        ("qaa", "rules:qaa", "qaa: sentences by rules, words by rules (Stanza is not installed)"),
        ("ja", "characters", "Japanese: sentences by rules, words by characters (Stanza is not installed); "
         "for real words: pip install 'fugashi>=1.3' 'unidic-lite>=1.0.8'"),
        ("th", "characters", "Thai: sentences by rules, words by characters (Stanza is not installed)"),
    ],
)  # fmt: skip
def test_the_tokenizer_of_a_language_without_further_packages(language, name, note):
    assert tokenizer_for(language) == (name, note)


@pytest.mark.usefixtures("without_packages")
def test_segmenters_that_are_installed_are_taken(monkeypatch):
    monkeypatch.setattr(tokenization, "find_spec", lambda _: object())
    assert tokenizer_for("ja").name == "fugashi"
    assert tokenizer_for("zh", raw=False) == ("jieba", "Chinese: words by jieba (Stanza is not installed)")


def test_stanza_goes_first_where_its_model_is(monkeypatch):
    def pipeline(language, **_):
        if language != "de":
            raise FileNotFoundError("no model")

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=pipeline))
    assert tokenizer_for("de") == ("stanza:de", "German: sentences and words by Stanza")
    assert tokenizer_for("fi").note.endswith("words by rules (Stanza has no model here)")


TOKENIZED = ["Der alte Mann , der hier wohnt , ging z.B. heim .", "Er kam nicht ."]
RUNNING = ["Der alte Mann, der hier wohnt, ging z.B. heim.", "Er kam nicht , aber sie."]


def test_tokenised_text_has_blanks_around_commas_and_full_stops():
    assert is_tokenized(TOKENIZED, language_of("de"))
    assert not is_tokenized(RUNNING, language_of("de"))
    assert is_tokenized(["यह है ।"], language_of("hi"))
    assert not is_tokenized(["यह है।"], language_of("hi"))
    assert not is_tokenized(["राम, सीता और लक्ष्मण वन में गए ।"], language_of("hi"))


@pytest.mark.parametrize(
    "line",
    ["ᱥᱟᱱᱛᱟᱲᱤ ᱯᱟᱹᱨᱥᱤ᱾", "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ᠃", "ཁྱེད་རང་ག་པར་འགྲོ། ང་ཡིན།", "ߒ ߧߋ߫߸ ߒ ߧߋ߫߹", "ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ᙮", "ሰላም ዓለም፣ ኣሎ፤"],
)
def test_punctuation_of_every_script_shows_whether_text_is_tokenised(line):
    assert not is_tokenized([line], language_of("und"))
    assert is_tokenized([re.sub(r"([᱾᠃།߸߹᙮፣፤])", r" \1", line)], language_of("und"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("My sister bought a new car last week.", False),
        ("Is that it?", False),
        ('He said "no"', False),
        ("(see below)", False),
        ("Mr. Smith of the U.S. Senate left .", True),  # an abbreviation keeps its full stop
        ("It is 3 . 5 , or so they say :", True),
        ("Yahoo! is up , they say .", True),
        ("She did n't", True),
        ("She didn't", False),
        ("it’s time", False),
        ("O'Brien of the '70s", None),
        ("dogs bark - and howl ...", None),
    ],
)
def test_one_line_shows_whether_it_is_tokenised(line, expected):
    for unless_shown in (True, False):
        shown = is_tokenized([line], language_of("en"), unless_shown)
        assert shown is (unless_shown if expected is None else expected)


PIECES = st.sampled_from([*"abzÉ.,;:!?'\"()-–“”‘’«»…$%3", "  ", " ", " ", "isn’t", "e.g.", "zum", "gonna", "``", "''"])


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from(["en", "de", "fr", ""]), st.booleans())
def test_the_text_can_be_put_together_again(text, language, raw):
    tokenize = load_tokenizer(tokenizer_for(language).name, raw, language)
    written = []
    for sentence in tokenize(text):
        assert sum(token.words for token in sentence.surface) == len(sentence.words)
        written += [f"{token.form}{' ' * token.space_after}" for token in sentence.surface]
    assert "".join(written).split() == text.split()


def test_lines_together_show_whether_they_are_tokenised():
    tokenised, running = "Er kam , ja .", "Er kam zum Dom."
    tokenize = tokenizer_of_lines("whitespace", "de", [tokenised, running, tokenised])
    assert words(tokenize, running) == [["Er", "kam", "zum", "Dom."]]
    tokenize = tokenizer_of_lines("whitespace", "de", [tokenised, *[running] * 3])
    assert words(tokenize, running) == [["Er", "kam", "zu", "dem", "Dom", "."]]
    assert words(tokenizer_of_lines("whitespace", "", ["แมวนั่งบนเสื่อ"]), "ไทย") == [["ไท", "ย"]]
    assert words(tokenizer_of_lines("rules:cy", "cy", ["Mae 'r ci ."]), "Mae 'r ci .") == [["Mae", "'r", "ci", "."]]
    assert words(tokenizer_of_lines("characters", "", ["一 二."]), "一 二.") == [["一", "二", "."]]


def test_marks_of_writing_direction_do_not_hide_punctuation():
    assert not is_tokenized(["שלום,\u200f עולם.\u200f", "\u200e"], language_of("he"))


def test_without_punctuation_blanks_are_enough():
    assert is_tokenized(["sana toinen"], language_of("fi"))
    assert is_tokenized([], language_of("fi"))


def test_french_writes_blanks_at_some_marks_of_running_text():
    for code in ("fr", "en"):  # the language may not be named
        assert not is_tokenized(["« Que fais-tu ? » demanda-t-elle.", "Rien ; il dort, dit-il !"], language_of(code))
        assert is_tokenized(["« Que fais -tu ? » demanda -t-elle .", "Qui est là ?"], language_of(code))
    assert not is_tokenized(["Qu'est-ce que c'est ?"], language_of("fr"))
    assert is_tokenized(["Qu' est -ce que c' est ?", "Aujourd'hui ?"], language_of("fr"))


def test_tokenised_text_in_a_script_without_blanks_has_short_words():
    assert is_tokenized(["私 は Python を 使う 。"], language_of("ja"))
    assert not is_tokenized(["私はPython を使う。"], language_of("ja"))
    assert not is_tokenized(["ថ្ងៃ។"], language_of("km"))
    assert is_tokenized(["ថ្ងៃ\u200bល្អ \u200b។"], language_of("km"))
    assert not is_tokenized(["ថ្ងៃ\u200bល្អ។"], language_of("km"))
    assert words(tokenizer_of_lines("whitespace", "km", ["ថ្ងៃ\u200bល្អ។"]), "ថ្ងៃ\u200bល្អ។") == [["ថ្ងៃ", "ល្អ", "។"]]


@pytest.mark.parametrize(
    "name", ["nltk", "stanza", "stanza:", "stanza:../../x", "stanza:a/b", "stanza:en\n", "stanza:é"]
)
def test_unknown_tokenizers_are_errors(name):
    with pytest.raises(SettingError, match="whitespace, treebank"):
        load_tokenizer(name)


def test_without_stanza_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(DataError, match=r"pip install 'stanza>=1\.8'"):
        load_tokenizer("stanza:en")


def test_without_its_model_one_line_says_what_to_download(monkeypatch):
    def missing(*_, **__):
        raise FileNotFoundError("resources.json not found\nand more")

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=missing))
    with pytest.raises(DataError, match=r"stanza.download\('de'") as caught:
        load_tokenizer("stanza:de")
    assert "\n" not in str(caught.value)


def test_stanza_gives_sentences_of_words(monkeypatch):
    calls = {}

    def pipeline(language, **options):
        calls.update(options, language=language)
        word = types.SimpleNamespace
        du = word(text="du", words=[word(text="de"), word(text="le")])
        au = word(text="au", words=[word(text="au")])
        return lambda _: word(sentences=[word(text="du au", tokens=[du, au])])

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=pipeline))
    [sentence] = load_tokenizer("stanza:fr")("du au")
    assert sentence == (("de", "le", "au"), (("du", 2, True), ("au", 1, True)))
    [sentence] = load_tokenizer("stanza:fr", language="fr")("du au")
    assert sentence.words == ("de", "le", "à", "le")
    assert calls["language"] == "fr"
    assert calls["tokenize_no_ssplit"] is True
    assert calls["download_method"] is None


def test_an_extra_is_named_until_its_packages_are_there(monkeypatch):
    there = {"fugashi"}
    monkeypatch.setattr(tokenization, "find_spec", lambda name: name in there or None)
    wanted = {"ja": "ja", "zh": "zh", "fi": "stanza", "th": "stanza"}
    assert {code: extra_for(language_of(code)) for code in wanted} == wanted
    there |= {"unidic_lite", "rjieba"}
    assert [extra_for(language_of(code)) for code in ("ja", "zh", "fi")] == ["", "", "stanza"]
    there.add("stanza")
    assert extra_for(language_of("fi")) == ""
