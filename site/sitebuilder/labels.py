"""Places for labels: how wide a text is, and where it stands without covering another.

The page's font is the reader's own, so widths are estimates on the wide side: those of a common
sans serif, with a margin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

MAX_LABEL_CHARS = 18
LINE_HEIGHT = 1.15  # of the font size
_MARGIN = 1.14
_NARROW = set("iljftI.,:;|!'()[]-/ r")
_WIDE = set("mwMW@%")

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A rectangle in units of the drawing, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_inside(self, other: Box) -> bool:
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )


@dataclass(frozen=True)
class Label:
    """A text in its place; y is the middle of the line."""

    text: str
    x: float
    y: float
    anchor: Anchor


@dataclass(frozen=True)
class Spot:
    """A mark that wants a label; `must` says that it gets one in any case."""

    text: str
    x: float
    y: float
    must: bool = False


def shortened(text: str, most: int = MAX_LABEL_CHARS) -> str:
    """The text, cut to a number of characters with an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def text_width(text: str, size: float) -> float:
    """The width of a text, rather over than under."""
    return _MARGIN * size * sum(_width(char) for char in text)


def _width(char: str) -> float:
    if ord(char) > 0x2E7F:
        return 1.0
    if char in _NARROW:
        return 0.34
    if char in _WIDE:
        return 0.89
    return 0.68 if char.isupper() else 0.56


def text_box(text: str, x: float, y: float, anchor: Anchor, size: float) -> Box:
    """The box of a text whose middle line is at y."""
    width, height = text_width(text, size), size * LINE_HEIGHT
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return Box(left, y - height / 2, left + width, y + height / 2)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart within low..high, each as near to the wanted one as order allows.

    Where they do not fit they are spaced evenly over the range.
    """
    if not wanted:
        return []
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    if gap * (len(wanted) - 1) > high - low:
        step = (high - low) / max(len(wanted) - 1, 1)
        placed = [low + step * rank for rank in range(len(order))]
    else:
        placed = _relaxed([wanted[place] for place in order], gap, low, high)
    found = [0.0] * len(wanted)
    for rank, place in enumerate(order):
        found[place] = placed[rank]
    return found


def _relaxed(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Blocks of touching labels, each centred on what its labels want."""
    blocks: list[list[float]] = []  # [start, number of labels, sum of the starts wanted]
    for value in wanted:
        blocks.append([value, 1, value])
        while True:
            _, count, wants = blocks[-1]
            blocks[-1][0] = min(max(wants / count, low), high - gap * (count - 1))
            if len(blocks) < 2 or blocks[-2][0] + gap * blocks[-2][1] <= blocks[-1][0] + 1e-9:
                break
            _, upper, wants = blocks.pop()
            below = blocks[-1]
            below[2] += wants - gap * below[1] * upper
            below[1] += upper
    return [start + gap * place for start, count, _ in blocks for place in range(int(count))]


def place_labels(
    spots: Sequence[Spot],
    size: float,
    frame: Box,
    clear: float,
    lines: Sequence[tuple[float, float]] = (),
) -> list[Label | None]:
    """A label for each spot beside its mark, or None where there is no room.

    Spots are served in order, so the important ones come first. No label covers another, nor any
    mark, a square of `clear` around each spot, nor the straight pieces of `lines`. One that `must`
    be drawn may be pushed away from its mark, and is left out only where no place is free.
    """
    marks = [Box(s.x - clear, s.y - clear, s.x + clear, s.y + clear) for s in spots]
    marks += [
        Box(min(ax, bx) - 1, min(ay, by) - 1, max(ax, bx) + 1, max(ay, by) + 1)
        for (ax, ay), (bx, by) in pairwise(lines)
    ]
    taken: list[Box] = []
    labels: list[Label | None] = []
    for spot in spots:
        label = next(
            (
                found
                for found, box in _candidates(spot, size, clear)
                if box.is_inside(frame) and not _is_taken(box, [*taken, *marks])
            ),
            None,
        )
        if label:
            taken.append(text_box(label.text, label.x, label.y, label.anchor, size))
        labels.append(label)
    return labels


def _candidates(spot: Spot, size: float, clear: float) -> Iterator[tuple[Label, Box]]:
    side, rise = clear + 2, clear + size * LINE_HEIGHT / 2 + 0.5
    places: list[tuple[float, float, Anchor]] = [
        (side, 0, "start"),
        (-side, 0, "end"),
        (0, -rise, "middle"),
        (0, rise, "middle"),
        (side, -rise / 2, "start"),
        (side, rise / 2, "start"),
        (-side, -rise / 2, "end"),
        (-side, rise / 2, "end"),
        (-clear, -rise, "start"),
        (-clear, rise, "start"),
        (clear, -rise, "end"),
        (clear, rise, "end"),
    ]
    if spot.must:
        for distance in range(2, 12):
            step = distance * size * 0.7
            places += [(side, -step, "start"), (-side, -step, "end"), (side, step, "start")]
            places += [(-side, step, "end"), (0, -step, "middle"), (0, step, "middle")]
    for dx, dy, anchor in places:
        label = Label(spot.text, spot.x + dx, spot.y + dy, anchor)
        yield label, text_box(label.text, label.x, label.y, label.anchor, size)


def _is_taken(box: Box, others: Iterable[Box]) -> bool:
    return any(box.meets(other) for other in others)
