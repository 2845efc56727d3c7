import pytest

from synparse.tasks.craft.subtasks import ACTIONS, NAMES, SUBTASKS, USE, WALL, parse_task
from synparse.trees.errors import SettingError


def test_a_task_is_the_codes_of_its_things():
    assert parse_task("DCA") == (4, 3, 1)
    assert parse_task("BB") == (2, 2)
    assert len(NAMES) == len(SUBTASKS) == WALL - 1
    assert ACTIONS[USE] == "x"


@pytest.mark.parametrize(
    ("task", "message"),
    [("AEC", "there is no subtask 'E'; the subtasks are A .wood., B .gold., C .iron., D .grass."), ("", "such as DCA")],
)
def test_other_tasks_are_told(task, message):
    with pytest.raises(SettingError, match=message):
        parse_task(task)
