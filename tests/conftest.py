"""What every test gets: an environment without keys."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes keys and settings of this machine out of the way, so that no test can spend money."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN")) or name.startswith("NEEDLE_"):
            monkeypatch.delenv(name)
