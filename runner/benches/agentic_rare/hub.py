"""Which data set of the hub the bench reads: the artifact, and the stream that it is made of."""

from __future__ import annotations

from runner.settings import Settings

DEFAULT_DATASET = "keenable-ai/needle-results"  # HF_DATASET names another


def dataset_name(given: str | None, settings: Settings) -> str:
    """The dataset of a flag, else of HF_DATASET, else Needle's own."""
    return given or settings.key("HF_DATASET") or DEFAULT_DATASET
