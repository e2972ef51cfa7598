"""arXiv: its feeds read, its rules kept, its failures told apart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.draws import drawn
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.scholar.sampling import Window
from runner.benches.scholar.sources.arxiv import Arxiv, parse_feed, read_moment
from runner.settings import Settings
from tests.runner.benches.scholar.made_papers import NOW, paper
from tests.runner.wire import FakeTime, Script, answer, wire

T = TypeVar("T")
WINDOW = Window(NOW - timedelta(days=1), NOW)
BODY = f"<article><p>{'Words of a body stand here. ' * 50}</p></article>"


def entry(number: int = 1, **parts: str) -> str:
    fields = {
        "id": f"http://arxiv.org/abs/2611.{number:05d}v1",
        "title": f"Annealed Lattices for Cold Sensors {number}",
        "summary": "  We anneal lattices.\n  They are cold.\n",
        "published": "2026-11-15T02:00:00Z",
        "category": "cs.LG",
        "more": "",
    } | parts
    return (
        f"<entry><id>{fields['id']}</id><title>{fields['title']}</title>"
        f"<updated>2026-11-15T09:00:00Z</updated><summary>{fields['summary']}</summary>"
        f'<category term="math.CO"/><published>{fields["published"]}</published>'
        f'<arxiv:primary_category term="{fields["category"]}"/>'
        f"<author><name>Ada Vex</name></author><author><name>Bo Ru</name></author>"
        f"{fields['more']}</entry>"
    )


def feed(*entries: str) -> str:
    return (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">'
        "<title>arXiv Query</title><id>http://arxiv.org/api/x</id>"
        f"{''.join(entries)}</feed>\n"
    )


def told(*documents: str | bytes) -> list[bytes]:
    return [one if isinstance(one, bytes) else answer(one.encode()) for one in documents]


def ask(
    answers: list[bytes], work: Callable[[Arxiv], Awaitable[T]]
) -> tuple[T | SourceError, Script, FakeTime]:
    """What `work` gave, or how it failed, with a source that hears these answers."""

    async def run() -> tuple[T | SourceError, Script, FakeTime]:
        time = FakeTime()
        async with wire(*answers) as script:
            source = Arxiv(Settings(env={}, gateway=script.url, sleep=time.sleep))
            try:
                return await work(source), script, time
            except SourceError as error:
                return error, script, time
            finally:
                await source.aclose()

    return asyncio.run(run())


def query_of(head: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(head.split(" ")[1]).query)


def test_an_entry_becomes_a_paper() -> None:
    (found,) = parse_feed(feed(entry(7)), Drops())
    assert found.ids.named() == {"arxiv": "2611.00007", "doi": "10.48550/arxiv.2611.00007"}
    assert found.key == "2611.00007"
    assert found.url == "https://arxiv.org/abs/2611.00007"
    assert found.title == "Annealed Lattices for Cold Sensors 7"
    assert found.abstract == "We anneal lattices. They are cold."
    assert found.published == datetime(2026, 11, 15, 2, tzinfo=UTC)
    assert found.authors == "Ada Vex, Bo Ru"
    assert (found.suite, found.domain) == ("arxiv", "computer science")


@pytest.mark.parametrize(
    ("parts", "field", "value"),
    [
        ({"title": "Cold\n  Lattices &amp; &lt;Sensors"}, "title", "Cold Lattices & <Sensors"),
        ({"id": "http://arxiv.org/abs/2611.00007v12"}, "key", "2611.00007"),
        ({"id": "https://arxiv.org/abs/hep-ph/0203079v2"}, "key", "hep-ph/0203079"),
        ({"category": "q-bio.NC"}, "domain", "life sciences"),
        ({"category": "econ.EM"}, "domain", "social sciences"),
        ({"category": "q-fin.ST"}, "domain", "social sciences"),
        ({"category": "math.CO"}, "domain", "physical sciences"),
        ({"category": "stat.ME"}, "domain", "physical sciences"),
        ({"category": "physics.optics"}, "domain", "physical sciences"),
        ({"category": "astro-ph.GA"}, "domain", "physical sciences"),
        ({"category": "cond-mat.soft"}, "domain", "physical sciences"),
        ({"more": "<arxiv:comment>7 pages</arxiv:comment>"}, "note", "7 pages"),
    ],
)
def test_the_fields_of_an_entry(parts: dict[str, str], field: str, value: str) -> None:
    (found,) = parse_feed(feed(entry(1, **parts)), Drops())
    assert getattr(found, field) == value


def test_a_journal_doi_stands_where_there_is_one() -> None:
    more = "<arxiv:doi>10.1016/J.Cell.2026.01.001</arxiv:doi>"
    (found,) = parse_feed(feed(entry(more=more)), Drops())
    assert found.ids.doi == "10.1016/j.cell.2026.01.001"
    (found,) = parse_feed(feed(entry(more="<arxiv:doi>junk</arxiv:doi>")), Drops())
    assert found.ids.doi == "10.48550/arxiv.2611.00001"


@pytest.mark.parametrize(
    "parts",
    [
        {"id": "http://arxiv.org/abs/junk"},
        {"id": "http://evil.example/abs/2611.00001"},
        {"id": ""},
        {"title": " "},
        {"summary": ""},
        {"published": "yesterday"},
        {"published": "2026-11-15T02:00:00"},
        {"published": ""},
    ],
)
def test_an_entry_that_lacks_something_is_counted(parts: dict[str, str]) -> None:
    drops = Drops()
    assert [one.key for one in parse_feed(feed(entry(1, **parts), entry(2)), drops)] == [
        "2611.00002"
    ]
    assert drops.counts == {"arxiv_malformed": 1}


@pytest.mark.parametrize("category", ["hep-th", "quant-ph", "eess.SP", "", "csx.LG"])
def test_an_entry_of_no_domain_is_passed_over(category: str) -> None:
    drops = Drops()
    assert parse_feed(feed(entry(category=category)), drops) == []
    assert not drops.counts


def test_an_error_comes_as_an_entry() -> None:
    wrong = entry(
        id="https://arxiv.org/api/errors#bad", title="Error", summary="start must be an integer"
    )
    with pytest.raises(SourceError, match="start must be an integer") as caught:
        parse_feed(feed(wrong), Drops())
    assert caught.value.kind == "http_error"


@pytest.mark.parametrize(
    "document",
    ["", "Rate exceeded.", "<html>busy</html>", feed(entry())[:-20], '{"feed": 1}', "</feed>"],
)
def test_what_is_no_whole_feed_is_malformed(document: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_feed(document, Drops())
    assert caught.value.kind == "malformed"


def test_entities_are_not_expanded_and_hostile_feeds_are_cheap() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + feed(entry(title="&b; x"))
    (found,) = parse_feed(bomb, Drops())
    assert "aaaa" not in found.title
    assert parse_feed(feed("<entry><title>" * 50_000), Drops()) == []


@given(st.text(alphabet="<>/entry'\"= &;idtla\n", max_size=200))
def test_any_feed_is_read_or_refused(junk: str) -> None:
    try:
        found = parse_feed(feed(junk, entry()), Drops())
    except SourceError:
        return
    assert len(found) <= 2


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-15T02:00:00Z", datetime(2026, 11, 15, 2, tzinfo=UTC)),
        (" 2026-11-15T02:00:00+02:00 ", datetime(2026, 11, 15, tzinfo=UTC)),
        ("2026-11-15", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("soon", None),
    ],
)
def test_a_moment_has_an_offset(text: str, moment: datetime | None) -> None:
    assert read_moment(text) == moment


# A seed by which lists begin in the first half of a window and go to its end.
EARLY = next(seed for seed in range(99) if drawn(1_001, seed, "start") < 500)


def sample(
    wanted: int = 2, seed: int = EARLY, drops: Drops | None = None
) -> Callable[[Arxiv], Any]:
    kept = drops if drops is not None else Drops()
    return lambda source: source.sample("computer science", WINDOW, wanted, seed, kept)


def test_a_window_is_asked_by_field_and_time() -> None:
    found, script, _ = ask(told(feed(*map(entry, range(1, 9)))), sample())
    assert not isinstance(found, SourceError)
    assert len(found) == 2
    asked = query_of(script.heads[0])
    assert asked["sortBy"] == ["submittedDate"]
    assert asked["max_results"] == ["40"]
    assert asked["search_query"][0].startswith("(cat:cs.*) AND submittedDate:[2026111")
    assert "/export.arxiv.org/api/query?" in script.heads[0]


def test_lists_that_lean_to_their_end_begin_at_a_moment_that_the_seed_draws() -> None:
    asked = []
    for seed in range(12):
        _, script, _ = ask(told(feed(*map(entry, range(1, 9)))), sample(seed=seed))
        query = query_of(script.heads[0])
        span = query["search_query"][0].partition("[")[2].rstrip("]")
        start, _, end = span.partition(" TO ")
        asked.append((start, end, query["sortOrder"][0]))
    assert len({(start, end) for start, end, _ in asked}) > 6
    for start, end, order in asked:
        if order == "ascending":  # from the moment on
            assert end == f"{WINDOW.end:%Y%m%d%H%M}"
            assert start < f"{WINDOW.start + timedelta(hours=12, minutes=1):%Y%m%d%H%M}"
        else:  # back from the moment
            assert start == f"{WINDOW.start:%Y%m%d%H%M}"
            assert end >= f"{WINDOW.start + timedelta(hours=11, minutes=58):%Y%m%d%H%M}"
    assert {order for *_, order in asked} == {"ascending", "descending"}


def test_a_part_that_gives_too_little_makes_room_for_the_whole_window() -> None:
    few, many = feed(entry(1)), feed(*map(entry, range(1, 9)))
    found, script, _ = ask(told(few, many), sample())
    assert not isinstance(found, SourceError)
    assert len(found) == 2
    assert len(script.heads) == 2
    span = f"[{WINDOW.start:%Y%m%d%H%M} TO {WINDOW.end:%Y%m%d%H%M}]"
    assert span in query_of(script.heads[1])["search_query"][0]


def test_an_empty_page_is_asked_for_once_more() -> None:
    found, script, _ = ask(told(feed(), feed(*map(entry, range(1, 9)))), sample())
    assert not isinstance(found, SourceError)
    assert len(found) == 2
    assert len(script.heads) == 2
    assert query_of(script.heads[0]) == query_of(script.heads[1])


def test_a_page_that_stays_empty_is_empty() -> None:
    found, script, _ = ask(told(feed()), sample())
    assert found == []
    assert len(script.heads) == 4  # the part and the window, twice each


def test_a_paper_published_outside_the_window_is_dropped_and_counted() -> None:
    drops = Drops()
    old = entry(1, published="2011-02-03T00:00:00Z")
    found, _, _ = ask(told(feed(old, *map(entry, range(2, 9)))), sample(7, EARLY, drops))
    assert not isinstance(found, SourceError)
    assert "2611.00001" not in {one.key for one in found}
    assert drops.counts["outside_window"] >= 1
    assert "2011-02-03" in drops.reasons["outside_window"]


def test_a_paper_at_home_in_another_field_is_left_out() -> None:
    papers = [entry(1, category="stat.ML"), *map(entry, range(2, 9))]
    found, _, _ = ask(told(feed(*papers)), sample(8))
    assert not isinstance(found, SourceError)
    assert {one.domain for one in found} == {"computer science"}


def test_lists_and_texts_share_one_connection_and_three_seconds() -> None:
    async def work(source: Arxiv) -> None:
        one = paper(arxiv="2611.00001")
        await asyncio.gather(
            source.sample("computer science", WINDOW, 2, EARLY, Drops()),
            source.body(one),
            source.body(one),
        )

    page = feed(*map(entry, range(1, 9))) + BODY
    whole = page.replace("</feed>", "") + "</feed>"
    _, script, time = ask(told(whole), work)
    assert len(script.heads) == 3
    assert script.most_in_flight == 1
    assert script.connections == 1
    assert len(time.slept) == 2
    assert all(2.5 < slept <= 3.0 for slept in (time.slept[0], time.slept[1] - 3.0))


def test_a_busy_answer_is_asked_again_and_never_within_three_seconds() -> None:
    busy = answer(b"busy", 503, retry_after="1")
    found, script, time = ask([busy, *told(feed(*map(entry, range(1, 9))))], sample())
    assert not isinstance(found, SourceError)
    assert len(script.heads) == 2
    assert time.slept[0] == 3.0


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([answer(b"busy", 503)], "http_error"),
        ([answer(b"slow down", 429)], "rate_limited"),
        ([answer(b"<html>maintenance</html>")], "malformed"),
        ([answer(b"no", 400)], "http_error"),
        ([b""], "transport"),
    ],
)
def test_a_source_that_fails_says_how(answers: list[bytes], kind: str) -> None:
    found, _, _ = ask(answers, sample())
    assert isinstance(found, SourceError)
    assert found.kind == kind


def test_a_text_is_taken_from_arxiv_first() -> None:
    found, script, _ = ask(told(BODY), lambda source: source.body(paper(arxiv="2611.00007")))
    assert isinstance(found, str)
    assert found.startswith("Words of a body")
    assert "/arxiv.org/html/2611.00007 " in script.heads[0]


@pytest.mark.parametrize(
    "first", [answer(b"No HTML", 404), answer(b"<article><p>Conversion failed.</p></article>")]
)
def test_ar5iv_stands_in_where_arxiv_has_no_text(first: bytes) -> None:
    found, script, _ = ask(
        [first, *told(BODY)], lambda source: source.body(paper(arxiv="hep-ph/0203079"))
    )
    assert isinstance(found, str)
    assert "/ar5iv.labs.arxiv.org/html/hep-ph/0203079 " in script.heads[1]


def test_a_paper_without_a_text_anywhere_has_none() -> None:
    found, script, _ = ask(
        [answer(b"", 404)], lambda source: source.body(paper(arxiv="2611.00007"))
    )
    assert found is None
    assert len(script.heads) == 2


def test_ar5iv_is_not_followed_back_to_arxiv() -> None:
    moved = answer(b"", 307, location="https://arxiv.org/abs/2611.00007")
    found, script, _ = ask(
        [answer(b"", 404), moved, *told(BODY)],
        lambda source: source.body(paper(arxiv="2611.00007")),
    )
    assert found is None
    assert len(script.heads) == 2
