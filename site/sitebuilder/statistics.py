"""All statistics of the site in one call: what is measured, its intervals, who differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sitebuilder.comparisons import Comparison, compare
from sitebuilder.dataset import Dataset
from sitebuilder.gate import Admitted, admit
from sitebuilder.intervals import (
    BenchIntervals,
    Bounds,
    bench_intervals,
    overall_draws,
    overall_intervals,
    study,
)
from sitebuilder.scores import read_scores


@dataclass(frozen=True)
class Statistics:
    """By bench, and overall; `comparisons` lack benches in which nothing could be compared."""

    admitted: Mapping[str, Admitted]
    intervals: Mapping[str, BenchIntervals]
    comparisons: Mapping[str, Comparison]
    overall_intervals: Mapping[str, Bounds]
    overall: Comparison


def compute_statistics(data: Dataset) -> Statistics:
    """The benches that have rows in the window."""
    admitted = admit(data)
    scores = read_scores(data, admitted)
    studies = {bench: study(own) for bench, own in scores.items()}
    intervals = {
        bench: bench_intervals(data, part, scores.get(bench), studies.get(bench, {}))
        for bench, part in admitted.items()
    }
    draws = overall_draws(scores, studies)
    comparisons, overall = compare(scores, studies, draws)
    return Statistics(admitted, intervals, comparisons, overall_intervals(draws), overall)
