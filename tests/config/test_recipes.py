from synparse.config.recipe import shipped_recipes
from synparse.config.recipes import recipes


def test_each_shipped_recipe_has_its_size_time_and_purpose():
    rows = recipes()
    assert [row["recipe"] for row in rows] == list(shipped_recipes())
    assert all(row["parameters"] > 5e4 and row["about"] and "CPU" in row["expected_time"] for row in rows)
    sizes = {row["recipe"]: row["parameters"] for row in rows}
    assert sizes["english"] == sizes["udgn-small"] + 2 * sizes["student-small"]  # it has a UDGN and two students
