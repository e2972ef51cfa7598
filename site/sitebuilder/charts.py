"""The charts of the site, drawn from the one object: each figure in them is in results.json.

A chart is as wide as a phone, so that its text is legible there; a wide screen shows several side
by side. Highlighted engines are the same everywhere (`palette.highlights`), with a colour, a shape
and their name beside the mark; the others are grey and named where there is room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from runner.records.published import BENCHES
from runner.text import parse_time
from sitebuilder.drawing import SMALL, TEXT, Canvas, Margins, Scale
from sitebuilder.labels import Box, Spot, place_labels, shortened, spread, text_width
from sitebuilder.palette import MUTED, Sign, signs
from sitebuilder.results import Results, Tradeoff, TradeoffPoint, Trend

WIDTH = 400.0
LABEL_GAP = 12.5
MOST_TITLED = 30
MS_TICKS = tuple(m * 10.0**power for power in range(-1, 7) for m in (1, 2, 5))
USD_TICKS = tuple(m * 10.0**power for power in range(-3, 4) for m in (1, 2, 5))


@dataclass(frozen=True)
class Chart:
    """A drawing for the page, and what it is called."""

    title: str
    svg: str

    def __html__(self) -> str:
        """For templates: the drawing has escaped its texts."""
        return self.svg


class Names:
    """How each engine is written and drawn."""

    def __init__(self, results: Results) -> None:
        self._labels = {entry.engine: entry.label for entry in results.roster}
        self._signs = signs(results)

    def label(self, engine: str) -> str:
        return self._labels.get(engine, engine)

    def short(self, engine: str) -> str:
        return shortened(self.label(engine))

    def sign(self, engine: str) -> Sign:
        return self._signs.get(engine, MUTED)

    def back_to_front(self, engines: Iterable[str]) -> list[str]:
        """The grey ones first, so that none covers a highlighted one."""
        return sorted(engines, key=lambda engine: (self.sign(engine).stands_out, engine))


def trend_chart(names: Names, trend: Trend, height: float = 190.0) -> Chart:
    """Lines over time from 0 to the ceiling, named at their end where highlighted."""
    measure = "share of the ceiling" if trend.measure == "share" else "mean reciprocal rank"
    title = f"{trend.label}{f', {trend.slice}' if trend.slice else ''}: {measure}"
    last = {line.engine: _last(line.values) for line in trend.series}
    shown = [engine for engine in last if names.sign(engine).stands_out]
    widest = max((text_width(names.short(engine), TEXT) for engine in shown), default=40.0)
    margins = Margins(left=34, top=16, right=max(40.0, widest + 16), bottom=20)
    days = [_day_number(stamp) for stamp in trend.stamps]
    top = max((value for line in trend.series for value in line.values if value), default=1.0)
    x = Scale(days[0], days[-1], WIDTH - margins.left - margins.right)
    y = Scale(0.0, max(1.0, math.ceil(top * 20) / 20), height, is_upwards=True)
    canvas = Canvas(x, y, margins, title)
    _grid(canvas, x.low, x.high, is_share=trend.measure == "share")
    _day_ticks(canvas, trend)
    by_engine = {line.engine: line.values for line in trend.series}
    is_crowded = len(by_engine) > MOST_TITLED  # nobody could point at one grey line among so many
    rows = []
    for engine in names.back_to_front(by_engine):
        sign = names.sign(engine)
        part = 0
        for day, value in zip(days, by_engine[engine], strict=True):
            if value is None:
                part += 1  # a gap in the data is a gap in the line
                continue
            rows.append(
                {"x": day, "y": value, "line": f"{engine} {part}", "engine": engine}
                | {"title": None if sign.stands_out or is_crowded else names.label(engine)}
                | {"role": sign.role}
                | {"width": 2.0 if sign.stands_out else 1.0}
            )
    canvas.lines(rows)
    ends = [(engine, *end) for engine in shown if (end := last[engine])]
    canvas.points([_mark(names, engine, days[place], value) for engine, place, value in ends])
    places = spread([y(value) for *_, value in ends], LABEL_GAP, 0.0, height)
    canvas.texts(
        [
            {"x": x.inverse(x.length + 8), "y": y.inverse(place), "text": names.short(engine)}
            | {"role": names.sign(engine).role, "engine": engine}
            for (engine, *_), place in zip(ends, places, strict=True)
        ]
    )
    return Chart(title, canvas.svg())


def share_chart(names: Names, results: Results) -> Chart | None:
    """The profile of each engine over overall and benches, from 0 to the ceiling."""
    benches = [bench for bench in BENCHES if bench in results.benches]
    profiles = {
        row.engine: [row.overall, *(row.shares.get(bench) for bench in benches)]
        for row in results.overall
    }
    columns = ["Overall", *(results.benches[bench].label for bench in benches)]
    if not any(own[0] for own in profiles.values()):
        columns, profiles = columns[1:], {engine: own[1:] for engine, own in profiles.items()}
    profiles = {engine: own for engine, own in profiles.items() if any(own)}
    if not profiles:
        return None
    first_bench = columns.index(results.benches[benches[0]].label)
    shown = [engine for engine in profiles if names.sign(engine).stands_out]
    widest = max((text_width(names.short(engine), TEXT) for engine in shown), default=0.0)
    margins = Margins(left=34, top=30, right=widest + 20, bottom=10)
    height = 250.0
    x = Scale(0, max(len(columns) - 1, 1), WIDTH - margins.left - margins.right)
    y = Scale(0.0, 1.0, height, is_upwards=True)
    title = "Share of the ceiling by bench"
    canvas = Canvas(x, y, margins, title)
    _grid(canvas, x.low, x.high)
    canvas.rules(
        [{"x": at, "x2": at, "y": 0, "y2": 1, "role": "rule"} for at in range(len(columns))]
    )
    size = TEXT if _fit(columns, TEXT, x) else SMALL
    canvas.texts(
        [
            {"x": at, "y": y.inverse(-11 if place % 2 == 0 or _fit(columns, size, x) else -22)}
            | {"text": text, "anchor": "middle", "role": "soft"}
            for place, (at, text) in enumerate(enumerate(columns))
        ],
        size=size,
    )
    rows: list[dict[str, Any]] = []
    marks: list[dict[str, Any]] = []
    for engine in names.back_to_front(profiles):
        sign = names.sign(engine)
        part = 0
        for at, figure in enumerate(profiles[engine]):
            part += at == first_bench  # the mean of the benches is not one of them
            if figure is None:
                part += 1
                continue
            value = min(figure.value, 1.0)
            place = {"x": at, "y": value, "engine": engine}
            rows.append(
                place
                | {"line": f"{engine} {part}", "role": sign.role}
                | {"title": None if sign.stands_out else names.label(engine)}
                | {"width": 2.0 if sign.stands_out else 1.0}
            )
            if sign.stands_out or at < first_bench:
                marks.append(_mark(names, engine, at, value))
    canvas.lines(rows)
    canvas.points(marks)
    ends = [(engine, figure.value) for engine in shown if (figure := profiles[engine][-1])]
    places = spread([y(value) for _, value in ends], LABEL_GAP, 0.0, height)
    canvas.texts(
        [
            {"x": x.inverse(x(len(columns) - 1) + 10), "y": y.inverse(place)}
            | {"text": names.short(engine), "role": names.sign(engine).role, "engine": engine}
            for (engine, _), place in zip(ends, places, strict=True)
        ]
    )
    return Chart(title, canvas.svg())


def price_chart(names: Names, tradeoff: Tradeoff) -> Chart | None:
    """Share of the ceiling over list price, cheap at the left."""
    return _scatter(
        names,
        tradeoff,
        "list price of 1,000 queries",
        lambda point: point.usd_per_1k,
        lambda point: point.is_on_price_frontier,
        USD_TICKS,
        _usd,
    )


def speed_chart(names: Names, tradeoff: Tradeoff) -> Chart | None:
    """Share of the ceiling over median latency, fast at the left."""
    return _scatter(
        names,
        tradeoff,
        "median latency",
        lambda point: point.p50_ms,
        lambda point: point.is_on_latency_frontier,
        MS_TICKS,
        _ms,
    )


def _scatter(
    names: Names,
    tradeoff: Tradeoff,
    cost_name: str,
    cost_of: Callable[[TradeoffPoint], float | None],
    is_best: Callable[[TradeoffPoint], bool],
    all_ticks: Sequence[float],
    spelled: Callable[[float], str],
) -> Chart | None:
    """A logarithmic axis of cost; what costs nothing stands at its low end."""
    known = [(point, cost) for point in tradeoff.points if (cost := cost_of(point)) is not None]
    if not known:
        return None
    costs = [cost for _, cost in known if cost > 0] or [1.0]
    is_free = any(cost <= 0 for _, cost in known)
    low = min(costs) / (4 if is_free else 1.35)
    high = max(costs) * 1.15
    if high < 8 * low:  # no less than a decade or so, else the axis would have no number
        low, high = low / math.sqrt(8 * low / high), high * math.sqrt(8 * low / high)
    margins = Margins(left=34, top=22, right=64, bottom=34)
    x = Scale(low, high, WIDTH - margins.left - margins.right, is_log=True)
    best = max(point.share.value for point, _ in known)
    y = Scale(0.0, max(0.2, math.ceil(best * 10 + 0.5) / 10), 230.0, is_upwards=True)
    title = f"Quality against {cost_name}"
    canvas = Canvas(x, y, margins, title)
    _grid(canvas, low, high, top=y.high)
    ticks = _ticks(all_ticks, low, high)
    canvas.rules([{"x": at, "x2": at, "y": 0, "y2": y.high, "role": "rule"} for at in ticks])
    named = [(at, spelled(at)) for at in ticks] + ([(low * 1.2, "free")] if is_free else [])
    canvas.texts(
        [
            {"x": at, "y": y.inverse(y.length + 10), "text": text, "anchor": "middle"}
            | {"role": "soft"}
            for at, text in named
        ]
    )
    canvas.texts(
        [
            {"x": high, "y": y.inverse(y.length + 25), "anchor": "end", "role": "soft"}
            | {"text": f"{cost_name} →"},
            {"x": x.inverse(-margins.left + 4), "y": y.inverse(-12), "role": "soft"}
            | {"text": f"↑ share of the ceiling, {tradeoff.label}"},
        ]
    )
    at_of = {point.engine: max(cost, low * 1.2) for point, cost in known}
    front = sorted((point for point, _ in known if is_best(point)), key=lambda p: at_of[p.engine])
    steps: list[dict[str, Any]] = []
    for place, point in enumerate(front):
        if place:
            steps.append({"x": at_of[point.engine], "y": front[place - 1].share.value})
        steps.append({"x": at_of[point.engine], "y": point.share.value})
    if front:
        steps.append({"x": high, "y": front[-1].share.value})
    canvas.lines([step | {"line": "frontier", "role": "soft"} for step in steps])
    by_engine = {point.engine: point for point, _ in known}
    ranked = sorted(
        by_engine.values(),
        key=lambda point: (not names.sign(point.engine).stands_out, not is_best(point)),
    )
    spots = [
        Spot(
            names.short(point.engine),
            x(at_of[point.engine]),
            y(point.share.value),
            must=names.sign(point.engine).stands_out,
        )
        for point in ranked
    ]
    frame = Box(-2, -4, x.length + margins.right, y.length)
    line = [(x(step["x"]), y(step["y"])) for step in steps]
    labels = place_labels(spots, TEXT, frame, clear=4.5, lines=line)
    nameless = {p.engine for p, label in zip(ranked, labels, strict=True) if not label}
    canvas.points(
        [
            _mark(names, engine, at_of[engine], by_engine[engine].share.value)
            | {"title": names.label(engine) if engine in nameless else None}
            for engine in names.back_to_front(by_engine)
        ]
    )
    canvas.texts(
        [
            {"x": x.inverse(label.x), "y": y.inverse(label.y), "text": label.text}
            | {"anchor": label.anchor, "engine": point.engine}
            | {"role": text_role(names.sign(point.engine))}
            for point, label in zip(ranked, labels, strict=True)
            if label
        ]
    )
    return Chart(title, canvas.svg())


def latency_chart(names: Names, results: Results) -> Chart | None:
    """A dumbbell from p50 to p95 for each engine, fastest first, on a logarithmic axis."""
    timed = [
        (row.engine, max(row.p50_ms, 0.1), max(row.p95_ms, 0.1))
        for row in results.latency
        if row.p50_ms is not None and row.p95_ms is not None
    ]
    if not timed:
        return None
    engines = [engine for engine, *_ in timed]
    low = min(p50 for _, p50, _ in timed) / 1.2
    high = max(p95 for *_, p95 in timed) * 1.2
    left = max(text_width(names.short(engine), TEXT) for engine in engines) + 14
    margins = Margins(left=left, top=24, right=10, bottom=6)
    step = 17.0
    x = Scale(low, high, WIDTH - margins.left - margins.right, is_log=True)
    y = Scale(0, len(timed), step * len(timed))
    title = "Latency from p50 (filled) to p95 (open)"
    canvas = Canvas(x, y, margins, title)
    ticks = _ticks(MS_TICKS, low, high)
    canvas.rules([{"x": at, "x2": at, "y": 0, "y2": len(timed), "role": "rule"} for at in ticks])
    canvas.texts(
        [
            {"x": at, "y": -12 / step, "text": _ms(at), "anchor": "middle", "role": "soft"}
            for at in ticks
        ]
    )
    row_names(canvas, names, engines)
    spans, filled, opened = [], [], []
    for place, (engine, p50, p95) in enumerate(timed):
        sign = names.sign(engine)
        at = {"y": place + 0.5, "engine": engine, "role": sign.role, "shape": sign.shape}
        spans.append(at | {"x": p50, "x2": p95, "y2": place + 0.5, "width": 2})
        filled.append(at | {"x": p50, "area": 48})
        opened.append(at | {"x": p95, "area": 40})
    canvas.rules(spans)
    canvas.points(filled)
    canvas.points(opened, is_open=True)
    return Chart(title, canvas.svg())


def _mark(names: Names, engine: str, x: float, y: float) -> dict[str, Any]:
    sign = names.sign(engine)
    return {"x": x, "y": y, "engine": engine, "role": sign.role, "shape": sign.shape} | {
        "area": 56 if sign.stands_out else 36
    }


def text_role(sign: Sign) -> str:
    return sign.role if sign.stands_out else "soft"


def row_names(canvas: Canvas, names: Names, engines: Sequence[str], size: float = TEXT) -> None:
    """The engine of each row at its left."""
    canvas.texts(
        [
            {"x": canvas.x.inverse(-8), "y": place + 0.5, "text": names.short(engine)}
            | {"anchor": "end", "engine": engine, "role": text_role(names.sign(engine))}
            for place, engine in enumerate(engines)
        ],
        size=size,
    )


def _grid(
    canvas: Canvas, left: float, right: float, top: float = 1.0, *, is_share: bool = True
) -> None:
    """Lines with their texts, percentages of the ceiling or plain numbers; 1 is darker."""
    step = 0.25 if top > 0.75 else 0.1 if top > 0.3 else 0.05
    ticks = [step * place for place in range(int(top / step + 1e-9) + 1)]
    canvas.rules(
        [
            {"x": left, "x2": right, "y": at, "y2": at, "role": "mute" if at == 1 else "rule"}
            for at in ticks
        ]
    )
    canvas.texts(
        [
            {
                "x": canvas.x.inverse(-5),
                "y": at,
                "text": f"{100 * at:.0f}%" if is_share else f"{at:.2f}",
            }
            | {"role": "soft", "anchor": "end"}
            for at in ticks
        ],
        size=SMALL,
    )


def _day_ticks(canvas: Canvas, trend: Trend) -> None:
    """Three or four dates below the lines, the last one always."""
    days = [_day_number(stamp) for stamp in trend.stamps]
    many = min(4, len(days))
    chosen = sorted({round(place * (len(days) - 1) / (many - 1)) for place in range(many)})
    canvas.texts(
        [
            {"x": days[place], "y": canvas.y.inverse(canvas.y.length + 11), "role": "soft"}
            | {"text": f"{parse_time(trend.stamps[place]):%-d %b}"}
            | {"anchor": "start" if place == 0 else "middle"}
            for place in chosen
        ],
        size=SMALL,
    )


def _day_number(stamp: str) -> float:
    """Days since 1970, so that no time zone is near."""
    return parse_time(stamp).timestamp() / 86400


def _last(values: Sequence[float | None]) -> tuple[int, float] | None:
    """The last value and its place."""
    for place in range(len(values) - 1, -1, -1):
        value = values[place]
        if value is not None:
            return place, value
    return None


def _fit(texts: Sequence[str], size: float, x: Scale) -> bool:
    """Whether texts centred on whole numbers leave each other room."""
    widths = [text_width(text, size) for text in texts]
    step = x.length / (x.high - x.low)
    return all((a + b) / 2 + 4 <= step for a, b in pairwise(widths))


def _ticks(candidates: Sequence[float], low: float, high: float) -> list[float]:
    """At most seven round numbers in the range, whole decades where there would be more."""
    inside = [at for at in candidates if low <= at <= high]
    if len(inside) > 7:
        inside = [at for at in inside if math.log10(at).is_integer()] or inside[::2]
    return inside[:7]


def _usd(value: float) -> str:
    return f"${value:g}" if value >= 1 else f"${value:.2f}" if value >= 0.01 else f"${value:g}"


def _ms(value: float) -> str:
    return f"{value / 1000:g} s" if value >= 1000 else f"{value:g} ms"
