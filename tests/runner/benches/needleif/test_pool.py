"""The needles that can be checked: IFEval's, those of a pool file, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from runner.benches.needleif.checks import CHECKS
from runner.benches.needleif.pool import Pool, load_pool, pool_file, pool_of
from runner.benches.needleif.records import BEGIN
from runner.benches.needleif.sizing import needed_reserve
from runner.errors import DataError
from tests.runner.benches.needleif.sources import IFEVAL, NEEDLES, needs_shared

SLOTS = {
    "detectable_content:number_placeholders": 19,
    "detectable_content:postscript": 21,
    "detectable_format:constrained_response": 10,
    "detectable_format:json_format": 17,
    "detectable_format:multiple_sections": 10,
    "detectable_format:number_bullet_lists": 25,
    "detectable_format:number_highlighted_sections": 42,
    "detectable_format:title": 19,
    "keywords:existence": 25,
    "keywords:forbidden_words": 40,
    "keywords:frequency": 33,
    "keywords:letter_frequency": 23,
    "length_constraints:number_paragraphs": 22,
    "length_constraints:number_words": 41,
    "punctuation:no_comma": 37,
    "startend:end_checker": 24,
    "startend:quotation": 32,
}
DROPPED = {
    "change_case:capital_word_frequency",
    "change_case:english_capital",
    "change_case:english_lowercase",
    "combination:repeat_prompt",
    "combination:two_responses",
    "language:response_language",
    "length_constraints:nth_paragraph_first_word",
    "length_constraints:number_sentences",
}
REPEATING = {19, 30, 1040, 1203, 1314, 1418, 1837, 2069, 3089, 3188, 3276, 3327, 3407, 3414, 3415}
REPEATING |= {3534, 3672}


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in IFEVAL.read_text(encoding="utf-8").splitlines()]


@needs_shared
def test_ifeval_file_is_the_one_that_the_counts_are_of() -> None:
    rows = _rows()
    assert hashlib.sha256(IFEVAL.read_bytes()).hexdigest() == (
        "67ffeee0fcb87c317c5b08a2de85557b4a7e96ada6178aa645b4954fe4b53d49"
    )
    assert len(rows) == len({r["key"] for r in rows}) == len({r["prompt"] for r in rows}) == 541
    ids = [r["instruction_id_list"] for r in rows]
    assert Counter(map(len, ids)) == {1: 305, 2: 179, 3: 57}
    every = [each for row in ids for each in row]
    assert len(every) == 834
    assert set(every) == set(CHECKS) | DROPPED
    repeating = {r["key"] for r in rows if len(set(r["instruction_id_list"])) < len(r["kwargs"])}
    assert repeating == REPEATING
    assert 1357 not in {r["key"] for r in rows}


@needs_shared
def test_ifeval_pool_has_209_simple_and_106_complex_needles_with_440_slots() -> None:
    pool = load_pool(IFEVAL)
    assert Counter(n.complexity for n in pool.needles) == {"simple": 209, "complex": 106}
    assert Counter(len(n.instruction_id_list) for n in pool.needles) == {1: 209, 2: 87, 3: 19}
    assert Counter(i for n in pool.needles for i in n.instruction_id_list) == SLOTS
    keys = [n.source_key for n in pool.needles]
    assert keys == sorted(keys)
    assert {n.source for n in pool.needles} == {"ifeval"}


@needs_shared
def test_ifeval_pool_says_how_many_rows_each_of_the_eight_other_ids_cost() -> None:
    rows = _rows()
    cost = {i: sum(i in row["instruction_id_list"] for row in rows) for i in DROPPED}
    assert load_pool(IFEVAL).dropped == cost
    assert len(rows) - len(load_pool(IFEVAL).needles) == 226


@needs_shared
def test_ifeval_prompts_stay_verbatim() -> None:
    prompts = {r["key"]: r["prompt"] for r in _rows()}
    needles = load_pool(IFEVAL).needles
    assert all(n.text == prompts[n.source_key] for n in needles)
    assert [n.source_key for n in needles if n.text != n.text.strip()] == [3479]
    assert prompts[3479].endswith(".\n")


@needs_shared
def test_ifeval_needles_have_their_known_shape() -> None:
    texts = [n.text for n in load_pool(IFEVAL).needles]
    lengths = [len(text) for text in texts]
    assert (min(lengths), median(lengths), max(lengths)) == (53, 173, 510)
    counts = [
        sum("\n" in text for text in texts),
        sum(re.search(r"\n\s*\n", text) is not None for text in texts),
        sum("***" in text for text in texts),
        sum("```" in text for text in texts),
        sum(not text.isascii() for text in texts),
    ]
    assert counts == [50, 19, 22, 5, 12]


@needs_shared
def test_longest_answer_that_ifeval_asks_for_has_1200_words() -> None:
    needles = load_pool(IFEVAL).needles
    needed = {n.source_key: needed_reserve(n) for n in needles}
    assert max(needed.values()) == 1864
    assert [key for key, tokens in needed.items() if tokens == 1864] == [3425]
    words = [kwargs.get("num_words", 0) for n in needles for kwargs in n.kwargs]
    assert max(words) == 1200


@needs_shared
def test_repeated_ids_of_a_needle_keep_their_places_and_arguments() -> None:
    repeating = {
        n.source_key: (n.instruction_id_list, n.kwargs)
        for n in load_pool(IFEVAL).needles
        if len(set(n.instruction_id_list)) < len(n.instruction_id_list)
    }
    assert set(repeating) == {19, 30, 1203, 2069, 3327, 3415}
    rows = {r["key"]: r for r in _rows()}
    for key, (ids, kwargs) in repeating.items():
        assert list(ids) == rows[key]["instruction_id_list"]
        assert list(kwargs) == rows[key]["kwargs"]


def _noted(pool: Pool, note: str) -> set[int]:
    return {n.source_key for n in pool.needles if note in n.notes}


@needs_shared
def test_odd_needles_stay_in_the_pool_with_a_note() -> None:
    pool = load_pool(IFEVAL)
    assert _noted(pool, "context") == {1000, 3401}
    assert _noted(pool, "defect") == {30, 337, 2078}
    assert _noted(pool, "unchecked") == {30, 251, 1964, 2097, 2229, 2392, 2807, 3025, 3221}
    assert len(pool.needles) - len(pool.unflagged().needles) == 13
    assert pool.unflagged().dropped == pool.dropped


@needs_shared
def test_null_padded_arguments_give_the_same_pool() -> None:
    rows = _rows()
    names = sorted({name for r in rows for kwargs in r["kwargs"] for name in kwargs})
    assert len(names) > 15
    for row in rows:
        row["kwargs"] = [dict.fromkeys(names) | kwargs for kwargs in row["kwargs"]]
    padded = "".join(json.dumps(row) + "\n" for row in rows)
    assert pool_of(Path("x"), padded) == load_pool(IFEVAL)


@pytest.mark.parametrize("path", [NEEDLES, pytest.param(IFEVAL, marks=needs_shared)])
def test_pool_file_has_its_keys_in_order_and_reads_back(path: Path) -> None:
    pool = load_pool(path)
    text = pool_file(pool).decode()
    rows = json.loads(text)
    assert {tuple(row) for row in rows} == {
        (
            "source",
            "source_key",
            "text",
            "instruction_id_list",
            "kwargs",
            "complexity",
            "num_instructions",
            "notes",
        )
    }
    assert [row["num_instructions"] for row in rows] == [
        len(n.instruction_id_list) for n in pool.needles
    ]
    assert pool_of(Path("x"), text).needles == pool.needles
    assert pool_file(pool_of(Path("x"), text)) == pool_file(pool)


def test_sample_pool_has_44_simple_and_22_complex_needles_for_all_checks() -> None:
    pool = load_pool(NEEDLES)
    assert Counter(n.complexity for n in pool.needles) == {"simple": 44, "complex": 22}
    assert {i for n in pool.needles for i in n.instruction_id_list} == set(CHECKS)
    assert pool.dropped == {}


def _row(**changes: Any) -> dict[str, Any]:
    return {
        "key": 1,
        "prompt": "No commas.",
        "instruction_id_list": ["punctuation:no_comma"],
        "kwargs": [{}],
    } | changes


def test_rows_come_out_by_key_and_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "needles.jsonl"
    lines = [json.dumps(_row(key=key)) for key in (30, 4, 100)]
    path.write_text("\ufeff" + "\n\n".join(lines) + "\n", encoding="utf-8")
    assert [n.source_key for n in load_pool(path).needles] == [4, 30, 100]


def test_row_with_an_unknown_id_is_left_out_and_counted_once_for_each_id() -> None:
    other = _row(
        key=2,
        instruction_id_list=["a:b", "a:b", "c:d"],
        kwargs=[{}, {}, {"anything": 1}],
    )
    text = "\n".join(json.dumps(row) for row in (_row(), other))
    pool = pool_of(Path("x"), text)
    assert [n.source_key for n in pool.needles] == [1]
    assert pool.dropped == {"a:b": 1, "c:d": 1}


def test_line_separators_within_a_prompt_end_no_line() -> None:
    prompt = "One\u2028two\u0085three."
    text = json.dumps(_row(prompt=prompt), ensure_ascii=False)
    assert pool_of(Path("x"), text).needles[0].text == prompt


def test_notes_of_other_sources_are_their_own() -> None:
    text = json.dumps([_row(source="own", notes=["odd"]), _row(key=1000, source="own")])
    assert [n.notes for n in pool_of(Path("x"), text).needles] == [("odd",), ()]


FOUR = {"instruction_id_list": ["punctuation:no_comma"] * 4, "kwargs": [{}] * 4}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (3, "expected an object, found 3"),
        (_row(key="1"), "key must be a whole number, found '1'"),
        (_row(key=True), "key must be a whole number, found True"),
        (_row(prompt=None), "prompt must be a text, found None"),
        (_row(prompt=" \n"), "prompt must be a text"),
        (_row(source=""), "source must be a name"),
        (_row(instruction_id_list=[]), "instruction_id_list must be a list of ids"),
        (_row(instruction_id_list=[None]), "instruction_id_list must be a list of ids"),
        (_row(kwargs=None), "kwargs must be a list of 1 objects"),
        (_row(kwargs=[{}, {}]), "kwargs must be a list of 1 objects"),
        (_row(kwargs=[{"num_words": 3}]), "num_words is no argument of it"),
        (_row(**FOUR), "4 instructions in one needle; 3 are the most"),
        (_row(prompt=f"Say\n {BEGIN}\nso"), "marks a document's begin or end"),
        (_row(source="own", notes="odd"), "notes must be a list of words"),
    ],
)
def test_row_that_does_not_fit_is_named_with_its_line(row: Any, problem: str) -> None:
    text = json.dumps(_row(key=9)) + "\n" + json.dumps(row)
    with pytest.raises(DataError, match=re.escape(problem)) as caught:
        pool_of(Path("needles.jsonl"), text)
    assert str(caught.value).startswith("needles.jsonl:2: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "needles:1: no JSON object"),
        ("[{]", "needles: no JSON array"),
        ("[" * 100_000, "needles: no JSON array"),
        ('{"a":' * 100_000, "needles:1: no JSON object"),
        ("", "no needle with one of the 17 known instructions"),
        (json.dumps([_row(), _row()]), "needles:2: the key 1 comes twice"),
    ],
)
def test_text_that_holds_no_needles_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=re.escape(problem)):
        pool_of(Path("needles"), text)


def test_file_that_is_not_there_or_not_utf8_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.jsonl: cannot be read"):
        load_pool(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes('{"é": 1}'.encode("latin-1"))
    with pytest.raises(DataError, match=r"latin\.jsonl: is not UTF-8"):
        load_pool(tmp_path / "latin.jsonl")
