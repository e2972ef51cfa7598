"""What code checks of a projected query, whatever the model says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from runner.benches.news.dedupe import to_ascii

MIN_WORDS, MAX_WORDS = 2, 8
MAX_CHARS = 200
MIN_CONTENT_WORDS = 2
COPIED_RUN = 6
DATE_SLACK = timedelta(days=2)

STOP_WORDS = frozenset(
    """a about after again all also an and are as at be been before but by can could did do does
    for from get had has have he her his how i in into is it its me more most my new no not now of
    off on one or our out over said say says she so some than that the their them then there these
    they this to today too up us was we were what when where which who whose why will with would
    you your""".split()
)
_URL = re.compile(r"https?:|://|\bwww\.", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(?:site|after|before|inurl|intitle|filetype):\S", re.IGNORECASE)
_QUESTION = frozenset({"what", "why", "how", "what's", "how's", "whats"})
_EDGES = " \t.,;:!?()[]{}<>\"'`*_|/\\–—-“”„«»…"
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+((?:19|20)\d\d))?"
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\s+{_DAY}\b(?![.,:]\d|%){_YEAR}", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"(?<![\d.,:]){_DAY}\s+{_MONTH}\b{_YEAR}", re.IGNORECASE)
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d{1,2})-(\d{1,2})\b")


def rejection(query: str, titles: Sequence[str], today: date) -> str | None:
    """Why the query must not be asked, or None where nothing speaks against it.

    Length, URLs, operators, question form, copies of a title (the whole, or six words in a row),
    a bare entity (fewer than two content words), a date more than two days from `today`.
    """
    words = split_words(query)
    if len(query) > MAX_CHARS or not MIN_WORDS <= len(words) <= MAX_WORDS:
        return "length"
    if _URL.search(query):
        return "url"
    if _OPERATOR.search(query) or '"' in query:
        return "operator"
    if not re.search(r"[a-z]", to_ascii(query).lower()):
        return "not_latin"
    if words[0] in _QUESTION:
        return "question"
    if len(set(words) - STOP_WORDS) < MIN_CONTENT_WORDS:
        return "bare_entity"
    if any(is_copied(words, split_words(title)) for title in titles):
        return "copied"
    if any(abs(day - today) > DATE_SLACK for day in dates_in(query, today)):
        return "other_date"
    return None


def split_words(text: str) -> list[str]:
    """Lower-case words between white space, without punctuation at their edges."""
    words = (word.strip(_EDGES) for word in text.lower().replace("’", "'").split())
    return [word for word in words if word]


def is_copied(words: Sequence[str], title: Sequence[str]) -> bool:
    """Whether the words are the title, or share a run of six words with it."""
    if list(words) == list(title):
        return True
    runs = {tuple(title[i : i + COPIED_RUN]) for i in range(len(title) - COPIED_RUN + 1)}
    return any(tuple(words[i : i + COPIED_RUN]) in runs for i in range(len(words) - COPIED_RUN + 1))


def dates_in(text: str, today: date) -> list[date]:
    """Every date named with day and month; without a year it is the one closest to `today`.

    Impossible dates (February 30) are none.
    """
    named: list[tuple[str | None, int, int]] = []
    named += [(year, int(month), int(day)) for year, month, day in _ISO.findall(text)]
    for month, day, year in _MONTH_FIRST.findall(text):
        named.append((year or None, _month(month), int(day)))
    for day, month, year in _DAY_FIRST.findall(text):
        named.append((year or None, _month(month), int(day)))
    found = []
    for year, month, day in named:
        years = [int(year)] if year else [today.year - 1, today.year, today.year + 1]
        days = [moment for y in years if (moment := _date(y, month, day)) is not None]
        if days:
            found.append(min(days, key=lambda moment: abs(moment - today)))
    return found


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
