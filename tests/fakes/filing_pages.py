"""The documents of filings: a cover, what happened, a table of figures, and a lot of boilerplate.

A document is a list of blocks, of which both its HTML and its visible text are made.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from html import escape

from tests.fakes import filing_words
from tests.fakes.companies import Company
from tests.fakes.company_figures import AMENDED, SPLIT_RATIO, concepts, figures, scale_of
from tests.fakes.company_filings import CHANGE, EVENTS, Filing, Quarter, before, split_day
from tests.fakes.hostile import TEXTS
from tests.fakes.scene import Scene

MIN_CHARS = 7_000
SCALES = {1: "in dollars", 1_000: "in thousands", 1_000_000: "in millions"}


@dataclass(frozen=True)
class Block:
    """A piece of a document. `kind`: h (heading), p, row (cells parted by tabs), hidden."""

    kind: str
    text: str


def page(scene: Scene, company: Company, filing: Filing) -> str:
    """The document as HTML with inline XBRL."""
    parts = [_html(block) for block in blocks(scene, company, filing)]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
        ' xmlns:xbrli="http://www.xbrl.org/2003/instance">'
        f"<head><title>{escape(filing.document)}</title>"
        "<style>.pagebreak{display:block;page-break-after:always}</style></head><body>"
        f"{_header(company, filing)}{''.join(parts)}"
        "<script>var unused = 'nothing to read here';</script></body></html>"
    )


def visible_text(scene: Scene, company: Company, filing: Filing) -> str:
    """What a reader of the document sees, blocks parted by line ends."""
    shown = (block for block in blocks(scene, company, filing) if block.kind != "hidden")
    return "\n".join(block.text.replace("\t", " ") for block in shown)


@lru_cache(maxsize=2048)
def blocks(scene: Scene, company: Company, filing: Filing) -> tuple[Block, ...]:
    """The blocks of a document, in order."""
    rng = scene.draw("document", filing.accession)
    found = [*_cover(company, filing)]
    if "thin" in company.traps and filing.form in ("8-K", "6-K"):
        found.append(Block("p", "The information required by this item is in the exhibit."))
        return tuple(found)
    found += _people(company, filing)
    if filing.quarter:
        found += _table(scene, company, filing, filing.quarter)
    details = _details(scene, company, filing, rng)
    filler = rng.sample(filing_words.BOILERPLATE, len(filing_words.BOILERPLATE))
    while details or _length(found) < MIN_CHARS:
        if details:
            found.append(Block("p", details.pop(0)))
        if filler and (not details or rng.randrange(3) == 0):
            found.append(Block("p", filler.pop().format(name=company.name)))
        elif not filler and not details:
            break
    if "hidden_text" in company.traps:
        found.insert(len(found) // 2, Block("hidden", hidden_deal(scene, filing)))
    if scene.hostile:
        found.insert(len(found) // 2, Block("p", rng.choice(TEXTS)))
    found.append(Block("h", "SIGNATURES"))
    found.append(Block("p", filing_words.SIGNATURE.format(name=company.title)))
    return tuple(found)


def _length(found: list[Block]) -> int:
    return sum(len(block.text) + 1 for block in found)


def _cover(company: Company, filing: Filing) -> list[Block]:
    """The form, the period or day it is about, and who filed it."""
    found = [
        Block("p", "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"),
        Block("p", "Washington, D.C. 20549"),
        Block("h", f"FORM {filing.form}" if filing.form != "DEF 14A" else "SCHEDULE 14A"),
    ]
    report = filing.report or filing.filed
    if filing.form in ("10-Q", "10-Q/A"):
        found.append(Block("p", f"For the quarterly period ended {long_day(report)}"))
    elif filing.form in ("10-K", "20-F"):
        found.append(Block("p", f"For the fiscal year ended {long_day(report)}"))
    elif filing.form == "DEF 14A":
        found.append(Block("p", f"Annual meeting of shareholders, {long_day(report)}"))
    else:
        found.append(Block("p", f"Date of report (date of earliest event): {long_day(report)}"))
    where = company.country if company.is_foreign else company.state
    found.append(Block("h", company.title))
    found.append(Block("p", f"{company.city}, {where} (address of principal executive offices)"))
    symbols = ", ".join(company.tickers)
    found.append(Block("p", f"Common stock, trading symbol {symbols}, {company.exchange}"))
    if filing.items:
        first = filing.items.split(",")[0]
        found.append(Block("h", f"Item {first} {EVENTS.get(filing.items, 'Other Events')}"))
    return found


def _people(company: Company, filing: Filing) -> list[Block]:
    """Who leads the company; only annual reports and proxies say so."""
    if filing.items == CHANGE:
        form = filing_words.APPOINTED[company.number % len(filing_words.APPOINTED)]
        said = form.format(chief=company.chief.name, former=company.former.name)
        return [Block("p", said)]
    if filing.form not in ("10-K", "20-F", "DEF 14A"):
        return []
    leader = company.leader
    if "ceo_gone" in company.traps:
        text = f"{company.chief.name} has left the office of chief executive, which is vacant."
    elif leader is company.chief:
        since = company.chief_since
        text = (
            f"{leader.name} has been our President and Chief Executive Officer since {since.year}."
        )
        if filing.filed < since:
            text = f"{company.former.name} is our President and Chief Executive Officer."
    else:
        text = f"{leader.name}, Chief Executive Officer, joined us last year and chairs the board."
    staff = f"We had about {company.employees:,} employees at the end of the fiscal year."
    origin = f"The company was founded in {company.founded} and its website is {company.website}."
    found = [Block("h", "Executive officers"), Block("p", text)]
    return found if filing.form == "DEF 14A" else [*found, Block("p", staff), Block("p", origin)]


def _table(scene: Scene, company: Company, filing: Filing, quarter: Quarter) -> list[Block]:
    """The statement of income: this quarter and the one a year before."""
    scale = scale_of(company)
    is_split = "split" in company.traps and filing.filed >= split_day(scene.clock)
    earlier = before(company, quarter)
    columns = []
    for period in (quarter, earlier):
        values = figures(scene.seed, company, period)
        columns.append(concepts(company, values, SPLIT_RATIO if is_split else 1))
    if filing.form == "10-Q/A":
        columns[0] = {
            name: value if "PerShare" in name else round(value * AMENDED / scale) * scale
            for name, value in columns[0].items()
        }
    found = [
        Block("h", "Condensed consolidated statements of operations"),
        Block("p", f"({SCALES[scale]}, except per share amounts; unaudited)"),
        Block("row", f"Three months ended\t{long_day(quarter.end)}\t{long_day(earlier.end)}"),
    ]
    for concept, label in filing_words.LINES:
        if concept in columns[0]:
            cells = [_cell(concept, column[concept], scale) for column in columns]
            found.append(Block("row", "\t".join([label, *cells])))
    return found


def _cell(concept: str, value: float, scale: int) -> str:
    """An amount as a table states it, losses in parentheses."""
    if "PerShare" in concept:
        text = f"{abs(value):.2f}"
    elif "Shares" in concept:
        text = f"{value / max(scale, 1000):,.0f}"
    else:
        text = f"{abs(value) // scale:,.0f}"
    return f"({text})" if value < 0 else text


def _details(scene: Scene, company: Company, filing: Filing, rng: random.Random) -> list[str]:
    """The sentences that only this filing has, and one that all filings of the company share."""
    standing = standing_detail(scene, company)
    if "recurring_span" in company.traps:
        return [standing, standing.replace("We operate", "As before, we operate")]
    is_event = filing.form in ("8-K", "6-K")
    if "boilerplate" in company.traps and is_event:
        return []
    if "split" in company.traps and filing.filed == split_day(scene.clock) and is_event:
        return [filing_words.SPLIT.format(name=company.name, ratio=SPLIT_RATIO)]
    count = rng.randint(5, 9) if is_event else rng.randint(12, 22)
    kinds = rng.choices(filing_words.DETAILS, k=count)
    return [*(filing_words.told(rng, kind, company.name) for kind in kinds), standing]


def standing_detail(scene: Scene, company: Company) -> str:
    """A facility that every filing of the company names in the same words."""
    rng = scene.draw("standing", company.number)
    return filing_words.told(rng, filing_words.STANDING, company.name)


def hidden_deal(scene: Scene, filing: Filing) -> str:
    """A deal that only a display:none block states."""
    return filing_words.told(scene.draw("hidden", filing.accession), filing_words.DETAILS[0], "We")


def _html(block: Block) -> str:
    text = escape(block.text, quote=False)
    if block.kind == "row":
        head, *cells = text.split("\t")
        shown = "".join(f"<td><ix:nonFraction>{cell}</ix:nonFraction></td>" for cell in cells)
        return f"<table><tr><td>{head}</td>{shown}</tr></table>"
    if block.kind == "hidden":
        return f'<div style="DISPLAY: none">{text}</div>'
    if block.kind == "h":
        return f"<div><b>{text}</b></div>"
    return f'<p style="font-family:Times">{text}</p>'


def _header(company: Company, filing: Filing) -> str:
    """The inline XBRL header: facts and contexts that no reader sees."""
    prefix = company.tickers[0].lower().split("-")[0]
    period = filing.quarter
    focus = f"{period.label}|{period.name}" if period else f"{filing.filed.year}|"
    year, _, part = focus.partition("|")
    facts = {
        "dei:EntityCentralIndexKey": company.padded,
        "dei:DocumentType": filing.form,
        "dei:DocumentFiscalYearFocus": year,
        "dei:DocumentFiscalPeriodFocus": part,
        "dei:CurrentFiscalYearEndDate": f"--{company.fiscal_month:02d}-30",
        "dei:AmendmentFlag": "true" if filing.form.endswith("/A") else "false",
    }
    hidden = "".join(
        f'<ix:nonNumeric name="{name}" contextRef="c-1">{escape(value)}</ix:nonNumeric>'
        for name, value in facts.items()
        if value
    )
    member = f"{prefix}:{company.name.split()[0]}TerminalMember"
    context = (
        '<xbrli:context id="c-1"><xbrli:entity><xbrli:segment><xbrldi:explicitMember '
        f'dimension="us-gaap:StatementBusinessSegmentsAxis">{member}</xbrldi:explicitMember>'
        "</xbrli:segment></xbrli:entity></xbrli:context>"
    )
    return (
        f'<div style="display:none"><ix:header><ix:hidden>{hidden}</ix:hidden>'
        f"<ix:resources>{context}</ix:resources></ix:header></div>"
    )


def long_day(day: date) -> str:
    """`September 30, 2026`."""
    return f"{day:%B} {day.day}, {day.year}"
