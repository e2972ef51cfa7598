"""Numbers that are no amounts: years, dates, references, ids, telephone numbers, counts of things.

They are told by their form and by what stands right beside them. A currency or a scale word
overrules all but the counts, so those two are looked for first (figures.py).
"""

from __future__ import annotations

import re

_WINDOW = 24  # characters beside a number in which an id or telephone number is looked for
_REFERENCE = re.compile(
    r"(?<![a-z])(?:form|item|notes?|exhibit|pages?|pp?\.|tables?|sections?|sec\.|rule|part|no\.|#"
    r"|chapter|suite|room|floor|box|zip(?:[ ]code)?|phone|tel|fax|topic|asc|asu|article|schedule"
    r"|vol(?:ume)?\.?|fig(?:ure|\.)|step|version|building|level|cik|cusip|isin|code"
    r"|file[ ]number|id)[ ]?[.:#]?[ ]?\(?\Z",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_MONTH_BEFORE = re.compile(rf"\b{_MONTH}[ ]?\Z", re.IGNORECASE)
_MONTH_AFTER = re.compile(rf"(?:st|nd|rd|th)?[ ]{_MONTH}", re.IGNORECASE)
_STATE_BEFORE = re.compile(
    r"\b(?:AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV"
    r"|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY)\.?[ ]{1,2}\Z"
)
_CHAIN = re.compile(r"[0-9A-Za-z]+(?:[-–][0-9A-Za-z]+)+")
_PHONE = re.compile(
    r"\([0-9]{3}\)[ ]?[0-9]{3}[-. ][0-9]{4}|\+[0-9]{1,3}(?:[ .-]\(?[0-9]{1,4}\)?){2,5}"
)
_PERSON_UNITS = "employees|people|persons|workers|staff|associates|colleagues|team[ ]members"
_THING_UNITS = (
    "shares|stock[ ]options|options|warrants|rsus|users|units|barrels|customers|clients"
    "|subscribers|members|stores|restaurants|locations|branches|offices|homes|vehicles|cars|trucks"
    "|tons|tonnes|ounces|gallons|miles|acres|megawatts|kilowatts|mw|gw|mwh|gwh|square[ ]f(?:ee|oo)t"
    "|sq\\.?[ ]ft|patients|passengers|jobs|positions|directors|properties|rooms|hotels|aircraft"
    "|countries|patents|(?:stock|share)holders|holders|transactions|orders|boe|bbls?|mcf|mmbtu"
    "|times|basis|downloads|visitors|products|devices|contracts|beds|facilities|sites|wells"
)
_ADJECTIVES = (
    "(?:(?:common|ordinary|diluted|basic|weighted|weighted-average|average|outstanding|preferred"
    "|restricted|treasury|full-time|part-time|active|monthly|daily|paid|paying|new|total|global"
    "|retail|company-owned|class[ ][a-c])[ ]){0,4}"
)
_TIME = re.compile(
    r"[ -](?:weeks?|months?|days?)\b|[ ](?:years?|hours?|minutes?|quarters?|a\.?m\b|p\.?m\b)"
    r"|[ -](?:Weeks?|WEEKS?|Months?|MONTHS?|Days?|DAYS?)\b"
)


def _unit(words: str) -> re.Pattern[str]:
    """A thing counted right after a number; capitals are one too, unless a new row begins.

    A row that follows on the same line (`801 Shares outstanding 1,234`) has figures of its own.
    """
    return re.compile(
        rf"[ ]{_ADJECTIVES}(?:{words})\b"
        rf"|[ ](?=[A-Z])(?i:{_ADJECTIVES}(?:{words}))\b(?![^0-9\n.;]{{0,60}}[0-9])"
    )


# Things that are no persons, for a head-count; and everything counted, for an amount.
COUNTED_THINGS = _unit(_THING_UNITS)
COUNTED = _unit(f"{_THING_UNITS}|{_PERSON_UNITS}")


def is_no_amount(text: str, number: re.Match[str], *, is_minus: bool, is_bracketed: bool) -> bool:
    """Whether a number without currency and scale is a year, date, count, reference or id."""
    written, start, end = number[0], number.start(), number.end()
    if len(written) == 4 and written.isdigit() and 1500 <= int(written) <= 2099:
        return not is_minus
    if _TIME.match(text, end) or (not is_bracketed and _is_glued_before(text, start)):
        return True
    left = text[max(0, start - _WINDOW) : start]
    if "," in written:
        return False
    if _REFERENCE.search(left) or (len(written) == 5 and _STATE_BEFORE.search(left)):
        return True
    if len(written) <= 2 and (_MONTH_BEFORE.search(left) or _MONTH_AFTER.match(text, end)):
        return True
    return written.isdigit() and (_is_in_chain(text, start) or _is_in_phone(text, start))


def _is_glued_before(text: str, start: int) -> bool:
    """Whether a number continues a word: `Q1`, `COVID-19`, `'87`, `/2026`."""
    left = text[start - 1 : start]
    if left in ("-", "–"):
        return text[start - 2 : start - 1].isalpha()
    return left.isalpha() or (left != "" and left in "_/\\@#'’×⁄")


def _is_in_chain(text: str, start: int) -> bool:
    """Whether hyphens make an id or a date of a number: three parts, or two of unlike length."""
    for chain in _CHAIN.finditer(text, max(0, start - _WINDOW), start + _WINDOW):
        if chain.start() <= start < chain.end():
            parts = chain[0].replace("–", "-").split("-")
            return len(parts) > 2 or len(parts[0]) != len(parts[1])
    return False


def _is_in_phone(text: str, start: int) -> bool:
    """Whether a number is a part of a telephone number: `(555) 010-0100`, `+1 555 010 0100`."""
    near = _PHONE.finditer(text, max(0, start - _WINDOW), start + _WINDOW)
    return any(phone.start() <= start < phone.end() for phone in near)
