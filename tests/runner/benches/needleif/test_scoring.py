from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.reading import (
    Answers,
    Responses,
    own_answers,
    read_record,
    read_records,
    read_responses,
)
from runner.benches.needleif.scoring import results_jsonl, score_record, score_records
from tests.runner.benches.needleif.made import record, write_lines

WORKED = record(
    "p",
    "haystack",
    ("detectable_format:number_bullet_lists", {"num_bullets": 3, "relation": "at least"}),
    ("startend:end_checker", {"end_phrase": "Any other questions?"}),
)


def verdicts_of(value: dict[str, Any], *responses: str) -> dict[str, Any]:
    return score_record(read_record(value), Answers(samples=responses)).to_json()


def test_the_worked_pair_fails_strictly_and_passes_loosely_by_two_variants() -> None:
    assert verdicts_of(WORKED, "* a\n* b\n* c\n**Any other questions?**") == {
        "id": "p-hay",
        "pair_id": "p",
        "condition": "haystack",
        "n": 1,
        "strict": [False],
        "loose": [True],
        "slots": [
            {"id": "detectable_format:number_bullet_lists", "strict": [True], "loose": [True]},
            {"id": "startend:end_checker", "strict": [False], "loose": [True]},
        ],
        "truncated": 0,
    }


def test_a_sample_passes_when_all_its_slots_do() -> None:
    found = verdicts_of(WORKED, "- a\n- b\n- c\nAny other questions?", "- a\nAny other questions?")
    assert found["strict"] == [True, False]
    assert found["slots"][0]["strict"] == [True, False]
    assert found["slots"][1]["strict"] == [True, True]


def test_missing_answers_are_left_out_or_failed_as_often_as_others_answer() -> None:
    records = [read_record(record("a", "bare")), read_record(record("a", "haystack"))]
    responses = Responses({"a-bare": Answers(samples=("x", "y", "z"))}, None)
    left_out = score_records(records, responses)[1]
    assert (left_out.samples, left_out.is_missing, left_out.of("loose")) == (0, True, ())
    failed = score_records(records, responses, fails_missing=True)[1]
    assert (failed.samples, failed.is_missing) == (3, True)
    assert failed.of("loose") == (False, False, False)


def test_the_results_file_has_a_line_for_each_record_in_order() -> None:
    records = [read_record(record("ü", "bare")), read_record(record("ü", "haystack"))]
    lines = results_jsonl(score_records(records, Responses({}, None))).splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["ü-bare", "ü-hay"]
    assert "ü" in lines[0]


def test_an_assistant_turn_is_the_answer_of_its_own_record() -> None:
    value = record("a", "bare", answer="No comma")
    plain = record("b", "bare")
    records = [read_record(value), read_record(plain)]
    scored = score_records(records, own_answers(records))
    assert [each.of("strict") for each in scored] == [(True,), ()]
    assert scored[1].is_missing


RESPONSES = [
    ({"id": "a", "response": ""}, ("",)),
    ({"id": "a", "response": " x "}, (" x ",)),
    ({"id": "a", "response": None}, ()),
    ({"id": "a", "responses": []}, ()),
    ({"id": "a", "responses": None}, ()),
    ({"id": "a", "responses": ["", "b"]}, ("", "b")),
]


@pytest.mark.parametrize(("line", "samples"), RESPONSES)
def test_an_empty_answer_is_one_and_null_or_an_empty_list_is_missing(
    tmp_path: Path, line: dict[str, Any], samples: tuple[str, ...]
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [line])
    assert read_responses(path, ["a"]).answers["a"].samples == samples


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "a", "response": "x", "responses": ["x"]}, "either response or responses"),
        ({"id": "a"}, "either response or responses"),
        ({"id": "a", "response": 3}, "a response must be a string"),
        ({"id": "a", "response": ["x"]}, "a response must be a string"),
        ({"id": "a", "responses": "x"}, "responses a list of strings"),
        ({"id": "a", "responses": ["x", None]}, "responses a list of strings"),
        ({"id": "z", "response": "x"}, "unknown id 'z'"),
        ({"response": "x"}, "id must be a string"),
        ({"id": "b", "response": "x"}, "a second line for id 'b'"),
    ],
)
def test_a_faulty_response_is_named_with_its_line(
    tmp_path: Path, line: dict[str, Any], message: str
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [{"id": "b", "response": "y"}, line])
    with pytest.raises(RecordFault, match=rf"r\.jsonl:2: .*{message}"):
        read_responses(path, ["a", "b"])


@pytest.mark.parametrize("text", ["{", "[]", "3", '"x"', "\ufeff{}", "[" * 100_000])
def test_a_line_that_is_no_json_object_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(RecordFault, match=r"r\.jsonl:1: "):
        read_responses(path, ["a"])


def test_answers_cut_short_are_counted_by_sample_and_one_model_is_known(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "response": "x", "stop_reason": "max_tokens", "model": "m", "usage": {}},
        {"id": "b", "responses": ["x", "y"], "stop_reason": ["length", "stop"], "raw": "?"},
        {"id": "c", "response": "x", "stop_reason": "end_turn", "model": "m"},
        {"id": "d", "response": None, "stop_reason": "length"},
    ]
    found = read_responses(write_lines(tmp_path / "r.jsonl", lines), "abcd")
    assert [found.answers[each].truncated for each in "abcd"] == [1, 1, 0, 0]
    assert found.model == "m"


def test_two_models_in_one_file_are_no_known_model(tmp_path: Path) -> None:
    lines = [{"id": each, "response": "x", "model": each} for each in "ab"]
    assert read_responses(write_lines(tmp_path / "r.jsonl", lines), "ab").model is None


def test_a_record_with_an_unknown_instruction_is_named_with_its_id(tmp_path: Path) -> None:
    bad = record("a", "bare", ("language:response_language", {"language": "de"}))
    path = write_lines(tmp_path / "test.jsonl", [record("b", "bare"), bad])
    message = r"test\.jsonl:2: record a-bare: unknown instruction id 'language:response_language'"
    with pytest.raises(RecordFault, match=message):
        read_records(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kwargs": []}, "lists of one length"),
        ({"instruction_id_list": [], "kwargs": []}, "no instruction"),
        ({"condition": "both"}, "condition must be bare or haystack"),
        ({"depth_percent": "10"}, "depth_percent must be a number or null"),
        ({"size_bucket": None}, "size_bucket must be a string"),
    ],
)
def test_a_record_of_another_shape_is_an_error(changes: dict[str, Any], message: str) -> None:
    value = record("a", "bare")
    value["metadata"] |= changes
    with pytest.raises(RecordFault, match=f"record a-bare: {message}|{message}"):
        read_record(value)


def test_a_second_record_of_one_id_is_an_error(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "test.jsonl", [record("a", "bare")] * 2)
    with pytest.raises(RecordFault, match=r":2: record a-bare: a second record"):
        read_records(path)
