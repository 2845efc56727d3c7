import pytest

from synparse.scoring.constituency import SpanCounts, score_spans


def test_a_hand_worked_sentence():
    counts = score_spans({(0, 2), (3, 5)}, {(0, 2), (2, 5), (0, 3)})
    assert (counts.matched, counts.predicted, counts.gold) == (1, 3, 2)
    for by_sentence in (False, True):
        scores = counts.scores(by_sentence)
        assert (scores["precision"], scores["recall"]) == pytest.approx((1 / 3, 1 / 2))
    assert counts.sentence_f1 == counts.corpus_f1 == pytest.approx(2 / 5)


def test_sentence_and_corpus_level_differ_as_they_should():
    both = score_spans({(0, 2)}, {(0, 2)}) + score_spans({(0, 2), (0, 3), (0, 4)}, {(1, 4), (2, 4), (0, 4)})
    assert both.sentence_f1 == pytest.approx((1 + 1 / 3) / 2)
    assert both.corpus_f1 == pytest.approx(2 * 2 / (4 + 4))


@pytest.mark.parametrize(
    ("gold", "predicted", "f1"), [(set(), set(), 1.0), (set(), {(0, 2)}, 0.0), ({(0, 2)}, set(), 0.0)]
)
def test_empty_sets(gold, predicted, f1):
    assert score_spans(gold, predicted).sentence_f1 == f1


def test_a_span_that_is_named_twice_counts_once():
    assert score_spans([(0, 2), (0, 2), (2, 4)], [(1, 4), (2, 4)]) == score_spans({(0, 2), (2, 4)}, {(1, 4), (2, 4)})


def test_nothing_to_score_is_none_and_not_zero():
    assert set(SpanCounts().scores().values()) == set(SpanCounts().scores(by_sentence=True).values()) == {None}
