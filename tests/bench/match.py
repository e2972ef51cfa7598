"""What matching costs: 120 questions x 27 engines x 5 results of 2,000 characters, on one core.

The evidence is what makes a matcher work: pages of the sample world next to tables of figures,
half of them with the gold value in them. The baseline is what anyone would try first, one
case-folded substring search of the value in the same texts.
"""

from __future__ import annotations

import random
import time
from collections import Counter

import msgspec

from runner.benches.bench import Target, load_bench
from runner.engines.local import Page
from runner.paths import SAMPLE
from runner.records.jsonl import read_all
from runner.records.queries import QueryRow, decode_query
from runner.sampling import sample

QUERIES, ENGINES, RESULTS, CHARS = 120, 27, 5, 2_000
BOUND_S = 5.0


def _table(rng: random.Random) -> str:
    """A block of a financial statement as it arrives in a snippet."""
    labels = ("Net sales", "Cost of sales", "Operating income", "Net income (loss)", "Diluted EPS")
    rows = []
    while sum(map(len, rows)) < CHARS // 2:
        figures = [f"{rng.randrange(10 ** rng.randint(2, 6)):,}" for _ in range(4)]
        figures[rng.randrange(4)] = f"({rng.randrange(1000)})"
        rows.append(f"{rng.choice(labels)} $ {' '.join(figures)} {rng.uniform(-30, 30):.1f}%")
    return "(in thousands) " + " | ".join(rows)


def _texts(rng: random.Random, rows: list[QueryRow], pages: list[str]) -> list[list[str]]:
    found = []
    for row in rows:
        assert row.gold is not None
        texts = []
        for number in range(ENGINES * RESULTS):
            parts = [rng.choice(pages) for _ in range(4)] + [_table(rng)]
            if number % 2:
                parts.append(f" {row.gold['value']} ")
            rng.shuffle(parts)
            texts.append(" ".join(parts)[:CHARS].ljust(CHARS, "."))
        found.append(texts)
    return found


def main() -> None:
    """Prints the seconds, their ratio to the bound and to the baseline, and the dearest types."""
    rng = random.Random(0)
    bench = load_bench("finance")
    assert bench.target is not None
    gold = read_all(SAMPLE / "finance" / "gold.jsonl", decode_query)
    rows = sample(gold, QUERIES, "stratified", 0, bench.stratum)
    pages = [
        page.text
        for name in ("finance/pages.jsonl", "pages.jsonl")
        for page in read_all(SAMPLE / name, msgspec.json.Decoder(Page).decode)
    ]
    texts = _texts(rng, rows, pages)
    print(f"{len(rows)} queries x {ENGINES} engines x {RESULTS} results x {CHARS} characters")
    began = time.process_time()
    targets: list[Target] = [bench.target(row) for row in rows]
    made = time.process_time() - began
    spent: Counter[str] = Counter()
    hits = 0
    for row, target, found in zip(rows, targets, texts, strict=True):
        began = time.process_time()
        for number, text in enumerate(found):
            hits += target.match(f"https://{number}.example/a", text).via is not None
        assert row.gold is not None
        spent[str(row.gold["field_type"])] += time.process_time() - began  # type: ignore[assignment]
    total = made + sum(spent.values())
    began = time.process_time()
    for row, found in zip(rows, texts, strict=True):
        assert row.gold is not None
        value = str(row.gold["value"]).casefold()
        for text in found:
            value in text.casefold()  # noqa: B015 - the work is what is measured
    baseline = time.process_time() - began
    print(f"  CPU {total:.2f} s, {total / BOUND_S:.2f} x the bound of {BOUND_S:.0f} s; {hits} hits")
    print(f"  {total / baseline:.0f} x the baseline (substring search, {baseline:.2f} s)")
    for kind, seconds in spent.most_common():
        count = sum(row.gold is not None and row.gold["field_type"] == kind for row in rows)
        each = seconds / (count * ENGINES * RESULTS) * 1000
        print(f"  {kind}: {each:.3f} ms a result over {count} queries")
