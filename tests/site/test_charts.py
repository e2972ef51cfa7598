"""The charts: stable, legible, true to results.json, and safe whatever an engine is called."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sitebuilder import build
from sitebuilder.drawn import dashboard_charts, draw_trends, sharing_charts
from sitebuilder.labels import Box, Spot, place_labels, spread, text_box
from sitebuilder.palette import COLOURS, MAX_HIGHLIGHTS, highlights
from sitebuilder.results import Results
from sitebuilder.svg import DrawingError, compact, concrete, png
from tests.site.dom import Node, parse
from tests.site.made_data import FIVE, history_row, write_data, write_history
from tests.site.test_pages import HOSTILE

FORTY = [f"engine-{number:02}" for number in range(40)]
CASES: dict[str, dict[str, Any]] = {
    "one": {"engines": ("alpha", "beta"), "benches": ("news",), "runs": 3},
    "three": {"benches": FIVE, "runs": 3},
    "forty": {"benches": FIVE, "runs": 2, "engines": FORTY},
    "hostile": {"benches": FIVE, "runs": 2, "engines": HOSTILE},
    "embedded": {"profile": "embedded", "runs": 1, "queries": 8},
}


@pytest.fixture(scope="module", params=CASES)
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp(request.param)
    return made(folder, **CASES[request.param])


@pytest.fixture(scope="module")
def charts(results: Results) -> dict[str, str]:
    return drawings(results)


def made(folder: Path, **case: Any) -> Results:
    from sitebuilder.assemble import build_results
    from sitebuilder.dataset import read_dataset
    from sitebuilder.independence import build_independence

    data = read_dataset(write_data(folder / "data", **case))
    return build_results(data, build_independence(data))


def drawings(results: Results) -> dict[str, str]:
    charts = {
        name: chart.svg
        for name, chart in dashboard_charts(results).items()
        if hasattr(chart, "svg")
    }
    charts |= {drawn.key: drawn.chart.svg for drawn in draw_trends(results, results.trends)}
    for window, shares in results.independence.items():
        own = sharing_charts(results, shares)
        charts |= {f"{window} {name}": chart.svg for name, chart in own.items() if chart}
    return charts


def upright_boxes(svg: str) -> list[tuple[str, Box]]:
    """The estimated box of each text that is not turned; baselines lie a third below middle."""
    found = []
    for node in ElementTree.fromstring(svg).iter("text"):
        if "transform" in node.attrib:
            continue
        size = 9.0 if "t-s" in node.get("class", "").split() else 11.0
        anchor: Any = node.get("text-anchor", "start")
        text = "".join(node.itertext())
        middle = float(node.get("y", 0)) - size * 0.3
        box = text_box(text, float(node.get("x", 0)), middle, anchor, size)
        slim = Box(box.left, box.top + size * 0.12, box.right, box.bottom - size * 0.12)
        found.append((text, slim))
    return found


def test_a_chart_is_the_same_bytes_each_time(results: Results, charts: dict[str, str]) -> None:
    assert drawings(results) == charts


def test_a_chart_has_no_style_no_id_no_address_and_no_place_that_is_none(
    charts: dict[str, str],
) -> None:
    assert len(charts) >= 5
    for svg in charts.values():
        for node in ElementTree.fromstring(svg).iter():
            assert node.tag in {"svg", "path", "text", "title"}
            assert not {"style", "id", "href", "width", "height", "fill", "stroke"} & set(
                node.attrib
            )
            assert not [name for name in node.attrib if name.startswith("on")]
        assert "NaN" not in svg
        assert "undefined" not in svg
        assert "url(" not in svg
        assert svg.startswith('<svg viewBox="0 0 4')


def test_every_class_is_explained_by_the_style_sheet(charts: dict[str, str]) -> None:
    path = Path(__file__).resolve().parents[2] / "site/assets/styles/30-charts.css"
    style = path.read_text(encoding="utf-8")
    used = {
        name
        for svg in charts.values()
        for names in re.findall(r'class="([^"]*)"', svg)
        for name in names.split()
    }
    assert [name for name in used if f".{name} " not in style] == []


def test_labels_do_not_overlap(charts: dict[str, str]) -> None:
    for name, svg in charts.items():
        for (a, one), (b, other) in combinations(upright_boxes(svg), 2):
            assert not one.meets(other), (name, a, b)


def test_marks_carry_their_engine_and_every_engine_of_a_chart_is_known(
    results: Results, charts: dict[str, str]
) -> None:
    known = {entry.engine for entry in results.roster}
    for svg in charts.values():
        marked = {node.get("data-engine") for node in ElementTree.fromstring(svg).iter()} - {None}
        assert marked
        assert marked <= known


def test_all_measured_engines_are_in_the_chart_of_trends(results: Results) -> None:
    for drawn in draw_trends(results, results.trends):
        svg = drawn.chart.svg
        marked = {node.get("data-engine") for node in ElementTree.fromstring(svg).iter()} - {None}
        assert marked == {line.engine for line in drawn.trend.series}


def test_few_are_highlighted_and_the_leaders_are_among_them(results: Results) -> None:
    chosen = highlights(results)
    assert len(chosen) <= MAX_HIGHLIGHTS
    assert set(chosen) >= {answer.leader for answer in results.answers[:MAX_HIGHLIGHTS]}


def test_paper_gets_colours_in_place_of_classes(charts: dict[str, str]) -> None:
    for svg in charts.values():
        paper = concrete(svg)
        assert "class=" not in paper
        ElementTree.fromstring(paper)
        colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', paper))
        assert colours <= {*COLOURS.values(), "none"}


def test_a_picture_of_a_chart_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    svg = next(iter(drawings(made(tmp_path)).values()))
    picture = png(concrete(svg), scale=1.0)
    assert picture.startswith(b"\x89PNG")
    assert picture == png(concrete(svg), scale=1.0)


def test_every_colour_stands_for_one_role() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_a_colour_without_a_role_is_refused() -> None:
    svg = '<svg viewBox="0 0 1 1"><path d="M0,0L1,1" stroke="#123456"/></svg>'
    with pytest.raises(DrawingError, match="#123456 stands for no role"):
        compact(svg, "title", {})


def test_a_place_that_is_no_number_is_refused() -> None:
    with pytest.raises(DrawingError, match="a mark has no place"):
        compact('<svg viewBox="0 0 1 1"><path d="MNaN,0"/></svg>', "title", {})


def test_a_drawing_is_flattened_rounded_and_joined() -> None:
    ink, rule = COLOURS["ink"], COLOURS["rule"]
    svg = (
        '<svg viewBox="0 0 90 40"><g transform="translate(10,5)">'
        f'<line transform="translate(0,1.26)" x2="20" y2="0" stroke="{rule}"/>'
        f'<line transform="translate(0,11)" x2="20" y2="0" stroke="{rule}" stroke-width="1"/>'
        f'<path d="M0,0L3.04,1L6.12,-1" stroke="{ink}" stroke-width="2"/>'
        f'<text transform="translate(1,2) rotate(270) translate(0,3)" fill="{ink}" '
        'font-size="9px">a &lt; b</text></g></svg>'
    )
    assert compact(svg, 'say "hi"', {}) == (
        '<svg viewBox="0 0 90 40" role="img" aria-label="say &quot;hi&quot;">'
        '<path class="k-rule" d="M10 6.3l20 0M10 16l20 0"/>'
        '<path class="k-ink" d="M10 5l3 1l3.1-2" stroke-width="2"/>'
        '<text class="f-ink t-s" x="11" y="10" transform="rotate(270 11 7)">a &lt; b</text></svg>'
    )


PLACES = [
    ([10.0], [10.0]),
    ([10.0, 10.0], [5.0, 15.0]),
    ([0.0, 0.0, 50.0], [0.0, 10.0, 50.0]),
    ([99.0, 100.0, 98.0], [90.0, 100.0, 80.0]),
    ([], []),
]


@pytest.mark.parametrize(("wanted", "found"), PLACES)
def test_places_are_spread_as_near_as_they_may(wanted: list[float], found: list[float]) -> None:
    assert spread(wanted, 10.0, 0.0, 100.0) == pytest.approx(found)


def test_more_labels_than_fit_are_spaced_evenly() -> None:
    assert spread([5.0] * 5, 30.0, 0.0, 100.0) == pytest.approx([0, 25, 50, 75, 100])


def test_of_two_marks_in_one_place_both_labels_are_apart() -> None:
    spots = [Spot("first", 50, 50, must=True), Spot("second", 50, 50, must=True)]
    first, second = place_labels(spots, 11, Box(0, 0, 200, 100), clear=4)
    assert first
    assert second
    one, other = (text_box(at.text, at.x, at.y, at.anchor, 11) for at in (first, second))
    assert not one.meets(other)


def test_a_label_without_room_is_left_out() -> None:
    spots = [Spot("a long name of an engine", 10, 10)]
    assert place_labels(spots, 11, Box(0, 0, 20, 20), clear=4) == [None]


# The pages around the charts.


def numbers(value: Any) -> set[str]:
    """Every spelling of a figure of results.json that the words and tables of charts use."""
    if isinstance(value, dict):
        return set().union(*(numbers(part) for part in value.values()))
    if isinstance(value, list):
        return {str(len(value))}.union(*(numbers(part) for part in value))
    if isinstance(value, bool) or value is None:
        return set()
    if isinstance(value, int):
        return {f"{value:,}"}
    if isinstance(value, float):
        spelled = {f"{100 * value:.1f}%", f"{value:.3f}", f"{value:.0f} ms", f"{value:.1f} ms"}
        return spelled | {f"{value / 1000:.1f} s", f"${value:,.2f}"}
    return set(re.findall(r"[\d.]+", str(value)))


NUMBER = re.compile(r"\$?\d+(?:,\d{3})*(?:\.\d+)?(?:%| ms| s\b)?")
DATE = re.compile(r"\d{1,2} [A-Z][a-z]{2} \d{4}")
# Bounds that the words themselves explain: of the graph, of the steps of colour, of a percentage.
BOUNDS = {"30%", "5", "95", "50", "100%", "0", "1", "3", "7", "60"}


@pytest.mark.parametrize("name", ["three", "forty", "embedded"])
def test_every_number_in_words_and_tables_is_in_results_json(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    build(write_data(tmp_path / "data", **CASES[name]), out)
    results = json.loads((out / "results/results.json").read_bytes())
    known = numbers(results) | BOUNDS
    for entry in results["roster"]:
        known |= set(NUMBER.findall(entry["label"])) | set(NUMBER.findall(entry["engine"]))
    for page in ("index.html", "trends/index.html", "independence/index.html"):
        tree = parse((out / page).read_text(encoding="utf-8"))
        cells = [cell for box in tree.all("details") for cell in box.all("td")]
        captions = tree.all("figcaption")
        assert captions or page != "index.html"
        stray = [
            (page, number, node.text)
            for node in [*cells, *captions]
            if node.attributes.get("class") != "steps fine"
            for number in NUMBER.findall(DATE.sub("", words_of(node)))
            if number not in known
        ]
        assert stray == []


def words_of(node: Node) -> str:
    """The text without the legend of the steps of colour."""
    if "steps" in node.attributes.get("class", ""):
        return ""
    parts = [part if isinstance(part, str) else words_of(part) for part in node.children]
    return " ".join(" ".join(parts).split())


@pytest.mark.parametrize("page", ["index.html", "trends/index.html", "independence/index.html"])
def test_a_chart_stands_beside_a_table_and_says_what_it_shows(tmp_path: Path, page: str) -> None:
    out = tmp_path / "out"
    build(write_data(tmp_path / "data", benches=FIVE, runs=3), out)
    tree = parse((out / page).read_text(encoding="utf-8"))
    sections = [section for section in tree.all("section") if section.all("figure")]
    assert sections
    for section in sections:
        assert section.all("table") or _links_a_table(tree, section)
        for figure in section.all("figure"):
            (svg,) = [node for node in figure.all("svg") if node.attributes.get("role") == "img"]
            assert len(svg.attributes["aria-label"]) > 10
            (caption,) = figure.all("figcaption")
            assert len(caption.text) > 20


def _links_a_table(tree: Node, section: Node) -> bool:
    """Whether the section leads to a table on the same page."""
    targets = [link.attributes["href"] for link in section.all("a")]
    return any(tree.by_id(to[1:]).all("table") for to in targets if to.startswith("#table-"))


def test_hostile_names_stay_text_inside_charts(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(write_data(tmp_path / "data", **CASES["hostile"]), out)
    for page in ("index.html", "trends/index.html", "independence/index.html"):
        raw = (out / page).read_text(encoding="utf-8")
        tree = parse(raw)
        assert "<script>alert" not in raw
        assert not [node for svg in tree.all("svg") for node in svg.all("b", "script", "img")]
        marked = {node.attributes.get("data-engine") for node in tree.walk()} - {None}
        assert marked == set(HOSTILE)


def test_without_prices_latencies_or_days_the_page_says_what_is_missing(tmp_path: Path) -> None:
    rows = [history_row(engine=name) for name in ("alpha", "beta", "ultimate")]
    out = tmp_path / "out"
    build(write_history(tmp_path / "data", rows), out)
    tree = parse((out / "index.html").read_text(encoding="utf-8"))
    assert "knows no price and no latency" in tree.by_id("price").text
    assert "it takes runs on two different days" in tree.by_id("trends").text
    assert "not measured" in tree.by_id("independence").text
    assert tree.by_id("latency").all("figure") == []


def test_an_empty_data_directory_has_the_pages_too(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    out = tmp_path / "out"
    build(tmp_path / "data", out)
    for page in ("trends", "independence"):
        tree = parse((out / page / "index.html").read_text(encoding="utf-8"))
        assert tree.all("figure") == []
        assert len(tree.text) > 100
