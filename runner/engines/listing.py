"""The roster for people and programs: what each engine is, costs, needs and allows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TextIO

import msgspec

from runner.engines.registry import load_catalog
from runner.settings import Settings

KeyState = Literal["set", "missing", "optional", "not needed"]

_HEAD = ("id", "label", "family", "key", "USD/1,000", "rate limit", "timeout")
_RIGHT = frozenset({"USD/1,000", "timeout"})


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One engine as it stands in this environment; of a key only whether there is one.

    `key` is `optional` where none is set and the engine works without. `max_per_second` is the
    pace that all engines of one key keep together, None where no limit is known.
    """

    id: str
    label: str
    family: str
    key_env: str | None
    key: KeyState
    price_usd_per_1k: float | None
    price_plan: str
    price_date: str
    max_per_second: float | None
    timeout_s: float


def listed(settings: Settings) -> list[Listed]:
    """Every engine of the catalog in roster order."""
    rows = []
    for spec in load_catalog().values():
        has_key = settings.key(spec.key_env) is not None
        gap_s = spec.min_interval_s
        if not has_key and spec.keyless_min_interval_s is not None:
            gap_s = spec.keyless_min_interval_s
        without: KeyState = "missing" if spec.key_required else "optional"
        rows.append(
            Listed(
                id=spec.id,
                label=spec.label,
                family=spec.family,
                key_env=spec.key_env,
                key="not needed" if spec.key_env is None else "set" if has_key else without,
                price_usd_per_1k=spec.price_usd_per_1k,
                price_plan=spec.price_plan,
                price_date=spec.price_date,
                max_per_second=round(1 / gap_s, 2) if gap_s > 0 else None,
                timeout_s=spec.timeout_s,
            )
        )
    return rows


def as_json(rows: Iterable[Listed]) -> bytes:
    """An array of objects with the fields of `Listed`."""
    return msgspec.json.format(msgspec.json.encode(list(rows)), indent=2) + b"\n"


def show(rows: Iterable[Listed], stream: TextIO) -> None:
    """Prints a table: ruled on a terminal, aligned plain text elsewhere."""
    cells = [_cells(row) for row in rows]
    if not stream.isatty():
        print(_plain([_HEAD, *cells]), file=stream)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in _HEAD:  # a narrow terminal folds labels first; nothing is ever cut
        justify: Literal["left", "right"] = "right" if name in _RIGHT else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=name == "key")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    Console(file=stream, highlight=False).print(table)


def _plain(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(_HEAD, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cells(row: Listed) -> tuple[str, ...]:
    key = row.key if row.key_env is None else f"{row.key_env} {row.key}"
    is_local = row.key_env is None
    pace = f"{row.max_per_second:.3g}/s" if row.max_per_second else "none known"
    return (
        row.id,
        row.label,
        row.family,
        key,
        "unknown" if row.price_usd_per_1k is None else f"{row.price_usd_per_1k:.2f}",
        "none" if is_local else pace,
        "none" if is_local else f"{row.timeout_s:g} s",
    )
