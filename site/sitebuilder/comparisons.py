"""Which engines differ: paired tests, tie groups, the ranks that the data allows.

Two engines are compared on the queries scored for both. Signs of the summed differences of whole
query clusters are flipped, one pattern for all pairs; p-values of all pairs of a bench are
adjusted by Holm, so that the chance of one false claim in the bench stays at 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_letters
from typing import TYPE_CHECKING

from msgspec.structs import replace

from runner.records.published import BENCHES
from runner.scoring.significance import holm, minimum_detectable
from sitebuilder.intervals import CLUSTER_NAMES, Z_975, OverallDraws, Study, envelope
from sitebuilder.resampling import FEW_CLUSTERS, Resampled, quantiles, robust, t_975
from sitebuilder.results import Pair
from sitebuilder.scores import BenchScores
from sitebuilder.signflips import Tested, pair_places, sign_flips

if TYPE_CHECKING:
    from sitebuilder.scores import Floats, Places

LEVEL = 0.05
Rank = tuple[int, int]


@dataclass(frozen=True)
class Comparison:
    """What can be said about the order of engines, in one bench or overall.

    `pairs` are in order of id; `ranks` and `p_best` come from the joint resamples; `mdd` is the
    difference that a single test would find 4 times in 5, the median over the pairs. `method`
    names the test, None where nothing was tested.
    """

    pairs: Sequence[Pair] = ()
    ranks: Mapping[str, Rank] = field(default_factory=dict)
    p_best: Mapping[str, float] = field(default_factory=dict)
    mdd: float | None = None
    method: str | None = None

    def tie_groups(self, ranked: Sequence[str]) -> dict[str, str]:
        """Letters of engines in rank order; empty where nothing was tested."""
        if not self.pairs:
            return {}
        known = {frozenset((pair.a, pair.b)) for pair in self.pairs if is_separated(pair)}
        return compact_letters(ranked, lambda a, b: frozenset((a, b)) in known)


def between(pairs: Sequence[Pair], a: str, b: str) -> Pair | None:
    """The test of `a` against `b` with `a` named first; None where there is none."""
    for pair in pairs:
        if (pair.a, pair.b) == (a, b):
            return pair
        if (pair.a, pair.b) == (b, a):
            lo, hi = (None if end is None else -end for end in (pair.hi, pair.lo))
            return replace(pair, a=a, b=b, delta=-pair.delta, lo=lo, hi=hi)
    return None


def is_separated(pair: Pair) -> bool:
    return pair.p_holm < LEVEL


def compact_letters(ranked: Sequence[str], separated: Callable[[str, str], bool]) -> dict[str, str]:
    """Two names share a letter exactly where they are not separated; `a` holds the first.

    Each not yet lettered pair is widened, in rank order, to a set of which no two are separated
    (after Piepho, J. Comp. Graph. Stat. 13(2), 2004).
    """
    free = [[not separated(a, b) for b in ranked] for a in ranked]
    covered: set[tuple[int, int]] = set()
    groups: list[list[int]] = []
    for first in range(len(ranked)):
        for last in reversed(range(first, len(ranked))):
            if (first, last) in covered or (first != last and not free[first][last]):
                continue
            group = [first, last] if first != last else [first]
            for other in range(len(ranked)):
                if other not in group and all(free[other][member] for member in group):
                    group.append(other)
            groups.append(sorted(group))
            covered |= {(x, y) for x in group for y in group}
    letters = dict.fromkeys(ranked, "")
    for number, group in enumerate(sorted(groups)):
        for member in group:
            letters[ranked[member]] += _letter(number)
    return letters


def _letter(number: int) -> str:
    """a to z, A to Z, then a2, b2, …"""
    turn, place = divmod(number, len(ascii_letters))
    return ascii_letters[place] + (str(turn + 1) if turn else "")


def compare(
    scores: Mapping[str, BenchScores],
    studies: Mapping[str, Study],
    overall: OverallDraws | None,
) -> tuple[dict[str, Comparison], Comparison]:
    """Each bench, and all of them together."""
    tested = {
        bench: (own, studies[bench][own.tested_by])
        for bench, own in scores.items()
        if own.tested_by and len(own.measured) > 1
    }
    p_values, p_overall = sign_flips(tested, overall)
    benches = {}
    for bench, (own, study) in tested.items():
        bounds = envelope([each.deltas for each in studies[bench].values()])
        estimate = robust(study.pairs.sums, study.pairs.counts)
        weights = study.pairs.counts.sum(axis=0)
        pairs = _pairs(
            own.measured, p_values[bench], estimate.mean, bounds, weights, estimate.groups
        )
        draws = [_stretched(each)[: len(own.measured)] for each in studies[bench].values()]
        # An engine in the history alone has a place that no resample knows: then no rank is sure.
        is_known = own.weights[:, : len(own.measured)].any(axis=0).all()
        ranks, best = rank_draws(own.measured, draws) if is_known else ({}, {})
        name = CLUSTER_NAMES[own.tested_by or "query"]
        benches[bench] = Comparison(
            pairs,
            ranks,
            best,
            _detectable(estimate.error),
            _method(f"{study.groups:,} {name}", pairs),
        )
    if overall is None:
        return benches, Comparison()
    return benches, _compared_overall(overall, p_overall, tested)


def _pairs(
    engines: Sequence[str],
    p_values: Floats,
    deltas: Floats,
    bounds: Floats,
    weights: Floats,
    groups: Places,
) -> list[Pair]:
    """The pairs with a unit in common; Holm over exactly these."""
    import numpy as np

    first, second = np.triu_indices(len(engines), 1)
    present = np.flatnonzero(weights > 0)
    adjusted = holm([float(p) for p in p_values[present]])
    found = []
    for place, p_holm in zip(present.tolist(), adjusted, strict=True):
        low, high = bounds[:, place]
        found.append(
            Pair(
                a=engines[first[place]],
                b=engines[second[place]],
                delta=round(float(deltas[place]), 6),
                lo=round(float(low), 4) if low == low else None,
                hi=round(float(high), 4) if high == high else None,
                p=round(float(p_values[place]), 6),
                p_holm=round(p_holm, 6),
                n=int(weights[place]),
                clusters=int(groups[place]),
            )
        )
    return found


def _method(clusters: str, pairs: Sequence[Pair]) -> str | None:
    """None where no pair could be tested."""
    if not pairs:
        return None
    family = "1 pair" if len(pairs) == 1 else f"{len(pairs):,} pairs"
    return f"paired sign-flip test over {clusters}, Holm over {family}"


def _detectable(errors: Floats) -> float | None:
    import numpy as np

    known = errors[np.isfinite(errors)]
    return round(minimum_detectable(float(np.median(known))), 4) if len(known) else None


def _stretched(study: Resampled) -> Floats:
    """The resampled means; of few clusters at the width of the t interval."""
    size = study.groups
    if size >= FEW_CLUSTERS:
        return study.means
    centre = study.own.mean[:, None]
    factor = (size / (size - 1)) ** 0.5 * t_975(size - 1) / Z_975
    stretched: Floats = centre + factor * (study.means - centre)
    return stretched


def rank_draws(
    engines: Sequence[str], clusterings: Sequence[Floats]
) -> tuple[dict[str, Rank], dict[str, float]]:
    """Ranks from the 2.5 to the 97.5 % quantile, the wider clustering, and P(best).

    P(best) is the share of the resamples of all clusterings in which an engine is first; engines
    that are equally good share it. An engine without a score in a resample is last there.
    """
    import numpy as np

    lows, highs, firsts = [], [], []
    for draws in clusterings:
        known = np.nan_to_num(draws, nan=-np.inf)
        better = np.array([(known > row).sum(axis=0) for row in known])
        level = np.array([(known >= row).sum(axis=0) for row in known])
        lows.append(np.floor(quantiles(better + 1.0)[0]))
        highs.append(np.ceil(quantiles(level * 1.0)[1]))
        is_first = better == 0
        firsts.append((is_first / is_first.sum(axis=0)).mean(axis=1))
    low, high, best = np.min(lows, axis=0), np.max(highs, axis=0), np.mean(firsts, axis=0)
    ranks = {engine: (int(low[i]), int(high[i])) for i, engine in enumerate(engines)}
    return ranks, {engine: round(float(best[i]), 4) for i, engine in enumerate(engines)}


def _compared_overall(overall: OverallDraws, p_values: Floats, tested: Tested) -> Comparison:
    import numpy as np

    first, second = np.triu_indices(len(overall.engines), 1)
    ranks, best = rank_draws(overall.engines, overall.draws)
    if not len(first):
        return Comparison((), ranks, best)
    bounds = envelope([quantiles(draws[first] - draws[second]) for draws in overall.draws])
    places = pair_places(overall.engines, tested)
    counts = [tested[bench][1].pairs.counts[:, places[bench]] for bench in BENCHES]
    weights = np.sum([each.sum(axis=0) for each in counts], axis=0)
    groups = np.sum([(each > 0).sum(axis=0) for each in counts], axis=0)
    deltas = overall.centre[first] - overall.centre[second]
    pairs = _pairs(overall.engines, p_values, deltas, bounds, weights, groups)
    return Comparison(pairs, ranks, best, None, _method("the clusters of all benches", pairs))
