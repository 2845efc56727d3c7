"""`synparse select` as a user types it."""

import pytest

from tests.cli.commands import synparse

TEXT = "the dog sees the cat .\nthe cat sees the old dog .\nthe dog barks\n"


def test_drafts_of_standard_input(tiny_grammar):
    out = synparse("select", "-m", tiny_grammar, "-n", 2, "--by", "length", stdin=TEXT, has_notes=True)
    assert [line for line in out.splitlines() if line.startswith("# sent_id")] == ["# sent_id = 2", "# sent_id = 1"]
    out = synparse("select", "-m", tiny_grammar, "--max-words", 3, stdin=TEXT, has_notes=True)
    assert out.count("# sent_id") == 1
    assert synparse("select", "-m", tiny_grammar, "-q", stdin="\n") == ""


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-m", "chain"], 2, "the baseline chain has no probabilities; take a model that is trained"),
        (["-n", "0"], 2, "'--number' / '-n': 0 is not in the range x>=1"),
        (["--by", "size"], 2, "'size' is not one of"),
        (["a.txt", "./a.txt"], 2, "./a.txt is named twice; name it once"),
        (["--trees", "-"], 2, "--trees: standard input is the text; name a file"),
        (["--trees", "no-such-file.conllu"], 1, "no-such-file.conllu: cannot be read"),
    ],
)
def test_faults_are_one_line(options, code, message):
    assert message in synparse("select", *options, stdin=TEXT, code=code)
