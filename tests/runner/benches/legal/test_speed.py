"""How long a usual result takes: a run matches some 270 of them for each query."""

from __future__ import annotations

import time

from tests.runner.benches.legal.made_gold import opinion_gold, section_gold, target

CHARS = 2_000
# Measured: 0.1 to 0.2 ms. The bound leaves room for a slow machine, and none for a scan that
# knows every reporter of the country (5 ms and more).
BOUND_MS = 1.5

OPINION = (
    "Riverbend Mills, LLC v. Harbor Quarry, No. 25–1904 (9th Cir. Aug. 14, 2026). The district "
    "court granted summary judgment for the county on the ground that the mill’s claim was barred. "
    "We review de novo, Smith v. Jones, 97 F.4th 310, 315 (9th Cir. 2024), and reverse in part. "
    "The statute, 42 U.S.C. § 1983, gives a cause of action against every person who acts under "
    "colour of state law, and nothing in the county’s charter takes that away. "
)
RULE = (
    "§ 240.15c3-1 Net capital requirements for brokers or dealers. Every broker or dealer must at "
    "all times have and maintain net capital no less than the greater of the highest minimum "
    "requirement applicable to its ratio requirement, as 17 CFR 240.15c3-1(a)(1) provides, or to "
    "any of its activities; see paragraph (a)(2) of this section and the appendices to it. "
)
ARTICLE = (
    "The ruling, which the judges handed down on Tuesday after more than 18 months of hearings, "
    "leaves the mill’s owners with a bill of $4.2 million and the county with a road that nobody "
    "wants to pay for. Residents said they had expected as much since 2024. "
)


def test_a_result_of_usual_length_is_matched_within_its_budget() -> None:
    texts = [(text * 20)[:CHARS] for text in (OPINION, RULE, ARTICLE)]
    made = [
        target(opinion_gold(docket="25-904", cites=["197 F.4th 310"])),
        target(section_gold("40:52.21")),
    ]
    url = (
        "https://law.justia.com/cases/federal/appellate-courts/ca9/25-1904/25-1904-2026-08-14.html"
    )
    rounds = 50
    start = time.process_time()
    for _ in range(rounds):
        for each in made:
            for text in texts:
                assert each.match(url, text).via is None
    taken_ms = (time.process_time() - start) * 1_000
    assert taken_ms / (rounds * len(made) * len(texts)) < BOUND_MS
