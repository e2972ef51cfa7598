"""Which arguments an instruction takes, and what is wrong with those that it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Argument = str | int | list[str]

AT_LEAST_OR_LESS: Final = ("at least", "less than")
ANY_RELATION: Final = ("at least", "less than", "exactly")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument: its kind ("count", "text", "words", "letter"), or the words it may be."""

    name: str
    kind: str
    words: tuple[str, ...] = ()
    is_optional: bool = False

    def fault(self, value: object) -> str | None:
        """What is wrong with the value, or None."""
        if self.kind == "count":
            fits = isinstance(value, int) and not isinstance(value, bool)
        elif self.kind == "words":
            fits = isinstance(value, list) and all(isinstance(word, str) for word in value)
        elif self.kind == "relation":
            fits = isinstance(value, str) and value in self.words
        elif self.kind == "letter":
            fits = isinstance(value, str) and len(value) == 1
        else:
            fits = isinstance(value, str)
        return None if fits else f"{self.name} must be {self.expectation}, found {value!r}"

    @property
    def expectation(self) -> str:
        return {
            "count": "a whole number",
            "words": "a list of strings",
            "letter": "one character",
            "relation": "one of " + ", ".join(repr(word) for word in self.words),
        }.get(self.kind, "a string")


def count(name: str) -> Parameter:
    return Parameter(name=name, kind="count")


def text(name: str) -> Parameter:
    return Parameter(name=name, kind="text")


def words(name: str) -> Parameter:
    return Parameter(name=name, kind="words")


def letter(name: str) -> Parameter:
    return Parameter(name=name, kind="letter")


def relation(
    name: str, *, allowed: tuple[str, ...] = AT_LEAST_OR_LESS, is_optional: bool = False
) -> Parameter:
    return Parameter(name=name, kind="relation", words=allowed, is_optional=is_optional)


def fault_of(parameters: tuple[Parameter, ...], given: Mapping[str, object]) -> str | None:
    """What is wrong with the arguments, nulls already dropped, or None: missing, foreign, unfit."""
    known = {parameter.name for parameter in parameters}
    for name in sorted(given):
        if name not in known:
            return f"{name} is no argument of it"
    for parameter in parameters:
        if parameter.name not in given:
            if not parameter.is_optional:
                return f"{parameter.name} is missing"
            continue
        fault = parameter.fault(given[parameter.name])
        if fault:
            return fault
    return None
