"""Europe PMC: pages of results, a page that the seed draws, texts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import pytest

from runner.benches.draws import drawn
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.scholar.sampling import Window
from runner.benches.scholar.sources.europepmc import (
    MAX_PAGES,
    EuropePmc,
    clean_title,
    parse_page,
    read_day,
)
from runner.settings import Settings
from tests.runner.benches.scholar.made_papers import NOW, paper
from tests.runner.wire import FakeTime, Script, answer, wire

T = TypeVar("T")
WINDOW = Window(NOW - timedelta(days=2), NOW)
JATS = f"<article><body><p>{'Words of a body stand here. ' * 50}</p></body></article>"


def result(number: int = 1, **parts: Any) -> dict[str, Any]:
    return {
        "id": f"{40_000_000 + number}",
        "source": "MED",
        "title": f"Annealed lattices for cold sensors {number}.",
        "abstractText": "<h4>Background</h4>We anneal &amp; cool.",
        "firstPublicationDate": "2026-11-14",
        "pmid": f"{40_000_000 + number}",
        "pmcid": f"PMC{12_000_000 + number}",
        "doi": f"10.1000/ABC.{number}",
        "authorString": "Vex A, Ru B.",
    } | parts


def page(*results: Any, **parts: Any) -> dict[str, Any]:
    return {"hitCount": 99, "resultList": {"result": list(results)}} | parts


def ask(
    answers: list[bytes], work: Callable[[EuropePmc], Awaitable[T]]
) -> tuple[T | SourceError, Script]:
    async def run() -> tuple[T | SourceError, Script]:
        async with wire(*answers) as script:
            source = EuropePmc(Settings(env={}, gateway=script.url, sleep=FakeTime().sleep))
            try:
                return await work(source), script
            except SourceError as error:
                return error, script
            finally:
                await source.aclose()

    return asyncio.run(run())


def told(*documents: Any) -> list[bytes]:
    return [answer(json.dumps(one).encode()) for one in documents]


def query_of(head: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(head.split(" ")[1]).query)


def test_a_result_becomes_a_paper() -> None:
    (found,) = parse_page(page(result(7)), Drops())
    assert found.ids.named() == {
        "doi": "10.1000/abc.7",
        "pmid": "40000007",
        "pmcid": "PMC12000007",
    }
    assert found.key == "10.1000/abc.7"
    assert found.title == "Annealed lattices for cold sensors 7"
    assert found.abstract == "Background We anneal & cool."
    assert found.published == datetime(2026, 11, 14, tzinfo=UTC)
    assert found.url == "https://europepmc.org/article/MED/40000007"
    assert found.authors == "Vex A, Ru B."
    assert (found.suite, found.domain) == ("europepmc", "health sciences")


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        ("Cold sensors.", "Cold sensors"),
        ("[Cold sensors].", "Cold sensors"),
        ("[Cold sensors.]", "Cold sensors"),
        ("Cold [sensors]", "Cold [sensors]"),
        ("Are sensors cold?", "Are sensors cold?"),
        ("  Cold ", "Cold"),
    ],
)
def test_titles_lose_their_full_stop_and_brackets(title: str, clean: str) -> None:
    assert clean_title(title) == clean


def test_markup_in_a_title_goes() -> None:
    (found,) = parse_page(
        page(result(title="<i>E. coli</i> in H<sub>2</sub>O &amp; ice.")), Drops()
    )
    assert found.title == "E. coli in H2O & ice"


@pytest.mark.parametrize(
    "parts",
    [
        {"title": ""},
        {"title": None},
        {"title": 5},
        {"abstractText": ""},
        {"abstractText": None},
        {"firstPublicationDate": "2026"},
        {"firstPublicationDate": None},
        {"firstPublicationDate": "2026-13-01"},
        {"id": ""},
        {"id": "40/../x"},
        {"source": "MED/x"},
        {"source": None},
    ],
)
def test_a_result_that_lacks_something_is_counted(parts: dict[str, Any]) -> None:
    drops = Drops()
    assert len(parse_page(page(result(1, **parts), result(2)), drops)) == 1
    assert drops.counts == {"europepmc_malformed": 1}


@pytest.mark.parametrize("raw", [None, "x", 5, []])
def test_what_is_no_result_is_counted(raw: Any) -> None:
    drops = Drops()
    assert len(parse_page(page(raw, result(2)), drops)) == 1
    assert drops.counts == {"europepmc_malformed": 1}


@pytest.mark.parametrize("bad", ["x", "0", "-5", 40, None, "PMC", "4" * 12])
def test_ids_that_are_none_are_left_out(bad: Any) -> None:
    (found,) = parse_page(page(result(1, pmid=bad, pmcid=bad, doi=bad)), Drops())
    assert "pmid" not in found.ids.named()
    assert "doi" not in found.ids.named()


@pytest.mark.parametrize(
    "document", [None, [], "x", {}, {"resultList": []}, {"resultList": {"result": {}}}]
)
def test_a_document_of_another_shape_is_malformed(document: Any) -> None:
    with pytest.raises(SourceError) as caught:
        parse_page(document, Drops())
    assert caught.value.kind == "malformed"


def test_an_error_in_a_good_answer_is_told() -> None:
    with pytest.raises(SourceError, match="cursorMark is wrong"):
        parse_page({"errCode": 400, "errMsg": "cursorMark is wrong"}, Drops())


@pytest.mark.parametrize(
    ("text", "is_day"),
    [("2026-11-14", True), ("2026-02-30", False), ("", False), ("14-11-2026", False)],
)
def test_a_day_is_written_in_one_way(text: str, is_day: bool) -> None:
    assert (read_day(text) is not None) == is_day


def seed_for(pages: int) -> int:
    """A seed that draws the page of this number."""
    return next(seed for seed in range(100) if drawn(MAX_PAGES, seed, "page") + 1 == pages)


def full(first: int, mark: str) -> dict[str, Any]:
    return page(*map(result, range(first, first + 50)), nextCursorMark=mark)


def test_open_english_papers_with_text_are_asked_for_by_day() -> None:
    found, script = ask(
        told(full(1, "b")), lambda source: source.sample(WINDOW, 3, seed_for(1), Drops())
    )
    assert not isinstance(found, SourceError)
    assert len(found) == 3
    asked = query_of(script.heads[0])
    assert asked["query"] == [
        'OPEN_ACCESS:y AND HAS_FT:y AND HAS_ABSTRACT:y AND LANG:"eng" AND '
        "FIRST_PDATE:[2026-11-13 TO 2026-11-15]"
    ]
    assert asked["resultType"] == ["core"]
    assert asked["pageSize"] == ["50"]
    assert asked["cursorMark"] == ["*"]


def test_the_first_page_is_by_relevance_so_that_a_later_one_is_drawn() -> None:
    answers = told(full(1, "b"), full(51, "c"), full(101, "d"))
    found, script = ask(answers, lambda source: source.sample(WINDOW, 5, seed_for(3), Drops()))
    assert not isinstance(found, SourceError)
    assert {int(one.ids.pmid or 0) - 40_000_000 for one in found} <= set(range(101, 151))
    assert [query_of(head)["cursorMark"][0] for head in script.heads] == ["*", "b", "c"]


@pytest.mark.parametrize(
    "last", [full(51, "b"), page(*map(result, range(51, 54)), nextCursorMark="c"), page()]
)
def test_a_list_that_ends_early_gives_what_it_has(last: dict[str, Any]) -> None:
    found, script = ask(
        told(full(1, "b"), last), lambda source: source.sample(WINDOW, 5, seed_for(4), Drops())
    )
    assert not isinstance(found, SourceError)
    assert len(found) == 5
    assert len(script.heads) == 2


def test_a_paper_that_was_published_years_before_is_dropped_and_counted() -> None:
    drops = Drops()
    results = [result(n, firstPublicationDate=f"201{n}-06-01") for n in range(1, 6)]
    results.append(result(6))
    found, _ = ask(
        told(page(*results)), lambda source: source.sample(WINDOW, 5, seed_for(1), drops)
    )
    assert not isinstance(found, SourceError)
    assert [one.ids.pmid for one in found] == ["40000006"]
    assert drops.counts == {"outside_window": 5}


def test_the_same_seed_draws_the_same_papers() -> None:
    def keys(seed: int) -> list[str]:
        found, _ = ask(told(full(1, "b")), lambda source: source.sample(WINDOW, 5, seed, Drops()))
        assert not isinstance(found, SourceError)
        return [one.key for one in found]

    assert keys(seed_for(1)) == keys(seed_for(1))


def test_a_text_is_asked_for_by_pmcid() -> None:
    found, script = ask([answer(JATS.encode())], lambda source: source.body(paper(pmcid="PMC7")))
    assert isinstance(found, str)
    assert (
        script.heads[0]
        .split(" ")[1]
        .endswith("/www.ebi.ac.uk/europepmc/webservices/rest/PMC7/fullTextXML")
    )


@pytest.mark.parametrize("reply", [answer(b"", 404), answer(b"<article><body/></article>")])
def test_a_text_that_is_not_there_is_none(reply: bytes) -> None:
    found, _ = ask([reply], lambda source: source.body(paper(pmcid="PMC7")))
    assert found is None


def test_without_a_pmcid_nothing_is_asked() -> None:
    found, script = ask([answer()], lambda source: source.body(paper(pmid="40")))
    assert found is None
    assert script.heads == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (answer(b"", 503), "http_error"),
        (answer(b"", 429), "rate_limited"),
        (answer(b"<html>"), "malformed"),
        (answer(b"{}", 400), "http_error"),
        (b"", "transport"),
    ],
)
def test_a_source_that_fails_says_how(reply: bytes, kind: str) -> None:
    found, _ = ask([reply], lambda source: source.sample(WINDOW, 3, 0, Drops()))
    assert isinstance(found, SourceError)
    assert found.kind == kind
