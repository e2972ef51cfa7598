"""What the words behind a flag may be; argparse names the function in its message."""

from __future__ import annotations

import argparse


def count(text: str) -> int:
    """An integer from 0."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is below 0")
    return value


def positive(text: str) -> int:
    """An integer from 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is below 1")
    return value


def results_count(text: str) -> int:
    """An integer from 1 to 100: what the most generous engine gives at once."""
    value = positive(text)
    if value > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is above 100")
    return value


def money(text: str) -> float:
    """A finite number of dollars from 0."""
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars")
    return value


def seconds(text: str) -> float:
    """A finite time above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time above 0")
    return value


def text(value: str) -> str:
    """A text with something in it: an unset shell variable must not choose a default silently."""
    if not value.strip():
        raise argparse.ArgumentTypeError("is empty; give a value or leave the flag out")
    return value
