from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from runner.benches.scholar.rows import PaperIds, ScholarGold, decode_gold, scholar_row
from runner.records.base import encode_line
from runner.records.queries import decode_query

NOW = datetime(2026, 11, 3, 18, 41, tzinfo=UTC)
GOLD: dict[str, Any] = {
    "paper_key": "2610.01234",
    "ids": {"arxiv": "2610.01234", "doi": "10.48550/arxiv.2610.01234"},
    "published_date": "2026-10-30",
    "age_bucket": "7d",
    "domain": "physical sciences",
}


def test_the_row_of_a_query_names_its_paper_and_where_it_came_from() -> None:
    row = scholar_row(
        'sparse lattice "triple-anneal schedule" cryocooler drift',
        bucket="body",
        suite="arxiv",
        gold=decode_gold(GOLD),
        title="Annealed Lattices for Cold Sensors",
        url="https://arxiv.org/abs/2610.01234",
        now=NOW,
        provenance={"quoted_span": "triple-anneal schedule"},
    )
    assert msgspec.to_builtins(row) == {
        "query_id": "abd2dd4dd42933d5_2026-11-03T18",
        "query_hash": "abd2dd4dd42933d5",
        "query_text": 'sparse lattice "triple-anneal schedule" cryocooler drift',
        "query_source": "scholar",
        "query_origin": {
            "bucket": "body",
            "topical_domain": "physical sciences",
            "subcategory": "arxiv_body",
            "provenance": {
                "producer": "scholar",
                "suite": "arxiv",
                "title": "Annealed Lattices for Cold Sensors",
                "url": "https://arxiv.org/abs/2610.01234",
                "published_date": "2026-10-30",
                "quoted_span": "triple-anneal schedule",
            },
        },
        "topical_domain": "physical sciences",
        "gold": GOLD,
        "hour_ts": "2026-11-03T18:00:00+00:00",
        "query_produced_at": "2026-11-03T18:00:00+00:00",
    }
    assert decode_query(encode_line(row)) == row


def test_ids_are_kept_in_the_form_in_which_results_are_compared() -> None:
    ids = {
        "arxiv": "arXiv:2610.01234v2",
        "doi": "https://doi.org/10.1101/2026.01.02.900417v3",
        "pmid": "31415926",
        "pmcid": "pmc8123456",
    }
    assert decode_gold({**GOLD, "ids": ids}).ids == PaperIds(
        arxiv="2610.01234", doi="10.1101/2026.01.02.900417", pmid="31415926", pmcid="PMC8123456"
    )


def test_an_id_that_a_paper_does_not_have_may_be_null_or_absent() -> None:
    gold = decode_gold({**GOLD, "ids": {"doi": None, "pmid": "271"}})
    assert gold.ids.named() == {"pmid": "271"}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"ids": {}}, "paper '2610.01234' has no id to be known by"),
        ({"ids": {"arxiv": None}}, "has no id to be known by"),
        ({"ids": {"arxiv": "2610.012345"}}, "'2610.012345' is no id of the kind 'arxiv'"),
        ({"ids": {"arxiv": ""}}, "'' is no id of the kind 'arxiv'"),
        ({"ids": {"doi": "10.1000/a b"}}, "'10.1000/a b' is no id of the kind 'doi'"),
        ({"ids": {"pmid": "PMC12345"}}, "'PMC12345' is no id of the kind 'pmid'"),
        ({"ids": {"pmid": 31415926}}, "Expected `str | null`, got `int` - at `$.ids.pmid`"),
        ({"ids": {"pmcid": "8123456x"}}, "is no id of the kind 'pmcid'"),
        ({"ids": {"isbn": "1"}}, "unknown field `isbn`"),
        ({"ids": "2610.01234"}, "Expected `object`, got `str`"),
        ({"paper_key": " "}, "`paper_key` is empty"),
        ({"published_date": "30 Oct 2026"}, "`published_date` is '30 Oct 2026', not a date"),
        ({"published_date": "20261030"}, "not a date like 2026-10-30"),
        ({"age_bucket": "2y"}, "Invalid enum value '2y'"),
        ({"domain": "chemistry"}, "Invalid enum value 'chemistry'"),
        ({"title": "x"}, "unknown field `title`"),
    ],
)
def test_gold_that_cannot_be_used_is_refused_with_the_reason(
    change: dict[str, Any], text: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        decode_gold({**GOLD, **change})
    assert text in str(caught.value)


def test_missing_gold_and_missing_fields_are_refused_with_the_reason() -> None:
    with pytest.raises(msgspec.ValidationError, match="`gold` is missing"):
        decode_gold(None)
    for field in GOLD:
        with pytest.raises(msgspec.ValidationError, match=f"missing required field `{field}`"):
            decode_gold({key: value for key, value in GOLD.items() if key != field})


def test_gold_is_written_as_it_is_read() -> None:
    gold = decode_gold(GOLD)
    assert isinstance(gold, ScholarGold)
    assert decode_gold(msgspec.to_builtins(gold)) == gold
