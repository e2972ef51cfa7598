"""What the runner adds to a search and to a judgement, against a null server and a slow one.

The servers run in a process of their own, so that CPU time and memory are the program's alone.
Each figure stands beside its bound; a ratio under 1 is within it.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runner.benches.judging_phase import documents_by_query, judge_all
from runner.benches.loading import text_query
from runner.benches.searching import search_all
from runner.benches.work import RunState, WorkFolder
from runner.clock import clock_from
from runner.engines.client import HttpEngine
from runner.engines.spec import Ask, Engine, EngineSpec
from runner.http import HttpClient, HttpRequest
from runner.llm.openrouter import ChatModel
from runner.paths import ROOT
from runner.records.jsonl import read_rows
from runner.records.published import decode_history
from runner.records.queries import QueryRow
from runner.records.search import SearchRecord, SearchResult
from runner.settings import Settings, read_settings
from runner.text import second_ts

ENGINES = 27
QUERIES = 120
SCALE = 20  # real latencies are divided by this, so that a measurement takes seconds
PUBLISHED = ROOT.parent / "shared" / "data" / "published" / "history.jsonl"
LARGE_ENGINES = 8
LARGE_KB = 2048
JUDGE_PAIRS = 1400
JUDGE_MS = 100
JUDGE_CONCURRENCY = 32
NOW = "2026-11-15T10:17Z"


class _Null:
    """A vendor whose answers take `delays_ms[i]` for query number i and weigh `kb` KiB."""

    def __init__(self, delays_ms: list[float] | None = None, kb: int = 0) -> None:
        self._delays_ms = delays_ms
        self._kb = kb

    def build_request(self, ask: Ask) -> HttpRequest:
        params = {"kb": str(self._kb)} if self._kb else {}
        if self._delays_ms:
            params["ms"] = f"{self._delays_ms[int(ask.query.rpartition(' ')[2])]:.3f}"
        return HttpRequest(
            method="POST", url="https://null.example/search", params=params, json={"q": ask.query}
        )

    def parse_response(self, body: Any, ask: Ask) -> list[SearchResult]:
        return [SearchResult(url=entry["url"]) for entry in body["results"]]


def real_delays() -> tuple[list[list[float]], str]:
    """Per engine and query a delay in ms, drawn from published latencies where they are at hand."""
    rng = random.Random(0)
    pools: dict[str, list[float]] = {}
    if PUBLISHED.exists():
        for row in read_rows(PUBLISHED, decode_history).good:
            pools.setdefault(row.engine, []).extend(row.lat_ms or [])
    samples = [pool for name, pool in sorted(pools.items()) if pool]
    source = f"drawn from {len(samples)} engines' published latencies / {SCALE}"
    if not samples:
        samples = [[rng.lognormvariate(6.5, 0.7) for _ in range(500)] for _ in range(14)]
        source = f"drawn from a log-normal law (median 665 ms) / {SCALE}: no published data here"
    delays = [
        [rng.choice(samples[number % len(samples)]) / SCALE for _ in range(QUERIES)]
        for number in range(ENGINES)
    ]
    return delays, source


class _Quiet:
    def phase(self, name: str, total: int) -> None: ...
    def advance(self) -> None: ...
    def note(self, text: str) -> None: ...
    def close(self) -> None: ...


@contextmanager
def world(faults: str | None = None) -> Iterator[str]:
    """The address of a fake world in another process."""
    command = [sys.executable, "-m", "tests.fakes", "--port", "0"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        if faults:
            file.write(faults)
            file.flush()
            command += ["--faults", file.name]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def _state() -> RunState:
    return RunState(
        bench="news",
        ts=NOW,
        started_at=NOW,
        profile="live",
        engines=["null"],
        num_results=5,
        snippet_chars=2000,
        judge_model="m",
        judge_effort="high",
        prompt_sha256={},
    )


def _rows(count: int) -> list[QueryRow]:
    now = clock_from(NOW)()
    return [text_query(f"harbor city ferry vote number {i}", now) for i in range(count)]


def _settings(url: str) -> Settings:
    return read_settings({"NEEDLE_GATEWAY": url, "OPENROUTER_API_KEY": "fake-OPENROUTER_API_KEY"})


def _engines(url: str, vendors: list[_Null]) -> list[Engine]:
    return [
        HttpEngine(
            EngineSpec(id=f"null-{i}", label="", family="", vendor="null"),
            vendor,
            HttpClient(timeout_s=60, gateway=url),
            key=None,
            snippet_chars=2000,
            today=clock_from(NOW)().date(),
        )
        for i, vendor in enumerate(vendors)
    ]


def search_figures(url: str, vendors: list[_Null]) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and number of searches of one search phase."""
    clock = clock_from(None)
    with tempfile.TemporaryDirectory() as folder:
        work = WorkFolder(Path(folder) / "work", _state())
        engines = _engines(url, vendors)
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(
            search_all(
                engines,
                _rows(QUERIES),
                num_results=5,
                concurrency=1,
                work=work,
                clock=lambda: second_ts(clock()),
                progress=_Quiet(),
            )
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        failed = [record for record in work.searches.values() if record.error]
        assert not failed, failed[0]
        work.close()
        return wall, cpu, len(work.searches)


def judge_figures(url: str) -> tuple[float, int]:
    """Wall seconds and model calls of one judge phase."""
    clock = clock_from(None)
    rows = _rows(20)
    with tempfile.TemporaryDirectory() as folder:
        work = WorkFolder(Path(folder) / "work", _state())
        for row in rows:
            results = [
                SearchResult(url=f"https://a.example/{i}", title=f"Ferry {i}", snippet="vote")
                for i in range(JUDGE_PAIRS // len(rows))
            ]
            work.add_search(
                SearchRecord(
                    query_id=row.query_id,
                    engine="e",
                    results=results,
                    error=None,
                    latency_ms=None,
                    reconnected=False,
                    attempts=1,
                    finished_at="2026-11-15T10:17:00Z",
                )
            )
        documents = documents_by_query(work.searches, rows, ["e"], 2000)

        async def judge() -> None:
            model = ChatModel(
                _settings(url),
                model="openai/gpt-6-luna",
                key="fake-OPENROUTER_API_KEY",
                concurrency=JUDGE_CONCURRENCY,
                timeout_s=30,
            )
            try:
                await judge_all(
                    model,
                    rows,
                    documents,
                    concurrency=JUDGE_CONCURRENCY,
                    work=work,
                    clock=lambda: second_ts(clock()),
                    progress=_Quiet(),
                )
            finally:
                await model.aclose()

        start = time.perf_counter()
        asyncio.run(judge())
        wall = time.perf_counter() - start
        work.close()
        assert all(record.error is None for record in work.judgements.values())
        return wall, len(work.judgements) + len(work.profiles)


def _say(name: str, value: float, bound: float, unit: str) -> None:
    print(f"{name:<52} {value:9.3f} {unit:<6} bound {bound:7.3f}   ratio {value / bound:5.2f}")


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Prints each figure with its bound and their ratio."""
    print(f"{ENGINES} engines x {QUERIES} queries; {os.cpu_count()} cores")
    with world() as url:
        at_once = [_Null() for _ in range(ENGINES)]
        search_figures(url, at_once)  # imports and caches
        wall, cpu, searches = search_figures(url, at_once)
        _say("CPU a search, null server", 1000 * cpu / searches, 3.0, "ms")
        name = "wall a search, null server, all engines at once"
        print(f"{name:<52} {1000 * wall / searches:9.3f} ms")
        delays, source = real_delays()
        slow_wall, _, _ = search_figures(url, [_Null(each) for each in delays])
        own = max(sum(each) for each in delays) / 1000
        _say("search phase / slowest engine's own time", slow_wall / own, 1.1, "x")
        print(f"  {source}")
    delay = f'[{{"host": "openrouter.ai", "kind": "delay", "seconds": {JUDGE_MS / 1000}}}]'
    with world(delay) as url:
        wall, calls = judge_figures(url)
        ideal = calls * JUDGE_MS / 1000 / JUDGE_CONCURRENCY
        _say(f"judge phase / ideal, {calls} calls", wall / ideal, 1.15, "x")
    print(f"{'peak memory so far':<52} {_peak_mib():9.1f} MiB")
    with world() as url:
        search_figures(url, [_Null(kb=LARGE_KB) for _ in range(LARGE_ENGINES)])
    name = f"peak memory, {LARGE_ENGINES} engines with {LARGE_KB // 1024} MiB answers"
    _say(name, _peak_mib(), 400.0, "MiB")
