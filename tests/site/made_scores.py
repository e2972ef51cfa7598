"""Score matrices as a person would write them down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sitebuilder.results import ULTIMATE
from sitebuilder.scores import BenchScores, Unit

if TYPE_CHECKING:
    from sitebuilder.scores import Places


def matrix(
    columns: Mapping[str, Sequence[float | None]],
    *,
    queries: Sequence[int] | None = None,
    runs: Sequence[int] | None = None,
    bench: str = "news",
) -> BenchScores:
    """One line a query of a run; `queries` and `runs` number its clusters, None = one cluster."""
    engines = (*sorted(set(columns) - {ULTIMATE}), *({ULTIMATE} & set(columns)))
    values = np.array([columns[engine] for engine in engines], dtype=np.float64).T
    weights = (~np.isnan(values)).astype(np.float64)
    labels: dict[Unit, Places] = {}
    if queries is not None:
        labels["query"] = np.array(queries)
    if runs is not None:
        labels["run"] = np.array(runs)
    return BenchScores(bench, "query", engines, values, weights, np.ones(len(values)), labels)
