"""Which figures are planned, in which order their steps run, and what is missing for the others."""

from synparse.replication.data import Data
from synparse.replication.measures import Settings
from synparse.replication.papers import OurRow, PaperTable, load_paper, paper_names
from synparse.replication.plan import Place, plan

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
