"""The tables that are shipped: complete, consistent with each other, and cited."""

import pytest

from synparse.config.recipe import load_recipe
from synparse.replication.papers import figure, load_paper, paper_folder, paper_names
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.trees.errors import DataError, SettingError

PAPERS = {name: load_paper(name) for name in paper_names()}
TABLES = [(paper.name, number) for paper in PAPERS.values() for number in paper.tables]


def test_there_are_the_five_papers():
    assert paper_names() == ["on-lstm", "option-controller", "ordered-memory", "structformer", "udgn"]


@pytest.mark.parametrize(("name", "number"), TABLES)
def test_every_table_is_cited_and_has_rows_of_ours_or_says_why_not(name, number):
    table = PAPERS[name].tables[number]
    assert number in table.source or "section" in table.source
    assert "section" in table.source or "appendix" in table.source
    assert table.title
    assert bool(table.protocol) != bool(table.note)
    assert bool(table.ours) == any(table.columns.values())
    assert bool(table.note) != bool(PAPERS[name].measured.get(number))
    if not table.ours:
        return
    for cells in table.published.values():
        assert all(cell is None or figure(cell) is not None for cell in cells)
        assert any(cell is not None for cell in cells)


def test_the_same_published_figure_is_the_same_in_every_table():
    udgn, structformer, on_lstm = (PAPERS[name].tables for name in ("udgn", "structformer", "on-lstm"))
    whole = udgn["4.4"].published["UDGN"]
    assert udgn["4.2"].published["UDGN"] == (whole[3], whole[1])
    assert figure(udgn["4.1"].published["UDGN"][0])[0] == figure(whole[0])[0]
    of_mask_rate = structformer["6"].published["0.3"]
    assert of_mask_rate == structformer["4"].published["parent + dependent"]
    assert of_mask_rate[1] == structformer["2"].published["StructFormer"][0]
    assert of_mask_rate[2] == structformer["5"].published["StructFormer"][0]
    assert structformer["2"].published["ON-LSTM (Shen et al., 2018)"][0] == "47.7 ± 1.5"
    assert on_lstm["3.2"].published["ON-LSTM 2nd layer"][1] == "47.7 ± 1.5"


def test_cells_are_as_printed():
    cells = PAPERS["ordered-memory"].tables["1"].published["Ordered Memory"]
    assert " ".join(map(str, cells[4:])) == "93 ± 0.5 92 ± 1.1 94 91 81 84.3 ± 14.4"
    assert str(PAPERS["structformer"].tables["1"].published["Transformer"][1]) == "93.90"


def test_means_that_a_table_prints_are_those_of_its_cells():
    for cells in PAPERS["udgn"].tables["similarity"].published.values():
        *sets, mean = (figure(cell)[0] for cell in cells)
        assert sum(sets) / len(sets) == pytest.approx(mean, abs=0.01)


def test_rows_of_tables_by_mask_rate_are_trained_with_it():
    for paper in PAPERS.values():
        for table in paper.tables.values():
            for name, row in table.ours.items() if table.axis == "mask rate" else ():
                [network] = load_recipe(f"{row.recipe}-small", row.set).networks
                assert network.training.mask_rate == float(name)


def test_rows_of_tables_by_number_of_options_are_trained_with_it():
    for table in PAPERS["option-controller"].tables.values():
        for name, row in table.ours.items() if table.axis == "options" else ():
            assert load_craft_recipe("craft-small", row.encoder, row.set).architecture.options == int(name)


def test_what_was_measured_is_of_rows_and_columns_that_there_are_and_every_claim_has_a_verdict():
    for paper in PAPERS.values():
        assert paper.measured.keys() <= paper.tables.keys()
        for number, table in paper.tables.items():
            measured = paper.measured.get(number, {})
            assert measured.keys() <= (table.ours or table.published).keys()
            assert all(row.cells.keys() <= table.columns.keys() for row in measured.values())
            assert all(verdict.startswith(("agrees", "disagrees", "not decided")) for verdict in table.claims.values())


def test_an_unknown_paper_or_table_is_answered_with_the_known_ones():
    with pytest.raises(
        SettingError,
        match="unknown paper 'prpn'; there are on-lstm, option-controller, ordered-memory, structformer, udgn",
    ):
        load_paper("prpn")
    with pytest.raises(SettingError, match=r"--table: udgn has no table '4\.9'; there are 4\.1, .*, figure 4\.5"):
        PAPERS["udgn"].chosen(["4.9"])
    assert list(PAPERS["udgn"].chosen(["4.4"])) == ["4.4"]
    assert list(PAPERS["udgn"].chosen([])) == list(PAPERS["udgn"].tables)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a list", "a paper is a mapping"),
        ("tables: {'1': {heading: x}}", r"unknown setting tables\.1\.heading"),
        ("tables: {'1': {columns: {UAS: [heads]}, published: {UDGN: [1, 2]}}}", "UDGN has 2 cells for 1 columns"),
        ("tables: {'1': {ours: {UDGN: {recip: udgn}}}}", r"tables\.1\.ours\.UDGN\.recip; did you mean"),
    ],
)
def test_a_file_that_is_no_paper_is_told_in_one_line(tmp_path, text, message):
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        load_paper("mine", tmp_path)
    assert "mine.yaml" in str(error.value)


def test_the_papers_are_in_the_folder_that_is_packed():
    assert paper_folder().parent.name == "models"
