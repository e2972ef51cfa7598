"""From candidates to queries: a model proposes, code checks, near-copies are dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from runner.benches.news.candidates import Candidate
from runner.benches.news.checks import MAX_CHARS, rejection
from runner.benches.news.dedupe import QUERY_RATIO, Clusters, normal_query
from runner.llm.client import LanguageModel, LlmError, Prompt, run_bounded, total
from runner.llm.prompts import visible
from runner.llm.replies import last_object
from runner.progress import Progress
from runner.records.judgements import Spend
from runner.text import canonical_text

REFUSALS = ("evergreen", "no_event", "no_distinct_detail", "boilerplate")
_SENTINELS = ("NO_NEWS_EVENT", "NO_DISTINCT_QUERY")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Proposal:
    """A reply that could be read: a query, or a refusal and why; never both."""

    query: str | None
    refusal: str | None = None
    evidence: str | None = None


@dataclass
class Projected:
    """The queries in candidate order, what was refused or rejected, and what it cost."""

    queries: list[tuple[Candidate, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    spend: Spend = field(default_factory=Spend)

    def note(self, reason: str, text: str) -> None:
        """Counts a lost candidate and keeps the first text for its reason."""
        self.counts[reason] += 1
        self.reasons.setdefault(reason, visible(text)[:MAX_CHARS])


def parse_reply(text: str) -> Proposal | None:
    """The proposal in a reply; None where it cannot be read and should be asked for again.

    JSON first. A reply without an object is read as one line: a query, or a sentinel
    (NO_NEWS_EVENT, NO_DISTINCT_QUERY) or nothing for a refusal.
    """
    reply = last_object(text)
    if reply is not None:
        return _from_object(reply)
    text = text.strip()
    line = text.splitlines()[0].strip().strip("'\"").strip() if text else ""
    if not line or any(sentinel in line.upper() for sentinel in _SENTINELS):
        return Proposal(None, "no_event", line or "empty reply")
    if len(line) > MAX_CHARS or line.startswith(("{", "[", "`", "<")):
        return None
    return Proposal(_clean(line))


def _from_object(reply: dict[str, object]) -> Proposal | None:
    query, refusal, evidence = reply.get("query"), reply.get("refusal"), reply.get("evidence")
    evidence = evidence if isinstance(evidence, str) and evidence.strip() else None
    if isinstance(query, str) and query.strip() and refusal is None:
        return Proposal(_clean(query), None, evidence)
    if query is None and refusal in REFUSALS:
        return Proposal(None, str(refusal), evidence)
    return None


def _clean(query: str) -> str:
    return _SPACES.sub(" ", visible(query)).strip().strip("'\"").strip()


def has_evidence(evidence: str, source_text: str) -> bool:
    """Whether the quoted evidence stands in the source, case, quotes and spaces aside."""
    return _comparable(evidence) in _comparable(source_text)


def _comparable(text: str) -> str:
    return canonical_text(visible(text).replace("’", "'").replace("“", '"').replace("”", '"'))


async def project(
    candidates: Sequence[Candidate],
    model: LanguageModel,
    *,
    now: datetime,
    wanted: int = 0,
    concurrency: int = 8,
    progress: Progress,
) -> Projected:
    """Queries for the candidates in their order, until there are `wanted` (0 = all candidates).

    No more candidates are sent to the model than queries are missing. A query within the fuzzy
    threshold of an earlier one is dropped. A failing model is counted, never raised.
    """
    projected = Projected()
    kept: Clusters[str] = Clusters(QUERY_RATIO)
    hashes: set[str] = set()
    spends: list[Spend] = []
    progress.phase("queries", wanted or len(candidates))
    position = 0
    while position < len(candidates):
        missing = wanted - len(projected.queries) if wanted > 0 else len(candidates)
        if missing <= 0:
            break
        batch = candidates[position : position + missing]
        position += len(batch)
        outcomes = await _propose_all(batch, model, spends, concurrency)
        for candidate, outcome in zip(batch, outcomes, strict=True):
            query = _accepted(outcome, candidate, now, projected)
            if query is None:
                continue
            form = normal_query(query)
            twin = kept.find(form)
            if twin is not None or canonical_text(query) in hashes:
                projected.note("duplicates", f"{query!r} repeats {twin or query!r}")
                continue
            kept.keep(form, query)
            hashes.add(canonical_text(query))
            projected.queries.append((candidate, query))
            progress.advance()
    projected.counts["projected"] = position
    projected.spend = total(spends)
    return projected


async def _propose_all(
    batch: Sequence[Candidate], model: LanguageModel, spends: list[Spend], concurrency: int
) -> list[Proposal | LlmError | None]:
    """What the model says of each candidate, in their order."""
    outcomes: list[Proposal | LlmError | None] = [None] * len(batch)

    async def work(i: int) -> None:
        outcomes[i] = await _propose(batch[i], model, spends)

    await run_bounded(range(len(batch)), work, concurrency)
    return outcomes


async def _propose(
    candidate: Candidate, model: LanguageModel, spends: list[Spend]
) -> Proposal | LlmError | None:
    """The model's proposal, asked for a second time when the first reply cannot be read."""
    for reminder in (False, True):
        try:
            completion = await model.complete(
                Prompt("news_query", candidate.variables, reminder=reminder)
            )
        except LlmError as error:
            spends.append(error.spend)
            return error
        spends.append(completion.spend)
        proposal = parse_reply(completion.text)
        if proposal is not None:
            return proposal
    return None


def _accepted(
    outcome: Proposal | LlmError | None, candidate: Candidate, now: datetime, projected: Projected
) -> str | None:
    """The query where it passes every check; otherwise its loss is counted with its reason."""
    name = candidate.titles[0]
    if isinstance(outcome, LlmError):
        projected.note("llm_errors", str(outcome))
    elif outcome is None:
        projected.note("rejected_unreadable", f"{name!r}: no usable reply twice")
    elif outcome.query is None:
        projected.counts["no_news_event"] += 1
        projected.note(f"refused_{outcome.refusal}", f"{name!r}: {outcome.evidence or 'no reason'}")
    elif why := rejection(outcome.query, candidate.titles, now.date()):
        projected.note(f"rejected_{why}", f"{outcome.query!r} from {name!r}")
    elif outcome.evidence and not has_evidence(outcome.evidence, candidate.source_text):
        projected.note("rejected_evidence", f"{outcome.evidence!r} is not in {name!r}")
    else:
        return outcome.query
    return None
