"""Which commit is a month's state, from made logs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from runner.errors import DataError, PublishError
from snapshot.as_of import Commit, find_state, month_before, parse_month

OCTOBER = parse_month("2026-10")
ROOT = Commit("root", "begin the data branch")


def bench(ts: str) -> Commit:
    return Commit(ts, f"bench: {ts}")


def runs(*published: tuple[str, str]) -> bytes:
    """`runs.json` with runs by start and time of publication, empty for an old entry."""
    entries = [
        {"id": ts.replace(":", ""), "ts": ts, "artifacts": []}
        | ({"published_at": {"news": at}} if at else {})
        for ts, at in published
    ]
    return json.dumps(entries).encode()


EARLY, LATE = "2026-10-31T20:17Z", "2026-10-31T23:17Z"
NEXT = "2026-11-01T00:17Z"


@pytest.mark.parametrize(
    ("log", "files", "state"),
    [
        ([], {}, None),
        ([ROOT], {}, None),
        ([ROOT, bench(NEXT)], {NEXT: runs((NEXT, ""))}, None),
        ([bench(NEXT)], {NEXT: runs((NEXT, "2026-11-01T00:30:00Z"))}, None),
        ([ROOT, bench(EARLY), bench(LATE), bench(NEXT)], {}, LATE),
        (
            [ROOT, bench(EARLY), bench(LATE), bench(NEXT)],
            {LATE: runs((EARLY, ""), (LATE, "2026-11-01T00:00:00Z"))},
            EARLY,
        ),
        ([ROOT, bench(EARLY), Commit("x", "compact: 2026-10-31T20:30Z")], {}, EARLY),
        ([ROOT, bench(EARLY), bench(NEXT), bench(LATE)], {}, EARLY),
        ([Commit("new", "begin anew"), bench(NEXT)], {"new": runs((LATE, ""))}, "new"),
        ([ROOT, bench("2026-09-30T23:17Z"), bench(NEXT)], {}, None),
    ],
)
def test_the_state_is_the_last_publication_before_the_next_month(
    log: list[Commit], files: dict[str, bytes], state: str | None
) -> None:
    found = find_state(log, OCTOBER, files.get)
    assert (found.id if found else None) == state


def test_a_history_that_begins_after_the_month_is_an_error_and_not_a_month_without_data() -> None:
    log = [Commit("new", "begin anew"), bench("2026-12-01T00:17Z")]
    files = {"new": runs((LATE, ""), ("2026-11-20T00:17Z", ""))}
    with pytest.raises(PublishError, match="begins after the end of 2026-10"):
        find_state(log, OCTOBER, files.get)


def test_a_broken_index_is_named_by_its_commit() -> None:
    with pytest.raises(DataError, match=f"^{EARLY}:runs.json: "):
        find_state([ROOT, bench(EARLY)], OCTOBER, {EARLY: b"{"}.get)


def test_a_month_ends_with_its_last_second_and_the_last_one_is_over() -> None:
    assert parse_month("2028-02").as_of == datetime(2028, 2, 29, 23, 59, 59, tzinfo=UTC)
    assert parse_month("2026-12").end == datetime(2027, 1, 1, tzinfo=UTC)
    assert month_before(datetime(2027, 1, 1, 0, 20, tzinfo=UTC)).key == "2026-12"
