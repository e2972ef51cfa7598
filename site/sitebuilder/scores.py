"""The scores of one bench as a matrix, from which all its statistics are computed.

Where the per-query scores of the runs are in the data a unit is one query of one run; else it is
one run, with the mean that the history has of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from runner.records.published import BENCHES, ScoresRow
from runner.scoring.intervals import SEED
from sitebuilder.dataset import Dataset
from sitebuilder.gate import Admitted, headline
from sitebuilder.results import ULTIMATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

Unit = Literal["query", "run"]
MIN_RUNS = 5  # fewer are no clustering of their own beside query clusters
UNITS: tuple[Unit, ...] = ("query", "run")


@dataclass(frozen=True)
class BenchScores:
    """Units × engines; NaN where an engine has no score. `ultimate`, where present, is last.

    `weights` are the queries behind a value, `shared` those behind a paired difference of a
    unit. `labels` give each unit's cluster, numbered from 0, for every clustering that has two
    clusters at least.
    """

    bench: str
    unit: Unit
    engines: tuple[str, ...]
    values: Floats
    weights: Floats
    shared: Floats
    labels: Mapping[Unit, Places]

    @property
    def measured(self) -> tuple[str, ...]:
        return tuple(engine for engine in self.engines if engine != ULTIMATE)

    @property
    def tested_by(self) -> Unit | None:
        """The clustering of the tests: by query wherever that is possible."""
        return next((unit for unit in UNITS if unit in self.labels), None)

    def seed(self, unit: Unit) -> list[int]:
        """A seed of its own for each bench and clustering: shared ones would tie their errors."""
        return [SEED, BENCHES.index(self.bench), UNITS.index(unit)]


def read_scores(data: Dataset, admitted: Mapping[str, Admitted]) -> dict[str, BenchScores]:
    """The scores of each bench behind the gate; left out where no engine is measured."""
    found = {}
    for bench, part in admitted.items():
        engines = [*part.measured, *([ULTIMATE] if ULTIMATE in part.rows else [])]
        if part.measured:
            rows = _covering(data, bench, part.runs)
            found[bench] = (
                _by_query(bench, rows, part, engines) if rows else _by_run(bench, part, engines)
            )
    return found


def _covering(data: Dataset, bench: str, stamps: Sequence[str]) -> list[ScoresRow]:
    """The per-query scores of exactly these runs, or nothing where one of them is missing."""
    wanted = set(stamps)
    rows = [row for row in data.scores if row.bench == bench and row.ts in wanted]
    return rows if {row.ts for row in rows} == wanted else []


def _by_query(
    bench: str, rows: Sequence[ScoresRow], part: Admitted, engines: Sequence[str]
) -> BenchScores:
    import numpy as np

    blocks = []
    for row in rows:
        absent = [None] * len(row.qids)
        columns = [
            row.engines.get(engine, absent) if part.counts(engine, row.ts) else absent
            for engine in engines
        ]
        blocks.append(np.array(columns, dtype=np.float64).T)
    values = np.concatenate(blocks)
    queries = _numbered([cid for row in rows for cid in (row.cids or row.qids)])
    runs = _numbered([row.ts for row in rows for _ in row.qids])
    scored = ~np.isnan(values)
    seen = scored[:, : len(part.measured)].any(axis=1)  # what nobody was scored on tells nothing
    labels = _usable(query=queries[seen], run=runs[seen])
    weights = scored[seen].astype(np.float64)
    shared = np.ones(len(weights))
    return BenchScores(bench, "query", tuple(engines), values[seen], weights, shared, labels)


def _by_run(bench: str, part: Admitted, engines: Sequence[str]) -> BenchScores:
    import numpy as np

    places = {ts: place for place, ts in enumerate(part.runs)}
    values = np.full((len(places), len(engines)), np.nan)
    weights = np.zeros_like(values)
    for column, engine in enumerate(engines):
        for row in part.kept[engine]:
            score = headline(row)
            if score is not None:
                values[places[row.ts], column] = score
                weights[places[row.ts], column] = row.num_scored
    seen = weights[:, : len(part.measured)].any(axis=1)
    values, weights = values[seen], weights[seen]
    shared = weights.max(axis=1)
    labels = _usable(run=np.arange(len(values)))
    return BenchScores(bench, "run", tuple(engines), values, weights, shared, labels)


def _numbered(names: Sequence[str]) -> Places:
    """Each name's number in first-seen order."""
    import numpy as np

    index: dict[str, int] = {}
    return np.array([index.setdefault(name, len(index)) for name in names], dtype=np.intp)


def _usable(**labels: Places) -> dict[Unit, Places]:
    """The clusterings with two clusters at least, each numbered without gaps.

    With a handful of runs the spread between them is all but unknown (t of one degree is 12.7)
    and would drown what the queries say: then there is none by run beside that by query.
    """
    import numpy as np

    found: dict[Unit, Places] = {}
    for unit in UNITS:
        if unit in labels:
            names, numbers = np.unique(labels[unit], return_inverse=True)
            is_enough = unit == "query" or "query" not in found or len(names) >= MIN_RUNS
            if len(names) >= 2 and is_enough:
                found[unit] = numbers
    return found
