"""Fixtures that several test files share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of development data, which is not part of the project; tests that need it skip without it."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SYNPARSE_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder} (set SYNPARSE_DATA)")
    return folder
