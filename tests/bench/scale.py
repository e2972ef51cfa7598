"""What years of runs cost: N synthetic years at 27 engines, 24 + 8 runs a day, compacted.

Every week draws its figures, with a seed of its own, from the rows of the published data set where
that lies beside the repository, else from a stated law (scores beta(4, 4), latencies lognormal
around 700 ms, shared URLs of a pair geometric). Closed weeks are written as Parquet through the
program's own encoder, the open ones as JSONL; then each command runs in a process of its own, which
reports its time and its peak memory.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from runner.publishing.closed import Closed, digest
from runner.publishing.compact import extended
from runner.publishing.tables import Line
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    RUNS_WEEKS,
    UNIQUENESS_WEEKS,
    week_bytes,
    week_end,
    week_of,
    week_start,
    week_table,
)
from runner.records.base import encode_document, encode_line
from runner.records.closed import ClosedFile
from runner.records.published import (
    EngineTotals,
    HistoryRow,
    IndependenceWindow,
    OverlapRow,
    PairTotals,
    RunEntry,
    ScoresRow,
    UniquenessRow,
    encode_history,
)
from runner.text import minute_ts, parse_time, run_id

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published"
ENGINES = [f"engine-{number:02}" for number in range(27)]
BASES = {f"engine-{number:02}": f"engine-{number - 1:02}" for number in (5, 11)}
END = parse_time("2026-11-16T23:59Z")  # the hot files are largest just before a week closes
DAILY = {"finance": (0, 12), "agentic_rare": (3, 15), "scholar": (6, 18), "legal": (9, 21)}
QUERIES = {"news": 20, "agentic_rare": 100, "finance": 120, "scholar": 272, "legal": 90}
MB = 1_000_000
BOUNDS = {"hot file": 30, "branch": 300, "largest file": 50, "ratio": 1.3}


class Pool:
    """Rows to draw from: overlap counts and uniqueness counts that belong together, latencies."""

    def __init__(self, rng: np.random.Generator) -> None:
        import numpy as np

        self.source = "a stated law"
        shared = np.minimum(rng.geometric(0.3, 4000) - 1, 20)
        self.pairs = np.stack(
            [np.round(shared * rng.uniform(0.1, 0.4, 4000), 4), shared // 3, shared // 2, shared], 1
        )
        total = rng.integers(60, 101, 4000)
        good = (total * rng.uniform(0.3, 0.8, 4000)).astype(int)
        self.urls = np.stack([(total * 0.7).astype(int), total, (good * 0.6).astype(int), good], 1)
        self.scores = rng.beta(4, 4, 4000)
        self.latencies = np.round(rng.lognormal(6.5, 0.6, 4000), 1)
        if PUBLISHED.is_dir():
            self._read()

    def _read(self) -> None:
        import numpy as np

        self.source = "the published data set"

        def table(name: str) -> list[dict[str, Any]]:
            lines = (PUBLISHED / name).read_bytes().splitlines()
            return [msgspec.json.decode(line) for line in lines]

        pairs = [row for row in table("overlap.jsonl") if row["num_queries"] <= 20]
        names = ("jaccard_sum", "num_shared3", "num_suspect", "low_shared_urls")
        self.pairs = np.array([[row.get(name) or 0 for name in names] for row in pairs])
        names = ("unique_urls", "total_urls", "relevant_unique_urls", "relevant_total_urls")
        self.urls = np.array([[row[name] for name in names] for row in table("uniqueness.jsonl")])
        history = table("history.jsonl")
        self.scores = np.array([row["ndcg"] for row in history if row.get("ndcg")])
        self.latencies = np.array([x for row in history for x in row.get("lat_ms") or ()])


def slots(start: datetime, end: datetime) -> list[tuple[str, str]]:
    """Every (ts, bench) of the schedule: news each hour at :17, the daily benches twice."""
    found = []
    moment = start.replace(minute=17)
    while moment < end:
        found.append((minute_ts(moment), "news"))
        found += [(minute_ts(moment), b) for b, hours in DAILY.items() if moment.hour in hours]
        moment += timedelta(hours=1)
    return found


class Week:
    """The rows of some runs as columns, drawn with a seed."""

    def __init__(self, pool: Pool, runs: Sequence[tuple[str, str]], seed: int) -> None:
        import numpy as np

        self.pool, self.runs = pool, runs
        self.rng = np.random.default_rng(seed)
        self.pairs = list(combinations(range(len(ENGINES)), 2))
        self.queries = np.array([QUERIES[bench] for _, bench in runs])
        n_pairs, n = len(self.pairs), len(ENGINES)
        self.overlap = pool.pairs[self.rng.integers(0, len(pool.pairs), len(runs) * n_pairs)]
        self.urls = pool.urls[self.rng.integers(0, len(pool.urls), len(runs) * n)].astype(int)
        rows = len(runs) * (n + 1)
        base = pool.scores[self.rng.integers(0, len(pool.scores), rows)]
        self.scores = np.clip(base + self.rng.uniform(-1e-3, 1e-3, rows), 0, 1)
        self.p50 = pool.latencies[self.rng.integers(0, len(pool.latencies), rows)]
        self.errors = (self.rng.random(rows) < 0.1).astype(int)

    def history(self, *, with_samples: bool = True) -> Iterator[HistoryRow]:
        for at, (ts, bench) in enumerate(self.runs):
            for place, engine in enumerate([*ENGINES, "ultimate"]):
                row = at * (len(ENGINES) + 1) + place
                score, p50 = float(self.scores[row]), float(self.p50[row])
                is_ranked = bench in ("news", "agentic_rare")
                is_engine = engine != "ultimate"
                n = QUERIES[bench]
                samples = None
                if with_samples and is_engine:
                    samples = [round(p50 * (0.5 + each / n), 1) for each in range(n)]
                yield HistoryRow(
                    ts=ts,
                    bench=bench,
                    engine=engine,
                    ndcg=score if is_ranked else None,
                    recall=None if is_ranked else score,
                    mrr=None if is_ranked or not is_engine else score * 0.8,
                    num_scored=n - int(self.errors[row]),
                    num_queries=n,
                    search_errors=int(self.errors[row]),
                    account_errors=0,
                    service_errors=int(self.errors[row]),
                    judge_errors=0,
                    reconnects=0 if is_engine else None,
                    p50_ms=p50 if is_engine else None,
                    p95_ms=round(p50 * 1.4, 1) if is_engine else None,
                    lat_ms=samples,
                )

    def overlap_rows(self) -> Iterator[OverlapRow]:
        for at, (ts, bench) in enumerate(self.runs):
            for place, (a, b) in enumerate(self.pairs):
                jaccard, *counts = self.overlap[at * len(self.pairs) + place].tolist()
                yield OverlapRow(
                    ts=ts,
                    bench=bench,
                    a=ENGINES[a],
                    b=ENGINES[b],
                    jaccard_sum=jaccard,
                    num_shared3=int(counts[0]),
                    num_suspect=int(counts[1]),
                    low_shared_urls=int(counts[2]),
                    num_queries=QUERIES[bench],
                )

    def uniqueness_rows(self) -> Iterator[UniquenessRow]:
        for at, (ts, bench) in enumerate(self.runs):
            for place, engine in enumerate(ENGINES):
                unique, total, good_unique, good = self.urls[at * len(ENGINES) + place].tolist()
                yield UniquenessRow(
                    ts=ts,
                    bench=bench,
                    engine=engine,
                    unique_urls=unique,
                    total_urls=total,
                    relevant_unique_urls=good_unique,
                    relevant_total_urls=good,
                )

    def entries(self) -> list[RunEntry]:
        found: dict[str, RunEntry] = {}
        for ts, bench in self.runs:
            old = found.get(ts)
            artifacts = [f"{bench}.json", *(f"{bench}/{e}.json" for e in [*ENGINES, "ultimate"])]
            times = {**(old.published_at if old else {}), bench: f"{ts[:-1]}:30Z"}
            found[ts] = RunEntry(
                id=run_id(ts),
                ts=ts,
                artifacts=sorted([*(old.artifacts if old else []), *artifacts]),
                published_at=dict(sorted(times.items())),
            )
        return [found[ts] for ts in sorted(found)]

    def sums(self) -> IndependenceWindow:
        """The sums of the rows, column by column."""
        import numpy as np

        shape = (len(self.runs), len(self.pairs), 4)
        whole = np.round(self.overlap * [10_000, 1, 1, 1]).astype(int).reshape(shape).sum(axis=0)
        urls = self.urls.reshape(len(self.runs), len(ENGINES), 4).sum(axis=0)
        asked = int(self.queries.sum())
        return IndependenceWindow(
            from_=self.runs[0][0],
            to=self.runs[-1][0],
            runs=len(self.runs),
            pairs=[
                PairTotals(
                    a=ENGINES[a], b=ENGINES[b], jaccard_sum=int(row[0]) / 10_000,
                    num_shared3=int(row[1]), num_suspect=int(row[2]), low_shared_urls=int(row[3]),
                    num_queries=asked, n3=asked, n_low=asked,
                )
                for (a, b), row in zip(self.pairs, whole, strict=True)
            ],
            engines=[
                EngineTotals(
                    engine=name, unique_urls=int(row[0]), total_urls=int(row[1]),
                    relevant_unique_urls=int(row[2]), relevant_total_urls=int(row[3]),
                )
                for name, row in zip(ENGINES, urls, strict=True)
            ],
        )  # fmt: skip


def overlap_arrow(week: Week) -> pa.Table:
    """The overlap of a week in the columns of the program, without a Python object a row."""
    import numpy as np
    import pyarrow as pa

    n, runs = len(week.pairs), len(week.runs)

    def texts(words: Sequence[str], places: Any) -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(words))

    every = np.zeros(n * runs, int)
    benches = list(QUERIES)
    of_run = np.array([benches.index(bench) for _, bench in week.runs])
    columns = {
        "ts": texts([ts for ts, _ in week.runs], np.repeat(np.arange(runs), n)),
        "bench": texts(benches, np.repeat(of_run, n)),
        "a": texts(ENGINES, np.tile([a for a, _ in week.pairs], runs)),
        "b": texts(ENGINES, np.tile([b for _, b in week.pairs], runs)),
        "profile": texts(["live"], every),
        "schema_version": pa.array(every + 1),
        "num_shared3": pa.array(week.overlap[:, 1].astype(int)),
        "num_suspect": pa.array(week.overlap[:, 2].astype(int)),
        "low_shared_urls": pa.array(week.overlap[:, 3].astype(int)),
        "num_queries": pa.array(np.repeat(week.queries, n)),
        "jaccard_sum": pa.array(week.overlap[:, 0]),
        "other": pa.nulls(n * runs, pa.string()),
    }
    return pa.table(columns)


def make(data: Path, pool: Pool, years: float) -> int:
    """A data directory that ends just before a week closes; returns the number of its weeks."""
    open_week = week_of(minute_ts(END - timedelta(days=8)))
    first = END - timedelta(days=round(365.25 * years))
    week, weeks = week_of(minute_ts(first)), 0
    (data / "closed").mkdir(parents=True)
    while week < open_week:
        of_week = Week(pool, slots(week_start(week), week_end(week)), weeks)
        close(data, week, of_week)
        week, weeks = week_of(minute_ts(week_end(week))), weeks + 1
    write_hot(data, Week(pool, slots(week_start(open_week), END), weeks))
    return weeks


def close(data: Path, week: str, rows: Week) -> None:
    """Writes a week as `compact` would have done."""
    lines = {
        HISTORY_WEEKS: map(_line, rows.history(with_samples=False)),
        UNIQUENESS_WEEKS: map(_line, rows.uniqueness_rows()),
        RUNS_WEEKS: map(_line, rows.entries()),
    }
    contents = {OVERLAP_WEEKS: overlap_arrow(rows)}
    contents |= {table: week_table(table, list(own)) for table, own in lines.items()}
    files = []
    closed = Closed(data)
    for table, arrow in contents.items():
        path, content = closed.folder / table.path(week), week_bytes(arrow)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        files.append(
            ClosedFile(
                name=table.path(week),
                rows=arrow.num_rows,
                bytes=len(content),
                sha256=digest(content),
            )
        )
    manifest = extended(closed, week, files, rows.sums())
    (closed.folder / f"{manifest.month}.json").write_bytes(encode_document(manifest))


def _line(row: Any) -> Line[Any]:
    return Line(b"", row.ts, getattr(row, "bench", None), row)


def write_hot(data: Path, rows: Week) -> None:
    """The open weeks as JSONL, samples of the last 7 days, and the scores of these days."""
    start = minute_ts(END - timedelta(days=7))
    with (data / "history.jsonl").open("wb") as file:
        for row in rows.history():
            is_old = row.ts <= start
            file.write(encode_history(msgspec.structs.replace(row, lat_ms=None) if is_old else row))
    with (data / "overlap.jsonl").open("wb") as file:
        file.writelines(map(encode_line, rows.overlap_rows()))
    with (data / "uniqueness.jsonl").open("wb") as file:
        file.writelines(map(encode_line, rows.uniqueness_rows()))
    with (data / "ci_scores.jsonl").open("wb") as file:
        rng = random.Random(1)
        for ts, bench in rows.runs:
            if ts > start:
                n = QUERIES[bench]
                columns: dict[str, list[float | None]] = {
                    name: [round(rng.random(), 4) for _ in range(n)]
                    for name in [*ENGINES, "ultimate"]
                }
                qids = [f"{rng.getrandbits(64):016x}" for _ in range(n)]
                file.write(encode_line(ScoresRow(ts=ts, bench=bench, qids=qids, engines=columns)))
    (data / "runs.json").write_bytes(encode_document(rows.entries()))
    (data / "families.json").write_bytes(encode_document(BASES))


# The steps, each in a process of its own


def run_step(step: str, data: Path, number: int) -> None:
    """One command on `data`; prints its wall and processor time and its peak memory as JSON."""
    import resource
    import time

    act = {"publish": _publish, "compact": _compact, "verify": _verify, "site": _site}[step]
    prepared = _report(number) if step == "publish" else None
    wall, cpu = time.perf_counter(), time.process_time()
    act(data, prepared)
    spent = {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MB,
    }
    print(json.dumps(spent))


def _report(number: int) -> Any:
    from tests.runner.publishing.made import report

    rng = random.Random(number)
    scores = {name: [round(rng.random(), 4) for _ in range(20)] for name in ENGINES}
    return report("news", minute_ts(END + timedelta(minutes=18 + number)), scores=scores)


def _publish(data: Path, report: Any) -> None:
    from runner.publishing.publish import publish

    publish(report, data, now=parse_time(report.ts), families=BASES, artifacts=["news.json"])


def _compact(data: Path, _: Any) -> None:
    from runner.publishing.compact import compact

    done = compact(data, now=END + timedelta(days=1))
    if len(done.weeks) != 1:
        raise SystemExit(f"compact closed {done.weeks}, not one week")


def _verify(data: Path, _: Any) -> None:
    from runner.publishing.verify import verify

    findings = verify(data, now=END + timedelta(days=1))
    if findings:
        raise SystemExit("\n".join(str(finding) for finding in findings[:5]))


def _site(data: Path, _: Any) -> None:
    from sitebuilder import build

    build(data, data.parent / "public", now=END)


def step(name: str, data: Path, number: int = 0) -> dict[str, float]:
    """What a step took, measured in a fresh process."""
    words = [sys.executable, "-m", "tests.bench", "scale", "--step", name]
    words += ["--data", str(data), "--number", str(number)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed on {data}:\n{done.stdout}{done.stderr}")
    spent: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return spent


def sizes(data: Path) -> dict[str, int]:
    """Bytes of every file of the branch."""
    return {
        str(path.relative_to(data)): path.stat().st_size
        for path in data.rglob("*")
        if path.is_file() and path.name[0] != "."
    }


def _show_sizes(data: Path, when: str) -> None:
    found = sizes(data)
    hot = {name: size for name, size in found.items() if not name.startswith("closed/")}
    largest = max(hot, key=lambda name: hot[name])
    print(
        f"  {when}: {len(found):,} files, {sum(found.values()) / MB:.1f} MB of "
        f"{BOUNDS['branch']}; largest {max(found.values()) / MB:.1f} MB of "
        f"{BOUNDS['largest file']}; hot {sum(hot.values()) / MB:.1f} MB, largest {largest} "
        f"{hot[largest] / MB:.1f} MB of {BOUNDS['hot file']}"
    )


def _parse(argv: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.bench scale")
    parser.add_argument("--years", type=float, default=5.0, help="how long a history (5)")
    parser.add_argument("--skip-site", action="store_true", help="leave the site out (built)")
    parser.add_argument("--step", help="one step in this process; used by the bench itself")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--number", type=int, default=0)
    return parser.parse_args(argv)


def main(argv: Sequence[str] = ()) -> None:
    """Prints time, peak memory and sizes against their bounds, and the ratio of publish."""
    args = _parse(argv)
    if args.step:
        run_step(args.step, args.data, args.number)
        return
    import numpy as np

    pool = Pool(np.random.default_rng(0))
    folder = Path(tempfile.mkdtemp(prefix="needle-scale-"))
    try:
        long, month = folder / "long" / "data", folder / "month" / "data"
        for data, years in ((long, args.years), (month, 30 / 365.25)):
            weeks = make(data, pool, years)
            rows = Closed(data).newest
            print(f"{years:.2f} years from {pool.source}: {weeks} closed weeks", end="")
            print(f", {rows.rows if rows else {}}", flush=True)
            _show_sizes(data, "made")
        spent: dict[Path, list[float]] = {long: [], month: []}
        for number in range(3):
            for data, times in spent.items():
                found = step("publish", data, number)
                times.append(found["cpu_s"])
                if data == long:
                    _show("publish", found)
        ratio = min(spent[long]) / min(spent[month])
        print(f"  publish, long to one month: {ratio:.2f} of {BOUNDS['ratio']}", flush=True)
        _show_sizes(long, "before compact")
        _show("compact", step("compact", long))
        _show_sizes(long, "after compact")
        _show("verify", step("verify", long))
        if not args.skip_site:
            _show("site", step("site", long))
            served = sizes(long.parent / "public")
            largest = max(served, key=lambda name: served[name])
            print(
                f"  site of {len(served):,} files, {sum(served.values()) / MB:.1f} MB; "
                f"largest {largest} {served[largest] / MB:.1f} MB"
            )
    finally:
        shutil.rmtree(folder)


def _show(name: str, spent: dict[str, float]) -> None:
    print(
        f"  {name}: {spent['wall_s']:.1f} s, {spent['cpu_s']:.1f} s of processor, "
        f"peak {spent['peak_mb']:,.0f} MB",
        flush=True,
    )
