"""www.sec.gov, data.sec.gov, efts.sec.gov: the list of securities, documents, filings and facts.

All three want a User-Agent with a contact and answer anything else with their page of refusal;
data.sec.gov is a store of objects, whose 404 is the XML of such stores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, time
from functools import lru_cache
from typing import Any

from tests.fakes.companies import Company, universe
from tests.fakes.company_figures import (
    LABELS,
    UNITS,
    Fact,
    facts,
    framed,
    shares_outstanding,
)
from tests.fakes.company_filings import Filing, filings, pages
from tests.fakes.filing_pages import page
from tests.fakes.hostile import hostile_text
from tests.fakes.hosts.sec_search import search
from tests.fakes.scene import Host, Scene
from tests.fakes.validators import conditional
from tests.fakes.wire import JSON_TYPE, Request, Response, text_answer

CONTACT = re.compile(r"[^\s@()+]+@[^\s@()]+\.[a-z]{2,}|https?://\S+\.\S+", re.IGNORECASE)
CIK_FILE = re.compile(r"CIK(\d{10})(?:-submissions-(\d{3}))?\.json")
ARCHIVE = re.compile(r"/Archives/edgar/data/(\d+)/(\d{18})/([\w./-]+)")
TAXONOMY = "us-gaap"

UNDECLARED = """<!DOCTYPE html>
<html lang="en"><head>
<title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head><body>
<h1>Your Request Originates from an Undeclared Automated Tool</h1>
<p>Please declare your traffic: the user agent must name your company or project and an address at
which we can reach you. Reference ID: 0.fake.1</p></body></html>
"""
THRESHOLD = """<!DOCTYPE html>
<html lang="en"><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head>
<body><h1>Request Rate Threshold Exceeded</h1>
<p>Your address has sent more than 10 requests per second. Access comes back when it has stayed
below that for 10 minutes. Reference ID: 0.fake.2</p></body></html>
"""


def error(status: int, message: str) -> Response:
    """The pages of the web server: 403 and 429 are the one about the rate of requests."""
    if status in (403, 429):
        return text_answer(THRESHOLD, status, "text/html")
    page = f"<html><head><title>{status}</title></head><body><h1>{message}</h1></body></html>"
    return text_answer(page, status, "text/html")


def missing_key(path: str) -> Response:
    """What the store of objects says of one that is not there."""
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>'
        f"<Message>The specified key does not exist.</Message><Key>{path[1:]}</Key>"
        "<RequestId>FAKE</RequestId></Error>"
    )
    return text_answer(text, 404, "application/xml")


def _declared(
    answer: Callable[[Request, Scene], Response],
) -> Callable[[Request, Scene], Response]:
    """The same host, closed to requests without a contact and to all methods but GET."""

    def guarded(request: Request, scene: Scene) -> Response:
        if not CONTACT.search(request.headers.get("user-agent", "")):
            return text_answer(UNDECLARED, 403, "text/html")
        if request.method != "GET":
            return error(405, "Method Not Allowed")
        return answer(request, scene)

    return guarded


def web(request: Request, scene: Scene) -> Response:
    """www.sec.gov."""
    midnight = datetime.combine(scene.clock.date(), time(), UTC)
    if request.path == "/files/company_tickers.json":
        return conditional(request, _listing(scene.seed, scene.clock, scene.hostile), midnight)
    match = ARCHIVE.fullmatch(request.path)
    company = universe(scene).by_cik.get(int(match[1])) if match else None
    if match and company:
        for filing in filings(scene, company):
            if (filing.folder, filing.document) == (match[2], match[3]):
                return conditional(request, _document(scene, company, filing), _at(filing))
    return error(404, "Page not found")


def _at(filing: Filing) -> datetime:
    return datetime.combine(filing.filed, time(16, 31, 5), UTC)


def _document(scene: Scene, company: Company, filing: Filing) -> Response:
    if filing.document.endswith(".xml"):
        return text_answer("<ownershipDocument/>", 200, "text/xml")
    return text_answer(page(scene, company, filing), 200, "text/html")


@lru_cache(maxsize=4)
def _listed(seed: int, clock: datetime, is_hostile: bool) -> dict[str, Any]:
    scene = Scene(seed, clock)
    rng = scene.draw("hostile titles")
    return {
        str(place): {
            "cik_str": cik,
            "ticker": ticker,
            "title": f"{title} {hostile_text(rng)}"
            if is_hostile and rng.randrange(4) == 0
            else title,
        }
        for place, (cik, ticker, title) in enumerate(universe(scene).rows)
    }


def _listing(seed: int, clock: datetime, is_hostile: bool) -> Response:
    return _json(_listed(seed, clock, is_hostile))


def _json(data: Any) -> Response:
    """JSON as the service writes it: with escapes, so that lone surrogates stay possible."""
    body = json.dumps(data, separators=(",", ":")).encode()
    return Response(200, body, {"Content-Type": JSON_TYPE.partition(";")[0]}, data)


def data(request: Request, scene: Scene) -> Response:
    """data.sec.gov."""
    folder, _, name = request.path[1:].rpartition("/")
    match = CIK_FILE.fullmatch(name)
    if folder.startswith("api/xbrl/frames/"):
        found = _frame(scene, folder.split("/")[3:], name)
    elif folder.startswith("api/xbrl/companyconcept/"):
        cik, _, taxonomy = folder.removeprefix("api/xbrl/companyconcept/").partition("/")
        found = _concept(scene, cik, taxonomy, name)
    elif match and folder == "api/xbrl/companyfacts" and not match[2]:
        found = _company_facts(scene, int(match[1]))
    elif match and folder == "submissions":
        found = _submissions(scene, int(match[1]), match[2])
    else:
        found = None
    if found is None:
        return missing_key(request.path)
    return conditional(request, _json(found), scene.clock.replace(minute=0, second=0))


def _company_facts(scene: Scene, cik: int) -> dict[str, Any] | None:
    company = universe(scene).by_cik.get(cik)
    if company is None or "no_facts" in company.traps:
        return None
    if company.is_foreign:
        return {"cik": cik, "entityName": company.title, "facts": _foreign_facts(scene, company)}
    described = {
        concept: {**_described(concept), "units": {_unit(concept): listed}}
        for concept, listed in sorted(facts(scene, company).items())
    }
    return {
        "cik": cik,
        "entityName": company.title,
        "facts": {"dei": _cover_facts(scene, company), TAXONOMY: described},
    }


def _described(concept: str) -> dict[str, str]:
    label = LABELS.get(concept, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", concept))
    return {"label": label, "description": f"The amount of: {label}."}


def _unit(concept: str) -> str:
    return UNITS.get(concept, "USD")


def _cover_facts(scene: Scene, company: Company) -> dict[str, Any]:
    """The number of shares on the cover page of each report: an instant, without a start."""
    listed = [
        {
            "end": filing.filed.isoformat(),
            "val": shares_outstanding(scene, company, filing.filed),
            "accn": filing.accession,
            "fy": filing.quarter.label,
            "fp": filing.quarter.name,
            "form": filing.form,
            "filed": filing.filed.isoformat(),
        }
        for filing in reversed(filings(scene, company))
        if filing.quarter
    ]
    concept = "EntityCommonStockSharesOutstanding"
    return {concept: {**_described(concept), "units": {"shares": listed}}}


def _foreign_facts(scene: Scene, company: Company) -> dict[str, Any]:
    """Annual figures under the international standard, in the currency of the country."""
    listed: list[Fact] = [
        {
            "start": filing.quarter.year_start.isoformat(),
            "end": filing.quarter.end.isoformat(),
            "val": company.revenue_usd // 12,
            "accn": filing.accession,
            "fy": filing.quarter.label,
            "fp": "FY",
            "form": "20-F",
            "filed": filing.filed.isoformat(),
        }
        for filing in reversed(filings(scene, company))
        if filing.quarter
    ]
    return {"ifrs-full": {"ProfitLoss": {**_described("ProfitLoss"), "units": {"EUR": listed}}}}


def _concept(scene: Scene, cik: str, taxonomy: str, name: str) -> dict[str, Any] | None:
    concept = name.removesuffix(".json")
    company = universe(scene).by_cik.get(int(cik[3:])) if re.fullmatch(r"CIK\d{10}", cik) else None
    known = facts(scene, company) if company and taxonomy == TAXONOMY else {}
    if company is None or concept not in known:
        return None
    return {
        "cik": company.cik,
        "taxonomy": TAXONOMY,
        "tag": concept,
        **_described(concept),
        "entityName": company.title,
        "units": {_unit(concept): known[concept]},
    }


def _frame(scene: Scene, parts: list[str], name: str) -> dict[str, Any] | None:
    """One period of all filers; instants (a name that ends in I) are not kept here."""
    frame = name.removesuffix(".json")
    if len(parts) != 3 or parts[0] != TAXONOMY or not re.fullmatch(r"CY\d{4}(Q[1-4])?", frame):
        return None
    _, concept, unit = parts
    if unit != _unit(concept).replace("/", "-per-"):
        return None
    rows = _framed(scene.seed, scene.clock, concept, frame)
    if not rows:
        return None
    return {
        "taxonomy": TAXONOMY,
        "tag": concept,
        "ccp": frame,
        "uom": unit,
        **_described(concept),
        "pts": len(rows),
        "data": rows,
    }


@lru_cache(maxsize=16)
def _framed(seed: int, clock: datetime, concept: str, frame: str) -> list[dict[str, Any]]:
    scene = Scene(seed, clock)
    rows = []
    for company in universe(scene).companies:
        if fact := framed(scene, company, concept, frame):
            rows.append(
                {
                    "accn": fact["accn"],
                    "cik": company.cik,
                    "entityName": company.title,
                    "loc": f"US-{company.state}",
                    "start": fact["start"],
                    "end": fact["end"],
                    "val": fact["val"],
                }
            )
    return rows


def _submissions(scene: Scene, cik: int, page_number: str | None) -> dict[str, Any] | None:
    company = universe(scene).by_cik.get(cik)
    if company is None:
        return None
    recent, older = pages(scene, company)
    if page_number:
        return _columns(older) if page_number == "001" and older else None
    files = []
    if older:
        files.append(
            {
                "name": f"CIK{company.padded}-submissions-001.json",
                "filingCount": len(older),
                "filingFrom": older[-1].filed.isoformat(),
                "filingTo": older[0].filed.isoformat(),
            }
        )
    address = {
        "street1": f"{company.number + 1} MAIN STREET",
        "street2": None,
        "city": company.city.upper(),
        "stateOrCountry": company.state,
        "zipCode": f"{company.cik % 90_000 + 10_000}",
        "stateOrCountryDescription": company.state,
    }
    month = company.fiscal_month
    return {
        "cik": company.padded,
        "entityType": "operating",
        "sic": "3990",
        "sicDescription": "Miscellaneous Manufacturing Industries",
        "ownerOrg": None,
        "insiderTransactionForOwnerExists": 0,
        "insiderTransactionForIssuerExists": 1,
        "name": company.title,
        "tickers": list(company.tickers),
        "exchanges": [company.exchange for _ in company.tickers],
        "ein": f"{company.cik:09d}",
        "lei": None,
        "description": "",
        "website": "",
        "investorWebsite": "",
        "category": "Large accelerated filer",
        "fiscalYearEnd": f"{month:02d}{30 if month in (6, 9) else 31}",
        "stateOfIncorporation": "" if company.is_foreign else company.state,
        "stateOfIncorporationDescription": "" if company.is_foreign else company.state,
        "addresses": {"mailing": address, "business": address},
        "phone": "555-0100",
        "flags": "",
        "formerNames": [],
        "filings": {"recent": _columns(recent), "files": files},
    }


def _columns(listed: list[Filing]) -> dict[str, list[Any]]:
    """Filings as parallel lists, the newest first."""
    is_xbrl = [int(filing.quarter is not None) for filing in listed]
    return {
        "accessionNumber": [filing.accession for filing in listed],
        "filingDate": [filing.filed.isoformat() for filing in listed],
        "reportDate": [filing.report.isoformat() if filing.report else "" for filing in listed],
        "acceptanceDateTime": [f"{filing.filed}T20:31:05.000Z" for filing in listed],
        "act": ["34" for _ in listed],
        "form": [filing.form for filing in listed],
        "fileNumber": ["001-00001" for _ in listed],
        "filmNumber": ["261000001" for _ in listed],
        "items": [filing.items for filing in listed],
        "core_type": [filing.form for filing in listed],
        "size": [80_000 for _ in listed],
        "isXBRL": is_xbrl,
        "isInlineXBRL": is_xbrl,
        "primaryDocument": [filing.document for filing in listed],
        "primaryDocDescription": [filing.form for filing in listed],
    }


HOSTS = {
    "www.sec.gov": Host(_declared(web), error),
    "data.sec.gov": Host(_declared(data), error),
    "efts.sec.gov": Host(_declared(search), error),
}
