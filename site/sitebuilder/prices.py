"""What an engine costs: the price that its newest report carries, explained by the catalog."""

from __future__ import annotations

from collections.abc import Iterable

from runner.engines.registry import load_catalog
from sitebuilder.dataset import Dataset
from sitebuilder.results import Price


def build_prices(data: Dataset, engines: Iterable[str]) -> list[Price]:
    """By engine id; an engine without a known price is left out, never free."""
    reported: dict[str, float] = {}
    for report in sorted(data.latest.values(), key=lambda report: (report.ts, report.bench)):
        for engine, part in report.engines.items():
            if part.price_usd_per_1k is not None:
                reported[engine] = part.price_usd_per_1k
    catalog = load_catalog()
    prices = []
    for engine in sorted(engines):
        spec = catalog.get(engine)
        listed = spec.price_usd_per_1k if spec else None
        price = reported.get(engine, listed)
        if price is None:
            continue
        is_listed = spec is not None and price == listed
        prices.append(
            Price(
                engine=engine,
                usd_per_1k=price,
                plan=spec.price_plan or None if spec and is_listed else None,
                date=spec.price_date or None if spec and is_listed else None,
                source=_web_page(spec.price_source) if spec and is_listed else None,
            )
        )
    return prices


def _web_page(address: str) -> str | None:
    """The address where it is one that may become a link."""
    return address if address.startswith("https://") else None
