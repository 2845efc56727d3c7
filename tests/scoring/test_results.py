import pytest

from synparse.scoring.comparison import Agreement, BreakdownTable, Comparison, System
from synparse.scoring.counts import Ratios
from synparse.scoring.results import cell, in_per_cent, tables_of, text_of, title_of, values_of


def comparison(*systems, **others):
    return Comparison("rule", "gold", {"sentences": 2}, systems, **others)


ONE = System("one", {"uas": 0.5, "mean_depth": 1.25, "found": 3, "las": None})
OTHER = System("other", {"uas": 0.7, "mean_depth": 1.75, "found": 4})


def test_one_system_has_its_scores_at_the_top():
    values = {"prediction": "one", "gold": "gold", "sentences": 2, "uas": 50.0, "mean_depth": 1.25, "found": 3}
    assert values_of(comparison(ONE)) == {**values, "las": None, "protocol": "rule"}
    assert "".join(text_of(comparison(ONE), tables_of(comparison(ONE), values))) == (
        "prediction         one\ngold               gold\nsentences          2\n"
        "UAS                50.00\nmean depth         1.25\nfound              3\nLAS                none\n"
        "protocol           rule\n"
    )


def test_seeds_have_a_mean_and_a_deviation_of_what_all_have():
    seeds = [System(f"seed-{number}", system.scores) for number, system in enumerate((ONE, OTHER), 1)]
    values = values_of(comparison(*seeds))
    assert values["mean"] == {"uas": 60.0, "mean_depth": 1.5}
    assert values["standard_deviation"] == pytest.approx({"uas": 14.14, "mean_depth": 0.35})


def test_a_score_that_one_system_lacks_is_in_its_place_and_without_a_mean():
    seeds = [System("seed-1", {"uas": 0.5, "found": 3}), System("seed-2", {"uas": 0.7, "las": 0.4, "found": 4})]
    scores = tables_of(comparison(*seeds), values_of(comparison(*seeds)))[1]
    assert scores.columns == ("", "seed-1", "seed-2", "mean", "deviation")
    assert scores.rows == [
        ("UAS", "50.00", "70.00", "60.00", "14.14"),
        ("LAS", "", "40.00", "", ""),
        ("found", "3", "4", "", ""),
    ]


def test_systems_that_are_no_seeds_of_each_other_have_none():
    values = values_of(comparison(ONE, OTHER, agreements=[Agreement("one", "other", {"uas": 0.9})]))
    assert [run["uas"] for run in values["runs"]] == [50.0, 70.0]
    assert not {"mean", "standard_deviation"} & values.keys()
    assert values["agreement"] == [{"first": "one", "second": "other", "uas": 90.0}]


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_pipes_are_no_seeds(folder):
    pipes = [System(f"{folder}/{number}", system.scores) for number, system in ((63, ONE), (62, OTHER))]
    assert "mean" not in values_of(comparison(*pipes))


def test_a_file_that_is_named_twice_is_no_second_seed():
    for names in (("seed-1", "seed-1"), ("seed-1", "seed-2", "seed-1")):
        assert "mean" not in values_of(comparison(*(System(name, ONE.scores) for name in names)))


def test_a_seed_asks_for_intervals_and_tests():
    right = {"one": 1.0, "better": 2.0, "same": 1.0}  # of two words in each of twenty sentences
    systems = [
        System(name, {"uas": count / 2}, (), {"uas": Ratios.of([(count, 2.0)] * 20)}) for name, count in right.items()
    ]
    values = values_of(comparison(*systems, seed=3))
    assert values["intervals"][2] == {"prediction": "same", "measure": "uas", "score": 50.0, "low": 50.0, "high": 50.0}
    better, same = values["significance"]
    assert same == (
        {"first": "one", "second": "same", "measure": "uas", "difference": 0.0, "low": 0.0, "high": 0.0}
        | {"bootstrap_p": 1.0, "randomisation_p": 1.0}
    )
    assert [better[key] for key in ("first", "second", "difference", "low", "high")] == ["one", "better", 50, 50, 50]
    assert max(better["bootstrap_p"], better["randomisation_p"]) < 0.01
    titles = [table.title for table in tables_of(comparison(*systems, seed=3), values)]
    assert titles == ["", "scores", "95 % intervals, bootstrap", "against one, paired; 95 % interval, 1000 resamples"]
    nothing = [System(name, {"uas": None}, (), {"uas": Ratios()}) for name in ("one", "other")]
    values = values_of(comparison(*nothing, seed=3))
    assert {values["intervals"][0][key] for key in ("score", "low", "high")} == {None}
    assert {values["significance"][0][key] for key in ("difference", "low", "bootstrap_p")} == {None}


def test_breakdowns_and_baselines_are_tables_and_values():
    table = BreakdownTable("sentence_length", "words", {"1-10": {"words": 4, "uas": 0.25}, "11+": {"words": 1}})
    whole = comparison(System("one", {"uas": 0.5}, [table]), baselines=[System("chain", {"uas": 0.1})])
    values = values_of(whole)
    assert values["baselines"] == {"chain": {"uas": 10.0}}
    assert values["breakdowns"]["sentence_length"][0] == {"words": 4, "uas": 25.0}
    _, scores, lengths = tables_of(whole, values)
    assert (scores.columns, scores.rows) == (("", "one", "chain"), [("UAS", "50.00", "10.00")])
    assert (lengths.title, lengths.columns) == ("by sentence length", ("words", "words scored", "UAS"))
    assert lengths.rows == [("1-10", "4", "25.00"), ("11+", "1", "")]


def test_names_and_cells_as_they_are_read():
    assert [title_of(key) for key in ("uf1_corpus", "short_recall", "no_crossing")] == [
        "UF1, corpus", "short: recall", "no crossing",
    ]  # fmt: skip
    assert title_of("label_many_to_one") == "many-to-one, label"
    assert title_of("tag_homogeneity") == title_of("label_homogeneity") == "  homogeneity"
    assert [cell(-0.004), cell(-0.006), cell(-0.00001, "bootstrap_p")] == ["0.00", "-0.01", "0.0000"]
    assert [cell(1.0), cell(0.03125, "bootstrap_p"), cell(7), cell(None)] == ["1.00", "0.0312", "7", "none"]
    assert in_per_cent({"uas": 2 / 3, "average_crossing": 2 / 3, "words": 5, "las": None}) == {
        "uas": 66.67, "average_crossing": 0.67, "words": 5, "las": None,
    }  # fmt: skip
