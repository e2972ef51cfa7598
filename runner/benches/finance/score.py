"""How the finance bench scores: gold to matcher, and the breakdowns of its report."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from runner.benches.bench import Found, Target
from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching import (
    country,
    domain,
    entity,
    exact_id,
    headcount,
    money,
    person,
    year,
)
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.finance.rows import FinanceGold, decode_gold
from runner.records.queries import QueryRow

_MATCHERS: dict[str, Callable[[Question], Matcher]] = {
    "person": person.matcher,
    "entity": entity.matcher,
    "year": year.matcher,
    "country": country.matcher,
    "domain": domain.matcher,
    "exact_id": exact_id.matcher,
    "money": money.matcher,
    "numeric_band": headcount.matcher,
}
# What the report groups by is printed and published: short names, no texts.
_GROUP = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
_MAX_ITEM = 100  # characters of what is published for every query
_NUMBERS = ("money", "numeric_band")
_SMALLEST, _LARGEST = 1e-4, 1e15  # dollars: a hundredth of a cent, more than all companies have


def suite_of(row: QueryRow) -> str:
    """The part of the generation that a row is from."""
    bucket = row.query_origin.bucket
    return "finance" if bucket == "finance_nl" else bucket


def finance_target(row: QueryRow) -> Target:
    """What a row asks for; raises msgspec.ValidationError for gold that cannot be matched."""
    gold = decode_gold(row.gold)
    _check(gold)
    origin = row.query_origin
    company = str(origin.provenance.get("entity", ""))
    # An alias of signs alone (the mark of a company) is nothing to look for in a text.
    aliases = [alias for alias in gold.aliases if any(map(str.isalnum, str(alias)))]
    question = Question(gold.field, (gold.value, *aliases), company)
    match = _MATCHERS[gold.field_type](question)
    groups = {
        "bucket": origin.bucket,
        "suite": suite_of(row),
        "field": gold.field,
        "syntax": origin.syntax or "plain",
        "freshness_window": gold.freshness_window,
    }
    if gold.tier is not None:
        groups["tier"] = gold.tier
    odd = next((name for name in groups.values() if not _GROUP.fullmatch(name)), None)
    if odd is not None:
        raise msgspec.ValidationError(f"{_short(odd)} is no bucket, syntax or tier (like: plain)")
    return Target(
        item=str(origin.provenance.get("cik") or company or row.query_hash)[:_MAX_ITEM],
        gold=_written(gold.value),
        groups=groups,
        match=lambda url, text: Found(match(Evidence(url, text))),
        question=_question(gold),
    )


def _check(gold: FinanceGold) -> None:
    kind = FIELDS.get(gold.field)
    if kind is None:
        known = ", ".join(FIELDS)
        raise msgspec.ValidationError(f"unknown gold field {gold.field!r} (known: {known})")
    if kind.type != gold.field_type:
        raise msgspec.ValidationError(
            f"gold field {gold.field!r} is of type {kind.type}, not {gold.field_type}"
        )
    for value in (gold.value, *gold.aliases):
        problem = _problem(gold.field_type, value)
        if problem:
            raise msgspec.ValidationError(f"gold value {_short(value)} of {gold.field!r} {problem}")
    if isinstance(gold.value, str) and not any(map(str.isalnum, gold.value)):
        raise msgspec.ValidationError(f"gold value {_short(gold.value)} of {gold.field!r} is empty")
    if gold.field_type == "year" and year.gold_year(gold.value) is None:
        raise msgspec.ValidationError(f"gold value {_short(gold.value)} is no year")
    if gold.field_type == "domain" and domain.registrable_domain(str(gold.value)) is None:
        raise msgspec.ValidationError(f"gold value {_short(gold.value)} is no registered domain")


def _problem(kind: str, value: str | int | float) -> str | None:
    """What makes a value one that no text can be compared with, None where it is sound."""
    if isinstance(value, str):
        return "is no number" if kind in _NUMBERS else None
    if kind == "year":
        return None
    if kind not in _NUMBERS:
        return "is a number, not text"
    if kind == "numeric_band":
        return None if 1 <= value <= _LARGEST else "is no number of persons"
    is_amount = value == 0 or _SMALLEST <= abs(value) <= _LARGEST
    return None if is_amount else "is no amount of money"


def _short(value: str | int | float) -> str:
    """The value for a message; a number of a thousand digits is cut."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _question(gold: FinanceGold) -> dict[str, object] | None:
    """What a model is told; money and accession numbers are left to code."""
    if gold.field_type == "money" or gold.field == "filing":
        return None
    return {
        "field": gold.field.replace("_", " "),
        "value": _written(gold.value),
        "aliases": [_written(alias) for alias in gold.aliases],
    }


def _written(value: str | int | float) -> str:
    """The value as text, whole numbers without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
