"""Charts, word classes and steps of an LSTM in C, for what takes most of the time of parsing and of learning grammars.

`CHARTS` is the extension `charts`, or None where it was not compiled. Each of its functions computes what a function in
NumPy computes, which stays as the fallback and as the oracle of the tests. All take contiguous arrays, write their
results to arrays that they are given, and release the lock of the interpreter.
"""

from __future__ import annotations

import importlib
from typing import Any


def _charts() -> Any:
    try:
        return importlib.import_module("synparse.compiled.charts")
    except ImportError:
        return None


CHARTS: Any = _charts()
