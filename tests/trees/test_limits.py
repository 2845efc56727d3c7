"""The limits on what is read: each is on the page of promises, as it is."""

import re
from pathlib import Path

from synparse.trees import limits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "promises.md"


def test_the_page_has_every_limit():
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert {name: int(value.replace(",", "")) for name, value in rows} == named
