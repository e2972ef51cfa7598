"""`results.md`: the tables of the results page as Markdown, figures as in `results.csv`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runner.text import escape_md
from sitebuilder.results import Board, BoardRow, Figure, Results, Standing

TEXTS = frozenset(("Engine", "Id", "Rank", "Tie group", "Price of", "Note"))
NOT_MEASURED = "not measured"


def results_md(results: Results, base_url: str | None = None) -> bytes:
    """Title, window, licence, a table for each part of the results, and how to read them.

    Text of the data is escaped, so that no name can be markup. Scores and shares have 4
    decimals, latencies 1, prices 2; what is missing says so. `base_url` makes links absolute.
    """
    top = base_url or "../"
    blocks = [
        "# Needle: results",
        _state(results),
        f"Licence: {results.licence}. Cite as: {escape_md(results.citation)}.",
        *_overall(results),
    ]
    for board in results.benches.values():
        blocks += _board(results, board)
    if results.unmeasured:
        blocks.append("## Not measured")
        blocks.append("\n".join(f"- {part.label}: {part.reason}." for part in results.unmeasured))
    blocks += _cost(results)
    blocks += [
        "## How to read this",
        "Share is the score divided by that of *ultimate*, which takes for every query the best "
        "that all engines together returned. Overall is the plain mean of the shares of all "
        "benches. Ranks are the range that holds 95 % of an engine's places in joint resamples. "
        "Engines that share a letter of the tie group are not separated by the paired tests.",
        f"More: [methodology]({top}methodology/), [results]({top}results/), [data]({top}data/).",
    ]
    return ("\n\n".join(blocks) + "\n").encode()


def table_md(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table: names, places and notes to the left, numbers to the right."""
    rule = ["---" if name in TEXTS else "---:" for name in head]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rows])


def _state(results: Results) -> str:
    if results.window is None:
        return "This data holds no run yet."
    text = f"Window: after {results.window.start}, up to and including {results.window.end}."
    if results.profile == "embedded":
        text += " Embedded profile: small local engines, not to be compared with live results."
    return text


def _overall(results: Results) -> list[str]:
    if not results.overall:
        return []
    benches = list(results.benches.values())
    head = ["Engine", "Id", "Rank", "Tie group", "Overall", "Low", "High"]
    head += [board.label for board in benches] + ["Queries", "Note"]
    rows = [
        [
            *_names(results, row.engine),
            _places(row),
            row.tie_group or "",
            *_bounds(row.overall),
            *[_decimals(figure.value if figure else None) for figure in _shares(row, benches)],
            str(row.n_scored),
            f"not ranked: {escape_md(row.reason)}" if row.reason else "",
        ]
        for row in results.overall
    ]
    note = [f"Interval: {results.overall_method}."] if results.overall_method else []
    return ["## Overall: share of the ceiling", table_md(head, rows), *note]


def _shares(row: Standing, benches: Iterable[Board]) -> list[Figure | None]:
    return [row.shares.get(board.bench) for board in benches]


def _board(results: Results, board: Board) -> list[str]:
    rows = [*board.engines, *([board.ultimate] if board.ultimate else [])]
    slices = list(dict.fromkeys(part.name for row in rows for part in row.slices))
    has_mrr = any(row.mrr is not None for row in rows)
    head = ["Engine", "Id", "Rank", "Tie group", "Score", "Low", "High"]
    head += ["Share", "Share low", "Share high", *(["MRR"] if has_mrr else [])]
    head += [escape_md(name) for name in slices]
    head += ["Queries", "Search errors", "Theirs", "Ours", "Judge errors", "p50 ms", "p95 ms"]
    lines = [_line(results, row, slices, has_mrr) for row in rows]
    metric = {"ndcg": "nDCG", "recall": "recall"}[board.metric]
    facts = [f"Runs: {len(board.runs)}"]
    if board.judge_model:
        facts.append(f"Judge: {escape_md(board.judge_model)}")
    facts.append(f"Interval: {board.interval_method or board.interval_reason}")
    if board.test_method:
        facts.append(f"Test: {board.test_method}")
    return [f"## {board.label}: {metric}@{board.k}", table_md([*head, "Note"], lines),
            ". ".join(facts) + "."]  # fmt: skip


def _line(results: Results, row: BoardRow, slices: Sequence[str], has_mrr: bool) -> list[str]:
    known = {part.name: part.recall for part in row.slices}
    errors = (row.search_errors, row.service_errors, row.account_errors, row.judge_errors)
    return [
        *_names(results, row.engine),
        _places(row),
        row.tie_group or "",
        *_bounds(row.score),
        *_bounds(row.share),
        *([_decimals(row.mrr)] if has_mrr else []),
        *[_decimals(known.get(name)) for name in slices],
        str(row.n_scored),
        *["" if count is None else str(count) for count in errors],
        _decimals(row.p50_ms, 1),
        _decimals(row.p95_ms, 1),
        f"not measured: {escape_md(row.reason)}" if row.reason else "",
    ]


def _cost(results: Results) -> list[str]:
    if not results.latency:
        return []
    prices = {price.engine: price for price in results.prices}
    rows = []
    for row in results.latency:
        price = prices.get(row.engine)
        rows.append(
            [
                *_names(results, row.engine),
                _decimals(row.p50_ms, 1),
                _decimals(row.p95_ms, 1),
                str(row.n),
                _decimals(row.error_share),
                _decimals(price.usd_per_1k if price else None, 2),
                escape_md((price.date if price else None) or ""),
            ]
        )
    head = ["Engine", "Id", "p50 ms", "p95 ms", "Timed calls", "Failed share", "USD per 1,000"]
    return ["## Latency and price", table_md([*head, "Price of"], rows)]


def _names(results: Results, engine: str) -> tuple[str, str]:
    label = next((entry.label for entry in results.roster if entry.engine == engine), engine)
    return escape_md(label), escape_md(engine)


def _places(row: BoardRow | Standing) -> str:
    if row.rank is None:
        return ""
    if row.rank_lo is None or row.rank_lo == row.rank_hi:
        return str(row.rank_lo or "untested")
    return f"{row.rank_lo} to {row.rank_hi}"


def _bounds(figure: Figure | None) -> tuple[str, str, str]:
    if figure is None:
        return NOT_MEASURED, "", ""
    return _decimals(figure.value), _decimals(figure.lo), _decimals(figure.hi)


def _decimals(value: float | None, places: int = 4) -> str:
    return "" if value is None else f"{value:.{places}f}"
