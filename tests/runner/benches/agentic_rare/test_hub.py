"""The data set of the bench: that of the flag, of the environment, or Needle's own."""

from __future__ import annotations

import pytest

from runner.benches.agentic_rare.hub import dataset_name
from runner.settings import read_settings


@pytest.mark.parametrize(
    ("given", "env", "name"),
    [
        (None, {}, "keenable-ai/needle-results"),
        (None, {"HF_DATASET": "a/b"}, "a/b"),
        (None, {"HF_DATASET": " "}, "keenable-ai/needle-results"),
        ("c/d", {"HF_DATASET": "a/b"}, "c/d"),
    ],
)
def test_the_dataset_is_that_of_the_flag_or_of_the_environment(
    given: str | None, env: dict[str, str], name: str
) -> None:
    assert dataset_name(given, read_settings(env)) == name
