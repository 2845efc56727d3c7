"""Languages by their codes and names. Nothing of their grammars is known here, only how they are written."""

from __future__ import annotations

import difflib
import re
import unicodedata
from typing import NamedTuple

from synparse.trees.errors import SettingError


class Language(NamedTuple):
    """code: ISO 639, two letters where there is such a code; name: in English; has_blanks: whether its script writes
    blanks between words."""

    code: str
    name: str
    has_blanks: bool = True


# ISO 639-1, ISO 639-3, English name.
_KNOWN = """
af afr Afrikaans; ar ara Arabic; be bel Belarusian; bg bul Bulgarian; bn ben Bengali; br bre Breton; ca cat Catalan;
cs ces Czech; cy cym Welsh; da dan Danish; de deu German; el ell Greek; en eng English; eo epo Esperanto;
es spa Spanish; et est Estonian; eu eus Basque; fa fas Persian; fi fin Finnish; fo fao Faroese; fr fra French;
ga gle Irish; gd gla Gaelic; gl glg Galician; grc grc Ancient Greek; gu guj Gujarati; gv glv Manx; ha hau Hausa;
he heb Hebrew; hi hin Hindi; hr hrv Croatian; hu hun Hungarian; hy hye Armenian; id ind Indonesian; ig ibo Igbo;
is isl Icelandic; it ita Italian; ja jpn Japanese; ka kat Georgian; kk kaz Kazakh; km khm Khmer; kn kan Kannada;
ko kor Korean; ky kir Kyrgyz; la lat Latin; lo lao Lao; lt lit Lithuanian; lv lav Latvian; lzh lzh Classical Chinese;
mk mkd Macedonian; ml mal Malayalam; mr mar Marathi; ms msa Malay; mt mlt Maltese; my mya Burmese; ne nep Nepali;
nl nld Dutch; nn nno Norwegian Nynorsk; no nor Norwegian; pa pan Punjabi; pcm pcm Naija; pl pol Polish;
pt por Portuguese; ro ron Romanian; ru rus Russian; sa san Sanskrit; sk slk Slovak; sl slv Slovene; sq sqi Albanian;
sr srp Serbian; sv swe Swedish; sw swa Swahili; ta tam Tamil; te tel Telugu; th tha Thai; tl tgl Tagalog;
tr tur Turkish; ug uig Uyghur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek; vi vie Vietnamese; wo wol Wolof;
xh xho Xhosa; yo yor Yoruba; yue yue Cantonese; zh zho Chinese; zu zul Zulu
"""

# Bibliographic codes (ISO 639-2/B), those of the language that is mostly meant where ISO 639-3 has several, and other
# English names.
_OTHERS = """
alb sq; als sq; arb ar; arm hy; baq eu; bur my; chi zh; cmn zh; cze cs; dut nl; ekk et; fre fr; geo ka; ger de; gre el;
ice is; lvs lv; mac mk; may ms; nb no; nob no; npi ne; per fa; pes fa; rum ro; slo sk; swh sw; uzn uz; wel cy; zsm ms;
bokmål no; castilian es; farsi fa; mandarin zh; nynorsk nn; slovenian sl; deutsch de; español es; français fr;
italiano it; português pt; nederlands nl; svenska sv; norsk no; dansk da; suomi fi; polski pl; čeština cs; magyar hu;
euskara eu; türkçe tr; русский ru; українська uk; ελληνικά el; 中文 zh; 日本語 ja; 한국어 ko
"""

_WITHOUT_BLANKS = {"ja", "km", "lo", "lzh", "my", "th", "yue", "zh"}

# Scripts without blanks, of languages that are mostly written in Latin letters, with blanks.
_SCRIPTS = {"jv-java": "Javanese script", "ban-bali": "Balinese script"}

# Language, perhaps with script or region: zh-Hans, pt_BR. The rest is not used.
_CODE = re.compile(r"([a-z]{2,3})(?:-[a-z0-9]+)*")


def _table() -> dict[str, Language]:
    """Every code and every name, in lower case; a name that several codes share is the last one's."""
    table = {}
    for row in _KNOWN.strip().split(";"):
        code, longer, name = row.split(maxsplit=2)
        table[code] = table[longer] = table[name.lower()] = Language(code, name, code not in _WITHOUT_BLANKS)
    table |= {code: Language(code, name, has_blanks=False) for code, name in _SCRIPTS.items()}
    return table | {other: table[code] for other, code in map(str.split, _OTHERS.split(";"))}


LANGUAGES = _table()
"""Languages by code (fi, fin) and by name (finnish)."""


UNSAID = LANGUAGES["en"]._replace(name="taken as English (--language)")
"""The language of text where none is named."""


def language_or_english(text: str) -> Language:
    """As `language_of`; `UNSAID` for ""."""
    return language_of(text) if text else UNSAID


def language_of(text: str) -> Language:
    """The language of this ISO 639 code or English name, in upper or lower case; a code that the table lacks is a
    language with blanks between words.

    Raises SettingError for what is neither a known name nor a code.
    """
    wanted = unicodedata.normalize("NFC", text.strip().lower()).replace("_", "-")
    match = _CODE.fullmatch(wanted)
    code = match[1] if match and wanted not in _SCRIPTS else wanted
    if code in LANGUAGES:
        return LANGUAGES[code]
    if not match:
        close = difflib.get_close_matches(wanted, [name for name in LANGUAGES if len(name) > 3], 1, cutoff=0.8)
        hint = f"did you mean {close[0]}?" if close else "not all names are known, so give its ISO 639 code, such as fi"
        raise SettingError(f"unknown language {text!r}; {hint}")
    return Language(code, code)
