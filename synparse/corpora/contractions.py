"""Contractions: tokens of several words, such as German *zum* = *zu dem*, split as in Universal Dependencies.

Only closed classes of function words are split off, and only where a form has one reading, or by far most often: French
*des* may be an article or *de les*, so it stays whole. Verbs with pronouns are split where a hyphen shows them
(Portuguese *trata-se*), not where only a dictionary would (Spanish *quedarse*).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator

Split = Callable[[str], tuple[str, ...]]
"""From a token to its words: the token alone, if it is no contraction."""


def _german() -> Iterator[tuple[str, str]]:
    """Prepositions and articles."""
    yield from zip(("am", "im", "vom", "zum", "zur"), ("an dem", "in dem", "von dem", "zu dem", "zu der"), strict=True)
    yield from (("beim", "bei dem"), ("ans", "an das"), ("ins", "in das"))
    for preposition in ("auf", "durch", "für", "hinter", "über", "um", "unter", "vor"):
        yield f"{preposition}s", f"{preposition} das"
    for preposition in ("hinter", "über", "unter", "vor"):
        yield f"{preposition}m", f"{preposition} dem"


def _french() -> Iterator[tuple[str, str]]:
    """à and de before le and les, and before lequel and lesquels; but des is an article too."""
    yield from (("au", "à le"), ("aux", "à les"), ("du", "de le"))
    yield from (("auquel", "à lequel"), ("duquel", "de lequel"))
    for ending in ("quels", "quelles"):
        yield f"aux{ending}", f"à les{ending}"
        yield f"des{ending}", f"de les{ending}"


def _spanish() -> Iterator[tuple[str, str]]:
    yield from (("al", "a el"), ("del", "de el"))


def _catalan() -> Iterator[tuple[str, str]]:
    for preposition, short in (("a", "a"), ("de", "de"), ("per", "pe")):
        yield f"{short}l", f"{preposition} el"
        yield f"{short}ls", f"{preposition} els"


def _portuguese() -> Iterator[tuple[str, str]]:
    """de, em, a and por before articles; de and em before demonstratives, pronouns and adverbs that begin with a vowel;
    a before aquele."""
    articles = ("o", "a", "os", "as")
    that = ("aquele", "aquela", "aqueles", "aquelas", "aquilo")
    others = [f"{stem}{ending}" for stem in ("est", "ess") for ending in ("e", "a", "es", "as")]
    others += ["isto", "isso", "ele", "ela", "eles", "elas", "um", "uma", "uns", "umas", *that]
    others += [f"outr{ending}" for ending in articles]
    for word in (*articles, *others):
        yield f"d{word}", f"de {word}"
        yield f"n{word}", f"em {word}"
    for word in ("aqui", "aí", "ali"):
        yield f"d{word}", f"de {word}"
    for word, contracted in zip(articles, ("ao", "à", "aos", "às"), strict=True):
        yield contracted, f"a {word}"
        yield f"pel{word}", f"por {word}"
    yield from ((f"à{word[1:]}", f"a {word}") for word in that)


def _italian() -> Iterator[tuple[str, str]]:
    """di, in, a, da and su before every article, con before il and i (collo and colla are nouns)."""
    articles = {"il": "l", "lo": "llo", "l'": "ll'", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}
    stems = {"di": "de", "in": "ne", "a": "a", "da": "da", "su": "su"}
    for (preposition, stem), (article, ending) in itertools.product(stems.items(), articles.items()):
        yield f"{stem}{ending}", f"{preposition} {article}"
    yield from (("col", "con il"), ("coi", "con i"))


def _finnish() -> Iterator[tuple[str, str]]:
    """Conjunctions and the negative verb; but ellen is a name too, and mutten a noun."""
    stems = {"ett": "että", "jott": "jotta", "mutt": "mutta", "vaikk": "vaikka", "miks": "miksi", "ell": "jos"}
    for (stem, word), form in itertools.product(stems.items(), ("en", "et", "ei", "emme", "ette", "eivät")):
        if stem + form not in ("ellen", "mutten", "muttet"):
            yield stem + form, f"{word} {form}"


def _greek() -> Iterator[tuple[str, str]]:
    """σε before every article that begins with τ."""
    for article in ("τα", "τη", "την", "της", "τις", "το", "τον", "του", "τους", "των"):
        yield f"σ{article}", f"σ {article}"


def _czech() -> Iterator[tuple[str, str]]:
    """Conjunctions and the conditional auxiliary, the auxiliary jsi and reflexive pronouns, prepositions before co."""
    for (stem, word), ending in itertools.product((("a", "aby"), ("kdy", "když")), ("", "ch", "s", "chom", "ste")):
        yield f"{stem}by{ending}", f"{word} by{ending}"
    yield from (("ses", "jsi se"), ("sis", "jsi si"), ("nač", "na co"), ("oč", "o co"), ("zač", "za co"))


def _polish() -> Iterator[tuple[str, str]]:
    """Conjunctions with by, and the endings of persons."""
    for word, ending in itertools.product(("by", "aby", "choćby", "gdyby", "jakby", "żeby"), ("m", "ś", "śmy", "ście")):
        yield f"{word}{ending}", f"{word} {ending}"


def _latin() -> Iterator[tuple[str, str]]:
    """Pronouns before cum."""
    for pronoun in ("me", "te", "se", "nobis", "vobis", "quibus"):
        yield f"{pronoun}cum", f"{pronoun} cum"


_WORDS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "ca": _catalan,
    "cs": _czech,
    "de": _german,
    "el": _greek,
    "es": _spanish,
    "fi": _finnish,
    "fr": _french,
    "it": _italian,
    "la": _latin,
    "pl": _polish,
    "pt": _portuguese,
}

# Endings that are words: the groups; what is between them belongs to none.
_ENDINGS = {
    "en": (r"(can)(not)", r"(gon|wan)(na)", r"(got)(ta)", r"(.+)(n['’]t|['’](?:s|re|ve|ll|d|m))"),
    # And, but where que belongs to the word: atque, itaque, quisque, uterque, plerique, quicumque.
    "la": (
        r"(?!(?:(?:simul)?at|quo|ita|deni|(?:quo|huc|ad|s)?us|nam|undi|uti|ubi|(?:in|per|co)?ae|quin|abs|quando|pler\w+"
        r"|ut(?:er|r\w+)|\w*cui(?:us)?|\w*qu(?:[aio]|ae|am|is|em|[aiou]d|ibus|[ao]s|[ao]rum|um)|\w*cu[mn]|relin|ini"
        r"|obli|anti|tor|co)que)([^\W\d_]{2,})(que)",
        r"(ne)(c)",
    ),
    # The conditional, and persons of the past whose forms are no nouns.
    "pl": (
        r"(?!żałoby)([^\W\d_]{2,}(?:ł[aoy]?|li))(by)(m|ś|śmy|ście)?",
        r"([^\W\d_]{2,}(?:li|ły))(śmy|ście)",
        r"([^\W\d_]{2,}ł)(eś)",
        r"([^\W\d_]{2,}ła)(ś)",
    ),
    "pt": (r"([^\W\d_]{2,})-(me|te|se|lhes?|nos|vos|[oa]s?|l[oa]s?|n[oa]s?)",),
}


@functools.cache
def contractions_of(code: str) -> Split:
    """How tokens of the language of this ISO 639 code are split into words. Upper case stays (Zum: Zu dem). A language
    without contractions here splits none."""
    words = {form: tuple(parts.split()) for form, parts in _WORDS[code]()} if code in _WORDS else {}
    endings = [re.compile(pattern, re.IGNORECASE) for pattern in _ENDINGS.get(code, ())]

    def split(token: str) -> tuple[str, ...]:
        parts = words.get(token.lower().replace("’", "'"))
        if parts is not None:
            return _in_case_of(token, parts)
        match = next(filter(None, (ending.fullmatch(token) for ending in endings)), None)
        return (token,) if match is None else tuple(filter(None, match.groups()))

    return split


def _in_case_of(token: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The words in upper case if all of the token is, and the first one with a capital if the token has one."""
    if len(token) > 1 and token.isupper():
        return tuple(part.upper() for part in parts)
    return (parts[0].capitalize(), *parts[1:]) if token[0].isupper() else parts
