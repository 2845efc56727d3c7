from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv

TABLES = [Table("", (), [("gold", "a_b")]), Table("by 50 %", ("", "x"), [("UAS", "1.00")])]


def test_tables_as_text_tsv_and_latex():
    assert "".join(as_text(TABLES, "rule")) == (
        "gold               a_b\nprotocol           rule\n\nby 50 %\n                   x\nUAS                1.00\n"
    )
    assert "".join(as_tsv(TABLES, "rule")) == "gold\ta_b\n# protocol: rule\n\n# by 50 %\n\tx\nUAS\t1.00\n"
    assert "".join(as_latex(TABLES, "rule")) == (
        "% protocol: rule\n"
        "\\begin{tabular}{lr}\n\\hline\ngold & a\\_b \\\\\n\\hline\n\\end{tabular}\n"
        "\n% by 50 %\n"
        "\\begin{tabular}{lr}\n\\hline\n & x \\\\\n\\hline\nUAS & 1.00 \\\\\n\\hline\n\\end{tabular}\n"
    )


def test_tabs_and_line_ends_in_names_end_no_cell():
    named = [Table("", ("", "a\tb"), [("UAS", "1.00")]), Table("c\nd", (), [("e\rf", "g")])]
    assert "".join(as_tsv([Table("", (), [("  precision", "1.00"), ("", " ")])])) == "precision\t1.00\n\t \n"
    assert "".join(as_tsv(named)) == "\ta\\tb\nUAS\t1.00\n\n# c\\nd\ne\\rf\tg\n"
    assert "\nc\nd\ne\\rf" in "".join(as_text(named))  # a title may have several lines
    assert "\n% c\\nd\n" in "".join(as_latex(named))


def test_a_row_of_latex_does_not_begin_with_an_argument():
    rows = "".join(as_latex([Table("", (), [("[", "1"), ("*", "|")])])).splitlines()[2:4]
    assert rows == ["{}[ & 1 \\\\", "{}* & \\textbar{} \\\\"]


def test_a_terminal_that_is_too_narrow_has_systems_in_rows(monkeypatch):
    wide = Table("scores", ("", "a rather long name", "another long name"), [("UAS", "1.00", "2.00")])
    monkeypatch.setenv("COLUMNS", "80")
    assert "│ UAS │               1.00 │              2.00 │" in "".join(as_frames([wide], "rule"))
    monkeypatch.setenv("COLUMNS", "40")
    out = "".join(as_frames([wide], "rule"))
    assert "│ another long name  │ 2.00 │" in out
    assert out.splitlines()[-1] == "rule"
