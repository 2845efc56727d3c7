"""Rows of languages: the targets, the mean, and the table that is kept."""

from benchmarks.languages import table
from benchmarks.quality.table import NOTHING
from synparse.files.tables import read_table

SCORED = {
    "UAS": "43.0 (0.5)",
    "UUAS": "55.0",
    "next word UAS": "35.0",
    "next word UUAS": "42.0",
    "previous word UAS": "10.0",
    "previous word UUAS": "47.0",
    "content-chain UUAS": "50.0",
    "content-chain-back UUAS": "52.0",
}


def row(language, seeds="1", **cells):
    empty = dict.fromkeys(table.COLUMNS, NOTHING)
    return {**empty, "language": language, "settings": "--minutes 1", "seeds": seeds, **SCORED, **cells}


def test_targets_are_reached_at_eight_and_at_three_points():
    assert table.missed_targets(row("de")) == {"below": NOTHING}
    assert table.missed_targets(row("de", UAS="42.9", UUAS="54.9")) == {
        "below": "UAS +7.9 of +8 over words; UUAS +7.9 of +8 over words; UUAS +2.9 of +3 over content chains"
    }
    missed = table.missed_targets(row("de", UAS=NOTHING, UUAS="30.0"))["below"]
    assert missed.startswith("UUAS -17.0 of +8 over words; UUAS -22")


def test_the_mean_is_of_what_all_languages_have():
    rows = [
        row("German", words="1,000", UF1="50.0", perplexity="100.0"),
        row("Spanish", words="2,001", UAS="20.0", perplexity="200.0", below="UAS"),
    ]
    *languages, mean = table.with_means(rows)
    assert languages == rows
    assert (mean["language"], mean["words"], mean["UAS"], mean["below"]) == ("mean", "1,500", "31.5", "1 of 2")
    assert "UF1" not in mean
    assert "perplexity" not in mean
    assert table.with_means([*languages, mean]) == [*languages, mean]  # made anew, not counted in
    assert table.with_means(rows[:1]) == rows[:1]


def test_a_row_replaces_the_one_of_the_same_language_and_seeds(tmp_path):
    path = tmp_path / "table.tsv"
    for one in (row("Spanish"), row("German", date="1"), row("German", "1 2 3"), row("German", date="2")):
        table.add_row(path, one)
    assert [(one["language"], one["seeds"], one["date"]) for one in read_table(path)] == [
        ("German", "1", "2"),
        ("Spanish", "1", NOTHING),
        ("mean", "1", NOTHING),
        ("German", "1 2 3", NOTHING),
    ]


def test_languages_that_miss_targets_are_listed(tmp_path):
    path = tmp_path / "table.tsv"
    for one in (row("Spanish"), row("German", below="UAS +1.0 of +8 over words")):
        table.add_row(path, one)
    printed = "".join(table.report(path, "--minutes 1"))
    assert printed.endswith("\nTargets missed:\n- German: UAS +1.0 of +8 over words\n")
    assert "| Spanish | 1 |" in printed
    assert "Spanish" not in "".join(table.report(path, "--minutes 2"))


def test_the_kept_table_has_these_columns_and_each_row_once():
    rows = read_table(table.TABLE)
    assert tuple(rows[0]) == table.COLUMNS
    assert len({tuple(one[name] for name in table.IDENTITY) for one in rows}) == len(rows)
    assert table.with_means(rows) == [
        {name: cell for name, cell in one.items() if one["language"] != table.MEAN or cell != NOTHING} for one in rows
    ]
