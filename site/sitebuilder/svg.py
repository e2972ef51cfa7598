"""Drawings of Vega as small inline SVG without style, and the same with colours for paper.

The page's policy forbids inline style, and one drawing serves light and dark: so every colour
becomes a class (`f-ink` fills, `k-ink` strokes), which the style sheet explains. Groups are
flattened, coordinates rounded to a tenth, equal neighbours joined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from xml.etree import ElementTree

from sitebuilder.palette import COLOURS

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
FONT_SIZES = {11.0: "", 9.0: "t-s"}  # class of the text, by size in units of the drawing

_ROLES = {colour: role for role, colour in COLOURS.items()}
_NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
_STEP = re.compile(r"([MLHVCQAZmlhvcqaz])([^A-Za-df-z]*)")  # numbers may hold an e
_TRANSFORM = re.compile(r"(translate|rotate)\(([^)]*)\)")
_KEPT = ("stroke-width", "stroke-dasharray", "stroke-linecap", "text-anchor", "font-weight")
_DEFAULTS = {("stroke-width", "1"), ("text-anchor", "start"), ("font-weight", "normal")}
# Which of a command's numbers are x and y; `a` has its end last.
_PAIRS = {"M": "xy", "L": "xy", "H": "x", "V": "y", "C": "xyxyxy", "Q": "xyxy", "A": ".....xy"}


class DrawingError(ValueError):
    """A drawing that cannot be put on the page: a colour without a role, a place that is none."""


@dataclass(frozen=True)
class Note:
    """What a mark stands for: an engine, and words for its tooltip."""

    engine: str
    title: str | None = None


@dataclass
class _Shape:
    tag: str
    attributes: dict[str, str]
    text: str = ""
    note: Note | None = None


@dataclass
class _Flattening:
    notes: Mapping[str, Note]
    shapes: list[_Shape] = field(default_factory=list)

    def walk(self, node: ElementTree.Element, x: float, y: float) -> None:
        tag = node.tag.rpartition("}")[2]
        if node.get("display") == "none" or "background" in (node.get("class") or ""):
            return
        dx, dy, turn, inner_x, inner_y = _moved(node.get("transform", ""))
        if tag == "line":
            end_x, end_y = float(node.get("x2", 0)), float(node.get("y2", 0))
            self.add(node, "path", {"d": _path(f"M0,0L{end_x},{end_y}", x + dx, y + dy)})
        elif tag == "path" and turn:
            place = f"translate({_short(x + dx)} {_short(y + dy)}) rotate({_short(turn)})"
            self.add(node, "path", {"d": _path(node.get("d", ""), 0, 0), "transform": place})
        elif tag == "path":
            self.add(node, "path", {"d": _path(node.get("d", ""), x + dx, y + dy)})
        elif tag == "text":
            where = {"x": _short(x + dx + inner_x), "y": _short(y + dy + inner_y)}
            if turn:
                where["transform"] = f"rotate({_short(turn)} {_short(x + dx)} {_short(y + dy)})"
            self.add(node, "text", where)
        for child in node:
            self.walk(child, x + dx, y + dy)

    def add(self, node: ElementTree.Element, tag: str, attributes: dict[str, str]) -> None:
        if tag == "path" and not attributes["d"]:
            return
        classes = [
            f"{letter}-{_role(node.get(name))}"
            for letter, name in (("f", "fill"), ("k", "stroke"))
            if node.get(name, "none") not in {"none", "transparent"}
        ]
        if not classes:
            return
        if tag == "text":
            classes.append(FONT_SIZES[float(node.get("font-size", "11").removesuffix("px"))])
        attributes = {"class": " ".join(filter(None, classes)), **attributes}
        for name in _KEPT:
            value = node.get(name)
            if value is not None and (name, value) not in _DEFAULTS:
                attributes[name] = value
        text = "".join(node.itertext()) if tag == "text" else ""
        note = self.notes.get(node.get("aria-label", ""))
        self.shapes.append(_Shape(tag, attributes, text, note))


def compact(svg: str, title: str, notes: Mapping[str, Note]) -> str:
    """The drawing for the page; `notes` by the description of a mark. Raises DrawingError."""
    if "NaN" in svg or "Infinity" in svg:
        raise DrawingError(f"{title}: a mark has no place")
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own drawing, whose texts are escaped
    flat = _Flattening(notes)
    flat.walk(root, 0.0, 0.0)
    box = " ".join(_short(float(part)) for part in root.get("viewBox", "0 0 0 0").split())
    body = "".join(_written(shape) for shape in _joined(flat.shapes))
    label = escape(title, quote=True)
    return f'<svg viewBox="{box}" role="img" aria-label="{label}">{body}</svg>'


def concrete(svg: str, colours: Mapping[str, str] = COLOURS) -> str:
    """A drawing of the page as a file of its own: colours and font in place of classes."""
    _, _, width, height = re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)[0]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="{FONT}" font-size="11" fill="none" '
    )
    return re.sub(r' class="([^"]*)"', lambda found: _painted(found[1], colours), svg).replace(
        "<svg ", head, 1
    )


def png(svg: str, scale: float = 2.0) -> bytes:
    """A picture of a concrete drawing."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg, scale=scale))


def _painted(classes: str, colours: Mapping[str, str]) -> str:
    names = classes.split()
    kinds = {"f": "fill", "k": "stroke"}
    parts = [f'{kinds[name[0]]}="{colours[name[2:]]}"' for name in names if name[0] in kinds]
    parts += [f'font-size="{size:g}"' for size, name in FONT_SIZES.items() if name in names]
    return " " + " ".join(parts)


def _moved(transform: str) -> tuple[float, float, float, float, float]:
    """Where a mark is moved to, by how many degrees it is turned there, and its move within."""
    before, within, turn = [0.0, 0.0], [0.0, 0.0], 0.0
    for kind, inside in _TRANSFORM.findall(transform):
        numbers = [float(number) for number in _NUMBER.findall(inside)]
        if kind == "rotate":
            turn = numbers[0]
        else:
            moved = within if turn else before
            moved[0] += numbers[0]
            moved[1] += numbers[1]
    return before[0], before[1], turn, within[0], within[1]


def _role(colour: str | None) -> str:
    role = _ROLES.get((colour or "").lower())
    if role is None:
        raise DrawingError(f"the colour {colour} stands for no role")
    return role


def _path(d: str, x: float, y: float) -> str:
    """A path with its absolute places moved by (x, y); lines go from point to point."""
    parts = []
    pen: tuple[float, float] | None = None  # where the path stands, as rounded
    for command, inside in _STEP.findall(d):
        numbers = [float(number) for number in _NUMBER.findall(inside)]
        axes = _PAIRS.get(command)
        if axes:
            shift = {"x": x, "y": y, ".": 0.0}
            numbers = [
                number + shift[axes[place % len(axes)]] for place, number in enumerate(numbers)
            ]
        if command in "ML" and len(numbers) == 2:
            at = (round(numbers[0], 1), round(numbers[1], 1))
            if command == "L" and pen:
                parts.append("l" + _listed([at[0] - pen[0], at[1] - pen[1]]))
            else:
                parts.append("M" + _listed(at))
            pen = at
        else:
            parts.append(command + _listed(numbers))
            pen = None
    return "".join(parts)


def _listed(numbers: Sequence[float]) -> str:
    return " ".join(map(_short, numbers)).replace(" -", "-")


def _short(number: float) -> str:
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _joined(shapes: Sequence[_Shape]) -> list[_Shape]:
    """Neighbours that differ in place only are one path; marks of engines stay apart."""
    joined: list[_Shape] = []
    for shape in shapes:
        last = joined[-1] if joined else None
        if last and shape.tag == last.tag == "path" and not (shape.note or last.note):
            rest = [{k: v for k, v in s.attributes.items() if k != "d"} for s in (shape, last)]
            if rest[0] == rest[1] and "transform" not in rest[0]:
                last.attributes["d"] += shape.attributes["d"]
                continue
        joined.append(shape)
    return joined


def _written(shape: _Shape) -> str:
    attributes = dict(shape.attributes)
    title = ""
    if shape.note:
        attributes["data-engine"] = shape.note.engine
        if shape.note.title:
            title = f"<title>{escape(shape.note.title)}</title>"
    names = "".join(f' {name}="{escape(value, quote=True)}"' for name, value in attributes.items())
    inside = title + escape(shape.text, quote=False)
    return f"<{shape.tag}{names}>{inside}</{shape.tag}>" if inside else f"<{shape.tag}{names}/>"
