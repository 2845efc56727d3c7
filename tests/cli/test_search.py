"""`synparse search` as a user types it."""

import functools
import json

import pytest

from tests.cli import commands
from tests.cli.commands import SAMPLE

TREES = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (VP (VB Run)))\n(S (NP (NN Man)) (VP (VBZ is)))\n"
CONLLU = (
    "# a\n1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tHi\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
)


synparse = functools.partial(commands.synparse, "search")


def test_brackets():
    assert synparse("NP", stdin=TREES) == "(NP (DT the) (NN dog))\n(NP (NN Man))\n"
    assert synparse("NP", "--whole", "--limit", 1, stdin=TREES) == TREES.splitlines(keepends=True)[0]
    assert synparse("NP", "-", "--not", stdin=TREES) == TREES.splitlines(keepends=True)[1]
    assert synparse("ADJP", stdin=TREES) == ""


def test_conllu():
    marked = CONLLU.replace("# a\n", "# a\n# match = 1:V=2,N=1\n").replace("nsubj\t_\t_", "nsubj\t_\tMatch=N")
    marked = marked.replace("0\troot\t_\t_", "0\troot\t_\tMatch=V", 1)
    first = marked.index("\n\n") + 2
    assert synparse("V -[nsubj]-> N", stdin=CONLLU) == marked[:first]
    assert synparse("pattern { V -[nsubj]-> N }", "--not", stdin=CONLLU) == marked[first:]
    assert synparse("V -[obj]-> N", stdin=CONLLU) == ""
    assert synparse("V -[nsubj]-> N", stdin=marked[:first]) == marked[:first]


def test_counts():
    assert synparse("NP", "--count", stdin=TREES) == (
        "sentences          3\n  of them matched  2\nmatches            2\n"
    )  # fmt: skip
    assert synparse("_=x > NP", "--by", "x.label", "--tsv", stdin=TREES) == (
        "sentences\t3\nof them matched\t2\nmatches\t3\n\n# by x.label\nx.label\tmatches\nNN\t2\nDT\t1\n"
    )
    assert json.loads(synparse("NP", "--by", "words", "--json", "--limit", 2, stdin=TREES)) == {
        "pattern": "NP", "sentences": 2, "matching_sentences": 1, "matches": 1,
        "by": [{"words": "the dog", "matches": 1}],
    }  # fmt: skip


def test_the_words_of_both_kinds_of_tree_are_the_same():
    """A determiner just before a noun, counted in brackets and in CoNLL-U."""
    in_brackets = json.loads(synparse("DT . NN", SAMPLE / "gold.brackets", "--count", "--json"))
    in_conllu = json.loads(synparse("A [xpos=DT]; B [xpos=NN]; A < B", SAMPLE / "gold.conllu", "--count", "--json"))
    del in_brackets["pattern"], in_conllu["pattern"]
    assert in_brackets == in_conllu
    assert in_brackets["sentences"] == 1000
    assert 0 < in_brackets["matching_sentences"] < in_brackets["matches"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["NP <"], 2, "column 5 of the pattern of constituents: expected a label"),
        (["NP", "--by", "lemma"], 2, "--by lemma: possible are label, words"),
        (["NP", "--json"], 2, "add --count or --by"),
        (["NP", "--count", "--not"], 2, "counts include sentences without a match; leave it out"),
        (["NP", "--from", "conllu"], 2, "column 3 of the pattern of words and arcs: expected [ or an arrow"),
        (["A []", "--from", "conllu"], 1, "<stdin>:1: no tab: the 10 columns of CoNLL-U are separated by tabs"),
        (["NP", "no-such-file.mrg"], 1, "no-such-file.mrg: cannot be read"),
        ([], 2, "Missing argument 'PATTERN'"),
    ],
)
def test_faults_are_one_line(arguments, code, message):
    assert message in synparse(*arguments, stdin=TREES, code=code)
