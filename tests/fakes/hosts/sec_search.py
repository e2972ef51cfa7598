"""The full-text search of efts.sec.gov, within the filings of the companies that are named."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from tests.fakes.checks import problem, text
from tests.fakes.companies import Company, universe
from tests.fakes.company_filings import Filing, filings
from tests.fakes.filing_pages import visible_text
from tests.fakes.operators import day
from tests.fakes.scene import Scene
from tests.fakes.wire import Request, Response, json_answer

PAGE = 10
MAX_FROM = 9_990
PARTS = re.compile(r'"([^"]+)"|(\S+)')
PERIOD = ("a date YYYY-MM-DD", lambda value: day(value) is not None)
FIELDS = {
    "q": text(1, 1000),
    "forms": text(),
    "ciks": ("CIKs of ten digits", lambda value: bool(re.fullmatch(r"\d{10}(,\d{10})*", value))),
    "startdt": PERIOD,
    "enddt": PERIOD,
    "dateRange": text(),
    "from": ("a number", lambda value: value.isdigit() and int(value) <= MAX_FROM),
    "page": text(),
    "category": text(),
}


def search(request: Request, scene: Scene) -> Response:
    """Elasticsearch's answer; without `ciks` nothing can be asked of this fake, and it says so."""
    if request.path != "/LATEST/search-index":
        return json_answer({"message": "Missing Authentication Token"}, 403)
    asked = request.query
    if wrong := problem(asked, FIELDS, ["q"]):
        return json_answer({"errorType": "RequestError", "errorMessage": wrong[1]}, 500)
    if "ciks" not in asked:
        return json_answer({"errorMessage": "this fake searches within `ciks` only"}, 501)
    known = universe(scene).by_cik
    companies = [known[int(cik)] for cik in asked["ciks"].split(",") if int(cik) in known]
    found = [
        (company, filing)
        for company in companies
        for filing in filings(scene, company)
        if _is_asked(asked, filing) and matches(scene, company, filing, asked["q"])
    ]
    start = int(asked.get("from", "0"))
    hits = [_hit(company, filing) for company, filing in found[start : start + PAGE]]
    return json_answer(
        {
            "took": 7,
            "timed_out": False,
            "_shards": {"total": 50, "successful": 50, "skipped": 0, "failed": 0},
            "hits": {
                "total": {"value": len(found), "relation": "eq"},
                "max_score": 9.0 if found else None,
                "hits": hits,
            },
            "aggregations": {},
            "query": {"from": start, "size": PAGE},
        }
    )


def _is_asked(asked: dict[str, str], filing: Filing) -> bool:
    forms = [form.strip() for form in asked.get("forms", "").split(",") if form.strip()]
    root = filing.form.removesuffix("/A")
    first = date.fromisoformat(asked.get("startdt", "2001-01-01"))
    last = date.fromisoformat(asked.get("enddt", "9999-12-31"))
    return (not forms or root in forms or filing.form in forms) and first <= filing.filed <= last


def matches(scene: Scene, company: Company, filing: Filing, query: str) -> bool:
    """Whether a document has every quoted phrase and every other word of a query."""
    if filing.document.endswith(".xml"):
        return False
    document = f" {plain(visible_text(scene, company, filing))} "
    wanted = [plain(quoted or word) for quoted, word in PARTS.findall(query)]
    return all(f" {phrase} " in document for phrase in wanted if phrase)


def plain(text: str) -> str:
    """Words in lower case, parted by single blanks: punctuation does not count."""
    return " ".join(re.findall(r"[\w&]+", text.lower()))


def _hit(company: Company, filing: Filing) -> dict[str, Any]:
    tickers = ", ".join(company.tickers)
    root = filing.form.removesuffix("/A")
    return {
        "_index": "edgar_file",
        "_id": f"{filing.accession}:{filing.document}",
        "_score": 9.0,
        "_source": {
            "ciks": [company.padded],
            "period_ending": filing.report.isoformat() if filing.report else None,
            "file_num": ["001-00001"],
            "display_names": [f"{company.title}  ({tickers})  (CIK {company.padded})"],
            "xsl": None,
            "sequence": 1,
            "root_forms": [root],
            "file_date": filing.filed.isoformat(),
            "biz_states": [company.state],
            "sics": ["3990"],
            "form": filing.form,
            "adsh": filing.accession,
            "film_num": ["261000001"],
            "biz_locations": [f"{company.city}, {company.state}"],
            "file_type": filing.form,
            "file_description": filing.form,
            "inc_states": [company.state],
            "items": filing.items.split(",") if filing.items else [],
        },
    }
