"""The script of the whole site in a real browser: sort, filter, highlight, tabs, state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.site.browser import Serve, Visits, fragment, is_sideways, served
from tests.site.made_archive import write_archive
from tests.site.made_data import FIVE, write_data
from tests.site.made_site import build_parts

OTHERS = (
    "independence_page", "compare", "trends_page", "results_page", "engines", "runs_page",
    "methodology", "data_page",
)  # fmt: skip
ENGINES = [f"engine-{number:02}" for number in range(12)]
LONGEST = 100


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of five benches and twelve engines, with an archive."""
    folder = tmp_path_factory.mktemp("site")
    data = write_data(folder / "data", benches=FIVE, engines=ENGINES)
    write_archive(data, FIVE, engines=ENGINES, queries=4)
    build_parts(data, folder / "out", "dashboard", "judgements", *OTHERS)
    with served(folder / "out") as address:
        yield address


def is_in_sight(page: Page, selector: str, at_least: int) -> bool:
    """Whether the first elements stand beside each other within the width of the window."""
    edges = page.evaluate(
        "selector => [...document.querySelectorAll(selector)].map("
        "each => each.getBoundingClientRect().right)",
        selector,
    )
    width = page.viewport_size["width"] if page.viewport_size else 0
    return all(0 < edge < width for edge in edges[:at_least])


def column(page: Page, table: int, name: str) -> list[str]:
    """The texts of a column of the nth sortable table, of the rows in sight."""
    texts = page.evaluate(
        """([table, name]) => {
          const found = document.querySelectorAll("table.sortable")[table];
          const heads = [...found.tHead.rows[found.tHead.rows.length - 1].cells];
          const place = heads.findIndex((head) => head.textContent.startsWith(name));
          return [...found.tBodies[0].rows]
            .filter((row) => row.offsetParent)
            .map((row) => row.cells[place].textContent.trim());
        }""",
        [table, name],
    )
    return [str(text) for text in texts]


def test_a_column_head_sorts_its_table_first_downwards(site: str, visits: Visits) -> None:
    page = visits(site).open()
    head = page.locator("table.sortable").first.get_by_role("columnheader", name="News")
    head.get_by_role("button").click()
    down = column(page, 0, "News")
    assert down == sorted(down, key=lambda text: -float(text.rstrip("%")))
    assert head.get_attribute("aria-sort") == "descending"
    head.get_by_role("button").press("Enter")
    assert column(page, 0, "News") == down[::-1]
    assert head.get_attribute("aria-sort") == "ascending"


def test_a_sorted_table_is_in_the_address_and_comes_back(site: str, visits: Visits) -> None:
    page = visits(site).open()
    page.locator("table.sortable").nth(1).get_by_role("button", name="News").click()
    page.locator("table.sortable").nth(1).get_by_role("button", name="News").click()
    state, order = fragment(page), column(page, 1, "Engine")
    assert state.startswith("#s=1.")
    again = visits(site).open(state)
    assert column(again, 1, "Engine") == order
    assert order != column(visits(site).open(), 1, "Engine")


def test_typing_filters_the_rows_of_all_tables(site: str, visits: Visits) -> None:
    page = visits(site).open()
    field = page.get_by_label("Filter engines")
    field.fill("engine-03 ENGINE-11")
    for table in (0, 1, 2):
        assert {name.lower()[:9] for name in column(page, table, "Engine")} == {
            "engine-03",
            "engine-11",
        }
    assert "rows" in page.locator("[data-controls] output").inner_text()
    assert fragment(page) == "#f=engine-03%20ENGINE-11"
    field.fill("")
    assert len(column(page, 0, "Engine")) == 12
    assert fragment(page) == ""


def test_a_highlighted_engine_is_marked_in_every_table(site: str, visits: Visits) -> None:
    page = visits(site).open()
    page.locator("[data-controls] summary").click()
    button = page.locator("[data-controls] button", has_text="Engine-04")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert fragment(page) == "#h=engine-04"
    marked = page.locator("tr.is-on th[data-engine]")
    assert marked.count() >= 6
    ids = {each.get_attribute("data-engine") for each in marked.all()}
    assert ids == {"engine-04"}
    again = visits(site).open("#h=engine-04,engine-05,nobody")
    assert again.locator("[data-controls] [aria-pressed=true]").count() == 2
    again.get_by_text("Highlight (2)").click()
    again.get_by_role("button", name="None").click()
    assert again.locator(".is-on").count() == 0


def test_the_leaderboards_are_tabs_and_an_anchor_opens_its_own(site: str, visits: Visits) -> None:
    page = visits(site).open()
    boards = page.locator("#boards [data-tab]")
    assert [board.is_visible() for board in boards.all()] == [True, False, False, False, False]
    page.get_by_role("tab", name="Legal").click()
    assert fragment(page) == "#b=legal"
    assert page.locator("#board-legal").is_visible()
    again = visits(site).open("#b=scholar")
    assert again.locator("#board-scholar").is_visible()
    anchored = visits(site).open("#bench-finance")
    assert anchored.locator("#board-finance").is_visible()
    anchored.locator("#answer a", has_text="Legal").click()
    assert anchored.locator("#board-legal").is_visible()
    assert not anchored.locator("#board-finance").is_visible()


def test_a_link_to_a_table_in_the_appendix_opens_it(site: str, visits: Visits) -> None:
    page = visits(site).open()
    table = page.locator("#table-latency table")
    assert not table.is_visible()
    page.locator("#latency a[href='#table-latency']").click()
    page.wait_for_function("document.querySelector('#table-latency').closest('details').open")
    assert table.is_visible()


def test_tabs_are_moved_by_arrow_keys_home_and_end(site: str, visits: Visits) -> None:
    page = visits(site).open("judgements/")
    tabs = page.get_by_role("tab")
    assert tabs.all_inner_texts() == ["News", "AgenticRare", "Finance", "Scholar", "Legal"]
    tabs.first.focus()
    seen = []
    for key in ("ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"):
        page.keyboard.press(key)
        (selected,) = [tab for tab in tabs.all() if tab.get_attribute("aria-selected") == "true"]
        assert selected.evaluate("tab => tab === document.activeElement")
        assert [tab.get_attribute("tabindex") for tab in tabs.all()].count("0") == 1
        panel = page.locator(f"#{selected.get_attribute('aria-controls')}")
        assert panel.is_visible()
        assert panel.get_attribute("role") == "tabpanel"
        assert panel.get_attribute("aria-labelledby") == selected.get_attribute("id")
        assert page.get_by_role("tabpanel").count() == 1
        seen.append(selected.inner_text())
    assert seen == ["AgenticRare", "Legal", "News", "Legal", "News"]
    assert fragment(page) == ""


def test_a_chosen_tab_is_in_the_address_and_an_anchor_opens_its_panel(
    site: str, visits: Visits
) -> None:
    page = visits(site).open("judgements/")
    page.get_by_role("tab", name="Finance").click()
    assert fragment(page) == "#b=finance"
    page.evaluate("location.hash = '#judged-legal-title'")
    page.wait_for_selector("#judged-legal:not([hidden])")
    assert page.locator("#judged-finance").is_hidden()
    assert visits(site).open("judgements/#judged-scholar").locator("#judged-scholar").is_visible()


def test_without_script_every_panel_and_every_row_is_in_sight(site: str, visits: Visits) -> None:
    visit = visits(site, java_script_enabled=False)
    visit.page.goto(f"{site}judgements/")
    assert visit.page.get_by_role("tab").count() == 0
    for bench in FIVE:
        assert visit.page.locator(f"#judged-{bench}").is_visible()
    visit.page.goto(site)
    assert visit.page.locator("table.sortable").first.locator("tbody tr:visible").count() == 12
    assert visit.page.locator("input, button").count() == 0


def test_the_state_never_makes_the_address_long(site: str, visits: Visits) -> None:
    page = visits(site).open()
    page.get_by_label("Filter engines").fill("ü" * 60)
    assert len(fragment(page)) <= LONGEST
    page.get_by_label("Filter engines").fill("engine")
    page.locator("[data-controls] summary").click()
    for button in page.locator("[data-controls] [aria-pressed]").all():
        button.click()
        assert len(fragment(page)) <= LONGEST
    assert page.locator("[data-controls] [aria-pressed=true]").count() == 12


@pytest.mark.parametrize("state", ["#main", "#s=99.9.d", "#s=x&f=%", "#=&h=&b", "#" + "f=a" * 200])
def test_any_fragment_leaves_a_whole_page(site: str, visits: Visits, state: str) -> None:
    page = visits(site).open(state)
    assert page.locator("table.sortable").first.locator("tbody tr").count() == 12


def test_a_pair_is_found_and_marked_by_either_of_its_engines(site: str, visits: Visits) -> None:
    page = visits(site).open("independence/#f=engine-04&h=engine-05")
    page.get_by_text("Table: all 66 pairs").first.click()
    table = page.locator("#window-all table", has_text="Mean Jaccard")
    shown = [row for row in table.locator("tbody tr").all() if row.is_visible()]
    assert len(shown) == 11
    assert all("Engine-04" in row.inner_text() for row in shown)
    assert table.locator("tr.is-on").count() == 11
    both = table.locator("tr.is-on", has_text="Engine-04")
    assert both.count() == 1
    assert both.inner_text().startswith("Engine-04 and Engine-05")
    assert page.locator("#window-all svg .is-on").count() > 0


def test_a_phone_chooses_two_engines_by_matrix_or_by_name(site: str, visits: Visits) -> None:
    page = visits(site, viewport={"width": 390, "height": 844}).open("compare/")
    first = page.locator(".matrix tbody th").first
    box = first.bounding_box()
    assert box
    assert box["width"] < 130
    assert is_in_sight(page, ".matrix tbody td a", at_least=5)
    page.locator("#matrix a[href='#list']").click()
    page.locator("#list summary").nth(2).click()
    page.locator("#list details[open] a", has_text="Engine-07").click()
    assert page.url.endswith("compare/engine-02-vs-engine-07/")


@pytest.mark.parametrize(
    "path",
    ["", "judgements/", "compare/", "compare/engine-00-vs-engine-01/", "independence/", "trends/",
     "results/", "engines/", "engines/engine-00/", "runs/", "data/", "methodology/",
     "maintaining/"],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_never_scrolls_the_page_sideways(
    site: str, visits: Visits, path: str, scheme: str
) -> None:
    visit = visits(site, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = visit.open(path)
    page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    assert not is_sideways(page)
    if not path:
        page.evaluate("document.querySelector('[data-controls] details').open = false")
        page.locator("[data-controls] summary").click()
        assert not is_sideways(page)


def test_everything_is_reached_and_used_by_keyboard_alone(site: str, visits: Visits) -> None:
    page = visits(site).open("judgements/#b=legal")
    page.locator("#legal-4 > summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#legal-4 .answer")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "side"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.answer').dataset.engine") == "engine-00"


def test_all_panels_are_printed(site: str, visits: Visits, tmp_path: Path) -> None:
    page = visits(site).open("judgements/")
    page.emulate_media(media="print")
    for bench in FIVE:
        assert page.locator(f"#judged-{bench}").is_visible()
    assert page.get_by_role("tablist").count() == 0


MADE_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Made</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="assets/site.css">
<script src="assets/site.js" defer></script><main><div data-controls></div>
<div data-tabs="t" data-tabs-label="Charts">
<div id="one" data-tab="One" data-key="one"><table class="sortable"><thead><tr><th>Engine</th></tr>
</thead><tbody><tr><th data-engine="exa"><bdi>Exa</bdi></th></tr>
<tr><th data-engine="it's"><bdi>It&#39;s &lt;b&gt;</bdi></th></tr>
<tr><th><bdi data-engine="exa">Exa</bdi> and <bdi data-engine="it's">It's</bdi></th></tr></tbody>
</table><svg viewBox="0 0 9 9"><g data-engine="exa"><path d="M0 0H9"/></g>
<g data-engine="it's"><path d="M0 9H9"/></g></svg></div>
<div id="two" data-tab="Two" data-key="two"><h2 id="deep">Deep</h2></div>
</div></main></html>"""


def test_engines_are_highlighted_in_charts_too_and_the_others_fade(
    visits: Visits, serve: Serve, tmp_path: Path
) -> None:
    build_parts(write_data(tmp_path / "data"), tmp_path / "out", "dashboard", "judgements")
    (tmp_path / "out/made.html").write_text(MADE_PAGE, encoding="utf-8")
    address = serve(tmp_path / "out")
    page = visits(address).open("made.html#h=it's")
    opacity = "g => getComputedStyle(g).opacity"
    groups = page.locator("svg g")
    assert [group.evaluate(opacity) for group in groups.all()] == ["0.2", "1"]
    assert [row.get_attribute("class") for row in page.locator("tbody tr").all()] == [
        None,
        "is-on",
        "is-on",
    ]
    page.get_by_label("Filter engines").fill("<b>")
    assert page.locator("tbody tr:visible").count() == 1
    page.evaluate("location.hash = '#deep'")
    page.wait_for_selector("#two:not([hidden])")
    assert page.get_by_role("tab", name="Two").get_attribute("aria-selected") == "true"
    page.get_by_role("tab", name="One").press("Enter")
    assert page.locator("#two").is_hidden()
    again = visits(address).open("made.html#t=two")
    assert again.locator("#two").is_visible()


def test_the_script_is_small() -> None:
    import gzip

    from sitebuilder.render import ASSETS

    pieces = [path.read_bytes() for path in sorted((ASSETS / "scripts").iterdir())]
    assert len(gzip.compress(b"\n".join(pieces), 9)) <= 20 * 1024
