"""What the fake web says about companies: pages that state a fact, a wrong one, or none.

A query that names a company or its chief executive gets such pages into its pool (`corpus.pool`).
How many of them state the right value depends on the question: some facts are on eight pages,
others on none. Which of them an engine shows is the engine's own affair.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from tests.fakes import words
from tests.fakes.companies import Company, universe
from tests.fakes.company_figures import figures
from tests.fakes.company_filings import Filing, Quarter, before, filings, quarters
from tests.fakes.fact_sentences import FORMS, VAGUE, WRONG, money_forms
from tests.fakes.filing_pages import visible_text
from tests.fakes.operators import Ask
from tests.fakes.scene import Scene

PERIOD = re.compile(r"\bq([1-3]) (?:fiscal )?(\d{4})\b")
STATING = (0, 1, 3, 5, 8)  # how many pages state a fact, drawn with equal chance
AMOUNTS = ("revenue", "net income", "operating income", "diluted eps")
# The first of these that all stand in a query says what is asked; the order matters.
QUESTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lei", ("lei",)),
    ("ticker", ("ticker",)),
    ("founded_year", ("founded",)),
    ("hq_country", ("headquarters",)),
    ("hq_country", ("headquartered",)),
    ("website", ("website",)),
    ("employees", ("employees",)),
    ("employees", ("people", "work")),
    ("ceo_since", ("become", "ceo")),
    ("ceo_company", ("company", "lead", "ceo")),
    ("ceo", ("ceo",)),
)


@dataclass(frozen=True)
class Page:
    """One page before it becomes a document of the pool; `share` as there."""

    url: str
    title: str
    sentence: str
    share: float
    published: datetime | None = None


@lru_cache(maxsize=8)
def _index(seed: int, clock: datetime) -> dict[tuple[str, ...], Company]:
    """The companies by the words of their names and of those of their chief executives."""
    found: dict[tuple[str, ...], Company] = {}
    for company in universe(Scene(seed, clock)).companies:
        found.setdefault(tuple(words.content_words(company.name)), company)
    for company in universe(Scene(seed, clock)).companies:
        given, *_, surname = words.content_words(company.chief.name.removesuffix(" Jr."))
        found.setdefault((given, surname), company)
    return found


def named(scene: Scene, text: str) -> Company | None:
    """The company that a query names, by itself or by its chief executive."""
    known, said = _index(scene.seed, scene.clock), words.content_words(text)
    runs = (tuple(said[at : at + n]) for n in (4, 3, 2, 1) for at in range(len(said) - n + 1))
    return next((known[run] for run in runs if run in known), None)


def company_pages(scene: Scene, ask: Ask) -> list[Page]:
    """The pages about the company that a query names, on the sites it asks for; else none."""
    company = named(scene, ask.words)
    if company is None:
        return []
    rng = scene.draw("company pages", ask)
    said = set(re.findall(r"[a-z0-9]+", ask.words.lower()))
    period = PERIOD.search(ask.words.lower())
    question = next((name for name, cues in QUESTIONS if said.issuperset(cues)), None)
    amount = next((name for name in AMOUNTS if name in ask.words.lower()), None)
    if period and amount:
        found = _amount_pages(rng, scene, company, amount, int(period[1]), int(period[2]))
    elif question:
        found = _fact_pages(rng, company, question)
    else:
        found = _filing_pages(rng, scene, company, ask)
    once = {page.url: page for page in found if is_on(page, ask.sites)}
    return list(once.values())


def is_on(page: Page, sites: tuple[str, ...]) -> bool:
    """Whether a page is on one of these hosts or below; without any, every page is."""
    host = urlsplit(page.url).hostname or ""
    return not sites or any(host == site or host.endswith(f".{site}") for site in sites)


def values_of(company: Company) -> dict[str, str]:
    """What is true of a company, by field, in the form its own pages use."""
    return {
        "ceo": company.leader.name,
        "ceo_since": str(company.chief_since.year),
        "ceo_company": company.name,
        "founded_year": str(company.founded),
        "hq_country": company.country,
        "website": company.website,
        "employees": f"{company.employees:,}",
        "lei": company.lei,
        "ticker": company.tickers[0],
    }


def _fact_pages(rng: random.Random, company: Company, field: str) -> Iterator[Page]:
    """Pages for a fact of the registries."""
    blanks = {
        "name": company.name,
        "ceo": company.chief.name,
        "former": company.former.name,
        "exchange": company.exchange,
        "city": company.city,
        "number": rng.randrange(11, 90),
    }
    value = values_of(company)[field]
    for _ in range(rng.choice(STATING)):
        sentence = rng.choice(FORMS[field]).format(value=_varied(rng, field, value), **blanks)
        url = _address(rng, company, field)
        if field == "lei" and rng.randrange(3) == 0:
            url, sentence = f"https://search.gleif.org/#/record/{value}", VAGUE[0].format(**blanks)
        yield Page(url, f"{company.name} {_topic(field)}", sentence, rng.choice([1.0, 0.7]))
    for _ in range(rng.randrange(4)):
        sentence = rng.choice(WRONG[field]).format(**blanks)
        yield Page(_address(rng, company, field), company.name, sentence, rng.choice([1.0, 0.7]))
    yield from _vague(rng, company, field, blanks)


def _varied(rng: random.Random, field: str, value: str) -> str:
    """The value in another form that means the same; mostly as it is."""
    if field == "ceo":
        given, surname = (
            value.removesuffix(" Jr.").split()[0],
            value.removesuffix(" Jr.").split()[-1],
        )
        return rng.choice([value, f"{given} {surname}", f"{given} {surname}"])
    if field == "hq_country" and value == "United States":
        return rng.choice([value, "the U.S.", "USA"])
    if field == "lei":
        return rng.choice([value, value, " ".join(re.findall("....", value))])
    if field == "ticker":
        return value.replace("-", rng.choice(".-/"))
    return value


def _vague(
    rng: random.Random, company: Company, field: str, blanks: dict[str, object]
) -> Iterator[Page]:
    """Pages about the company that do not answer."""
    for _ in range(rng.randint(3, 6)):
        sentence = rng.choice(VAGUE).format(**blanks)
        title = rng.choice(
            [company.name, f"{company.name} {_topic(field)}", f"About {company.name}"]
        )
        yield Page(_address(rng, company, field), title, sentence, rng.choice([1.0, 0.7, 0.4]))


def _topic(field: str) -> str:
    return field.replace("_", " ")


def _address(rng: random.Random, company: Company, field: str) -> str:
    """Some page of the web; one of the company's own only where that is not the answer itself."""
    name = words.slug(company.name)
    if field != "website" and rng.randrange(4) == 0:
        return f"https://www.{company.website}/{rng.choice(['about', 'investors', 'news'])}"
    host = f"{rng.choice(words.SITES)}.example"
    form = rng.choice(["/company/{name}", "/wiki/{name}", "/quote/{name}?tab=profile", "/{name}"])
    return f"https://{host}{form.format(name=name)}-{rng.randrange(100, 999)}"


def _amount_pages(
    rng: random.Random, scene: Scene, company: Company, amount: str, part: int, year: int
) -> Iterator[Page]:
    """Pages for the figure of a quarter: the right one, that of a year before, or none."""
    known = [q for q in quarters(company, scene.clock) if (q.part, q.label) == (part, year)]
    blanks: dict[str, object] = {"name": company.name, "city": company.city, "number": 12}
    title = f"{company.name} reports Q{part} fiscal {year} results"
    if known:
        value = amount_of(scene, company, known[0], amount)
        past = amount_of(scene, company, before(company, known[0]), amount)
        pages = [(value, 1.0)] * rng.choice(STATING) + [(past, 0.7)] * rng.randrange(4)
        for number, share in pages:
            sentence = rng.choice(money_forms(rng, amount, number))
            published = datetime.combine(known[0].end, time(13), UTC) + timedelta(days=40)
            url = _address(rng, company, amount)
            yield Page(url, title, sentence, share, published)
    yield from _vague(rng, company, amount, blanks | {"ceo": "", "former": "", "exchange": "NYSE"})


def amount_of(scene: Scene, company: Company, quarter: Quarter, amount: str) -> float:
    """The figure of a quarter as its own report states it."""
    values = figures(scene.seed, company, quarter)
    return {
        "revenue": values.revenue,
        "net income": values.net_income,
        "operating income": values.operating_income,
        "diluted eps": values.eps,
    }[amount]


def _filing_pages(rng: random.Random, scene: Scene, company: Company, ask: Ask) -> Iterator[Page]:
    """Pages for the filing whose words a query has: itself, pages that cite it, its neighbours."""
    own = set(words.content_words(company.name))
    wanted = [word for word in words.content_words(ask.words) if word not in own]
    listed = [
        one
        for one in filings(scene, company)
        if one.document.endswith(".htm")
        and (not ask.after or one.filed >= ask.after)
        and (not ask.before or one.filed <= ask.before)
    ][:40]
    if not wanted or not listed:
        return
    scored = [(_held(scene, company, one, wanted), -at, one) for at, one in enumerate(listed)]
    scored.sort(key=lambda each: each[:2], reverse=True)
    best, _, filing = scored[0]
    if best >= 2:
        for _ in range(rng.choice(STATING)):
            yield _filing_page(rng, company, filing, wanted, 1.0)
    for _, _, other in scored[1:5]:
        yield _filing_page(rng, company, other, wanted[:1], rng.choice([0.7, 0.4]))


def _held(scene: Scene, company: Company, filing: Filing, wanted: list[str]) -> int:
    """How many of the words a filing has."""
    return len(set(wanted) & set(words.content_words(visible_text(scene, company, filing))))


def _filing_page(
    rng: random.Random, company: Company, filing: Filing, wanted: list[str], share: float
) -> Page:
    said = f"{company.name} {filing.form}: {' '.join(wanted)}."
    published = datetime.combine(filing.filed, time(16, 31), UTC)
    base = f"https://www.sec.gov/Archives/edgar/data/{company.cik}/{filing.folder}"
    match rng.randrange(4):
        case 0:
            url = f"{base}/{filing.accession}-index.htm"
        case 1:
            url = f"https://{rng.choice(words.SITES)}.example/filings/{rng.randrange(10_000)}"
            said += f" Accession number {filing.accession}."
        case _:
            url = f"{base}/{filing.document}"
    return Page(url, f"{company.title} - Form {filing.form}", said, share, published)
