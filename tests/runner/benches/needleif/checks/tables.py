"""Accept and reject tables: a response, and whether it follows the instruction.

`True` passes in both modes, `LOOSE` in loose mode alone, `False` in neither.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from runner.benches.needleif.checks import loose_variants, read_slot

LOOSE: Final = "loose"
Verdict = bool | Literal["loose"]
Table = list[tuple[str, Verdict]]


def strict(instruction_id: str, response: str, **arguments: Any) -> bool:
    """The strict verdict on a response."""
    return read_slot(instruction_id, arguments).passes(response)


def assert_table(instruction_id: str, table: Table, **arguments: Any) -> None:
    """At least 25 responses, accepted and rejected ones, each judged as said in both modes."""
    assert len(dict(table)) == len(table) >= 25
    assert {True, False} <= {verdict for _, verdict in table}
    slot = read_slot(instruction_id, arguments)

    def judged(response: str) -> Verdict:
        if slot.passes(response):
            return slot.passes_any(loose_variants(response))
        return LOOSE if slot.passes_any(loose_variants(response)) else False

    assert [(response, judged(response)) for response, _ in table] == table
