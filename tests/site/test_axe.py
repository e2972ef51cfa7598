"""axe-core finds nothing on the pages that people quote: wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from sitebuilder import build
from tests.site.browser import Visits, served
from tests.site.made_archive import write_archive
from tests.site.made_data import FIVE, write_data

PAGES = ("", "results/", "engines/alpha/", "judgements/", "compare/alpha-vs-beta/")
OTHERS = (
    "compare/", "independence/", "trends/", "engines/", "runs/", "data/", "needleif/", "history/",
    "methodology/", "maintaining/",
)  # fmt: skip
WIDTHS = (1280, 390)
THEMES = ("light", "dark")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("axe")
    data = write_archive(write_data(folder / "data", benches=FIVE), FIVE, queries=4)
    build(data, folder / "public", base_url="https://example.org/needle/")
    with served(folder / "public") as address:
        yield address


@pytest.mark.parametrize(
    ("path", "width", "theme"),
    [
        *product(PAGES, WIDTHS, THEMES),
        *((path, *view) for path in OTHERS for view in ((1280, "dark"), (390, "light"))),
    ],
)
def test_axe_finds_no_violation(
    visits: Visits, site: str, path: str, width: int, theme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    size = {"width": width, "height": 900}
    page = visits(site, viewport=size, color_scheme=theme, reduced_motion="reduce").open(path)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    violations = Axe().run(page).response["violations"]
    assert [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ] == []
