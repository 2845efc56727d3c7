import pytest

from synparse.scoring.brackets import NamedLines
from synparse.scoring.dependencies import ROOT_RULES, DependencyCounts, TreeCounts
from synparse.scoring.evaluation import aligned_sentences, evaluate_dependencies
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError

GOLD = format_conllu(["the", "dog", "barked"], (2, 3, 0)) + format_conllu(["hi", "!"], (0, 1))


def dependencies(predicted, gold=GOLD, **rules):
    return evaluate_dependencies(predicted.splitlines(True), gold.splitlines(True), "pred", "gold", **rules)


def test_a_file_against_itself_is_perfect():
    result = dependencies(GOLD)
    assert result.sentences == 2
    assert result.counts.uas == result.counts.uuas == 1
    assert result.counts.words == 4  # "!" is punctuation by form
    assert "like a word" in result.protocol


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (format_conllu(["the", "dog", "barked"], (2, 3, 0)), "pred: ends after 1 sentences, but gold goes on"),
        (GOLD + GOLD, "gold: ends after 2 sentences, but pred goes on"),
        (GOLD.replace("dog", "cat"), "pred:1: sentence 1 has 'cat' where gold has 'dog'"),
        (GOLD.replace("hi", "ho"), "pred:5: sentence 2 has 'ho' where gold has 'hi'"),
        (GOLD.replace("\t3\t", "\t9\t"), "pred:2: word 2 \\(dog\\) has head '9'"),
    ],
)
def test_files_that_do_not_line_up_are_told(predicted, message):
    with pytest.raises(DataError, match=message):
        dependencies(predicted)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("\t3\tdep", "\t1\tdep", "gold:1: sentence 1 is no gold tree: word 1 is in a cycle"),
        ("\t3\tdep", "\t0\troot", "gold:1: sentence 1 is no gold tree: 2 words have head 0, but a tree has one root"),
        ("\t1\tdep", "\t2\tdep", "gold:5: sentence 2 is no gold tree: word 2 is in a cycle"),
        ("\t3\tdep", "\t4\tdep", "gold:2: word 2 (dog) has head '4', which is no word of the sentence"),
    ],
)
def test_gold_heads_must_be_a_tree(before, after, message):
    with pytest.raises(DataError) as caught:
        dependencies(GOLD, GOLD.replace(before, after))
    assert str(caught.value) == message


def test_words_that_hang_from_a_cycle_of_punctuation_are_told():
    gold = format_conllu(["hi", "!", "?"], (0, 1, 1))
    with pytest.raises(DataError, match=r"pred:1: sentence 1: word 1 hangs from a cycle"):
        dependencies(format_conllu(["hi", "!", "?"], (2, 3, 2)), gold, root="wrong")


@pytest.mark.parametrize(
    ("heads", "fault"),
    [((2, 1, 0), "word 1 is in a cycle"), ((0, 0, 1), "2 words have head 0"), ((2, 3, 1), "no word has head 0")],
)
def test_predictions_are_trees_but_in_the_arg_max_table(heads, fault):
    words = ["a", "b", "c"]
    gold, predicted = format_conllu(words, (0, 1, 1)), format_conllu(words, heads)
    with pytest.raises(DataError, match=f"pred:1: sentence 1 is no tree: {fault}"):
        dependencies(predicted, gold)
    assert dependencies(predicted, gold, root="wrong").counts.words == 3


@pytest.mark.parametrize(("rule", "what"), [("upos", "no UPOS"), ("tag", "no Penn tags")])
def test_a_rule_that_needs_tags_names_the_sentence_that_has_none(rule, what):
    with pytest.raises(DataError, match=f"gold:1: sentence 1 has {what} to find punctuation by"):
        dependencies(GOLD, punctuation=rule)


def test_rules_are_applied_and_named():
    kept = dependencies(GOLD, punctuation="keep")
    assert (kept.counts.words, kept.protocol) == (5, "punctuation scored like words; " + ROOT_RULES["word"])
    omitted = dependencies(GOLD, root="omit")
    assert omitted.counts.words == 2
    assert omitted.protocol.endswith("its dependents reattached; the gold root is left out")


def test_a_hand_worked_file():
    heads = format_conllu(["the", "dog", "barked"], (2, 0, 2)) + format_conllu(["hi", "!"], (0, 1))
    result = dependencies(heads)
    # "dog" has its gold grandparent, "barked" its gold child for a head.
    assert result.counts == DependencyCounts(words=4, attached=2, connected=3, neutral=4)
    assert result.trees == TreeCounts(sentences=2, exact=1, roots=2, found=1)
    assert result.breakdowns["direction"]["root"].uas == 0.5


def test_las_needs_relations_that_say_something():
    gold = GOLD.replace("\tdep", "\tnsubj")
    assert dependencies(GOLD, gold).counts.las is None
    assert dependencies(gold, gold).counts.las == 1
    assert dependencies(gold.replace("2\tnsubj", "2\tobj"), gold).counts.las == 0.75


def test_several_predictions_are_read_in_step_with_gold():
    gold = NamedLines("gold", GOLD.splitlines(True))
    other = NamedLines("other", GOLD.replace("\t2\tdep", "\t3\tdep").splitlines(True))
    first, second = aligned_sentences([gold, other], gold)
    assert [pair.predicted for pair in first.pairs] == [(2, 3, 0), (3, 3, 0)]
    assert second.number == 2
    assert second.kept == [True, False]
    assert {pair.gold for pair in first.pairs} == {first.gold.heads}
    shorter = NamedLines("short", GOLD.partition("\n\n")[0].splitlines(True))
    with pytest.raises(DataError, match="short: ends after 1 sentences, but gold goes on"):
        list(aligned_sentences([gold, shorter], gold))


def test_real_treebanks_against_themselves_are_perfect(shared_data):
    path = shared_data / "ewt/dev.conllu"
    with path.open(encoding="utf-8") as predicted, path.open(encoding="utf-8") as gold:
        result = evaluate_dependencies(predicted, gold, "pred", "gold")
    assert (result.sentences, result.counts.words) == (2001, 22072)
    assert result.trees.exact_share == result.trees.root_accuracy == 1
    rows = [counts for table in result.breakdowns.values() for counts in table.values()]
    assert all(counts.uas == counts.uuas == counts.ned == counts.las == 1 for counts in [result.counts, *rows])


def test_no_sentences_are_an_error():
    with pytest.raises(DataError, match="holds no sentences"):
        dependencies("", "")
