"""Words of English closed classes that conversions look at, in lower case."""

from __future__ import annotations

from synparse.treebanks.penn import Node

BE = frozenset("be am is are was were been being 'm 's 're ’m ’s ’re ai m s re art".split())
GET = frozenset("get gets got getting gotten".split())
HAVE = frozenset("have has had having".split())
AUXILIARIES = BE | HAVE | frozenset("'ve ’ve 'd ’d do does did done doing".split())

LINKING = frozenset(
    """become becomes became becoming remain remains remained remaining stay stays stayed staying seem seems seemed
    seeming sound sounds sounded appear appears appeared appearing resemble resembles resembled resembling""".split()
)
"""Verbs whose noun phrase is said of the subject."""

ASKING = frozenset(
    """ask asks asked asking urge urges urged urging order orders ordered ordering persuade persuades persuaded
    persuading tell tells told telling""".split()
)
"""Verbs whose object is to do what the infinitive after it says, which is no purpose."""

PRECONJUNCTIONS = frozenset("either neither both".split())

KNOWING = frozenset(
    """know knows knew known knowing wonder wonders wondered wondering understand understands understood understanding
    tell tells told telling""".split()
)
"""Verbs whose clause opened by why or where is a question."""

TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon. tue. tues. wed. thu. thur. thurs. fri. sat. sun.
    mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august
    september october november december jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. today yesterday
    tomorrow tonight spring summer fall autumn winter day days week weeks month months year years morning mornings
    evening evenings night nights""".split()
)
"""Nouns that head an adverbial of time where no function tag tells."""


def is_time(phrase: Node) -> bool:
    """Whether a noun phrase is headed by one of `TIMES`; its head must be set."""
    noun = phrase.head
    return noun is not None and noun.label.startswith("NN") and noun.form in TIMES
