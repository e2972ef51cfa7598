"""Reading fields out of a JSON answer that may have any shape: what does not fit is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from runner.engines.spec import ApiError, Ask
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


def distinct(results: Iterable[SearchResult]) -> list[SearchResult]:
    """The results without those whose URL came before: vendors repeat a page in two sections."""
    first: dict[str, SearchResult] = {}
    for one in results:
        first.setdefault(one.url, one)
    return list(first.values())


def bearer(ask: Ask) -> dict[str, str]:
    """The header of a vendor that takes its key as a bearer token."""
    return {"Authorization": f"Bearer {ask.key or ''}"}


def raise_error(body: Any, place: str = "") -> None:
    """Raises ApiError for an object with an error's text and, if one is named, without `place`."""
    if not isinstance(body, dict) or (place and place in body):
        return
    for name in ("error", "message", "detail"):
        value = body.get(name)
        if isinstance(value, dict):
            value = value.get("message") or value.get("error") or value.get("detail")
        if message := text(value):
            raise ApiError(message)
