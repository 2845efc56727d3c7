"""Craft: agents that do subtasks in a grid world, and models that find the subtasks in what they did."""

from typing import Literal, TypeAlias, get_args

CRAFT = "craft"
"""The name of the task in a model's config."""

ModelName: TypeAlias = Literal["option-controller", "mixture-of-experts", "ompn"]
"""What learns by imitation; see `synparse.tasks.craft.kinds`."""

MODELS = get_args(ModelName)
