"""Charts of what engines share: matrices, what each has to itself, and who may draw on whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sitebuilder.charts import WIDTH, Chart, Names, row_names, text_role
from sitebuilder.drawing import SMALL, TEXT, Canvas, Margins, Scale
from sitebuilder.labels import spread, text_width
from sitebuilder.results import IndependenceShares, PairShares

Measure = Literal["share_suspect", "share_shared3", "mean_jaccard"]
MAX_ENGINES_WITH_FIGURES = 16  # more, and the figures in the cells would not be legible
MAX_EDGES = 60  # more, and no arrow could be followed


@dataclass(frozen=True)
class Kind:
    """A measure of sharing: its name and where its five steps of colour begin."""

    measure: Measure
    title: str
    steps: tuple[float, float, float, float]

    def step(self, value: float) -> int:
        """From 1, hardly any sharing, to 5."""
        return 1 + sum(value >= start for start in self.steps)

    @property
    def words(self) -> list[tuple[int, str]]:
        """Each step with its range as text."""
        edges = [f"{100 * start:.0f}%" for start in self.steps]
        if self.measure == "mean_jaccard":
            edges = [f"{start:.2f}" for start in self.steps]
        return [
            (1, f"below {edges[0]}"),
            *((place + 2, f"from {edge}") for place, edge in enumerate(edges)),
        ]


KINDS = (
    Kind("share_suspect", "Suspicious sharing", (0.05, 0.12, 0.25, 0.50)),
    Kind("share_shared3", "Three or more shared URLs", (0.05, 0.15, 0.30, 0.50)),
    Kind("mean_jaccard", "Mean Jaccard", (0.10, 0.20, 0.35, 0.50)),
)


def matrix_chart(names: Names, shares: IndependenceShares, kind: Kind) -> Chart | None:
    """A cell for each pair, darker where more is shared; figures in the dark ones."""
    value_of = {
        frozenset((pair.a, pair.b)): value
        for pair in shares.pairs
        if (value := _measured(pair, kind)) is not None
    }
    paired = {name for pair in value_of for name in pair}
    engines = [engine for engine in shares.order if engine in paired]
    if len(engines) < 2:
        return None
    left = max(text_width(names.short(engine), TEXT) for engine in engines) + 10
    cell = max((WIDTH - left - 4) / len(engines), SMALL + 1)  # no narrower than a line of text
    size = TEXT if cell >= 12.5 else SMALL
    side = cell * len(engines)
    x, y = Scale(0, len(engines), side), Scale(0, len(engines), side)
    canvas = Canvas(x, y, Margins(left=left, top=left, right=4, bottom=4), kind.title)
    cells: list[tuple[int, dict[str, Any]]] = []
    figures: list[dict[str, Any]] = []
    gap = 0.6 / cell
    for row, a in enumerate(engines):
        for column, b in enumerate(engines):
            value = value_of.get(frozenset((a, b))) if a != b else None
            if value is None:
                continue
            step = kind.step(value)
            box = {"x": column + gap, "x2": column + 1 - gap, "y": row + gap, "y2": row + 1 - gap}
            cells.append((step, box | {"role": f"h{step}"}))
            if step >= 3 and len(engines) <= MAX_ENGINES_WITH_FIGURES:
                is_ratio = kind.measure == "mean_jaccard"
                text = f"{value:.2f}".removeprefix("0") if is_ratio else f"{100 * value:.0f}"
                figures.append(
                    {"x": column + 0.5, "y": row + 0.5, "text": text, "anchor": "middle"}
                    | {"role": "card" if step >= 5 else "ink"}
                )
    canvas.rects([row for _, row in sorted(cells, key=lambda pair: pair[0])])
    canvas.texts(figures, size=SMALL)
    row_names(canvas, names, engines, size)
    canvas.texts(
        [
            {"x": place + 0.5, "y": y.inverse(-6), "text": names.short(engine)}
            | {"engine": engine, "role": text_role(names.sign(engine))}
            for place, engine in enumerate(engines)
        ],
        size=size,
        angle=-90,
    )
    return Chart(kind.title, canvas.svg())


def _measured(pair: PairShares, kind: Kind) -> float | None:
    value: float | None = getattr(pair, kind.measure)
    return value


def uniqueness_chart(names: Names, shares: IndependenceShares) -> Chart | None:
    """A bar for all URLs and a ring for the relevant ones, the most unique engine first."""
    lines = [line for line in shares.engines if line.share_unique is not None]
    if not lines:
        return None
    engines = [line.engine for line in lines]
    left = max(text_width(names.short(engine), TEXT) for engine in engines) + 14
    step = 17.0
    x = Scale(0.0, 1.0, WIDTH - left - 12)
    y = Scale(0, len(lines), step * len(lines))
    title = "Share of URLs that no other family returned"
    canvas = Canvas(x, y, Margins(left=left, top=22, right=12, bottom=6), title)
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    canvas.rules([{"x": at, "x2": at, "y": 0, "y2": len(lines), "role": "rule"} for at in ticks])
    canvas.texts(
        [
            {"x": at, "y": y.inverse(-11), "text": f"{100 * at:.0f}%", "anchor": "middle"}
            | {"role": "soft"}
            for at in ticks
        ],
        size=SMALL,
    )
    row_names(canvas, names, engines)
    bars: list[dict[str, Any]] = []
    rings: list[dict[str, Any]] = []
    for place, line in enumerate(lines):
        sign = names.sign(line.engine)
        own = {"engine": line.engine, "role": sign.role}
        bars.append(own | {"x": 0.0, "x2": line.share_unique, "y": place + 0.2, "y2": place + 0.8})
        if line.share_relevant_unique is not None:
            ring = {"x": line.share_relevant_unique, "y": place + 0.5, "area": 40}
            rings.append(own | ring | {"role": "ink"})
    canvas.rects(bars)
    canvas.points(rings, is_open=True)
    return Chart(title, canvas.svg())


def borrowing_chart(names: Names, shares: IndependenceShares) -> Chart | None:
    """Arrows from the likelier source, wider where more is shared, engines around a circle."""
    if not shares.borrowing:
        return None
    edges = shares.borrowing[:MAX_EDGES]  # the strongest come first
    linked = {name for line in edges for name in (line.source, line.other)}
    engines = [engine for engine in shares.order if engine in linked]
    width, height = WIDTH, max(180.0, min(330.0, 110.0 + 22.0 * len(engines)))
    x, y = Scale(0, width, width), Scale(0, height, height)
    canvas = Canvas(x, y, Margins(0, 0, 0, 0), "Who may draw on whose index")
    widest = max(text_width(names.short(engine), TEXT) for engine in engines)
    across, down = width / 2 - widest - 14, height / 2 - 24
    place_of = {
        engine: (
            width / 2 + across * math.cos(turn),
            height / 2 + down * math.sin(turn),
        )
        for place, engine in enumerate(engines)
        for turn in [2 * math.pi * (place + 0.5) / len(engines) - math.pi / 2]
    }
    rules: list[dict[str, Any]] = []
    heads: list[dict[str, Any]] = []
    for line in sorted(edges, key=lambda line: line.share_suspect):
        start, end = place_of[line.source], place_of[line.other]
        weight = 1.5 + 3 * (line.share_suspect - 0.3)
        rules.append(_edge(start, end, weight, is_mutual=line.is_mutual))
        heads.append(_head(start, end))
        if line.is_mutual:
            heads.append(_head(end, start))
    canvas.rules(rules)
    canvas.points(heads)
    canvas.points(
        [
            {"x": at[0], "y": at[1], "engine": engine, "area": 64}
            | {"role": names.sign(engine).role, "shape": names.sign(engine).shape}
            for engine, at in place_of.items()
        ]
    )
    canvas.texts(_around(names, place_of, width / 2, height))
    return Chart(canvas.title, canvas.svg())


def _edge(
    start: tuple[float, float], end: tuple[float, float], weight: float, *, is_mutual: bool
) -> dict[str, Any]:
    """A line between two marks that leaves room for the arrow heads."""
    ax, ay = _before(start, end, 15.0)
    bx, by = _before(end, start, 15.0 if is_mutual else 9.0)
    return {"x": bx, "y": by, "x2": ax, "y2": ay, "width": round(weight, 2), "role": "soft"}


def _head(start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    """The head of an arrow that points at `end`."""
    x, y = _before(start, end, 13.0)
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) + 90
    return {"x": x, "y": y, "shape": "triangle-up", "area": 70, "role": "soft"} | {
        "angle": round(angle % 360, 1)
    }


def _before(
    start: tuple[float, float], end: tuple[float, float], gap: float
) -> tuple[float, float]:
    """The point `gap` before `end` on the way from `start`."""
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    share = max(0.0, 1 - gap / length)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _around(
    names: Names, place_of: dict[str, tuple[float, float]], middle: float, height: float
) -> list[dict[str, Any]]:
    """Names beside their marks, left and right apart, none on another."""
    rows: list[dict[str, Any]] = []
    for is_right in (False, True):
        own = [engine for engine, (at, _) in place_of.items() if (at >= middle) == is_right]
        heights = spread([place_of[engine][1] for engine in own], 13.0, 8.0, height - 8.0)
        rows += [
            {"x": place_of[engine][0] + (10 if is_right else -10), "y": y}
            | {"text": names.short(engine), "anchor": "start" if is_right else "end"}
            | {"engine": engine, "role": text_role(names.sign(engine))}
            for engine, y in zip(own, heights, strict=True)
        ]
    return rows


def legend(kinds: Sequence[Kind] = KINDS) -> dict[str, list[tuple[int, str]]]:
    """The steps of colour of each matrix, in words."""
    return {kind.measure: kind.words for kind in kinds}
