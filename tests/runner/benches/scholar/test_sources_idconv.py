"""The id converter: missing ids are filled, those that are there stay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.scholar.rows import PaperIds
from runner.benches.scholar.sources.idconv import BATCH, IdConverter, read_records
from runner.settings import Settings
from tests.runner.wire import FakeTime, answer, wire


def complete(
    papers: Sequence[PaperIds], *documents: Any, env: dict[str, str] | None = None
) -> tuple[list[dict[str, str]], list[dict[str, str]], Drops]:
    """The ids of each paper, what was asked, and what was dropped."""

    async def run() -> tuple[list[dict[str, str]], list[dict[str, str]], Drops]:
        drops = Drops()
        answers: list[bytes] = [
            one if isinstance(one, bytes) else answer(json.dumps(one).encode())
            for one in documents or ({"records": []},)
        ]
        async with wire(*answers) as script:
            settings = Settings(env=env or {}, gateway=script.url, sleep=FakeTime().sleep)
            source = IdConverter(settings)
            found = await source.completed(papers, drops)
            await source.aclose()
            queries = [urlsplit(head.split(" ")[1]).query for head in script.heads]
        asked = [{k: v[0] for k, v in parse_qs(query).items()} for query in queries]
        return [ids.named() for ids in found], asked, drops

    return asyncio.run(run())


RECORD = {"pmcid": "PMC7", "pmid": 40, "doi": "10.1000/A", "requested-id": "PMC7"}
WHOLE = {"doi": "10.1000/a", "pmid": "40", "pmcid": "PMC7"}


@pytest.mark.parametrize(
    ("known", "kind"),
    [
        ({"pmcid": "PMC7"}, "pmcid"),
        ({"pmid": "40"}, "pmid"),
        ({"doi": "10.1000/a"}, "doi"),
        ({"pmid": "40", "pmcid": "PMC7"}, "pmcid"),
        ({"doi": "10.1000/a", "pmid": "40"}, "pmid"),
    ],
)
def test_missing_ids_are_filled(known: dict[str, str], kind: str) -> None:
    found, asked, drops = complete([PaperIds(**known)], {"records": [RECORD]})
    assert found == [WHOLE]
    assert [query["idtype"] for query in asked] == [kind]
    assert asked[0]["ids"] == known[kind]
    assert asked[0]["format"] == "json"
    assert asked[0]["versions"] == "no"
    assert not drops.counts


@pytest.mark.parametrize(
    "known",
    [
        {"doi": "10.1000/a", "pmid": "40", "pmcid": "PMC7"},
        {"arxiv": "2611.00001", "doi": "10.48550/arxiv.2611.00001"},
        {"arxiv": "2611.00001"},
        {"doi": "10.1000/a,b"},
    ],
)
def test_what_is_whole_or_not_in_pmc_is_not_asked_for(known: dict[str, str]) -> None:
    found, asked, _ = complete([PaperIds(**known)])
    assert found == [known]
    assert asked == []


def test_ids_that_are_known_stay_and_arxiv_ids_too() -> None:
    known = {"arxiv": "2611.00001", "doi": "10.1000/a", "pmid": "41"}
    record = RECORD | {"pmid": 41, "doi": "10.1000/other"}
    found, _, _ = complete([PaperIds(**known)], {"records": [record]})
    assert found == [known | {"pmcid": "PMC7"}]


@pytest.mark.parametrize(
    "record",
    [
        {"pmcid": "PMC7", "status": "error", "errmsg": "Identifier not found in PMC", "pmid": 40},
        {"pmcid": "PMC7", "errmsg": "no", "pmid": 40},
        {"pmcid": "PMC8", "pmid": 40},
        {"pmid": 40},
        {"pmcid": None, "pmid": 40},
        "junk",
        None,
    ],
)
def test_a_record_that_is_not_the_papers_changes_nothing(record: Any) -> None:
    found, _, _ = complete([PaperIds(pmcid="PMC7")], {"records": [record]})
    assert found == [{"pmcid": "PMC7"}]


@pytest.mark.parametrize("bad", ["x", "", 0, -4, True, [40], None, "PMC40x"])
def test_an_id_that_is_none_is_not_taken(bad: Any) -> None:
    record = {"pmcid": "PMC7", "pmid": bad, "doi": bad}
    found, _, _ = complete([PaperIds(pmcid="PMC7")], {"records": [record]})
    assert found == [{"pmcid": "PMC7"}]


def test_ids_go_a_hundred_at_once_and_one_kind_a_request() -> None:
    papers = [PaperIds(pmcid=f"PMC{n}") for n in range(1, BATCH + 6)]
    papers.append(PaperIds(pmid="40"))
    _, asked, _ = complete(papers)
    assert [(query["idtype"], query["ids"].count(",") + 1) for query in asked] == [
        ("pmcid", BATCH),
        ("pmcid", 5),
        ("pmid", 1),
    ]


@pytest.mark.parametrize(
    "reply", [answer(b"", 404), answer(b"junk"), answer(b"", 500), b"", answer(b"[]")]
)
def test_a_converter_that_is_down_is_counted_and_papers_keep_their_ids(reply: bytes) -> None:
    found, _, drops = complete([PaperIds(pmcid="PMC7")], reply)
    assert found == [{"pmcid": "PMC7"}]
    assert drops.counts == {"idconv": 1}


def test_the_contact_goes_along_where_it_is_known() -> None:
    _, asked, _ = complete([PaperIds(pmcid="PMC7")], env={"NEEDLE_CONTACT": "ops@example.org"})
    assert asked[0]["email"] == "ops@example.org"
    _, asked, _ = complete([PaperIds(pmcid="PMC7")])
    assert "email" not in asked[0]


@pytest.mark.parametrize("document", [None, [], {}, {"records": {}}, "x"])
def test_a_document_of_another_shape_is_malformed(document: Any) -> None:
    with pytest.raises(SourceError) as caught:
        read_records(document, "pmcid")
    assert caught.value.kind == "malformed"
