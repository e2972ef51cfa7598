"""A matched run of twelve queries whose figures were worked out by hand."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from runner.benches.bench import Bench, Found, Harvest, Target
from runner.benches.known_item import assemble, targets_of
from runner.benches.loading import text_query
from runner.benches.matching_phase import ahead_of_hit, judge_facts, match_results
from runner.benches.options import RunOptions
from runner.benches.work import RunState, WorkFolder
from runner.engines.spec import EngineSpec
from runner.judging.relevance import Document
from runner.llm.client import Completion, LlmError, Prompt
from runner.progress import PlainProgress
from runner.records.judgements import Spend
from runner.records.queries import QueryRow
from runner.records.reports import GroupRecall, KnownItemQuery, KnownItemReport
from runner.records.search import SearchError, SearchRecord, SearchResult

NOW = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)
STAMP = "2026-11-15T10:17:00Z"

# One letter a result, in rank order. H: code matches it. y, n: code does not, the model says yes
# or no. ?: the model fails. A whole answer E is a failure of the engine, A one of our account.
ANSWERS = (
    # alpha, beta
    ("H", "nH"),
    ("nnH", "n"),
    ("nn", "nn"),
    ("E", "H"),
    ("A", "n"),
    ("", "nnnnH"),
    ("yH", "H"),
    ("n?", "H"),
    ("?H", "n"),
    ("nnnnnH", "n"),
    ("E", "A"),
    ("ny", "n"),
)


def _target(row: QueryRow) -> Target:
    number = int(row.query_text.split()[1])
    return Target(
        item=f"company {number // 2}",
        gold="42",
        groups={"bucket": "finance", "field": "ceo" if number < 6 else "lei"},
        match=lambda url, text: Found("text:exact" if "42" in text else None),
        question={"field": "ceo", "value": "42", "aliases": []},
    )


async def _no_harvest(*_: object) -> Harvest:
    return Harvest([])


BENCH = Bench(
    name="finance",
    kind="known_item",
    query_file="gold.jsonl",
    stratum=lambda row: "",
    generate=_no_harvest,
    target=_target,
)
ROWS = [text_query(f"query {number}", NOW) for number in range(len(ANSWERS))]
NAMES = ("alpha", "beta")
ROSTER = [
    EngineSpec(id=name, label=name.title(), family=name, vendor="made")
    for name in ("alpha", "beta")
]
OPTIONS = RunOptions(profile="live")


class _Model:
    """Answers as the letter in a result's title says."""

    model, effort = "vendor/checker", "high"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Completion:
        self.asked.append(prompt)
        letter = str(prompt.variables["title"])
        if letter == "?":
            raise LlmError("transport", "gone", Spend(calls=1, cost_usd=0.01))
        reply = json.dumps({"answer": {"y": "yes", "n": "no"}[letter]})
        return Completion(reply, Spend(calls=1, cost_usd=0.01), "vendor/checker-2")

    async def aclose(self) -> None:
        return None


def _search(row: QueryRow, engine: str, letters: str) -> SearchRecord:
    error, results = None, None
    if letters in ("E", "A"):
        error = SearchError(
            error_type="http_error",
            error_message="503" if letters == "E" else "402",
            error_class="service" if letters == "E" else "account",
        )
    else:
        results = [
            SearchResult(
                url=f"https://{engine}.example/{row.query_hash}/{rank}",
                title=letter,
                snippet="the answer is 42" if letter == "H" else "words",
            )
            for rank, letter in enumerate(letters, start=1)
        ]
    return SearchRecord(
        query_id=row.query_id,
        engine=engine,
        results=results,
        error=error,
        latency_ms=None if error else 100.0,
        reconnected=False,
        attempts=1,
        finished_at=STAMP,
    )


def _work(folder: Path, *, judge: str | None) -> WorkFolder:
    state = RunState(
        bench="finance",
        ts="2026-11-15T10:17Z",
        started_at=STAMP,
        profile="live",
        engines=["alpha", "beta"],
        num_results=5,
        snippet_chars=2000,
        judge_model=judge,
        judge_effort=None,
        prompt_sha256={},
    )
    work = WorkFolder(folder, state)
    for row, answers in zip(ROWS, ANSWERS, strict=True):
        for engine, letters in zip(("alpha", "beta"), answers, strict=True):
            work.add_search(_search(row, engine, letters))
    return work


def _documents(work: WorkFolder) -> dict[str, dict[str, Document]]:
    targets = targets_of(BENCH, ROWS)
    documents: dict[str, dict[str, Document]] = {}
    for row in ROWS:
        for engine in ("alpha", "beta"):
            results = match_results(
                work.searches[row.query_id, engine], targets[row.query_id], 2000, {}
            )
            found = {document.key: document for document in ahead_of_hit(results, 5)}
            documents.setdefault(row.query_id, {}).update(found)
    return documents


def _judge(work: WorkFolder, model: _Model) -> None:
    asyncio.run(
        judge_facts(
            model,
            ROWS,
            targets_of(BENCH, ROWS),
            _documents(work),
            concurrency=2,
            work=work,
            clock=lambda: STAMP,
            progress=PlainProgress(io.StringIO()),
        )
    )


def _report(work: WorkFolder) -> KnownItemReport:
    return assemble(BENCH, ROWS, ROSTER, work, OPTIONS, git_sha=None, stopped_by_budget=False)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> KnownItemReport:
    work = _work(tmp_path_factory.mktemp("judged"), judge="vendor/checker")
    _judge(work, _Model())
    work.close()
    return _report(work)


def _ranks(report: KnownItemReport, engine: str) -> list[int | None]:
    return [query.hit_rank for query in report.engines[engine].per_query]


def _scores(report: KnownItemReport, engine: str) -> list[float | None]:
    return [query.score for query in report.engines[engine].per_query]


def test_hits_ranks_and_scores_are_those_of_the_worked_example(report: KnownItemReport) -> None:
    assert _ranks(report, "alpha") == [1, 3, None, None, None, None, 1, None, 2, None, None, 2]
    assert _ranks(report, "beta") == [2, None, None, 1, None, 5, 1, 1, None, None, None, None]
    assert _scores(report, "alpha") == [1, 1, 0, 0, None, 0, 1, None, 1, 0, 0, 1]
    assert _scores(report, "beta") == [1, 0, 0, 1, 0, 1, 1, 1, 0, 0, None, 0]
    assert _scores(report, "ultimate") == [1, 1, 0, 1, 0, 1, 1, 1, 1, 0, None, 1]


def test_recall_and_mrr_are_over_the_scored_queries(report: KnownItemReport) -> None:
    alpha, beta, ultimate = (report.engines[name] for name in ("alpha", "beta", "ultimate"))
    assert (alpha.num_scored, beta.num_scored, ultimate.num_scored) == (10, 11, 11)
    assert alpha.recall_at_k == 0.5
    assert alpha.mrr_at_k == pytest.approx((1 + 1 / 3 + 1 + 1 / 2 + 1 / 2) / 10)
    assert beta.recall_at_k == pytest.approx(5 / 11)
    assert beta.mrr_at_k == pytest.approx((1 / 2 + 1 + 1 / 5 + 1 + 1) / 11)
    assert ultimate.recall_at_k == pytest.approx(8 / 11)
    assert ultimate.mrr_at_k is None


def test_errors_and_misses_are_split_by_their_cause(report: KnownItemReport) -> None:
    alpha, beta, ultimate = (report.engines[name] for name in ("alpha", "beta", "ultimate"))
    assert (alpha.search_errors, alpha.account_errors, alpha.service_errors) == (3, 1, 2)
    assert (beta.search_errors, beta.account_errors, beta.service_errors) == (1, 1, 0)
    assert (alpha.misses_system_specific, alpha.misses_universal) == (1, 2)
    assert (beta.misses_system_specific, beta.misses_universal) == (3, 3)
    assert (ultimate.misses_system_specific, ultimate.misses_universal) == (0, 3)
    error = ultimate.per_query[10].search_error
    assert error is not None
    assert error.error_type == "all_engines_failed"


def test_the_model_can_add_a_hit_and_never_takes_one_away(report: KnownItemReport) -> None:
    alpha, beta = report.engines["alpha"], report.engines["beta"]
    assert (alpha.judge_upgrades, beta.judge_upgrades) == (2, 0)
    assert (alpha.per_query[6].det_rank, alpha.per_query[6].hit_rank) == (2, 1)
    assert (alpha.per_query[11].det_rank, alpha.per_query[11].hit_rank) == (None, 2)
    # a failed check ahead of code's own hit leaves the hit where code put it
    assert (alpha.per_query[8].hit_rank, alpha.per_query[8].score) == (2, 1.0)
    assert (alpha.judge_errors, beta.judge_errors, report.judge_errors) == (2, 0, 2)
    assert alpha.judged_results == 13


def test_breakdowns_count_scored_queries_and_the_macro_score_weighs_groups_alike(
    report: KnownItemReport,
) -> None:
    alpha, beta = report.engines["alpha"], report.engines["beta"]
    assert alpha.by["field"] == {
        "ceo": GroupRecall(n=5, recall_at_k=0.4),
        "lei": GroupRecall(n=5, recall_at_k=0.6),
    }
    assert beta.by["field"] == {
        "ceo": GroupRecall(n=6, recall_at_k=0.5),
        "lei": GroupRecall(n=5, recall_at_k=0.4),
    }
    assert (alpha.macro["field"], beta.macro["field"]) == (0.5, 0.45)


def test_the_ceiling_puts_the_first_hit_on_top_and_the_rest_behind(report: KnownItemReport) -> None:
    query = report.engines["ultimate"].per_query[1]
    hosts = [(result.url.split("/")[2], result.title) for result in query.results]
    assert hosts == [
        ("alpha.example", "H"),
        ("alpha.example", "n"),
        ("alpha.example", "n"),
        ("beta.example", "n"),
    ]


def test_what_recognised_a_result_is_recorded(report: KnownItemReport) -> None:
    results = report.engines["alpha"].per_query[6].results
    assert [(r.match_via, r.judge_match, r.matched) for r in results] == [
        (None, True, True),
        ("text:exact", None, True),
    ]


def test_overlap_and_uniqueness_take_the_hit_as_the_only_relevant_result(
    report: KnownItemReport,
) -> None:
    assert report.overlap[0].num_suspect == 0
    counts = {counts.engine: counts for counts in report.uniqueness}
    # query 7 is uncertain for alpha: no result of it is known to be relevant
    assert counts["alpha"].relevant_total_urls == 5 - 0
    assert counts["beta"].relevant_total_urls == 5 - 1  # alpha's search of query 3 failed


def test_without_a_model_code_alone_decides(tmp_path: Path) -> None:
    work = _work(tmp_path, judge=None)
    work.close()
    report = _report(work)
    assert not report.judged
    assert _ranks(report, "alpha") == [1, 3, None, None, None, None, 2, None, 2, None, None, None]
    assert _scores(report, "alpha")[7] == 0.0  # nobody was asked, so nothing is uncertain
    assert report.judge_errors == 0


def test_the_model_sees_each_document_once_and_never_an_engine(tmp_path: Path) -> None:
    model = _Model()
    work = _work(tmp_path, judge=model.model)
    _judge(work, model)
    work.close()
    texts = [prompt.variables["url"] for prompt in model.asked if prompt.variables["title"] != "?"]
    assert len(texts) == len(set(texts))
    assert sum(prompt.variables["title"] == "?" for prompt in model.asked) == 4  # two, tried twice
    assert all("engine" not in prompt.variables for prompt in model.asked)


def test_a_run_that_goes_on_asks_only_for_what_is_missing(tmp_path: Path) -> None:
    first = _Model()
    work = _work(tmp_path, judge=first.model)
    _judge(work, first)
    work.close()
    again = _Model()
    resumed = WorkFolder(tmp_path, work.state)
    _judge(resumed, again)
    resumed.close()
    assert {prompt.variables["title"] for prompt in again.asked} == {"?"}  # failures alone
    assert resumed.spend.calls == len(first.asked) + len(again.asked)


def test_what_the_model_said_of_a_corrected_value_no_longer_counts(tmp_path: Path) -> None:
    def corrected(row: QueryRow) -> Target:
        return replace(_target(row), question={"field": "ceo", "value": "43", "aliases": []})

    work = _work(tmp_path, judge="vendor/checker")
    _judge(work, _Model())
    work.close()
    bench = replace(BENCH, target=corrected)
    report = assemble(bench, ROWS, ROSTER, work, OPTIONS, git_sha=None, stopped_by_budget=False)
    assert _ranks(report, "alpha") == [1, 3, None, None, None, None, 2, None, 2, None, None, None]
    assert _scores(report, "alpha")[11] is None  # it has to be asked again


def test_results_behind_the_first_match_are_not_asked_about(tmp_path: Path) -> None:
    work = _work(tmp_path, judge="vendor/checker")
    work.close()
    documents = _documents(work)
    asked = [len(documents[row.query_id]) for row in ROWS]
    assert asked == [1, 3, 4, 0, 1, 4, 1, 2, 2, 6, 0, 3]


def test_a_page_at_two_addresses_is_one_in_the_pool(tmp_path: Path) -> None:
    work = _work(tmp_path, judge=None)
    row = ROWS[0]
    for engine, url in (("alpha", "https://a.com/1"), ("beta", "http://www.a.com/1/")):
        record = _search(row, engine, "H")
        assert record.results is not None
        moved = SearchResult(url=url, title="H", snippet="the answer is 42")
        work.add_search(replace_results(record, moved))
    work.close()
    pooled: KnownItemQuery = _report(work).engines["ultimate"].per_query[0]
    assert [result.url for result in pooled.results] == ["https://a.com/1"]


def replace_results(record: SearchRecord, result: SearchResult) -> SearchRecord:
    return msgspec.structs.replace(record, results=[result])


def test_the_options_of_a_run_may_differ_from_the_number_of_results_given(tmp_path: Path) -> None:
    work = _work(tmp_path, judge=None)
    work.close()
    options = replace(OPTIONS, num_results=6)
    report = assemble(BENCH, ROWS, ROSTER, work, options, git_sha=None, stopped_by_budget=False)
    assert _ranks(report, "alpha")[9] == 6
