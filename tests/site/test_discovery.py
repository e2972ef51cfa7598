"""What crawlers, feed readers and link previews get: valid, absolute, escaped, always the same."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from sitebuilder import badges, feed, llms, pictures
from sitebuilder.badges import badge_name
from sitebuilder.feed import Entry, feed_xml
from sitebuilder.metadata import head_of, picture_name
from sitebuilder.render import Page, Site, render_pages
from sitebuilder.results_page import part as results_part
from sitebuilder.sitemap import crawler_files
from tests.site.made_data import FIVE, write_data
from tests.site.made_sites import BASE_URL, HOSTILE, made_site

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("hostile") / "data"
    return made_site(write_data(folder, engines=HOSTILE, benches=FIVE))


@pytest.fixture(scope="module")
def homeless(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("homeless") / "data"
    return made_site(write_data(folder), base_url=None)


def _page(folder: str, *, is_listed: bool = True) -> Page:
    return Page(folder, "results.html.j2", 'T "<', "D <&", is_listed=is_listed)


def test_the_sitemap_lists_the_listed_pages_with_the_end_of_the_window(hostile: Site) -> None:
    pages = [_page(""), _page("a/"), _page("hidden/", is_listed=False)]
    root = ElementTree.fromstring(crawler_files(hostile, pages)["sitemap.xml"])
    assert root.tag == f"{SITEMAP}urlset"
    places = [node.text for node in root.iter(f"{SITEMAP}loc")]
    assert places == [BASE_URL, f"{BASE_URL}a/"]
    times = {node.text for node in root.iter(f"{SITEMAP}lastmod")}
    assert times == {"2026-08-20T10:17:00Z"}


def test_only_a_site_that_owns_its_host_has_a_robots_file(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    assert "robots.txt" not in crawler_files(made_site(data), [])
    own = crawler_files(made_site(data, "https://example.org/"), [])
    assert b"Sitemap: https://example.org/sitemap.xml\n" in own["robots.txt"]


def test_without_an_address_nothing_absolute_is_written(homeless: Site) -> None:
    assert crawler_files(homeless, [_page("")]) == {}
    assert feed.part(homeless).files == {}
    assert pictures.part(homeless).files == {}
    head = head_of(homeless, _page(""))
    assert (head["canonical"], head["picture"], head["feed"]) == (None, None, None)
    assert "http" not in llms.part(homeless).files["llms.txt"].decode()


def test_the_feed_is_valid_atom_whose_ids_outlive_a_build() -> None:
    entries = [
        Entry("joined <x>", date(2026, 7, 3), "<x> & \x00 ]]>", 'says "</entry>"', "engines/x/"),
        Entry("month 2026-07", date(2026, 8, 1), "July", "frozen", "history/2026-07/"),
    ]
    body = feed_xml(entries, BASE_URL, "2026-08-20T10:17Z")
    assert body == feed_xml(reversed(entries), BASE_URL, "2026-09-20T10:17Z")
    root = ElementTree.fromstring(body)
    assert root.tag == f"{ATOM}feed"
    for node in [root, *root.iter(f"{ATOM}entry")]:
        for name in ("id", "title", "updated"):
            assert len(node.findall(f"{ATOM}{name}")) == 1
        assert TIME.fullmatch(node.findtext(f"{ATOM}updated") or "")
        assert (node.findtext(f"{ATOM}id") or "").startswith("urn:uuid:")
        for link in node.findall(f"{ATOM}link"):
            assert link.get("href", "").startswith(BASE_URL)
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Needle"
    assert root.findtext(f"{ATOM}updated") == "2026-08-01T00:00:00Z"
    ids = [node.text for node in root.iter(f"{ATOM}id")]
    assert len(set(ids)) == 3
    titles = [node.findtext(f"{ATOM}title") for node in root.iter(f"{ATOM}entry")]
    assert titles == ["July", "<x> & \N{REPLACEMENT CHARACTER} ]]>"]
    other = feed_xml(entries[:1], "https://elsewhere.example/", "2026-08-20T10:17Z")
    kept = [node.text for node in ElementTree.fromstring(other).iter(f"{ATOM}id")]
    assert kept == [ids[0], ids[2]]


def test_a_feed_without_changes_is_as_new_as_the_data(hostile: Site) -> None:
    root = ElementTree.fromstring(feed.part(hostile).files["feed.xml"])
    assert root.findall(f"{ATOM}entry") == []
    assert root.findtext(f"{ATOM}updated") == "2026-08-20T10:17:00Z"


def test_json_ld_describes_the_files_and_cannot_end_its_element(hostile: Site) -> None:
    site = Site(hostile.results, hostile.tables, hostile.independence, hostile.data_path, BASE_URL)
    site.files.update({"results/results.csv": b"", "results/results.pdf": b"", "feed.xml": b""})
    (page,) = results_part(site).pages
    text = render_pages(site, [page])["results/index.html"].decode()
    (block,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
    assert "<" not in block
    found = json.loads(block)
    assert found["@type"] == "Dataset"
    assert 50 <= len(found["description"]) <= 5000
    assert found["url"] == f"{BASE_URL}results/"
    assert found["temporalCoverage"] == "2026-08-13T10:17:00Z/2026-08-20T10:17:00Z"
    assert [part["encodingFormat"] for part in found["distribution"]] == [
        "text/csv",
        "application/pdf",
    ]
    assert f'<link rel="canonical" href="{BASE_URL}results/">' in text
    assert 'href="../feed.xml"' in text


def test_the_head_escapes_and_keeps_unlisted_pages_from_crawlers(hostile: Site) -> None:
    (page,) = results_part(hostile).pages
    shown = _page("x/", is_listed=False)
    page = Page("x/", page.template, shown.title, shown.description, page.context, is_listed=False)
    text = render_pages(hostile, [page])["x/index.html"].decode()
    assert '<meta name="robots" content="noindex">' in text
    assert '<meta property="og:title" content="T &#34;&lt;">' in text
    assert '<meta property="og:description" content="D &lt;&amp;">' in text
    assert "application/ld+json" not in text


def test_pictures_are_small_equal_each_time_and_shown_where_they_belong(hostile: Site) -> None:
    first = pictures.part(hostile).files
    assert first == pictures.part(hostile).files
    assert len(first) == 1 + len(HOSTILE)
    for content in first.values():
        assert Image.open(io.BytesIO(content)).size == (1200, 630)
        assert len(content) <= 30_000
    site = Site(
        hostile.results, hostile.tables, hostile.independence, hostile.data_path, BASE_URL,
        files=dict(first) | {"history/needle-overall-2026-07.png": b""},
    )  # fmt: skip
    cases = {
        "": picture_name(""),
        "methodology/": picture_name(""),
        "engines/gamma/": "pictures/engines/gamma.png",
        "history/2026-07/": "history/needle-overall-2026-07.png",
    }
    for folder, wanted in cases.items():
        assert head_of(site, _page(folder))["picture"] == f"{BASE_URL}{wanted}"


def test_drawings_of_hostile_names_are_well_formed(hostile: Site) -> None:
    svgs = [pictures.standings_svg(hostile.results)]
    svgs += [pictures.engine_svg(hostile.results, entry) for entry in hostile.results.roster]
    for svg in svgs:
        tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "rect", "text"}


def test_every_engine_has_a_badge_for_every_bench_and_overall(hostile: Site) -> None:
    files = badges.part(hostile).files
    names = {badge_name(bench, name) for bench in (*FIVE, "overall") for name in HOSTILE}
    assert set(files) == names
    for content in files.values():
        assert len(content) < 2000
        root = ElementTree.fromstring(content)
        tags = {node.tag.rpartition("}")[2] for node in root.iter()}
        assert tags == {"svg", "title", "rect", "path", "g", "text"}
        assert "20 Aug 2026" in (root.get("aria-label") or "")


def test_a_badge_says_the_score_or_that_there_is_none(homeless: Site) -> None:
    files = badges.part(homeless).files
    board = homeless.results.benches["news"]
    row = next(row for row in board.engines if row.engine == "alpha")
    assert row.score
    assert f"News nDCG@5 {row.score.value:.3f}, 20 Aug 2026".encode() in files[
        badge_name("news", "alpha")
    ]  # fmt: skip
    assert b"Finance not measured, 20 Aug 2026" in files[badge_name("finance", "alpha")]
    assert b"not ranked, 20 Aug 2026" in files[badge_name("overall", "alpha")]


def test_llms_txt_leads_to_what_was_built(hostile: Site) -> None:
    site = Site(hostile.results, hostile.tables, hostile.independence, hostile.data_path, BASE_URL)
    site.files["results/results.md"] = b""
    text = llms.part(site).files["llms.txt"].decode()
    assert text.startswith("# Needle\n\n> ")
    assert f"- [Results]({BASE_URL}results/results.md): " in text
    assert "results.csv" not in text
