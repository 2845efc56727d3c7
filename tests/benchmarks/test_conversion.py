"""The agreement of conversions: what is compared with what."""

from benchmarks.conversion import agreement
from synparse.treebanks.convert import ConvertOptions, convert


def test_words_may_have_what_ends_a_line_elsewhere(tmp_path):
    trees, gold = tmp_path / "trees.mrg", tmp_path / "gold.conll"
    trees.write_text("(S (NP (NNS a\u2028b)) (VP (VBP c)) (. .))\n", encoding="utf-8")
    gold.write_text("".join(convert([str(trees)], ConvertOptions("stanford", "conllx"))), encoding="utf-8")
    assert agreement(trees, gold, "stanford") == "100.00 / 100.00 / 100.00"
