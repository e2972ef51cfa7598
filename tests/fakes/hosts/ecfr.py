"""www.ecfr.gov: titles, structure, full text and search of the code of federal regulations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from html import escape
from typing import Any

from tests.fakes import regulation_words as words
from tests.fakes.hostile import hostile_lines
from tests.fakes.regulations import PARTS, Section, code, part_number
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer, text_answer

VERSIONER = "/api/versioner/v1"
STRUCTURE = re.compile(rf"{VERSIONER}/structure/(\d{{4}}-\d\d-\d\d)/title-(\d+)\.json")
FULL = re.compile(rf"{VERSIONER}/full/(\d{{4}}-\d\d-\d\d)/title-(\d+)\.xml")
SEARCH = "/api/search/v1/results"
RESERVED_TITLE, SLOW_TITLE, BUSY_TITLE = 35, 49, 3
MAX_PAGE, MAX_TOTAL = 1000, 10_000
SEARCH_FIELDS = ("query", "date", "per_page", "page", "order", "hierarchy[title]")
ORDERS = ("citations", "relevance", "hierarchy", "newest_first", "oldest_first", "suggestions")
NUMBER = {"title": "Title", "chapter": "Chapter", "part": "Part", "subpart": "Subpart"}


def error(status: int, message: str) -> Response:
    return json_answer({"error": message}, status)


def emptied(response: Response) -> Response:
    """The same answer of the search without its results."""
    if not isinstance(response.data, dict) or "results" not in response.data:
        return response
    return json_answer(response.data | {"results": []})


def current_day(scene: Scene, title: int) -> date:
    """The day to which a title is up to date; they are not all the same."""
    return scene.clock.date() - timedelta(days=19 if title == SLOW_TITLE else 3)


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET":
        return error(405, "Method not allowed")
    if request.path == f"{VERSIONER}/titles.json":
        return _titles(scene)
    if match := STRUCTURE.fullmatch(request.path):
        return _dated(scene, match[1], int(match[2])) or json_answer(_tree(scene, int(match[2])))
    if match := FULL.fullmatch(request.path):
        return _dated(scene, match[1], int(match[2])) or _full(
            scene, int(match[2]), request.query.get("part"), request.query.get("section")
        )
    if request.path == SEARCH:
        return _search(request.query, scene)
    return error(404, "Not Found")


def _titles(scene: Scene) -> Response:
    titles = []
    for number in range(1, 51):
        day = current_day(scene, number)
        is_reserved = number == RESERVED_TITLE
        known = words.TITLES.get(number)
        titles.append(
            {
                "number": number,
                "name": known[0] if known else "Reserved" if is_reserved else f"Subject {number}",
                "latest_amended_on": None if is_reserved else f"{day - timedelta(days=11)}",
                "latest_issue_date": None if is_reserved else f"{day - timedelta(days=4)}",
                "up_to_date_as_of": None if is_reserved else f"{day}",
                "reserved": is_reserved,
            }
            | ({"processing_in_progress": True} if number == BUSY_TITLE else {})
        )
    meta = {"date": f"{scene.clock.date() - timedelta(days=3)}", "import_in_progress": False}
    return json_answer({"titles": titles, "meta": meta})


def _dated(scene: Scene, day: str, title: int) -> Response | None:
    """The refusal of a title that is not there, is busy, or of a day that is still to come."""
    if title == BUSY_TITLE:
        busy = error(503, "Service temporarily unavailable while this title is processed")
        busy.headers["Retry-After"] = "30"
        return busy
    if title not in words.TITLES:
        return error(404, "No matching content found.")
    try:
        asked = date.fromisoformat(day)
    except ValueError:
        return error(400, "Invalid date")
    last = current_day(scene, title)
    if asked > last:
        return error(
            404, f"The requested date is past the title's most recent issue date of {last}"
        )
    return None


# The structure


def _node(kind: str, identifier: str, name: str, children: list[Any] | None = None) -> Any:
    shown = f"§ {identifier}" if kind == "section" else f"{NUMBER.get(kind, '')} {identifier}"
    if kind in ("subject_group", "appendix"):
        shown = identifier if kind == "appendix" else ""
    joined = f"{shown} {name}" if kind == "section" else f"{shown}—{name}".removeprefix("—")
    node: dict[str, Any] = {
        "identifier": identifier,
        "label": joined,
        "label_level": shown,
        "label_description": name,
        "reserved": "[Reserved]" in name,
        "type": kind,
        "size": 1_000 + sum(child["size"] for child in children or []),
    }
    if kind == "section":
        node |= {"volumes": ["2"], "received_on": "2017-01-03T00:00:00-0500"}
    return node | ({"children": children} if children is not None else {})


def _tree(scene: Scene, title: int) -> Any:
    name, chapter, first = words.TITLES[title]
    parts = []
    for nth in range(PARTS):
        part = part_number(title, nth)
        parts.append(
            _node("part", str(part), _part_name(title, nth), _subparts(scene, title, part))
        )
        parts.append(_node("part", f"{part + 1}-{part + 2}", "[Reserved]"))
    group = _node("subchapter", "A", f"Rules from part {first} on", parts)
    empty = _node("chapter", "XC", "[Reserved]")
    return _node("title", str(title), name, [_node("chapter", chapter, name, [group]), empty])


def _part_name(title: int, nth: int) -> str:
    return f"{words.PART_NAMES[nth]} {words.SUBJECTS[title][nth]}"


def _subparts(scene: Scene, title: int, part: int) -> list[Any]:
    found = []
    for at, letter in enumerate("ABCD"):
        own = [s for s in code(scene).of(title) if (s.part, s.subpart) == (part, letter)]
        children: list[Any] = []
        for section in own:
            node = _node("section", section.number, section.heading)
            if "grouped" in section.traps:
                key = f"ECFR{title:02d}{part:05d}{letter}"
                node = _node("subject_group", key, "Special Arrangements", [node])
            children.append(node)
        last = 2 * (at + 1) * 12 // 4
        children.append(_node("section", f"{part}.{last}", "[Reserved]"))
        found.append(_node("subpart", letter, words.SUBPARTS[at], children))
    found.append(_node("subpart", "E", "[Reserved]"))
    found.append(_node("appendix", f"Appendix A to Part {part}", "Sample forms"))
    return found


# The full text


def _full(scene: Scene, title: int, part: str | None, number: str | None) -> Response:
    """A section, or a whole part. Nothing smaller than a part is given without its number."""
    if part is None and number is None:
        return error(400, "This fake gives parts and sections only")
    own = [s for s in code(scene).of(title) if part is None or str(s.part) == part]
    shown = [s for s in own if s.number == number] if number else own
    if not shown or (number and "moved" in shown[0].traps):
        return error(404, "No matching content found.")
    is_whole = number is None or "wrapped" in shown[0].traps
    markup = _div5(own) if is_whole else _div8(shown[0])
    if scene.hostile:
        lines = hostile_lines(scene.draw("hostile section", title, number))
        attack = "".join(f"<P>{escape(line)}</P>" for line in lines)
        markup = markup.replace("<CITA", f"{attack}<CITA")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return text_answer(head + markup, 200, "application/xml")


def _div5(sections: list[Section]) -> str:
    part = sections[0].part
    body = "".join(_div8(one) for one in sections if "moved" not in one.traps)
    return (
        f'<DIV5 N="{part}" TYPE="PART" VOLUME="2">\n<HEAD>PART {part}—RULES</HEAD>\n<AUTH>\n'
        f"<HED>Authority:</HED><PSPACE>5 U.S.C. 552.</PSPACE></AUTH>\n{body}</DIV5>\n"
    )


def _div8(section: Section) -> str:
    place = {"path": f"/on/{{date}}/title-{section.title}/section-{section.number}"}
    place["citation"] = section.citation
    described = escape(json.dumps(place), quote=True)
    lines = "".join(f"<P>{_inline(section, line)}</P>\n" for line in section.paragraphs)
    if "tables" in section.traps:
        lines += (
            '<DIV class="gpotbl_div"><TABLE><TR><TH>Class</TH><TH>Limit</TH></TR><TR>'
            "<TD>I</TD><TD>12</TD></TR></TABLE></DIV>\n"
            "<NOTE><HED>Note:</HED><P>The table lists classes.</P></NOTE>\n"
        )
    return (
        f'<DIV8 N="{section.number}" TYPE="SECTION" VOLUME="2" hierarchy_metadata="{described}">\n'
        f"<HEAD>§ {section.number}   {escape(section.heading)}</HEAD>\n{lines}"
        f'<CITA TYPE="N">[40 FR 2{section.part:04d}, July 16, 1975]\n</CITA>\n</DIV8>\n'
    )


def _inline(section: Section, line: str) -> str:
    """A paragraph as markup; with the trap `italics` its spans are cut by tags."""
    shown = escape(line, quote=False)
    if "italics" in section.traps:
        for span in section.spans:
            first, _, rest = span.partition(" ")
            shown = shown.replace(span, f"{first} <I>{rest}</I>")
    return shown


# The search


def _search(query: dict[str, str], scene: Scene) -> Response:
    if unknown := sorted(set(query) - set(SEARCH_FIELDS)):
        return error(400, f"Unknown parameter: {unknown[0]}")
    asked = query.get("query", "").strip()
    per_page, page = query.get("per_page", "20"), query.get("page", "1")
    if not asked:
        return error(400, "query is required")
    if not per_page.isdigit() or not 1 <= int(per_page) <= MAX_PAGE:
        return error(400, f"per_page must be between 1 and {MAX_PAGE}")
    if not page.isdigit() or int(page) < 1 or int(page) * int(per_page) > MAX_TOTAL:
        return error(400, f"Only the first {MAX_TOTAL} results can be paged")
    if query.get("order", "relevance") not in ORDERS:
        return error(400, f"order must be one of {', '.join(ORDERS)}")
    day = query.get("date", "")
    if day and day != "current" and not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        return error(400, "date must be YYYY-MM-DD or current")
    found = list(_hits(scene, asked, query.get("hierarchy[title]"), is_dated=bool(day)))
    size, start = int(per_page), (int(page) - 1) * int(per_page)
    return json_answer(
        {
            "results": found[start : start + size],
            "meta": {
                "current_page": int(page),
                "total_pages": -(-len(found) // size),
                "total_count": len(found),
                "max_score": 9.5 if found else None,
                "min_score": 1.5 if found else None,
                "description": f"{len(found)} results",
            },
        }
    )


def _hits(
    scene: Scene, asked: str, title: str | None, *, is_dated: bool
) -> Iterator[dict[str, Any]]:
    """The sections with every quoted phrase and every other word of the query.

    Without a date the versions of the past are found too, so that one section comes twice.
    """
    phrases = [_plain(phrase) for phrase in re.findall(r'"([^"]*)"', asked)]
    others = _plain(re.sub(r'"[^"]*"', " ", asked)).split()
    for section in code(scene).sections:
        text = f" {_plain(section.heading)} {_plain(section.text)} "
        is_there = all(f" {phrase} " in text for phrase in phrases)
        if not is_there or not all(f" {word} " in text for word in others):
            continue
        if title is None or title == str(section.title):
            yield _hit(section, "2017-01-01", None)
            if "amended" in section.traps and not is_dated:
                yield _hit(section, "2011-06-01", "2017-01-01")


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def _hit(section: Section, starts: str, ends: str | None) -> dict[str, Any]:
    name, chapter, _ = words.TITLES[section.title]
    hierarchy = {
        "title": str(section.title),
        "subtitle": None,
        "chapter": chapter,
        "subchapter": "A",
        "part": str(section.part),
        "subpart": section.subpart,
        "subject_group": None,
        "section": section.number,
        "appendix": None,
    }
    headings = dict.fromkeys(hierarchy) | {"title": name, "section": section.heading}
    return {
        "starts_on": starts,
        "ends_on": ends,
        "type": "Section",
        "hierarchy": hierarchy,
        "hierarchy_headings": {
            key: f"{NUMBER.get(key, '§')} {value}" if value else None
            for key, value in hierarchy.items()
        },
        "headings": headings,
        "full_text_excerpt": f"{escape(section.paragraphs[0])[:160]} …",
        "score": 9.5,
        "structure_index": 100 + section.part,
        "reserved": False,
        "removed": ends is not None,
        "change_types": ["effective"],
    }


HOSTS = {"www.ecfr.gov": Host(answer, error, empty=emptied)}
