"""Wikidata over the wire: what is asked, what is read out of answers, and what answers break."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from runner.benches.fetching import SourceError
from runner.benches.finance.sources.statements import Names
from runner.benches.finance.sources.wikidata import (
    LAG_RETRIES,
    Wikidata,
    cik_query,
    read_all_names,
    read_bindings,
    read_entity,
    read_hits,
)
from runner.settings import Settings
from tests.runner.benches.finance.wikidata_json import document, entity, text
from tests.runner.wire import FakeTime, Script, answer, wire

LAG = {"error": {"code": "maxlag", "info": "Waiting for db: 7 seconds lagged", "lag": 7}}


def ask(
    call: Callable[[Wikidata], Awaitable[Any]], *answers: Any
) -> tuple[Any, Script, list[float]]:
    """The result (a SourceError as a value), the requests, and how long it waited."""

    async def run() -> tuple[Any, Script, list[float]]:
        time = FakeTime()
        bodies = [
            each if isinstance(each, bytes) else json.dumps(each).encode() for each in answers
        ]
        async with wire(*map(answer, bodies)) as script:
            source = Wikidata(Settings(env={}, gateway=script.url, sleep=time.sleep))
            try:
                return await call(source), script, [s for s in time.slept if s >= 1]
            except SourceError as error:
                return error, script, [s for s in time.slept if s >= 1]
            finally:
                await source.aclose()

    return asyncio.run(run())


def asked(script: Script, nth: int = 0) -> tuple[str, dict[str, str]]:
    """Host with path, and the parameters of a request."""
    parts = urlsplit(script.heads[nth].split(" ")[1])
    return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}


def bindings(*rows: tuple[Any, Any]) -> Any:
    return {
        "head": {"vars": ["item", "cik"]},
        "results": {
            "bindings": [
                {"item": {"type": "uri", "value": qid}, "cik": {"type": "literal", "value": cik}}
                for qid, cik in rows
            ]
        },
    }


def test_companies_are_asked_for_by_both_forms_of_their_number() -> None:
    url = "http://www.wikidata.org/entity/Q312"
    found, script, _ = ask(
        lambda source: source.by_cik([320193, 7]), bindings((url, "0000320193"), (url, "320193"))
    )
    assert found == {320193: ["Q312"]}
    path, params = asked(script)
    assert (path, params["format"]) == ("/query.wikidata.org/sparql", "json")
    assert params["query"] == cik_query([320193, 7])
    assert '"0000320193" "320193" "0000000007" "7"' in params["query"]
    assert "wdt:P5531" in params["query"]


def test_bindings_give_items_sorted_for_the_numbers_that_were_asked() -> None:
    raw = bindings(("Q20", "0000000007"), ("Q3", "7"), ("Q3", "0000000007"), ("Q9", "8"))
    assert read_bindings(raw, [7, 5]) == {7: ["Q3", "Q20"]}


@pytest.mark.parametrize(
    "row",
    [
        ("Q3", None),
        ("Q3", 7),
        ("Q3", "seven"),
        ("Q3", "-7"),
        ("Q3", "7" * 11),
        ("P5531", "7"),
        (None, "7"),
        ("http://evil.example/Q3x", "7"),
    ],
)
def test_a_binding_of_another_shape_is_passed_over(row: tuple[Any, Any]) -> None:
    assert read_bindings(bindings(row), [7]) == {}
    for broken in (None, "x", [], {"item": None, "cik": None}, {"item": "Q3", "cik": "7"}):
        raw = {"results": {"bindings": [broken]}}
        assert read_bindings(raw, [7]) == {}


@pytest.mark.parametrize("raw", [None, [], {}, "x", {"results": None}, {"results": {}}, 5, True])
def test_a_document_of_another_shape_is_malformed(raw: Any) -> None:
    for read in (
        lambda: read_bindings(raw, [7]),
        lambda: read_entity(raw, "Q1"),
        lambda: read_all_names(raw, ["Q1"]),
        lambda: read_hits(raw),
    ):
        with pytest.raises(SourceError) as caught:
            read()
        assert caught.value.kind == "malformed"


def test_an_item_is_read_from_its_entity_document() -> None:
    raw = document(entity("Q312", "Apple", P856=text("https://www.apple.com/")))
    found, script, _ = ask(lambda source: source.item("Q312"), raw)
    assert (found.qid, found.names.label) == ("Q312", "Apple")
    assert found.texts("P856") == ["https://www.apple.com/"]
    assert asked(script) == ("/www.wikidata.org/wiki/Special:EntityData/Q312.json", {})


def test_a_merged_item_is_the_one_it_was_merged_into() -> None:
    assert read_entity(document(entity("Q2", "Acme")), "Q1").qid == "Q2"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ({"entities": {}}, "malformed"),
        ({"entities": []}, "malformed"),
        ({"entities": {"Q1": None}}, "not_found"),
        ({"entities": {"Q1": {"id": "Q1", "missing": ""}}}, "not_found"),
        ({"entities": {"-1": {"id": "Q1", "missing": ""}}}, "not_found"),
        ({"entities": {"-1": {"id": "Q1"}}}, "not_found"),
        ({"entities": {"Q2": {}, "Q3": {}}}, "not_found"),
    ],
)
def test_a_document_without_the_item_is_an_error(raw: Any, kind: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_entity(raw, "Q1")
    assert caught.value.kind == kind


def test_names_are_asked_for_together() -> None:
    raw = document(entity("Q1", "Ann Lee", "A. Lee"), entity("Q2"), entity("Q9", "Nobody asked"))
    found, script, _ = ask(lambda source: source.names(["Q1", "Q2", "Q3"]), raw)
    assert found == {"Q1": Names("Ann Lee", ("A. Lee",))}
    path, params = asked(script)
    assert path == "/www.wikidata.org/w/api.php"
    assert params == {
        "action": "wbgetentities",
        "ids": "Q1|Q2|Q3",
        "props": "labels|aliases",
        "languages": "en|mul",
        "format": "json",
        "maxlag": "5",
    }


def test_a_name_is_searched_among_items() -> None:
    raw = {"search": [{"id": "Q5"}, {"id": "Q5"}, {"id": "P31"}, None, {}, {"id": 7}, {"id": "Q6"}]}
    found, script, _ = ask(lambda source: source.search("acme widgets"), raw)
    assert found == ["Q5"]
    _, params = asked(script)
    assert params["search"] == "acme widgets"
    assert (params["action"], params["type"], params["limit"]) == ("wbsearchentities", "item", "5")


def test_a_lagging_server_is_waited_for() -> None:
    found, script, slept = ask(lambda source: source.search("x"), LAG, LAG, {"search": []})
    assert (found, len(script.heads), slept) == ([], 3, [5, 5])


def test_a_server_that_lags_for_good_is_given_up() -> None:
    error, script, slept = ask(lambda source: source.search("x"), LAG)
    assert (error.kind, len(script.heads)) == ("rate_limited", LAG_RETRIES)
    assert len(slept) == LAG_RETRIES - 1


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ({"error": {"code": "no-such-entity", "info": "..."}}, "'no-such-entity'"),
        ({"error": {"code": None}}, "'unknown'"),
        ({"error": "maxlag"}, "'unknown'"),
        ({"error": {"code": "x" * 999}}, "'xxx"),
    ],
)
def test_an_error_inside_an_answer_is_an_error(raw: Any, text: str) -> None:
    error, script, _ = ask(lambda source: source.names(["Q1"]), raw)
    assert (error.kind, len(script.heads)) == ("http_error", 1)
    assert text in error.message
    assert len(error.message) < 200


@pytest.mark.parametrize("body", [b"<html>down</html>", b"", b"{", b"null", b"[]", b'"x"', b"0"])
def test_no_answer_of_another_kind_is_anything_but_malformed(body: bytes) -> None:
    calls: list[Callable[[Wikidata], Awaitable[Any]]] = [
        lambda source: source.by_cik([7]),
        lambda source: source.item("Q1"),
        lambda source: source.names(["Q1"]),
        lambda source: source.search("x"),
    ]
    for call in calls:
        error, _, _ = ask(call, body)
        assert isinstance(error, SourceError)
        assert error.kind == "malformed"
