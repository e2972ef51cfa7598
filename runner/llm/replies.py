"""The JSON object in a model's reply, whatever stands around it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

MAX_CHARS = 65_536  # a reply is bounded by its token limit; this bounds the work on a hostile one
_THINKING = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


def last_object(text: str) -> dict[str, Any] | None:
    """The last valid JSON object in `text`, or None.

    A leading think block is passed over (an unclosed one hides everything), fences and prose are
    ignored, and drafts before the last object do not count. Numbers are finite, strings hold no
    half characters. Only the last `MAX_CHARS` characters are looked at.
    """
    text = _THINKING.sub("", text, count=1) if _THINKING.match(text) else text
    text = text[-MAX_CHARS:]
    found: dict[str, Any] | None = None
    start = text.find("{")
    while start >= 0:
        value, end = _object_at(text, start)
        found = found if value is None else value
        start = text.find("{", end)
    return found


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that begins at `start` and where it ends, or None and the next place to look."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1
    whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return json.loads(whole), end


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is out of range")
    return value


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_refused)
