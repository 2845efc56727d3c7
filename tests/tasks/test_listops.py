import itertools
import statistics
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.tasks.expressions import parenthesised
from synparse.tasks.listops import CLOSE, DIGITS, OPERATIONS, Limits, draw, generate, read_expression
from synparse.trees.errors import SettingError


def test_values_by_hand():
    for text, value in {
        "7": 7,
        "[MAX 2 9 [MIN 4 7 ] 0 ]": 9,
        "[SM 9 9 [SM 9 9 ] ]": 6,
        "[MED 1 9 ]": 5,
        "[MED 4 5 ]": 4,
        "[MED 9 0 1 ]": 1,
        "[MED 8 1 2 9 ]": 5,
        "[MIN [MAX 3 4 ] [MED 5 ] ]": 4,
    }.items():
        assert read_expression(text.split())[1] == value


def test_a_list_branches_to_the_left_from_its_operator_to_its_end():
    expression, _ = read_expression("[MAX 2 [MIN 4 7 ] 0 ]".split())
    assert parenthesised(expression) == "( ( ( ( [MAX 2 ) ( ( ( [MIN 4 ) 7 ) ] ) ) 0 ) ] )"
    assert (expression.depth, expression.operators) == (2, 2)
    assert expression.heights == (1, 4, 1, 2, 3, 5, 6)


nested = st.recursive(
    st.sampled_from(DIGITS),
    lambda child: st.tuples(st.sampled_from(tuple(OPERATIONS)), st.lists(child, min_size=1, max_size=6)),
    max_leaves=30,
)


def evaluated(tree):
    """Words, value, depth and operators of a nested list, the slow way, with the standard library's median."""
    if isinstance(tree, str):
        return [tree], int(tree), 0, 0
    operator, arguments = tree
    parts = [evaluated(argument) for argument in arguments]
    values = [value for _, value, _, _ in parts]
    operation = {"[MAX": max, "[MIN": min, "[MED": statistics.median, "[SM": lambda given: sum(given) % 10}[operator]
    words = [operator, *itertools.chain(*(part[0] for part in parts)), CLOSE]
    return words, int(operation(values)), 1 + max(part[2] for part in parts), 1 + sum(part[3] for part in parts)


@given(nested)
def test_an_expression_is_what_evaluation_step_by_step_gives(tree):
    words, value, depth, operators = evaluated(tree)
    expression, answer = read_expression(words)
    assert answer == value
    assert (expression.depth, expression.operators) == (depth, operators)


def test_five_thousand_lists_are_an_ordinary_expression():
    expression, value = read_expression(["[MAX"] * 5000 + ["3"] + [CLOSE] * 5000)
    assert (value, expression.depth) == (3, 5000)


def draws(limits, count=20_000):
    random = Random(1)
    return [words for words in (draw(random, limits) for _ in range(count)) if words is not None]


def test_draws_have_the_published_distribution():
    limits = Limits()
    drawn = draws(limits)
    lists = [words for words in drawn if len(words) > 1]
    assert len(lists) / len(drawn) == pytest.approx(0.25, abs=0.01)  # 4 standard deviations
    operators = Counter(word for words in drawn for word in words if word in OPERATIONS)
    digits = Counter(word for words in drawn for word in words if word in DIGITS)
    for counts in (operators, digits):
        for count in counts.values():
            assert count / counts.total() == pytest.approx(1 / len(counts), abs=0.02)
    # A value or a list of A values each: E[words] = ¾ + ¼ (2 + 3½ E[words]), but for the cut at depth 19.
    expected = 1.0
    for _ in range(limits.max_depth):
        expected = 0.75 + 0.25 * (2 + 3.5 * expected)
    # The length of an expression has a heavy tail: its standard deviation is about 30 words.
    assert statistics.mean(map(len, drawn)) == pytest.approx(expected, abs=1.0)


def test_depths_have_the_distribution_of_the_branching_process():
    """F(d) = ¾ + ¼ mean over 2 … 5 arguments of F(d − 1)ⁿ: the probability that at most d lists are nested."""
    drawn = draws(Limits())
    depths = Counter(read_expression(words)[0].depth for words in drawn)
    at_most, probability = 0, 0.75
    for depth in range(12):
        at_most += depths[depth]
        assert at_most / len(drawn) == pytest.approx(probability, abs=0.013)
        probability = 0.75 + 0.25 * statistics.mean(probability**n for n in range(2, 6))
    assert max(depths) <= 19


def test_limits_are_kept():
    limits = Limits(min_depth=2, max_depth=3, min_arguments=3, max_arguments=7, min_length=20, max_length=60)
    for example in generate(limits, 100, seed=3):
        expression = example.expressions[0]
        assert 20 <= len(expression.words) <= 60
        assert 2 <= expression.depth <= 3
        arguments = [0]
        for word in expression.words:
            if word in OPERATIONS:
                arguments[-1] += 1
                arguments.append(0)
            elif word == CLOSE:
                assert 3 <= arguments.pop() <= 7
            else:
                arguments[-1] += 1


def test_expressions_are_distinct_and_a_seed_repeats_them():
    first, again, other = (list(generate(Limits(max_length=30), 500, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({example.expressions[0].words for example in first}) == 500
    apart = list(generate(Limits(max_length=30), 500, 1, without=first[:300]))
    assert len(apart) == 500
    assert not {example.expressions[0].words for example in apart} & {one.expressions[0].words for one in first[:300]}


def test_more_expressions_than_there_are_is_told():
    with pytest.raises(SettingError, match="only 10 expressions"):
        list(generate(Limits(max_depth=0), 11, seed=1))


def test_lists_that_hold_more_and_more_lists_are_refused():
    with pytest.raises(SettingError, match="more than 100,000 words; limit them: --max-length or --max-depth"):
        next(generate(Limits(value_probability=0), 1, seed=1))
    assert len(list(generate(Limits(value_probability=0, max_depth=2), 5, seed=1))) == 5


@pytest.mark.parametrize(
    "limits",
    [
        {"value_probability": 1.5},
        {"min_depth": 3, "max_depth": 2},
        {"min_arguments": 0},
        {"min_arguments": 6},
        {"min_length": 9, "max_length": 8},
    ],
)
def test_limits_that_contradict_each_other_are_refused(limits):
    with pytest.raises(SettingError, match=r"cannot|between"):
        Limits(**limits)
