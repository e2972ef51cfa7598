"""The facts that the finance bench asks for: their type, query templates, cues and how long they
stay true. The one place for each; rows, matcher, report and page read it here.

In the templates `{name}` is the company's name as people write it, in lower case, and `{ceo}` the
name of its chief executive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FieldType = Literal[
    "person", "entity", "year", "country", "domain", "exact_id", "money", "numeric_band"
]
Freshness = Literal["1h", "24h", "7d", "30d", "1y", "5y", "static"]
FRESHNESS: tuple[Freshness, ...] = ("1h", "24h", "7d", "30d", "1y", "5y", "static")
SUITES = ("finance", "filings", "filingdoc")


@dataclass(frozen=True, kw_only=True)
class Field:
    """One kind of fact.

    `keyword` and `question` are the two forms of its query, None where it has only the other.
    `cues` are phrases in normal form: without one of them near the value a text does not state
    this fact; none are needed where the value alone says it. `freshness` is that of a fact
    with no date of its own.
    """

    name: str
    suite: str
    type: FieldType
    freshness: Freshness
    keyword: str | None = None
    question: str | None = None
    cues: tuple[str, ...] = ()


_ALL = (
    Field(
        name="ceo",
        suite="finance",
        type="person",
        freshness="1y",
        keyword="{name} ceo",
        question="who is the ceo of {name}?",
    ),
    Field(
        name="ceo_since",
        suite="finance",
        type="year",
        freshness="1y",
        question="when did {ceo} become ceo of {name}?",
        cues=(
            "became",
            "become",
            "since",
            "appointed",
            "named",
            "succeeded",
            "took over",
            "assumed",
            "in office",
            "elected",
            "promoted",
            "hired",
        ),
    ),
    Field(
        name="ceo_company",
        suite="finance",
        type="entity",
        freshness="1y",
        question="which company does {ceo} lead as ceo?",
        cues=("ceo", "chief executive"),
    ),
    Field(
        name="founded_year",
        suite="finance",
        type="year",
        freshness="static",
        keyword="{name} founded year",
        question="when was {name} founded?",
        cues=(
            "founded",
            "founding",
            "established",
            "est",
            "incorporated",
            "began",
            "started",
            "since",
        ),
    ),
    Field(
        name="hq_country",
        suite="finance",
        type="country",
        freshness="static",
        keyword="{name} headquarters country",
        question="in which country is {name} headquartered?",
    ),
    Field(
        name="website",
        suite="finance",
        type="domain",
        freshness="static",
        keyword="{name} official website",
        question="what is the official website of {name}?",
    ),
    Field(
        name="employees",
        suite="finance",
        type="numeric_band",
        freshness="1y",
        keyword="{name} number of employees",
        question="how many people work at {name}?",
        cues=("employee", "employees", "employs", "headcount", "workforce", "staff"),
    ),
    Field(
        name="lei",
        suite="finance",
        type="exact_id",
        freshness="static",
        keyword="{name} lei code",
        question="what is the legal entity identifier (lei) of {name}?",
    ),
    Field(
        name="ticker",
        suite="finance",
        type="exact_id",
        freshness="static",
        keyword="{name} stock ticker symbol",
        question="what is the stock ticker symbol of {name}?",
        cues=(
            "ticker",
            "symbol",
            "stock",
            "shares",
            "share price",
            "quote",
            "trades",
            "traded",
            "listed",
            "listing",
            "nasdaq",
            "nyse",
            "amex",
            "tsx",
            "lse",
            "otc",
            "otcqx",
            "otcqb",
            "cboe",
        ),
    ),
    Field(
        name="revenue",
        suite="filings",
        type="money",
        freshness="1y",
        keyword="{name} {period} revenue",
    ),
    Field(
        name="net_income",
        suite="filings",
        type="money",
        freshness="1y",
        keyword="{name} {period} net income",
    ),
    Field(
        name="operating_income",
        suite="filings",
        type="money",
        freshness="1y",
        keyword="{name} {period} operating income",
    ),
    Field(
        name="eps_diluted",
        suite="filings",
        type="money",
        freshness="1y",
        keyword="{name} {period} diluted eps",
        cues=(
            "eps",
            "per share",
            "earnings per",
            "per diluted share",
            "per basic share",
            "per common share",
            "per ordinary share",
            "per diluted common share",
            "per basic common share",
            "a share",
        ),
    ),
    Field(name="filing", suite="filingdoc", type="exact_id", freshness="static"),
)
FIELDS = {field.name: field for field in _ALL}


def is_per_share(field: str) -> bool:
    """Whether a field's amounts are dollars a share: never scaled by thousands or millions."""
    return field.startswith("eps")
