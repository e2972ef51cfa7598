from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.errors import UsageError
from runner.text import (
    canonical_text,
    clip,
    escape_md,
    from_spreadsheet,
    hour_ts,
    minute_ts,
    parse_time,
    query_hash,
    query_id,
    run_id,
    second_ts,
    spreadsheet_text,
    unescape_html,
)

MOMENT = datetime(2026, 11, 15, 12, 17, 45, 999, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("Nvidia  CEO ", "9bed48b162597240"),
        ("nvidia ceo", "9bed48b162597240"),
        ("\tNVIDIA\u00a0\n ceo", "9bed48b162597240"),
        ("Café“X”", "f1f4ccae2e08310e"),
        ("cafe\u0301 x", "06c7baac6912b915"),
        ("café x", "06c7baac6912b915"),
    ],
)
def test_spellings_of_one_query_share_its_hash(text: str, digest: str) -> None:
    assert query_hash(text) == digest


def test_a_query_id_is_its_hash_and_the_utc_hour() -> None:
    assert query_id("nvidia ceo", MOMENT) == "9bed48b162597240_2026-11-15T10"


@given(st.text())
def test_canonical_text_of_canonical_text_is_itself(text: str) -> None:
    once = canonical_text(text)
    assert once == once.strip()
    assert "  " not in once
    assert canonical_text(f"  {once} ") == canonical_text(once)


@pytest.mark.parametrize(
    ("text", "max_chars", "clipped"),
    [
        ("abcdef", 3, "abc"),
        ("abc", 3, "abc"),
        ("abcdef", 0, "abcdef"),
        ("日本語", 2, "日本"),
        ("", 3, ""),
        (None, 3, None),
    ],
)
def test_clipping_counts_code_points_and_0_means_no_limit(
    text: str | None, max_chars: int, clipped: str | None
) -> None:
    assert clip(text, max_chars) == clipped


def test_every_time_form_is_utc() -> None:
    assert minute_ts(MOMENT) == "2026-11-15T10:17Z"
    assert second_ts(MOMENT) == "2026-11-15T10:17:45Z"
    assert hour_ts(MOMENT) == "2026-11-15T10:00:00+00:00"
    assert run_id("2026-11-15T10:17Z") == "2026-11-15T1017Z"


@pytest.mark.parametrize(
    "text", ["2026-11-15T10:17Z", "2026-11-15T10:17", "2026-11-15T12:17+02:00", "2026-11-15 10:17"]
)
def test_a_time_is_read_in_any_iso_form_and_as_utc_without_an_offset(text: str) -> None:
    assert parse_time(text) == datetime(2026, 11, 15, 10, 17, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00Z", "1763201820"])
def test_a_text_that_is_no_time_is_refused_with_the_accepted_form(text: str) -> None:
    with pytest.raises(UsageError, match="write it like 2026-08-22T17:00Z"):
        parse_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00Z",
        "0001-01-01T00:00+05:00",
        "0999-12-31T23:59Z",
        "9999-01-01T00:00Z",
        "9999-12-31T23:59-05:00",
    ],
)
def test_a_time_that_no_date_can_be_reckoned_from_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="write it like 2026-08-22T17:00Z"):
        parse_time(text)


@given(
    st.datetimes(
        timezones=st.just(UTC), min_value=datetime(1000, 1, 1), max_value=datetime(9998, 12, 31)
    )
)
def test_a_minute_timestamp_reads_back_as_its_minute(moment: datetime) -> None:
    assert parse_time(minute_ts(moment)) == moment.replace(second=0, microsecond=0)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a &amp; b &#8217;s &#x2019;s", "a & b \u2019s \u2019s"),
        ("no entity", "no entity"),
        ("&#1234567;", "\ufffd"),
        ("&#12345678;", "&#12345678;"),
        ("&#x12345678;", "&#x12345678;"),
        ("&#" + "9" * 5_000 + ";", "&#" + "9" * 5_000 + ";"),
        ("&#x" + "f" * 5_000, "&#x" + "f" * 5_000),
    ],
)
def test_entities_are_decoded_and_endless_numbers_left_as_they_are(text: str, plain: str) -> None:
    assert unescape_html(text) == plain


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("-inf", "'-inf"),
        ("@sum(a)", "'@sum(a)"),
        ("\ta", "'\ta"),
        ("\ra", "'\ra"),
        ("\na", "'\na"),
        ("\uff1d1", "'\uff1d1"),
        ("'=1", "''=1"),
        ("plain", "plain"),
        ("'quoted", "'quoted"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_a_cell_is_no_formula_and_its_text_comes_back(text: str, cell: str) -> None:
    assert spreadsheet_text(text) == cell
    assert from_spreadsheet(cell) == text


@given(st.text("=+-@'\t\r\n a1", max_size=6))
def test_any_text_comes_back_from_its_cell(text: str) -> None:
    assert from_spreadsheet(spreadsheet_text(text)) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[a](javascript:1)", "\\[a\\](javascript:1)"),
        ("a | b", "a \\| b"),
        ("<b>&amp;", "\\<b\\>\\&amp;"),
        ("two\nlines", "two lines"),
        ("$x$ `c` *i* _u_ ~s~", "\\$x\\$ \\`c\\` \\*i\\* \\_u\\_ \\~s\\~"),
        ("https://a.example www.b.example", "https\\://a.example www\\.b.example"),
        ("@name", "\\@name"),
    ],
)
def test_nothing_in_a_name_is_markdown(text: str, line: str) -> None:
    assert escape_md(text) == line
