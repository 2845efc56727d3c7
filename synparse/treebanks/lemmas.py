"""Lemmas of English words, from the words and their Penn tags, as CoreNLP writes them beside Universal Dependencies.

CoreNLP follows Guido Minnen, John Carroll and Darren Pearce, Applied morphological processing of English (2001). Here
words of closed classes are in a table, and the library LemmInflect knows inflected verbs, nouns and adjectives.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from synparse.files.extras import needing

CLOSED = {
    tag: dict(pair.split("/") for pair in pairs.split())
    for tag, pairs in {
        "DT": "an/a these/this those/that",
        "JJR": "less/less more/more",
        "JJS": "least/least most/most",
        "MD": "ca/can wo/will 'd/would 'll/will ’d/would ’ll/will",
        "NNS": "people/person",
        "POS": "’s/'s",
        "PRP": "i/I me/I her/she him/he them/they us/we",
        "PRP$": "her/she his/he our/we their/they your/you",
        "RB": "n't/not n’t/not",
        "RBR": "later/late less/less more/more",
        "RBS": "least/least most/most",
        "TO": "na/to",
        "VBD": "'d/have ’d/have",
        "VBG": "gon/go",
        "VBP": "wan/want ’m/be ’re/be ’ve/have",
        "VBZ": "'s/be ’s/be",
    }.items()
}
"""Penn tag → word in lower case → lemma: what neither lower case nor LemmInflect gives."""

OPEN = {
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "VERB"),
    "NNS": "NOUN",
    **dict.fromkeys(("JJR", "JJS"), "ADJ"),
    **dict.fromkeys(("RBR", "RBS"), "ADV"),
}
"""Penn tag of an inflected word → its part of speech in LemmInflect."""


@functools.cache
def lemmatizer() -> Callable[[str, str], str]:
    """The function from a word and its Penn tag to the lemma. Raises DataError if LemmInflect is missing."""
    with needing("--lemmas needs LemmInflect", "lemmas"):
        from lemminflect import getLemma

    @functools.lru_cache(maxsize=1 << 16)
    def lemma(word: str, tag: str) -> str:
        if tag in ("NNP", "NNPS"):
            return word
        form = word.lower()
        if tag in CLOSED and form in CLOSED[tag]:
            return CLOSED[tag][form]
        if tag == "CD":
            return form.replace(",", "") or form
        found: tuple[str, ...] = getLemma(form, OPEN[tag]) if tag in OPEN else ()
        return found[0] if found else form

    return lemma
