"""A decorator for functions that PyTorch's compiler must not compile."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import torch
from torch._compile import _disable_dynamo

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def uncompiled(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """`torch.compiler.disable`, without loading the compiler before something is compiled.

    Loading the compiler takes as long as loading everything else that parsing needs, and parsing compiles nothing.
    """
    left_alone: Callable[Arguments, Result] = _disable_dynamo(function)

    @functools.wraps(function)
    def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        if torch.compiler.is_compiling():
            return left_alone(*arguments, **named)
        return function(*arguments, **named)

    return call
