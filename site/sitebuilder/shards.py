"""An archived report as small files that a browser can load one by one.

`index.json` has every query with its score for every engine; `<n>.json` has blocks of queries with
the results behind the scores. A shard stays within MAX_BYTES: a query of many engines is cut
between engines, and text is clipped (the archive has it whole). Everything here is untrusted text;
it is bounded and freed of control characters, and escaped where it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from runner.records.base import Document, Part, encode_line
from runner.records.published import BENCH_LABELS
from runner.records.reports import (
    JudgedQuery,
    JudgedResult,
    KnownItemQuery,
    KnownItemResult,
    Report,
    ReportedQuery,
    ReportedResult,
)
from sitebuilder.results import ULTIMATE
from sitebuilder.web_links import is_web_address

MAX_BYTES = 60_000
_HEAD = 300  # bytes that a shard says besides its queries
MAX_RESULTS = 10
MAX_LISTED = 6  # identifiers or gates of one result
QUERY_CHARS = 500
FACT_CHARS = 240
TEXT_CHARS = 160  # of what should be an address and is none
# Characters of a title, a snippet, a reasoning and an address; the next row where a block of one
# engine would not fit, and the last always fits.
CLIPS = ((160, 280, 700, 2000), (120, 120, 350, 600), (40, 0, 80, 160))
_UNSHOWN = re.compile(
    "[\x00-\x20\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]+"
)
_GATE_WORDS = re.compile(r"^document_|_(?:gate|condition|check)$")
_WITHIN = {"pass", "na"}


class ShownResult(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A result with its evidence; what an engine's terms forbid to show is absent.

    `repeats`: its address stood above already, so its rating counts 0. `gates` holds only those
    that did not pass. `match` says how code recognised the known item, `model_match` what the
    model said where it was asked.
    """

    url: str
    title: str | None = None
    snippet: str | None = None
    published: str | None = None
    rating: int | None = None
    label: str | None = None
    repeats: bool = False
    gates: dict[str, str] = msgspec.field(default_factory=dict)
    code_gates: list[str] = msgspec.field(default_factory=list)
    above_gates: list[str] = msgspec.field(default_factory=list)
    reasoning: str | None = None
    ids: list[str] = msgspec.field(default_factory=list)
    match: str | None = None
    model_match: bool | None = None


class ShownEngine(Part, frozen=True, kw_only=True, omit_defaults=True):
    """One engine's answer to one query; `score` is null where the query is not in its mean."""

    engine: str
    score: float | None
    hit_rank: int | None = None
    code_rank: int | None = None
    error: str | None = None
    results: list[ShownResult] = msgspec.field(default_factory=list)


class ShownQuery(Part, frozen=True, kw_only=True):
    """A query, or the part of it that its shard holds; `n` counts from 1."""

    n: int
    query: str
    facts: dict[str, str]
    engines: list[ShownEngine]


class Shard(Document, frozen=True, kw_only=True):
    """`judgements/<bench>/<number>.json`."""

    bench: str
    run_id: str
    number: int
    queries: list[ShownQuery]


class IndexedEngine(Part, frozen=True, kw_only=True):
    engine: str
    label: str


class IndexedQuery(Part, frozen=True, kw_only=True):
    """`scores` (3 decimals) follow the order of the engines; `shards` hold the results."""

    query_id: str
    query: str
    bucket: str
    shards: list[int]
    scores: list[float | None]


class Index(Document, frozen=True, kw_only=True):
    """`judgements/<bench>/index.json`."""

    bench: str
    label: str
    run_id: str
    ts: str
    metric: Literal["ndcg", "recall"]
    k: int
    judge_model: str | None
    engines: list[IndexedEngine]
    queries: list[IndexedQuery]


def is_whole(report: Report) -> bool:
    """Whether all engines answer the same queries, and there is at least one."""
    asked = [[query.query_id for query in block.per_query] for block in report.engines.values()]
    return bool(asked and asked[0]) and all(ids == asked[0] for ids in asked)


def shown_text(text: str | None, max_chars: int) -> str:
    """One line of at most `max_chars` and an ellipsis, without characters that steer a terminal or
    turn the direction of what follows, and without those that nobody sees."""
    read = 4 * max_chars
    line = _UNSHOWN.sub(" ", (text or "")[:read]).strip()
    is_whole_text = len(line) <= max_chars and len(text or "") <= read
    return line if is_whole_text else f"{line[:max_chars].rstrip()}…"


def shown_queries(report: Report) -> list[ShownQuery]:
    """All queries of a whole report, engines in roster order, `ultimate` last."""
    order = engine_order(report)
    first = report.engines[order[0]].per_query
    return [
        ShownQuery(
            n=place + 1,
            query=shown_text(query.query, QUERY_CHARS),
            facts=_facts(query),
            engines=[_engine(name, report.engines[name].per_query[place]) for name in order],
        )
        for place, query in enumerate(first)
    ]


def engine_order(report: Report) -> list[str]:
    """The roster, then what else has a block; `ultimate`, which nobody can buy, comes last."""
    names = [*(name for name in report.roster if name in report.engines), *report.engines]
    return sorted(dict.fromkeys(names), key=lambda name: name == ULTIMATE)


def cut(report: Report, queries: Sequence[ShownQuery]) -> tuple[Index, list[Shard]]:
    """The index and the shards, each of which encodes to at most MAX_BYTES."""
    shards: list[list[ShownQuery]] = []
    homes: dict[int, list[int]] = {}
    size = MAX_BYTES
    for query in queries:
        for piece in _pieces(query):
            cost = len(encode_line(piece)) + 1
            if size + cost > MAX_BYTES - _HEAD:
                shards.append([])
                size = 0
            shards[-1].append(piece)
            size += cost
            homes.setdefault(query.n, []).append(len(shards))
    order = engine_order(report)
    labels = {name: note.label for name, note in report.roster_notes.items()}
    index = Index(
        bench=report.bench,
        label=BENCH_LABELS[report.bench],
        run_id=report.run_id,
        ts=report.ts,
        metric=report.metric,
        k=report.k,
        judge_model=shown_text(report.judge_model, FACT_CHARS) or None,
        engines=[
            IndexedEngine(engine=name, label=shown_text(labels.get(name, name), 60))
            for name in order
        ],
        queries=[
            IndexedQuery(
                query_id=source.query_id,
                query=query.query,
                bucket=shown_text(source.bucket, FACT_CHARS),
                shards=homes[query.n],
                scores=[engine.score for engine in query.engines],
            )
            for source, query in zip(report.engines[order[0]].per_query, queries, strict=True)
        ],
    )
    return index, [
        Shard(bench=report.bench, run_id=report.run_id, number=number, queries=held)
        for number, held in enumerate(shards, start=1)
    ]


def _pieces(query: ShownQuery) -> Iterator[ShownQuery]:
    """The query whole if a shard can hold it, else in runs of engines that each can."""
    room = MAX_BYTES - _HEAD - 1
    bare = len(encode_line(msgspec.structs.replace(query, engines=[])))
    held: list[ShownEngine] = []
    size = bare
    for engine in query.engines:
        cost = len(encode_line(engine))
        if held and size + cost > room:
            yield msgspec.structs.replace(query, engines=held)
            held, size = [], bare
        held.append(engine)
        size += cost
    yield msgspec.structs.replace(query, engines=held)


def _facts(query: ReportedQuery) -> dict[str, str]:
    """What a reader needs to follow the verdicts: the gold value, or what had to be covered."""
    facts = {"Bucket": query.bucket}
    if isinstance(query, KnownItemQuery):
        facts = {"Gold value": query.gold, "Item": query.item} | facts
        groups = {name.replace("_", " ").capitalize(): text for name, text in query.groups.items()}
        told = set(facts.values())
        facts |= {name: text for name, text in list(groups.items())[:8] if text not in told}
    elif isinstance(query, JudgedQuery):
        facts |= {"Topic": query.topical_domain}
        if query.query_profile:
            profile = query.query_profile
            facts |= {
                "Must cover": "; ".join(profile.query_main_aspects[:3]),
                "May cover": "; ".join(profile.query_aux_aspects[:5]),
                "Kind": f"{profile.query_type}, {profile.query_content_archetype}",
            }
    shown = {shown_text(name, 40): shown_text(text, FACT_CHARS) for name, text in facts.items()}
    return {name: text for name, text in shown.items() if text}


def _engine(name: str, query: ReportedQuery) -> ShownEngine:
    """The answer with the longest text that still leaves room for the query beside it."""
    for clips in CLIPS:
        shown = _clipped(name, query, clips)
        if len(encode_line(shown)) <= MAX_BYTES * 2 // 3:
            break
    return shown


def _clipped(name: str, query: ReportedQuery, clips: tuple[int, int, int, int]) -> ShownEngine:
    error = query.search_error
    known = query if isinstance(query, KnownItemQuery) else None
    return ShownEngine(
        engine=name,
        score=None if query.score is None else round(query.score, 3),
        hit_rank=known.hit_rank if known else None,
        code_rank=known.det_rank if known else None,
        error=shown_text(f"{error.error_type}: {error.error_message}", FACT_CHARS)
        if error
        else None,
        results=[
            _result(result, clips, known.gold if known else "")
            for result in query.results[:MAX_RESULTS]
        ],
    )


def _result(result: ReportedResult, clips: tuple[int, int, int, int], gold: str) -> ShownResult:
    title, snippet, reasoning, url = clips
    base = ShownResult(
        url=shown_text(result.url, url if is_web_address(result.url) else TEXT_CHARS),
        title=shown_text(result.title, title) or None,
        snippet=_passage(result.snippet, gold, snippet) if snippet and result.snippet else None,
        published=shown_text(result.published, 40) or None,
    )
    if isinstance(result, JudgedResult):
        failed = [pair for pair in (result.gates or {}).items() if pair[1] not in _WITHIN]
        return msgspec.structs.replace(
            base,
            rating=result.rating,
            label=result.label,
            repeats=result.penalized is not None and result.penalized != result.rating,
            gates={_gate(name): shown_text(value, 12) for name, value in failed[:MAX_LISTED]},
            code_gates=[_gate(name) for name in result.code_gates[:MAX_LISTED]],
            above_gates=[_gate(name) for name in result.gate_violations[:MAX_LISTED]],
            reasoning=shown_text(result.reasoning, reasoning) or None,
        )
    if isinstance(result, KnownItemResult):
        found = [f"{kind} {value}" for kind, values in result.ids.items() for value in values]
        return msgspec.structs.replace(
            base,
            ids=[shown_text(value, 60) for value in found[:MAX_LISTED]],
            match=shown_text(result.match_via, 80) or None,
            model_match=result.judge_match,
        )
    return base


def _passage(snippet: str, gold: str, max_chars: int) -> str:
    """The beginning of a snippet, or what stands around the gold value where that comes later."""
    place = re.search(re.escape(gold), snippet, re.IGNORECASE) if 2 < len(gold) <= 100 else None
    if place is None or place.end() <= max_chars:
        return shown_text(snippet, max_chars)
    return "…" + shown_text(snippet[max(0, place.start() - max_chars // 2) :], max_chars)


def _gate(name: str) -> str:
    """`document_integrity_check` → `integrity`."""
    bare = _GATE_WORDS.sub("", _GATE_WORDS.sub("", name[:100]))
    return shown_text(bare.replace("_", " "), 24)
