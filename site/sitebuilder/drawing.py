"""Layers of Altair from plain rows, and the drawing of a chart that is made of them.

A row is a mapping with x and y in units of the data and what its layer asks for. Every scale has
its domain here and not from the data, so that labels can be placed before anything is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitebuilder.palette import COLOURS
from sitebuilder.svg import FONT, Note, compact

if TYPE_CHECKING:
    import altair

Rows = Sequence[Mapping[str, Any]]

TEXT = 11.0
SMALL = 9.0


@dataclass(frozen=True)
class Scale:
    """From data to units of the drawing; `is_log` for positive domains, y runs upwards."""

    low: float
    high: float
    length: float
    is_log: bool = False
    is_upwards: bool = False

    def __call__(self, value: float) -> float:
        if self.is_log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.length * (1 - share if self.is_upwards else share)

    def inverse(self, place: float) -> float:
        share = place / self.length
        share = 1 - share if self.is_upwards else share
        if self.is_log:
            return math.exp(math.log(self.low) + share * math.log(self.high / self.low))
        return self.low + share * (self.high - self.low)

    def altair(self) -> Any:
        import altair as alt

        return alt.Scale(
            domain=[self.low, self.high],
            type="log" if self.is_log else "linear",
            range=[self.length, 0] if self.is_upwards else [0, self.length],
            nice=False,
            zero=False,
        )


@dataclass(frozen=True)
class Margins:
    left: float = 8
    top: float = 8
    right: float = 8
    bottom: float = 8


class Canvas:
    """A chart in the making: layers over one pair of scales, drawn in the order they were added."""

    def __init__(self, x: Scale, y: Scale, margins: Margins, title: str) -> None:
        self.x, self.y, self.margins, self.title = x, y, margins, title
        self.notes: dict[str, Note] = {}
        self.layers: list[altair.Chart] = []

    def lines(self, rows: Rows) -> None:
        """Rows of one `line` are joined in their order: x, y, role, width, engine."""
        import altair as alt

        self._add(
            rows,
            lambda chart: chart.mark_line(strokeJoin="round", strokeCap="round"),
            detail=alt.Detail("line:N"),
            order=alt.Order("place:Q"),
            stroke=alt.Stroke("colour:N", scale=None),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        )

    def rules(self, rows: Rows, dash: Sequence[float] = ()) -> None:
        """Straight lines from (x, y) to (x2, y2): role, width, engine."""
        import altair as alt

        kind: dict[str, Any] = {"strokeDash": list(dash)} if dash else {}
        self._add(
            rows,
            lambda chart: chart.mark_rule(strokeCap="butt", **kind),
            x2=alt.X2("x2:Q"),
            y2=alt.Y2("y2:Q"),
            stroke=alt.Stroke("colour:N", scale=None),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        )

    def points(self, rows: Rows, *, is_open: bool = False) -> None:
        """Marks: role, shape, area, engine; an open one is a ring on the card's colour."""
        import altair as alt

        colour = alt.Stroke("colour:N", scale=None) if is_open else alt.Fill("colour:N", scale=None)
        paint: dict[str, Any] = (
            {"fill": COLOURS["card"], "strokeWidth": 1.5}
            if is_open
            else {"stroke": COLOURS["card"], "strokeWidth": 1}
        )
        self._add(
            rows,
            lambda chart: chart.mark_point(opacity=1, **paint),
            shape=alt.Shape("shape:N", scale=None),
            size=alt.Size("area:Q", scale=None),
            angle=alt.Angle("angle:Q", scale=None),
            **{"stroke" if is_open else "fill": colour},
        )

    def rects(self, rows: Rows) -> None:
        """Rectangles from (x, y) to (x2, y2): role, engine."""
        import altair as alt

        self._add(
            rows,
            lambda chart: chart.mark_rect(),
            x2=alt.X2("x2:Q"),
            y2=alt.Y2("y2:Q"),
            fill=alt.Fill("colour:N", scale=None),
        )

    def texts(self, rows: Rows, *, size: float = TEXT, angle: float = 0) -> None:
        """Texts whose middle line is at y: text, anchor, role, engine, is_bold."""
        import altair as alt

        for anchor, align in (("start", "left"), ("middle", "center"), ("end", "right")):
            for is_bold in (False, True):
                own = [
                    row
                    for row in rows
                    if row.get("anchor", "start") == anchor and row.get("is_bold", False) == is_bold
                ]
                self._add(
                    own,
                    lambda chart, align=align, is_bold=is_bold: chart.mark_text(
                        align=align,
                        baseline="middle",
                        fontSize=size,
                        angle=angle % 360,
                        fontWeight=600 if is_bold else "normal",
                    ),
                    text=alt.Text("text:N"),
                    fill=alt.Fill("colour:N", scale=None),
                )

    def _add(self, rows: Rows, mark: Any, **channels: Any) -> None:
        import altair as alt

        if not rows:
            return
        values = []
        for place, row in enumerate(rows):
            filled = {"width": 1, "area": 36, "angle": 0, "shape": "circle", "line": "", **row}
            filled |= {"colour": COLOURS[row.get("role", "ink")], "place": place, "note": "-"}
            if row.get("engine") is not None:
                note = Note(row["engine"], row.get("title"))
                filled["note"] = f"mark-{len(self.notes)}"
                self.notes[filled["note"]] = note
            values.append({k: v for k, v in filled.items() if k not in {"engine", "title"}})
        if "detail" in channels:  # one description for a line
            named: dict[str, str] = {}
            for value in values:
                value["note"] = named.setdefault(value["line"], value["note"])
        chart = mark(alt.Chart({"values": values})).encode(
            x=alt.X("x:Q", scale=self.x.altair(), axis=None),
            y=alt.Y("y:Q", scale=self.y.altair(), axis=None),
            description=alt.Description("note:N"),
            **channels,
        )
        self.layers.append(chart)

    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        import altair as alt

        margins = self.margins
        chart = (
            alt.layer(*self.layers)
            .properties(
                width=self.x.length,
                height=self.y.length,
                padding={
                    "left": margins.left,
                    "top": margins.top,
                    "right": margins.right,
                    "bottom": margins.bottom,
                },
                autosize=alt.AutoSizeParams(type="none"),
            )
            .configure(font=FONT, background="transparent")
            .configure_view(stroke=None, fill=None)
        )
        spec: dict[str, Any] = chart.to_dict(validate=False)
        return spec

    def svg(self) -> str:
        """The drawing for the page."""
        import vl_convert

        return compact(vl_convert.vegalite_to_svg(self.spec()), self.title, self.notes)
