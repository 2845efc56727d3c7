"""What there is to do in Craft: the things to take, the actions, and tasks, which are sequences of subtasks."""

from __future__ import annotations

from synparse.trees.errors import SettingError

SUBTASKS = "ABCD"
"""The letter of each subtask: to take a thing. Its code in a grid is its place here, from 1 on."""

NAMES = ("wood", "gold", "iron", "grass")
"""The thing of each subtask."""

WALL = len(SUBTASKS) + 1
"""The code of a wall; 0 is an empty cell."""

ACTIONS = "udlrx"
"""The letter of each action: go up, down, left or right, and use, that is take, what is ahead."""

USE = ACTIONS.index("x")


def parse_task(text: str) -> tuple[int, ...]:
    """The codes of the things that a task such as ``DCA`` takes, in order. Raises SettingError for an unknown one."""
    unknown = sorted(set(text) - set(SUBTASKS))
    known = ", ".join(f"{letter} ({name})" for letter, name in zip(SUBTASKS, NAMES, strict=True))
    if unknown:
        raise SettingError(f"task {text!r}: there is no subtask {unknown[0]!r}; the subtasks are {known}")
    if not text:
        raise SettingError(f"a task is a sequence of subtasks, such as DCA; the subtasks are {known}")
    return tuple(SUBTASKS.index(letter) + 1 for letter in text)
