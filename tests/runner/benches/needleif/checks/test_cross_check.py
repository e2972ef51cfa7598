"""The 17 checks against an independent implementation of IFEval, response by response.

The other one is a packaging of Google's own code. Wherever the two differ, the difference must be
one of two choices that are documented: a letter that is no letter is counted as it is (there it is
replaced by a letter drawn at random), and an argument is matched as text (there it is a pattern).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from runner.benches.needleif.checks import CHECKS, Slot, loose_variants, read_slot
from runner.benches.needleif.models.composing import compose
from runner.benches.needleif.pool import load_pool
from tests.runner.benches.needleif.sources import IFEVAL, NEEDLES

RANDOM_RESPONSES = 40_000
# Pieces that responses are made of: what checks look for, and what looks nearly like it.
PIECES = (
    "***", "\n", "\n\n", "*", "**", "-", " ", "  ", "•", "“", "”", '"', "'", "SECTION 1",
    "Section 2", "PART 3", "P.S.", "P.P.S", "p.s. x", "[a]", "[", "]", "<<t>>", "<<", "> >", ">>",
    "word", "Word's", "é", "e\u0301", "war", "dwarf", "a,b", "，", "{}", "[1]", '{"a":1}',
    "```json", "```JSON", "```jSoN", "```", "```python", ".", "!", "#", "My answer is yes.",
    "My answer is maybe", "\u00a0", "\u200b", "\t", "\r\n", "0", "½", "Ⅷ", "ß", "ſ", "İ", "ı", "K",
    "🙂", "NaN", "null", "true", "-1", "1.", "+", "> q", "* a", "** b", "- c", "--", "---", "* * *",
    "<p>", "end", "the end", "END.", "art", "artist", "_x_", 'end"', '"end', "C++", "a.b",
)  # fmt: skip
MORE_SLOTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("keywords:letter_frequency", {"letter": "a", "let_frequency": 2, "let_relation": "at least"}),
    ("keywords:letter_frequency", {"letter": "#", "let_frequency": 1, "let_relation": "less than"}),
    ("keywords:existence", {"keywords": ["C++"]}),
    ("keywords:existence", {"keywords": ["ss", "k"]}),
    ("keywords:forbidden_words", {"forbidden_words": ["C++"]}),
    ("keywords:forbidden_words", {"forbidden_words": ["art"]}),
    ("keywords:frequency", {"keyword": "a.b", "frequency": 1, "relation": "at least"}),
    ("startend:end_checker", {"end_phrase": "END."}),
    ("detectable_content:postscript", {"postscript_marker": "PS."}),
)


def _is_letter_case(instruction_id: str, arguments: Mapping[str, Any]) -> bool:
    letter = arguments.get("letter", "a")
    return instruction_id == "keywords:letter_frequency" and not re.fullmatch("[a-z]", letter)


def _is_pattern_case(instruction_id: str, arguments: Mapping[str, Any]) -> bool:
    words = [*arguments.get("keywords", ()), *arguments.get("forbidden_words", ())]
    words += [arguments[name] for name in ("keyword", "postscript_marker") if name in arguments]
    own_rules = {"P.S.", "P.P.S"}  # both have a pattern of their own for these
    return any(re.escape(word) != word for word in words if word not in own_rules)


DOCUMENTED: dict[str, Callable[[str, Mapping[str, Any]], bool]] = {
    "a letter that is no letter is counted": _is_letter_case,
    "an argument is text and no pattern": _is_pattern_case,
}


@pytest.fixture(scope="module")
def slots() -> list[tuple[str, dict[str, Any]]]:
    """The slots of the sample, of IFEval where it lies beside the repository, and more."""
    needles = list(load_pool(NEEDLES).needles)
    needles += load_pool(IFEVAL).needles if IFEVAL.is_file() else []
    found = [
        (instruction_id, dict(arguments))
        for needle in needles
        for instruction_id, arguments in zip(needle.instruction_id_list, needle.kwargs, strict=True)
    ]
    assert {instruction_id for instruction_id, _ in found} == set(CHECKS)
    return [*found, *MORE_SLOTS]


@pytest.fixture(scope="module")
def other() -> Callable[[str, dict[str, Any]], Callable[[str], bool]]:
    """The other implementation's check of a slot; a blank response fails, as in its driver."""
    from if_verifiable.ifeval.instructions_registry import INSTRUCTION_DICT

    def check(instruction_id: str, arguments: dict[str, Any]) -> Callable[[str], bool]:
        random.seed(0)  # what it draws for a letter that is none, it draws from here
        built = INSTRUCTION_DICT[instruction_id](instruction_id)
        built.build_description(**arguments)
        return lambda text: bool(text.strip()) and bool(built.check_following(text))

    return check


def _explained(instruction_id: str, arguments: Mapping[str, Any]) -> str | None:
    return next((n for n, holds in DOCUMENTED.items() if holds(instruction_id, arguments)), None)


def _compare(slot: Slot, check: Callable[[str], bool], response: str) -> bool:
    """Whether strict and loose verdicts are equal."""
    if slot.passes(response) is not check(response):
        return False
    loose = any(check(variant) for variant in _upstream_variants(response))
    return loose is any(slot.passes(variant) for variant in loose_variants(response))


def _upstream_variants(response: str) -> list[str]:
    """The eight strings of the other driver, written from its description."""
    lines = response.split("\n")
    kept = [
        response,
        "\n".join(lines[1:]).strip(),
        "\n".join(lines[:-1]).strip(),
        "\n".join(lines[1:-1]).strip(),
    ]
    return kept + [text.replace("*", "") for text in kept]


def test_on_answers_to_the_needles_and_their_variants_only_the_documented_choices_differ(
    slots: list[tuple[str, dict[str, Any]]], other: Any
) -> None:
    rng = Random("needles")
    responses = sorted(
        {
            variant
            for needle in load_pool(NEEDLES).needles
            for text in [compose(needle.text)]
            for variant in (
                text, text.upper(), f'"{text}"', f"{text}.", f"```json\n{text}\n```",
                f"Sure, here:\n{text}", f"{text}\n\nHope this helps!",
                text.replace("\n", "\n\n"), text.replace("*", "**"), f"*{text}*",
            )
        }
    )  # fmt: skip
    for instruction_id, arguments in slots:
        slot, check = read_slot(instruction_id, arguments), other(instruction_id, arguments)
        for response in rng.sample(responses, 60):
            is_equal = _compare(slot, check, response)
            assert is_equal or _explained(instruction_id, arguments), (instruction_id, response)


def test_on_random_responses_only_the_documented_choices_differ_and_both_of_them_do(
    slots: list[tuple[str, dict[str, Any]]], other: Any
) -> None:
    rng = Random("pieces")
    built = [(i, a, read_slot(i, a), other(i, a)) for i, a in slots]
    # the cases that may differ are few among all slots, so they are asked more often
    rare = [each for each in built[-len(MORE_SLOTS) :] if _explained(each[0], each[1])]
    differing: Counter[str] = Counter()
    for number in range(RANDOM_RESPONSES):
        instruction_id, arguments, slot, check = rng.choice(built if number % 10 else rare)
        pieces = (rng.choice(PIECES) + rng.choice(["", " ", "\n"]) for _ in range(13))
        response = "".join(list(pieces)[: rng.randrange(1, 14)])
        if not _compare(slot, check, response):
            reason = _explained(instruction_id, arguments)
            assert reason is not None, (instruction_id, arguments, response)
            differing[reason] += 1
    assert set(differing) == set(DOCUMENTED)
