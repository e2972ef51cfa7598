"""The two records of a pair, to the byte."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.records import (
    BARE_PREAMBLE,
    BEGIN,
    END,
    HAYSTACK_PREAMBLE,
    Needle,
    Pair,
    bare_content,
    document_body,
    has_marker_line,
    haystack_content,
    pair_id,
    pair_records,
    record_lines,
)

NEEDLE = Needle(
    source="ifeval",
    source_key=3479,
    text="Sing \u201cé\u201d.\n",
    instruction_id_list=("keywords:forbidden_words", "punctuation:no_comma"),
    kwargs=({"forbidden_words": ["rock"]}, {}),
)
PAIR = Pair(
    needle=NEEDLE,
    split="val",
    seed=666,
    size_bucket="8k",
    window_tokens=8192,
    budget_tokens=5718,
    reserve_tokens=2048,
    reference_tokenizer="words",
    haystack_source="pg19",
    depth_percent=10,
    body="Before.\n\nSing \u201cé\u201d.\n\n\nAfter.",
    needle_char_offset=9,
    body_tokens=4,
    haystack_prompt_tokens=60,
    bare_prompt_tokens=30,
)
ID = sha256(b'[666,"val","ifeval",3479,"8k",10.0,"pg19"]').hexdigest()[:16]


def test_preambles_end_alike_so_that_the_document_is_the_only_difference() -> None:
    ending = "Reply with ONLY the output the instruction asks for, without any preamble or"
    assert (
        "Hidden somewhere in this document is exactly one instruction. "
        f"Find it and follow it. {ending} explanation."
    ) == HAYSTACK_PREAMBLE
    assert (f"Here is exactly one instruction. Follow it. {ending} explanation.") == BARE_PREAMBLE


def test_user_turns_are_preamble_blank_line_and_document_or_needle() -> None:
    assert haystack_content("B") == (
        f"{HAYSTACK_PREAMBLE}\n\n----- BEGIN DOCUMENT -----\nB\n----- END DOCUMENT -----"
    )
    assert bare_content("N\n") == f"{BARE_PREAMBLE}\n\nN\n"


METADATA = (
    "condition instruction_id_list kwargs needle_text needle_source needle_source_key "
    "haystack_source haystack_target_tokens haystack_actual_tokens size_bucket "
    "total_prompt_tokens prompt_token_budget output_reserve_tokens reference_tokenizer "
    "depth_percent needle_char_offset complexity num_instructions split seed needle_marker"
).split()


def test_pair_is_the_bare_record_and_then_the_haystack_record() -> None:
    bare, hay = pair_records(PAIR)
    assert (bare["id"], hay["id"]) == (f"{ID}-bare", f"{ID}-hay")
    for record in (bare, hay):
        assert list(record) == ["id", "pair_id", "messages", "metadata"]
        assert list(record["metadata"]) == METADATA
        assert record["pair_id"] == ID
        assert record["metadata"]["kwargs"] == [{"forbidden_words": ["rock"]}, {}]
    assert bare["messages"] == [{"role": "user", "content": bare_content(NEEDLE.text)}]
    assert hay["messages"] == [{"role": "user", "content": haystack_content(PAIR.body)}]
    of_document = {
        "condition": "haystack",
        "haystack_source": "pg19",
        "haystack_target_tokens": 8192,
        "haystack_actual_tokens": 4,
        "total_prompt_tokens": 60,
        "depth_percent": 10.0,
        "needle_char_offset": 9,
    }
    differing = {n for n in METADATA if bare["metadata"][n] != hay["metadata"][n]}
    assert differing == set(of_document)
    assert {name: hay["metadata"][name] for name in of_document} == of_document
    assert {name: bare["metadata"][name] for name in of_document} == {
        **dict.fromkeys(of_document),
        "condition": "bare",
        "total_prompt_tokens": 30,
    }


def test_lines_are_utf8_with_a_newline_after_each() -> None:
    records = pair_records(PAIR)
    data = record_lines(records)
    assert data.count(b"\n") == 2
    assert data.endswith(b"}\n")
    assert "Sing \u201cé\u201d.\\n".encode() in data
    assert [json.loads(line) for line in data.splitlines()] == records


def test_whole_depth_and_its_float_are_one_pair() -> None:
    assert pair_records(PAIR) == pair_records(replace(PAIR, depth_percent=10.0))
    assert b'"depth_percent": 10.0,' in record_lines(pair_records(PAIR))


def test_pair_id_is_of_canonical_ascii_json() -> None:
    canonical = b'[-1,"test","\\u00e9|\\"",7,"1k",33.5,"text"]'
    expected = sha256(canonical).hexdigest()[:16]
    assert pair_id(-1, "test", 'é|"', 7, "1k", 33.5, "text") == expected


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"split": "test"},
        {"size_bucket": "4k"},
        {"depth_percent": 50.0},
        {"haystack_source": "text"},
        {"needle": replace(NEEDLE, source="own")},
        {"needle": replace(NEEDLE, source_key=1)},
    ],
)
def test_each_fact_of_a_pair_is_part_of_its_id(change: dict[str, object]) -> None:
    assert pair_records(replace(PAIR, **change))[0]["pair_id"] != ID  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [BEGIN, END, f"a\n{END}\nb", f"a\n  {BEGIN}\t", f"a\r{END}", f"a\u2028{END}", f"a\v{BEGIN}"],
)
def test_marker_is_seen_on_any_kind_of_line(text: str) -> None:
    assert has_marker_line(text)


@pytest.mark.parametrize("text", ["", "----- BEGIN -----", f"> {BEGIN}", END.lower(), f"{END}."])
def test_line_with_more_or_less_than_a_marker_is_none(text: str) -> None:
    assert not has_marker_line(text)


@given(st.text())
def test_body_is_what_lies_strictly_between_the_markers(body: str) -> None:
    assert document_body(haystack_content(body)) == body


@pytest.mark.parametrize(
    "content",
    [
        "",
        bare_content("x"),
        haystack_content("x") + "\n",
        haystack_content("x").replace(END, ""),
        haystack_content("x").replace(BEGIN, ""),
        " " + haystack_content("x"),
    ],
)
def test_turn_without_its_two_marker_lines_holds_no_document(content: str) -> None:
    with pytest.raises(ValueError, match="no document"):
        document_body(content)
