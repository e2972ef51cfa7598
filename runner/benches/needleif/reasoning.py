"""Answers without the reasoning that some models write in front of them, between think tags."""

from __future__ import annotations

from typing import Literal

StripReasoning = Literal["auto", "on", "off"]
STRIP_REASONING: tuple[StripReasoning, ...] = ("auto", "on", "off")
OPENING, CLOSING = "<think>", "</think>"


def without_reasoning(text: str, mode: StripReasoning) -> str:
    """What follows the last closing tag, verbatim; "" where reasoning was opened and not closed.

    `auto` looks only at a text that begins with the opening tag; `on` also at one whose opening
    tag was part of the prompt; `off` at none.
    """
    is_opened = text.lstrip().startswith(OPENING)
    if mode == "off" or (mode == "auto" and not is_opened):
        return text
    _, tag, rest = text.rpartition(CLOSING)
    if tag:
        return rest
    return "" if is_opened else text
