"""What the two engines behind a language model share: the prompt, and hits joined with its JSON.

The order of the results is the tool's own. What the model writes only adds titles and snippets:
a row for a page that the tool did not return is dropped, and a text that is no JSON adds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from runner.engines.shapes import entries, text
from runner.paths import PROMPTS
from runner.records.search import SearchResult

NO_SEARCH = "model did not search"


@cache
def prompt() -> str:
    """The instructions to the model, the same for every vendor."""
    return (PROMPTS / "model_search.system.j2").read_text(encoding="utf-8").strip()


def join(hits: Iterable[SearchResult], written: Iterable[Any]) -> list[SearchResult]:
    """The tool's distinct hits in their order, completed from the rows of the model's text.

    `written` are the parts of that text; what is no string among them is left out.
    """
    rows: dict[str, dict[str, Any]] = {}
    for row in _rows("".join(part for part in written if isinstance(part, str))):
        if url := text(row.get("url")):
            rows.setdefault(without_utm(url.strip()), row)
    joined: dict[str, SearchResult] = {}
    for hit in hits:
        key = without_utm(hit.url)
        row = rows.get(key, {})
        joined.setdefault(
            key,
            SearchResult(
                url=hit.url,
                title=hit.title or text(row.get("title")),
                snippet=text(row.get("snippet")),
                published_date=hit.published_date,
            ),
        )
    return list(joined.values())


def without_utm(url: str) -> str:
    """The URL without its `utm_` parameters; all else, and a URL without any, byte for byte."""
    address, mark, query = url.partition("?")
    query, hash_sign, fragment = query.partition("#")
    parts = query.split("&")
    kept = [part for part in parts if not part.lower().startswith("utm_")]
    if "#" in address or len(kept) == len(parts):  # a "?" behind a "#" starts no query
        return url
    return address + (mark + "&".join(kept) if kept else "") + hash_sign + fragment


def _rows(written: str) -> list[dict[str, Any]]:
    """The objects between the first `[` and the last `]`, whatever fence or prose is around."""
    start, end = written.find("["), written.rfind("]")
    if start < 0 or end < start:
        return []
    try:
        return list(entries(json.loads(written[start : end + 1])))
    except (ValueError, RecursionError):
        return []
