import pytest

from synparse.scoring.comparison import Wanted
from synparse.scoring.dependencies import ROOT_RULES
from synparse.scoring.head_comparison import compare_conll18, compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import format_conllu
from synparse.trees.dependency import WordHeads
from synparse.trees.errors import DataError

# the ← dog ← barked (root) → loudly, and: hi (root) !
GOLD = format_conllu(["the", "dog", "barked", "loudly"], (2, 3, 0, 3)) + format_conllu(["hi", "!"], (0, 1))
NEXT = format_conllu(["the", "dog", "barked", "loudly"], (2, 3, 4, 0)) + format_conllu(["hi", "!"], (0, 1))
ALL = Wanted(breakdowns=True, baselines=True, seed=1, worst=1)


def compare(*predicted, gold=GOLD, **options):
    runs = [NamedLines(f"run{number}", text.splitlines(True)) for number, text in enumerate(predicted, 1)]
    return compare_heads(runs, NamedLines("gold", gold.splitlines(True)), **options)


def test_a_hand_worked_comparison():
    comparison = compare(NEXT, GOLD, wanted=ALL)
    following, perfect = comparison.systems
    # "!" is punctuation. Of five heads three are right; "loudly" and "barked" are connected, the root of four is not.
    assert comparison.totals == {"sentences": 2, "words": 5}
    assert following.scores["uas"] == pytest.approx(3 / 5)
    assert following.scores["uuas"] == pytest.approx(4 / 5)
    assert following.scores["exact_trees"] == following.scores["root_accuracy"] == pytest.approx(1 / 2)
    assert perfect.scores["uas"] == perfect.scores["ned"] == 1
    assert list(following.ratios["uas"].numerators) == [2, 1]
    assert list(following.ratios["uas"].denominators) == [4, 1]
    [agreement] = comparison.agreements
    assert agreement.scores["uas"] == pytest.approx(3 / 5)
    assert [(sentence.number, sentence.score) for sentence in comparison.worst] == [(1, 0.5)]


def test_agreement_is_that_of_the_second_with_the_first_as_gold():
    [agreement] = compare(GOLD, NEXT, root="omit").agreements
    assert agreement.scores.items() <= compare(NEXT, root="omit").systems[0].scores.items()
    [agreement] = compare(NEXT, NEXT, root="wrong").agreements
    assert agreement.scores["uas"] == 1


def test_induced_tags_by_hand():
    words = ["the", "dog", "saw", "it", "."]
    gold = format_conllu(words, (2, 3, 0, 3, 3), upos=["DET", "NOUN", "VERB", "_", "PUNCT"], xpos=list("abcde"))
    classes = format_conllu(words, (2, 3, 0, 3, 3), upos=["C1", "C1", "C2", "C3", "C0"])
    # "it" has no gold UPOS; the full stop is punctuation.
    comparison = compare(classes, gold, gold=gold, wanted=Wanted(tags="upos"))
    induced, perfect = (system.scores for system in comparison.systems)
    assert (induced["tag_many_to_one"], perfect["tag_many_to_one"]) == (pytest.approx(2 / 3), 1)
    assert induced["tag_completeness"] == perfect["tag_v_measure"] == 1
    assert "; tags of the scored words" in comparison.protocol
    kept = compare(classes, gold=gold, wanted=Wanted(tags="upos"), punctuation="keep").systems[0].scores
    assert kept["tag_many_to_one"] == pytest.approx(3 / 4)
    as_xpos = format_conllu(words, (2, 3, 0, 3, 3), xpos=["C1", "C1", "C2", "C3", "PUNCT"])
    assert compare(as_xpos, gold=gold, wanted=Wanted(tags="upos")).systems[0].scores == induced
    assert compare(gold, gold=as_xpos).totals["words"] == 4  # its punctuation is known by the tag
    with pytest.raises(DataError, match="no tags to score; synparse parse --tags classes writes"):  # XPOS is "_"
        compare(classes, gold=gold, wanted=Wanted(tags="xpos"))
    assert "tag_many_to_one" not in compare(classes, gold=gold).systems[0].scores


def test_induced_relations_by_hand():
    words, heads = ["the", "dog", "saw", "it", "."], (2, 3, 0, 3, 3)
    gold = format_conllu(words, heads, ["det", "nsubj", "root", "obj", "punct"], upos=[*"ABCD", "PUNCT"])
    predicted = format_conllu(
        words, (2, 3, 0, 2, 3), ["c1:left", "c2:left", "root", "c2:right", "punct"], upos=[*"WXYZ", "_"]
    )
    # Two of the four words have a right head and are no root; both relations stand for one of their own.
    wanted = Wanted(tags="upos", relations="full", baselines=True, breakdowns=True)
    system = compare(predicted, gold=gold, wanted=wanted).systems[0]
    assert system.scores["relation_v_measure"] == system.scores["relation_many_to_one"] == 1
    assert system.scores["relation_las"] == system.scores["uas"] == 3 / 4
    assert "tag_v_measure" in system.scores
    assert "las" not in system.scores  # by names that mean nothing
    assert "las" in compare(predicted, gold=gold).systems[0].scores
    table = system.breakdowns[-1]
    assert (table.rows["induced"]["clusters"], table.rows["induced"]["v_measure"]) == (2, 1)
    alone = compare(predicted, gold=gold, wanted=Wanted(relations="universal", baselines=True))
    assert [table.name for table in alone.systems[0].breakdowns] == ["relations"]
    assert "mapped to the universal gold relation it most often" in alone.protocol
    assert "V-measure" in alone.protocol


def test_baselines_stand_between_nothing_and_the_ceiling():
    baselines = {system.name: system.scores["uas"] for system in compare(GOLD, wanted=ALL).baselines}
    assert list(baselines) == ["previous word", "next word", "random", "ceiling"]
    assert baselines["next word"] == pytest.approx(3 / 5)
    assert baselines["previous word"] == pytest.approx(2 / 5)
    assert 0 <= baselines["random"] < baselines["ceiling"] == 1


def test_breakdowns_add_up_and_are_left_out_unless_wanted():
    [system] = compare(NEXT, wanted=ALL).systems
    by_length = next(table for table in system.breakdowns if table.name == "sentence_length")
    assert by_length.rows["1-10"]["words"] == 5
    assert by_length.rows["1-10"]["uas"] == system.scores["uas"]
    assert not compare(NEXT).systems[0].breakdowns


def test_the_root_rule_is_named_and_applied():
    comparison = compare(NEXT, root="omit")
    assert "the gold root is left out" in comparison.protocol
    assert comparison.totals["words"] == 3
    assert comparison.systems[0].scores["uas"] == pytest.approx(2 / 3)


def test_predictions_that_are_no_trees_are_scored_and_drawn():
    cyclic = GOLD.replace("\t3\tdep\t_\t_\n4", "\t4\tdep\t_\t_\n4").replace(
        "2\tdog\t_\t_\t_\t_\t3", "2\tdog\t_\t_\t_\t_\t1"
    )
    comparison = compare(cyclic, wanted=ALL._replace(worst=2), root="wrong")
    assert comparison.systems[0].scores["uas"] < 1
    [score] = [drawn.score for drawn in comparison.worst if drawn.number == 1]
    [predicted] = [drawn.predicted for drawn in comparison.worst if drawn.number == 1]
    assert (score, predicted) == (0.5, WordHeads(("the", "dog", "barked", "loudly"), (2, 1, 0, 3)))


def test_the_heads_that_are_scored_are_drawn():
    relations = ["det", "nsubj", "root", "advmod"]
    predicted = format_conllu(["the", "dog", "barked", "loudly"], (2, 3, 0, 3), relations)
    with_argmax = "".join(
        f"{line[:-1]}ArgmaxHead={head}\n" for line, head in zip(predicted.splitlines(), (2, 1, 4, 4), strict=False)
    )
    [worst] = compare(with_argmax + "\n", gold=predicted, wanted=ALL, heads="argmax").worst
    assert (worst.gold.heads, worst.predicted.heads, worst.predicted.relations) == ((2, 3, 0, 3), (2, 1, 4, 4), None)
    [worst] = compare(predicted, gold=predicted, wanted=ALL).worst
    assert (worst.predicted.heads, worst.predicted.relations) == ((2, 3, 0, 3), tuple(relations))


def test_a_sentence_of_punctuation_has_no_most_probable_heads():
    words = format_conllu(["it", "barked"], (2, 0), misc=[{"ArgmaxHead": "2"}, {"ArgmaxHead": "1"}])
    stops = format_conllu([".", "."], (0, 1))
    comparison = compare(words + stops, gold=words + stops, heads="argmax", root="wrong", punctuation="keep")
    assert comparison.systems[0].scores["uas"] == 0.5
    with pytest.raises(DataError, match=r":4: word 1 \(it\) has no ArgmaxHead in column 10"):
        compare(words + format_conllu(["it"], (0,)), gold=words + format_conllu(["it"], (0,)), heads="argmax")


def test_conll18_aligns_by_characters():
    gold = "1-2\tal\t_\t_\t_\t_\t_\t_\t_\t_\n" + format_conllu(["a", "el", "mar"], (3, 3, 0))
    predicted = format_conllu(["al", "mar"], (2, 0))
    files = [NamedLines(name, text.splitlines(True)) for name, text in (("one", predicted), ("two", gold))]
    comparison = compare_conll18(files, NamedLines("gold", gold.splitlines(True)))
    assert comparison.protocol.startswith("conll18: ")
    first, second = comparison.systems
    assert first.scores["words_f1"] == pytest.approx(2 / 5)
    assert first.breakdowns[0].rows["Words"]["precision"] == pytest.approx(1 / 2)
    assert second.scores["uas"] == second.scores["sentences_f1"] == 1


SHORT = format_conllu(["the", "dog", "barked"], (2, 3, 0)) + format_conllu(["hi", "!"], (0, 1))


def test_a_file_against_itself_is_perfect():
    result = compare(SHORT, gold=SHORT)
    scores = result.systems[0].scores
    assert scores["uas"] == scores["uuas"] == 1
    assert result.totals == {"sentences": 2, "words": 4}  # "!" is punctuation by form
    assert "like a word" in result.protocol


def test_words_that_hang_from_a_cycle_of_punctuation_are_roots_where_heads_need_not_be_trees():
    words = ["hi", "ho", "!", "?"]
    gold = format_conllu(words, (0, 1, 1, 1))
    compared = compare(format_conllu(words, (3, 1, 4, 3)), gold=gold, root="wrong")
    assert (
        compared.systems[0].scores
        == compare(format_conllu(words, (0, 1, 1, 1)), gold=gold, root="wrong").systems[0].scores
    )


@pytest.mark.parametrize(
    ("heads", "fault"),
    [((2, 1, 0), "word 1 is in a cycle"), ((0, 0, 1), "2 words have head 0"), ((2, 3, 1), "no word has head 0")],
)
def test_predictions_are_trees_but_in_the_arg_max_table(heads, fault):
    words = ["a", "b", "c"]
    gold, predicted = format_conllu(words, (0, 1, 1)), format_conllu(words, heads)
    with pytest.raises(DataError, match=f"run1:1: sentence 1 is not a tree: {fault}"):
        compare(predicted, gold=gold)
    assert compare(predicted, gold=gold, root="wrong").totals["words"] == 3


def test_rules_are_applied_and_named():
    kept = compare(SHORT, gold=SHORT, punctuation="keep")
    assert (kept.totals["words"], kept.protocol) == (5, "punctuation scored like words; " + ROOT_RULES["word"])
    omitted = compare(SHORT, gold=SHORT, root="omit")
    assert omitted.totals["words"] == 2
    assert omitted.protocol.endswith("its dependents reattached; the gold root is left out")


def test_the_protocol_says_by_what_punctuation_was_found():
    upos = format_conllu(["hi", "!"], (0, 1), upos=["INTJ", "PUNCT"])
    penn = format_conllu(["hi", "!"], (0, 1), xpos=["UH", "."])
    found = [compare(text, gold=text).protocol.partition(" (")[0] for text in (upos, penn, SHORT)]
    assert found == [f"punctuation left out by {by}" for by in ("gold UPOS", "gold Penn tag", "form")]


def test_a_hand_worked_file():
    heads = format_conllu(["the", "dog", "barked"], (2, 0, 2)) + format_conllu(["hi", "!"], (0, 1))
    result = compare(heads, gold=SHORT, wanted=Wanted(breakdowns=True))
    # "dog" has its gold grandparent, "barked" its gold child for a head.
    assert result.totals == {"sentences": 2, "words": 4}
    assert result.systems[0].scores == {
        "uas": 2 / 4,
        "uuas": 3 / 4,
        "ned": 1,
        "exact_trees": 1 / 2,
        "root_accuracy": 1 / 2,
    }
    tables = {table.name: table.rows for table in result.systems[0].breakdowns}
    assert tables["direction"]["root"]["uas"] == 0.5


def test_las_needs_relations_that_say_something():
    gold = SHORT.replace("\tdep", "\tnsubj")
    assert "las" not in compare(SHORT, gold=gold).systems[0].scores
    for without in (SHORT, SHORT.replace("\tdep", "\t_").replace("\troot", "\t_")):
        system = compare(gold, gold=without, wanted=ALL).systems[0]
        assert "las" not in system.scores
        assert not any("las" in row for table in system.breakdowns for row in table.rows.values())
        with pytest.raises(DataError, match="gold: no relations to score by but dep"):
            compare(gold, gold=without, wanted=Wanted(relations="full"))
    assert compare(gold, gold=gold).systems[0].scores["las"] == 1
    assert compare(gold, gold=gold).protocol.endswith("; LAS with subtypes of relations")
    assert "LAS" not in compare(SHORT, gold=gold).protocol
    assert compare(gold.replace("2\tnsubj", "2\tobj"), gold=gold).systems[0].scores["las"] == 0.75
