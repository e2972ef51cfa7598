"""The search phase: who is asked when, and what is kept of the answers."""

from __future__ import annotations

import asyncio
import io
from datetime import UTC, datetime
from pathlib import Path

from runner.benches.loading import text_query
from runner.benches.searching import search_all
from runner.benches.work import RunState, WorkFolder
from runner.engines.registry import load_catalog
from runner.engines.spec import Engine, EngineSpec, SearchOutcome
from runner.progress import PlainProgress
from runner.records.search import SearchResult

NOW = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)
ROWS = [text_query(text, NOW) for text in ("storm harbour", "council vote", "rate rise")]
URL = "https://a.example/"


class Recorded:
    """An engine that notes when it is asked and yields to the others in the middle of it."""

    def __init__(self, spec: EngineSpec, log: list[str], url: str = URL) -> None:
        self.spec = spec
        self.is_closed = False
        self._log = log
        self._url = url

    async def search(self, query: str, *, num_results: int = 10) -> SearchOutcome:
        self._log.append(self.spec.id)
        await asyncio.sleep(0)
        result = SearchResult(url=self._url, title="t" * 2_000)
        return SearchOutcome(
            results=[result], error=None, latency_ms=1.0, reconnected=False, attempts=1
        )

    async def aclose(self) -> None:
        self.is_closed = True


def searched(folder: Path, engines: list[Engine]) -> WorkFolder:
    state = RunState(
        bench="news",
        ts="2026-11-15T10:17Z",
        started_at="2026-11-15T10:17:00Z",
        profile="embedded",
        engines=sorted(engine.spec.id for engine in engines),
        num_results=5,
        snippet_chars=2000,
        judge_model="m",
        judge_effort=None,
        prompt_sha256={},
    )
    work = WorkFolder(folder, state)
    asyncio.run(
        search_all(
            engines,
            ROWS,
            num_results=5,
            concurrency=1,
            work=work,
            clock=lambda: "2026-11-15T10:17:30Z",
            progress=PlainProgress(io.StringIO()),
        )
    )
    work.close()
    return work


def test_engines_that_compute_here_come_after_those_whose_answers_are_timed(
    tmp_path: Path,
) -> None:
    log: list[str] = []
    catalog = load_catalog()
    engines = [Recorded(catalog[name], log) for name in ("local-bm25", "exa", "brave")]
    work = searched(tmp_path, [*engines])
    assert log == ["exa", "brave"] * 3 + ["local-bm25"] * 3
    assert len(work.searches) == 9
    assert all(engine.is_closed for engine in engines)


def test_what_is_known_is_not_asked_again(tmp_path: Path) -> None:
    log: list[str] = []
    exa = load_catalog()["exa"]
    first = searched(tmp_path, [Recorded(exa, log)])
    again = searched(tmp_path, [Recorded(exa, log)])
    assert log == ["exa"] * 3
    assert again.searches == first.searches


def test_titles_are_bounded_and_a_url_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    exa = load_catalog()["exa"]
    work = searched(tmp_path / "a", [Recorded(exa, [], URL + "x" * (4_096 - len(URL)))])
    kept = work.searches[ROWS[0].query_id, "exa"].results
    assert kept is not None
    assert (len(kept[0].url), len(kept[0].title or "")) == (4_096, 1_000)
    work = searched(tmp_path / "b", [Recorded(exa, [], URL + "x" * (4_097 - len(URL)))])
    assert work.searches[ROWS[0].query_id, "exa"].results == []
