"""Formal languages with known trees, and encoders that learn the meaning of expressions. The question: does a model
that learns from the meaning alone find the tree? The same encoders learn the sentiment of sentences."""

from typing import Literal, TypeAlias, get_args

from synparse.tasks.listops import LISTOPS
from synparse.tasks.logic import LOGIC

TASKS = {task.name: task for task in (LISTOPS, LOGIC)}

EncoderName: TypeAlias = Literal[
    "ordered-memory", "on-lstm", "lstm", "transformer", "udgn", "tree-cell", "tree-rnn", "tree-lstm"
]
"""What can be trained on a task; see `synparse.tasks.encoders`. Those whose names begin with tree see gold trees."""

ENCODERS = get_args(EncoderName)
