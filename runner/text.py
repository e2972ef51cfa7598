"""Query identity, clipping, text for tables, and the UTC time forms that every file uses."""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from datetime import UTC, datetime

from runner.errors import UsageError

_SPACES = re.compile(r"\s+")
# What a spreadsheet runs; the wide forms are typed in East Asia and are taken for the narrow ones.
_FORMULA = re.compile("'*[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]")
# What Markdown or the HTML inside it could take for markup.
_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$@]|:(?=//)|(?i:(?<=www)\.))")
_ENDLESS = re.compile(r"&#(?=[0-9]{8}|[xX][0-9a-fA-F]{8})")  # more than any character's number


def canonical_text(text: str) -> str:
    """The query as it is compared: NFC, lower case, trimmed, white space runs to one space."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text).lower().strip())


def query_hash(text: str) -> str:
    """The first 16 hex digits of the SHA-256 of the canonical text."""
    return hashlib.sha256(canonical_text(text).encode()).hexdigest()[:16]


def query_id(text: str, hour: datetime) -> str:
    """`<query_hash>_<YYYY-MM-DDTHH>` of the UTC hour."""
    return f"{query_hash(text)}_{hour.astimezone(UTC):%Y-%m-%dT%H}"


def clip(text: str | None, max_chars: int) -> str | None:
    """The first `max_chars` code points, no ellipsis; 0 means no limit."""
    if text is None or max_chars <= 0:
        return text
    return text[:max_chars]


def unescape_html(text: str) -> str:
    """The text with HTML entities decoded, as `html.unescape`, whatever the text holds.

    A number of thousands of digits is no entity; Python would refuse to read it and raise.
    """
    if "&" not in text:
        return text
    return html.unescape(_ENDLESS.sub(r"&amp;#", text))


def spreadsheet_text(text: str) -> str:
    """The text of a CSV cell, behind an apostrophe where a spreadsheet would run it as a formula.

    A text that begins with apostrophes and then so gets one more, so that `from_spreadsheet` can
    take it away again.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def from_spreadsheet(cell: str) -> str:
    """The text that `spreadsheet_text` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def escape_md(text: str) -> str:
    """Text on one line of Markdown in which nothing is markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def minute_ts(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MMZ`, the timestamp of published rows."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def second_ts(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SSZ`, the time of a recorded event."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def run_id(ts: str) -> str:
    """The timestamp of a run without its colons: its name in the archive."""
    return ts.replace(":", "")


def hour_ts(moment: datetime) -> str:
    """ISO 8601 with offset, minutes zeroed: the generation hour of a query row."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0).isoformat()


def parse_time(text: str) -> datetime:
    """The UTC moment of an ISO 8601 text; a time without an offset is UTC.

    Years have four digits, and a week on either side is still a date. Raises UsageError naming
    the accepted form.
    """
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is not a time; write it like 2026-08-22T17:00Z") from error
    if not 1000 <= moment.year < 9999:
        raise UsageError(f"{text!r} is out of range; write it like 2026-08-22T17:00Z")
    return moment
