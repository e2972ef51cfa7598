"""What two engines would share if they had answered different queries: shuffles of real answers.

One engine of each pair has its answers dealt out anew among the queries of a run, so that what is
left of the sharing comes from pages that both return whatever is asked. All runs together make one
deal; the share of deals with at least the observed sharing is the p-value (with the observed deal
counted in: Phipson and Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010). What is expected over all
deals is exact, since every answer then meets every query of its run equally often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from runner.scoring.overlap import UrlSets

if TYPE_CHECKING:
    from numpy import int64
    from numpy.random import Generator
    from numpy.typing import NDArray

    from sitebuilder.scores import Floats

    Ints = NDArray[int64]

DEALS = 9_999
SEED = 0
_BATCH = 1_111  # deals at a time
_ROUNDING = 1e-9
Run = Mapping[str, Sequence[UrlSets | None]]
"""Per engine its answer to each query of the run, None where the search failed."""


@dataclass(frozen=True)
class Shuffled:
    """One measure of one pair: its mean over the queries that both answered, what it would be
    over shuffled queries, and how seldom a shuffle shares as much."""

    observed: float
    expected: float
    p: float


@dataclass(frozen=True)
class PairShuffled:
    """A pair over all runs; `num_queries` as in the rows of overlap."""

    a: str
    b: str
    num_queries: int
    share_suspect: Shuffled
    share_shared3: Shuffled
    mean_jaccard: Shuffled


@dataclass(frozen=True)
class _Cells:
    """Where answers share: `values` (suspicious, three or more, Jaccard) of pair `pair` where the
    first engine's query is `i` and the second's `j`; sorted by (i, j)."""

    i: Ints
    j: Ints
    pair: Ints
    values: Floats


def shuffle(runs: Sequence[Run], *, deals: int = DEALS, seed: int = SEED) -> list[PairShuffled]:
    """Every pair of engines that both answered a query, by id; nothing without such a pair.

    All engines of a run have the same queries in the same order; runs are shuffled apart.
    """
    import numpy as np

    engines = sorted({name for run in runs for name in run})
    pairs = list(combinations(engines, 2))
    if not pairs:
        return []
    place = {pair: n for n, pair in enumerate(pairs)}
    runs = [each for each in runs if each and _size(each)]
    cells = [_cells(run, place) for run in runs]
    observed, expected = np.zeros((len(pairs), 3)), np.zeros((len(pairs), 3))
    asked, asked_expected = np.zeros(len(pairs)), np.zeros(len(pairs))
    for run, found in zip(runs, cells, strict=True):
        size = _size(run)
        same = found.i == found.j
        np.add.at(observed, found.pair[same], found.values[same])
        np.add.at(expected, found.pair, found.values / size)
        for pair, both, by_chance in _asked(run, place):
            asked[pair] += both
            asked_expected[pair] += by_chance
    hits = np.zeros((len(pairs), 3))
    generator = np.random.default_rng(seed)
    for start in range(0, deals, _BATCH):
        batch = min(_BATCH, deals - start)
        dealt = np.zeros((batch, len(pairs), 3))
        for run, found in zip(runs, cells, strict=True):
            _deal(dealt, found, _size(run), generator)
        hits += (dealt >= observed - _ROUNDING).sum(axis=0)
    p_values = (1 + hits) / (deals + 1)
    shares = observed / np.maximum(asked, 1)[:, None]
    chance = expected / np.where(asked_expected > 0, asked_expected, 1)[:, None]
    return [
        PairShuffled(
            a,
            b,
            int(asked[n]),
            *(
                Shuffled(float(shares[n, m]), float(chance[n, m]), float(p_values[n, m]))
                for m in range(3)
            ),
        )
        for (a, b), n in place.items()
        if asked[n]
    ]


def _size(run: Run) -> int:
    return len(next(iter(run.values())))


def _deal(dealt: Floats, cells: _Cells, size: int, generator: Generator) -> None:
    """Adds one run to each deal: query i of the first engine meets the answer that was dealt."""
    import numpy as np

    order = np.tile(np.arange(size), (len(dealt), 1))
    order = generator.permuted(order, axis=1)
    if not len(cells.i):
        return
    key = cells.i * size + cells.j
    counts = np.bincount(key, minlength=size * size)
    met = (np.arange(size) * size + order).ravel()
    repeats = counts[met]
    ends = np.cumsum(repeats)
    firsts = np.repeat((np.cumsum(counts) - counts)[met], repeats)
    entries = firsts + np.arange(ends[-1]) - np.repeat(ends - repeats, repeats)
    deals, pairs, _ = dealt.shape
    slots = np.repeat(np.arange(len(met)) // size * pairs, repeats) + cells.pair[entries]
    for measure in range(3):
        weights = cells.values[entries, measure]
        found = np.bincount(slots, weights=weights, minlength=deals * pairs)
        dealt[:, :, measure] += found.reshape(deals, pairs)


def _asked(run: Run, place: Mapping[tuple[str, str], int]) -> Iterator[tuple[int, int, float]]:
    """For each pair its queries: those that both answered, but not both with nothing."""
    size = _size(run)
    failed = {name: {n for n, each in enumerate(run[name]) if each is None} for name in run}
    empty = {
        name: {n for n, each in enumerate(run[name]) if each is not None and not each.all}
        for name in run
    }
    for a, b in combinations(sorted(run), 2):
        both = size - len(failed[a] | failed[b]) - len(empty[a] & empty[b])
        met = len(failed[a]) * len(failed[b]) - len(empty[a]) * len(empty[b])
        yield place[a, b], both, size - len(failed[a]) - len(failed[b]) + met / size


def _cells(run: Run, place: Mapping[tuple[str, str], int]) -> _Cells:
    """All pairs of answers, to one query or to two, that have a URL in common."""
    import numpy as np

    names = sorted(run)
    size = _size(run)
    numbers: dict[str, int] = {}
    rows = [
        (numbers.setdefault(url, len(numbers)), e, n, url in answer.low)
        for e, name in enumerate(names)
        for n, answer in enumerate(run[name])
        if answer is not None
        for url in sorted(answer.all)
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    url, engine, query, low = table[np.argsort(table[:, 0], kind="stable")].T
    counts = np.bincount(url, minlength=len(numbers))
    repeats = counts[url]
    left = np.repeat(np.arange(len(url)), repeats)
    firsts = np.repeat((np.cumsum(counts) - counts)[url], repeats)
    right = firsts + np.arange(len(left)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    kept = engine[left] < engine[right]
    left, right = left[kept], right[kept]
    key = ((query[left] * size + query[right]) * len(names) + engine[left]) * len(names)
    keys, where = np.unique(key + engine[right], return_inverse=True)
    shared = np.bincount(where, minlength=len(keys))
    both_low = np.bincount(where, weights=low[left] * low[right], minlength=len(keys))
    rest, second = np.divmod(keys, len(names))
    rest, first = np.divmod(rest, len(names))
    i, j = np.divmod(rest, size)
    sizes = np.array([[0 if each is None else len(each.all) for each in run[n]] for n in names])
    union = sizes[first, i] + sizes[second, j] - shared
    pair = np.array([[place.get((a, b), -1) for b in names] for a in names])[first, second]
    is_suspect = (both_low >= 1) | (shared >= 3)
    return _Cells(i, j, pair, np.stack([is_suspect, shared >= 3, shared / union], axis=1))
