"""The table and the plain values of rankings, by hand."""

from synparse.language_models.sentence_pairs import SentencePair, SentencePairFile
from synparse.language_models.similarity_evaluation import Ranking, Rankings
from synparse.language_models.similarity_report import PROTOCOL, plain_values, tables_of

FOUND = Rankings(
    {
        "sts12": SentencePairFile("sts12", [SentencePair(1, "a", "b", "MSRpar"), SentencePair(2, "c", "d", "OnWN")]),
        "sick-test": SentencePairFile("sick-test", [SentencePair(1, "a", "b")]),
    },
    [
        Ranking("one", "udgn tuned", {"sts12": 0.5, "sick-test": 0.7}),
        Ranking("two", "udgn tuned", {"sts12": 0.6, "sick-test": 0.7}),
        Ranking("word overlap", "word overlap", {"sts12": 0.3, "sick-test": None}),
    ],
)


def test_a_column_for_each_kind_and_what_is_missing_beside_the_name():
    scores, sources = tables_of(FOUND)
    assert scores.columns == ["", "udgn tuned (2)", "word overlap (1)", "pairs"]
    assert scores.rows == [
        ["sts12 (without MSRvid, SMTeuroparl, SMTnews)", "55.00 ± 7.07", "30.00", "2"],
        ["sick-test", "70.00 ± 0.00", "–", "1"],
        ["mean", "62.50 ± 3.54", "–", ""],
    ]
    assert (sources.title, sources.rows) == ("sources", [["sts12", "MSRpar, OnWN"]])


def test_plain_values():
    found = plain_values(FOUND)
    assert found["protocol"] == PROTOCOL
    assert found["models"][0] == {
        "model": "one",
        "kind": "udgn tuned",
        "sets": {
            "sts12": {
                **{"pairs": 2, "spearman": 50.0, "sources": ["MSRpar", "OnWN"]},
                "missing_sources": ["MSRvid", "SMTeuroparl", "SMTnews"],
            },
            "sick-test": {"pairs": 1, "spearman": 70.0, "sources": [], "missing_sources": []},
        },
        "mean": 60.0,
    }
    assert found["models"][2]["mean"] is None
    assert found["kinds"]["udgn tuned"]["mean"] == {"mean": 62.5, "deviation": 3.54, "models": 2}
    assert found["kinds"]["word overlap"]["sick-test"] is None
