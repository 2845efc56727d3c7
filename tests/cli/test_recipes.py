import json

from tests.cli.commands import synparse


def test_recipes_are_listed_with_size_and_time():
    rows = json.loads(synparse("recipes", "--json"))
    assert {"on-lstm-ptb", "on-lstm-small", "structformer-ptb", "udgn-ptb", "udgn-small"} <= {r["recipe"] for r in rows}
    for row in rows:
        assert row["parameters"] > 5e4
        assert "CPU" in row["expected_time"]
        assert row["about"]
        assert row["stages"]
    assert {row["recipe"]: row["stages"] for row in rows}["udgn-small"] == "udgn → grammars"
    assert len(synparse("recipes").splitlines()) == len(rows)
