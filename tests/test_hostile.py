"""Hostile feeds and results, from the harvest to the page: nothing breaks, no rating rises."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec
import pytest

from runner.benches.bench import load_bench
from runner.benches.loading import encode_queries, load_queries
from runner.benches.news.feeds import read_feeds
from runner.benches.news.sources import load_folder
from runner.cli import main
from runner.llm.prompts import visible
from runner.paths import SAMPLE
from runner.records.reports import JudgedReport, JudgedResult
from runner.text import parse_time
from sitebuilder.audit import audit
from tests.fakes import FakeWorld, Fault
from tests.fakes.delimiters import Delimited
from tests.fakes.hostile import ADDRESSES, ENTITY_BOMB, EXTERNAL_ENTITY, LONG_TEXT, TEXTS
from tests.live import NOW, environ, holds_a_key, report_of, run_live
from tests.site.dom import parse

# What no file and no terminal may get: control characters, and marks that reorder or hide text.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
# Words of the hostile texts that no honest text holds.
TRACES = re.compile(
    r"alert\(|onerror|onload|HYPERLINK|DROP TABLE|set rating|previous instructions|<iframe|evil\."
    r"|EXA_API_KEY|Set-Cookie|gnp\.exe|C:\\con|CDATA|FullyM|long long",
    re.IGNORECASE,
)
CLOCK = "2026-11-30T12:00Z"
JUDGEMENTS = "judgements"
BINARY = {".pdf", ".parquet", ".png", ".webp"}


def _write_feed(path: Path, items: list[tuple[str, str, str, str]]) -> None:
    """An RSS file of (title, link, description, date); control characters go in raw."""
    entries = "".join(
        f"<item><title>{escape(title)}</title><link>{escape(link)}</link>"
        f"<description>{escape(text)}</description><pubDate>{date}</pubDate></item>"
        for title, link, text, date in items
    )
    document = f'<rss version="2.0"><channel><title>f</title>{entries}</channel></rss>'
    path.write_bytes(document.encode("utf-8", "replace"))


def _sample_items() -> list[tuple[str, str, str, str]]:
    """(feed, title, text, date) of the sample's feed items, then of its pages as a feed each ten.

    Every page is dated within its feed's last day, so that all of them may be asked about.
    """
    found = [
        (Path(item.source.url).name, item.title, item.text, item.published)
        for item in read_feeds(load_folder(SAMPLE).sources).items
    ]
    now = parse_time(CLOCK)
    for number, line in enumerate((SAMPLE / "pages.jsonl").read_bytes().splitlines()[:150]):
        page = msgspec.json.decode(line)
        at = now - timedelta(minutes=number)
        found.append((f"pages{number // 10}.xml", page["title"], page["text"], at))
    return [
        (feed, title, text, format_datetime(at) if at else "") for feed, title, text, at in found
    ]


def _write_folders(honest: Path, hostile: Path) -> int:
    """The sample's items as feeds, as they are and poisoned; the number of poisoned items.

    A poisoned item keeps its words and gets a hostile text before or behind its title and its
    summary; one in five gets a hostile address too.
    """
    honest.mkdir()
    hostile.mkdir()
    plain, poisoned = defaultdict(list), defaultdict(list)
    items = _sample_items()
    for number, (feed, title, text, date) in enumerate(items):
        one, other = TEXTS[number % len(TEXTS)], TEXTS[(number * 7 + 3) % len(TEXTS)]
        link = f"https://pages.example/{number}"
        plain[feed].append((title, link, text, date))
        address = ADDRESSES[number // 5 % len(ADDRESSES)] if number % 5 == 4 else link
        title = f"{one} {title}" if number % 2 else f"{title} {one}"
        text = f"{other}\n{text}" if number % 3 else f"{text}\n{other}"
        poisoned[feed].append((title, address, text, date))
    for folder, feeds in ((honest, plain), (hostile, poisoned)):
        for name, entries in feeds.items():
            _write_feed(folder / name, entries)
    (hostile / "bomb.xml").write_text(ENTITY_BOMB)
    (hostile / "entity.xml").write_text(EXTERNAL_ENTITY)
    _write_feed(hostile / "long.xml", [(LONG_TEXT, "https://pages.example/long", LONG_TEXT, "")])
    return len(items)


def _texts(report: JudgedReport) -> Iterator[tuple[str, JudgedResult]]:
    """Every result of every engine, with its query id."""
    for name, block in report.engines.items():
        if name != "ultimate":
            for query in block.per_query:
                yield from ((query.query_id, result) for result in query.results)


def _check_site(site: Path) -> None:
    """Raises AssertionError unless the site passes its audit and every file is whole and plain.

    Judged results are shown as they came, escaped; everywhere else no hostile word may stand.
    """
    assert [str(finding) for finding in audit(site)] == []
    assert (site / "index.html").is_file()
    for page in sorted(site.rglob("*.html")):
        place = page.relative_to(site).parts
        shows_results = place[0] == JUDGEMENTS
        tree = parse(page.read_text(encoding="utf-8"))
        scripts = [node.attributes for node in tree.all("script")]
        sources = [own.get("src") for own in scripts if own.get("type") != "application/ld+json"]
        assert sources in ([], [f"{'../' * (len(place) - 1)}assets/site.js"])
        assert not tree.all("iframe", "object", "embed", "base", "form")
        for node in tree.walk():
            assert not [name for name in node.attributes if name.startswith("on")]
            for name in ("href", "src"):
                address = node.attributes.get(name, "")
                allowed = ("https://", "http://") if shows_results else ("https://",)
                has_scheme = re.match(r"\s*[a-z]+:", address, re.IGNORECASE)
                assert not has_scheme or address.startswith(allowed), address
        assert shows_results or TRACES.search(tree.text) is None, page
    for path in site.rglob("*"):
        if path.is_file() and path.suffix not in BINARY:
            text = path.read_text(encoding="utf-8")
            assert UNSEEN.search(text) is None, path
            is_judged = path.relative_to(site).parts[0] == JUDGEMENTS
            assert is_judged or "javascript:" not in text.lower(), path
            if path.suffix == ".json":
                json.loads(text)


def _check_data(data: Path) -> None:
    """Raises AssertionError unless every published line is JSON and one line of text.

    The archive keeps evidence as it came, escaped as JSON wants it; it has no control characters.
    """
    for path in [*data.glob("*.jsonl"), *data.glob("*.json"), *data.glob("archive/**/*.json*")]:
        text = path.read_text(encoding="utf-8")
        unseen = UNSEEN if path.parent == data else CONTROL
        assert unseen.search(text) is None, path
        if path.suffix == ".jsonl":
            assert all(isinstance(json.loads(line), dict) for line in text.split("\n") if line)
        else:
            json.loads(text)


def test_two_hundred_hostile_feed_items_reach_the_page_as_numbers_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _write_folders(tmp_path / "honest", tmp_path / "hostile") >= 200
    line = ["news", "--feeds-dir", str(tmp_path / "hostile"), "--now", CLOCK, "--limit", "20"]
    line += ["--data", str(tmp_path / "d"), "--site", str(tmp_path / "p")]
    assert main(line, {}) == 0
    out, err = capfd.readouterr()
    assert "feeds failed 3" in err  # the entity bomb, the external entity, the 5 MB title
    assert UNSEEN.search(out + err) is None
    assert len((tmp_path / "d/history.jsonl").read_bytes().splitlines()) == 4
    _check_data(tmp_path / "d")
    _check_site(tmp_path / "p")
    report = report_of_batch(tmp_path / "d")
    assert all(block.num_scored > 0 for block in report.engines.values())
    addresses = [result.url for _, result in _texts(report)]
    assert all(re.match(r"https?://[^\s\"<>]+$", address) for address in addresses)


def report_of_batch(data: Path) -> JudgedReport:
    """The report that the only run of a data directory left in its work folder."""
    (path,) = data.glob("batches/*/report.json")
    return msgspec.json.decode(path.read_bytes(), type=JudgedReport)


def _lends_words(query: str, result: JudgedResult) -> bool:
    """Whether a hostile text of the page shares a word's beginning with the query.

    Then it is evidence to a grader that goes by words ("DROP TABLE" where drops are asked about).
    """
    number = int(result.url.rpartition("/")[2]) if "pages.example" in result.url else 0
    added = f"{TEXTS[number % len(TEXTS)]} {TEXTS[(number * 7 + 3) % len(TEXTS)]}"
    heads = [{word[:4] for word in re.findall(r"\w{3,}", t.lower())} for t in (query, added)]
    return bool(heads[0] & heads[1])


def test_hostile_text_around_the_same_pages_raises_no_rating(tmp_path: Path) -> None:
    folders = (tmp_path / "honest", tmp_path / "hostile")
    _write_folders(*folders)
    for folder in folders:
        line = ["news", "generate", "--feeds-dir", str(folder), "--now", CLOCK]
        assert main([*line, "--limit", "80", "--out", f"{folder}.jsonl"], {}) == 0
    rows = load_queries(tmp_path / "honest.jsonl", parse_time(CLOCK), load_bench("news")).good
    asked, asked_text = encode_queries(rows), {row.query_id: row.query_text for row in rows}
    reports = []
    for folder in folders:  # the same queries, each over its own pages
        Path(f"{folder}.jsonl").write_bytes(asked)
        line = ["news", "run", "--queries", f"{folder}.jsonl", "--out", f"{folder}.json"]
        assert main([*line, "--now", CLOCK], {}) == 0
        found = Path(f"{folder}.json").read_bytes()
        reports.append(msgspec.json.decode(found, type=JudgedReport))
    honest = {(query, result.url): result for query, result in _texts(reports[0])}
    poisoned = list(_texts(reports[1]))
    assert sum(result.url.startswith("https://pages.example/") for _, result in poisoned) >= 200
    pairs = [
        (honest[query, result.url], result)
        for query, result in poisoned
        if (query, result.url) in honest and not _lends_words(asked_text[query], result)
    ]
    assert len(pairs) >= 200
    risen = [(old, new) for old, new in pairs if (new.rating or 0) > (old.rating or 0)]
    assert risen == []


def test_hostile_results_reach_neither_the_page_nor_the_judges_instructions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hosts = ("api.keenable.ai", "api.exa.ai", "google.serper.dev", "api.search.brave.com")
    with FakeWorld(faults=[Fault(host=host, kind="hostile") for host in hosts]) as world:
        assert run_live(world, tmp_path / "d", "--site", str(tmp_path / "p")) == 0
        calls = [call for call in world.calls_to("openrouter.ai") if b'"relevance"' in call.body]
    report = report_of(tmp_path / "d")
    results = [result for _, result in _texts(report)]
    assert sum(bool(TRACES.search(f"{r.title} {r.snippet} {r.url}")) for r in results) >= 200
    assert max(len(result.title or "") for result in results) <= 1000
    assert len(calls) >= 200
    for call in calls:
        # the fake model obeys an order outside the delimiters, and refuses forged ones
        _, user = (message["content"] for message in call.json["messages"])
        prompt = Delimited.read(user)
        assert prompt.ordered_rating() is None
        assert TRACES.search("\n".join(prompt.outside)) is None
        assert visible(user) == user
    assert (report.judge_errors, report.profile_errors) == (0, 0)
    errors = [query.search_error for block in report.engines.values() for query in block.per_query]
    messages = {error.error_message for error in errors if error}  # several titles of 5 MB
    assert messages <= {"BodyTooLarge: more than 10000000 bytes"}
    out, err = capfd.readouterr()
    assert UNSEEN.search(out + err) is None
    assert holds_a_key(tmp_path) == []
    _check_data(tmp_path / "d")
    _check_site(tmp_path / "p")


def test_a_run_over_hostile_feeds_trends_and_results_ends_well(tmp_path: Path) -> None:
    with FakeWorld(faults=[Fault(kind="hostile")]) as world:
        line = ["news", "--source", "both", "--engines", "exa,google", "--now", NOW]
        line += ["--limit", "20", "--data", str(tmp_path / "d"), "--site", str(tmp_path / "p")]
        assert main(line, environ(world)) == 0
    _check_data(tmp_path / "d")
    _check_site(tmp_path / "p")
