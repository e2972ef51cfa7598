"""From a company's XBRL facts to the single quarters that can be asked for.

Source: the SEC's company facts, `facts[taxonomy][concept].units[unit]`, each a list of
`{start, end, val, accn, fy, fp, form}`. Facts with dimensions (a segment, a class of shares) are
not part of that file, so that every fact here is of the company as a whole.

`fy` and `fp` describe the filing, not the fact: a 10-Q carries last year's quarter too. Hence a
fact counts only where it ends on the report date of the filing that states it; its label is then
that filing's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import isfinite
from typing import Any

from runner.benches.drops import Drops
from runner.benches.finance.fields import is_per_share
from runner.benches.finance.sources.sec_filings import is_accession, read_date

CONCEPTS: dict[str, tuple[str, ...]] = {
    "revenue": (
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        "Revenues",
        "RevenueFromContractWithCustomerIncludingAssessedTax",
        "SalesRevenueNet",
    ),
    "net_income": ("NetIncomeLoss", "ProfitLoss"),
    "operating_income": ("OperatingIncomeLoss",),
    "eps_diluted": ("EarningsPerShareDiluted",),
}
ALIASED = ("net_income",)  # its concepts differ by the share of minorities only
QUARTER_DAYS = range(70, 111)
RESTATED = 0.001  # of the value: what the matcher would not accept as the same
SPLIT_FACTOR = 1.4  # the count of shares does not change so much without one
MAX_FACTS = 20_000  # of one concept
_SPLIT = "StockholdersEquityNoteStockSplitConversionRatio1"
_SHARES = "EntityCommonStockSharesOutstanding"
_PERIODS = ("Q1", "Q2", "Q3")
_YEAR_DAYS = 365.25


@dataclass(frozen=True)
class Fact:
    """One value of one period (`start` None: of one day) as one filing states it.

    `fy` and `fp` are the filing's; 0 and "" where it says none.
    """

    concept: str
    start: date | None
    end: date
    value: float
    accession: str
    fy: int
    fp: str
    form: str

    @property
    def is_quarter(self) -> bool:
        """Whether it spans three months: not a year to date, not a moment."""
        return self.start is not None and (self.end - self.start).days in QUARTER_DAYS


@dataclass(frozen=True)
class Quarter:
    """A fact that is fit to be asked for, and other values that answer it too."""

    field: str
    fact: Fact
    aliases: tuple[float, ...] = ()

    @property
    def label(self) -> str:
        """The quarter as the filing names it: `q2 fiscal 2026`."""
        return f"{self.fact.fp.lower()} fiscal {self.fact.fy}"


def field_quarters(
    field: str,
    facts: Mapping[str, Any],
    periods: Mapping[str, date],
    *,
    year_end: tuple[int, int] | None,
    oldest: date,
    drops: Drops,
) -> list[Quarter]:
    """The quarters of one field, newest first, none that ends before `oldest`.

    `periods` are the report dates of the company's 10-Q filings by accession number. Of several
    concepts the one with the newest quarter counts, the first of them in a draw. Dropped and
    counted: a field without such quarters (`quarter_missing`, or `quarter_stale` where it has
    older ones), values that another filing states otherwise (`restated`), earnings per share with
    a later split (`split_after`), labels that contradict the fiscal year (`label_doubtful`).
    """
    unit = "USD/shares" if is_per_share(field) else "USD"
    by_concept = {
        concept: concept_facts(facts, "us-gaap", concept, unit, drops)
        for concept in CONCEPTS[field]
    }
    own = {
        concept: [
            fact
            for fact in found
            if fact.form == "10-Q"
            and fact.fp in _PERIODS
            and fact.is_quarter
            and periods.get(fact.accession) == fact.end
            and fact.end >= oldest
        ]
        for concept, found in by_concept.items()
    }
    best = max(own, key=lambda concept: max((f.end for f in own[concept]), default=date.min))
    if not own[best]:
        ends = [fact.end for found in by_concept.values() for fact in found if fact.is_quarter]
        is_stale = bool(ends) and max(ends) < oldest
        drops.add("quarter_stale" if is_stale else "quarter_missing", f"{field} since {oldest}")
        return []
    quarters = []
    for fact in _one_a_label(own[best]):
        why = _doubt(fact, by_concept[best], facts, year_end, drops)
        if why:
            drops.add(why, f"{best} of {fact.end} in {fact.accession}")
        else:
            quarters.append(Quarter(field, fact, _aliases(field, fact, by_concept)))
    return quarters


def concept_facts(
    facts: Mapping[str, Any], taxonomy: str, concept: str, unit: str, drops: Drops
) -> list[Fact]:
    """The facts of one concept in one unit; those of a wrong shape are counted.

    A concept that the company does not use has none.
    """
    node: Any = facts
    for key in (taxonomy, concept, "units", unit):
        node = node.get(key, {}) if isinstance(node, dict) else None
    if node == {}:
        return []
    if not isinstance(node, list):
        drops.add("fact_malformed", f"{concept}: expected an array in {unit}")
        return []
    found = []
    for raw in node[:MAX_FACTS]:
        fact = _read_fact(concept, raw) if isinstance(raw, dict) else None
        if fact is None:
            drops.add("fact_malformed", f"{concept}: {raw!r:.200}")
        else:
            found.append(fact)
    return found


def is_label_sound(fact: Fact, year_end: tuple[int, int] | None) -> bool:
    """Whether fiscal year and quarter fit the period's end and the end of the fiscal year.

    A fiscal year bears the number of the calendar year in which it ends, or of the one before.
    Without a known end of the year only the calendar year can be compared.
    """
    if year_end is None:
        return abs(fact.fy - fact.end.year) <= 1
    closing = _next_closing(fact.end, year_end)
    quarters_left = round((closing - fact.end).days / _YEAR_DAYS * 4)
    return fact.fp == f"Q{4 - quarters_left}" and closing.year - fact.fy in (0, 1)


def _one_a_label(own: Sequence[Fact]) -> list[Fact]:
    """The facts newest first, one for each fiscal quarter and one for each period."""
    found: list[Fact] = []
    for fact in sorted(own, key=lambda fact: (fact.end, fact.accession), reverse=True):
        if all(fact.end != each.end and (fact.fy, fact.fp) != (each.fy, each.fp) for each in found):
            found.append(fact)
    return found


def _doubt(
    fact: Fact,
    others: Sequence[Fact],
    facts: Mapping[str, Any],
    year_end: tuple[int, int] | None,
    drops: Drops,
) -> str | None:
    """Why a fact must not be asked for, or None."""
    if not is_label_sound(fact, year_end):
        return "label_doubtful"
    if is_per_share(_field_of(fact.concept)) and _is_split_after(fact, facts, drops):
        return "split_after"
    same = [each for each in others if each.end == fact.end and each.is_quarter]
    return "restated" if any(_differs(each.value, fact.value) for each in same) else None


def _is_split_after(fact: Fact, facts: Mapping[str, Any], drops: Drops) -> bool:
    """Whether a split is reported for a later time, or the count of shares has jumped since."""
    splits = concept_facts(facts, "us-gaap", _SPLIT, "pure", drops)
    if any(split.end > fact.end and split.value not in (0, 1) for split in splits):
        return True
    shares = concept_facts(facts, "dei", _SHARES, "shares", drops)
    own = [each.value for each in shares if each.accession == fact.accession and each.value > 0]
    newest = max(shares, key=lambda each: each.end, default=None)
    if not own or newest is None or newest.value <= 0:
        return False
    factor = newest.value / own[0]
    return not 1 / SPLIT_FACTOR < factor < SPLIT_FACTOR


def _aliases(field: str, fact: Fact, by_concept: Mapping[str, Sequence[Fact]]) -> tuple[float, ...]:
    """The values of the field's other concepts for the same period in the same filing."""
    if field not in ALIASED:
        return ()
    values = [
        each.value
        for concept, found in by_concept.items()
        if concept != fact.concept
        for each in found
        if (each.accession, each.start, each.end) == (fact.accession, fact.start, fact.end)
    ]
    return tuple(value for value in dict.fromkeys(values) if value != fact.value)


def _differs(a: float, b: float) -> bool:
    return abs(a - b) > RESTATED * max(abs(a), abs(b))


def _field_of(concept: str) -> str:
    return next(field for field, concepts in CONCEPTS.items() if concept in concepts)


def _next_closing(end: date, year_end: tuple[int, int]) -> date:
    """The end of the fiscal year of which a quarter ends on `end`, to within some days."""
    month, day = year_end
    earliest = end + timedelta(days=45)
    closings = [_day(year, month, day) for year in range(end.year, end.year + 3)]
    return next(closing for closing in closings if closing >= earliest)


def _day(year: int, month: int, day: int) -> date:
    """The day, or the last of February where the month is shorter (years end on months' ends)."""
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, month, 28)


def _read_fact(concept: str, raw: dict[str, Any]) -> Fact | None:
    """The fact, or None where one of its parts is not what it should be."""
    end, start = read_date(raw.get("end")), read_date(raw.get("start"))
    value, accession, form = raw.get("val"), raw.get("accn"), raw.get("form")
    fy, fp = raw.get("fy"), raw.get("fp")
    if end is None or (start is None and raw.get("start") is not None):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e18:
        return None
    if not isfinite(value) or not isinstance(form, str):
        return None
    if not isinstance(accession, str) or not is_accession(accession):
        return None
    if type(fy) is not int and fy is not None:
        return None
    if not isinstance(fp, str) and fp is not None:
        return None
    return Fact(concept, start, end, float(value), accession, fy or 0, fp or "", form)
