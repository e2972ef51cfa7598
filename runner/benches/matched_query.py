"""One query of a matched run, seen whole: what each engine found, what counts, and the ceiling."""

from __future__ import annotations

from collections.abc import Sequence

from runner.benches.bench import Found, Target
from runner.benches.matching_phase import Matched, ahead_of_hit, known_fact, match_results
from runner.benches.options import RunOptions
from runner.benches.reporting import ALL_FAILED, ULTIMATE, URL_NORM_VERSION
from runner.benches.work import WorkFolder
from runner.records.judgements import FactRecord
from runner.records.queries import QueryRow
from runner.records.reports import KnownItemQuery, KnownItemResult
from runner.scoring.overlap import Labelled
from runner.scoring.recall import Outcome, first_hit
from runner.scoring.ultimate import KnownItem, known_item_ideal
from runner.scoring.urls import normalise_url


class MatchedQuery:
    """One query with everything that is known of it: matches, the model's answers, outcomes."""

    def __init__(
        self,
        row: QueryRow,
        target: Target,
        names: Sequence[str],
        work: WorkFolder,
        options: RunOptions,
    ) -> None:
        self.row, self.target, self.k = row, target, options.num_results
        self.is_judged = work.state.judge_model is not None and target.question is not None
        self.searches = {name: work.searches[row.query_id, name] for name in names}
        known: dict[str, Found] = {}
        self.matched = {
            name: match_results(record, target, options.snippet_chars, known)
            for name, record in self.searches.items()
            if record.results is not None
        }
        asked = {
            document.key
            for results in self.matched.values()
            for document in (ahead_of_hit(results, self.k) if self.is_judged else [])
        }
        self.facts: dict[str, FactRecord] = {
            key: fact for key in asked if (fact := known_fact(work, row, target, key)) is not None
        }
        self.unanswered = {
            key for key in asked if key not in self.facts or self.facts[key].states_it is None
        }
        self.outcomes = {name: self._outcome(name) for name in names}
        self._pool()

    def _outcome(self, name: str) -> Outcome:
        error = self.searches[name].error
        if error is not None:
            return Outcome(error=error)
        hit = first_hit([self._is_hit(name, each) for each in self.matched[name][: self.k]])
        return Outcome(hit, is_uncertain=hit is None and self._judge_errors(name) > 0)

    def _is_hit(self, name: str, each: Matched) -> bool:
        return each.found.via is not None or self._judge_match(name, each) is True

    def _judge_match(self, name: str, each: Matched) -> bool | None:
        """What the model said, of the results that it was asked about for this engine.

        A document may stand behind the hit of one engine and ahead of another's.
        """
        ahead = {document.key for document in ahead_of_hit(self.matched[name], self.k)}
        fact = self.facts.get(each.document.key) if each.document.key in ahead else None
        return fact.states_it if fact else None

    def _judge_errors(self, name: str) -> int:
        if not self.is_judged:
            return 0
        ahead = ahead_of_hit(self.matched.get(name, []), self.k)
        return sum(document.key in self.unanswered for document in ahead)

    def det_rank(self, name: str) -> int | None:
        """The rank of the first result that code matched."""
        results = self.matched.get(name, [])[: self.k]
        return first_hit([each.found.via is not None for each in results])

    def _pool(self) -> None:
        """The ceiling: an engine that failed or is uncertain has no part in it."""
        answers = {
            name: KnownItem(self.urls(name), self.outcomes[name].hit_rank)
            for name in self.matched
            if not self.outcomes[name].is_uncertain
        }
        self.picks, hit_rank = known_item_ideal(answers, self.k)
        error = None if self.matched else ALL_FAILED
        self.outcomes[ULTIMATE] = Outcome(hit_rank, error, is_uncertain=not answers)

    def urls(self, name: str) -> list[str]:
        """The normalised URLs of an engine in rank order."""
        return [normalise_url(each.document.url, URL_NORM_VERSION) for each in self.matched[name]]

    def labelled(self, name: str) -> list[Labelled] | None:
        """The engine's (normalised URL, label) pairs: the hit alone is known to be good."""
        if name not in self.matched:
            return None
        hit = self.outcomes[name].hit_rank
        return [
            (url, "FullyM" if rank == hit else None)
            for rank, url in enumerate(self.urls(name), start=1)
        ]

    def block(self, name: str) -> KnownItemQuery:
        """The query as it stands in the engine's part of the report."""
        outcome = self.outcomes[name]
        is_ceiling = name == ULTIMATE
        if is_ceiling:
            results = [self._result(p.engine, self.matched[p.engine][p.place]) for p in self.picks]
        else:
            results = [self._result(name, each) for each in self.matched.get(name, [])]
        return KnownItemQuery(
            query_id=self.row.query_id,
            query=self.row.query_text,
            query_hash=self.row.query_hash,
            bucket=self.row.query_origin.bucket,
            n_results=len(results),
            judge_errors=0 if is_ceiling else self._judge_errors(name),
            search_error=outcome.error,
            score=outcome.score,
            item=self.target.item,
            gold=self.target.gold,
            groups=dict(self.target.groups),
            hit_rank=outcome.hit_rank,
            det_rank=outcome.hit_rank if is_ceiling else self.det_rank(name),
            results=results,
        )

    def _result(self, name: str, each: Matched) -> KnownItemResult:
        document = each.document
        return KnownItemResult(
            url=document.url,
            title=document.title,
            snippet=document.snippet,
            published_raw=each.published_raw,
            published=document.published,
            ids={kind: list(found) for kind, found in each.found.ids.items()},
            match_via=each.found.via,
            judge_match=self._judge_match(name, each),
        )
