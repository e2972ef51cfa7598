"""The live profile against the fake world: eight engines, twenty queries, a model that judges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.engines.registry import load_catalog
from tests.fakes import FakeWorld, Fault
from tests.live import ENGINES, history_of, holds_a_key, run_live, run_queries

EXA = "api.exa.ai"
MODEL = "openrouter.ai"


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


def test_a_run_publishes_one_row_per_engine_and_pair_and_pays_each_call_once(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_live(world, tmp_path / "d", "--site", str(tmp_path / "p")) == 0
    rows = history_of(tmp_path / "d")
    assert [row.engine for row in rows] == [*ENGINES, "ultimate"]
    assert rows[-1].ndcg == 1.0
    assert all(row.ndcg is not None and 0 <= row.ndcg <= 1 for row in rows)
    assert len((tmp_path / "d/overlap.jsonl").read_bytes().splitlines()) == 28
    assert len((tmp_path / "d/uniqueness.jsonl").read_bytes().splitlines()) == 8
    assert _most_often(world) == 1
    assert holds_a_key(tmp_path) == []
    out, err = capfd.readouterr()
    assert "fake-" not in out + err
    assert "ultimate" in out


def test_a_run_into_another_folder_gives_the_same_rows(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with FakeWorld() as world:
            assert run_live(world, tmp_path / name, "--no-latency") == 0
    for table in ("history", "overlap", "uniqueness", "ci_scores"):
        one, two = (tmp_path / name / f"{table}.jsonl" for name in ("a", "b"))
        assert one.read_bytes() == two.read_bytes()


def test_no_prompt_names_an_engine(world: FakeWorld, tmp_path: Path) -> None:
    run_live(world, tmp_path / "d")
    prompts = world.prompts()
    assert len(prompts) > 100
    specs = load_catalog().values()
    names = {spec.id for spec in specs} | {re.escape(spec.label.lower()) for spec in specs}
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    found = {match for prompt in prompts for match in pattern.findall(prompt.lower())}
    assert found == set()


def _most_often(world: FakeWorld) -> int:
    """How often the most frequent paid request was answered."""
    world.settle()
    paid = Counter(
        (call.host, call.path, str(sorted(call.query.items())), call.body)
        for call in world.calls
        if call.billed
    )
    return max(paid.values())


def _exa(**details: object) -> Fault:
    return Fault(host=EXA, **details)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fault", "error_type", "error_class", "attempts"),
    [
        (_exa(kind="status", status=401), "http_error", "account", 1),
        (_exa(kind="status", status=402), "http_error", "account", 1),
        (_exa(kind="status", status=403), "http_error", "account", 1),
        (_exa(kind="status", status=432), "http_error", "account", 1),
        (_exa(kind="status", status=404), "http_error", "service", 1),
        (_exa(kind="status", status=422), "http_error", "service", 1),
        (_exa(kind="status", status=500), "http_error", "service", 4),
        (_exa(kind="status", status=524), "http_error", "service", 4),
        (_exa(kind="rate_limit", retry_after="2"), "http_error", "account", 7),
        (_exa(kind="rate_limit", retry_after="soon"), "http_error", "account", 7),
        (_exa(kind="rate_limit", retry_after="0"), "http_error", "account", 7),
        (_exa(kind="rate_limit", retry_after=None), "http_error", "account", 7),
        (_exa(kind="refuse"), "transport", "service", 4),
        (_exa(kind="reset_before_headers"), "transport", "service", 4),
        (_exa(kind="reset_after_headers"), "transport", "service", 4),
        (_exa(kind="truncate"), "transport", "service", 4),
        (_exa(kind="not_json"), "bad_json", "service", 1),
        (_exa(kind="html", status=200), "bad_json", "service", 1),
        (_exa(kind="html", status=500), "http_error", "service", 4),
        (_exa(kind="huge"), "transport", "service", 1),
        (_exa(kind="gzip_bomb"), "transport", "service", 1),
        (_exa(kind="redirect", to="file:///etc/passwd"), "http_error", "service", 1),
        (_exa(kind="echo_key"), "http_error", "service", 1),
    ],
    ids=lambda value: repr(value) if isinstance(value, Fault) else None,
)
def test_each_failure_of_an_engine_is_classified_and_costs_nobody_else_a_row(
    tmp_path: Path, fault: Fault, error_type: str, error_class: str, attempts: int
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\nstorm warning coast\n")
    with FakeWorld(faults=[fault]) as world:
        report = run_queries(world, tmp_path, queries)
        sent = world.count(EXA)
    assert sent == 2 * attempts
    block = report.engines["exa"]
    errors = [query.search_error for query in block.per_query]
    assert {(error.error_type, error.error_class) for error in errors if error} == {
        (error_type, error_class)
    }
    is_account = error_class == "account"
    assert (block.account_errors, block.service_errors) == ((2, 0) if is_account else (0, 2))
    assert block.num_scored == (0 if is_account else 2)
    assert report.engines["google"].search_errors == 0
    assert report.engines["google"].num_scored == 2
    assert holds_a_key(tmp_path) == []


@pytest.mark.parametrize("kind", ["nulls", "wrong_types", "hostile"])
def test_odd_shapes_give_fewer_results_never_an_error(tmp_path: Path, kind: str) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\nstorm warning coast\n")
    with FakeWorld(faults=[_exa(kind=kind)]) as world:
        report = run_queries(world, tmp_path, queries)
    assert report.engines["exa"].search_errors == 0
    assert report.engines["google"].num_scored == 2


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("status", {"status": 503}),
        ("rate_limit", {"retry_after": "1"}),
        ("reset_before_headers", {}),
        ("idle_close", {}),
        ("delay", {"seconds": 0.05}),
        ("drip", {"bytes_per_s": 50_000}),
    ],
)
def test_a_passing_failure_changes_no_score(
    tmp_path: Path, kind: str, details: dict[str, object]
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\nstorm warning coast\n")
    with FakeWorld() as world:
        calm = run_queries(world, tmp_path / "calm", queries)
    faults = [Fault(host=host, kind=kind, times=2, **details) for host in (EXA, MODEL)]
    with FakeWorld(faults=faults) as world:
        stormy = run_queries(world, tmp_path / "stormy", queries)
    for name, block in calm.engines.items():
        assert stormy.engines[name].mean_ndcg == block.mean_ndcg
        assert stormy.engines[name].num_scored == block.num_scored


@pytest.mark.parametrize(
    ("kind", "details", "error_type"),
    [
        ("finish_length", {}, "truncated"),
        ("empty_choice", {}, "no_content"),
        ("refusal", {}, "refusal"),
        ("error_in_200", {"code": 502}, "api_error"),
        ("bad_rating", {}, "judge_parse_error"),
        ("not_json", {}, "bad_json"),
        ("status", {"status": 402}, "http_error"),
    ],
)
def test_a_judge_that_always_fails_leaves_queries_unscored_and_counted(
    tmp_path: Path, kind: str, details: dict[str, object], error_type: str
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\n")
    fault = Fault(host=MODEL, kind=kind, contains='"relevance"', **details)
    with FakeWorld(faults=[fault]) as world:
        report = run_queries(world, tmp_path, queries)
    assert report.judged_pairs == 0
    assert report.judge_errors > 0
    assert {block.num_scored for block in report.engines.values()} == {0}
    journal = (tmp_path / "r.json.work/judgements.jsonl").read_text()
    assert f'"error_type":"{error_type}"' in journal


@pytest.mark.parametrize("kind", ["fenced_draft", "prose_then_json"])
def test_replies_around_the_object_do_not_change_a_rating(tmp_path: Path, kind: str) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\n")
    with FakeWorld() as world:
        plain = run_queries(world, tmp_path / "plain", queries)
    with FakeWorld(faults=[Fault(host=MODEL, kind=kind)]) as world:
        wrapped = run_queries(world, tmp_path / "wrapped", queries)
    for name, block in plain.engines.items():
        assert wrapped.engines[name].per_query[0].ratings == block.per_query[0].ratings
