"""``synparse convert``: options, errors, streams."""

import functools
import json
import os
import signal
import subprocess
import sys

import pytest

from synparse.treebanks.schemes import SCHEMES
from synparse.trees.brackets import read_brackets
from tests.cli.commands import printed, synparse
from tests.processes import HANG, started

PENN = """
( (S
    (NP-SBJ-1 (DT The) (NNS dogs) )
    (VP (VBD were)
      (VP (VBN seen)
        (NP (-NONE- *-1) )
        (PRN (-LRB- -LRB-) (NP (CD 1\\/2) ) (-RRB- -RRB-) )))
    (. .) ))
"""
LINES = "(S (NP (DT the) (NN dog)) (VP (VBD barked)) (. .))\n(NP (NN a))\n"

FAULTY = """( (S (NN a) )
(S (NN ok))
()
text
(S (NP the dog) (VB x))
(s (nn dog))

( (S (NN fine)
     (NN two)))
(S (NN x)))
(S (NN last) (NN _))
"""
FAULTS = """<stdin>:1: the bracket ( is never closed
<stdin>:3: a bracket without words: ()
<stdin>:4: text outside of brackets: 'text'
<stdin>:5: a word without a tag: 'the'
<stdin>:6: labels in lower case (s): head rules know S, so write all in upper case
<stdin>:10: a bracket is closed here that was not opened
"""


convert = functools.partial(synparse, "convert")


def rows(text):
    return [line.split("\t") for line in text.splitlines() if line]


def test_conllu():
    assert convert("--to", "penn2malt", stdin=PENN + LINES) == (
        "1\tThe\t_\t_\tDT\t_\t2\tdep\t_\t_\n"
        "2\tdogs\t_\t_\tNNS\t_\t3\tdep\t_\t_\n"
        "3\twere\t_\t_\tVBD\t_\t0\troot\t_\t_\n"
        "4\tseen\t_\t_\tVBN\t_\t3\tdep\t_\t_\n"
        "5\t-LRB-\t_\t_\t-LRB-\t_\t6\tdep\t_\t_\n"
        "6\t1\\/2\t_\t_\tCD\t_\t4\tdep\t_\t_\n"
        "7\t-RRB-\t_\t_\t-RRB-\t_\t6\tdep\t_\t_\n"
        "8\t.\t_\t_\t.\t_\t3\tdep\t_\t_\n\n"
        "1\tthe\t_\t_\tDT\t_\t2\tdep\t_\t_\n"
        "2\tdog\t_\t_\tNN\t_\t3\tdep\t_\t_\n"
        "3\tbarked\t_\t_\tVBD\t_\t0\troot\t_\t_\n"
        "4\t.\t_\t_\t.\t_\t3\tdep\t_\t_\n\n"
        "1\ta\t_\t_\tNN\t_\t0\troot\t_\t_\n\n"
    )


def test_conllx_has_the_penn_tag_twice_and_no_invented_labels():
    assert convert("--to", "penn2malt", "--format", "conllx", stdin=LINES.splitlines()[1]) == (
        "1\ta\t_\tNN\tNN\t_\t0\t_\t_\t_\n\n"
    )


def test_stanford_is_the_default_and_labelled():
    assert [row[6:8] for row in rows(convert(stdin=LINES))] == [
        ["2", "det"], ["3", "nsubj"], ["0", "root"], ["3", "punct"], ["0", "root"],
    ]  # fmt: skip


def test_universal_dependencies_have_universal_tags():
    assert [row[3:8] for row in rows(convert("--to", "ud", stdin=LINES))] == [
        ["DET", "DT", "_", "2", "det"],
        ["NOUN", "NN", "_", "3", "nsubj"],
        ["VERB", "VBD", "_", "0", "root"],
        ["PUNCT", ".", "_", "3", "punct"],
        ["NOUN", "NN", "_", "0", "root"],
    ]


def test_function_tags_are_ignored_on_demand():
    text = "( (S (NP-VOC (NNP Ann)) (VP (VB go))))"
    assert convert("--to", "lth2008", "--function-tags", stdin=text) != convert(
        "--to", "lth2008", "--no-function-tags", stdin=text
    )


TAGGED, TRACED = "( (S (NP-VOC (NNP Ann)) (VP (VB go))))\n", "( (S (NP-SBJ (-NONE- *)) (VP (VB go))))\n"


def test_function_tags_are_ignored_where_there_are_no_traces():
    voc = "1\tAnn\t_\t_\tNNP\t_\t2\tVOC"
    assert voc not in convert("--to", "lth2008", "--no-function-tags", stdin=TAGGED)
    assert voc in convert("--to", "lth2008", stdin=TAGGED + TRACED)


def test_the_traces_of_whole_files_count(tmp_path):
    (tmp_path / "trees.mrg").write_text(TAGGED * 1000 + TRACED)
    assert convert(tmp_path / "trees.mrg", "--to", "lth2008").count("VOC") == 1000


@pytest.mark.parametrize(("count", "where"), [(1000, " in the first 1,000 trees"), (999, "")])
def test_the_traces_of_the_first_thousand_trees_of_a_stream_count(count, where):
    out, error = printed("convert", "--to", "lth2008", stdin=TAGGED * count + TRACED * (count == 1000))
    assert "VOC" not in out
    assert error.startswith(f"synparse: there are no traces{where}, so function tags are not read")


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\x85"])
def test_white_space_that_is_not_ascii_stays_in_its_word(space):
    expected = f"1\tNew{space}York\t_\tNNP\tNNP\t_\t0\troot\t_\t_\n\n"
    assert convert("--format", "conllx", stdin=f"(NP (NNP New{space}York))") == expected


def test_trees_with_other_tags_than_penns_are_told(tmp_path):
    (tmp_path / "trees.mrg").write_text("(IP (NP (NR Ann)) (VP (VV eat) (NP (NN fish))) (PU .))")
    assert printed("convert", tmp_path / "trees.mrg", "--to", "ud").err == (
        "synparse: most tags (NR, VV, PU) are not the Penn Treebank's, for which the rules are; their dependencies "
        "mean little\n"
    )


def test_labels_in_lower_case_are_told():
    message = "synparse: <stdin>:1: labels in lower case ({}): head rules know {}, so write all in upper case\n"
    assert convert(stdin="(s (np (NN dogs)) (vp (VBP bark)))", code=1) == message.format("s", "S")
    assert convert(stdin="(S (NP (nns dogs)) (VP (vbp bark)))", code=1) == message.format("nns", "NNS")
    assert convert(stdin="(S (np (NNS dogs)) (VP (VBP bark)))").count("\n") == 3


def test_trees_of_traces_are_an_empty_line_or_no_sentence_as_for_parse():
    text = "(S (NN a))\n(S (NP (-NONE- *)))\n(NN b)\n"
    assert convert("--to", "brackets", "--binarize", "left", "--split-units", stdin=text) == "(S (NN a))\n\n(NN b)\n"
    for to in SCHEMES:
        assert [line[:3] for line in convert("--to", to, stdin=text).splitlines()] == ["1\ta", "", "1\tb", ""]


def test_clean_brackets():
    assert convert("--to", "brackets", stdin=PENN + LINES) == (
        "(S (NP (DT The) (NNS dogs)) (VP (VBD were) (VP (VBN seen) (PRN (-LRB- -LRB-) (NP (CD 1\\/2)) (-RRB- -RRB-))))"
        " (. .))\n" + LINES
    )
    assert convert("--to", "brackets", "--strip-punct", "--collapse-unary", "--unescape", stdin=PENN) == (
        "(S (NP (DT The) (NNS dogs)) (VP (VBD were) (VP (VBN seen) (PRN+NP (CD 1/2)))))\n"
    )
    assert convert("--to", "brackets", "--binarize", "left", stdin=LINES) == (
        "(S (S| (NP (DT the) (NN dog)) (VP (VBD barked))) (. .))\n(NP (NN a))\n"
    )


def test_multiword_units_are_split_on_demand():
    text = "(S (prep (sps00 a_pesar_de)) (pp ello))\n"
    assert convert("--to", "brackets", stdin=text) == text
    split = "(S (prep (sps00 (sps00 a) (sps00 pesar) (sps00 de))) (pp ello))\n"
    assert convert("--to", "brackets", "--split-units", stdin=text) == split


def test_induced_brackets_can_be_cleaned_but_have_no_tags_to_convert():
    assert convert("--to", "brackets", "--binarize", "right", stdin="(X (_ a) (_ b) (_ c))") == (
        "(X (_ a) (X| (_ b) (_ c)))\n"
    )
    assert convert(stdin="(X (_ a) (_ b))", code=1) == "synparse: <stdin>:1: a word without a tag: 'a'\n"


def test_without_punctuation_dependents_move_up():
    # The first colon heads everything: its dependents move up, and the first of them is the root.
    text = "(X (: :) (NN a) (NN b))\n"
    heads = [row[1:2] + row[6:8] for row in rows(convert("--to", "penn2malt", "--strip-punct", stdin=PENN + text))]
    assert heads == [
        ["The", "2", "dep"], ["dogs", "3", "dep"], ["were", "0", "root"], ["seen", "3", "dep"], ["1\\/2", "4", "dep"],
        ["a", "2", "dep"], ["b", "0", "root"],
    ]  # fmt: skip


def test_a_root_that_is_punctuation_hands_on_its_place(monkeypatch):
    from synparse.treebanks import stanford
    from synparse.treebanks.conversion import Conversion

    monkeypatch.setattr(stanford, "convert", lambda _: Conversion((3, 1, 0, 3), ("a", "b", "top", "c")))
    out = convert("--strip-punct", stdin="(S (NN x) (NN y) (: --) (NN z))")
    assert [row[1:2] + row[6:8] for row in rows(out)] == [["x", "0", "top"], ["y", "1", "b"], ["z", "1", "c"]]


def test_a_sentence_of_punctuation_alone_keeps_it():
    assert [row[1] for row in rows(convert("--strip-punct", stdin="(X (. !) (. ?))"))] == ["!", "?"]
    assert convert("--strip-punct", "--to", "brackets", stdin="(X (. !) (. ?))") == "(X (. !) (. ?))\n"


def test_escapes_are_restored_on_demand():
    out = rows(convert("--unescape", stdin="(X (-LRB- -LRB-) (NN -RSB-) (CD 1\\/2) (SYM \\*))"))
    assert [(row[1], row[4]) for row in out] == [("(", "-LRB-"), ("]", "NN"), ("1/2", "CD"), ("*", "SYM")]


CONLLU = """# a
1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tbarked\t_\tVERB\t_\t_\t0\troot\t_\t_
4\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
CROSSING = """1\ta\t_\t_\tA\t_\t3\tdep\t_\t_
2\tb\t_\t_\tB\t_\t4\tdep\t_\t_
3\tc\t_\t_\tC\t_\t0\troot\t_\t_
4\td\t_\t_\tD\t_\t3\tdep\t_\t_

"""


def test_spans_of_projective_trees(tmp_path):
    options = ["--from", "conllu", "--to", "brackets"]
    whole = "(X (X (DT the) (NN dog)) (_ barked) (. .))\n"
    (tmp_path / "x.conllu").write_text(CONLLU)
    assert convert("--to", "brackets", str(tmp_path / "x.conllu")) == whole
    bare = "(X (X (DT the) (NN dog)) (_ barked))\n"
    assert convert(*options, stdin=CONLLU) == whole
    assert convert(*options, "--strip-punct", stdin=CONLLU * 2) == bare * 2
    assert convert(*options, stdin=CONLLU + "# nothing\n\n" + CROSSING, code=1).startswith(
        "synparse: <stdin>:9: not a projective tree: its dependencies cross"
    )
    cycle = CONLLU.replace("\t3\tnsubj", "\t1\tnsubj")
    assert "<stdin>:2: not a projective tree: word 1 is in a cycle" in convert(*options, stdin=cycle, code=1)


def test_bad_sentences_of_conllu_are_skipped():
    text = CROSSING + CONLLU + "1\tx\n\n" + CONLLU
    out, error = printed("convert", "--from", "conllu", "--to", "brackets", "--skip-bad", stdin=text)
    assert len(out.splitlines()) == 2
    assert [line.split(": ")[2] for line in error.splitlines()[:-1]] == ["<stdin>:1", "<stdin>:12"]
    assert error.endswith("synparse: 2 skipped\n")


@pytest.mark.parametrize("fault", FAULTS.splitlines())
def test_a_fault_is_told_with_its_line(tmp_path, fault):
    line = int(fault.split(":")[1])
    text = "\n" * (line - 1) + FAULTY.splitlines(keepends=True)[line - 1]
    output = tmp_path / "out"
    assert convert("--to", "penn2malt", "-o", output, stdin=text, code=1) == f"synparse: {fault}\n"
    assert not output.exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_bad_trees_are_skipped_listed_and_counted(jobs):
    out, error = printed("convert", "--to", "penn2malt", "--skip-bad", "--jobs", jobs, stdin=FAULTY)
    assert [row[1] for row in rows(out)] == ["ok", "fine", "two", "last", "_"]
    listed = "".join(f"synparse: skipped: {fault}\n" for fault in FAULTS.splitlines())
    assert error == listed + "synparse: 6 skipped\n"


def test_files_folders_and_processes_give_the_same(tmp_path, fixtures):
    trees = (fixtures / "sentences.mrg").read_text(encoding="utf-8").splitlines(keepends=True)
    files = ["".join(trees[number % 70 :][:2]) for number in range(600)]
    (tmp_path / "folder").mkdir()
    for number, text in enumerate(files, 100):
        (tmp_path / "folder" / f"{number}.mrg").write_text(text + "\n")
    (tmp_path / "all.mrg").write_text("\n".join(files))
    with (tmp_path / "all.mrg").open() as lines:
        count = sum(1 for _ in read_brackets(lines, "all"))
    whole = convert(tmp_path / "all.mrg")
    assert whole.count("\n\n") == count > 600
    assert convert(tmp_path / "folder") == whole
    assert convert(tmp_path / "folder", "--jobs", 2) == whole
    assert convert("-", "--skip-bad", "--jobs", 3, stdin=(tmp_path / "all.mrg").read_text()) == whole


@pytest.mark.parametrize("scheme", ["stanford", "lth2008", "lth2007", "penn2malt", "ud"])
def test_the_sentences_come_out_as_they_are_expected(fixtures, scheme):
    converted = convert(fixtures / "sentences.mrg", "--to", scheme).split("\n\n")
    expected = (fixtures / f"sentences.{scheme}.conllu").read_text(encoding="utf-8").split("\n\n")
    for block in filter(None, expected):
        comments = [line for line in block.split("\n") if line.startswith("#")]
        rows = converted[int(comments[0].removeprefix("# sent_id = ")) - 1]
        assert ("\n".join([*comments, rows]) == block) == (len(comments) == 1)  # two where an error is known


def test_brackets_come_out_as_they_are_expected(fixtures):
    expected = (fixtures / "sentences.brackets").read_text(encoding="utf-8")
    assert convert(fixtures / "sentences.mrg", "--to", "brackets") == expected
    assert convert(fixtures / "sentences.brackets", "--to", "brackets") == expected


def test_what_is_read_is_no_more_than_what_is_needed():
    """A tree comes out long before the input ends."""

    def endless():
        while True:
            yield LINES

    from synparse.treebanks import sources

    records = sources.chunks(sources.whole_trees(endless(), "endless"))
    assert len(next(records)) < 5_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "malt"], "'malt' is not one of 'stanford', 'lth2008', 'lth2007', 'penn2malt', 'ud', 'brackets' (see"),
        (["--format", "json"], "'json' is not one of 'conllu', 'conllx'"),
        (["--from", "text"], "'text' is not one of 'brackets', 'conllu'"),
        (["--to", "brackets", "--binarize", "up"], "'up' is not one of 'left', 'right'"),
        (["--from", "conllu"], "--to brackets"),
        (["--to", "brackets", "--format", "conllu"], "has no dependencies"),
        (["--to", "brackets", "--no-function-tags"], "has no dependencies"),
        (["--no-function-tags"], "--function-tags is only for LTH"),
        (["--binarize", "left"], "is only for --to brackets"),
        (["--collapse-unary"], "is only for --to brackets"),
        (["--engine", "corenlp"], "gives --to ud alone"),
        (["--engine", "corenlp", "--to", "ud", "--jobs", "2"], "is one process"),
        (["--jobs", "0"], "jobs"),
    ],
)
def test_wrong_usage(arguments, message):
    assert message in convert(*arguments, stdin=LINES, code=2)


def test_what_is_missing_is_told(tmp_path):
    assert convert(tmp_path / "none.mrg", code=1).endswith("none.mrg: cannot be read: No such file or directory\n")
    assert "holds no trees" in convert(tmp_path, code=1)


def test_what_corenlp_needs_is_told(monkeypatch):
    import shutil

    command = ["--engine", "corenlp", "--to", "ud"]
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "needs Java" in convert(*command, stdin=LINES, code=1)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/java")
    monkeypatch.delenv("CORENLP_HOME", raising=False)
    assert "set CORENLP_HOME" in convert(*command, stdin=LINES, code=1)
    monkeypatch.setenv("CORENLP_HOME", "/opt/corenlp")
    monkeypatch.setitem(sys.modules, "stanza", None)
    assert "pip install 'stanza>=1.8'" in convert(*command, stdin=LINES, code=1)


def test_as_typed_with_eval(tmp_path):
    """convert | eval, in a shell: trees → prediction and gold."""
    (tmp_path / "trees.mrg").write_text(PENN + LINES)
    command = f"""
        synparse() {{ {sys.executable} -m synparse "$@"; }}
        synparse convert trees.mrg --to penn2malt | synparse parse --from conllu -m chain > pred.conllu &&
        synparse convert trees.mrg --to penn2malt | synparse eval pred.conllu - --json
    """
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert done.stderr == b""
    scores = json.loads(done.stdout)
    assert (scores["sentences"], scores["words"]) == (3, 9)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_one_line_and_a_closed_pipe_is_quiet(tmp_path, jobs):
    command = [sys.executable, "-m", "synparse", "convert", "many.mrg", "--to", "penn2malt", "--jobs", str(jobs)]
    (tmp_path / "many.mrg").write_text(LINES * 50_000)
    process = started(command, cwd=tmp_path, start_new_session=True)
    assert process.stdout.readline() == b"1\tthe\t_\t_\tDT\t_\t2\tdep\t_\t_\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the pipeline
    out, error = process.communicate(timeout=HANG)
    assert (process.returncode, error) == (130, b"synparse: interrupted\n")
    assert len(out) < 5_000_000
    piped = f"{' '.join(command)} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", piped], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
