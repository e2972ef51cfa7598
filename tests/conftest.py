"""What every test gets: an environment without keys, and properties without a time limit."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# A loaded machine is no fault of the code; what takes too long is measured in tests/bench.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes keys and settings of this machine out of the way, so that no test can spend money."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN")) or name.startswith("NEEDLE_"):
            monkeypatch.delenv(name)
