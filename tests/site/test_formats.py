"""CSV, JSON, Markdown, Parquet and PDF hold the same figures, number for number."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest

from runner.text import escape_md, from_spreadsheet, spreadsheet_text
from sitebuilder import pdf as pdf_module
from sitebuilder.downloads import part
from sitebuilder.exports import COLUMNS, results_csv, results_json
from sitebuilder.markdown import results_md
from sitebuilder.palette import COLOURS
from sitebuilder.parquet import COUNTS, DECIMALS, results_parquet
from sitebuilder.pdf import _choices, print_document, results_pdf
from sitebuilder.render import TEMPLATES, Site
from sitebuilder.results import BoardRow, Figure, Results
from tests.site.made_data import FIVE, write_data
from tests.site.made_sites import HOSTILE, made_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return made_site(write_data(tmp_path_factory.mktemp("plain") / "data", benches=FIVE))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("hostile") / "data"
    return made_site(write_data(folder, engines=HOSTILE, benches=FIVE))


def _results(site: Site) -> Results:
    """As a reader of results.json has them."""
    return msgspec.json.decode(results_json(site.results), type=Results)


def _csv(site: Site) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(results_csv(site.results).decode())))


def _md_tables(text: str) -> dict[str, list[dict[str, str]]]:
    """Rows by heading, as a plain reader of pipe tables takes them."""
    tables: dict[str, list[dict[str, str]]] = {}
    head: list[str] = []
    title = ""
    for line in text.splitlines():
        if line.startswith("#"):
            title, head = line.lstrip("# "), []
        elif line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not head:
                head = cells
            elif set("".join(cells)) != set("-: ") and set("".join(cells)) - set("-:"):
                tables.setdefault(title, []).append(dict(zip(head, cells, strict=True)))
    return tables


def _bounds(figure: Figure | None) -> list[str]:
    if figure is None:
        return ["not measured", "", ""]
    return ["" if v is None else f"{v:.4f}" for v in (figure.value, figure.lo, figure.hi)]


def _rows(results: Results, bench: str) -> list[BoardRow]:
    board = results.benches[bench]
    return [*board.engines, *([board.ultimate] if board.ultimate else [])]


def test_no_cell_of_the_csv_is_a_formula(hostile: Site) -> None:
    cells = [cell for row in _csv(hostile) for cell in row.values()]
    assert any(cell.startswith("'=1+1") for cell in cells)
    assert [cell for cell in cells if cell != spreadsheet_text(from_spreadsheet(cell))] == []


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d"])
def test_no_engine_id_and_no_label_is_a_formula(start: str, tmp_path: Path) -> None:
    name = f"{start}inf"
    results = made_site(write_data(tmp_path / "data", engines=(name, "beta"))).results
    roster = [msgspec.structs.replace(e, label=f"{start}cmd|' /C calc'!A0") for e in results.roster]
    rows = list(
        csv.DictReader(
            io.StringIO(results_csv(msgspec.structs.replace(results, roster=roster)).decode())
        )
    )
    assert {row["engine"] for row in rows} >= {f"'{name}", "beta"}
    for column in ("engine", "engine_name", "family"):
        assert not [row[column] for row in rows if row[column].startswith(start)]


@pytest.mark.parametrize("name", ["site", "hostile"])
def test_parquet_has_the_lines_of_the_csv(name: str, request: pytest.FixtureRequest) -> None:
    site: Site = request.getfixturevalue(name)
    table = pyarrow.parquet.read_table(io.BytesIO(results_parquet(site.results)))
    assert table.column_names == list(COLUMNS)
    lines = table.to_pylist()
    for line, wanted in zip(lines, _csv(site), strict=True):
        for column, text in wanted.items():
            assert line[column] == _typed(column, from_spreadsheet(text))
    assert table.schema.metadata[b"licence"] == b"CC-BY-4.0"


def _typed(column: str, text: str) -> Any:
    if text == "":
        return None
    if column in COUNTS:
        return int(text)
    return float(text) if column in DECIMALS else text


@pytest.mark.parametrize("name", ["site", "hostile"])
def test_markdown_has_the_figures_of_the_json(name: str, request: pytest.FixtureRequest) -> None:
    site: Site = request.getfixturevalue(name)
    results = _results(site)
    tables = _md_tables(results_md(site.results).decode())
    overall = tables["Overall: share of the ceiling"]
    for row, line in zip(results.overall, overall, strict=True):
        assert line["Id"] == escape_md(row.engine)
        assert [line["Overall"], line["Low"], line["High"]] == _bounds(row.overall)
        assert line["Queries"] == str(row.n_scored)
        for board in results.benches.values():
            figure = row.shares[board.bench]
            assert line[board.label] == (f"{figure.value:.4f}" if figure else "")
    for bench, board in results.benches.items():
        metric = "nDCG" if board.metric == "ndcg" else "recall"
        lines = tables[f"{board.label}: {metric}@{board.k}"]
        for bench_row, line in zip(_rows(results, bench), lines, strict=True):
            assert line["Id"] == escape_md(bench_row.engine)
            assert [line["Score"], line["Low"], line["High"]] == _bounds(bench_row.score)
            share = [line["Share"], line["Share low"], line["Share high"]]
            assert share == _bounds(bench_row.share)
            for part_ in bench_row.slices:
                assert line[part_.name] == f"{part_.recall:.4f}"
            p50 = bench_row.p50_ms
            assert line["p50 ms"] == ("" if p50 is None else f"{p50:.1f}")
    for row_, line in zip(results.latency, tables["Latency and price"], strict=True):
        assert line["Timed calls"] == str(row_.n)
        assert line["p95 ms"] == ("" if row_.p95_ms is None else f"{row_.p95_ms:.1f}")


def _pdf_rows(site: Site) -> list[list[str]]:
    """The cells of every table row, as the document model of the PDF holds them."""
    document = print_document(site, {}).render(stylesheets=[TEMPLATES / "print.css"])
    rows: list[list[str]] = []
    for page in document.pages:
        for box in page._page_box.descendants():
            if box.element_tag == "tr" and type(box).__name__ == "TableRowBox":
                rows.append([_box_text(cell) for cell in box.children])
    return rows


def _box_text(box: Any) -> str:
    texts = [child.text for child in box.descendants() if hasattr(child, "text")]
    return " ".join(" ".join(texts).split())


def test_the_pdf_has_the_figures_of_the_json_to_its_digits(site: Site) -> None:
    results, rows = _results(site), _pdf_rows(site)
    labels = {entry.engine: entry.label for entry in results.roster} | {"ultimate": "ultimate"}
    found = iter(rows)
    assert next(found)[0] == "Engine"
    for row in results.overall:
        cells = next(found)
        assert row.overall
        figure = row.overall
        bounds = f"[{100 * (figure.lo or 0):.1f}%, {100 * (figure.hi or 0):.1f}%]"
        assert cells[0] == labels[row.engine]
        assert cells[3:5] == [f"{100 * figure.value:.1f}%", bounds]
        shares = [row.shares[bench] for bench in results.benches]
        assert cells[5:-1] == [f"{100 * share.value:.1f}%" for share in shares if share]
        assert cells[-1] == f"{row.n_scored:,}"
    for bench in results.benches:
        assert next(found)[0] == "Engine"
        for bench_row in _rows(results, bench):
            cells = next(found)
            assert bench_row.score
            assert cells[0] == labels[bench_row.engine]
            assert cells[3] == f"{bench_row.score.value:.3f}"
            assert cells[4] == f"[{bench_row.score.lo:.3f}, {bench_row.score.hi:.3f}]"
            slices = [f"{part_.recall:.3f}" for part_ in bench_row.slices]
            assert not slices or slices == cells[-4 - len(slices) : -4]
    assert next(found)[0] == "Engine"
    assert [next(found)[3] for _ in results.latency] == [f"{r.n:,}" for r in results.latency]
    assert list(found) == []


def test_hostile_names_are_text_in_markdown_and_pdf(hostile: Site) -> None:
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark").enable("table").render(results_md(hostile.results).decode())
    assert "javascript:1" in html
    assert 'href="javascript' not in html
    assert "<b>" not in html
    assert "<em>y" not in html
    names = {cells[0] for cells in _pdf_rows(hostile)}
    labels = {" ".join(entry.label.split()) for entry in hostile.results.roster}
    assert {name.replace(" ", "") for name in names} >= {x.replace(" ", "") for x in labels}


def test_the_pdf_is_tagged_dated_small_and_equal_each_time(site: Site) -> None:
    pdf = results_pdf(site)
    assert pdf == results_pdf(site)
    assert len(pdf) <= 120_000
    document = print_document(site, {}).render(stylesheets=[TEMPLATES / "print.css"])
    assert len(document.pages) <= 8
    assert pdf.startswith(b"%PDF-1.7")
    plain = _inflated(pdf)
    assert b"/CreationDate (D:20260820101700Z)" in plain
    assert b"/StructTreeRoot" in plain
    assert b"/Marked true" in plain
    assert b"<pdfuaid:part>1</pdfuaid:part>" in plain or b"pdfuaid:part=" in plain


def test_the_pdf_has_the_charts_of_the_page_in_colours_of_paper_with_words(site: Site) -> None:
    plain = _inflated(results_pdf(site))
    alts = re.findall(rb"/Alt \(((?:[^()\\]|\\.)*); the tables have the figures\)", plain)
    drawn = [site.charts[name] for name in ("share", "price", "speed", "latency")]
    drawn += [each.chart for each in site.charts["trends"]]
    titles = {chart.title.encode("latin-1", "replace") for chart in drawn if chart}
    assert {alt.replace(b"\\", b"") for alt in alts} == titles
    assert plain.count(b"/S /Figure") >= len(titles)
    # the colour of the first highlighted engine, as the paper has it
    red, green, blue = (int(COLOURS["s1"][at : at + 2], 16) / 255 for at in (1, 3, 5))
    assert f"{red:.6g} {green:.6g} {blue:.6g} RG".encode() in plain


def test_labels_of_charts_are_in_the_page_and_no_objects_of_their_own(site: Site) -> None:
    plain = _inflated(results_pdf(site))
    assert b"/Subtype /Form" not in plain
    assert not re.search(rb"/x\d+ Do", plain)


@pytest.mark.parametrize(("engines", "names"), [(15, 4), (31, 0)])
def test_charts_leave_room_for_the_tables(engines: int, names: int, tmp_path: Path) -> None:
    ids = tuple(f"engine-{n:02}" for n in range(engines))
    many = made_site(write_data(tmp_path / "data", engines=ids, benches=FIVE, runs=3))
    first = next(_choices(many))
    assert [len(first), "share" in first] == [names, names > 0]


def test_charts_go_where_all_would_not_fit(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = results_pdf(site)
    monkeypatch.setattr(pdf_module, "MAX_BYTES", len(whole) - 1)
    fewer = results_pdf(site)
    assert len(fewer) < len(whole)
    assert 0 < _inflated(fewer).count(b"/S /Figure") < _inflated(whole).count(b"/S /Figure")
    monkeypatch.setattr(pdf_module, "MAX_BYTES", 10)
    assert b"/S /Figure" not in _inflated(results_pdf(site))


def test_the_print_page_loads_nothing_but_its_charts(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from weasyprint.urls import FatalURLFetchingError

    page = '<html><img src="http://127.0.0.1:9/x.png" alt="x">'
    monkeypatch.setattr(pdf_module, "print_html", lambda *_: page)
    with pytest.raises(FatalURLFetchingError):
        print_document(site, {}).write_pdf()


def _inflated(pdf: bytes) -> bytes:
    import zlib

    parts = [pdf]
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.S):
        try:
            parts.append(zlib.decompress(match[1]))
        except zlib.error:
            continue
    return b"\n".join(parts)


def test_cells_of_the_pdf_hold_their_text_without_a_span(site: Site) -> None:
    plain = _inflated(results_pdf(site))
    cells, spans = (len(re.findall(rb"/S /" + tag, plain)) for tag in (b"TD", b"Span"))
    assert cells > 100
    assert spans < cells / 2  # one each before


def test_markdown_and_parquet_are_equal_each_time(site: Site) -> None:
    first, second = part(site).files, part(site).files
    assert first == second
    assert sorted(first) == ["results/results.md", "results/results.parquet", "results/results.pdf"]


def test_without_weasyprint_the_build_says_so_and_goes_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "weasyprint", None)
    found = part(site)
    assert sorted(found.files) == ["results/results.md", "results/results.parquet"]
    (warning,) = found.warnings
    assert warning.startswith("results/results.pdf is left out, WeasyPrint cannot be loaded: ")


def test_no_run_gives_files_that_say_so(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    empty = made_site(tmp_path / "data")
    files = part(empty).files
    assert b"This data holds no run yet." in files["results/results.md"]
    table = pyarrow.parquet.read_table(io.BytesIO(files["results/results.parquet"]))
    assert table.num_rows == 0
    assert files["results/results.pdf"] == results_pdf(empty)
