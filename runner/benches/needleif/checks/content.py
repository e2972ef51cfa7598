"""Checks on content, start and end: placeholders, postscript, commas, ending, quotation."""

from __future__ import annotations

import re

_POSTSCRIPTS = {
    "P.P.S": re.compile(r"p\.\s?p\.\s?s"),
    "P.S.": re.compile(r"p\.\s?s\."),
}


def number_placeholders(response: str, *, num_placeholders: int) -> bool:
    """At least so many stretches `[...]`, each within one line and perhaps empty inside."""
    return sum(map(_placeholders, response.split("\n"))) >= num_placeholders


def _placeholders(line: str) -> int:
    """The stretches of one line, found with two searches each, so in linear time."""
    found = 0
    start = line.find("[")
    while start >= 0:
        end = line.find("]", start)
        if end < 0:
            break
        found += 1
        start = line.find("[", end)
    return found


def postscript(response: str, *, postscript_marker: str) -> bool:
    """The marker occurs anywhere in the lower-cased response, also inside a word."""
    marker = postscript_marker.strip()
    lowered = response.lower()
    pattern = _POSTSCRIPTS.get(marker)
    return marker.lower() in lowered if pattern is None else pattern.search(lowered) is not None


def no_comma(response: str) -> bool:
    """No U+002C; commas of other scripts are allowed."""
    return "," not in response


def end_checker(response: str, *, end_phrase: str) -> bool:
    """The trimmed response, bare of straight double quotes, ends with the phrase in any case."""
    return response.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def quotation(response: str) -> bool:
    """The trimmed response opens and closes with U+0022, two characters or more."""
    trimmed = response.strip()
    return len(trimmed) > 1 and trimmed[0] == '"' and trimmed[-1] == '"'
