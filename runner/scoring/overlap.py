"""URLs that two engines share: a hint that they draw on one index, never a proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from runner.records.judgements import GOOD_LABELS
from runner.records.reports import OverlapCounts

Labelled = tuple[str, str | None]  # (normalised URL, label or None where nothing was judged)
Answers = Mapping[str, Sequence[Sequence[Labelled] | None]]
"""Per engine, in roster order and without `ultimate`: its results for each query, None where the
search failed. All engines have the same queries in the same order. A known-item bench labels the
hit "FullyM" and nothing else."""


@dataclass(frozen=True)
class UrlSets:
    """The distinct URLs of one answer: all, those judged good, and those judged but not good."""

    all: frozenset[str]
    good: frozenset[str]
    low: frozenset[str]


def url_sets(results: Sequence[Labelled]) -> UrlSets:
    """The sets of one answer; a URL that came twice goes by its better label."""
    good = frozenset(url for url, label in results if label in GOOD_LABELS)
    judged = frozenset(url for url, label in results if label is not None)
    return UrlSets(frozenset(url for url, _ in results), good, judged - good)


def overlap_counts(answers: Answers) -> list[OverlapCounts]:
    """One row for each pair of engines, over the queries that both answered.

    Queries to which both returned nothing are left out. `num_suspect` counts queries with three
    shared URLs, or with one that was judged low for both: junk is shared by chance less often.
    """
    sets = {
        name: [None if results is None else url_sets(results) for results in per_query]
        for name, per_query in answers.items()
    }
    return [_pair(a, b, sets[a], sets[b]) for a, b in combinations(sets, 2)]


def _pair(
    a: str, b: str, ours: Sequence[UrlSets | None], theirs: Sequence[UrlSets | None]
) -> OverlapCounts:
    jaccard_sum, shared3, suspect, low_shared, queries = 0.0, 0, 0, 0, 0
    for left, right in zip(ours, theirs, strict=True):
        if left is None or right is None or not (left.all or right.all):
            continue
        shared = len(left.all & right.all)
        low = len(left.low & right.low)
        jaccard_sum += shared / (len(left.all) + len(right.all) - shared)
        shared3 += shared >= 3
        suspect += low >= 1 or shared >= 3
        low_shared += low
        queries += 1
    return OverlapCounts(
        a=a,
        b=b,
        jaccard_sum=round(jaccard_sum, 4),
        num_shared3=shared3,
        num_suspect=suspect,
        low_shared_urls=low_shared,
        num_queries=queries,
    )
