"""`results.json` and `results.csv`, both from the one object."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from runner.records.base import encode_document
from runner.text import spreadsheet_text
from sitebuilder.results import ULTIMATE, Board, BoardRow, Figure, Results, Standing

COLUMNS = (
    "window_start", "window_end", "bench", "engine", "engine_name", "family", "metric", "k",
    "value", "ci_lo", "ci_hi", "share_of_ultimate", "share_lo", "share_hi", "rank", "rank_lo",
    "rank_hi", "tie_group", "n_queries", "n_runs", "search_errors", "account_errors",
    "service_errors", "judge_errors", "p50_ms", "p95_ms", "n_latency", "reconnects",
    "price_usd_per_1k", "price_date", "judge_model", "note",
)  # fmt: skip

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def results_json(results: Results) -> bytes:
    return encode_document(results)


def results_csv(results: Results) -> bytes:
    """One line for each bench × engine × metric, and bench `overall`; empty = not applicable.

    Scores and shares with 4 decimals, latencies with 1; sorted by bench, metric, rank (unranked
    last), engine. Engines that share a letter of `tie_group` are not separated by the tests.
    `note` says why there is no value. A text that a spreadsheet would take for a formula has an
    apostrophe in front.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: _cell(value) for name, value in line.items()} for line in csv_lines(results)
    )
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    is_text = isinstance(value, str) and not _NUMBER.fullmatch(value)
    return spreadsheet_text(value) if is_text else value


def csv_lines(results: Results) -> list[dict[str, Any]]:
    """The lines of `results.csv` in their order: counts as int, decimals as written, or None."""
    lines = [*_bench_lines(results), *_overall_lines(results)]
    lines.sort(
        key=lambda line: (line["bench"], line["metric"], line["rank"] or 10**9, line["engine"])
    )
    return lines


def _bench_lines(results: Results) -> Iterator[dict[str, Any]]:
    for board in results.benches.values():
        rows = [*board.engines, *([board.ultimate] if board.ultimate else [])]
        for row in rows:
            yield {
                **_identity(results, board.bench, row.engine, board.metric, row.rank),
                **_figures(row.score, row.share),
                **_counts(results, board, row),
                "rank_lo": row.rank_lo,
                "rank_hi": row.rank_hi,
                "tie_group": row.tie_group,
            }
            for metric, value, n in _other_metrics(row):
                yield {
                    **_identity(results, board.bench, row.engine, metric, None),
                    "k": board.k,
                    "value": _decimals(value),
                    "n_queries": n,
                    "n_runs": row.n_runs,
                }


def _other_metrics(row: BoardRow) -> Iterable[tuple[str, float, int]]:
    if row.mrr is not None:
        yield "mrr", row.mrr, row.n_scored
    for part in row.slices:
        yield f"{part.name}_recall", part.recall, part.n


def _overall_lines(results: Results) -> Iterator[dict[str, Any]]:
    for row in results.overall:
        yield _overall_line(results, row)


def _overall_line(results: Results, row: Standing) -> dict[str, Any]:
    return {
        **_identity(results, "overall", row.engine, "share", row.rank),
        **_figures(row.overall, row.overall),
        "rank_lo": row.rank_lo,
        "rank_hi": row.rank_hi,
        "tie_group": row.tie_group,
        "n_queries": row.n_scored,
        "note": f"not ranked: {row.reason}" if row.reason else None,
    }


def _identity(
    results: Results, bench: str, engine: str, metric: str, rank: int | None
) -> dict[str, Any]:
    entry = next((entry for entry in results.roster if entry.engine == engine), None)
    return {
        "window_start": results.window and results.window.start,
        "window_end": results.window and results.window.end,
        "bench": bench,
        "engine": engine,
        "engine_name": entry.label if entry else "Ultimate" if engine == ULTIMATE else engine,
        "family": entry.family if entry else None,
        "metric": metric,
        "rank": rank,
    }


def _figures(score: Figure | None, share: Figure | None) -> dict[str, Any]:
    value, ci_lo, ci_hi = _columns(score)
    ratio, share_lo, share_hi = _columns(share)
    return {
        "value": value,
        "ci_lo": ci_lo,
        "ci_hi": ci_hi,
        "share_of_ultimate": ratio,
        "share_lo": share_lo,
        "share_hi": share_hi,
    }


def _columns(figure: Figure | None) -> tuple[str | None, str | None, str | None]:
    if figure is None:
        return None, None, None
    return _decimals(figure.value), _decimals(figure.lo), _decimals(figure.hi)


def _counts(results: Results, board: Board, row: BoardRow) -> dict[str, Any]:
    price = next((price for price in results.prices if price.engine == row.engine), None)
    return {
        "k": board.k,
        "n_queries": row.n_scored,
        "n_runs": row.n_runs,
        "search_errors": row.search_errors,
        "account_errors": row.account_errors,
        "service_errors": row.service_errors,
        "judge_errors": row.judge_errors,
        "p50_ms": _decimals(row.p50_ms, 1),
        "p95_ms": _decimals(row.p95_ms, 1),
        "n_latency": row.n_latency,
        "reconnects": row.reconnects,
        "price_usd_per_1k": _decimals(price.usd_per_1k, 2) if price else None,
        "price_date": price.date if price else None,
        "judge_model": board.judge_model,
        "note": f"not measured: {row.reason}" if row.reason else None,
    }


def _decimals(value: float | None, places: int = 4) -> str | None:
    return None if value is None else f"{value:.{places}f}"
