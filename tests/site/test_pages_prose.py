"""Prose pages, schemas and the slot ledger: what is written is true, linked and complete."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from runner.benches.names import BENCH_NAMES
from runner.errors import DataError
from runner.publishing.flags import COMMANDS
from runner.records.published import encode_history
from runner.text import parse_time
from sitebuilder.gate import (
    MAX_ACCOUNT_ERROR_SHARE,
    MAX_ERROR_SHARE,
    MIN_SCORED,
    MIN_SCORED_SHARE,
)
from sitebuilder.methodology import PAGES
from sitebuilder.prose import render_prose
from sitebuilder.render import CONTENT, ROOT
from sitebuilder.runs_page import read_ledger
from sitebuilder.schemas import RECORDS, csv_form, forms, schema, type_text
from tests.site.made_data import FIVE, history_row, write_data

HERE = Path("page.md")


def test_headings_get_ids_and_the_first_one_is_the_title() -> None:
    prose = render_prose("# Title *here*\n\n## One & two\n\ntext\n\n### Three\n", "../", HERE)
    assert prose.title == "Title here"
    assert prose.sections == [("one-two", "One & two")]
    assert '<h2 id="one-two">One &amp; two</h2>' in prose.html
    assert '<h3 id="three">' in prose.html
    assert "<h1" not in prose.html


def test_links_are_written_from_the_top_of_the_site() -> None:
    text = "# T\n\n[a](history/) [b](https://example.org/x) [c](#part)\n"
    html = render_prose(text, "../../", HERE).html
    assert re.findall(r'href="([^"]+)"', html) == [
        "../../history/",
        "https://example.org/x",
        "#part",
    ]


@pytest.mark.parametrize("target", ["/etc/", "../up/", "http://example.org/", "mailto:a@b.c"])
def test_other_links_are_refused(target: str) -> None:
    with pytest.raises(DataError, match="neither a page of the site nor https"):
        render_prose(f"# T\n\n[a]({target})\n", "../", HERE)


def test_html_in_prose_is_text() -> None:
    html = render_prose("# T\n\n<script>alert(1)</script> <b>x</b>\n", "../", HERE).html
    assert "<script" not in html
    assert "<b>" not in html


@pytest.mark.parametrize("text", ["", "no title\n", "## second\n"])
def test_a_text_begins_with_its_title(text: str) -> None:
    with pytest.raises(DataError, match="heading of level 1"):
        render_prose(text, "../", HERE)


def test_the_method_states_the_bounds_that_the_gate_applies() -> None:
    text = (CONTENT / "methodology.md").read_text(encoding="utf-8")
    assert f"more than {MAX_ACCOUNT_ERROR_SHARE:.0%} of the searches failed on our account" in text
    assert (MAX_ERROR_SHARE, MIN_SCORED_SHARE) == (0.5, 0.5)
    assert "more than half of its searches failed" in text
    assert f"fewer than {MIN_SCORED} scored queries, or fewer than half as many" in text


@pytest.mark.parametrize("name", [name for name, _ in PAGES])
def test_every_path_and_bench_named_in_prose_exists(name: str) -> None:
    text = (CONTENT / f"{name}.md").read_text(encoding="utf-8")
    for path in re.findall(r"`((?:runner|tests|site|templates)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path
    for command in re.findall(r"needle (\w+) (?:generate|run|publish|--)", text):
        assert command in (*BENCH_NAMES, *COMMANDS, "engines", "doctor"), command


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_every_field_has_a_meaning(name: str) -> None:
    missing = [(form.name, f.name) for form in forms(name) for f in form.fields if not f.meaning]
    assert missing == []


def test_every_column_of_the_csv_has_a_meaning() -> None:
    assert [field.name for field in csv_form().fields if not field.meaning] == []


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_schemas_are_valid_schemas(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


FILES = [
    ("history.jsonl", "history-row"),
    ("overlap.jsonl", "overlap-row"),
    ("uniqueness.jsonl", "uniqueness-row"),
    ("ci_scores.jsonl", "ci-scores-row"),
]


@pytest.mark.parametrize(("file", "name"), FILES)
def test_published_rows_fit_their_schema(tmp_path: Path, file: str, name: str) -> None:
    data = write_data(tmp_path / "data", benches=FIVE)
    check = Draft202012Validator(schema(name))
    for line in (data / file).read_bytes().splitlines():
        check.validate(json.loads(line))


def test_a_row_with_a_wrong_type_does_not_fit() -> None:
    row = json.loads(encode_history(history_row()))
    check = Draft202012Validator(schema("history-row"))
    assert check.is_valid(row)
    assert check.is_valid(row | {"filings_recall": 0.5, "filings_n": 3})
    assert not check.is_valid(row | {"num_scored": "many"})
    assert not check.is_valid(row | {"filings_recall": 1.5})


TYPES = [
    ({"type": "string"}, "text"),
    ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "number or null"),
    ({"type": "array", "items": {"$ref": "#/$defs/Pair"}}, "list of Pair"),
    ({"enum": ["live", "embedded"]}, "live or embedded"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "map to text"),
]


@pytest.mark.parametrize(("part", "text"), TYPES)
def test_types_are_told_in_words(part: dict[str, object], text: str) -> None:
    assert type_text(part) == text


SLOTS = [
    {"ts": "2026-08-19T10:17Z", "bench": "news", "state": "ran", "run_ts": "2026-08-19T10:17Z"},
    {"ts": "2026-08-19T12:17Z", "bench": "news", "state": "missed", "reason": "x" * 900},
    {"ts": "2026-08-19T11:17Z", "bench": "news", "state": "late", "run_ts": "2026-08-19T11:51Z"},
    {"ts": "2026-08-19T12:17Z", "bench": "sport", "state": "ran"},
    {"ts": "yesterday", "bench": "news", "state": "ran"},
    {"ts": "2026-08-16T02:17Z", "bench": "needleif", "state": "ran"},
]


def test_the_ledger_counts_what_was_due_and_lists_troubles_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "slots.jsonl"
    path.write_text("".join(json.dumps(slot) + "\n" for slot in SLOTS))
    ledger = read_ledger(path, None)
    assert ledger
    assert ledger.unusable == 2
    assert ledger.counts() == [
        ("News", {"due": 3, "ran": 1, "late": 1, "missed": 1}),
        ("Needleif", {"due": 1, "ran": 1, "late": 0, "missed": 0}),
    ]
    assert [slot.state for slot in ledger.troubles] == ["missed", "late"]
    assert len(ledger.troubles[0].reason or "") == 200
    cut = read_ledger(path, parse_time("2026-08-19T11:59Z"))
    assert cut
    assert [slot.state for slot in cut.slots] == ["ran", "ran", "late"]


def test_no_ledger_is_no_ledger(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / "slots.jsonl", None) is None
