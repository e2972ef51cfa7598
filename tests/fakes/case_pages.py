"""What the fake web says about opinions: their pages, pages that cite them, and near misses.

Only a query that names a court in words is about an opinion.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, time
from functools import lru_cache

from tests.fakes import words
from tests.fakes.cases import COURTS, Case, docket_book
from tests.fakes.company_pages import Page, is_on
from tests.fakes.operators import Ask
from tests.fakes.scene import Scene

STATING = (0, 1, 2, 4, 6)  # how many pages state an id, drawn with equal chance
MIN_WORDS = 2  # of the caption in the query, if it has so many
LEGAL_FORMS = frozenset(words.listed("llc inc corp lp company jr et al re matter ex parte vs"))
VAGUE = (
    "The court heard argument in {caption} and has yet to publish a reporter citation.",
    "Lawyers discuss {caption} and what it means for {subject}.",
    "Register to read our report on {subject}.",
)


@lru_cache(maxsize=8)
def _captions(seed: int, clock: datetime) -> dict[str, list[tuple[Case, frozenset[str]]]]:
    """The opinions of each court with the words of their captions."""
    found: dict[str, list[tuple[Case, frozenset[str]]]] = {court: [] for court in COURTS}
    for case in docket_book(Scene(seed, clock)).cases:
        caption = case.caption.partition("Revisions:")[0].replace("’", "'")
        known = frozenset(words.content_words(caption)) - LEGAL_FORMS
        if known:
            found[case.court].append((case, known))
    return found


def meant(scene: Scene, text: str) -> Case | None:
    """The opinion that a query means: of the court it names, the one with most of its words."""
    folded = f" {' '.join(words.fold(text).replace('.', '').split())} "
    court = next((name for name, (*_, said) in COURTS.items() if f" {said} " in folded), None)
    if court is None:
        return None
    said = set(words.content_words(text.replace("’", "'")))
    known = _captions(scene.seed, scene.clock)[court]
    best, of = max(known, key=lambda pair: (len(pair[1] & said), -len(pair[1]), pair[0].number))
    return best if len(of & said) >= min(MIN_WORDS, len(of)) else None


def case_pages(scene: Scene, ask: Ask) -> list[Page]:
    """The pages about the opinion that a query means, on the sites it asks for; else none."""
    case = meant(scene, ask.words)
    if case is None:
        return []
    rng = scene.draw("case pages", ask)
    pages = [
        *(_stating(rng, case) for _ in range(rng.choice(STATING))),
        *_missing(rng, scene, case),
    ]
    return list({page.url: page for page in pages if is_on(page, ask.sites)}.values())


def addresses(case: Case) -> list[str]:
    """The addresses that name the opinion by cluster, docket or citation."""
    found = [
        f"https://www.courtlistener.com{case.path}",
        f"https://courtlistener.com/opinion/{case.cluster}/?q=x",
    ]
    for docket in case.dockets[:1]:
        year, _, serial = docket.partition("-")
        name = words.slug(case.parties[0]) or "case"
        if case.court == "scotus":
            found.append(
                f"https://www.supremecourt.gov/opinions/{year[:2]}pdf/{docket}_h3ci.pdf#{name}"
            )
        else:
            found.append(
                "https://law.justia.com/cases/federal/appellate-courts/"
                f"{case.court}/{docket}/{docket}-{case.filed}.html"
            )
        if serial and case.court != "scotus":
            place = f"USCOURTS-{case.court}-{year}-{int(serial):05d}"
            found.append(f"https://www.govinfo.gov/app/details/{place}")
    for cite in case.citations:
        volume, *_, page = cite.split()
        if " U.S. " in cite:
            found.append(f"https://supreme.justia.com/cases/federal/us/{volume}/{page}/")
        if " F.4th " in cite:
            found.append(f"https://www.courtlistener.com/c/F.4th/{volume}/{page}/")
    return found


def text_forms(case: Case) -> list[str]:
    """Sentences that state an id of the opinion, as writers state them."""
    name, cited = _name(case), COURTS[case.court][1]
    found = []
    for docket in case.dockets:
        found += [f"{name}, No. {docket.replace('-', '–')}", f"Docket No. {docket}: {name}"]
    if len(case.dockets) > 1:
        found.append(f"Nos. {', '.join(case.dockets)}, {name}")
    for cite in case.citations:
        found += [f"{name}, {cite} ({cited} {case.filed.year})", f"as held in {cite}"]
        found.append(f"see {cite.replace('F.4th', 'F. 4th').replace('U.S.', 'U. S.')}")
    return found


def _name(case: Case) -> str:
    return " v. ".join(name for name in case.parties if name) or case.caption


def _stating(rng: random.Random, case: Case) -> Page:
    forms = text_forms(case)
    if not forms or rng.randrange(3):
        url, sentence = rng.choice(addresses(case)), f"{_name(case)}. {case.summary}"
    else:
        url, sentence = _elsewhere(rng, case), f"{rng.choice(forms)}."
    title = rng.choice([case.caption, _name(case), f"{_name(case)} | {COURTS[case.court][0]}"])
    filed = datetime.combine(case.filed, time(12), UTC)
    return Page(url, title, sentence, rng.choice([1.0, 0.7]), filed)


def _elsewhere(rng: random.Random, case: Case) -> str:
    name = words.slug(case.caption)
    return f"https://{rng.choice(words.SITES)}.example/law/{name}-{rng.randrange(100, 999)}"


def _missing(rng: random.Random, scene: Scene, case: Case) -> Iterator[Page]:
    """Pages that miss the opinion: its docket without a party, another reporter, a digit more."""
    near = [
        f"{_name(case)}, {cite.replace('F.4th', 'F.3d').replace('U.S.', 'F.2d')}"
        for cite in case.citations[:1]
    ]
    near += [f"{_name(case)}, {cite}7" for cite in case.citations[:1]]
    near += [f"Order of the day: {docket} is continued." for docket in case.dockets[:1]]
    near += [f"{_name(case)}, No. {docket}0" for docket in case.dockets[:1] if "A" not in docket]
    for sentence in rng.sample(near, min(len(near), rng.randrange(3))):
        title = "Orders" if sentence.startswith("Order") else _name(case)
        url = f"https://{rng.choice(words.SITES)}.example/dockets/{rng.randrange(10**6)}"
        yield Page(url, title, sentence, rng.choice([1.0, 0.7]))
    cases = docket_book(scene).cases
    other = cases[rng.randrange(len(cases))]
    if other.cluster != case.cluster:
        yield Page(addresses(other)[0], other.caption or "Opinion", other.summary, 0.4)
    for _ in range(rng.randint(2, 4)):
        sentence = rng.choice(VAGUE).format(caption=_name(case), subject=case.subject)
        yield Page(_elsewhere(rng, case), _name(case), sentence, rng.choice([0.7, 0.4]))
