"""Every number that a reader sees is published: a walk through all pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sitebuilder import build
from tests.site.dom import parse
from tests.site.made_archive import write_archive
from tests.site.made_data import FIVE, write_data
from tests.site.made_needleif import some_rows, write_needleif
from tests.site.numbers import METHOD, SOURCES, known_numbers, pages, stray_numbers
from tests.site.test_pages_history import FROZEN, history
from tests.site.test_pages_prose import SLOTS

CASES: dict[str, dict[str, Any]] = {
    "live": {"benches": FIVE, "runs": 3},
    "embedded": {
        "profile": "embedded",
        "engines": ("local-bm25", "local-dense", "local-hybrid"),
        "runs": 1,
    },
    "many": {"benches": FIVE, "engines": [f"engine-{number:02}" for number in range(27)]},
}


@pytest.fixture(scope="module", params=list(CASES))
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The data directory and the site of it, with everything that a page can show."""
    folder = tmp_path_factory.mktemp(request.param)
    data = write_data(folder / "data", **CASES[request.param])
    if request.param == "live":
        frozen = json.dumps(FROZEN).replace("2026-09", "2026-07")
        history(data, month="2026-07", results=frozen)
        write_needleif(data, some_rows())
        for ts in ("2026-08-19T10:17Z", "2026-08-20T10:17Z"):
            write_archive(data, FIVE, ts=ts)
        lines = "".join(json.dumps(slot) + "\n" for slot in SLOTS)
        (data / "slots.jsonl").write_text(lines)
    build(data, folder / "out", base_url="https://example.org/needle/")
    return data, folder / "out"


def test_every_visible_number_of_every_page_is_in_the_published_files(site: Any) -> None:
    data, out = site
    names = pages(out)
    assert {name.partition("/")[0] for name in names} >= {
        "index.html", "404.html", "results", "engines", "compare", "trends", "independence",
        "judgements", "needleif", "runs", "history", "data",
    }  # fmt: skip
    known: dict[str, set[str]] = {}
    stray = {}
    for name in names:
        section = name.partition("/")[0]
        if section not in known:
            known[section] = known_numbers(out, name, data)
        found = stray_numbers(parse((out / name).read_text(encoding="utf-8")), known[section])
        if found:
            stray[name] = found
    assert stray == {}


def test_a_number_that_is_published_nowhere_is_noticed(site: Any) -> None:
    data, out = site
    known = known_numbers(out, "index.html", data)
    text = (out / "index.html").read_text(encoding="utf-8")
    for number, planted in (
        ("0.12345", "<p>Scores of 0.12345.</p>"),
        ("77.77%", "<p>Leads by <b>77.77%</b> of all.</p>"),
        ("31,337", "<table><tr><td>31,337</td></tr></table>"),
        ("98765", "<p>with 95% intervals over 98765 queries</p>"),
    ):
        page = parse(text.replace("</main>", f"{planted}</main>"))
        assert [found for found, _ in stray_numbers(page, known)] == [number]


def test_every_exception_says_why_it_is_one() -> None:
    assert all(METHOD.values())
    assert all(why for _, why in SOURCES.values())
