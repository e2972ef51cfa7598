"""Pictures for links to our pages (Open Graph), 1200 × 630: the dashboard and each engine.

Drawn as SVG in concrete colours with fonts of the system, set by vl-convert, then kept to a
palette, since they hold few colours. Without a base address nothing could name them.
"""

from __future__ import annotations

import io

from runner.text import parse_time
from sitebuilder.folders import engine_folder
from sitebuilder.metadata import picture_name
from sitebuilder.render import METRICS, Part, Site
from sitebuilder.results import Figure, Results, RosterEntry
from sitebuilder.xmltext import shortened, xml_text

WIDTH, HEIGHT = 1200, 630
MAX_ROWS = 8
MAX_LABEL_CHARS = 24
PALETTE_COLOURS = 32
_INK, _SOFT, _RULE, _ACCENT, _PAPER = "#1b1e22", "#565d66", "#dfddd7", "#0b5d76", "#fbfaf8"
_FONT = "Liberation Sans, DejaVu Sans, Arial, sans-serif"
# Label, value and, where it is no share, the name of the metric.
Bar = tuple[str, Figure | None, str | None]
_LEFT, _AXIS, _AXIS_WIDTH = 64, 440, 470


def part(site: Site) -> Part:
    """`pictures/index.png` and `pictures/engines/<id>.png`."""
    if site.base_url is None:
        return Part()
    results = site.results
    files = {picture_name(""): png(standings_svg(results))}
    for entry in results.roster:
        files[picture_name(engine_folder(entry.engine))] = png(engine_svg(results, entry))
    return Part(files=files)


def png(svg: str) -> bytes:
    """The drawing in at most 32 colours; equal drawings give equal bytes on one machine."""
    import vl_convert
    from PIL import Image

    drawn = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1, ppi=72))).convert("RGB")
    target = io.BytesIO()
    drawn.quantize(PALETTE_COLOURS, dither=Image.Dither.NONE).save(target, "PNG", optimize=True)
    return target.getvalue()


def standings_svg(results: Results) -> str:
    """The first of the overall standings; without any, what Needle is."""
    ranked = [row for row in results.overall if row.overall][:MAX_ROWS]
    labels = {entry.engine: entry.label for entry in results.roster}
    rows: list[Bar] = [(labels.get(row.engine, row.engine), row.overall, None) for row in ranked]
    title = "Search for AI agents, measured"
    if not rows:
        return _svg(title, "A live, open benchmark of search APIs", [], results)
    count = sum(row.overall is not None for row in results.overall)
    which = f"the first {len(rows)} of {count} engines" if count > len(rows) else "all engines"
    return _svg(title, f"Share of the ceiling, mean of 5 benches, {which}", rows, results)


def engine_svg(results: Results, entry: RosterEntry) -> str:
    """An engine's score on each bench, with its place overall."""
    standing = next((row for row in results.overall if row.engine == entry.engine), None)
    rows: list[Bar] = []
    for board in results.benches.values():
        row = next((row for row in board.engines if row.engine == entry.engine), None)
        rows.append((board.label, row.score if row else None, f"{METRICS[board.metric]}@{board.k}"))
    if standing is None or standing.overall is None:
        return _svg(entry.label, "Not ranked overall", rows, results)
    subtitle = f"Overall {100 * standing.overall.value:.1f}% of the ceiling"
    if standing.rank_lo is not None:
        span = f"{standing.rank_lo}"
        if standing.rank_hi != standing.rank_lo:
            span += f" to {standing.rank_hi}"
        ranked = sum(row.rank is not None for row in results.overall)
        subtitle += f", rank {span} of {ranked}"
    return _svg(entry.label, subtitle, rows, results)


def _svg(
    title: str,
    subtitle: str,
    rows: list[Bar],
    results: Results,
) -> str:
    """Title, subtitle and a bar for each row: its interval dark, its value as text."""
    step = 350 / max(len(rows), 5)
    size = min(28, 0.62 * step)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        f'<rect width="{WIDTH}" height="10" fill="{_ACCENT}"/>',
        _text(_LEFT, 88, 50, title, weight="bold", room=34),
        _text(_LEFT, 134, 27, subtitle, fill=_SOFT, room=76),
    ]
    for number, (label, figure, note) in enumerate(rows):
        y = 172 + step * (number + 0.5)
        parts.append(_text(_LEFT, y + size * 0.35, size, label, room=MAX_LABEL_CHARS))
        if note:
            x = _AXIS - 24
            parts.append(_text(x, y + size * 0.35, size * 0.7, note, fill=_SOFT, anchor="end"))
        parts += _bar(y, step, size, figure, is_share=note is None)
    end = (
        f"7 days to {parse_time(results.window.end):%-d %B %Y}" if results.window else "No run yet"
    )
    kind = " (embedded profile)" if results.profile == "embedded" else ""
    parts += [
        f'<rect x="{_LEFT}" y="546" width="{WIDTH - 2 * _LEFT}" height="2" fill="{_RULE}"/>',
        _text(_LEFT, 592, 28, "Needle", weight="bold", fill=_ACCENT),
        _text(WIDTH - _LEFT, 592, 24, f"{end}{kind}, 95% intervals", fill=_SOFT, anchor="end"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{_FONT}">{"".join(parts)}</svg>'
    )


def _bar(y: float, step: float, size: float, figure: Figure | None, is_share: bool) -> list[str]:
    if figure is None:
        return [_text(_AXIS, y + size * 0.35, size, "not measured", fill=_SOFT)]
    height = 0.5 * step if step < 50 else 26
    value = _AXIS_WIDTH * min(1.0, max(0.0, figure.value))
    parts = [
        f'<rect x="{_AXIS}" y="{y - height / 2:.1f}" width="{_AXIS_WIDTH}" height="{height:.1f}" '
        f'fill="{_RULE}"/>',
        f'<rect x="{_AXIS}" y="{y - height / 2:.1f}" width="{value:.1f}" height="{height:.1f}" '
        f'fill="{_ACCENT}"/>',
    ]
    spread = ""
    if figure.lo is not None and figure.hi is not None:
        lo, hi = (_AXIS_WIDTH * min(1.0, max(0.0, end)) for end in (figure.lo, figure.hi))
        parts.append(
            f'<rect x="{_AXIS + lo:.1f}" y="{y - 3:.1f}" width="{max(2.0, hi - lo):.1f}" '
            f'height="6" fill="{_INK}" stroke="{_PAPER}" stroke-width="1.5"/>'
        )
        spread = (
            f" {100 * figure.lo:.1f}–{100 * figure.hi:.1f}"
            if is_share
            else f" {figure.lo:.3f}–{figure.hi:.3f}"
        )
    text = f"{100 * figure.value:.1f}%" if is_share else f"{figure.value:.3f}"
    x = _AXIS + _AXIS_WIDTH + 20
    parts.append(_text(x, y + size * 0.35, size, text, weight="bold"))
    if spread:
        small = size * 0.68
        parts.append(_text(WIDTH - _LEFT, y + size * 0.35, small, spread, fill=_SOFT, anchor="end"))
    return parts


def _text(
    x: float,
    y: float,
    size: float,
    text: str,
    *,
    fill: str = _INK,
    weight: str = "normal",
    anchor: str = "start",
    room: int = 100,
) -> str:
    """Text on one line, shortened to `room` characters."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{fill}" '
        f'font-weight="{weight}" text-anchor="{anchor}">{xml_text(shortened(text, room))}</text>'
    )
