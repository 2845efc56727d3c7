"""From results to cells: figures over seeds, the number of seeds, the cost of a row."""

import pytest

from synparse.replication.data import Data
from synparse.replication.measures import Settings
from synparse.replication.papers import OurRow, Paper, PaperTable, load_paper, paper_names
from synparse.replication.replicate import Cell, Place, plan, replicate
from synparse.replication.runs import Outcome, ReplicationProgress
from synparse.trees.errors import DataError

PAPER = Paper(
    "udgn",
    "A citation.",
    {
        "1": PaperTable(
            columns={"perplexity": ("perplexity", "test"), "valid": ("perplexity", "valid"), "PTB": ()},
            published={"UDGN": ("60.4 ± 0.8", None, 70)},
            ours={"UDGN": OurRow(recipe="udgn"), "LSTM": OurRow(recipe="lstm")},
        ),
        "2": PaperTable(columns={"UAS": ("heads", "mst", "stanford", "uas")}, ours={"UDGN": OurRow(recipe="udgn")}),
    },
)


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "text").write_text("a b")
    (tmp_path / "other").write_text("b c")
    text, other = str(tmp_path / "text"), str(tmp_path / "other")
    return Settings(Data((text,), valid=other, test=text), tmp_path)


def outcome(step, seeds):
    """A training takes as many minutes as its seed; a perplexity is ten times the seed, and of valid one more."""
    for seed in seeds:
        if f"seed {seed}" in step.title:
            value = 10.0 * seed + ("valid" in step.title)
            return Outcome({"models": [{"perplexity": value}]}, 60.0 * seed)
    return None


def run_of(seeds):
    def run(steps):
        done = {step: found for step in steps if (found := outcome(step, seeds))}
        return ReplicationProgress(done, {}, [step for step in steps if step not in done])

    return run


def test_cells_have_mean_and_deviation_over_the_seeds_that_are_done(settings):
    found = replicate(PAPER, ["1"], settings, 3, run_of([1, 2]))
    [filled] = found.tables
    row = filled.ours["UDGN"]
    assert row.cells["perplexity"].values == (10.0, 20.0)
    assert row.cells["perplexity"].mean == 15.0
    assert row.cells["perplexity"].deviation == pytest.approx(50**0.5)
    assert row.cells["valid"].values == (11.0, 21.0)
    assert row.cells["PTB"] is None
    assert (row.least, row.most, row.seeds) == (2, 2, 3)
    assert row.minutes == 1.5
    assert filled.ours.keys() == {"UDGN", "LSTM"}
    assert len(found.progress.missing) == 6  # a training and two perplexities of each row with seed 3


def test_a_table_without_data_keeps_its_published_rows_and_says_what_to_give(settings):
    found = replicate(PAPER, [], settings, 1, run_of([1]))
    assert [filled.number for filled in found.tables] == ["1", "2"]
    assert found.tables[1].ours == {}
    assert found.tables[1].needs == ("--trees BRACKETS (or --trees CONLLU)",)


def test_nothing_done_is_no_figure(settings):
    [filled] = replicate(PAPER, ["1"], settings, 1, run_of([])).tables
    row = filled.ours["UDGN"]
    assert (row.least, row.most, row.seeds, row.minutes) == (0, 0, 1, None)
    assert row.cells["perplexity"] == Cell((), 0)
    assert row.cells["perplexity"].mean is row.cells["perplexity"].deviation is None
    assert Cell((5.0,), 1).deviation is None


def test_a_result_of_another_form_is_told(settings):
    with pytest.raises(DataError, match=r"perplexity-test-.*: the result has another form"):
        replicate(
            PAPER,
            ["1"],
            settings,
            1,
            lambda steps: ReplicationProgress({step: Outcome([], 1.0) for step in steps}, {}, []),
        )


def test_a_result_without_the_figure_is_done(settings):
    def run(steps):
        return ReplicationProgress({step: Outcome({"models": [{"perplexity": None}]}, 1.0) for step in steps}, {}, [])

    [filled] = replicate(PAPER, ["1"], settings, 1, run).tables
    assert filled.ours["UDGN"].cells["perplexity"] == Cell((), 1)
    assert (filled.ours["UDGN"].least, filled.ours["UDGN"].most) == (1, 1)


TABLE = PaperTable(
    columns={"perplexity": ("perplexity", "test"), "UAS": ("heads", "mst", "stanford", "uas"), "PTB": ()},
    ours={"UDGN": OurRow(recipe="udgn"), "chain": OurRow(parser="chain")},
)


def test_all_rows_have_the_first_seed_before_any_has_the_second(tmp_path):
    (tmp_path / "text").write_text("a b")
    (tmp_path / "gold.conllu").write_text("")
    data = Data((str(tmp_path / "text"),), test=str(tmp_path / "text"), dependencies=str(tmp_path / "gold.conllu"))
    found = plan({"1": TABLE}, Settings(data, tmp_path), 2)
    assert list(found.measurements) == [
        *(Place("1", "UDGN", column, seed) for seed in (1, 2) for column in ("perplexity", "UAS")),
        Place("1", "chain", "UAS", 1),  # which learns nothing: no seeds, no perplexity
    ]
    assert not found.needs
    scored = ("parse stanford mst", "eval stanford mst")
    assert [step.title.partition(",")[0] for step in found.steps()] == [
        *("train udgn-small seed 1", "perplexity test", *scored),
        *("parse stanford", "eval stanford"),
        *("train udgn-small seed 2", "perplexity test", *scored),
    ]


def test_one_training_serves_several_tables(tmp_path):
    (tmp_path / "text").write_text("a b")
    data = Data((str(tmp_path / "text"),), test=str(tmp_path / "text"))
    tables = load_paper("udgn").chosen(["4.1", "4.4"])
    titles = [step.title for step in plan(tables, Settings(data, tmp_path), 1).steps()]
    assert titles.count("train udgn-small seed 1") == 1


def test_what_would_have_to_be_given_is_said_for_each_table(tmp_path):
    found = plan({"1": TABLE}, Settings(Data(), tmp_path), 1)
    assert found.needs == {"1": ("TEXT", "--test TEXT", "--trees BRACKETS (or --trees CONLLU)")}
    assert not found.measurements
    assert not found.steps()
    needs = plan(load_paper("structformer").chosen(["4"]), Settings(Data(), tmp_path), 1).needs["4"]
    assert needs == ("TEXT", "--test TEXT", "--trees BRACKETS")  # which two of its columns need, CoNLL-U one


def test_every_measure_of_the_shipped_papers_can_be_planned(tmp_path):
    names = [
        *("text", "gold.mrg", "pairs", "stsb-train.tsv", "stsb-dev.tsv", "stsb-test.tsv", "sick-test.tsv"),
        *(f"sts{year}.tsv" for year in range(12, 17)),
        *("train.ptb", "dev.ptb", "test.ptb", "train0", "test7"),
    ]
    for name in names:
        (tmp_path / name).write_text(name)
    text, folder = str(tmp_path / "text"), str(tmp_path)
    gold, pairs = str(tmp_path / "gold.mrg"), str(tmp_path / "pairs")
    data = Data((text,), text, text, gold, None, None, pairs, folder, folder, folder, 100, 100)
    for name in paper_names():
        tables = load_paper(name).tables
        found = plan(tables, Settings(data, tmp_path), 1)
        assert not found.needs
        assert {(place.table, place.row) for place in found.measurements} == {
            (number, row) for number, table in tables.items() for row in table.ours
        }
