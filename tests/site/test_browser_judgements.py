"""The judgement browser as a reader uses it, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sitebuilder import judgements
from tests.site.browser import Serve, Visits, fragment, is_sideways, served
from tests.site.made_archive import write_archive
from tests.site.made_data import write_data
from tests.site.made_site import build_parts

BENCHES = ("news", "legal")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A site with two archived benches of 8 queries."""
    folder = tmp_path_factory.mktemp("judgements")
    data = write_archive(write_data(folder / "data", benches=BENCHES), BENCHES, queries=8)
    build_parts(data, folder / "out", "judgements")
    with served(folder / "out") as address:
        yield folder / "out", address


def test_all_queries_are_listed_and_a_shard_is_loaded_when_one_is_opened(
    site: tuple[Path, str], visits: Visits
) -> None:
    visit = visits(site[1])
    page = visit.open("judgements/")
    news = page.locator("#judged-news")
    assert news.locator(".query").count() == 8
    assert news.locator("output").inner_text() == "8 of 8 queries"
    assert "judgements/news/1.json" not in visit.requests
    page.locator("#news-5 > summary").click()
    page.wait_for_selector("#news-5 .answer")
    assert visit.requests.count("judgements/news/1.json") == 1
    assert page.locator("#news-5 .answer").count() == 4
    assert page.locator("#news-5 .answer .got").first.inner_text() == "nDCG@5 0.250"
    assert fragment(page) == "#n=5"
    page.locator("#news-6 > summary").click()
    page.wait_for_selector("#news-6 .answer")
    assert visit.requests.count("judgements/news/1.json") == 1
    assert not [url for url in visit.requests if "legal" in url]


@pytest.mark.parametrize("bench", BENCHES)
def test_script_builds_exactly_what_the_template_builds(
    site: tuple[Path, str],
    visits: Visits,
    serve: Serve,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bench: str,
) -> None:
    data = write_archive(write_data(tmp_path / "data", benches=BENCHES), BENCHES, queries=8)
    monkeypatch.setattr(judgements, "FIRST_QUERIES", 8)
    build_parts(data, tmp_path / "out", "judgements")
    script = visits(site[1]).open(f"judgements/#b={bench}&n=4")
    ours = [script.locator(f"#{bench}-{n} > summary").inner_html() for n in range(4, 9)]
    body = script.locator(f"#{bench}-4 > .body")
    address = serve(tmp_path / "out")
    visit = visits(address, java_script_enabled=False)
    visit.page.goto(f"{address}judgements/")
    theirs = [visit.page.locator(f"#{bench}-{n} > summary").inner_html() for n in range(4, 9)]
    assert ours == theirs
    tidy = "html => html.replace(/\\s+/g, ' ').replace(/> </g, '><')"
    template = visit.page.locator(f"#{bench}-4 > .body").inner_html()
    assert script.evaluate(tidy, body.inner_html()) == script.evaluate(tidy, template)


def test_queries_are_filtered_by_typing_by_engine_and_by_misses(
    site: tuple[Path, str], visits: Visits
) -> None:
    page = visits(site[1]).open("judgements/")
    news = page.locator("#judged-news")
    count = news.locator("output")
    news.get_by_label("Filter queries").fill("QUESTION 3")
    assert count.inner_text() == "1 of 8 queries"
    assert news.locator(".query:visible").count() == 1
    assert page.locator("#news-4").is_visible()
    news.get_by_label("Filter queries").fill("")
    news.get_by_label("Outcome").select_option("miss")
    assert count.inner_text() == "2 of 8 queries"
    news.get_by_label("Engine").select_option("alpha")
    assert count.inner_text() == "1 of 8 queries"
    assert page.locator("#news-2").is_visible()
    news.get_by_label("Outcome").select_option("skip")
    assert count.inner_text() == "0 of 8 queries"
    news.get_by_label("Engine").select_option("gamma")
    assert count.inner_text() == "1 of 8 queries"
    assert fragment(page) == "#e=gamma&m=skip"
    news.get_by_label("Outcome").select_option("")
    boxes = page.locator("#news-1 .answer:visible")
    assert [box.inner_text() for box in boxes.locator("h3").all()] == ["Gamma"]


def test_a_link_opens_bench_query_and_engine(site: tuple[Path, str], visits: Visits) -> None:
    page = visits(site[1]).open("judgements/#b=legal&n=7&e=beta")
    assert page.locator("#judged-legal").is_visible()
    assert page.locator("#judged-news").is_hidden()
    assert page.locator("#legal-7 .answer:visible").count() == 1
    assert page.locator("#legal-7 .answer:visible .got").inner_text() == "hit at rank 2"
    assert page.evaluate("document.querySelector('#legal-7').getBoundingClientRect().top") < 900
    page.evaluate("location.hash = '#n=8'")
    page.wait_for_selector("#news-8 .answer")
    assert page.locator("#judged-legal").is_hidden()
    assert page.locator("#news-8 .answer:visible").count() == 4


def test_misses_of_all_engines_are_found_on_known_items(
    site: tuple[Path, str], visits: Visits
) -> None:
    page = visits(site[1]).open("judgements/#b=legal&m=none")
    legal = page.locator("#judged-legal")
    assert legal.locator("output").inner_text() == "1 of 8 queries"
    assert page.locator("#legal-2").is_visible()


def test_a_link_to_what_is_not_there_is_harmless(site: tuple[Path, str], visits: Visits) -> None:
    page = visits(site[1]).open("judgements/#b=x&n=999&e=nobody&m=what&q=%F0%9F%98%80&zz=1")
    assert page.locator("#judged-news").is_visible()
    assert page.locator("#judged-news output").inner_text() == "0 of 8 queries"


def test_a_missing_shard_is_said_in_place_and_can_be_tried_again(
    visits: Visits, serve: Serve, tmp_path: Path
) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",), queries=8)
    build_parts(data, tmp_path / "out", "judgements")
    shard = tmp_path / "out/judgements/news/1.json"
    content = shard.read_bytes()
    shard.unlink()
    address = serve(tmp_path / "out")
    visit = visits(address)
    visit.may_miss.add("1.json")
    page = visit.open("judgements/#n=5")
    alert = page.locator("#news-5 [role=alert]")
    assert "The results of this query could not be loaded (404" in alert.inner_text()
    shard.write_bytes(content[:100])
    alert.get_by_role("button", name="Try again").click()
    page.wait_for_selector("#news-5 [role=alert]:not(:has-text('404'))")
    shard.write_bytes(content)
    page.locator("#news-5 [role=alert]").get_by_role("button", name="Try again").click()
    page.wait_for_selector("#news-5 .answer")
    assert page.locator("#news-5 [role=alert]").count() == 0


def test_a_missing_index_leaves_the_first_queries_and_says_so(
    visits: Visits, serve: Serve, tmp_path: Path
) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",), queries=8)
    build_parts(data, tmp_path / "out", "judgements")
    path = tmp_path / "out/judgements/news/index.json"
    path.rename(path.with_suffix(".gone"))
    address = serve(tmp_path / "out")
    visit = visits(address)
    visit.may_miss.add("index.json")
    page = visit.open("judgements/")
    assert "could not be loaded (404" in page.get_by_role("alert").inner_text()
    assert page.locator(".query").count() == 3
    page.locator("#news-2 > summary").click()
    assert page.locator("#news-2 .answer").first.is_visible()
    path.with_suffix(".gone").rename(path)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("#news-8", state="attached")
    assert page.get_by_role("alert").count() == 0


RUNS = ("2026-08-18T10:17Z", "2026-08-19T10:17Z", "2026-08-20T10:17Z")
WHICH = "label:has(span:text-is('Run')) select"
EARLIER, OLDEST = "2026-08-19T1017Z", "2026-08-18T1017Z"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Three archived runs of two benches; the earlier a run, the fewer its queries."""
    folder = tmp_path_factory.mktemp("runs")
    data = write_data(folder / "data", benches=BENCHES)
    for place, ts in enumerate(RUNS):
        write_archive(data, BENCHES, queries=6 + place, ts=ts)
    build_parts(data, folder / "out", "judgements")
    with served(folder / "out") as address:
        yield folder / "out", address


def test_an_earlier_run_is_loaded_when_it_is_chosen(runs: tuple[Path, str], visits: Visits) -> None:
    visit = visits(runs[1])
    page = visit.open("judgements/")
    news = page.locator("#judged-news")
    assert news.locator("output").inner_text() == "8 of 8 queries"
    assert not [url for url in visit.requests if EARLIER in url]
    which = news.locator(WHICH)
    assert which.locator("option").all_inner_texts() == [
        "Newest",
        "19 Aug 2026, 10:17 UTC",
        "18 Aug 2026, 10:17 UTC",
    ]
    which.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#judged-news output:has-text('7 of 7 queries')")
    assert fragment(page) == f"#r={EARLIER}"
    caption = news.locator("[data-run-caption]")
    assert "Run of 19 Aug 2026, 10:17 UTC: 7 queries, nDCG@5. Judge:" in caption.inner_text()
    page.locator("#news-1 > summary").press("Enter")
    page.wait_for_selector("#news-1 .answer")
    wanted = [f"judgements/news/{EARLIER}/{name}.json" for name in ("index", "1")]
    assert [url for url in visit.requests if EARLIER in url] == wanted
    which.select_option("")
    page.wait_for_selector("#judged-news output:has-text('8 of 8 queries')")
    assert "Run of 20 Aug 2026" in caption.inner_text()
    assert fragment(page) == ""
    page.locator("#news-1 > summary").click()
    page.wait_for_selector("#news-1 .answer")


def test_a_link_opens_a_query_of_an_earlier_run(runs: tuple[Path, str], visits: Visits) -> None:
    page = visits(runs[1]).open(f"judgements/#b=legal&r={OLDEST}&n=5")
    legal = page.locator("#judged-legal")
    assert legal.locator("output").inner_text() == "6 of 6 queries"
    assert page.locator("#legal-5 .answer").count() == 4
    page.get_by_role("tab", name="News").click()
    page.wait_for_selector("#judged-news output:has-text('8 of 8 queries')")
    assert fragment(page) == ""
    page.evaluate(f"location.hash = '#r={EARLIER}&n=7'")
    page.wait_for_selector("#news-7 .answer")


def test_a_link_to_a_run_that_is_not_here_shows_the_newest(
    runs: tuple[Path, str], visits: Visits
) -> None:
    page = visits(runs[1]).open("judgements/#r=2020-01-01T0000Z&n=8")
    assert page.locator("#judged-news output").inner_text() == "8 of 8 queries"
    assert page.locator("#news-8 .answer").count() == 4


def test_a_run_that_cannot_be_loaded_says_so_and_the_newest_comes_back(
    visits: Visits, serve: Serve, tmp_path: Path
) -> None:
    data = write_data(tmp_path / "data")
    for ts in RUNS[1:]:
        write_archive(data, ("news",), ts=ts)
    build_parts(data, tmp_path / "out", "judgements")
    (tmp_path / f"out/judgements/news/{EARLIER}/index.json").unlink()
    visit = visits(serve(tmp_path / "out"))
    visit.may_miss.add("index.json")
    page = visit.open("judgements/")
    page.locator(WHICH).select_option(EARLIER)
    assert "could not be loaded (404" in page.get_by_role("alert").inner_text()
    page.locator(WHICH).select_option("")
    page.wait_for_selector("output:has-text('4 of 4 queries')")
    assert page.get_by_role("alert").count() == 0


def test_without_script_earlier_runs_are_files(runs: tuple[Path, str], visits: Visits) -> None:
    visit = visits(runs[1], java_script_enabled=False)
    visit.page.goto(f"{runs[1]}judgements/")
    link = visit.page.locator(f"#judged-news a[data-run='{EARLIER}']")
    assert link.inner_text() == "19 Aug 2026, 10:17 UTC"
    reply = visit.page.request.get(f"{runs[1]}judgements/{link.get_attribute('href')}")
    assert reply.json()["run_id"] == EARLIER


def test_without_script_the_first_queries_of_every_bench_are_readable(
    site: tuple[Path, str], visits: Visits
) -> None:
    visit = visits(site[1], java_script_enabled=False)
    visit.page.goto(f"{site[1]}judgements/")
    for bench in BENCHES:
        assert visit.page.locator(f"#judged-{bench}").is_visible()
        assert visit.page.locator(f"#{bench}-1 .answer").first.is_visible()
        visit.page.locator(f"#{bench}-2 > summary").click()
        assert visit.page.locator(f"#{bench}-2 .answer").first.is_visible()
    assert not [url for url in visit.requests if url.endswith(".json")]


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_page_does_not_scroll_sideways(
    site: tuple[Path, str], visits: Visits, width: int
) -> None:
    visit = visits(site[1], viewport={"width": width, "height": 800})
    page = visit.open("judgements/#b=legal&n=5")
    assert not is_sideways(page)


HOSTILE = {
    "markup": '"><img src=x onerror="document.title=1"><script>document.title=1</script>',
    "address": "javascript:document.title=1",
    "turned": "a\u202egnp.exe\u202c \u2067b",
    "long": "w" * 50_000,
    "host": "https://good.example\\@evil.example/",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_results_act_on_nothing(
    visits: Visits, serve: Serve, tmp_path: Path, name: str
) -> None:
    text = HOSTILE[name]

    def edit(engine: str, place: int, result: Any) -> Any:
        return msgspec.structs.replace(
            result, url=text, title=text, snippet=text, reasoning=text, gates={text: text}
        )

    data = write_archive(write_data(tmp_path / "data"), ("news",), queries=6, edit=edit)
    path = data / "archive/runs/2026/08/2026-08-20T1017Z/news.json"
    slim = json.loads(path.read_bytes())
    slim["roster_notes"]["alpha"]["label"] = text
    path.write_text(json.dumps(slim))
    build_parts(data, tmp_path / "out", "judgements")
    address = serve(tmp_path / "out")
    page = visits(address, viewport={"width": 390, "height": 800}).open("judgements/#n=6")
    assert page.locator("#news-6 .answer").count() == 4
    assert page.locator(".queries a").count() == 0
    assert page.locator("main img, main script").count() == 0
    assert page.title().startswith("Needle")
    assert not is_sideways(page)
    shown = page.locator("#news-6 .title").first.inner_text()
    assert "\u202e" not in shown
    assert len(shown) < 200
