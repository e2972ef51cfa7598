"""Short forms for the tests of vendor files."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from runner.engines.operators import parse_operators
from runner.engines.spec import Ask
from runner.records.search import SearchResult

TODAY = date(2026, 11, 15)

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)
)


def ask(
    query: str = "acme plant",
    *,
    num_results: int = 10,
    snippet_chars: int = 2000,
    key: str | None = "k",
    mode: str | None = None,
) -> Ask:
    return Ask(
        query=query,
        operators=parse_operators(query),
        num_results=num_results,
        snippet_chars=snippet_chars,
        key=key,
        mode=mode,
        today=TODAY,
    )


def json_with(*names: str) -> st.SearchStrategy[object]:
    """Any JSON value, its objects mostly under the names that a vendor uses."""
    keys = st.sampled_from(names) | st.text(max_size=5)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=25,
    )


def brief(results: list[SearchResult]) -> list[tuple[str | None, ...]]:
    return [(r.url, r.title, r.snippet, r.published_date) for r in results]
