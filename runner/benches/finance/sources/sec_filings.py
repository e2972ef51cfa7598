"""A company's filings as the SEC's submissions files list them.

Source: `data.sec.gov/submissions/CIK##########.json`. `filings.recent` holds parallel arrays of at
least a year of filings; `filings.files` names older pages with the dates they reach from and to.
A page is those arrays alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError

FORMS = frozenset({"10-K", "10-Q", "8-K", "DEF 14A", "20-F", "40-F"})
MAX_FILINGS = 50_000  # of one page
MAX_OLDER_PAGES = 20

_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}", re.ASCII)
_DOCUMENT = re.compile(r"[A-Za-z0-9_][\w.\-]{0,120}\.(?:htm|html|txt)", re.ASCII | re.IGNORECASE)
_PAGE = re.compile(r"CIK\d{10}-submissions-\d{3}\.json", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEAR_END = re.compile(r"(\d{2})(\d{2})", re.ASCII)


@dataclass(frozen=True)
class Filing:
    """One filing. `period` is the report date, None where it has none; `document` is the main
    file's name, "" where it has none that is text; `items` are those of an 8-K.
    """

    accession: str
    form: str
    filed: date
    period: date | None
    document: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Submissions:
    """Filings of the forms in `FORMS`, newest first; `year_end` is (month, day), if known.

    `older` are the names of the pages that were not read.
    """

    filings: tuple[Filing, ...]
    year_end: tuple[int, int] | None
    older: tuple[str, ...] = ()


def parse_submissions(document: Any, since: date | None, drops: Drops) -> Submissions:
    """The first page, and which older pages reach past `since` (None: none is asked for).

    Filings of a wrong shape are counted as `filing_malformed`; raises SourceError where the
    document itself has another shape.
    """
    filings = document.get("filings") if isinstance(document, dict) else None
    if not isinstance(filings, dict):
        raise SourceError("malformed", "submissions: expected an object with `filings`")
    found = parse_page(filings.get("recent"), drops)
    older = _older(filings.get("files"), since) if since is not None else ()
    return Submissions(found, _year_end(document.get("fiscalYearEnd")), older)


def parse_page(columns: Any, drops: Drops) -> tuple[Filing, ...]:
    """The filings of one page of parallel arrays, newest first."""
    names = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument")
    if not isinstance(columns, dict) or not all(
        isinstance(columns.get(name), list) for name in names
    ):
        raise SourceError("malformed", f"submissions: expected the arrays {', '.join(names)}")
    arrays: list[Sequence[Any]] = [columns[name][:MAX_FILINGS] for name in names]
    items = columns.get("items")
    arrays.append(items if isinstance(items, list) else [])
    found = []
    for i in range(max(map(len, arrays[:-1]))):
        row = [array[i] if i < len(array) else None for array in arrays]
        if isinstance(row[1], str) and row[1] not in FORMS:
            continue
        filing = _read_filing(*row)
        if filing is None:
            drops.add("filing_malformed", f"submissions, filing {i}: {row!r:.200}")
        else:
            found.append(filing)
    return newest_first(found)


def parse_search(document: Any) -> frozenset[str] | None:
    """The accession numbers that a full-text search lists, None where it found more than those.

    Raises SourceError for an answer of another shape.
    """
    hits = document.get("hits") if isinstance(document, dict) else None
    listed = hits.get("hits") if isinstance(hits, dict) else None
    total = hits.get("total") if isinstance(hits, dict) else None
    count = total.get("value") if isinstance(total, dict) else total
    if not isinstance(listed, list) or type(count) is not int:
        raise SourceError("malformed", "full-text search: expected `hits` with `total` and `hits`")
    ids = [hit.get("_id") if isinstance(hit, dict) else None for hit in listed[:100]]
    numbers = [str(each).partition(":")[0] for each in ids]
    if not all(map(is_accession, numbers)):
        raise SourceError("malformed", f"full-text search: no accession number in {ids!r:.200}")
    return frozenset(numbers) if count <= len(numbers) else None


def newest_first(filings: Iterable[Filing]) -> tuple[Filing, ...]:
    """The filings by date, then accession number, each once."""
    unique = {filing.accession: filing for filing in filings}
    return tuple(
        sorted(unique.values(), key=lambda filing: (filing.filed, filing.accession), reverse=True)
    )


def read_date(value: Any) -> date | None:
    """The date of a `YYYY-MM-DD` text of our times, None for anything else."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return None
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    return day if 1900 <= day.year < 2200 else None


def is_accession(value: Any) -> bool:
    """Whether the value is an accession number in its dashed form."""
    return isinstance(value, str) and _ACCESSION.fullmatch(value) is not None


def _read_filing(
    accession: Any, form: Any, filed: Any, period: Any, document: Any, items: Any
) -> Filing | None:
    day = read_date(filed)
    if not is_accession(accession) or not isinstance(form, str) or day is None:
        return None
    reported = read_date(period)
    if reported is None and period is not None and period != "":
        return None
    if not isinstance(document, str) or not _DOCUMENT.fullmatch(document):
        document = ""
    listed = items.split(",") if isinstance(items, str) else []
    return Filing(
        accession, form, day, reported, document, tuple(item.strip() for item in listed[:30])
    )


def _older(files: Any, since: date) -> tuple[str, ...]:
    """The pages whose last filing is not older than `since`, newest page first."""
    found = []
    for entry in files if isinstance(files, list) else []:
        if isinstance(entry, dict):
            name, last = entry.get("name"), read_date(entry.get("filingTo"))
            is_wanted = last is not None and last >= since
            if is_wanted and isinstance(name, str) and _PAGE.fullmatch(name):
                found.append((last, name))
    return tuple(name for _, name in sorted(found, reverse=True)[:MAX_OLDER_PAGES])


def _year_end(value: Any) -> tuple[int, int] | None:
    match = _YEAR_END.fullmatch(value) if isinstance(value, str) else None
    if match is None or not 1 <= int(match[1]) <= 12 or not 1 <= int(match[2]) <= 31:
        return None
    return int(match[1]), int(match[2])
