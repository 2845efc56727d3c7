import itertools
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.averaging import normalized_scores
from synparse.trees.constituency import induced_tree
from synparse.trees.distances import published_spans, unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.punctuation import is_punctuation
from synparse.trees.punctuation_cues import (
    BROKEN,
    CROSSING,
    PAIR_CROSSINGS,
    STRONG,
    WEAK,
    Cues,
    Mark,
    arc_costs,
    broken_costs,
    broken_costs_together,
    cues_of,
    cues_within,
    distances_with_cues,
    mark_of,
    split_ranks,
    without_spans_across_pairs,
)
from synparse.trees.spanning_tree import maximum_spanning_heads

MARKS = [
    ",",
    ";",
    "--",
    ":",
    "-",
    ".",
    "'",
    "’",
    "(",
    ")",
    "[",
    "]",
    "``",
    "''",
    '"',
    "“",
    "”",
    "„",
    "«",
    "»",
    "$",
    "...",
]


def weighed(scores, cues):
    """Head scores minus the costs of arcs, as a decoder reads them."""
    return scores - arc_costs(cues, len(scores))


def cues_of_text(text):
    tokens = text.split()
    return cues_of(tokens, [not is_punctuation(token) for token in tokens])


def no_cues(count):
    return Cues((0,) * (count - 1), ())


@st.composite
def sentences(draw):
    """The cues of a sentence of words and punctuation marks, and a distance for each gap between words."""
    tokens = draw(st.lists(st.one_of(st.just("x"), st.sampled_from(MARKS)), min_size=1, max_size=30))
    tokens.insert(draw(st.integers(0, len(tokens))), "x")
    read = [token == "x" for token in tokens]
    count = sum(read)
    distances = draw(st.lists(st.integers(-3, 3).map(float), min_size=count - 1, max_size=count - 1))
    return cues_of(tokens, read), distances


def cut_spans(positions):
    """The spans of two words or more between successive cuts."""
    return {(start, end) for start, end in itertools.pairwise(positions) if end - start > 1}


@pytest.mark.parametrize(
    ("text", "levels", "enclosed"),
    [
        ("a b , c ; d", [0, WEAK, STRONG], []),
        ("a -- b — c … d ... e ?! f : g", [STRONG] * 6, []),
        ("a . b c .", [STRONG, 0], []),  # the last one ends the sentence
        (", a b , .", [0], []),
        ("a , -- b", [STRONG], []),
        ("the boys ' room", [0, 0], []),
        ("the boys ’ room", [0, 0], []),
        ("well - known $ 5 # 6 / c", [0] * 4, []),
        ("a ( b c ) d", [WEAK, 0, WEAK], [(1, 3)]),
        ("a ; ( b c ) d", [STRONG, 0, WEAK], [(1, 3)]),
        ("a -LRB- b c -RRB- d", [WEAK, 0, WEAK], [(1, 3)]),
        ("a `` b c '' d", [0, 0, 0], [(1, 3)]),
        ('a " b c " d " e f', [0] * 5, [(1, 3)]),
        ("a „ b c “ d “ e f ”", [0] * 5, [(1, 3), (4, 6)]),
        ("‘ the boys ’ room", [0, 0], [(0, 2)]),
        ("`` a b , '' c d", [0, WEAK, 0], [(0, 2)]),
        ("a ( b , `` c d '' ) e", [WEAK, WEAK, 0, WEAK], [(2, 4), (1, 4)]),
        # A pair around one word, or around all words, adds no constituent; brackets still split the gaps beside them.
        ("a `` b '' c ( d ) e", [0, 0, WEAK, WEAK], []),
        ("`` a b c '' .", [0, 0], []),
        # Without a partner: the inner marks of pairs that cross, and marks that are never closed.
        ("a ( b `` c ) d '' e", [WEAK, 0, WEAK, 0], [(1, 3)]),
        ("1 ) a b", [0, 0], []),
        ("a b ( c d", [0, 0, 0], []),
        ("a ] b ( c d [ e ) f", [0, WEAK, 0, 0, WEAK], [(2, 5)]),
        # Commas, stops and dashes of other scripts.
        ("a ، b ؛ c ؟ d ۔ e", [WEAK, STRONG, STRONG, STRONG], []),
        ("a 、 b ， c ； d ： e 。 f ！ g …… h", [WEAK] * 2 + [STRONG] * 5, []),
        ("a । b ॥ c ። d ፣ e ։ f ¿ g ‼ h", [STRONG] * 3 + [WEAK] + [STRONG] * 3, []),
        ("a ། b ។ c ၊ d ။ e", [STRONG, STRONG, WEAK, STRONG], []),
        ("a ‒ b ― c － d ־ e ‐ f ・ g · h ་ i", [STRONG, STRONG] + [0] * 6, []),
        ("a ,\u200f b ‼\ufe0f c \u200b d", [WEAK, STRONG, 0], []),
        # Brackets of other scripts, and quotes as languages use them.
        ("a （ b c ） d 【 e f 】 g", [WEAK, 0] + [WEAK] * 2 + [0, WEAK], [(1, 3), (4, 6)]),
        ("a ༼ b c ༽ d", [WEAK, 0, WEAK], [(1, 3)]),
        ("a ﴿ b c ﴾ d", [WEAK, 0, WEAK], [(1, 3)]),
        ("a 「 b 『 c d 』 」 e 《 f g 》 h", [0] * 7, [(2, 4), (1, 4), (5, 7)]),
        ("a „ b c ” d ‚ e f ’ g", [0] * 6, [(1, 3), (4, 6)]),  # Polish, Hungarian
        ("a ‚ b c ‘ d „ e f “ g", [0] * 6, [(1, 3), (4, 6)]),  # German
        ("a ” b c ” d ” e f ” g", [0] * 6, [(1, 3), (4, 6)]),  # Swedish, Finnish
        ("a « b c » d « e f » g", [0] * 6, [(1, 3), (4, 6)]),  # French, Russian
        ("a » b c « d » e f « g", [0] * 6, [(1, 3), (4, 6)]),  # German, Danish
        ("a » b c » d » e f » g", [0] * 6, [(1, 3), (4, 6)]),  # Finnish
        ("a › b c ‹ d ‹ e f › g", [0] * 6, [(1, 3), (4, 6)]),
        ("a « b ‹ c d › » e „ f ‚ g h ‘ “ i", [0] * 8, [(2, 4), (1, 4), (6, 8), (5, 8)]),
        ("a 〝 b c 〟 d ＂ e f ＂ g", [0] * 6, [(1, 3), (4, 6)]),
        # The end of one quotation and the beginning of the next.
        ("a b » , c d , « e f", [0, WEAK, 0, WEAK, 0], []),
        ("a b , ” c d , “ e f ” .", [0, WEAK, 0, WEAK, 0], [(4, 6)]),
        ("a ’ b c ’ d", [0, 0, 0], []),
        ("( ) a", [], []),
        ("a", [], []),
        (", .", [], []),
    ],
)
def test_cues_by_hand(text, levels, enclosed):
    assert cues_of_text(text) == Cues(tuple(levels), tuple(enclosed))


CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] not in "LC"]


def test_every_bracket_of_unicode_has_its_partner():
    """Each closing mark (Pe) closes one that opens, and marks that are mirror images are partners."""
    opening = [character for character in CHARACTERS if unicodedata.category(character) in ("Ps", "Pi")]
    closed = {closer for character in opening for closer in mark_of(character).closers}
    assert {character for character in CHARACTERS if unicodedata.category(character) == "Pe"} <= closed
    for character in CHARACTERS:
        if unicodedata.category(character) == "Ps" and unicodedata.mirrored(character):
            [closer] = mark_of(character).closers
            assert unicodedata.category(closer) == "Pe"
            assert unicodedata.mirrored(closer)


def test_every_quote_of_unicode_opens_or_closes():
    opening = [character for character in CHARACTERS if unicodedata.category(character) == "Pi"]
    assert all(mark_of(character).closers for character in opening)
    closed = {closer for character in CHARACTERS if is_punctuation(character) for closer in mark_of(character).closers}
    assert {character for character in CHARACTERS if unicodedata.category(character) == "Pf"} <= closed


def test_only_punctuation_is_a_cue():
    assert all(is_punctuation(character) for character in CHARACTERS if mark_of(character)[1:] != Mark("")[1:])


def test_a_token_that_the_model_reads_is_no_cue():
    tokens = "a , b ( c d ) e".split()
    assert cues_of(tokens, [True] * 8) == no_cues(8)


def test_distances_by_hand():
    cues = cues_of_text("a b , c ; d e")
    # The largest difference is 3, so ranks are 4 apart.
    assert distances_with_cues([4.0, 1.0, 2.0, 3.0], cues) == [4.0, 5.0, 10.0, 3.0]
    cues = cues_of_text("a ( b , c d ) e")
    assert distances_with_cues([0.0, 0.5, 1.0, 0.0], cues) == [2.0, 0.5 - 4, 1.0 - 6, 2.0]


@pytest.mark.parametrize(
    ("text", "distances", "spans"),
    [
        ("she came , saw , and won", [9.0, 1.0, 9.0, 2.0], [(0, 5), (0, 3), (0, 2), (3, 5)]),
        ("she came ; saw , and won", [9.0, 1.0, 9.0, 2.0], [(0, 5), (0, 2), (2, 5), (3, 5)]),
        ("the `` big bang '' theory", [1.0, 9.0, 2.0], [(0, 4), (0, 3), (1, 3)]),
        ("it rained ( all , all day ) long", [1.0, 2.0, 9.0, 9.0, 1.0], [(0, 6), (0, 2), (2, 6), (2, 5), (3, 5)]),
    ],
)
def test_trees_by_hand(text, distances, spans):
    assert unbiased_spans(distances_with_cues(distances, cues_of_text(text))) == spans


@given(sentences())
def test_stronger_gaps_split_first(sentence):
    """The words between gaps of a level or above are a constituent, for each level."""
    cues, distances = sentence
    spans = set(unbiased_spans(distances_with_cues(distances, Cues(cues.levels, ()))))
    for least in (WEAK, STRONG):
        cuts = [gap for gap, level in enumerate(cues.levels, 1) if level >= least]
        assert cut_spans([0, *cuts, len(distances) + 1]) <= spans


@given(sentences())
def test_the_words_inside_a_pair_are_a_constituent_split_by_its_own_levels(sentence):
    cues, distances = sentence
    spans = unbiased_spans(distances_with_cues(distances, cues))
    assert set(cues.enclosed) <= set(spans)
    assert spans[0] == (0, len(distances) + 1)
    for start, end in cues.enclosed:
        inside = cues_within(cues, start, end)
        own = unbiased_spans(distances_with_cues(distances[start : end - 1], inside))
        assert [span for span in spans if start <= span[0] and span[1] <= end] == [
            (start + first, start + last) for first, last in own
        ]


@given(sentences(), st.integers(0, 30), st.integers(0, 30))
def test_gaps_with_equal_cues_keep_the_order_of_the_model(sentence, first, second):
    cues, distances = sentence
    if not distances:
        return
    first, second = first % len(distances), second % len(distances)

    def describe(gap):
        return cues.levels[gap], [pair for pair in cues.enclosed if pair[0] <= gap and gap + 1 < pair[1]]

    if describe(first) == describe(second):
        weighed = distances_with_cues(distances, cues)
        assert (weighed[first] < weighed[second]) == (distances[first] < distances[second])


@given(st.lists(st.floats(-1e9, 1e9), max_size=20))
def test_without_cues_distances_stay(distances):
    assert distances_with_cues(distances, no_cues(len(distances) + 1)) == distances


@given(sentences())
def test_every_sentence_has_binary_trees_and_joint_heads_in_them(sentence):
    cues, distances = sentence
    weighed = distances_with_cues(distances, cues)
    count = len(distances) + 1
    for spans in (unbiased_spans(weighed), published_spans(weighed, 0.0)):
        induced_tree(["x"] * count, spans)  # raises where spans cross
        assert len(spans) == max(1, count - 1)
    heads = joint_heads(unbiased_spans(weighed), list(range(count)))
    for start, end in cues.enclosed:  # one arc leaves a pair; only dependents of its head may enter
        assert sum(not start < head <= end for head in heads[start:end]) == 1


def test_head_scores_by_hand():
    cues = cues_of_text("a , b `` c d '' ; e")
    assert cues == Cues((WEAK, 0, 0, STRONG), ((2, 4),))
    pair, gap = PAIR_CROSSINGS * CROSSING, CROSSING
    costs = [
        [0, gap, gap + pair, gap + pair, 2 * gap],
        [gap, 0, pair, pair, gap],
        [gap + pair, pair, pair, 0, gap + pair],
        [gap + pair, pair, 0, pair, gap + pair],
        [2 * gap, gap, gap + pair, gap + pair, 0],
    ]
    scores = np.arange(25.0).reshape(5, 5)
    np.testing.assert_array_equal(weighed(scores, cues), scores - costs)


def test_an_arc_has_a_cost_for_every_pair_that_it_leaves():
    cues = cues_of_text('a " b ( c d ) e " f')
    assert cues.enclosed == ((2, 4), (1, 5))
    scores = weighed(np.zeros((6, 6), np.float32), cues)
    brackets, quotes = CROSSING * (1 + PAIR_CROSSINGS), CROSSING * PAIR_CROSSINGS
    assert scores.dtype == np.float32
    assert [-scores[2, head] for head in (0, 1, 3, 4)] == [quotes + brackets, brackets, 0, brackets]
    assert scores[0, 5] == -2 * CROSSING  # crosses both pairs, and the gaps of both brackets
    assert [-scores[word, word] for word in range(6)] == [0, quotes, *[2 * quotes] * 2, quotes, 0]


@given(sentences(), st.integers(0, 2**32 - 1))
def test_the_cost_of_an_arc_counts_the_cues_between_its_words(sentence, seed):
    cues, distances = sentence
    count = len(distances) + 1
    scores = np.random.default_rng(seed).normal(size=(count, count))
    costs = scores - weighed(scores, cues)
    assert costs.shape == scores.shape
    assert (costs > -1e-9).all()
    for dependent in range(count):
        for head in range(count):
            low, high = min(dependent, head), max(dependent, head)
            gaps = sum(level > 0 for level in cues.levels[low:high])
            is_root = dependent == head
            pairs = sum((s <= dependent < e) != (s <= head < e and not is_root) for s, e in cues.enclosed)
            assert costs[dependent, head] == pytest.approx(CROSSING * (gaps + PAIR_CROSSINGS * pairs))


@given(sentences())
def test_spans_are_broken_by_what_splits_before_the_boundary_that_counts(sentence):
    cues, distances = sentence
    T = len(distances) + 1
    ranks = [np.inf, *split_ranks(cues), np.inf]
    costs = {branching: broken_costs(cues, branching) for branching in ("none", "right", "left")}
    assert (costs["left"] == costs["none"]).all()
    for start, end in itertools.combinations(range(T + 1), 2):
        inside = max(ranks[start + 1 : end], default=-np.inf)
        at_start, at_end = inside > ranks[start], inside > ranks[end]
        crosses = any(a < start < b < end or start < a < end < b for a, b in cues.enclosed)
        before = [rank for rank in ranks[:start] if rank >= inside]
        assert costs["none"][start, end] == BROKEN * (at_start or at_end)
        assert costs["right"][start, end] == BROKEN * (at_end or (at_start and (crosses or before[-1] == inside)))


def test_a_verb_phrase_may_go_on_after_a_comma_where_phrases_branch_to_the_right():
    cues = cues_of_text("dogs bark , and run")
    assert broken_costs(cues)[1, 4] == broken_costs(cues, "left")[1, 4] == BROKEN
    assert broken_costs(cues, "right")[1, 4] == 0
    assert broken_costs(cues, "right")[0, 3] == BROKEN


@pytest.mark.parametrize("branching", ["none", "right", "left"])
def test_sentences_of_one_length_do_not_affect_each_other(branching):
    cues = list(map(cues_of_text, ["dogs , who bark , run", "a b , c d", "a b c d", "a ( b , c ) ; d", "a ( b c d )"]))
    together = broken_costs_together(cues, branching)
    assert any(costs.any() for costs in together)
    np.testing.assert_array_equal(together, [broken_costs(of_sentence, branching) for of_sentence in cues])


def test_what_stands_between_two_commas_stays_there():
    costs = broken_costs(cues_of_text("dogs , who bark loud , run ; cats , too , sit still"), "right")
    assert costs[2, 5] == BROKEN  # bark loud , run
    assert costs[0, 5] == 0
    assert costs[3, 7] == BROKEN  # loud , run ; cats , too
    assert costs[4, 9] == 0  # run ; cats , too , sit still
    costs = broken_costs(cues_of_text("a ( b , c ) ; d e"), "right")
    assert costs[2, 5] == BROKEN  # c ) ; d e


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_without_cues_head_scores_stay(count, seed):
    scores = normalized_scores(np.random.default_rng(seed).normal(size=(count, count)).astype(np.float32))
    scores[0, -1] = -np.inf
    np.testing.assert_array_equal(weighed(scores, no_cues(count)), scores)


def test_with_equal_scores_one_arc_crosses_each_gap_with_punctuation():
    """If all head scores are equal, the best tree has one arc over each gap with punctuation and one into each pair."""
    cues = cues_of_text("a b , c d ; e `` f g '' h")
    heads = maximum_spanning_heads(weighed(np.zeros((8, 8)), cues))
    arcs = [(min(word, head - 1), max(word, head - 1)) for word, head in enumerate(heads) if head]
    for gap in (2, 4):
        assert sum(low < gap <= high for low, high in arcs) == 1
    assert sum((5 <= low < 7) != (5 <= high < 7) for low, high in arcs) == 1


@given(sentences(), st.integers(0, 30), st.integers(0, 30))
def test_cues_of_a_chunk_are_those_of_the_sentence_inside_it(sentence, start, length):
    cues, distances = sentence
    count = len(distances) + 1
    assert cues_within(cues, 0, count) == cues
    start = start % count
    end = min(count, start + length)
    within = cues_within(cues, start, end)
    assert len(within.levels) == max(0, end - start - 1)
    for first, last in within.enclosed:
        assert any(s <= first + start and last + start <= e for s, e in cues.enclosed)
        assert 2 <= last - first < end - start


def test_pairs_are_clipped_at_the_ends_of_a_chunk():
    cues = cues_of_text("a ( b c d ) e")
    assert cues_within(cues, 0, 3) == Cues((WEAK, 0), ((1, 3),))
    assert cues_within(cues, 3, 5) == Cues((WEAK,), ())
    assert cues_within(cues, 1, 4) == Cues((0, 0), ())
    assert cues_within(cues, 2, 2) == Cues((), ())
    cues = cues_of_text("a b c ( d e f ) g")
    assert cues_within(cues, 2, 7) == Cues((WEAK, 0, 0, WEAK), ((1, 4),))
    assert cues_within(cues, 2, 5) == Cues((WEAK, 0), ((1, 3),))


@pytest.mark.parametrize(
    "tokens_of",
    [
        lambda n: ["(", "x"] * n + ["]"] * n,
        lambda n: ["("] * n + ["x"] + [")"] * n,
        lambda n: ['"', "x"] * n,
    ],
)
def test_work_is_linear_in_the_number_of_marks(lines_run, tokens_of):
    def weigh(tokens):
        cues = cues_of(tokens, [token == "x" for token in tokens])
        distances_with_cues([0.0] * len(cues.levels), cues)

    assert lines_run(lambda: weigh(tokens_of(2_000))) < 2.1 * lines_run(lambda: weigh(tokens_of(1_000)))


def test_only_spans_across_pairs_lose_their_probability():
    cues = cues_of_text("a ( b c ) d")
    assert cues.enclosed == ((1, 3),)
    left = without_spans_across_pairs(np.ones((5, 5)), cues)
    crossing = {(0, 2), (2, 4)}
    assert {(start, end) for start in range(5) for end in range(start + 1, 5) if not left[start, end]} == crossing
    assert (without_spans_across_pairs(np.ones((5, 5)), Cues((0, 0, 0), ())) == 1).all()
