"""Whether a figure is the same wherever it stands: page, CSV, JSON, Markdown, Parquet.

`results.json` is the measure. The CSV has 4 decimals of it (latencies 1, prices 2), Parquet the
numbers of the CSV, Markdown its digits; a page carries the full number beside what it shows.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from runner.text import from_spreadsheet
from sitebuilder.audit.findings import Finding, Public
from sitebuilder.audit.tree import Element

JSON, CSV, MARKDOWN, PARQUET = (
    f"results/results.{form}" for form in ("json", "csv", "md", "parquet")
)
PAGES = ("index.html", "results/index.html")
Key = tuple[str, str, str]
Row = dict[str, str]
_SHOWN = re.compile(r"([+\N{MINUS SIGN}$-]*)(\d[\d,]*(?:\.(\d+))?)(%| s\b| ms\b)?")
_RANGE = re.compile(r"\d+\N{EN DASH}\d+")
_BETWEEN = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)")


def check_figures(public: Public) -> Iterator[Finding]:
    """Every figure that differs between two forms, or is in one of them only."""
    try:
        results: dict[str, Any] = json.loads(public.files[JSON])
        rows = _expected(results)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        yield Finding(JSON, 0, "figures", f"cannot be compared: {type(error).__name__}: {error}")
        return
    table = _csv_rows(public)
    yield from _compare(CSV, rows, {_key(row): row for row in table})
    if PARQUET in public.files:
        yield from _parquet(public.files[PARQUET], table)
    if MARKDOWN in public.files:
        yield from _markdown(public.files[MARKDOWN].decode("utf-8", "replace"), results, rows)
    known = set(_numbers(results))
    for name in PAGES:
        if name in public.pages:
            yield from _page(public, name, known)
    yield from _complete(public, results)


def _expected(results: Mapping[str, Any]) -> dict[Key, Row]:
    """The figures that the CSV must have, as it writes them; a cell that is not here is free."""
    rows: dict[Key, Row] = {}
    for bench, board in results["benches"].items():
        for line in [*board["engines"], *([board["ultimate"]] if board["ultimate"] else [])]:
            rows[bench, board["metric"], line["engine"]] = {
                **_figure(line["score"], "value", "ci_lo", "ci_hi"),
                **_figure(line["share"], "share_of_ultimate", "share_lo", "share_hi"),
                "n_queries": _text(line["n_scored"]),
                "p50_ms": _text(line["p50_ms"], 1),
                "p95_ms": _text(line["p95_ms"], 1),
                **{
                    name: _text(line.get(name))
                    for name in ("rank", "rank_lo", "rank_hi", "tie_group", "n_runs",
                                 "search_errors", "account_errors", "service_errors",
                                 "judge_errors", "n_latency", "reconnects")
                },
            }  # fmt: skip
            others = [("mrr", line["mrr"])] if line.get("mrr") is not None else []
            others += [(f"{part['name']}_recall", part["recall"]) for part in line["slices"]]
            for metric, value in others:
                rows[bench, metric, line["engine"]] = {"value": _text(value, 4)}
    for line in results["overall"]:
        rows["overall", "share", line["engine"]] = {
            **_figure(line["overall"], "value", "ci_lo", "ci_hi"),
            "n_queries": _text(line["n_scored"]),
            **{name: _text(line.get(name)) for name in ("rank", "rank_lo", "rank_hi", "tie_group")},
        }
    return rows


def _figure(figure: Mapping[str, Any] | None, *names: str) -> Row:
    fields = ("value", "lo", "hi")
    return {
        name: _text(figure[field] if figure else None, 4)
        for name, field in zip(names, fields, strict=True)
    }


def _text(value: Any, places: int | None = None) -> str:
    if value is None:
        return ""
    return str(value) if places is None else f"{value:.{places}f}"


def _csv_rows(public: Public) -> list[Row]:
    text = public.files.get(CSV, b"").decode("utf-8", "replace")
    rows = csv.DictReader(io.StringIO(text))
    return [{name: from_spreadsheet(cell or "") for name, cell in row.items()} for row in rows]


def _key(row: Row) -> Key:
    return row.get("bench", ""), row.get("metric", ""), row.get("engine", "")


def _compare(file: str, wanted: Mapping[Key, Row], found: Mapping[Key, Row]) -> Iterator[Finding]:
    for key in sorted(set(wanted) | set(found)):
        place = " ".join(key)
        if key not in found:
            yield Finding(file, 0, "figures", f"{place}: not there")
        elif key not in wanted:
            yield Finding(file, 0, "figures", f"{place}: in no other form")
        else:
            for name, text in wanted[key].items():
                if found[key].get(name, "") != text:
                    shown = found[key].get(name, "")
                    yield Finding(file, 0, "figures", f"{place}: {name} is {shown!r}, not {text!r}")


def _parquet(content: bytes, table: list[Row]) -> Iterator[Finding]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        rows = parquet.read_table(io.BytesIO(content)).to_pylist()
    except pa.ArrowInvalid as error:
        yield Finding(PARQUET, 0, "figures", f"cannot be read: {error}")
        return
    if len(rows) != len(table):
        yield Finding(PARQUET, 0, "figures", f"{len(rows):,} lines, the CSV has {len(table):,}")
        return
    for number, (row, line) in enumerate(zip(rows, table, strict=True), 2):
        for name in sorted(set(row) | set(line)):
            if not _is_same(row.get(name), line.get(name) or ""):
                text = f"line {number}: {name} is {row.get(name)!r}, not {line.get(name)!r}"
                yield Finding(PARQUET, 0, "figures", text)


def _is_same(value: Any, text: str) -> bool:
    if value is None or isinstance(value, str):
        return (value or "") == text
    try:
        return float(value) == float(text)
    except ValueError:
        return False


def _markdown(text: str, results: Mapping[str, Any], rows: Mapping[Key, Row]) -> Iterator[Finding]:
    columns = {
        "Score": "value", "Overall": "value", "Low": "ci_lo", "High": "ci_hi",
        "Share": "share_of_ultimate", "Share low": "share_lo", "Share high": "share_hi",
        "Queries": "n_queries", "p50 ms": "p50_ms", "p95 ms": "p95_ms",
    }  # fmt: skip
    benches = {
        board["label"]: (bench, board["metric"]) for bench, board in results["benches"].items()
    }
    benches["Overall"] = ("overall", "share")
    missing = {key for key in rows if (key[0], key[1]) in benches.values()}
    heading, head = "", [""]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            heading, head = line[3:].partition(":")[0], []
        elif line.startswith("|") and heading in benches:
            cells = [
                _ESCAPED.sub(r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]
            ]
            if not head:
                head = cells
                continue
            row = dict(zip(head, cells, strict=False))
            key = (*benches[heading], row.get("Id", ""))
            if key not in rows:
                continue  # the rule under the head
            missing.discard(key)
            for name, field in columns.items():
                wanted = rows[key].get(field)
                shown = "" if row.get(name) == "not measured" else row.get(name)
                if wanted is not None and shown is not None and shown != wanted:
                    say = f"{heading} {key[2]}: {name} is {shown!r}, not {wanted!r}"
                    yield Finding(MARKDOWN, number, "figures", say)
    for key in sorted(missing):
        yield Finding(MARKDOWN, 0, "figures", f"{' '.join(key)}: not there")


def _numbers(value: Any) -> Iterator[float]:
    """Every number inside a JSON value, and the length of every list."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, list):
        yield float(len(value))
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def _page(public: Public, name: str, known: set[float]) -> Iterator[Finding]:
    """Figures of a page that results.json does not have, or that are shown otherwise."""
    for element in public.pages[name].elements:
        text = element.attributes.get("data-v")
        if text is None:
            continue
        try:
            value = float(text)
        except ValueError:
            yield Finding(name, element.line, "figures", f"data-v={text[:40]!r} is no number")
            continue
        if value not in known:
            yield Finding(name, element.line, "figures", f"{text} is not in {JSON}")
        shown = _own_text(element)
        if not _RANGE.match(shown) and not _shows(shown, value):
            yield Finding(name, element.line, "figures", f"{shown[:40]!r} shows {text} wrongly")


def _own_text(element: Element) -> str:
    """The text of a cell without its small print."""
    parts = [
        child if isinstance(child, str) else "" if child.tag == "small" else _own_text(child)
        for child in element.children
    ]
    return " ".join("".join(parts).split())


def _shows(text: str, value: float) -> bool:
    """Whether the first number of `text` is `value`, rounded as its own digits say."""
    match = _SHOWN.search(text)
    if match is None:
        return True  # a word, such as "untested"
    sign, digits, decimals, unit = match.groups()
    number = float(digits.replace(",", ""))
    if "-" in sign or "\N{MINUS SIGN}" in sign:
        number = -number
    scale = {"%": 100.0, " s": 0.001}.get(unit or "", 1.0)
    half = 0.5 * 10.0 ** -len(decimals or "")
    return abs(value * scale - number) <= half * 1.0001


def _complete(public: Public, results: Mapping[str, Any]) -> Iterator[Finding]:
    """Every score is on the results page, in the part of its bench."""
    name = "results/index.html"
    page = public.pages.get(name)
    if page is None:
        yield Finding(name, 0, "figures", "not there")
        return
    for bench, board in results["benches"].items():
        parts = [element for element in page.elements if element.attributes.get("id") == bench]
        shown = {cell.attributes.get("data-v") for part in parts for cell in part.walk()}
        for line in board["engines"]:
            if line["score"] and str(line["score"]["value"]) not in shown:
                say = f"{bench} {line['engine']}: {line['score']['value']} is not on the page"
                yield Finding(name, 0, "figures", say)
