import itertools
import re

import pytest

from synparse.tasks import TASKS
from synparse.tasks.expressions import format_example, parenthesised, read_examples
from synparse.tasks.logic import (
    EVERYTHING,
    RELATIONS,
    SETS,
    SPLITS,
    VARIABLES,
    generate,
    is_held_out,
    read_formula,
    relation,
)
from synparse.trees.errors import SettingError

ASSIGNMENTS = [dict(zip(VARIABLES, values, strict=True)) for values in itertools.product((False, True), repeat=6)]


def truth_table(text):
    """The formula's value under every assignment, by Python's own operators."""
    return [eval(text, {}, assignment) for assignment in ASSIGNMENTS]


def proved(first, second):
    """The relation, from its definition: which of the four pairs of truth values occur."""
    pairs = set(zip(truth_table(first), truth_table(second), strict=True))
    both, left, right, neither = (
        (x, y) in pairs for x, y in ((True, True), (True, False), (False, True), (False,) * 2)
    )
    return {
        (True, False, False, True): "=",
        (True, False, True, True): "<",
        (True, True, False, True): ">",
        (False, True, True, False): "^",
        (False, True, True, True): "|",
        (True, True, True, False): "v",
        (True, True, True, True): "#",
    }[both, left, right, neither]


def test_the_relation_of_every_pair_of_small_sets_is_its_definition():
    """Over two variables: all pairs of the fourteen sets that are neither empty nor everything."""
    a, b = SETS["a"], SETS["b"]
    cells = [x & y for x in (a, EVERYTHING & ~a) for y in (b, EVERYTHING & ~b)]
    sets = [
        sum(c for c, chosen in zip(cells, choice, strict=True) if chosen)
        for choice in itertools.product((0, 1), repeat=4)
    ]
    for x, y in itertools.product(sets[1:-1], repeat=2):
        occurs = tuple(bool(cell) for cell in (x & y, x & ~y, y & ~x, EVERYTHING & ~x & ~y))
        expected = {
            "=": (True, False, False, True),
            "<": (True, False, True, True),
            ">": (True, True, False, True),
            "^": (False, True, True, False),
            "|": (False, True, True, True),
            "v": (True, True, True, False),
            "#": (True, True, True, True),
        }
        assert expected[relation(x, y)] == occurs


def test_labels_of_the_generator_are_proved_by_truth_tables():
    seen = set()
    for example in generate(0, 8, 250, seed=1):
        first, second = (_python(parenthesised(expression)) for expression in example.expressions)
        assert RELATIONS[example.label] == proved(first, second)
        seen.add(example.label)
    assert len(seen) == len(RELATIONS)


def _python(text):
    """``( a ( and b ) )`` → ``(a and b)``."""
    return re.sub(r"\( (and|or) ", r"\1 (", text)


def test_pairs_are_distinct_within_the_limits_and_a_seed_repeats_them():
    first, again, other = (list(generate(3, 5, 300, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({example.expressions for example in first}) == 300
    for example in first:
        assert 3 <= max(expression.operators for expression in example.expressions) <= 5
        words = set(itertools.chain(*(expression.words for expression in example.expressions)))
        assert len(words & set(VARIABLES)) <= 4


def test_more_pairs_than_there_are_is_told():
    with pytest.raises(SettingError, match="only 36 pairs"):
        list(generate(0, 0, 37, seed=1))
    with pytest.raises(SettingError, match="fewest"):
        list(generate(3, 2, 1, seed=1))


def test_a_formula_by_hand():
    formula = read_formula("( ( not a ) ( and ( b ( or c ) ) ) )")
    assert formula.expression.words == tuple("( ( not a ) ( and ( b ( or c ) ) ) )".split())
    assert formula.expression.leaves == (2, 3, 6, 8, 10, 11)
    assert formula.expression.heights == (1, 4, 3, 2, 1)
    assert (formula.expression.depth, formula.expression.operators) == (2, 3)
    assert formula.truth == ~SETS["a"] & (SETS["b"] | SETS["c"]) & EVERYTHING


def test_what_an_encoder_reads_tells_the_relation():
    """Without their parentheses, formulas of different sets would read alike."""
    texts = "( a ( or ( b ( and c ) ) ) )", "( ( a ( or b ) ) ( and c ) )"
    formulas = [read_formula(text) for text in texts]
    assert formulas[0].truth != formulas[1].truth
    assert formulas[0].expression.words != formulas[1].expression.words
    leaves = [[formula.expression.words[position] for position in formula.expression.leaves] for formula in formulas]
    assert leaves == [["a", "or", "b", "and", "c"]] * 2


def test_five_thousand_negations_are_an_ordinary_formula():
    formula = read_formula("( not " * 5000 + "a" + " )" * 5000)
    assert formula.truth == SETS["a"]
    assert formula.expression.depth == 5000


def example_of(first, second):
    formulas = read_formula(first), read_formula(second)
    label = relation(*(formula.truth for formula in formulas))
    return TASKS["logic"].example([label, first, second])


@pytest.mark.parametrize(
    ("formula", "splits"),
    [
        ("( f ( and ( not a ) ) )", "ABC"),
        ("( c ( and ( not ( a ( or b ) ) ) ) )", "BC"),
        ("( a ( or ( not ( e ( and c ) ) ) ) )", "C"),
        ("( ( not a ) ( and b ) )", ""),
        ("( not ( a ( and b ) ) )", ""),
    ],
)
def test_splits_hold_out_what_the_paper_excludes(formula, splits):
    for pair in ((formula, "d"), ("d", formula)):
        assert "".join(name for name in SPLITS if is_held_out(example_of(*pair), name)) == splits


def test_what_is_generated_is_read_as_it_is_written_and_held_out_by_its_text(tmp_path):
    examples = list(generate(0, 6, 600, seed=3))
    lines = [format_example(TASKS["logic"], example) for example in examples]
    (tmp_path / "sample").write_text("".join(lines), encoding="utf-8")
    assert list(read_examples(TASKS["logic"], [str(tmp_path / "sample")])) == examples
    for name, pattern in SPLITS.items():
        held_out = [is_held_out(example, name) for example in examples]
        assert held_out == [bool(pattern.search(line)) for line in lines]
        assert 0 < sum(held_out) < len(examples)
