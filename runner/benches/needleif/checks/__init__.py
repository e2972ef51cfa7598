"""The 17 checks: does a response follow an instruction, strictly and loosely?

A check sees the response and its own arguments, nothing else; it gives a verdict on any response
and raises on none. Whatever is wrong with an instruction is found when it is read (`read_slot`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..faults import RecordFault
from . import content, formats, keywords, length
from .arguments import (
    ANY_RELATION,
    Parameter,
    count,
    fault_of,
    letter,
    relation,
    text,
    words,
)

_Rule = tuple[Callable[..., bool], tuple[Parameter, ...]]

CHECKS: Final[Mapping[str, _Rule]] = {
    "detectable_content:number_placeholders": (
        content.number_placeholders,
        (count("num_placeholders"),),
    ),
    "detectable_content:postscript": (content.postscript, (text("postscript_marker"),)),
    "detectable_format:constrained_response": (formats.constrained_response, ()),
    "detectable_format:json_format": (formats.json_format, ()),
    "detectable_format:multiple_sections": (
        formats.multiple_sections,
        (text("section_spliter"), count("num_sections")),
    ),
    "detectable_format:number_bullet_lists": (
        formats.number_bullet_lists,
        (count("num_bullets"), relation("relation", allowed=ANY_RELATION, is_optional=True)),
    ),
    "detectable_format:number_highlighted_sections": (
        formats.number_highlighted_sections,
        (count("num_highlights"),),
    ),
    "detectable_format:title": (formats.title, ()),
    "keywords:existence": (keywords.existence, (words("keywords"),)),
    "keywords:forbidden_words": (keywords.forbidden_words, (words("forbidden_words"),)),
    "keywords:frequency": (
        keywords.frequency,
        (text("keyword"), count("frequency"), relation("relation")),
    ),
    "keywords:letter_frequency": (
        keywords.letter_frequency,
        (letter("letter"), count("let_frequency"), relation("let_relation")),
    ),
    "length_constraints:number_paragraphs": (
        length.number_paragraphs,
        (count("num_paragraphs"),),
    ),
    "length_constraints:number_words": (
        length.number_words,
        (count("num_words"), relation("relation")),
    ),
    "punctuation:no_comma": (content.no_comma, ()),
    "startend:end_checker": (content.end_checker, (text("end_phrase"),)),
    "startend:quotation": (content.quotation, ()),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One instruction of a needle with its arguments, all of them known to fit."""

    instruction_id: str
    arguments: Mapping[str, Any]

    def passes(self, response: str) -> bool:
        """The strict verdict on the response as it is; a blank one always fails."""
        return bool(response.strip()) and CHECKS[self.instruction_id][0](response, **self.arguments)

    def passes_any(self, variants: tuple[str, ...]) -> bool:
        """The loose verdict: at least one of the variants of a response passes."""
        return any(map(self.passes, variants))


def read_slot(instruction_id: object, arguments: object) -> Slot:
    """The slot of one (id, kwargs) entry, null arguments dropped (0, "" and [] stay).

    Raises RecordFault for an id outside the 17 and for arguments that are missing, foreign or
    unfit. An instruction that can not be checked is never taken for followed, nor passed over.
    """
    if not isinstance(instruction_id, str) or instruction_id not in CHECKS:
        raise RecordFault(f"unknown instruction id {instruction_id!r}")
    if not isinstance(arguments, Mapping):
        raise RecordFault(f"{instruction_id}: its kwargs must be an object, found {arguments!r}")
    given = {str(name): value for name, value in arguments.items() if value is not None}
    fault = fault_of(CHECKS[instruction_id][1], given)
    if fault:
        raise RecordFault(f"{instruction_id}: {fault}")
    return Slot(instruction_id, given)


def loose_variants(response: str) -> tuple[str, ...]:
    """The eight: as it is, without first line, last line and both; then each without any `*`.

    Lines end at a line feed only. What lost a line is trimmed before its stars go, and not again.
    """
    lines = response.split("\n")
    kept = (
        response,
        "\n".join(lines[1:]).strip(),
        "\n".join(lines[:-1]).strip(),
        "\n".join(lines[1:-1]).strip(),
    )
    return kept + tuple(variant.replace("*", "") for variant in kept)
