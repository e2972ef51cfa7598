"""The SEC: the shapes of its lists, its rate, its refusals, and the confirmation of a chief."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.sources.sec import BLOCKED_AFTER, GAP_S, Sec, second_sources
from runner.benches.finance.sources.sec_filings import (
    Submissions,
    parse_page,
    parse_search,
    parse_submissions,
)
from runner.errors import TooLittleError
from runner.settings import Settings
from tests.runner.benches.finance.made_sec import filing, listing
from tests.runner.wire import FakeTime, Script, answer, wire

ACCESSION = "0000000001-26-000089"


def columns(*rows: tuple[Any, ...]) -> dict[str, list[Any]]:
    """Filings (accession, form, filed, period, document, items) as parallel arrays."""
    names = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "items")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def row(
    serial: int = 89, form: Any = "8-K", filed: Any = "2026-09-15", **more: Any
) -> tuple[Any, ...]:
    made = {"accession": f"0000000001-26-{serial:06d}", "period": "", "document": "d.htm"}
    made |= {"items": "", **more}
    return (made["accession"], form, filed, made["period"], made["document"], made["items"])


def document(*rows: tuple[Any, ...], files: Any = (), year_end: Any = "1231") -> dict[str, Any]:
    listed = list(files) if isinstance(files, tuple) else files
    return {"fiscalYearEnd": year_end, "filings": {"recent": columns(*rows), "files": listed}}


def test_parallel_arrays_become_filings_newest_first_of_known_forms() -> None:
    drops = Drops()
    found = parse_submissions(
        document(
            row(1, "10-Q", "2026-05-04", period="2026-03-31"),
            row(2, "4", "2026-09-01"),
            row(3, "8-K", "2026-09-15", period="2026-09-12", items="5.02,9.01"),
            row(3, "8-K", "2026-09-15", period="2026-09-12", items="5.02,9.01"),
            row(4, "10-Q/A", "2026-09-20"),
            row(5, "DEF 14A", "2026-04-01"),
        ),
        None,
        drops,
    )
    assert [(each.accession[-2:], each.form) for each in found.filings] == [
        ("03", "8-K"),
        ("01", "10-Q"),
        ("05", "DEF 14A"),
    ]
    assert found.filings[0].items == ("5.02", "9.01")
    assert found.filings[0].period == date(2026, 9, 12)
    assert found.filings[2].period is None
    assert found.year_end == (12, 31)
    assert not drops.counts


@pytest.mark.parametrize(
    "bad",
    [
        row(accession="1-2-3"),
        row(accession=None),
        row(accession="0000000001-26-00008９"),  # a digit of another script
        row(form=None),
        row(form=7),
        row(form=["8-K"]),
        row(period=["2026-09-12"]),
        row(accession={"a": 1}),
        row(filed="2026-02-30"),
        row(filed="15.09.2026"),
        row(filed=20260915),
        row(filed="0001-01-01"),
        row(period="soon"),
        row(period=7),
    ],
)
def test_a_filing_of_another_shape_is_counted(bad: tuple[Any, ...]) -> None:
    drops = Drops()
    assert len(parse_page(columns(bad, row(1)), drops)) == 1
    assert drops.counts == {"filing_malformed": 1}


def test_arrays_of_unequal_length_lose_only_what_is_incomplete() -> None:
    page = columns(row(1), row(2), row(3))
    page["filingDate"].pop()
    del page["items"]
    drops = Drops()
    assert [each.accession[-1] for each in parse_page(page, drops)] == ["2", "1"]
    assert drops.counts == {"filing_malformed": 1}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "../../../etc/passwd",
        "xsl/form4.xml",
        "a.pdf",
        "d.htm?x=1",
        "d.htm#a",
        7,
        None,
        "a b.htm",
    ],
)
def test_a_document_that_is_no_plain_file_of_text_is_none(name: Any) -> None:
    (found,) = parse_page(columns(row(document=name)), Drops())
    assert found.document == ""


@pytest.mark.parametrize(
    "wrong",
    [None, [], "x", {}, {"filings": []}, {"filings": {"recent": []}}, {"filings": {"recent": {}}}],
)
def test_submissions_of_another_shape_are_malformed(wrong: Any) -> None:
    with pytest.raises(SourceError) as caught:
        parse_submissions(wrong, None, Drops())
    assert caught.value.kind == "malformed"


@pytest.mark.parametrize(
    ("text", "year_end"),
    [
        ("1231", (12, 31)),
        ("0229", (2, 29)),
        ("1331", None),
        ("0100", None),
        (None, None),
        (7, None),
    ],
)
def test_the_fiscal_years_end_is_month_and_day(text: Any, year_end: Any) -> None:
    assert parse_submissions(document(year_end=text), None, Drops()).year_end == year_end


def page_entry(number: int, last: Any) -> dict[str, Any]:
    return {"name": f"CIK0000000001-submissions-{number:03d}.json", "filingTo": last}


def test_only_older_pages_that_reach_past_the_date_are_read() -> None:
    files = [
        page_entry(2, "2024-03-01"),
        page_entry(1, "2025-08-01"),
        page_entry(3, "2020-01-01"),
        page_entry(4, None),
        {"name": "../secret.json", "filingTo": "2026-01-01"},
        {"name": 7, "filingTo": "2026-01-01"},
        None,
    ]
    made = document(row(), files=files)
    since = date(2024, 3, 1)
    assert parse_submissions(made, since, Drops()).older == (
        "CIK0000000001-submissions-001.json",
        "CIK0000000001-submissions-002.json",
    )
    assert parse_submissions(made, None, Drops()).older == ()
    assert parse_submissions(document(row(), files={"a": 1}), since, Drops()).older == ()


def hits(*ids: Any, total: Any = None) -> dict[str, Any]:
    count = {"value": len(ids), "relation": "eq"} if total is None else total
    return {"hits": {"total": count, "hits": [{"_id": each} for each in ids]}}


def test_a_search_counts_filings_not_documents() -> None:
    made = hits(f"{ACCESSION}:d.htm", f"{ACCESSION}:ex99.htm", "0000000001-25-000001:a.htm")
    assert parse_search(made) == {ACCESSION, "0000000001-25-000001"}
    assert parse_search(hits()) == frozenset()


def test_more_hits_than_listed_are_too_many_to_know() -> None:
    assert parse_search(hits(f"{ACCESSION}:d.htm", total={"value": 2, "relation": "eq"})) is None
    assert (
        parse_search(hits(f"{ACCESSION}:d.htm", total={"value": 10_000, "relation": "gte"})) is None
    )


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {},
        {"hits": []},
        {"hits": {"total": {"value": 0}}},
        {"hits": {"total": {"value": "0"}, "hits": []}},
        {"hits": {"total": {"value": True}, "hits": []}},
        {"message": "Internal server error"},
        hits("no number"),
        hits(None),
        {"hits": {"total": {"value": 1}, "hits": ["x"]}},
    ],
)
def test_a_search_answer_of_another_shape_is_malformed(wrong: Any) -> None:
    with pytest.raises(SourceError) as caught:
        parse_search(wrong)
    assert caught.value.kind == "malformed"


def with_sec(
    answers: list[bytes], ask: Callable[[Sec], Awaitable[Any]], cache: Path | None = None
) -> tuple[Any, Script, FakeTime, Drops]:
    """What `ask` gave (an error as a value), the script, the time that passed, the drops."""

    async def run() -> tuple[Any, Script, FakeTime, Drops]:
        drops, time = Drops(), FakeTime()
        async with wire(*answers) as script:
            env = {"NEEDLE_CONTACT": "Needle ops@example.org"}
            settings = Settings(env=env, gateway=script.url, sleep=time.sleep)
            sec = Sec(settings, cache=cache, concurrency=2, drops=drops)
            try:
                return await ask(sec), script, time, drops
            except (SourceError, TooLittleError) as error:
                return error, script, time, drops
            finally:
                await sec.aclose()

    return asyncio.run(run())


def body(value: Any) -> bytes:
    return answer(json.dumps(value).encode())


APPLE = {"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}}


def test_the_list_of_companies_is_asked_for_with_a_contact() -> None:
    found, script, _, _ = with_sec([body(APPLE)], lambda sec: sec.companies())
    assert [each.title for each in found] == ["Apple Inc."]
    (head,) = script.heads
    assert head.startswith("GET /www.sec.gov/files/company_tickers.json ")
    assert "(+Needle ops@example.org)" in head


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (answer(status=403), "set NEEDLE_CONTACT"),
        (answer(status=404), "HTTP 404"),
        (answer(b"<html>"), "not JSON"),
        (body([]), "found list"),
        (body({}), "it begins with nothing"),
    ],
)
def test_without_a_list_nothing_is_generated(reply: bytes, text: str) -> None:
    error, *_ = with_sec([reply], lambda sec: sec.companies())
    assert isinstance(error, TooLittleError)
    assert text in str(error)
    assert "the gold of before stands" in str(error)
    assert error.exit_code == 3


def test_requests_to_all_hosts_keep_one_pace_below_ten_a_second() -> None:
    async def ask(sec: Sec) -> None:
        for cik in (1, 2, 3):
            await sec.facts(cik)
            await sec.filings_with(cik, "a b", until=date(2026, 11, 3))

    both = [body({"facts": {}}), body(hits())] * 3
    _, script, time, _ = with_sec(both, ask)
    assert len(script.heads) == 6
    # No time passes while this clock sleeps, so that the last request waits for all five gaps;
    # two paces side by side would be two gaps behind.
    assert 3 * GAP_S < time.slept[-1] <= 5 * GAP_S
    assert 1 / GAP_S < 10


def test_a_search_names_phrase_company_and_dates() -> None:
    found, script, _, _ = with_sec(
        [body(hits(f"{ACCESSION}:d.htm"))],
        lambda sec: sec.filings_with(7, 'blue "harbor"', until=date(2026, 11, 3)),
    )
    assert found == {ACCESSION}
    (head,) = script.heads
    assert head.startswith(
        "GET /efts.sec.gov/LATEST/search-index?q=%22blue%20%20harbor%20%22&ciks=0000000007"
        "&dateRange=custom&startdt=2001-01-01&enddt=2026-11-03 "
    )


def test_older_pages_are_added_to_the_newest() -> None:
    first = document(row(5, filed="2026-09-15"), files=[page_entry(1, "2026-01-01")])
    older = columns(row(2, "10-Q", "2025-11-03"), row(5, filed="2026-09-15"))
    found, script, _, _ = with_sec(
        [body(first), body(older)], lambda sec: sec.submissions(1, since=date(2025, 6, 1))
    )
    assert [each.accession[-1] for each in found.filings] == ["5", "2"]
    assert script.heads[1].startswith(
        "GET /data.sec.gov/submissions/CIK0000000001-submissions-001.json "
    )


def test_a_document_is_found_below_the_accession_without_dashes() -> None:
    made = filing()
    found, script, _, _ = with_sec([answer(b"<p>x</p>")], lambda sec: sec.document(7, made))
    assert found == "<p>x</p>"
    assert script.heads[0].startswith(
        "GET /www.sec.gov/Archives/edgar/data/7/000000000126000089/d.htm "
    )
    error, script, _, _ = with_sec([answer(b"")], lambda sec: sec.document(7, filing(document="")))
    assert (error.kind, script.heads) == ("not_found", [])


@pytest.mark.parametrize("wrong", [[], {}, {"facts": []}, None, 7])
def test_facts_of_another_shape_are_malformed(wrong: Any) -> None:
    error, *_ = with_sec([body(wrong)], lambda sec: sec.facts(1))
    assert error.kind == "malformed"


def test_after_some_refusals_in_a_row_nothing_is_asked_any_more() -> None:
    async def ask(sec: Sec) -> list[str]:
        kinds = []
        for cik in range(BLOCKED_AFTER + 3):
            try:
                await sec.facts(cik)
            except SourceError as error:
                kinds.append(error.kind)
        return kinds

    kinds, script, _, _ = with_sec([answer(status=403)], ask)
    assert kinds == ["forbidden"] * (BLOCKED_AFTER + 3)
    assert len(script.heads) == BLOCKED_AFTER
    mixed = [answer(status=403)] * (BLOCKED_AFTER - 1) + [body({"facts": {}})]
    _, script, _, _ = with_sec([*mixed, answer(status=403)], ask)
    assert len(script.heads) == BLOCKED_AFTER + 3


def test_lists_are_kept_between_runs_and_facts_are_not(tmp_path: Path) -> None:
    async def ask(sec: Sec) -> None:
        await sec.submissions(1)
        await sec.facts(1)

    kept = answer(json.dumps(document(row())).encode(), etag='"v1"')
    facts = answer(b'{"facts": {}}', etag='"v1"')
    with_sec([kept, facts], ask, tmp_path)
    result, script, _, _ = with_sec([answer(b"", 304), facts], ask, tmp_path)
    assert result is None
    assert 'If-None-Match: "v1"' in script.heads[0]
    assert "If-None-Match" not in script.heads[1]


def test_second_sources_are_the_newest_report_and_the_8_ks_on_officers_since() -> None:
    officers = ("5.02",)
    made = [
        filing("0000000001-26-000007", "8-K", date(2026, 9, 7), items=officers),
        filing("0000000001-26-000006", "8-K", date(2026, 9, 6), items=("8.01",)),
        filing("0000000001-26-000005", "8-K", date(2026, 9, 5), items=officers),
        filing("0000000001-26-000004", "DEF 14A", date(2026, 4, 4)),
        filing("0000000001-26-000003", "8-K", date(2026, 3, 3), items=officers),
        filing("0000000001-26-000002", "10-K", date(2026, 2, 2)),
        filing("0000000001-25-000001", "10-K", date(2025, 2, 2)),
    ]
    numbers = [each.accession[-1] for each in second_sources(Submissions(tuple(made), None))]
    assert numbers == ["7", "5", "4", "2"]
    assert second_sources(Submissions((), None)) == []


LEADS = b"<p>Jane Roe has been our Chief Executive Officer since 2019.</p>"
OTHER = b"<p>John New is our Chief Executive Officer.</p>"
APPOINTED = b"<p>The board appointed Jane Roe as Chief Executive Officer.</p>"
FAREWELL = b"<p>Jane Roe, Chief Executive Officer, will retire in May.</p>"
NOTHING = b"<p>The board elected a director.</p>"
GONE = answer(status=404)

PROXY = row(1, "DEF 14A", "2026-04-01")
ANNUAL = row(2, "10-K", "2026-02-01")
NEWS = row(3, "8-K", "2026-09-01", items="5.02")


@pytest.mark.parametrize(
    ("filings", "documents", "verdict"),
    [
        ([ANNUAL], [LEADS], True),
        ([ANNUAL], [OTHER], False),
        ([ANNUAL], [FAREWELL], False),
        ([row(2, "20-F", "2026-02-01")], [LEADS], True),
        ([PROXY, ANNUAL], [LEADS], True),
        ([PROXY, ANNUAL], [OTHER, LEADS], False),  # the older one is not asked
        ([PROXY, ANNUAL], [GONE, LEADS], True),
        ([NEWS, ANNUAL], [NOTHING, LEADS], True),
        ([NEWS, ANNUAL], [APPOINTED, OTHER], True),
        ([NEWS, ANNUAL], [APPOINTED.replace(b"Jane Roe", b"John New"), LEADS], False),
        ([NEWS, ANNUAL], [FAREWELL, LEADS], False),
        ([NEWS, ANNUAL], [FAREWELL.replace(b"Jane Roe", b"Our"), LEADS], False),
        ([row(3, "8-K", "2025-09-01", items="5.02"), ANNUAL], [LEADS], True),
        ([], [], False),
    ],
)
def test_a_chief_is_confirmed_by_the_newest_report_unless_news_say_otherwise(
    filings: list[tuple[Any, ...]], documents: list[bytes], verdict: bool
) -> None:
    answers = [each if each.startswith(b"HTTP") else answer(each) for each in documents]
    found, *_ = with_sec(
        [body(document(*filings)), *answers], lambda sec: sec.mentions(listing(), "Jane A. Roe")
    )
    assert found is verdict


def test_a_chief_is_not_denied_where_no_report_can_be_read() -> None:
    error, *_ = with_sec(
        [body(document(PROXY, ANNUAL)), GONE], lambda sec: sec.mentions(listing(), "Jane Roe")
    )
    assert isinstance(error, SourceError)
    assert error.kind == "not_found"
