"""URLs that no engine of another family returned."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from runner.records.reports import UniquenessCounts
from runner.scoring.overlap import Answers, UrlSets, url_sets

_Kind = Literal["all", "good"]


def uniqueness_counts(answers: Answers, families: Mapping[str, str]) -> list[UniquenessCounts]:
    """One row for each engine, over the queries that another family answered too.

    `families` maps a variant to its base; an engine that is not in it is its own family. Relevant
    URLs (good labels) are compared with the relevant URLs of the others only.
    """
    names = list(answers)
    totals: dict[str, Counter[str]] = {name: Counter() for name in names}
    for row in zip(*answers.values(), strict=True):
        found = {
            name: url_sets(results)
            for name, results in zip(names, row, strict=True)
            if results is not None
        }
        _count_query(found, families, totals)
    return [
        UniquenessCounts(
            engine=name,
            unique_urls=totals[name]["unique_all"],
            total_urls=totals[name]["all"],
            relevant_unique_urls=totals[name]["unique_good"],
            relevant_total_urls=totals[name]["good"],
        )
        for name in names
    ]


def _count_query(
    found: Mapping[str, UrlSets], families: Mapping[str, str], totals: Mapping[str, Counter[str]]
) -> None:
    members: dict[str, list[UrlSets]] = defaultdict(list)
    for name, sets in found.items():
        members[families.get(name, name)].append(sets)
    if len(members) < 2:
        return
    kinds: Sequence[_Kind] = ("all", "good")
    for kind in kinds:
        owners = Counter(
            url for sets in members.values() for url in _union(_urls(each, kind) for each in sets)
        )  # how many families returned each URL
        for name, sets_of_engine in found.items():
            urls = _urls(sets_of_engine, kind)
            totals[name][kind] += len(urls)
            totals[name][f"unique_{kind}"] += sum(owners[url] == 1 for url in urls)


def _urls(sets: UrlSets, kind: _Kind) -> frozenset[str]:
    return sets.all if kind == "all" else sets.good


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
