"""Whether a judge's reply to a prompt can be read: what a cache of replies may keep."""

from __future__ import annotations

from runner.judging.asking import ReplyError
from runner.judging.profile import parse_profile
from runner.judging.relevance import parse_relevance
from runner.llm.client import Prompt


def is_readable(prompt: Prompt, text: str) -> bool:
    """True where the parser of the prompt's replies takes `text`."""
    parse = parse_profile if prompt.name == "query_profile" else parse_relevance
    try:
        parse(text)
    except ReplyError:
        return False
    return True
