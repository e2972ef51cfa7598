"""Whether a judge's reply to a prompt can be read: what a cache of replies may keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runner.judging.asking import ReplyError
from runner.judging.fact import parse_fact
from runner.judging.profile import parse_profile
from runner.judging.relevance import parse_relevance
from runner.llm.client import Prompt

_PARSERS: dict[str, Callable[[str], Any]] = {
    "query_profile": parse_profile,
    "relevance": parse_relevance,
    "fact_match": parse_fact,
}


def is_readable(prompt: Prompt, text: str) -> bool:
    """True where the parser of the prompt's replies takes `text`."""
    try:
        _PARSERS[prompt.name](text)
    except ReplyError:
        return False
    return True
