"""Drawings of needleif: what a document costs each model, and where it costs one model most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runner.benches.needleif.summary import bucket_tokens
from runner.records.needleif import NeedleCell
from sitebuilder.charts import WIDTH, Chart
from sitebuilder.drawing import SMALL, TEXT, Canvas, Margins, Scale
from sitebuilder.labels import shortened, text_width
from sitebuilder.results import NeedleModel

STEPS = (0.05, 0.15, 0.35, 0.65)  # of distraction regression, where a darker colour begins
MAX_DRAWN = 30
ROW = 20.0


def accuracy_chart(models: Sequence[NeedleModel]) -> Chart | None:
    """A line a model from its long-context accuracy, filled, to its baseline, open."""
    lines = [
        (model, bare, hidden)
        for model in models[:MAX_DRAWN]
        if (bare := model.loose.baseline.value) is not None
        and (hidden := model.loose.long_context.value) is not None
    ]
    if not lines:
        return None
    labels = [shortened(model.model, 26) for model, *_ in lines]
    left = max(text_width(label, TEXT) for label in labels) + 12
    x = Scale(0.0, 1.0, WIDTH - left - 14)
    y = Scale(0.0, len(lines), ROW * len(lines))
    title = "Accuracy alone and in a document"
    canvas = Canvas(x, y, Margins(left=left, top=20, right=14, bottom=6), title)
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    canvas.rules([{"x": at, "x2": at, "y": 0, "y2": len(lines), "role": "rule"} for at in ticks])
    canvas.texts(
        [
            {"x": at, "y": y.inverse(-10), "text": f"{100 * at:.0f}%", "anchor": "middle"}
            | {"role": "soft"}
            for at in ticks
        ],
        size=SMALL,
    )
    roles = ["soft" if model.is_reference else "s1" for model, *_ in lines]
    rows = [
        {"x": hidden, "x2": bare, "y": place + 0.5, "y2": place + 0.5, "role": roles[place]}
        | {"width": 2.0}
        for place, (_, bare, hidden) in enumerate(lines)
    ]
    canvas.rules(rows)
    canvas.points([{**row, "x": row["x2"], "area": 44} for row in rows], is_open=True)
    canvas.points([{**row, "area": 44} for row in rows])
    canvas.texts(
        [
            {"x": x.inverse(-8), "y": place + 0.5, "text": label, "anchor": "end"}
            | {"role": "soft" if roles[place] == "soft" else "ink"}
            for place, label in enumerate(labels)
        ]
    )
    return Chart(title, canvas.svg())


def regression_chart(cells: Mapping[str, NeedleCell]) -> Chart | None:
    """Distraction regression by document size, down, and depth of the needle, across.

    `cells` are named like "8k/50". A cell where nothing passed bare has no value and no colour.
    """
    sizes = sorted({name.partition("/")[0] for name in cells}, key=bucket_tokens)
    depths = sorted({name.partition("/")[2] for name in cells}, key=float)
    if not cells or len(sizes) > MAX_DRAWN or len(depths) > MAX_DRAWN:
        return None
    left, height = 46.0, 30.0
    x = Scale(0, len(depths), WIDTH - left - 8)
    y = Scale(0, len(sizes), height * len(sizes))
    title = "Distraction regression by size and depth"
    canvas = Canvas(x, y, Margins(left=left, top=22, right=8, bottom=6), title)
    boxes: list[tuple[int, dict[str, Any]]] = []
    figures: list[dict[str, Any]] = []
    for row, size in enumerate(sizes):
        for column, depth in enumerate(depths):
            cell = cells.get(f"{size}/{depth}")
            value = cell.distraction_regression.value if cell else None
            at = {"x": column + 0.5, "y": row + 0.5, "anchor": "middle"}
            if value is None:
                figures.append(at | {"text": "–", "role": "soft"})
                continue
            step = regression_step(value)
            box = {"x": column + 0.01, "x2": column + 0.99, "y": row + 0.03, "y2": row + 0.97}
            boxes.append((step, box | {"role": f"h{step}"}))
            figures.append(
                at | {"text": f"{100 * value:.0f}%", "role": "card" if step == 5 else "ink"}
            )
    canvas.rects([box for _, box in sorted(boxes, key=lambda pair: pair[0])])
    canvas.texts(figures)
    canvas.texts(
        [
            {"x": place + 0.5, "y": y.inverse(-10), "text": f"depth {depth}%", "anchor": "middle"}
            | {"role": "soft"}
            for place, depth in enumerate(depths)
        ]
        + [
            {"x": x.inverse(-8), "y": place + 0.5, "text": size, "anchor": "end", "role": "soft"}
            for place, size in enumerate(sizes)
        ]
    )
    return Chart(title, canvas.svg())


def regression_step(value: float) -> int:
    """The step of colour, from 1 to 5."""
    return 1 + sum(value >= start for start in STEPS)


def step_words() -> list[tuple[int, str]]:
    """Each step with its range as text."""
    edges = [f"{100 * start:.0f}%" for start in STEPS]
    words = [(1, f"below {edges[0]}")]
    return words + [(place + 2, f"from {edge}") for place, edge in enumerate(edges)]
