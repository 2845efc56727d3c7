import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentence_rules import MOST_CHARACTERS, abbreviations_of, punkt_model, sentence_rules


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("fi", ["Hän asuu esim. Turussa.", "Talo on vanha."]),
        ("de", ["Das ist z.B. ein Satz.", "Und noch einer."]),
        ("it", ["Si veda l'art. 24 della legge.", "Nulla osta."]),
        ("hi", ["यह है।", "वह है।"]),
        ("ur", ["یہ ہے۔", "وہ ہے؟", "ہاں۔"]),
        ("eu", ["1990. urtean etorri zen.", "“Nor da?” galdetu zuen J. Etxeberriak.", "Ez daki."]),
        ("yo", ["Ó wá (ní àná.)", "Ó lọ!"]),
        ("xx", ["One?!", "Two… three.", "Four"]),
        ("ka", ["ეს სახლია.", "ის დიდია!", "რა არის?"]),
        ("my", ["သူ၊ ကျွန်တော် သွားသည်။", "သူ စားသည်။"]),
        ("km", ["គាត់ទៅផ្សារ។ល។", "នាងញ៉ាំបាយ។", "ចប់៕", "ថ្មី"]),
        ("nqo", ["ߊ߬ ߓߘߊ߫ ߕߊ߯߹", "ߊ߬ ߣߊ߬ߣߊ߫."]),
        ("am", ["ይህ ነው፧", "አዎ።", "እሺ"]),
        ("sat", ["ᱱᱚᱣᱟ ᱫᱚ ᱾", "ᱚᱱᱟ ᱫᱚ"]),
        # shads, but not those after particles that link clauses or items, nor after the mark at the head of a text
        ("bo", ["ང་ཡིན།", "ཁོང་ སོང༌།", "ཕྱག་འཚལ་ལོ། །", "ཆོས་དང་། དགེ་འདུན་ནོ༎", "༄༅། །བོད་ལ་འགྲོ་བས། ང་འོང་ངོ་ །", "དེ་ནས༌། ཡིན།"]),
        ("kk", ["Ол келді. бірақ кетті.", "Иә!"]),
        ("und", ["wa tu˥˩.", "ka ma²¹?!", "(ʔa) ɓa.", "ŋa"]),  # without capitals, small letters begin sentences
        ("lt", ["2006 m. vasario 3. diena ... jis"]),
        ("he", ["מה?!\u200f", "הוא הלך.\u200f", "ב 12.\u200f במאי.", "\u2067היא באה.\u2069", "\u2067כן.\u2069"]),
        ("ar", ["ذهب الولد.\u200f", "جاء؟\u061c", "نعم."]),
        # stops of other scripts beside a model of Punkt
        ("en", ["मैं घर जाता हूँ।", "क्या आप आएँगे?", "उसने कहा।"]),
        ("en", ["你好。", "你是谁？", "Then he left."]),
        # names alone have capitals
        ("la", ["arma virumque cano.", "Roma magna est.", "deinde Caesar venit.", "ille dixit."]),
        ("grc", ["ἐγὼ δὲ ἄπειμι.", "οὐκ ἔστιν Σωκράτης;", "οὔ."]),
        ("xx", ["Two ms. leaves of this."]),
        ("lt", ["Jie skyrė 39 tūkst. litų, 21 tūkst. litų ir 19 tūkst. litų."]),
        # what goes on after a quotation, or after a dash
        ("uk", ["— Куди йдеш? — спитав він.", "Так."]),
        ("ka", ["ის წავიდა.", "— მოდი აქ.", "— კარგი."]),
        ("", ["no capitals here.", "- yes indeed it is.", "- all right then."]),
        ("de", ["»Wo bist du?« fragte er.", "Ja."]),
        ("fr", ["« Viens ! » dit-il.", "Oui."]),
        # titles, initials without capitals, and abbreviations before numbers
        ("hu", ["Dr. Kiss azt mondta.", "Igen."]),
        ("en", ["Chomsky et al. argue that this is wrong.", "We saw cats, etc. and went home.", "Yes."]),
        ("de", ["Meier et al. zeigen das.", "Ja."]),
        ("hi", ["काम पूरा हो गया है.", "लोग खुश हैं.", "ठीक है."]),
        ("sr", ["Znaš šta je novo?", "On ide (br. 5)."]),
        ("uk", ["Це проф. Шевченко (мал. 8).", "Так."]),
        ("vi", ["Sở của TP. HCM họp.", "Xong."]),
        ("id", ["Drs. Iman tinggal di Jl. Tubun.", "Ya."]),
        ("ta", ["தி.மு.க. வென்றது.", "சரி."]),
        ("ar", ["قال د. محمد.", "نعم."]),
        ("ka", ["ი. ჭავჭავაძე იყო პოეტი და ა. შ. ის აქ იყო.", "ა.შ. კარგია."]),
        ("si", ["ඩී. එස්. සේනානායක මහතා පැමිණියේය.", "ඔහු කවුද?"]),
        ("gu", ["તે ઘરે છે.", "શ્રી. એમ. કે. ગાંધી આવ્યા."]),
        ("ta", ["திரு. மு. கருணாநிதி பிறந்தார்.", "கி.மு. 300 இல் நடந்தது."]),
        ("am", ["ሄደ።", "ዓ.ም. 1998 ተወለደ።"]),
        ("sw", ["Bw. Juma alikuja.", "Alilipa k.m. 500 tu."]),
        ("lv", ['"Nē.', "Viņš aizgāja."]),
        ("ko", ["네.", "알겠습니다."]),
        # numbers: ordinals in some languages, else parts of lists, or the ends of sentences
        ("sw", ["Ana miaka 12.", "Alikuja.", "1. Hapo mwanzo.", "1.2. Nayo."]),
        ("hu", ["Május 3. Budapesten volt."]),
        # what is typed for full stops
        ("am", ["ሰላም ነው፡፡", "እሱ ሄደ፡፡"]),
        ("hi", ["राम घर गया |", "सीता आई।", "वह गया||", "हाँ"]),
        ("hy", ["Ես գնացի տուն:", "Նա եկավ:"]),
        ("grc", ["τί λέγεις;", "Σωκράτης ἔφη."]),
        ("en", ["One: Two; Three | Four."]),
    ],
)
def test_paragraphs_become_sentences(code, sentences):
    assert sentence_rules(code)(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("ja", ["彼は「行く。いや。」と言った。", "そして3.5倍に！", "（笑）終わり"]),
        ("ja", ["行く?", "はい!", "終わり"]),
        ("zh", ["他说：“好。”", "真的吗？！", "是。"]),
        ("my", ["သူသွားသည်။", "သူစားသည်။"]),
        ("jv-java", ["ꦱꦧꦼꦤ꧀ꦮꦺꦴꦁ꧈ꦏꦭꦲꦶꦂ꧉", "ꦏꦤ꧀ꦛꦶ꧉"]),
        ("hi", ["यह है।", "“वह है।”", "ऋग्वेद १०।१२९ में।।", "और।"]),
        ("bn", ["আমি যাই।", "সে আসে।"]),
        ("am", ["ይህ፡ነው።", "እሺ።"]),
        ("bo", ["ཕྱག་འཚལ་ལོ། །", "བོད་དང༌། །ཆོས་ནི། །མདོ་ལའང་། །བརྗོད་པར་བྱ། །", "ང་ཡིན།"]),
    ],
)
def test_marks_of_many_scripts_need_no_blank_between_sentences(code, sentences):
    assert sentence_rules(code)("".join(sentences)) == sentences


def test_a_bracket_that_is_never_closed_does_not_hold_the_rest_together():
    assert len(sentence_rules("ja")("「" + "あ。" * MOST_CHARACTERS)) > MOST_CHARACTERS / 2


@given(st.text(st.sampled_from('aB1 .!?:,。「」()«»"।…')), st.sampled_from(["", "de", "eu", "ja"]))
def test_nothing_but_blanks_is_lost(paragraph, code):
    assert "".join("".join(sentence_rules(code)(paragraph)).split()) == "".join(paragraph.split())


def test_punkt_has_some_languages():
    assert punkt_model("fi") == "finnish"
    assert punkt_model("no") == "norwegian"
    assert punkt_model("eu") is None
    assert punkt_model("") is None


def test_abbreviations_are_lists_and_what_punkt_has_learned():
    assert {"esim", "jne"} <= set(abbreviations_of("fi"))
    assert "bzw" in abbreviations_of("de")
    assert not abbreviations_of("eu")
    assert not abbreviations_of("")


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("de", ["„Gut“, sagt sie, „dass es geht.“", "Dann ging er.", "Er rief: „Halt!“"]),
        ("fr", ["Il dit : « Oui. »", "Elle part.", "« Non ! »"]),
        ("en", ["“I left.”", "He said “no.”", "(It is so.)", "“Go.”"]),
        ("de", ["„Kann das sein?“ fragte er.", "Er lachte (sehr!) und ging.", "Ja!", "sagte sie"]),
        ("tr", ["“Gel!” dedi.", "Ne oldu?", "Sonra gitti."]),
        ("nl", ["Het was mooi. :)", "Ze ging.", "Groen!: 8, UF: 6."]),
        ("en", ["He left (who would not?), but she stayed.", '"Stop!", he cried.', '"Go.', 'Come back", she said.']),
        ("de", ["„Kommst du?“, fragte er.", "»Ja!«, rief sie."]),
        ("fr", ["« Viens-tu ? », dit-il.", "Il vint (enfin !); elle rit."]),
        ("", ["他来了（真的吗？），然后走了。"]),
    ],
)
def test_quotes_and_what_follows_them_stay_at_their_sentences(code, sentences):
    assert sentence_rules(code)(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("tr", ["Gitti...", "Sonra geldi... ve uyudu… ", "“Gel!”"]),
        ("en", ["Well . . .", "Maybe (so...)", "The end"]),
    ],
)
def test_dots_of_an_omission_end_a_sentence_before_a_capital(code, sentences):
    assert sentence_rules(code)(" ".join(sentences)) == [sentence.strip() for sentence in sentences]


def test_marks_without_a_blank_after_them_end_sentences_but_not_in_names():
    sentences = ["Comprou o Santana Quantum.", "Ele viu www.example.Com/A em S.Paulo com ela!", "«Depois foi."]
    assert sentence_rules("pt")("".join(sentences)) == sentences


def test_sentences_are_what_is_written():
    text = "Er sagte:  „Gut.   “  Dann ... kam   er. :) « Oui. » Non."
    sentences = sentence_rules("de")(text)
    assert all(sentence in text for sentence in sentences)
    assert len(sentences) > 2


@pytest.mark.parametrize("code", ["", "en", "ja"])
@pytest.mark.parametrize("part", ["!", ".", "!?", '!"', "！", "« ", "ab!", "… ", "། ", 20 * "ʻo"])
def test_lines_of_marks_or_letters_alone_take_linear_time(code, part):
    line = (30_000 * part).strip()  # in quadratic time, minutes
    assert "".join(sentence_rules(code)(line)).replace(" ", "") == line.replace(" ", "")
