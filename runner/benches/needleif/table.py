"""The results table: one row a model, from the summaries of several runs over the same records."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .faults import RecordFault
from .summary import SCHEMA_VERSION, bucket_tokens

_PARTIAL = "†"
_FOOTNOTE = f"{_PARTIAL} not every record was answered; pairs lacking an answer are left out."
_METRICS = (
    ("baseline", "baseline"),
    ("long_context", "long context"),
    ("distraction_regression", "distraction regression"),
    ("net_penalty", "net penalty"),
)


def table_rows(
    summaries: Sequence[tuple[str, Mapping[str, Any]]], *, allows_mixed: bool = False
) -> list[dict[str, Any]]:
    """One row for each (name, summary), best long-context accuracy first, then by name.

    The name serves where a summary knows no model. All figures are loose pass@1. Raises
    RecordFault for another schema version, and, unless `allows_mixed`, for different records.
    """
    for name, summary in summaries:
        if summary.get("schema_version") != SCHEMA_VERSION:
            raise RecordFault(f"{name}: expected a summary of schema version {SCHEMA_VERSION}")
    if len({summary["records_sha256"] for _, summary in summaries}) > 1 and not allows_mixed:
        raise RecordFault("the summaries are over different records; --mixed allows that")
    rows = [_row(name, summary) for name, summary in summaries]
    return sorted(rows, key=_rank)


def _rank(row: Mapping[str, Any]) -> tuple[float, str]:
    value = row["long_context"]["value"]
    return (1.0 if value is None else -value), row["model"]


def _row(name: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    figures = summary["overall"]["loose"]["pass@1"]
    return {
        "model": summary["model"] or name,
        "complete": summary["missing"] == 0 and summary["pairs_left_out"] == 0,
        "n": figures["n"],
        **{key: figures[key] for key, _ in _METRICS},
        "long_context_by_size": {
            size: modes["loose"]["pass@1"]["long_context"]
            for size, modes in summary["by"]["size"].items()
        },
    }


def table_text(rows: Sequence[Mapping[str, Any]], form: str) -> str:
    """The table as `md`, `csv` or `json`; percentages with one decimal, intervals in brackets."""
    if form == "json":
        return json.dumps(list(rows), ensure_ascii=False, indent=1) + "\n"
    sizes = sorted(
        {size for row in rows for size in row["long_context_by_size"]}, key=bucket_tokens
    )
    header = ["model", "n", "baseline", "long context", *sizes]
    header += [label for _, label in _METRICS[2:]]
    lines = [_cells(row, sizes) for row in rows]
    is_partial = any(not row["complete"] for row in rows)
    if form == "csv":
        out = io.StringIO()
        rows_out = [[_no_formula(line[0]), *line[1:]] for line in lines]
        csv.writer(out, lineterminator="\n").writerows([header, *rows_out])
        return out.getvalue()
    if form != "md":
        raise RecordFault(f"expected md, csv or json, found {form!r}")
    rule = ["---", *("---:" for _ in header[1:])]
    body = "".join(f"| {' | '.join(map(_escaped, line))} |\n" for line in [header, rule, *lines])
    return body + (f"\n{_FOOTNOTE}\n" if is_partial else "")


def _cells(row: Mapping[str, Any], sizes: Sequence[str]) -> list[str]:
    by_size = row["long_context_by_size"]
    return [
        row["model"] + ("" if row["complete"] else f" {_PARTIAL}"),
        str(row["n"]),
        percent(row["baseline"]),
        percent(row["long_context"]),
        *(percent(by_size.get(size)) for size in sizes),
        percent(row["distraction_regression"]),
        percent(row["net_penalty"]),
    ]


def percent(figure: Mapping[str, float | None] | None) -> str:
    """ "67.0 [57.3, 75.4]", or a dash where nothing was measured."""
    if figure is None or figure["value"] is None:
        return "–"
    value = f"{100 * figure['value']:.1f}"
    low, high = figure["low"], figure["high"]
    return value if low is None or high is None else f"{value} [{100 * low:.1f}, {100 * high:.1f}]"


def _no_formula(name: str) -> str:
    """The name, behind an apostrophe where a spreadsheet would run it as a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
