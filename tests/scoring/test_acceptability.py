from synparse.scoring.acceptability import (
    COMPARISONS,
    GRAMMATICALITY,
    MARVIN_LINZEN,
    Acceptability,
    PairCounts,
    SentenceScore,
    judged,
    tables_of,
    values_of,
)


def score(value, unknown=0):
    return SentenceScore(value, unknown)


def test_the_likelier_sentence_is_right_and_a_tie_is_wrong():
    assert judged(score(-1), score(-2)) == PairCounts(1, 1, 0, 1, 1)
    assert judged(score(-2), score(-1)) == PairCounts(1, 0, 0, 1, 0)
    assert judged(score(-1), score(-1)) == PairCounts(1, 0, 1, 1, 0)
    assert judged(score(-1, 2), score(-2)) == judged(score(-1), score(-2, 1)) == PairCounts(1, 1, 0, 0, 0)


def result(name, rows, by="phenomenon"):
    acceptability = Acceptability(name, "lstm", "log-probability")
    for group, comparison, counts in rows:
        acceptability.add(counts, comparison, {by: group})
    return acceptability


def test_values_are_per_cent_with_intervals_worked_by_hand():
    rows = [("a", GRAMMATICALITY, PairCounts(8, 6, 1, 2, 2)), ("b", GRAMMATICALITY, PairCounts(2, 0, 0, 0, 0))]
    [values] = values_of([result("m", rows)], ["phenomenon"])
    # Wilson, 6 of 10: (6 + 1.9208 ± 1.96 √(2.4 + 0.9604)) / 13.8415
    assert (values["pairs"], values["accuracy"], values["interval"]) == (10, 60.0, [31.27, 83.18])
    assert values["ties"] == 1
    assert values["known"] == {"pairs": 2, "accuracy": 100.0, "interval": [34.24, 100.0]}
    assert [(group["group"], group["pairs"], group["accuracy"]) for group in values["groups"]] == [
        ("a", 8, 75.0),
        ("b", 2, 0.0),
    ]
    assert values["groups"][1]["known"] == {"pairs": 0, "accuracy": None, "interval": None}
    assert {group["comparison"] for group in values["groups"]} == {"grammatical vs. ungrammatical"}


def test_the_total_has_each_pair_once_and_groups_every_comparison():
    rows = [("NPI, simple", comparison, PairCounts(1, 1)) for comparison in COMPARISONS]
    acceptability = result("m", rows, "construction")
    assert acceptability.total == PairCounts(1, 1)
    assert len(acceptability.groups) == 3


def test_constructions_stand_in_the_order_of_the_thesis_and_others_after_them():
    every = [value for values in MARVIN_LINZEN.values() for value in values]
    assert len(every) == 15
    rows = [(value, GRAMMATICALITY, PairCounts(1, 1)) for value in ["my own", *reversed(every)]]
    [values] = values_of([result("m", rows, "construction")], ["construction"])
    assert [group["group"] for group in values["groups"]] == [*every, "my own"]
    sections = [group["section"] for group in values["groups"]]
    assert sections == ["short-term dependency"] * 8 + ["long-term dependency"] * 7 + ["other constructions"]
    [_, table] = tables_of("file", [values], ["construction"])
    heads = [row[0] for row in table.rows if not row[1]]
    assert heads == ["short-term dependency", "long-term dependency", "other constructions"]


def test_one_model_has_all_its_numbers_in_a_table_and_several_a_column_each():
    rows = [("NPI, simple", comparison, PairCounts(4, 3, 0, 1, 1)) for comparison in COMPARISONS]
    first, second = (result(name, [*rows, ("b", GRAMMATICALITY, PairCounts(1, 0))]) for name in "mn")
    [total, groups] = tables_of("pairs.tsv", values_of([first], ["phenomenon"]), ["phenomenon"])
    assert total.columns == ("", "m")
    assert ("file", "pairs.tsv") in total.rows
    assert groups.columns == (
        *("phenomenon", "pairs", "accuracy", "95 % interval"),
        *("known words: pairs", "known words: accuracy", "known words: 95 % interval"),
    )
    assert groups.rows[0] == (
        *("NPI, simple (grammatical vs. intrusive)", "4", "75.00", "30.06–95.44"),
        *("1", "100.00", "20.65–100.00"),
    )
    assert groups.rows[3] == ("b", "1", "0.00", "0.00–79.35", "0", "-", "-")
    tables = tables_of("pairs.tsv", values_of([first, second], ["phenomenon"]), ["phenomenon"])
    assert [table.title for table in tables][1:3] == ["by phenomenon: accuracy", "by phenomenon: 95 % interval"]
    assert tables[1].columns == ("phenomenon", "pairs", "m", "n")
    assert tables[1].rows[3] == ("b", "1", "0.00", "0.00")
