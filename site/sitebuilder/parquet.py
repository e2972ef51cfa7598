"""`results.parquet`: the lines of `results.csv` with types, for data frames."""

from __future__ import annotations

import io
from typing import Any

from sitebuilder.exports import COLUMNS, csv_lines
from sitebuilder.results import Results

COUNTS = frozenset(
    (
        "k", "rank", "rank_lo", "rank_hi", "n_queries", "n_runs", "search_errors",
        "account_errors", "service_errors", "judge_errors", "n_latency", "reconnects",
    )
)  # fmt: skip
DECIMALS = frozenset(
    (
        "value", "ci_lo", "ci_hi", "share_of_ultimate", "share_lo", "share_hi", "p50_ms", "p95_ms",
        "price_usd_per_1k",
    )
)  # fmt: skip


def results_parquet(results: Results) -> bytes:
    """The columns and lines of `results.csv` in their order; empty there is null here.

    Counts are int64, decimals the float64 of the text in the CSV, all else text. Window, licence
    and citation stand in the schema's metadata.
    """
    import pyarrow as pa
    from pyarrow import parquet

    lines = csv_lines(results)
    fields = [(name, _type(name)) for name in COLUMNS]
    about = {"licence": results.licence, "citation": results.citation}
    table = pa.table(
        {name: [_value(name, line.get(name)) for line in lines] for name in COLUMNS},
        schema=pa.schema([pa.field(name, kind) for name, kind in fields], metadata=about),
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _type(name: str) -> Any:
    import pyarrow as pa

    if name in COUNTS:
        return pa.int64()
    return pa.float64() if name in DECIMALS else pa.string()


def _value(name: str, value: Any) -> Any:
    return float(value) if name in DECIMALS and value is not None else value
