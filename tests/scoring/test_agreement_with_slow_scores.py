"""Every score of our own sentences, for predictions of all kinds, is what its definition gives: see slow_scores."""

from random import Random

import pytest

from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.conll18 import evaluate_conll18
from synparse.scoring.head_comparison import compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import format_conllu
from synparse.trees.constituency import format_brackets, induced_tree
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.trivial import TRIVIAL_PARSERS
from tests.scoring import slow_scores

# The first sentences of the treebank with mistakes made by hand.
PERTURBED = """\
(S (NP (DT The) (NN old)) (VP (NN dog) (VBD slept) (RB quietly)) (. .))
(S (NP (NNP Mary)) (VP (VBD gave) (NP (NP (DT the) (NN boy)) (NP (DT a) (NN book))) (ADVP (NN yesterday))) (. .))
(S (NP (DT The) (NN letter)) (VP (VBD was) (VBN written)) (PP (IN by) (NP (DT a) (NN clerk))) (. .))
"""


@pytest.fixture(scope="module")
def gold(request):
    folder = request.getfixturevalue("fixtures")
    return (folder / "sentences.brackets").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def gold_heads(request):
    folder = request.getfixturevalue("fixtures")
    return (folder / "sentences.stanford.conllu").read_text(encoding="utf-8")


def perturbed(lines):
    return [*PERTURBED.splitlines(), *lines[3:]]


def predictions(gold, parser):
    """Trees of a trivial parser over the words that are scored."""
    source = Random(1)
    for line in gold:
        words = [
            word for tag, word in slow_scores.leaves(slow_scores.nested(line)) if tag not in slow_scores.PUNCTUATION
        ]
        yield format_brackets(
            induced_tree(words, unbiased_spans(TRIVIAL_PARSERS[parser]([False] * len(words), source).distances))
        )


def compared(predicted, gold, **options):
    files = [NamedLines("one", [f"{line}\n" for line in predicted])], NamedLines("gold", [f"{line}\n" for line in gold])
    return compare_brackets(*files, **options)


@pytest.mark.parametrize("protocol", ["kim2019", "shen2018"])
@pytest.mark.parametrize("parser", [*TRIVIAL_PARSERS, "by hand"])
def test_uf1(gold, protocol, parser):
    predicted = perturbed(gold) if parser == "by hand" else list(predictions(gold, parser))
    (f1, precision, recall), corpus = slow_scores.uf1(gold, predicted, protocol)
    comparison = compared(predicted, gold, protocol=protocol)
    assert comparison.totals["sentences"] == 70
    assert comparison.systems[0].scores["uf1_sentence"] == pytest.approx(f1)
    if protocol == "kim2019":
        names = ("uf1_corpus", "precision", "recall")
        assert [comparison.systems[0].scores[name] for name in names] == pytest.approx(corpus)
    else:
        scores = [comparison.systems[0].scores[name] for name in ("precision", "recall")]
        assert scores == pytest.approx([precision, recall])


@pytest.mark.parametrize("kind", ["by hand", "other verb phrases", "other noun phrases", "itself"])
def test_evalb(gold, kind):
    predicted = {
        "by hand": perturbed(gold),
        "other verb phrases": [line.replace("(VP", "(ADVP").replace("(PRT", "(ADVP") for line in gold],
        "other noun phrases": [line.replace("(NP ", "(S ") for line in gold],
        "itself": gold,
    }[kind]
    total = slow_scores.evalb(gold, predicted)
    scores = compared(predicted, gold, protocol="evalb").systems[0].scores
    assert scores["recall"] == pytest.approx(total["matched"] / total["gold"])
    assert scores["precision"] == pytest.approx(total["matched"] / total["predicted"])
    assert scores["fmeasure"] == pytest.approx(2 * total["matched"] / (total["gold"] + total["predicted"]))
    assert scores["complete_match"] == pytest.approx(total["complete"] / total["sentences"])
    assert scores["average_crossing"] == pytest.approx(total["crossing"] / total["sentences"])
    assert scores["no_crossing"] == pytest.approx(total["without_crossing"] / total["sentences"])
    assert scores["tagging_accuracy"] == pytest.approx(total["tags"] / total["words"])


def predicted_heads(text, parser):
    """Heads of a trivial parser over all tokens; "mistakes" are gold heads, but every third word has the root's."""
    source = Random(2)
    for rows in slow_scores.rows_of(text):
        words = [row[1] for row in rows]
        if parser == "mistakes":
            heads = [int(row[6]) for row in rows]
            root = heads.index(0) + 1
            heads = [root if number % 3 == 0 and number != root else head for number, head in enumerate(heads, 1)]
            yield format_conllu(words, heads, [row[7] if number % 4 else "x" for number, row in enumerate(rows)])
        else:
            scores = TRIVIAL_PARSERS[parser]([False] * len(words), source)
            yield format_conllu(words, joint_heads(unbiased_spans(scores.distances), scores.heights))


RULES = {
    "keep": lambda _: True,
    "tag": lambda row: row[4] not in {*slow_scores.PUNCTUATION, "HYPH", "NFP"},
    "form": lambda row: any(c.isalnum() or c in "%&@" for c in row[1]) and row[1] not in {"-LRB-", "-RRB-"},
}


@pytest.mark.parametrize("root", ["word", "omit"])
@pytest.mark.parametrize("punctuation", RULES)
@pytest.mark.parametrize("parser", ["right-branching", "left-branching", "random", "chain", "mistakes"])
def test_attachment(gold_heads, parser, punctuation, root):
    predicted = "".join(predicted_heads(gold_heads, parser))
    total = slow_scores.attachment(gold_heads, predicted, RULES[punctuation], root)
    files = [NamedLines("one", predicted.splitlines(True))], NamedLines("gold", gold_heads.splitlines(True))
    comparison = compare_heads(*files, punctuation=punctuation, root=root)
    scores = comparison.systems[0].scores
    assert comparison.totals == {"sentences": 62, "words": total["words"]}
    assert scores["uas"] == pytest.approx(total["attached"] / total["words"])
    assert scores["uuas"] == pytest.approx(total["connected"] / total["words"])
    assert scores["ned"] == pytest.approx(total["neutral"] / total["words"])
    assert scores["exact_trees"] == pytest.approx(total["exact"] / total["trees"])
    assert ("las" in scores) == (parser == "mistakes")
    if parser == "mistakes":
        assert scores["las"] == pytest.approx(total["labelled"] / total["words"])


@pytest.mark.parametrize("change", ["nothing", "heads", "relations", "tags"])
def test_conll18(request, change):
    gold = (request.getfixturevalue("fixtures") / "sentences.ud.conllu").read_text(encoding="utf-8")
    blocks = []
    for rows in slow_scores.rows_of(gold):
        root = next(row[0] for row in rows if row[6] == "0")
        for number, row in enumerate(rows):
            if change == "heads" and number % 3 == 0 and row[0] != root:
                row[6] = root
            if change == "relations" and number % 4 == 0:
                row[7] = {"det": "case", "nsubj": "obj:x", "obj": "obj:x", "punct": "dep"}.get(row[7], row[7])
            if change == "tags" and number % 5 == 0:
                row[3], row[4] = "X", "FW"
        blocks.append("".join("\t".join(row) + "\n" for row in rows))
    predicted = "\n".join([*blocks, ""])
    metrics = evaluate_conll18(*(NamedLines("file", text.splitlines(True)) for text in (predicted, gold)))
    for metric, counts in slow_scores.conll18(gold, predicted).items():
        assert (metrics[metric].gold, metrics[metric].predicted, metrics[metric].right) == counts, metric
    for metric in ("Tokens", "Sentences", "Words", "UFeats", "Lemmas"):
        assert metrics[metric].f1 == 1
    assert (metrics["LAS"].f1 == 1) == (change in ("nothing", "tags"))
