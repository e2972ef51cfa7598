"""Reading fields out of a JSON answer that may have any shape: what does not fit is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.records.search import SearchResult


def at(value: Any, *names: str) -> Any:
    """The value under nested object keys, None where the way is blocked."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def entries(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a list; nothing for any other value."""
    if isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict):
                yield entry


def text(value: Any) -> str | None:
    """The string, or None for a blank one and for every other type."""
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        value.encode()
    except UnicodeEncodeError:  # half a surrogate pair, from a snippet cut by the vendor
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def lines(value: Any) -> str | None:
    """The strings of a list, one a line; None where there is none."""
    if not isinstance(value, list):
        return None
    return "\n".join(filter(None, map(text, value))) or None


def result(
    url: Any, title: Any = None, snippet: str | None = None, published_date: Any = None
) -> Iterator[SearchResult]:
    """One result, or none where the URL is not a non-empty string."""
    address = text(url)
    if address:
        yield SearchResult(
            url=address.strip(),
            title=text(title),
            snippet=snippet,
            published_date=text(published_date),
        )
