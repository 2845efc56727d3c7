import numpy as np
import pytest

from synparse.inducers import head_choice
from synparse.inducers.head_choice import arc_rows, choice_words, chosen_heads, learned_choice, scores_of, trusted
from synparse.trees.averaging import normalized_scores
from synparse.trees.punctuation_cues import Cues

NOUN, VERB = 0, 1


def words_of(classes, forms=None):
    return choice_words(forms or [f"w{number}" for number in range(len(classes))], np.array(classes), (), None)


def sentences(count, seed=1):
    """Classes of words, and heads by a rule: the last word is the root, a noun depends on the next verb, and a verb on
    the last word."""
    source = np.random.default_rng(seed)
    for _ in range(count):
        classes = [*source.integers(0, 2, source.integers(3, 7)).tolist(), VERB]
        T = len(classes)
        verbs = [next(later for later in range(word + 1, T) if classes[later] == VERB) for word in range(T - 1)]
        heads = [verb + 1 if word_class == NOUN else T for verb, word_class in zip(verbs, classes, strict=False)]
        yield classes, [*heads, 0]


def chained(T):
    """The log-probabilities of a parser that is sure of something else: each word depends on the one before it."""
    scores = np.full((T, T), -6.0)
    scores[range(1, T), range(T - 1)] = scores[0, 0] = 0
    return normalized_scores(scores)


def right(weights, classes, heads):
    scores = trusted(chained(len(classes))) + scores_of(weights, words_of(classes))
    found = [0 if head == word else head + 1 for word, head in enumerate(scores.argmax(1).tolist())]
    return sum(ours == gold for ours, gold in zip(found, heads, strict=True)) / len(heads)


def learned_from(trees):
    return learned_choice([chosen_heads(words_of(classes), chained(len(classes)), heads) for classes, heads in trees])


def test_ten_trees_teach_a_rule_that_the_parser_contradicts():
    weights, test = learned_from(sentences(10)), list(sentences(50, seed=2))
    assert np.mean([right(np.zeros(head_choice.ROWS), *tree) for tree in test]) < 0.1
    assert np.mean([right(weights, *tree) for tree in test]) > 0.9
    assert np.array_equal(weights, learned_from(sentences(10)))


def test_trees_that_agree_with_the_parser_change_no_head():
    trees = [(classes, [0, *range(1, len(classes))]) for classes, _ in sentences(10)]
    weights = learned_from(trees)
    assert all(right(weights, classes, [0, *range(1, len(classes))]) == 1 for classes, _ in sentences(50, seed=2))


def test_words_without_known_heads_teach_nothing():
    words, scores = words_of([NOUN, VERB, VERB]), chained(3)
    whole, half = chosen_heads(words, scores, [3, 3, 0]), chosen_heads(words, scores, [3, None, 0])
    assert np.array_equal(half.rows, whole.rows[[0, 2]])
    assert np.array_equal(half.scores, whole.scores[[0, 2]])
    assert half.heads.tolist() == [2, 2]
    assert whole.heads.tolist() == [2, 2, 2]
    assert not learned_choice([chosen_heads(words, scores, [None, None, None])]).any()
    nothing = chosen_heads(words, scores, ())
    assert np.array_equal(learned_choice([nothing, whole]), learned_choice([whole]))


def test_weights_are_those_of_the_least_loss(monkeypatch):
    """The gradient of the regularised log-likelihood, computed from its definition, vanishes."""
    monkeypatch.setattr(head_choice, "STEPS", 2000)
    trees = list(sentences(3))
    examples = [chosen_heads(words_of(classes), chained(len(classes)), heads) for classes, heads in trees]
    weights = learned_choice(examples).astype(np.float64)
    gradient = head_choice.PENALTY * weights
    for rows, base, heads in examples:
        for of_word, scores, head in zip(rows, base, heads, strict=True):
            probabilities = np.exp(normalized_scores((scores + weights[of_word].sum(-1))[None])[0])
            probabilities[head] -= 1
            for features, error in zip(of_word, probabilities, strict=True):
                np.add.at(gradient, features, error)
    assert abs(gradient).max() < 1e-3


def test_long_treebanks_are_read_in_part(monkeypatch):
    trees = list(sentences(10))
    first = sum(len(classes) ** 2 for classes, _ in trees[:3])
    monkeypatch.setattr(head_choice, "MOST_ARCS", first)
    assert np.array_equal(learned_from(trees), learned_from(trees[:3]))


def test_function_words_are_themselves_and_others_their_classes():
    words = choice_words(["the", "dogs", "the"], np.array([7, 8, 9]), {"the"}, None)
    assert words.tokens.tolist() == [words.forms[0], 8, words.forms[0]]
    assert (words.two[0], words.three[1]) == (words.two[2], choice_words(["ogs"], np.array([0]), (), None).forms[0])


@pytest.mark.parametrize("levels", [(0, 1, 0, 2), (0, 0, 0, 0), (2, 0, 1, 0)])
def test_what_stands_between_is_counted_as_by_hand(levels):
    tokens, T = np.array([1, 2, 1, 2, 2]), 5
    between = [[range(min(d, h) + 1, max(d, h)) for h in range(T)] for d in range(T)]
    assert head_choice._has_between(tokens).tolist() == [
        [int(any(tokens[word] == tokens[h] for word in between[d][h])) for h in range(T)] for d in range(T)
    ]
    gaps = [[levels[min(d, h) : max(d, h)] for h in range(T)] for d in range(T)]
    marks = head_choice._marks_between(np.array(levels), T)
    assert marks.tolist() == [[max(gaps[d][h], default=0) for h in range(T)] for d in range(T)]


def test_punctuation_is_in_the_features_of_the_arcs_over_it():
    plain, marked = (
        arc_rows(choice_words(["a", "b", "c"], np.array([0, 1, 2]), (), cues)) for cues in (None, Cues((0, 1), ()))
    )
    differs = (plain != marked).any(-1)
    assert differs.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_a_sentence_of_one_word_has_a_root():
    assert arc_rows(words_of([NOUN])).shape[:2] == (1, 1)
