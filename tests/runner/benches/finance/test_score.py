from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from runner.benches.bench import Target
from runner.benches.finance.rows import finance_row
from runner.benches.finance.score import finance_target
from runner.records.queries import QueryRow

NOW = datetime(2026, 11, 15, 10, tzinfo=UTC)


def _target(field: str, value: str | float, *aliases: str | float, cik: int | None = 17) -> Target:
    return finance_target(_row(field, value, *aliases, cik=cik))


def _row(field: str, value: str | float, *aliases: str | float, cik: int | None = 17) -> QueryRow:
    return finance_row(
        "halden marsh question",
        bucket="finance_nl",
        field=field,
        value=value,
        aliases=list(aliases),
        provenance={"entity": "Halden Marsh Inc", **({"cik": cik} if cik else {})},
        now=NOW,
        tier="mid",
    )


def test_an_alias_of_signs_alone_is_not_looked_for() -> None:
    target = _target("ceo", "Dana Orrin", "---", "\uf8ff", "...")
    assert target.match("https://x.example/", "--- \uf8ff ...").via is None
    assert target.match("https://x.example/", "CEO Dana Orrin").via == "text:exact"


def test_queries_about_one_company_are_of_one_item() -> None:
    assert _target("ceo", "Dana Orrin").item == _target("lei", "X" * 20).item == "17"
    assert _target("ceo", "Dana Orrin", cik=None).item == "Halden Marsh Inc"


def test_a_question_in_words_is_of_the_same_suite_as_its_keywords() -> None:
    groups = _target("employees", 17_000.0).groups
    assert (groups["bucket"], groups["suite"], groups["tier"]) == ("finance_nl", "finance", "mid")


@pytest.mark.parametrize("odd", ["\x1b[31mred", "two words", "x" * 40, "a\nb", "<b>"])
def test_a_group_that_is_no_short_name_is_refused(odd: str) -> None:
    row = _row("ceo", "Dana Orrin")
    origin = row.query_origin
    for changes in ({"bucket": odd}, {"syntax": odd}):
        other = msgspec.structs.replace(
            row, query_origin=msgspec.structs.replace(origin, **changes)
        )
        with pytest.raises(msgspec.ValidationError, match="is no bucket, syntax or tier"):
            finance_target(other)


def test_money_and_filings_are_left_to_code_and_whole_numbers_have_no_decimals() -> None:
    assert _target("net_income", 5e6).question is None
    assert _target("filing", "000123456726000089").question is None
    assert _target("employees", 17_000.0, 16_500).question == {
        "field": "employees",
        "value": "17000",
        "aliases": ["16500"],
    }
