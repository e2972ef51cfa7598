"""Checks on format: bullets, highlights, sections, title, JSON, one of three answers.

Every count takes time linear in the response, however it is made.
"""

from __future__ import annotations

import json
import re

from .text import count_matches, holds

ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
JSON_DEPTH = 500

# The blanks before a bullet may run over line breaks; a bullet is then found from the start of
# its own line as well, so it is enough to look there.
_STAR_BULLET = re.compile(r"^[^\S\n]*\*[^*].*$", re.MULTILINE)
_DASH_BULLET = re.compile(r"^[^\S\n]*-.*$", re.MULTILINE)
_HIGHLIGHT = re.compile(r"\*([^*\n]*)\*")
_STRONG_HIGHLIGHT = re.compile(r"\*\*([^*\n]*)\*\*")
_FENCES = ("```json", "```Json", "```JSON", "```")
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def number_bullet_lists(response: str, *, num_bullets: int, relation: str = "exactly") -> bool:
    """So many bullets: lines that begin with `-`, or with one `*` and no second.

    A `*` alone on its line takes the next line with it. `--`, `-3` and an italic line count.
    """
    bullets = count_matches(_STAR_BULLET, response) + count_matches(_DASH_BULLET, response)
    return holds(relation, bullets, num_bullets)


def number_highlighted_sections(response: str, *, num_highlights: int) -> bool:
    """At least so many stretches `*...*` and `**...**` within a line that are not blank inside.

    Both kinds are counted by themselves, so `***x***` is two.
    """
    count = sum(
        1
        for pattern in (_HIGHLIGHT, _STRONG_HIGHLIGHT)
        for match in pattern.finditer(response)
        if match[1].strip()
    )
    return count >= num_highlights


def multiple_sections(response: str, *, section_spliter: str, num_sections: int) -> bool:
    """At least so many splitters followed by a number, one blank between them at most."""
    numbered = re.compile(re.escape(section_spliter.strip()) + r"\s?\d+")
    return count_matches(numbered, response) >= num_sections


def title(response: str) -> bool:
    """A line holds `<<...>>` with something inside besides blanks and more brackets."""
    return any(map(_has_title, response.split("\n")))


def _has_title(line: str) -> bool:
    """The longest stretch is from the first `<<` to the last `>>`, so no other can be found."""
    start, end = line.find("<<"), line.rfind(">>")
    if start < 0 or end < start + 3:
        return False
    return bool(line[start : end + 2].lstrip("<").rstrip(">").strip())


def json_format(response: str) -> bool:
    """The trimmed response is a JSON value of any kind, perhaps in a fence.

    Nesting deeper than `JSON_DEPTH` and integers of any length get the same verdict everywhere:
    where the parser itself gives up depends on the interpreter and on the depth of its caller.
    """
    text = response.strip()
    for fence in _FENCES:
        text = text.removeprefix(fence)
    text = text.removesuffix("```").strip()
    if _nests_too_deep(text):
        return False
    try:
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def _nests_too_deep(text: str) -> bool:
    """Whether brackets outside of strings are ever open `JSON_DEPTH` deep."""
    if text.count("[") + text.count("{") <= JSON_DEPTH:
        return False
    depth = 0
    for token in _JSON_TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > JSON_DEPTH:
                return True
        elif token[0] in "]}":
            depth -= 1
    return False


def constrained_response(response: str) -> bool:
    """One of the three answers occurs exactly as written; two of them pass as well."""
    return any(answer in response for answer in ANSWERS)
