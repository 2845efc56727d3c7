"""Words of English closed classes that conversions look at, in lower case."""

from __future__ import annotations

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
