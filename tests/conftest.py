"""What every test gets: an environment without keys, and properties without a time limit."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# A loaded machine is no fault of the code; what takes too long is measured in tests/bench.
# Properties are tried on the same cases each time, so that a verdict is on the code alone; to look
# for new cases, set NEEDLE_TEST_SEARCH=1.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("search" if os.environ.get("NEEDLE_TEST_SEARCH") else "fixed")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes keys and settings of this machine out of the way, so that no test can spend money."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN")) or name.startswith("NEEDLE_"):
            monkeypatch.delenv(name)
