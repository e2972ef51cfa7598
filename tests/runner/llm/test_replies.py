from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.replies import MAX_CHARS, last_object

FOUND = {
    "whole reply": ('{"rating": 3}', {"rating": 3}),
    "white space around": (' \n{"rating": 3}\n ', {"rating": 3}),
    "fenced": ('```json\n{"rating": 3}\n```', {"rating": 3}),
    "fence without language": ('```\n{"rating": 3}\n```', {"rating": 3}),
    "prose around": ('Here you are: {"rating": 3}. Anything else?', {"rating": 3}),
    "last of two": ('{"rating": 4}\nOn reflection:\n{"rating": 1}', {"rating": 1}),
    "draft in a think block": ('<think>maybe {"rating": 4}</think>{"rating": 0}', {"rating": 0}),
    "closing think tag only": ('maybe {"rating": 4} </think> {"rating": 0}', {"rating": 0}),
    "think tag inside a string": ('{"query": "a <think> b"}', {"query": "a <think> b"}),
    "braces inside a string": ('{"reasoning": "a } b { c"}', {"reasoning": "a } b { c"}),
    "nested": ('{"a": {"b": [{"c": 1}]}}', {"a": {"b": [{"c": 1}]}}),
    "broken object after a good one": ('{"rating": 2} {"rating": ', {"rating": 2}),
    "brace in prose before": ('use {braces} well: {"rating": 2}', {"rating": 2}),
    "empty object": ("{}", {}),
    "half a character": ('{"query": "a \\ud83d b"}', {"query": "a ? b"}),
    "a pair that is whole": ('{"query": "\\ud83d\\ude00"}', {"query": "\U0001f600"}),
    "object inside an array": ('[{"rating": 1}, {"rating": 2}]', {"rating": 2}),
}
NOTHING = {
    "empty": "",
    "prose": "I cannot rate this.",
    "cut off": '{"rating": 3, "label": "Hi',
    "only a think block": '<think>{"rating": 4}</think>',
    "think block never closed": '<think>{"rating": 4}',
    "array of numbers": "[1, 2]",
    "single quotes": "{'rating': 3}",
    "not a number": '{"rating": NaN}',
    "infinite": '{"rating": Infinity}',
    "out of range": '{"rating": 1e999}',
    "too deep": '{"a":' * 20_000,
    "too many digits": '{"a": ' + "9" * 5_000 + "}",
}


@pytest.mark.parametrize("case", FOUND)
def test_the_last_object_is_found(case: str) -> None:
    text, expected = FOUND[case]
    assert last_object(text) == expected


@pytest.mark.parametrize("case", NOTHING)
def test_no_object_is_none(case: str) -> None:
    assert last_object(NOTHING[case]) is None


def test_only_the_end_of_an_endless_reply_is_read() -> None:
    assert last_object("{" * 200_000 + '{"rating": 2}') == {"rating": 2}
    assert last_object('{"rating": 2}' + " " * MAX_CHARS) is None


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=8), values, max_size=4)


@given(objects, st.text(alphabet=st.characters(exclude_characters="{<"), max_size=40))
def test_any_object_survives_prose_and_fences(value: dict[str, object], prose: str) -> None:
    text = json.dumps(value)
    assert last_object(f"{prose}\n```json\n{text}\n```\n{prose}") == value


@given(objects, objects)
def test_the_later_of_two_objects_wins(draft: dict[str, object], final: dict[str, object]) -> None:
    assert last_object(f"{json.dumps(draft)} then {json.dumps(final)}") == final


@given(st.text(max_size=200))
def test_any_text_gives_an_object_or_none(text: str) -> None:
    found = last_object(text)
    assert found is None or isinstance(found, dict)
