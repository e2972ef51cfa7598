"""Targets of made-up opinions and sections, for the tests of the legal bench."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from runner.benches.bench import Target
from runner.benches.legal.rows import LegalGold, LegalIds, legal_row
from runner.benches.legal.score import legal_target

HOUR = datetime(2026, 11, 3, 9, tzinfo=UTC)
NOWHERE = "https://x.test/"


def opinion_gold(
    *,
    cluster: str = "19999999",
    docket: str | None = None,
    cites: Sequence[str] = (),
    tokens: Sequence[str] = ("riverbend", "quarry"),
    court: str = "ca9",
) -> LegalGold:
    return LegalGold(
        case_key=cluster,
        ids=LegalIds(cluster=cluster, docket=docket, cites=list(cites)),
        party_tokens=list(tokens),
        court=court,
        date_filed="2026-08-14",
        case_name="Riverbend Mills, LLC v. Harbor Quarry",
    )


def section_gold(cfr: str = "17:240.15c3-1") -> LegalGold:
    title, _, section = cfr.partition(":")
    return LegalGold(
        case_key=cfr,
        ids=LegalIds(cfr=cfr),
        citation=f"{title} CFR {section}",
        heading="Net capital requirements for brokers or dealers.",
    )


def target(gold: LegalGold, syntax: str = "plain") -> Target:
    return legal_target(
        legal_row("riverbend quarry", gold=gold, syntax=syntax, provenance={}, now=HOUR)
    )


def via(gold: LegalGold, text: str = "", url: str = NOWHERE) -> str | None:
    """How a result is recognised, None where it is not."""
    return target(gold).match(url, text).via
