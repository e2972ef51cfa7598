"""Sign-flip p-values of all pairs of all benches, and of the pairs overall.

Under the null hypothesis two engines are exchangeable within a cluster, so the sign of each
cluster's summed difference may be flipped. One pattern of signs serves all pairs of a bench.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from runner.records.published import BENCHES
from runner.scoring.significance import EXACT_CLUSTERS, FLIPS
from sitebuilder.intervals import OverallDraws
from sitebuilder.resampling import Resampled, sign_draws
from sitebuilder.scores import BenchScores

if TYPE_CHECKING:
    from sitebuilder.scores import Floats

_BLOCK = 1000  # patterns at a time; a multiple of 8, since signs are made of bytes
_FLIP_STREAM = 1  # apart from the stream of the resamples
_EXACT_PAIRS = 64  # pairs at a time against all patterns
Tested = Mapping[str, tuple[BenchScores, Resampled]]


def pair_places(engines: Sequence[str], tested: Tested) -> dict[str, list[int]]:
    """For each bench the columns of its pairs that are pairs of `engines`, in order."""
    wanted = set(engines)
    places = {}
    for bench, (scores, study) in tested.items():
        names = scores.measured
        ends = zip(study.pairs.first, study.pairs.second, strict=True)
        places[bench] = [
            place for place, (a, b) in enumerate(ends) if {names[a], names[b]} <= wanted
        ]
    return places


def sign_flips(tested: Tested, overall: OverallDraws | None) -> tuple[dict[str, Floats], Floats]:
    """Two-sided p of every pair of every bench, and of the pairs overall.

    Overall the statistic is the mean over benches of the paired differences of shares; signs are
    flipped by cluster within each bench, and the means of ultimate stay as they are.
    """
    import numpy as np

    places = pair_places(overall.engines, tested) if overall else {}
    scales, total, size = {}, np.zeros(0), np.zeros(0)
    if overall:
        total = size = np.zeros(len(next(iter(places.values()), [])))
        for bench, (_, study) in tested.items():
            sums, counts = study.pairs.sums[:, places[bench]], study.pairs.counts[:, places[bench]]
            weight = len(BENCHES) * counts.sum(axis=0) * study.own.mean[-1]
            scales[bench] = 1 / np.where(weight > 0, weight, np.inf)
            total = total + scales[bench] * sums.sum(axis=0)
            size = size + scales[bench] * np.abs(sums).sum(axis=0)
    targets = {bench: _target(study.pairs.sums) for bench, (_, study) in tested.items()}
    hits = {bench: np.zeros(len(target)) for bench, target in targets.items()}
    hits_overall = np.zeros(len(total))
    generators = {
        bench: np.random.default_rng([*own.seed(own.tested_by or "query"), _FLIP_STREAM])
        for bench, (own, _) in tested.items()
    }
    for _ in range(FLIPS // _BLOCK):
        drawn = np.zeros((len(total), _BLOCK))
        for bench, (_, study) in tested.items():
            signs = sign_draws(study.groups, generators[bench], _BLOCK)
            flipped = study.pairs.flipped(signs)
            hits[bench] += (np.abs(flipped) >= targets[bench][:, None]).sum(axis=1)
            if overall:
                drawn += scales[bench][:, None] * flipped[places[bench]]
        # patterns that reach the total exactly must not be lost to rounding
        hits_overall += (np.abs(drawn) >= (np.abs(total) - 1e-9 * size)[:, None]).sum(axis=1)
    found = {bench: (1 + each) / (FLIPS + 1) for bench, each in hits.items()}
    for bench, (_, study) in tested.items():
        _make_exact(found[bench], study.pairs.sums, study.pairs.counts)
    return found, (1 + hits_overall) / (FLIPS + 1)


def _target(sums: Floats) -> Floats:
    import numpy as np

    target: Floats = np.abs(sums.sum(axis=0)) - 1e-9 * np.abs(sums).sum(axis=0)
    return target


def _make_exact(p_values: Floats, sums: Floats, counts: Floats) -> None:
    """Replaces p of pairs with few clusters by that over all sign patterns.

    A pattern and its opposite give the same sum in size, so the last sign is left as it is.
    """
    import numpy as np

    groups = (counts > 0).sum(axis=0)
    few = np.flatnonzero((groups >= 1) & (groups <= EXACT_CLUSTERS))
    same: dict[bytes, list[int]] = {}
    for pair in few:
        same.setdefault((counts[:, pair] > 0).tobytes(), []).append(int(pair))
    for members in same.values():
        own = sums[counts[:, members[0]] > 0]
        signs = 1.0 - 2.0 * (np.arange(1 << len(own) - 1)[:, None] >> np.arange(len(own)) & 1)
        for start in range(0, len(members), _EXACT_PAIRS):
            chosen = members[start : start + _EXACT_PAIRS]
            sizes = np.abs(signs @ own[:, chosen])
            p_values[chosen] = (sizes >= _target(own[:, chosen])).mean(axis=0)
