"""Two models without a network, to try the whole bench and to know what its figures mean.

They are references, not contestants. Both see the user turn alone, never a record's metadata.
The follower finds the paragraph that reads most like an instruction and writes an answer by rules,
so it fails where its rules do not understand the wording. The tail copier gives back the end of
what it is shown: whatever it passes, a model passes without following anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from runner.benches.needleif.models.composing import compose
from runner.benches.needleif.models.model import Answer, Messages, Model
from runner.benches.needleif.records import document_body
from runner.records.needleif import Provider

TAIL_WORDS = 60
# What instructions say and stories seldom do. A paragraph is read like an instruction once for
# each of them that is in it.
CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:at least|at most|less than|no fewer than|no more than|exactly)\s+\S+",
        r"\b(?:write|describe|explain|draft|compose|give|name|list|tell|make|plan|summari[sz]e|"
        r"rewrite|generate|create|invent|review|report|recommend|answer|provide|set out)\b",
        r"\b(?:words?|letters?|bullets?|paragraphs?|parts|sections?|placeholders?|phrases?|"
        r"postscript|title|commas?|quotation marks|markdown|json|highlight|keywords?)\b",
        r"\b(?:must|should|has to|have to|needs|do not|don't|without|not allowed|forbidden|avoid|"
        r"leave out|include|use|finish|end with|wrap|enclose)\b",
        r"\*{1,3}|<<|\[\w+\]|\bP\.(?:P\.)?S\b|\"",
    )
)


class _Reference:
    """A rule from the user turn to the answer."""

    provider: Provider = "embedded"
    takes_temperature = True  # it makes no difference

    def __init__(self, name: str, rule: Callable[[str], str]) -> None:
        self.name = name
        self._rule = rule

    async def answer(
        self, messages: Messages, *, max_tokens: int, temperature: float | None
    ) -> Answer:
        """The rule's answer, cut after `max_tokens` words."""
        text = self._rule(messages[-1]["content"])
        ends = [match.end() for match in re.finditer(r"\S+", text)]
        if len(ends) > max_tokens:
            return Answer(text=text[: ends[max_tokens - 1]], stop_reason="max_tokens", cost_usd=0.0)
        return Answer(text=text, stop_reason="end_turn", cost_usd=0.0)

    async def aclose(self) -> None:
        return None


def follow(content: str) -> str:
    """The answer to the instruction in a user turn."""
    return compose(found_instruction(content))


def found_instruction(content: str) -> str:
    """The instruction of a bare turn; in a document, the paragraphs that read most like one."""
    try:
        paragraphs = document_body(content).split("\n\n")
    except ValueError:
        return content.partition("\n\n")[2]
    cues = [sum(bool(cue.search(paragraph)) for cue in CUES) for paragraph in paragraphs]
    best = max(range(len(cues)), key=lambda place: (cues[place], -len(paragraphs[place])))
    first = last = best
    # an example that the instruction shows is a paragraph of its own
    while last + 1 < len(paragraphs) and _is_markup(paragraphs[last + 1]):
        last += 1
    return "\n\n".join(paragraphs[first : last + 1])


def _is_markup(paragraph: str) -> bool:
    return paragraph.lstrip().startswith(("*", "-", "[", "<", '"'))


def copy_tail(content: str) -> str:
    """The last words of a document, or of a bare instruction."""
    try:
        shown = document_body(content)
    except ValueError:
        shown = content.partition("\n\n")[2]
    starts = [match.start() for match in re.finditer(r"\S+", shown)]
    return shown[starts[-TAIL_WORDS] :] if len(starts) > TAIL_WORDS else shown.strip()


REFERENCES: Mapping[str, Callable[[], Model]] = {
    "follower": lambda: _Reference("embedded/follower", follow),
    "tail-copier": lambda: _Reference("embedded/tail-copier", copy_tail),
}
