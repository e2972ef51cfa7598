"""What the runner adds to a search and to a judgement, against a null server and a slow one.

The servers run in a process of their own, so that CPU time and memory are the program's alone.
Each figure stands beside its bound; a ratio under 1 is within it.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.benches.judging_phase import documents_by_query, judge_all
from runner.benches.loading import text_query
from runner.benches.searching import search_all
from runner.benches.work import RunState, WorkFolder
from runner.clock import clock_from
from runner.engines.registry import build_engines
from runner.engines.spec import Engine
from runner.llm.openrouter import OpenRouterModel
from runner.records.queries import QueryRow
from runner.records.search import SearchRecord, SearchResult
from runner.settings import Settings, read_settings
from runner.text import second_ts

ENGINES = 27
QUERIES = 120
SLOW_MS = [10 + 5 * i for i in range(ENGINES)]  # the slowest takes 140 ms a search
JUDGE_PAIRS = 1400
JUDGE_MS = 100
JUDGE_CONCURRENCY = 32
NOW = "2026-11-15T10:17Z"

ENGINE_FILE = """
id = "null-{number}"
url = "https://null.example/search{query}"
method = "POST"
[body]
q = "{{query}}"
[response]
results = "results"
url = "url"
"""


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


def _engines(folder: Path, url: str, delays: list[int] | None) -> list[Engine]:
    names = []
    for number in range(ENGINES):
        query = f"?ms={delays[number]}" if delays else ""
        path = folder / f"null-{number}.toml"
        path.write_text(ENGINE_FILE.format(number=number, query=query))
        names.append(f"custom:{path}")
    return build_engines(
        names,
        settings=_settings(url),
        snippet_chars=2000,
        corpus=None,
        today=clock_from(NOW)().date(),
    )


def search_figures(url: str, delays: list[int] | None) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and number of searches of one search phase."""
    clock = clock_from(None)
    with tempfile.TemporaryDirectory() as folder:
        work = WorkFolder(Path(folder) / "work", _state())
        engines = _engines(Path(folder), url, delays)
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
            model = OpenRouterModel(
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


def main() -> None:
    """Prints each figure with its bound and their ratio."""
    print(f"{ENGINES} engines x {QUERIES} queries; {os.cpu_count()} cores")
    with world() as url:
        search_figures(url, None)  # imports and caches
        wall, cpu, searches = search_figures(url, None)
        _say("CPU a search, null server", 1000 * cpu / searches, 3.0, "ms")
        name = "wall a search, null server, all engines at once"
        print(f"{name:<52} {1000 * wall / searches:9.3f} ms")
        slow_wall, _, _ = search_figures(url, SLOW_MS)
        own = max(SLOW_MS) / 1000 * QUERIES
        _say("search phase / slowest engine's own time", slow_wall / own, 1.1, "x")
    delay = f'[{{"host": "openrouter.ai", "kind": "delay", "seconds": {JUDGE_MS / 1000}}}]'
    with world(delay) as url:
        wall, calls = judge_figures(url)
        ideal = calls * JUDGE_MS / 1000 / JUDGE_CONCURRENCY
        _say(f"judge phase / ideal, {calls} calls", wall / ideal, 1.15, "x")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory of the program':<52} {peak:9.1f} MiB")
