"""The pages of needleif: one for all models, and one for each."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from runner.records.base import encode_line
from runner.records.needleif import NeedleCell, NeedleFigure
from runner.text import spreadsheet_text
from sitebuilder.folders import engine_slug
from sitebuilder.needleif import leaders
from sitebuilder.needleif_charts import accuracy_chart, regression_chart, step_words
from sitebuilder.render import Page, Part, Site
from sitebuilder.results import NeedleBoard, NeedleModel, Results

FOLDER = "needleif/"
CSV = "results/needleif.csv"
MOST_PAIRS = 60  # in the table of the page; results.json has all
METRICS = ("baseline", "long_context", "distraction_regression", "net_penalty")
COLUMNS = (
    "records_sha256", "model", "provider", "is_reference", "ts", "mode", "breakdown", "group",
    "metric", "value", "lo", "hi", "n_pairs", "n11", "n10", "n01", "n00",
)  # fmt: skip
BREAKDOWNS = (
    ("size", "By size of the document"),
    ("depth", "By depth of the needle, in percent"),
    ("complexity", "By number of instructions: one is simple, two or three complex"),
    ("instruction_id", "By kind of instruction"),
)


def part(site: Site) -> Part:
    """`/needleif/`, a page a model, `results/needleif.csv` and `data/needleif.jsonl`."""
    boards = site.results.needleif
    index = Page(
        folder=FOLDER,
        template="needleif.html.j2",
        title="Needleif, instructions buried in long documents: Needle",
        description="Can a model still follow an instruction when it is buried in a long "
        "document? Baseline against long-context accuracy, with intervals, checked by code.",
        context={
            "boards": [_board_context(board) for board in boards],
            "model_folder": model_folder,
            "most_pairs": MOST_PAIRS,
        },
    )
    files = {}
    if boards:
        files[CSV] = needleif_csv(site.results)
        files["data/needleif.jsonl"] = b"".join(map(encode_line, site.tables.needleif))
    names = dict.fromkeys(model.model for board in boards for model in board.models)
    return Part(pages=[index, *(_model_page(site.results, name) for name in names)], files=files)


def model_folder(model: str) -> str:
    """The folder of a model's page."""
    return f"{FOLDER}{engine_slug(model)}/"


def _board_context(board: NeedleBoard) -> dict[str, Any]:
    first, level = leaders(board)
    sizes = dict.fromkeys(
        size for model in board.models for size in (model.by or {}).get("size", {})
    )
    return {
        "board": board,
        "first": first,
        "level": level,
        "sizes": list(sizes),
        "chart": accuracy_chart(board.models),
        "has_models": any(not model.is_reference for model in board.models),
    }


def _model_page(results: Results, name: str) -> Page:
    found = [
        (board, model)
        for board in results.needleif
        for model in board.models
        if model.model == name
    ]
    return Page(
        folder=model_folder(name),
        template="needleif_model.html.j2",
        title=f"{name}: needleif results on Needle",
        description=f"How {name} follows an instruction that is buried in a long document, by "
        "size of the document, depth of the needle and kind of instruction.",
        context={
            "name": name,
            "found": [
                {"board": board, "model": model, "chart": _heat(model)} for board, model in found
            ],
            "model_folder": model_folder,
            "breakdowns": BREAKDOWNS,
            "steps": step_words(),
        },
    )


def _heat(model: NeedleModel) -> Any:
    return regression_chart(model.by["size_depth"]) if model.by else None


def needleif_csv(results: Results) -> bytes:
    """One line for each model, mode, group and metric; shares with 6 decimals, empty = none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for board in results.needleif:
        for model in board.models:
            head = [
                board.dataset.records_sha256,
                spreadsheet_text(model.model),
                model.provider,
                str(model.is_reference).lower(),
                model.ts,
            ]
            for mode, cell in (("strict", model.strict), ("loose", model.loose)):
                writer.writerows(_lines([*head, mode, "overall", "all"], cell))
            for breakdown, groups in (model.by or {}).items():
                for group, cell in groups.items():
                    writer.writerows(
                        _lines([*head, "loose", breakdown, spreadsheet_text(group)], cell)
                    )
    return text.getvalue().encode()


def _lines(head: Sequence[str], cell: NeedleCell) -> list[list[str]]:
    counts = [f"{count:g}" for count in (cell.n, cell.n11, cell.n10, cell.n01, cell.n00)]
    return [[*head, name, *_three(getattr(cell, name)), *counts] for name in METRICS]


def _three(figure: NeedleFigure) -> list[str]:
    values = (figure.value, figure.low, figure.high)
    return ["" if value is None else f"{value:.6f}" for value in values]
