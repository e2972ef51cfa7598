"""Small pictures of one figure with its date, for an engine's own page: `badges/<bench>/<id>.svg`.

Every engine of the files has one for each bench and overall, so that an address once used never
fails; without a figure it says so. No engine has a colour of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from runner.records.published import BENCH_LABELS, BENCHES
from runner.text import parse_time
from sitebuilder.folders import engine_slug
from sitebuilder.render import METRICS, Part, Site
from sitebuilder.results import Board, Figure, Results
from sitebuilder.xmltext import shortened, xml_text

OVERALL = "overall"
MAX_LABEL_CHARS = 40
_CHAR_WIDTH = 6.4  # of 11 px Verdana-like text; `textLength` fits any font to it
_PADDING = 7


def part(site: Site) -> Part:
    return Part(files=dict(_badges(site.results)))


def badge_name(bench: str, engine: str) -> str:
    """The file; `bench` may be `overall`."""
    return f"badges/{bench}/{engine_slug(engine)}.svg"


def _badges(results: Results) -> Iterator[tuple[str, bytes]]:
    date = f"{parse_time(results.window.end):%-d %b %Y}" if results.window else "no run"
    standings = {row.engine: row.overall for row in results.overall}
    for entry in results.roster:
        text = _share(standings.get(entry.engine))
        left = f"Needle: {shortened(entry.label, MAX_LABEL_CHARS)}"
        yield badge_name(OVERALL, entry.engine), badge_svg(left, f"overall {text}, {date}")
        for bench in BENCHES:
            text = _score(results.benches.get(bench), entry.engine)
            right = f"{BENCH_LABELS[bench]} {text}, {date}"
            yield badge_name(bench, entry.engine), badge_svg(left, right)


def _share(figure: Figure | None) -> str:
    return "not ranked" if figure is None else f"{100 * figure.value:.1f}% of the ceiling"


def _score(board: Board | None, engine: str) -> str:
    figure = (
        next((row.score for row in board.engines if row.engine == engine), None) if board else None
    )
    if board is None or figure is None:
        return "not measured"
    return f"{METRICS[board.metric]}@{board.k} {figure.value:.3f}"


def badge_svg(left: str, right: str) -> bytes:
    """Two fields of text; their contrast with the ground is above 4.5 : 1."""
    a, b = (len(text) * _CHAR_WIDTH for text in (left, right))
    split = a + 2 * _PADDING
    width = split + b + 2 * _PADDING
    label = xml_text(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="22" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect width="{width:.0f}" height="22" rx="3" fill="#0b5d76"/>'
        f'<path d="M3 0H{split:.1f}V22H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3Z" fill="#2a2f35"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Liberation Sans,sans-serif" '
        'font-size="11">'
        f'<text x="{_PADDING}" y="15" textLength="{a:.1f}" lengthAdjust="spacingAndGlyphs">'
        f"{xml_text(left)}</text>"
        f'<text x="{split + _PADDING:.1f}" y="15" textLength="{b:.1f}" '
        f'lengthAdjust="spacingAndGlyphs">{xml_text(right)}</text></g></svg>\n'
    ).encode()
