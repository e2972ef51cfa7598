"""Gold that lives between runs: a suite that gave too little keeps the rows of the last time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from runner.benches.bench import Harvest
from runner.errors import TooLittleError
from runner.records.queries import QueryRow


def with_kept_gold(
    harvest: Harvest, previous: Sequence[QueryRow], suite: Callable[[QueryRow], str]
) -> Harvest:
    """The harvest, completed by `previous` rows of its short suites, which are marked as stale.

    Raises TooLittleError where no suite gave rows or a short one has no earlier rows: the gold
    that is there then stays as it is.
    """
    kept = [_stale(row) for row in previous if suite(row) in harvest.short]
    counts = Counter(suite(row) for row in kept)
    missing = [name for name in harvest.short if not counts[name]]
    if missing or not harvest.rows:
        why = "; ".join(f"{name}: {harvest.short[name]}" for name in missing or harvest.short)
        raise TooLittleError(f"too few queries, the gold that is there is kept ({why})")
    return replace(
        harvest,
        rows=[*harvest.rows, *kept],
        counts=harvest.counts | {f"kept_from_before_{name}": n for name, n in counts.items()},
        reasons=harvest.reasons | {f"short_{name}": why for name, why in harvest.short.items()},
    )


def _stale(row: QueryRow) -> QueryRow:
    origin = row.query_origin
    provenance = {**origin.provenance, "stale": True}
    return msgspec.structs.replace(
        row, query_origin=msgspec.structs.replace(origin, provenance=provenance)
    )
