"""What holds for every page of the site, whatever the data: whole, linked, readable, small."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from runner.text import parse_time
from sitebuilder import builder
from sitebuilder.render import NAVIGATION
from tests.site.dom import Node, parse
from tests.site.made_data import END, FIVE, write_data
from tests.site.test_pages import HOSTILE, NUMBER, spellings, stray_numbers

BASE = "https://example.org/needle/"
MAX_PAIR_BYTES = 12_000
SLOW = {"downloads", "pictures"}  # PDF and images: they take seconds, and have tests of their own
OURS = (
    "results", "engines", "compare", "runs", "history", "methodology", "data",
    "maintaining", "adding-an-engine", "adding-a-bench",
)  # fmt: skip
FORTY = tuple(f"engine-{number:02}" for number in range(40))
CASES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "one engine": {"engines": ("alpha", "beta"), "runs": 1},
    "five benches": {"benches": FIVE, "runs": 3},
    "embedded": {
        "profile": "embedded",
        "engines": ("local-bm25", "local-dense", "local-hybrid"),
        "runs": 1,
    },
    "forty": {"engines": FORTY, "runs": 1, "queries": 3},
    "hostile": {"benches": ("finance", "legal"), "engines": HOSTILE},
    "stale": {"runs": 1},
}


@dataclass(frozen=True)
class Built:
    out: Path
    pages: dict[str, Node]

    def page(self, name: str) -> Node:
        return self.pages[f"{name}/index.html"]


def build_case(name: str, folder: Path) -> Built:
    data = folder / "data"
    data.mkdir()
    if CASES[name]:
        write_data(data, **CASES[name])
    if name == "one engine":
        for path in data.glob("*.jsonl"):
            lines = path.read_text().splitlines(keepends=True)
            path.write_text("".join(line for line in lines if '"beta"' not in line))
    now = parse_time("2026-09-20T00:00Z") if name == "stale" else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "PARTS", [part for part in builder.PARTS if part not in SLOW])
        builder.build(data, folder / "out", now=now, base_url=BASE)
    names = sorted(
        path.relative_to(folder / "out").as_posix()
        for top in OURS
        for path in (folder / "out" / top).rglob("*.html")
    )
    pairs = [name for name in names if name.startswith("compare/") and name.count("/") == 2]
    kept = [name for name in names if name not in pairs[12:]]  # of hundreds alike, twelve
    texts = {name: (folder / "out" / name).read_text(encoding="utf-8") for name in kept}
    return Built(folder / "out", {name: parse(text) for name, text in texts.items()})


@pytest.fixture(scope="module")
def built_case(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Every case is built once, a failing one too: the others must not wait for it again."""

    @cache
    def attempt(name: str) -> Built | Exception:
        try:
            return build_case(name, tmp_path_factory.mktemp("site"))
        except Exception as error:
            return error

    def found(name: str) -> Built:
        result = attempt(name)
        if isinstance(result, Exception):
            raise result
        return result

    return found


@pytest.fixture(params=list(CASES))
def site(request: pytest.FixtureRequest, built_case: Any) -> Built:
    found: Built = built_case(request.param)
    return found


def test_every_part_has_its_page(site: Built) -> None:
    assert {f"{name}/index.html" for name in OURS} <= set(site.pages)


def test_every_link_leads_to_a_page_a_file_or_https(site: Built) -> None:
    broken = []
    for name, tree in site.pages.items():
        folder = (site.out / name).parent
        ids = {node.attributes["id"] for node in tree.walk() if "id" in node.attributes}
        targets = [link.attributes["href"] for link in tree.all("a", "link")]
        targets += [piece.attributes["src"] for piece in tree.all("script", "img") if
                    "src" in piece.attributes]  # fmt: skip
        for target in targets:
            path, _, fragment = target.partition("#")
            if path.startswith("https://"):
                continue
            goal = (folder / path).resolve() if path else site.out / name
            goal = goal / "index.html" if goal.is_dir() else goal
            is_there = goal.is_file() and goal.is_relative_to(site.out.resolve())
            if is_there and fragment:
                known = ids if not path else set(re.findall(r'id="([^"]+)"', goal.read_text()))
                is_there = fragment in known
            if not is_there:
                broken.append((name, target))
    assert broken == []


def test_a_page_has_one_heading_a_title_of_its_own_and_where_it_belongs(site: Built) -> None:
    titles = []
    for name, tree in site.pages.items():
        (heading,) = tree.all("h1")
        assert heading.text, name
        (title,) = tree.all("title")
        titles.append(title.text)
        (canonical,) = [
            link.attributes["href"]
            for link in tree.all("link")
            if link.attributes.get("rel") == "canonical"
        ]
        assert canonical == BASE + name.removesuffix("index.html")
        (description,) = [
            meta.attributes["content"]
            for meta in tree.all("meta")
            if meta.attributes.get("name") == "description"
        ]
        assert 50 <= len(description) <= 400, (name, description)
    assert len(titles) == len(set(titles))


def test_headings_go_down_one_level_at_a_time(site: Built) -> None:
    for name, tree in site.pages.items():
        levels = [int(node.tag[1]) for node in tree.all("h1", "h2", "h3", "h4")]
        assert levels[0] == 1, name
        assert all(b <= a + 1 for a, b in pairwise(levels)), name


def test_tables_have_a_caption_heads_with_a_scope_and_rows_of_one_width(site: Built) -> None:
    for name, tree in site.pages.items():
        for table in tree.all("table"):
            assert table.all("caption"), name
            assert all("scope" in head.attributes for head in table.all("th")), name
            widths = {
                sum(int(cell.attributes.get("colspan", "1")) for cell in row.all("th", "td"))
                for row in table.all("tr")
            }
            assert len(widths) == 1, (name, table.all("caption")[0].text, widths)


def test_nothing_needs_a_script_or_a_style_attribute_and_ids_are_unique(site: Built) -> None:
    for name, tree in site.pages.items():
        ids = [node.attributes["id"] for node in tree.walk() if "id" in node.attributes]
        assert len(ids) == len(set(ids)), name
        for node in tree.walk():
            assert "style" not in node.attributes, name
            assert not [key for key in node.attributes if key.startswith("on")], name
            assert node.attributes.get("aria-labelledby") in {None, *ids}, name
            assert node.tag not in {"style", "iframe", "form", "object", "noscript"}, name


def test_the_navigation_is_the_same_everywhere_and_marks_where_one_is(site: Built) -> None:
    labels = [label for _, label in NAVIGATION]
    assert {"Dashboard", "Results", "Engines", "Runs", "Methodology", "Data"} <= set(labels)
    for name, tree in site.pages.items():
        (nav,) = [n for n in tree.all("nav") if n.attributes.get("aria-label") == "Site"]
        assert [link.text for link in nav.all("a")] == labels
        current = [link.text for link in nav.all("a") if "aria-current" in link.attributes]
        assert current == [label for label in labels if name.startswith(f"{label.lower()}/")], name


def test_pairs_are_small(site: Built) -> None:
    for path in site.out.glob("compare/*/index.html"):
        assert path.stat().st_size <= MAX_PAIR_BYTES, path


def test_every_section_says_something(site: Built) -> None:
    for name, tree in site.pages.items():
        for section in tree.all("section"):
            texts = [node.text for node in section.all("p", "dd", "li", "td", "caption")]
            assert any(len(text) > 3 for text in texts), name


def test_hostile_names_stay_text(site: Built) -> None:
    for name, tree in site.pages.items():
        raw = (site.out / name).read_text(encoding="utf-8")
        assert "<script>alert" not in raw, name
        assert "bold" not in [node.text for node in tree.all("b")], name
        for link in tree.all("a"):
            assert not link.attributes["href"].lower().startswith("javascript:"), name


def numbers_of(out: Path) -> set[str]:
    """Every number that a table may show: of results.json, and of the rows of the history."""
    results = json.loads((out / "results/results.json").read_bytes())
    rows = [json.loads(line) for line in (out / "data/history.jsonl").read_bytes().splitlines()]
    known = {"5", "10", "100.0%", "0", "0.001", "1,000"}
    for value in (results, rows):
        known |= {text.lstrip("-") for text in spellings(value)}
    known |= {f"{price['usd_per_1k']:.2f}" for price in results["prices"]}
    known |= {number for price in results["prices"] for number in NUMBER.findall(str(price))}
    names = {text for entry in results["roster"] for text in (entry["engine"], entry["label"])}
    return known | {number for name in names for number in NUMBER.findall(name)}


@pytest.mark.parametrize("case", [case for case in CASES if case != "nothing"])
@pytest.mark.parametrize("part", ["results", "engines", "compare"])
def test_every_number_in_a_table_is_in_the_published_files(
    case: str, part: str, built_case: Any
) -> None:
    site = built_case(case)
    known = numbers_of(site.out)
    if part == "compare":
        known |= {str(number) for number in range(6)}  # benches won
    for name, tree in site.pages.items():
        if name.startswith(f"{part}/"):
            stray = [text for table in tree.all("table") for text in stray_numbers(table, known)]
            assert stray == [], name


def test_every_engine_and_every_pair_has_a_page(built_case: Any) -> None:
    out = built_case("forty").out
    assert len(list(out.glob("engines/*/index.html"))) == 40
    assert len(list(out.glob("compare/*/index.html"))) == 40 * 39 // 2
    assert (out / "compare/engine-03-vs-engine-17/index.html").is_file()


def test_old_data_is_called_old_on_every_page_with_figures(built_case: Any) -> None:
    site = built_case("stale")
    for name in ("results", "engines", "engines/alpha", "compare/alpha-vs-beta", "runs", "data"):
        assert "30 days" in site.page(name).text, name


def test_without_data_the_pages_say_what_to_do(built_case: Any) -> None:
    site = built_case("nothing")
    for name in ("results", "engines", "compare", "runs", "data"):
        assert "python -m runner news" in site.page(name).text, name
    assert "needs two engines in one window; this data has none" in site.page("compare").text
    assert "No month is frozen yet" in site.page("history").text
    assert "no ledger of scheduled runs" in site.page("runs").text


def test_one_engine_is_shown_and_compared_with_nobody(built_case: Any) -> None:
    site = built_case("one engine")
    assert "this data has one" in site.page("compare").text
    assert "Compare with" not in site.page("engines/alpha").text
    assert END[:4] in site.page("engines/alpha").text
