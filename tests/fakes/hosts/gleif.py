"""api.gleif.org: the records of legal entities, as JSON:API."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from tests.fakes.companies import Company, universe
from tests.fakes.company_items import subsidiary_lei
from tests.fakes.hostile import hostile_text
from tests.fakes.leis import make_lei
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

TYPE = "application/vnd.api+json"
MAX_SIZE = 200
FILTERS = ("filter[entity.legalName]", "filter[lei]", "filter[fulltext]", "filter[entity.status]")
KNOWN = (*FILTERS, "page[size]", "page[number]")
TITLES = {400: "Invalid request", 404: "Not Found", 429: "Too Many Requests"}
CODES = {"United Kingdom": "GB", "Netherlands": "NL", "Germany": "DE", "Switzerland": "CH"}
CODES |= {"Canada": "CA", "Japan": "JP", "Ireland": "IE", "South Korea": "KR", "China": "CN"}


@dataclass(frozen=True)
class Record:
    """One record: whose it is by name, and whether entity and registration are alive."""

    lei: str
    name: str
    country: str
    city: str
    entity_status: str = "ACTIVE"
    registration_status: str = "ISSUED"
    category: str = "GENERAL"


def error(status: int, message: str) -> Response:
    title = TITLES.get(status, "Error")
    shape = {"errors": [{"status": str(status), "title": title, "detail": message}]}
    return json_answer(shape, status, {"Content-Type": TYPE})


def records(scene: Scene) -> tuple[Record, ...]:
    """All records of this seed and clock."""
    return _records(scene.seed, scene.clock)


@lru_cache(maxsize=4)
def _records(seed: int, clock: datetime) -> tuple[Record, ...]:
    scene = Scene(seed, clock)
    return tuple(
        record for company in universe(scene).companies for record in _records_of(scene, company)
    )


def _records_of(scene: Scene, company: Company) -> Iterable[Record]:
    """A company's own record and those of entities whose names are like its name."""
    place = (company.country, company.city)
    traps = company.traps
    rng = scene.draw("lei", company.number)
    if "lei_near_name" in traps or company.number % 6 == 1:
        form = company.legal_name.removeprefix(company.name).strip() or "Inc."
        yield Record(make_lei(rng), f"{company.name} Finance {form}", *place)
        yield Record(make_lei(rng), f"{company.legal_name} Pension Plan", *place, category="FUND")
    if "subsidiary_first" in traps or "subsidiary_cik" in traps:
        name = f"{company.name} Commercial Division"
        yield Record(subsidiary_lei(scene, company), name, *place)
    if "lei_lapsed" in traps:
        yield Record(company.lei, company.legal_name, *place, "INACTIVE", "LAPSED")
    elif "lei_near_name" not in traps:
        yield Record(company.lei, company.legal_name, *place)


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET":
        return error(405, "Only GET is allowed.")
    path = request.path.removesuffix("/")
    if path == "/api/v1/lei-records":
        return _listed(request.query, scene)
    if path.startswith("/api/v1/lei-records/"):
        lei = path.rsplit("/", 1)[1]
        found = [record for record in records(scene) if record.lei == lei]
        return _json({"data": _shown(found[0], scene)}) if found else error(404, "No such record.")
    return error(404, "No such path.")


def _json(data: dict[str, Any]) -> Response:
    return json_answer(data, 200, {"Content-Type": TYPE})


def _listed(query: dict[str, str], scene: Scene) -> Response:
    if unknown := sorted(set(query) - set(KNOWN)):
        return error(400, f"Parameter {unknown[0]} is not allowed.")
    size, number = query.get("page[size]", "15"), query.get("page[number]", "1")
    if not size.isdigit() or not 1 <= int(size) <= MAX_SIZE:
        return error(400, f"page[size] must be from 1 to {MAX_SIZE}.")
    if not number.isdigit() or int(number) < 1:
        return error(400, "page[number] must be from 1 on.")
    found = [record for record in records(scene) if _is_asked(record, query)]
    start = (int(number) - 1) * int(size)
    shown = found[start : start + int(size)]
    last = max(1, -(-len(found) // int(size)))
    pagination = {
        "currentPage": int(number),
        "perPage": int(size),
        "from": start + 1 if shown else None,
        "to": start + len(shown) if shown else None,
        "total": len(found),
        "lastPage": last,
    }
    published = scene.clock.strftime("%Y-%m-%dT08:00:00Z")
    first = "https://api.gleif.org/api/v1/lei-records?page%5Bnumber%5D="
    return _json(
        {
            "meta": {"goldenCopy": {"publishDate": published}, "pagination": pagination},
            "links": {"first": f"{first}1", "last": f"{first}{last}"},
            "data": [_shown(record, scene) for record in shown],
        }
    )


def _is_asked(record: Record, query: dict[str, str]) -> bool:
    """Every filter holds. Names match by their beginning, in any case and without punctuation."""
    name = _plain(record.name)
    wanted = query.get("filter[entity.legalName]")
    if wanted is not None and not f"{name} ".startswith(_plain(wanted)):
        return False
    if "filter[lei]" in query and record.lei not in query["filter[lei]"].split(","):
        return False
    if query.get("filter[entity.status]", record.entity_status) != record.entity_status:
        return False
    text = query.get("filter[fulltext]")
    return text is None or _plain(text) in f"{name} {record.lei.lower()}"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w&]+", text.casefold()))


def _shown(record: Record, scene: Scene) -> dict[str, Any]:
    """A record as JSON:API has it."""
    name = record.name
    if scene.hostile:
        name = f"{name} {hostile_text(scene.draw('lei name', record.lei))}"
    code = CODES.get(record.country, "US")
    address = {
        "language": "en",
        "addressLines": ["1 Main Street"],
        "addressNumber": None,
        "addressNumberWithinBuilding": None,
        "mailRouting": None,
        "city": record.city,
        "region": None,
        "country": code,
        "postalCode": "10001",
    }
    day = scene.clock.strftime("%Y-%m-%dT00:00:00Z")
    is_live = record.registration_status == "ISSUED"
    renewal = scene.clock + timedelta(days=200 if is_live else -900)
    entity: dict[str, Any] = {
        "legalName": {"name": name, "language": "en"},
        "otherNames": [],
        "transliteratedOtherNames": [],
        "legalAddress": address,
        "headquartersAddress": address,
        "registeredAt": {"id": "RA000602", "other": None},
        "registeredAs": str(int(record.lei[6:12], 36)),
        "jurisdiction": code,
        "category": record.category,
        "legalForm": {"id": "XTIQ", "other": None},
        "associatedEntity": {"lei": None, "name": None},
        "status": record.entity_status,
        "expiration": {"date": None, "reason": None},
        "successorEntity": {"lei": None, "name": None},
        "successorEntities": [],
        "creationDate": None,
        "subCategory": None,
        "otherAddresses": [],
        "eventGroups": [],
    }
    registration = {
        "initialRegistrationDate": "2012-06-06T00:00:00Z",
        "lastUpdateDate": day,
        "status": record.registration_status,
        "nextRenewalDate": renewal.strftime("%Y-%m-%dT00:00:00Z"),
        "managingLou": "99930000FAKEISSUER00",
        "corroborationLevel": "FULLY_CORROBORATED",
        "validatedAt": {"id": "RA000602", "other": None},
        "validatedAs": "1",
        "otherValidationAuthorities": [],
    }
    return {
        "type": "lei-records",
        "id": record.lei,
        "attributes": {
            "lei": record.lei,
            "entity": entity,
            "registration": registration,
            "bic": None,
            "mic": None,
            "ocid": None,
            "spglobal": [],
            "conformityFlag": "CONFORMING",
        },
        "relationships": {},
        "links": {"self": f"https://api.gleif.org/api/v1/lei-records/{record.lei}"},
    }


HOSTS = {"api.gleif.org": Host(answer, error)}
