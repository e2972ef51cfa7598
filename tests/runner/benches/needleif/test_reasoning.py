"""Cutting off what a model wrote for itself."""

from __future__ import annotations

import pytest

from runner.benches.needleif.reasoning import StripReasoning, without_reasoning


@pytest.mark.parametrize(
    ("text", "mode", "left"),
    [
        ("<think>a</think>b", "auto", "b"),
        (" \n<think>a</think>\n\n b ", "auto", "\n\n b "),
        ("<think>a</think>b</think>c", "auto", "c"),
        ("<think>never closed", "auto", ""),
        ("b<think>a</think>c", "auto", "b<think>a</think>c"),
        ("a</think>b", "auto", "a</think>b"),
        ("a</think>b", "on", "b"),
        ("<think>never closed", "on", ""),
        ("plain", "on", "plain"),
        ("<think>a</think>b", "off", "<think>a</think>b"),
        ("", "auto", ""),
    ],
)
def test_only_the_reasoning_is_removed(text: str, mode: StripReasoning, left: str) -> None:
    assert without_reasoning(text, mode) == left
