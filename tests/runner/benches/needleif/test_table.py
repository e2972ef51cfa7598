from __future__ import annotations

import json
from typing import Any

import pytest

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.table import percent, table_rows, table_text
from tests.runner.benches.needleif.test_summary import BAD, GOOD, Outcome, summary_of


def named(model: str | None, *outcomes: Outcome, **changes: Any) -> dict[str, Any]:
    return summary_of(*outcomes) | {"model": model} | changes


FULL: Outcome = (GOOD, GOOD)
LOST: Outcome = (GOOD, BAD)


def test_rows_are_ordered_by_long_context_accuracy_and_then_by_name() -> None:
    summaries = [
        ("1", named("b", FULL, LOST)),
        ("2", named("c", FULL, FULL)),
        ("3", named("a", FULL, LOST)),
        ("file", named(None, LOST, LOST)),
        ("5", named("empty", (None, None))),
    ]
    names = [row["model"] for row in table_rows(summaries)]
    assert names == ["c", "a", "b", "file", "empty"]


def test_the_markdown_table_has_percentages_and_intervals() -> None:
    text = table_text(table_rows([("x", named("m|1", *[FULL] * 3, LOST))]), "md")
    header, rule, row = text.splitlines()
    assert header == (
        "| model | n | baseline | long context | 8k | distraction regression | net penalty |"
    )
    assert rule == "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert row == (
        "| m\\|1 | 4 | 100.0 [51.0, 100.0] | 75.0 [30.1, 95.4] | 75.0 [30.1, 95.4] "
        "| 25.0 [4.6, 69.9] | 25.0 [-17.4, 67.4] |"
    )


def test_incomplete_coverage_has_a_mark_and_a_footnote() -> None:
    text = table_text(table_rows([("x", named("m", FULL, (GOOD, None)))]), "md")
    assert "| m † | 1 |" in text
    assert text.endswith(
        "\n† not every record was answered; pairs lacking an answer are left out.\n"
    )
    assert "†" not in table_text(table_rows([("x", named("m", FULL))]), "md")


def test_csv_and_json_hold_the_same_rows() -> None:
    rows = table_rows([("x", named("a,b", FULL))])
    assert table_text(rows, "csv").splitlines()[1].startswith('"a,b",1,"100.0 [20.7, 100.0]"')
    assert json.loads(table_text(rows, "json")) == rows


def test_summaries_over_different_records_are_refused_unless_mixed() -> None:
    summaries = [("1", named("a", FULL)), ("2", named("b", FULL, records_sha256="other"))]
    with pytest.raises(RecordFault, match="different records"):
        table_rows(summaries)
    assert len(table_rows(summaries, allows_mixed=True)) == 2


def test_another_schema_or_form_is_refused() -> None:
    with pytest.raises(RecordFault, match="old: expected a summary of schema version 1"):
        table_rows([("old", named("a", FULL, schema_version=0))])
    with pytest.raises(RecordFault, match="expected md, csv or json, found 'html'"):
        table_text([], "html")


def test_what_was_not_measured_is_a_dash_and_not_zero() -> None:
    assert percent({"value": None, "low": None, "high": None}) == "–"
    assert percent(None) == "–"
    assert percent({"value": 0.0, "low": 0.0, "high": 0.5}) == "0.0 [0.0, 50.0]"


def test_a_model_named_like_a_formula_is_none_in_csv() -> None:
    rows = [
        {
            "model": "=cmd|'/C calc'!A0",
            "complete": True,
            "n": 0,
            **{
                name: {"value": None, "low": None, "high": None}
                for name in ("baseline", "long_context", "distraction_regression", "net_penalty")
            },
            "long_context_by_size": {},
        }
    ]
    assert table_text(rows, "csv").splitlines()[1].startswith("'=cmd")
