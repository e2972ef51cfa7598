"""Accept and reject tables: a response, and whether it follows the instruction strictly."""

from __future__ import annotations

from typing import Any

from runner.benches.needleif.checks import read_slot

Table = list[tuple[str, bool]]


def strict(instruction_id: str, response: str, **arguments: Any) -> bool:
    """The strict verdict on a response."""
    return read_slot(instruction_id, arguments).passes(response)


def assert_table(instruction_id: str, table: Table, **arguments: Any) -> None:
    """At least 25 responses, both verdicts among them, each judged as the table says."""
    assert len(dict(table)) == len(table) >= 25
    assert {verdict for _, verdict in table} == {True, False}
    slot = read_slot(instruction_id, arguments)
    wrong = [response for response, verdict in table if slot.passes(response) is not verdict]
    assert wrong == []
