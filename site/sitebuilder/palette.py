"""Colours of the charts by role, and which engines are drawn in colour.

A chart names roles, never colours: on the page a role is a CSS class, so that one drawing serves
light and dark; on paper and in images it is the colour given here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sitebuilder.results import Results

# The light colours; `30-charts.css` has the dark ones. Every colour stands for one role only.
COLOURS: Mapping[str, str] = {
    "ink": "#1b1e22",
    "soft": "#565d66",
    "rule": "#dfddd7",
    "card": "#ffffff",
    "mute": "#a9aeb4",
    # Told apart with any colour vision, and 4.5 to 1 on white, so that text can have them too.
    "s1": "#0067a5",
    "s2": "#c24e00",
    "s3": "#00795a",
    "s4": "#9c4a86",
    "s5": "#836500",
    "s6": "#3d3d8f",
    # Steps of one hue, for matrices.
    "h1": "#eef2f3",
    "h2": "#cbdde3",
    "h3": "#94bdca",
    "h4": "#4f93a8",
    "h5": "#0b5d76",
}
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
MAX_HIGHLIGHTS = len(SHAPES)


@dataclass(frozen=True)
class Sign:
    """How an engine is drawn: the role of its colour, its shape, and whether it stands out."""

    role: str
    shape: str
    stands_out: bool


MUTED = Sign("mute", "circle", stands_out=False)


def highlights(results: Results) -> list[str]:
    """The engines drawn in colour, the same in every chart: those who are first, and their ties.

    First overall, then on each bench, then those whom the tests do not separate from a first; at
    most as many as there are shapes. It depends on the results alone.
    """
    found = [answer.leader for answer in results.answers]
    found += [engine for answer in results.answers for engine in answer.tied]
    return list(dict.fromkeys(found))[:MAX_HIGHLIGHTS]


def signs(results: Results) -> dict[str, Sign]:
    """The sign of each highlighted engine; all others are MUTED."""
    return {
        engine: Sign(f"s{place}", shape, stands_out=True)
        for place, (engine, shape) in enumerate(zip(highlights(results), SHAPES, strict=False), 1)
    }
