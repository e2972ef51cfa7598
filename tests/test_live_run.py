"""The live profile against the fake world: eight engines, twenty queries, a model that judges."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.cli import main
from runner.engines.registry import load_catalog
from runner.settings import USER_AGENT
from tests.fakes import FakeWorld, Fault
from tests.live import (
    ENGINES,
    NOW,
    environ,
    history_of,
    holds_a_key,
    report_of,
    run_live,
    run_queries,
)

EXA = "api.exa.ai"
MODEL = "openrouter.ai"
HOSTS = (EXA, "api.keenable.ai", "google.serper.dev", "api.search.brave.com")
HTTP_DATE = "Sun, 15 Nov 2026 10:18:00 GMT"


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


def test_a_later_run_reuses_the_judgements_of_a_shared_cache(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    queries, cache = tmp_path / "q.txt", ("--judge-cache", str(tmp_path / "cache"))
    queries.write_text("harbor ferry vote\nstorm warning coast\n")
    first = run_queries(world, tmp_path / "a", queries, *cache)
    asked = world.count(MODEL)
    second = run_queries(world, tmp_path / "b", queries, *cache)
    assert world.count(MODEL) == asked
    assert (first.judge_cache_hits, second.judge_cache_hits) == (0, first.judged_pairs)
    assert second.spend.cost_usd == 0
    assert second.engines["exa"].mean_ndcg == first.engines["exa"].mean_ndcg
    assert "came from the cache and cost nothing" in capfd.readouterr().err
    assert holds_a_key(tmp_path) == []


def test_a_report_keeps_a_vendors_own_date_beside_the_iso_date(
    world: FakeWorld, tmp_path: Path
) -> None:
    run_live(world, tmp_path / "d", engines=("exa", "google"))
    forms = {}
    for name in ("exa", "google"):
        queries = report_of(tmp_path / "d").engines[name].per_query
        dated = [r for query in queries for r in query.results if r.published_raw]
        assert all(r.published and re.fullmatch(r"\d{4}-\d\d-\d\d", r.published) for r in dated)
        forms[name] = {re.sub(r"\d+", "9", r.published_raw or "") for r in dated}
    assert forms["exa"] == {"9-9-9T9:9:9.9Z"}
    assert any(form.endswith(" ago") for form in forms["google"])


def test_feeds_are_told_how_to_reach_the_operator(world: FakeWorld, tmp_path: Path) -> None:
    words = ["news", "generate", "--limit", "10", "--out", str(tmp_path / "q.jsonl"), "--now", NOW]
    contact = {"NEEDLE_CONTACT": "ops@needle.example"}
    assert main(words, {**environ(world), **contact}, lambda _: asyncio.sleep(0)) == 0
    feeds = [call for call in world.calls if call.host not in (MODEL, EXA)]
    assert {call.headers["user-agent"] for call in feeds} == {f"{USER_AGENT} (+ops@needle.example)"}


def test_the_order_of_the_flag_changes_no_row(world: FakeWorld, tmp_path: Path) -> None:
    run_live(world, tmp_path / "a", "--no-latency", engines=ENGINES[:4])
    run_live(world, tmp_path / "b", "--no-latency", engines=ENGINES[3::-1])
    for table in ("history", "overlap", "uniqueness", "ci_scores"):
        one, two = (tmp_path / name / f"{table}.jsonl" for name in ("a", "b"))
        assert one.read_bytes() == two.read_bytes()


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
    words = {"you", "context"}  # two ids are words of any prompt; their labels are not
    names = {spec.id for spec in specs} - words
    names |= {re.escape(spec.label.lower()) for spec in specs}
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
        (_exa(kind="status", status=433), "http_error", "account", 1),
        (_exa(kind="status", status=404), "http_error", "service", 1),
        (_exa(kind="status", status=422), "http_error", "service", 1),
        (_exa(kind="status", status=500), "http_error", "service", 4),
        (_exa(kind="status", status=524), "http_error", "service", 4),
        (_exa(kind="rate_limit", retry_after="2"), "http_error", "account", 7),
        (_exa(kind="rate_limit", retry_after=HTTP_DATE), "http_error", "account", 7),
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
        (_exa(kind="redirect", to="https://other.example/"), "http_error", "service", 1),
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


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a run in which nothing goes wrong."""
    data = tmp_path_factory.mktemp("calm")
    with FakeWorld() as world:
        assert run_live(world, data, "--no-latency") == 0
    return data


def _same_rows(one: Path, two: Path) -> bool:
    tables = ("history", "overlap", "uniqueness", "ci_scores")
    return all(
        (one / f"{table}.jsonl").read_bytes() == (two / f"{table}.jsonl").read_bytes()
        for table in tables
    )


Kind = tuple[str, dict[str, object]]


def _five(kind: str, **values: list[object]) -> list[Kind]:
    ((name, five),) = values.items()
    return [(kind, {name: value}) for value in five]


BURSTS: dict[str, list[Kind]] = {  # one for each host, the model's last
    "500 to 504": _five("status", status=[500, 501, 502, 503, 504]),
    "520 to 529": _five("status", status=[520, 522, 524, 525, 529]),
    "429": _five("rate_limit", retry_after=["2", "0", "soon", None, HTTP_DATE]),
    "429, turned": _five("rate_limit", retry_after=[HTTP_DATE, None, "2", "0", "-1"]),
    "broken": [
        ("refuse", {}),
        ("reset_before_headers", {}),
        ("reset_after_headers", {}),
        ("truncate", {}),
        ("refuse", {}),
    ],
    "broken, turned": [
        ("truncate", {}),
        ("refuse", {}),
        ("truncate", {}),
        ("reset_before_headers", {}),
        ("reset_after_headers", {}),
    ],
    "slow": [
        ("drip", {"bytes_per_s": 50_000}),
        ("delay", {"seconds": 0.05}),
        ("idle_close", {}),
        ("drip", {"bytes_per_s": 50_000}),
        ("idle_close", {}),
    ],
}


@pytest.mark.parametrize("burst", BURSTS)
def test_a_whole_run_outlasts_a_burst_at_every_host(tmp_path: Path, calm: Path, burst: str) -> None:
    faults = [
        Fault(host=host, kind=kind, after=after, times=2, **details)
        for host, (kind, details) in zip((*HOSTS, MODEL), BURSTS[burst], strict=True)
        for after in (0, 12)
    ]
    with FakeWorld(faults=faults) as world:
        assert run_live(world, tmp_path / "d", "--no-latency") == 0
        assert _most_often(world) == 1
    assert all(fault.seen > 12 for fault in faults)
    assert _same_rows(tmp_path / "d", calm)
    assert holds_a_key(tmp_path) == []


LASTING: list[tuple[str, dict[str, object], str | None]] = [
    ("not_json", {}, "bad_json"),
    ("html", {"status": 200}, "bad_json"),
    ("html", {"status": 404}, "http_error"),
    ("huge", {}, "transport"),
    ("gzip_bomb", {}, "transport"),
    ("redirect", {"to": "file:///etc/passwd"}, "http_error"),
    ("redirect", {"to": "https://other.example/"}, "http_error"),
    ("echo_key", {}, "http_error"),
    ("nulls", {}, None),
    ("wrong_types", {}, None),
]


@pytest.mark.parametrize("first", [0, 4, 8])
def test_a_whole_run_counts_what_no_retry_mends_and_the_judge_asks_again(
    tmp_path: Path, first: int
) -> None:
    chosen = [LASTING[(first + n) % len(LASTING)] for n in range(len(HOSTS) + 1)]
    faults = [
        Fault(host=host, kind=kind, after=3, times=2, **details)
        for host, (kind, details, _) in zip(HOSTS, chosen, strict=False)
    ]
    kind, details, _ = chosen[-1]
    judge = Fault(host=MODEL, kind=kind, contains='"relevance"', after=3, times=2, **details)
    with FakeWorld(faults=[*faults, judge]) as world:
        assert run_live(world, tmp_path / "d", "--no-latency") == 0
        assert world.count("other.example") == 0
    report = report_of(tmp_path / "d")
    failed = [
        (query.search_error.error_type, query.search_error.error_class)
        for block in report.engines.values()
        for query in block.per_query
        if query.search_error is not None
    ]
    expected = [(error_type, "service") for _, _, error_type in chosen[:-1] if error_type]
    assert sorted(failed) == sorted(expected * 2)
    assert (report.judge_errors, report.profile_errors) == (0, 0)
    rows = history_of(tmp_path / "d")
    assert [row.engine for row in rows] == [*ENGINES, "ultimate"]
    assert sum(row.service_errors or 0 for row in rows) == len(failed)
    assert {row.num_scored for row in rows} == {20}
    assert len((tmp_path / "d/overlap.jsonl").read_bytes().splitlines()) == 28
    assert holds_a_key(tmp_path) == []


STUMBLES: list[Kind] = [
    ("finish_length", {}),
    ("empty_choice", {}),
    ("empty_choice", {"bare": True}),
    ("refusal", {}),
    ("error_in_200", {"code": 502}),
    ("error_in_200", {"code": 502, "in_choice": True}),
    ("error_in_200", {"code": 403}),
    ("bad_rating", {}),
    ("fenced_draft", {}),
    ("prose_then_json", {}),
]


def test_a_judge_that_stumbles_now_and_then_changes_no_row(tmp_path: Path, calm: Path) -> None:
    faults = [
        Fault(host=MODEL, kind=kind, contains='"relevance"', after=20 * n, times=4, **details)
        for n, (kind, details) in enumerate(STUMBLES)
    ]
    with FakeWorld(faults=faults) as world:
        assert run_live(world, tmp_path / "d", "--no-latency") == 0
        assert _most_often(world) <= 2  # an unusable answer may have been paid
        assert world.billed(EXA) == 60
    assert all(fault.seen > fault.after + fault.times for fault in faults)
    assert _same_rows(tmp_path / "d", calm)


def test_a_query_whose_profile_fails_is_judged_without_and_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\nstorm warning coast\n")
    fault = Fault(host=MODEL, kind="not_json", contains='"query_profile"')
    with FakeWorld(faults=[fault]) as world:
        report = run_queries(world, tmp_path, queries)
    assert (report.profile_errors, report.judge_errors) == (2, 0)
    assert report.engines["exa"].num_scored == 2
    assert all(query.query_profile is None for query in report.engines["exa"].per_query)
    assert "2 queries were judged without a profile" in capfd.readouterr().err


def test_judging_stops_before_the_budget_and_a_larger_one_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("".join(f"harbor ferry vote {word}\n" for word in "abcdefghij"))
    with FakeWorld() as world:
        report = run_queries(world, tmp_path, queries, "--max-usd", "0.021")
        assert report.stopped_by_budget
        assert 0 < report.spend.cost_usd <= 0.021
        assert report.judge_errors > 0
        assert report.profile_errors == 0
        assert "judging stopped before the budget was passed" in capfd.readouterr().err
        more = run_queries(world, tmp_path, queries, "--max-usd", "5")
        assert _most_often(world) == 1
    assert not more.stopped_by_budget
    assert more.judge_errors == 0
    assert more.engines["exa"].num_scored == 10
    assert more.spend.calls > report.spend.calls


def test_an_engine_that_drips_is_left_at_its_time_limit(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(
        'id = "slow"\nurl = "https://searx.example/search"\ntimeout_s = 0.2\n'
        '[params]\nq = "{query}"\nformat = "json"\n'
        '[response]\nresults = "results"\nurl = "url"\n'
    )
    queries = tmp_path / "queries.txt"
    queries.write_text("harbor ferry vote\n")
    drip = Fault(host="searx.example", kind="drip", bytes_per_s=50)
    with FakeWorld(faults=[drip]) as world:
        engines = f"google,custom:{tmp_path / 'slow.toml'}"
        report = run_queries(world, tmp_path, queries, "--engines", engines)
        assert world.count("searx.example") == 4
    (query,) = report.engines["slow"].per_query
    assert query.search_error is not None
    assert query.search_error.error_message == "TimeoutError: no complete answer within 0.2 s"
    assert query.search_error.error_class == "service"
    assert report.engines["google"].num_scored == 1
