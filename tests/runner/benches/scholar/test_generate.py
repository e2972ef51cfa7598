"""A generation against the fake sources, whose papers carry every trap that is known."""

from __future__ import annotations

import asyncio
import re
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from io import StringIO
from typing import Any

import pytest

from runner.benches.bench import Harvest
from runner.benches.scholar.entry import BENCH
from runner.benches.scholar.generate import ScholarOptions, generate, least_rows
from runner.benches.scholar.rows import AGE_BUCKETS, BUCKETS, SUITES, decode_gold
from runner.benches.scholar.sampling import SPANS
from runner.benches.scholar.score import scholar_target
from runner.llm.openrouter import ChatModel
from runner.pipeline import sampled
from runner.progress import PlainProgress
from runner.records.queries import QueryRow
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault
from tests.fakes.paper_texts import abstract, body_text
from tests.fakes.papers import Paper, library
from tests.fakes.scene import Scene
from tests.runner.benches.scholar.made_papers import NOW

KEY = "fake-OPENROUTER_API_KEY"
SCENE = Scene(0, NOW)
ARXIV, EBI, PMC = "export.arxiv.org", "www.ebi.ac.uk", "pmc.ncbi.nlm.nih.gov"


@pytest.fixture(scope="module")
def shared_world() -> Iterator[FakeWorld]:
    with FakeWorld(clock=NOW) as running:
        yield running


@pytest.fixture
def world(shared_world: FakeWorld) -> FakeWorld:
    shared_world.reset()
    return shared_world


def options(**parts: Any) -> ScholarOptions:
    given: dict[str, Any] = {
        "now": NOW,
        "suites": SUITES,
        "ages": ("7d", "1y"),
        "buckets": BUCKETS,
        "per_cell": 1,
        "seed": 7,
        "concurrency": 8,
    }
    return ScholarOptions(**(given | parts))


def run(world: FakeWorld, **parts: Any) -> Harvest:
    environ = {"NEEDLE_GATEWAY": world.url, "NEEDLE_CONTACT": "ops@example.org"}
    settings = read_settings({**environ, "OPENROUTER_API_KEY": KEY}, lambda _: asyncio.sleep(0))

    async def work() -> Harvest:
        model = ChatModel(settings, model="x/y", key=KEY, concurrency=8, timeout_s=30)
        try:
            return await generate(
                options(**parts),
                model=model,
                settings=settings,
                progress=PlainProgress(StringIO()),
            )
        finally:
            await model.aclose()

    return asyncio.run(work())


@pytest.fixture(scope="module")
def harvest(shared_world: FakeWorld) -> Harvest:
    """Ten papers in each of twenty cells."""
    return run(shared_world, ages=AGE_BUCKETS, per_cell=10)


def by_paper(harvest: Harvest) -> dict[str, dict[str, QueryRow]]:
    found: dict[str, dict[str, QueryRow]] = defaultdict(dict)
    for row in harvest.rows:
        found[decode_gold(row.gold).paper_key][row.query_origin.bucket] = row
    return found


def origin(key: str) -> Paper:
    """The fake world's paper behind a key."""
    known = library(SCENE)
    for paper in known.papers:
        if key in (paper.arxiv_id, paper.pmid, paper.doi.lower()) or key in paper.url:
            return paper
    raise KeyError(key)


def parts_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def test_two_hundred_papers_have_a_query_in_every_bucket(harvest: Harvest) -> None:
    papers = by_paper(harvest)
    assert len(papers) == 200
    assert all(tuple(rows) == BUCKETS for rows in papers.values())
    assert len({row.query_id for row in harvest.rows}) == len(harvest.rows) == 800
    assert harvest.counts["rows_arxiv"] == 640
    assert harvest.counts["rows_europepmc"] == 160
    assert "short_cells" not in harvest.counts


def test_cells_are_balanced_and_papers_are_of_their_age(harvest: Harvest) -> None:
    cells: Counter[tuple[str, str]] = Counter()
    for rows in by_paper(harvest).values():
        gold = decode_gold(rows["title"].gold)
        cells[gold.domain, gold.age_bucket] += 1
        older, newer = SPANS[gold.age_bucket]
        age = (NOW.date() - date.fromisoformat(gold.published_date)).days
        assert newer <= age <= older
    assert len(cells) == 20
    assert set(cells.values()) == {10}


def test_every_row_is_matched_by_its_papers_own_address(harvest: Harvest) -> None:
    for row in harvest.rows:
        found = scholar_target(row).match(row.query_origin.provenance["url"], "")
        assert found.via is not None
        assert found.via.startswith("url:")


@pytest.mark.parametrize("scheme", ["stratified", "uniform", "head"])
@pytest.mark.parametrize("limit", [1, 4, 50, 0])
def test_a_sample_takes_whole_papers_so_that_buckets_stay_paired(
    harvest: Harvest, scheme: str, limit: int
) -> None:
    rows = sampled(BENCH, harvest.rows, Namespace(limit=limit, sample=scheme, seed=3))
    buckets: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        buckets[decode_gold(row.gold).paper_key].add(row.query_origin.bucket)
    assert all(found == set(BUCKETS) for found in buckets.values())
    assert len(rows) == {1: 4, 4: 4, 50: 48, 0: 800}[limit]
    if scheme == "stratified" and limit == 50:  # one paper a cell before any has two
        cells = {(decode_gold(row.gold).domain, decode_gold(row.gold).age_bucket) for row in rows}
        assert len(cells) == len(buckets) == 12


def test_no_body_or_clue_query_has_a_name_or_rare_words_of_the_title(harvest: Harvest) -> None:
    from wordfreq import zipf_frequency

    for key, rows in by_paper(harvest).items():
        paper = origin(key)
        title = re.sub(r"\\[a-z]+|[${}]", " ", paper.title)
        named = [
            word.lower()
            for word in re.findall(r"[A-Za-z0-9]+", title)
            if sum(map(str.isupper, word)) > 1 or (re.search(r"\d", word) and not word.isdigit())
        ]
        for bucket in ("body", "clue"):
            asked = parts_of(rows[bucket].query_text)
            assert not set(named) & set(asked)
            if paper.coined:
                assert paper.coined.lower() not in rows[bucket].query_text.lower()
            rare = {
                word
                for word in parts_of(title)
                if len(word) > 2 and zipf_frequency(word, "en") < 4 and word in asked
            }
            assert len(rare) <= 1, (rows[bucket].query_text, title)


def test_every_new_word_of_a_body_query_and_every_span_stands_in_the_body(
    harvest: Harvest,
) -> None:
    spans = 0
    for key, rows in by_paper(harvest).items():
        paper = origin(key)
        body = body_text(SCENE, paper).lower()
        shown = set(parts_of(f"{paper.title} {abstract(SCENE, paper)}"))
        query = rows["body"].query_text
        new = [word for word in parts_of(query) if word not in shown]
        assert len(new) >= 2
        assert all(word in body for word in new if len(word) > 2), query
        for span in re.findall(r'"([^"]*)"', query):
            spans += 1
            assert span.lower() in body
        assert query.count('"') in (0, 2)
    assert spans > 20


def test_a_clue_has_facts_of_the_body_and_no_quotes(harvest: Harvest) -> None:
    for key, rows in by_paper(harvest).items():
        paper = origin(key)
        query = rows["clue"].query_text
        assert query.endswith("?")
        assert '"' not in query
        names = [detail.name for detail in paper.details if detail.name in query]
        assert len(names) >= 1


def test_no_vague_memory_has_a_digit_a_coined_name_or_the_title(harvest: Harvest) -> None:
    for key, rows in by_paper(harvest).items():
        paper = origin(key)
        query = rows["tot"].query_text
        assert not any(char.isnumeric() for char in query)
        assert not re.search(r'[A-Z]{2}|[a-z][A-Z]|["%]', query)
        assert not any(detail.name.lower() in query.lower() for detail in paper.details)
        assert not paper.coined or paper.coined.lower() not in query.lower()
        assert not re.search(r"\b(?:two|three|ten|twelve|hundred|per cent|percent)\b", query)
        title = {word for word in parts_of(paper.title) if len(word) > 3}
        assert len(title & set(parts_of(query))) <= 2


def test_a_title_query_is_not_the_title(harvest: Harvest) -> None:
    for key, rows in by_paper(harvest).items():
        words = rows["title"].query_text.split()
        assert len(words) >= 4
        assert words != parts_of(origin(key).title)
        assert not re.search(r"[\\${}<>:.]", rows["title"].query_text)


@pytest.mark.parametrize(
    "trap",
    [
        "dated_elsewhere", "generic_title", "short_title", "withdrawn", "no_text", "closed",
        "foreign", "no_abstract", "no_jats", "empty_jats", "preprint",
    ],
)  # fmt: skip
def test_papers_that_cannot_be_asked_for_are_not(harvest: Harvest, trap: str) -> None:
    traps = Counter(one for key in by_paper(harvest) for one in origin(key).traps)
    assert library(SCENE).trapped(trap)
    assert traps[trap] == 0


def test_papers_with_odd_titles_are_asked_for(harvest: Harvest) -> None:
    traps = Counter(one for key in by_paper(harvest) for one in origin(key).traps)
    for trap in ("latex_title", "coined_title", "cross_listed", "revised", "published"):
        assert traps[trap] > 0, trap


def test_a_title_is_asked_for_once(harvest: Harvest) -> None:
    titles = Counter(" ".join(parts_of(origin(key).title)) for key in by_paper(harvest))
    assert max(titles.values()) == 1
    assert harvest.counts["duplicate"] > 0


def test_what_was_lost_is_counted_by_bucket_and_reason(harvest: Harvest) -> None:
    lost = {name for name in harvest.counts if name.partition("_")[0] in BUCKETS[1:]}
    assert {"body_no_query", "body_leak", "body_unfounded", "clue_leak", "tot_leak"} <= lost
    assert {"body_form", "clue_form", "tot_form", "body_llm_error", "clue_bad_anchor"} <= lost
    for name in ("fetch", "outside_window", "notice", "title_generic", "title_short"):
        assert harvest.counts[name] > 0
        assert harvest.reasons[name]
    assert harvest.spend.calls > 600


def test_ids_that_the_search_lacks_come_from_the_converter(harvest: Harvest) -> None:
    filled = 0
    for key, rows in by_paper(harvest).items():
        paper, ids = origin(key), decode_gold(rows["title"].gold).ids
        if paper.suite == "arxiv":
            assert ids.arxiv == paper.arxiv_id
            assert ids.doi == (paper.doi.lower() or f"10.48550/arxiv.{paper.arxiv_id}")
        else:
            assert ids.pmcid == paper.pmcid
            assert ids.pmid == paper.pmid
            filled += "search_no_pmid" in paper.traps
    assert filled > 0


def test_the_same_seed_gives_the_same_rows_and_another_seed_other_papers(world: FakeWorld) -> None:
    first, again, other = run(world), run(world), run(world, seed=8)
    assert first.rows == again.rows
    assert (first.counts, first.reasons) == (again.counts, again.reasons)
    assert set(by_paper(first)) & set(by_paper(other)) != set(by_paper(first))


def test_how_many_papers_are_worked_on_at_once_changes_nothing(world: FakeWorld) -> None:
    one, many = run(world, concurrency=1), run(world, concurrency=16)
    assert (one.rows, one.counts, one.reasons) == (many.rows, many.counts, many.reasons)


def test_titles_alone_need_no_model_and_no_text(world: FakeWorld) -> None:
    harvest = run(world, buckets=("title",))
    assert len(harvest.rows) == 10
    assert {row.query_origin.bucket for row in harvest.rows} == {"title"}
    assert world.count("openrouter.ai") == 0
    assert world.count("arxiv.org") == world.count(EBI, "*fullTextXML") == 0


def test_buckets_that_were_not_asked_for_cost_nothing(world: FakeWorld) -> None:
    harvest = run(world, buckets=("title", "tot"))
    assert {row.query_origin.bucket for row in harvest.rows} == {"title", "tot"}
    assert not any("begin excerpt" not in prompt for prompt in world.prompts())


def test_one_suite_alone_asks_only_its_source(world: FakeWorld) -> None:
    harvest = run(world, suites=("europepmc",), buckets=("title",), per_cell=3)
    assert harvest.counts["rows_europepmc"] == 6
    assert world.count(ARXIV) == 0


@pytest.mark.parametrize(
    ("host", "suite", "other", "kind"),
    [
        (ARXIV, "arxiv", "europepmc", "http_error"),
        (EBI, "europepmc", "arxiv", "http_error"),
    ],
)
def test_a_source_that_is_down_leaves_its_cells_short_and_the_other_whole(
    world: FakeWorld, host: str, suite: str, other: str, kind: str
) -> None:
    world.add_faults([Fault(host=host, kind="status", status=503, times=0)])
    harvest = run(world, buckets=("title",))
    assert set(harvest.short) == {suite}
    assert harvest.counts[f"rows_{other}"] > 0
    assert harvest.counts[f"{suite}_{kind}"] > 0
    assert "503" in harvest.reasons[f"{suite}_{kind}"]
    assert harvest.counts["short_cells"] == {"arxiv": 8, "europepmc": 2}[suite]
    assert {row.query_origin.provenance["suite"] for row in harvest.rows} == {other}


def test_a_model_that_is_down_loses_every_paper_and_ends_no_run(world: FakeWorld) -> None:
    fault = Fault(host="openrouter.ai", kind="status", status=400, times=0)
    world.add_faults([fault])
    harvest = run(world, ages=("7d",))
    assert harvest.rows == []
    assert set(harvest.short) == set(SUITES)
    assert harvest.counts["body_llm_error"] > 0
    assert harvest.reasons["body_llm_error"]


def test_empty_pages_of_arxiv_cost_a_second_request_only(world: FakeWorld) -> None:
    whole = run(world, suites=("arxiv",), buckets=("title",))
    world.reset()
    world.add_faults([Fault(host=ARXIV, kind="empty_page", times=1)])
    assert run(world, suites=("arxiv",), buckets=("title",)).rows == whole.rows


def test_a_converter_that_is_down_is_counted_and_the_rows_stand(world: FakeWorld) -> None:
    world.add_faults([Fault(host=PMC, kind="status", status=500, times=0)])
    harvest = run(world, suites=("europepmc",), buckets=("title",), per_cell=8)
    assert harvest.counts["rows_europepmc"] == 16
    assert harvest.counts["idconv"] >= 1


@pytest.mark.parametrize("kind", ["hostile", "nulls", "wrong_types", "not_json", "html"])
@pytest.mark.parametrize("host", [ARXIV, EBI, PMC, "arxiv.org"])
def test_sources_that_send_junk_end_no_run(world: FakeWorld, host: str, kind: str) -> None:
    world.add_faults([Fault(host=host, kind=kind, times=0)])
    buckets = BUCKETS if host == "arxiv.org" else ("title",)
    harvest = run(world, buckets=buckets, ages=("7d",))
    assert all(decode_gold(row.gold) for row in harvest.rows)


@pytest.mark.parametrize(
    ("parts", "papers"),
    [
        # 30 papers in all, each suite by its share of the cells
        ({"per_cell": 10, "ages": ("7d", "30d", "1y")}, {"arxiv": 24, "europepmc": 6}),
        ({"per_cell": 7, "ages": ("7d", "30d", "1y")}, {"arxiv": 24, "europepmc": 6}),
        ({"per_cell": 100}, {"arxiv": 24, "europepmc": 6}),
        # fewer were asked for
        ({"per_cell": 1}, {"arxiv": 2, "europepmc": 1}),
        ({"per_cell": 3, "ages": ("7d",)}, {"arxiv": 4, "europepmc": 1}),
        ({"per_cell": 10, "suites": ("europepmc",), "ages": ("7d",)}, {"europepmc": 3}),
        ({"per_cell": 10, "suites": ("arxiv",)}, {"arxiv": 26}),
    ],
)
def test_too_few_papers_are_a_third_of_what_was_asked_for_or_thirty(
    parts: dict[str, Any], papers: dict[str, int]
) -> None:
    asked = options(**parts)
    assert least_rows(asked) == {suite: 4 * count for suite, count in papers.items()}


def test_gold_that_shrank_to_a_few_queries_does_not_replace_what_is_there(
    world: FakeWorld,
) -> None:
    fault = Fault(host=ARXIV, kind="status", status=503, times=0, after=4)
    world.add_faults([fault])
    harvest = run(world, ages=("7d", "30d"), per_cell=3, buckets=("title",))
    assert "arxiv" in harvest.short
    assert "only" in harvest.short["arxiv"]
