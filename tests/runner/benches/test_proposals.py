"""A model's proposal: read from JSON or one line, or refused as unreadable."""

from __future__ import annotations

import pytest

from runner.benches.proposals import Proposal, parse_proposal
from runner.judging.asking import ReplyError


@pytest.mark.parametrize(
    ("reply", "proposal"),
    [
        (
            '{"query": "acme \\"blue harbor\\" plant", "refusal": null,'
            ' "quoted_span": "blue harbor", "evidence": "the Blue Harbor plant"}',
            Proposal('acme "blue harbor" plant', None, "blue harbor", "the Blue Harbor plant"),
        ),
        ('{"query": "a “b c”\\n d"}', Proposal('a "b c" d')),
        ('{"query": "ends in \\"a span\\""}', Proposal('ends in "a span"')),
        ('```json\n{"query": "a b c", "refusal": null}\n```', Proposal("a b c")),
        (
            '{"query": null, "refusal": "boilerplate", "quoted_span": "x", "evidence": " "}',
            Proposal(None, "boilerplate"),
        ),
        ('{"query": "a b", "refusal": null, "quoted_span": 5, "evidence": []}', Proposal("a b")),
        ('acme "blue harbor" plant', Proposal('acme "blue harbor" plant')),
        ("acme plant\nbecause it is distinctive", Proposal("acme plant")),
        (
            "no_distinct_query",
            Proposal(None, "no_distinct_detail", None, "no_distinct_query"),
        ),
        ("", Proposal(None, "no_distinct_detail", None, "empty reply")),
    ],
)
def test_a_reply_holds_a_query_or_a_refusal(reply: str, proposal: Proposal) -> None:
    assert parse_proposal(reply) == proposal


@pytest.mark.parametrize(
    "reply",
    [
        '{"query": null, "refusal": null}',
        '{"query": "a b", "refusal": "boilerplate"}',
        '{"query": null, "refusal": "bored"}',
        '{"query": 5, "refusal": null}',
        '{"query": "  ", "refusal": null}',
        "{}",
        '{"query": "cut off',
        "[1, 2]",
        "x" * 300,
    ],
)
def test_what_is_neither_can_be_asked_for_again(reply: str) -> None:
    with pytest.raises(ReplyError):
        parse_proposal(reply)
