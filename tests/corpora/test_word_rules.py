import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.word_rules import word_rules

ALPHABET = st.sampled_from("abzÄé.,:;!?'’\"«»()[]-–/@#&$%_*=+ \t\u00ad\u200f0123IXあア漢ไทยक्ष।הל׳״Ի՞")


@pytest.mark.parametrize(
    ("code", "sentence", "tokens"),
    [
        ("fr", "L'homme d'aujourd'hui n'a-t-il pas faim?", "L' homme d' aujourd'hui n' a -t-il pas faim ?"),
        ("fr", "C'est-à-dire qu'« il » vient, M. Dupont.", "C'est-à-dire qu' « il » vient , M. Dupont ."),
        ("fr", "Jean-Claude né en 30 av. J.-C. au rendez-vous", "Jean-Claude né en 30 av. J.-C. au rendez-vous"),
        ("it", "Un po' dell'arte c’è all'«Opera».", "Un po' dell' arte c’ è all' « Opera » ."),
        ("de", "Am 3. Mai, z.B. um 17:30 Uhr (ca. 3,5%).", "Am 3. Mai , z.B. um 17:30 Uhr ( ca. 3,5 % ) ."),
        ("de", "Vor- und Nachteile des All-in-Rechners!!", "Vor- und Nachteile des All-in-Rechners ! !"),
        ("nl", "'s avonds in de jaren '60 de foto's", "'s avonds in de jaren '60 de foto's"),
        ("fi", "EU:n touko-/kesäkuussa Top 10 -lista :)", "EU:n touko-/kesäkuussa Top 10 -lista :)"),
        ("pt", "Custou US$5 mil... R. Silva", "Custou US$ 5 mil ... R. Silva"),
        ("es", "«¿Qué?», dijo (ayer) J. Ruiz en EE.UU.", "« ¿ Qué ? » , dijo ( ayer ) J. Ruiz en EE.UU."),
        ("hi", "यह है। क्षमा करें", "यह है । क्षमा करें"),
        ("yo", "Ọlọ́run sì wí pé, “Jẹ́ kí”", "Ọlọ́run sì wí pé , “ Jẹ́ kí ”"),
        ("eu", "1990. urtean H&M-k www.adibidea.eus/a?b=1.", "1990. urtean H&M-k www.adibidea.eus/a?b=1 ."),
        ("ru", "т. е. в 80-х гг. — 12&#39;", "т. е. в 80-х гг. — 12 &#39;"),
        ("ar", "قال: «نعم»، ثم ذهب.", "قال : « نعم » ، ثم ذهب ."),
        ("fa", "۱٬۲۳۴٫۵ یا ١٢٫٥", "۱٬۲۳۴٫۵ یا ١٢٫٥"),
        ("en", "ذهب إلى المدرسة. ثم عاد.", "ذهب إلى المدرسة . ثم عاد ."),
        ("en", "학교에 갔다. 그리고 ㄱ. 나", "학교에 갔다 . 그리고 ㄱ. 나"),
        ("en", "Он пошёл в школу. Потом", "Он пошёл в школу . Потом"),
        ("he", 'ג׳ורג׳, מנכ״ל וכו׳ של צה"ל קרא "הארץ".', 'ג׳ורג׳ , מנכ״ל וכו׳ של צה"ל קרא " הארץ " .'),
        ("hy", "Ի՞նչ է սա՝ այո՛։", "Ի՞նչ է սա ՝ այո՛ ։"),
        ("cy", "Mae 'r ci yn y dre .", "Mae 'r ci yn y dre ."),
        ("en", "it 's a dog . 'I' am", "it 's a dog . ' I ' am"),
        ("bo", "བོད་སྐད་དུ། ང་ཡིན།", "བོད་ སྐད་ དུ ། ང་ ཡིན །"),
        ("am", "ቃል፡ሁሉ፡ይጻፋል፡፡", "ቃል፡ ሁሉ፡ ይጻፋል ፡፡"),
        ("my", "ကျွန်တော် မြန့်သင်္ဘော ဖြစ်", "ကျွန် တော် မြန့် သင်္ဘော ဖြစ်"),
        ("th", "เก่งแมวไทย เ", "เก่ ง แม ว ไท ย เ"),
        ("lo", "ໄປໂຮງ", "ໄປ ໂຮ ງ"),
        ("km", "ខ្ញុំ\u200bទៅ\u200bសាលារៀន។", "ខ្ញុំ ទៅ សាលារៀន ។"),
        ("cy", "Mae'r ci sy'n mynd i'r tŷ a’i fam", "Mae 'r ci sy 'n mynd i 'r tŷ a ’i fam"),
        (
            "ga",
            "D'éirigh sí, d’fhág O'Brien is m'athair b'fhéidir",
            "D' éirigh sí , d’ fhág O'Brien is m' athair b' fhéidir",
        ),
        (
            "ro",
            "S-a dus într-un oraș, să-l vadă și-a plecat la after-school",
            "S- a dus într- un oraș , să -l vadă și- a plecat la after-school",
        ),
        (
            "pl",
            "Biało-czarny w 2010 r. na ul. Złotej www.a-b.pl",
            "Biało - czarny w 2010 r . na ul . Złotej www.a-b.pl",
        ),
        ("cs", "Např. K. Novák", "Např . K . Novák"),
        ("he", "על-ידי", "על - ידי"),
        ("pl", "ab-" * 20000 + "a", "ab - " * 20000 + "a"),
        ("en", '"No." (See page 2.) No. 5', '" No. " ( See page 2. ) No. 5'),
        ("en", "“Call me at 5.”", "“ Call me at 5 . ”"),
        ("en", '"No."', '" No . "'),
        ("en", "In the '90s, '90, 1990s", "In the '90s , '90 , 1990s"),
        ("af", "Hy het 'n hond", "Hy het 'n hond"),
        ("ro", "S-300, și-l vede, c-o CRF-uri d-l", "S-300 , și -l vede , c- o CRF -uri d-l"),
        ("xx", "______ <<a>> C++ a_b", "______ << a >> C ++ a_b"),
        ("xx", "Write to me@example.org, @you #now", "Write to me@example.org , @you #now"),
        ("und", "lɔ˥˩ ma²¹ ˥ pa꜕, ɜ˞ ˈtaː ~x", "lɔ˥˩ ma²¹ ˥ pa꜕ , ɜ˞ ˈtaː ~ x"),
        ("uz", "O‘zbekiston, tog‘ va tog‘lar.", "O‘zbekiston , tog‘ va tog‘lar ."),
        ("uz", "O`zbek tog`i, tog`.", "O`zbek tog`i , tog` ."),
        ("haw", "‘O ka 'ōlelo (‘ae) Hawai‘i: “‘A‘ole ‘eā.” ‘", "‘O ka 'ōlelo ( ‘ae ) Hawai‘i : “ ‘A‘ole ‘eā . ” ‘"),
        ("ko", "`시행 계획`을 ‘말‘도", "` 시행 계획 ` 을 ‘ 말 ‘ 도"),
        ("hy", "կ՚երթամ հայ֊ռուս", "կ՚երթամ հայ֊ռուս"),
        ("cr", "ᓂ᐀ᐚᐸᒫᐤ", "ᓂ᐀ᐚᐸᒫᐤ"),
        ("haw", "Hawai‘i ‘nui’", "Hawai‘i ‘ nui ’"),
        ("ar", "رحيم \u06dd١ آية", "رحيم \u06dd١ آية"),
        ("mn", "ᠠᠬ\u180eᠠ ᠪᠢ᠃", "ᠠᠬ\u180eᠠ ᠪᠢ ᠃"),
        ("", "a\ufeffb c", "a\ufeffb c"),
        ("", "a\u00adb c\u200f!", "a\u00adb c\u200f !"),
        ("ja", "私はPython3を使う。", "私 は Python3 を 使 う 。"),
        ("ja", "東京タワー", "東 京 タワー"),
        ("ja", "カ\u3099ラスか\u3099 ｶﾞﾗｽ ﾀﾜｰ", "カ\u3099ラス か\u3099 ｶﾞﾗｽ ﾀﾜｰ"),  # voiced: が is か with a mark
        ("zh", "请看http://a.org/b?c=1。信a_b@c.org谢", "请 看 http://a.org/b?c=1 。 信 a_b@c.org 谢"),
        ("zh", "#话题很好，@ana你好", "# 话 题 很 好 ， @ana 你 好"),
        ("th", "ไทย", "ไท ย"),
        ("th", "น้ำ ๒๕๖๖ปี ๓.๕", "น้ำ ๒๕๖๖ ปี ๓.๕"),
        ("lo", "ນ້ຳ໑໒", "ນ້ຳ ໑໒"),
        ("km", "ស្ត្រី១២ឆ្នាំ។", "ស្ត្រី ១២ ឆ្នាំ ។"),
        ("jv-java", "ꦏꦤ꧀ꦛꦶ꧉ ꧑꧒ꦲꦂ", "ꦏ ꦤ꧀ꦛꦶ ꧉ ꧑꧒ ꦲꦂ"),
        ("my", "အင်္ဂလန်၂၀၂၃", "အင်္ဂ လန် ၂၀၂၃"),
    ],
)
def test_sentences_become_tokens(code, sentence, tokens):
    assert word_rules(code)(sentence) == tokens.split()


def test_characters_are_tokens_in_any_language_on_demand():
    assert word_rules("")("東京 in 2020") == ["東京", "in", "2020"]
    assert word_rules("", by_characters=True)("東京 in 2020") == ["東", "京", "in", "2020"]


@given(st.text(ALPHABET), st.sampled_from(["", "fr", "it", "fi", "nl", "de", "ja"]))
def test_nothing_visible_is_lost_or_added(sentence, code):
    tokens = word_rules(code)(sentence)
    assert all(token and not regex.search(r"\s", token) for token in tokens)

    def visible(text):
        return regex.sub(r"[\s\p{Cf}]", "", text)

    assert visible("".join(tokens)) == visible(sentence)


@pytest.mark.parametrize("part", ["ก", "あ", "+-", "а.+", "a@"])
def test_long_lines_take_linear_time(part):
    line = 100_000 * part  # in quadratic time, minutes
    assert "".join(word_rules("th")(line)) == line


def test_an_emoji_is_one_token_with_its_colour_and_joiners():
    assert word_rules("en")("Hi 👍🏽! ❤️ 👨‍👩‍👧 5€") == ["Hi", "👍🏽", "!", "❤️", "👨‍👩‍👧", "5", "€"]
