"""Strictness: tables of allowed fields, and the first thing wrong with a request body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.fakes.operators import day, is_bare_host

Rule = tuple[str, Callable[[Any], bool]]  # what is expected, and whether a value is that


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def whole(low: int, high: int) -> Rule:
    return f"an integer from {low} to {high}", lambda v: is_integer(v) and low <= v <= high


def digits(low: int, high: int) -> Rule:
    """A whole number written in a query string."""
    return f"an integer from {low} to {high}", lambda v: v.isdigit() and low <= int(v) <= high


def number(low: float, high: float) -> Rule:
    def holds(value: Any) -> bool:
        return (is_integer(value) or isinstance(value, float)) and low <= value <= high

    return f"a number from {low} to {high}", holds


def text(low: int = 1, high: int = 10_000, max_words: int = 10_000) -> Rule:
    def holds(value: Any) -> bool:
        is_fit = isinstance(value, str) and low <= len(value.strip()) and len(value) <= high
        return is_fit and len(value.split()) <= max_words

    return f"a string of {low} to {high} characters and at most {max_words} words", holds


def one_of(*values: Any) -> Rule:
    def holds(value: Any) -> bool:
        return any(value == known and type(value) is type(known) for known in values)

    return f"one of {', '.join(map(str, values))}", holds


def hosts(limit: int) -> Rule:
    def holds(value: Any) -> bool:
        is_list = isinstance(value, list) and 0 < len(value) <= limit
        return is_list and all(is_bare_host(item) for item in value)

    return f"a list of 1 to {limit} host names", holds


def iso_day() -> Rule:
    return "a date YYYY-MM-DD", lambda value: day(value) is not None


def shape(fields: Mapping[str, Rule], required: Iterable[str] = ()) -> Rule:
    """An object with these fields only."""
    wanted = tuple(required)
    described = ", ".join(fields)

    def holds(value: Any) -> bool:
        return isinstance(value, dict) and not any(True for _ in problems(value, fields, wanted))

    return f"an object with the fields {described}", holds


def problems(
    body: Mapping[str, Any], fields: Mapping[str, Rule], required: Iterable[str]
) -> Iterable[tuple[str, str]]:
    """Every (field, what is wrong with it), unknown fields first."""
    for name in body:
        if name not in fields:
            yield name, f"unknown field '{name}'"
    for name in required:
        if name not in body:
            yield name, f"field '{name}' is required"
    for name, value in body.items():
        if name in fields and not fields[name][1](value):
            yield name, f"'{name}' must be {fields[name][0]}"


def problem(
    body: Any, fields: Mapping[str, Rule], required: Iterable[str] = ()
) -> tuple[str, str] | None:
    """The first (field, what is wrong), or None for a body the vendor would take."""
    if not isinstance(body, dict):
        return "", "the body must be a JSON object"
    return next(iter(problems(body, fields, required)), None)
