"""English words of closed classes that conversions ask about, in lower case."""

from __future__ import annotations

from synparse.treebanks.penn import Node

BE = frozenset("be am is are was were been being 'm 's 're ’m ’s ’re ai m s re art".split())
GET = frozenset("get gets got getting gotten".split())
HAVE = frozenset("have has had having".split())
AUXILIARIES = HAVE | frozenset("'ve ’ve 'd ’d do does did done doing".split())

REDUCED = frozenset({"’ve", "’d"})
"""Auxiliaries that Universal Dependencies has as verbs, unlike those with a straight apostrophe, as in the reference
converter."""

LINKING = frozenset(
    """become becomes became becoming remain remains remained remaining stay stays stayed staying seem seems seemed
    seeming sound sounds sounded appear appears appeared appearing resemble resembles resembled resembling""".split()
)
"""Verbs after which a noun phrase is a predicate of the subject."""

ASKING = frozenset(
    """ask asks asked asking urge urges urged urging order orders ordered ordering persuade persuades persuaded
    persuading tell tells told telling""".split()
)
"""Verbs whose object is the subject of the infinitive after it, which is then not a purpose."""

PRECONJUNCTIONS = frozenset("either neither both".split())

KNOWING = frozenset(
    """know knows knew known knowing wonder wonders wondered wondering understand understands understood understanding
    tell tells told telling""".split()
)
"""Verbs after which a clause with why or where is a question."""

TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon. tue. tues. wed. thu. thur. thurs. fri. sat. sun.
    mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august
    september october november december jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. today yesterday
    tomorrow tonight spring summer fall autumn winter day days week weeks month months year years morning mornings
    evening evenings night nights""".split()
)
"""Nouns whose phrase is an adverbial of time, if there is no function tag."""


def is_time(phrase: Node) -> bool:
    """Whether the head of a noun phrase is one of `TIMES`; the ``head`` must be set."""
    noun = phrase.head
    return noun is not None and noun.label.startswith("NN") and noun.form in TIMES
