"""Shared and unshared URLs: all runs and the last seven days.

`independence.json` holds the totals where it reaches the newest run, since it also covers weeks
that are no longer in the row files; otherwise the rows are added up here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runner.publishing.independence import compute_independence
from runner.records.published import (
    EngineTotals,
    Independence,
    OverlapRow,
    PairTotals,
    UniquenessRow,
)
from sitebuilder.dataset import Dataset
from sitebuilder.results import Borrowing, IndependenceShares, PairShares, UniqueShares

WindowName = Literal["all", "7d"]
Span = tuple[str, str] | None

BORROWING_SHARE = 0.30  # of a pair's queries
MUTUAL_GAP = 0.05  # in shares of unique URLs; less does not tell a source


@dataclass(frozen=True)
class IndependenceTables:
    """The sums as published in `data/independence.json`, the ratios, and where the sums are from.

    `sums` is None where there is no run at all.
    """

    sums: Independence | None
    shares: dict[WindowName, IndependenceShares]
    source: str


def build_independence(data: Dataset) -> IndependenceTables:
    """Both windows, from the file where it can be used, else from the rows."""
    published = data.independence
    source = "added up from the rows of overlap.jsonl and uniqueness.jsonl"
    if published and set(published.windows) == {"all", "7d"}:
        if published.windows["7d"].to == data.window_end:
            return IndependenceTables(
                published, _from_file(published), "the sums of independence.json"
            )
        source += ", since independence.json does not end at the newest run"
    if data.window_end is None:
        nothing = _shares([], [], {}, None, None)
        return IndependenceTables(None, {"all": nothing, "7d": nothing}, source)
    sums = compute_independence(
        data.overlap,
        data.uniqueness,
        data.families,
        generated_at=data.window_end,
        window_end=data.window_end,
        closed=data.closed,
    )
    recent = [row for row in data.overlap if data.in_window(row.ts)]
    recent_urls = [row for row in data.uniqueness if data.in_window(row.ts)]
    rows: dict[WindowName, tuple[Sequence[OverlapRow], Sequence[UniquenessRow]]] = {
        "all": (data.overlap, data.uniqueness),
        "7d": (recent, recent_urls),
    }
    closed = [data.closed.from_, data.closed.to] if data.closed.runs else []
    shares = {
        name: _shares(
            sums.windows[name].pairs,
            sums.windows[name].engines,
            data.families,
            _span([row.ts for row in overlap] + (closed if name == "all" else [])),
            _span([row.ts for row in uniqueness] + (closed if name == "all" else [])),
        )
        for name, (overlap, uniqueness) in rows.items()
    }
    return IndependenceTables(sums, shares, source)


def _from_file(published: Independence) -> dict[WindowName, IndependenceShares]:
    shares: dict[WindowName, IndependenceShares] = {}
    for name, window in published.windows.items():
        span = (window.from_, window.to)
        shares[name] = _shares(
            window.pairs,
            window.engines,
            published.families,
            span if window.pairs else None,
            span if window.engines else None,
        )
    return shares


def _span(stamps: Sequence[str]) -> Span:
    return (min(stamps), max(stamps)) if stamps else None


def _shares(
    pairs: Sequence[PairTotals],
    engines: Sequence[EngineTotals],
    families: Mapping[str, str],
    pairs_span: Span,
    engines_span: Span,
) -> IndependenceShares:
    """Ratios of the sums; pairs by suspicious share, engines by share of unique URLs, downwards."""
    pair_lines = [
        PairShares(
            a=pair.a,
            b=pair.b,
            is_same_family=families.get(pair.a, pair.a) == families.get(pair.b, pair.b),
            mean_jaccard=_ratio(pair.jaccard_sum, pair.num_queries),
            share_shared3=_ratio(pair.num_shared3, pair.n3),
            share_suspect=_ratio(pair.num_suspect, pair.n_low),
            num_queries=pair.num_queries,
            n3=pair.n3,
            n_low=pair.n_low,
        )
        for pair in pairs
    ]
    engine_lines = [
        UniqueShares(
            engine=line.engine,
            share_unique=_ratio(line.unique_urls, line.total_urls),
            unique_urls=line.unique_urls,
            total_urls=line.total_urls,
            share_relevant_unique=_ratio(line.relevant_unique_urls, line.relevant_total_urls),
            relevant_unique_urls=line.relevant_unique_urls,
            relevant_total_urls=line.relevant_total_urls,
        )
        for line in engines
    ]
    names = {name for pair in pairs for name in (pair.a, pair.b)}
    names |= {line.engine for line in engines}
    return IndependenceShares(
        order=sorted(names, key=lambda name: (families.get(name, name), name)),
        borrowing=_borrowing(pair_lines, {line.engine: line.share_unique for line in engine_lines}),
        pairs_from=pairs_span[0] if pairs_span else None,
        pairs_to=pairs_span[1] if pairs_span else None,
        engines_from=engines_span[0] if engines_span else None,
        engines_to=engines_span[1] if engines_span else None,
        pairs=sorted(pair_lines, key=lambda pair: (-(pair.share_suspect or 0.0), pair.a, pair.b)),
        engines=sorted(engine_lines, key=lambda line: (-(line.share_unique or 0.0), line.engine)),
    )


def _borrowing(pairs: Sequence[PairShares], unique: Mapping[str, float | None]) -> list[Borrowing]:
    """The strongest first."""
    found = []
    for pair in pairs:
        share = pair.share_suspect
        if pair.is_same_family or share is None or share < BORROWING_SHARE:
            continue
        own_a, own_b = unique.get(pair.a), unique.get(pair.b)
        is_known = own_a is not None and own_b is not None
        is_a_source = (own_a or 0.0) <= (own_b or 0.0)
        found.append(
            Borrowing(
                source=pair.a if is_a_source else pair.b,
                other=pair.b if is_a_source else pair.a,
                share_suspect=share,
                is_mutual=not is_known or abs((own_a or 0.0) - (own_b or 0.0)) < MUTUAL_GAP,
            )
        )
    return sorted(found, key=lambda line: (-line.share_suspect, line.source, line.other))


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None
