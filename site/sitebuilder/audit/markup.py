"""Whether pages are valid HTML: elements, attributes, nesting, headings, tables, names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from sitebuilder.audit import vocabulary as v
from sitebuilder.audit.findings import MISSING_PAGE, Finding, Public
from sitebuilder.audit.tree import RAW_TEXT, Document, Element

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
Problem = tuple[int, str, str]


def check_markup(public: Public) -> Iterator[Finding]:
    """What a strict reader of HTML would refuse, page by page."""
    for name, page in public.pages.items():
        problems = [
            *page.problems,
            *_whole(page, is_missing_page=name == MISSING_PAGE),
            *_ids(page),
            *_headings(page),
            *(problem for element in page.elements for problem in _element(element)),
            *(problem for table in page.all("table") for problem in _table(table)),
        ]
        yield from (Finding(name, *problem) for problem in problems)


def _whole(page: Document, is_missing_page: bool) -> Iterator[Problem]:
    for tag in ("html", "head", "body", "main"):
        if len(page.all(tag)) != 1:
            yield 1, "structure", f"{len(page.all(tag))} <{tag}> where there is one"
    html = next(iter(page.all("html")), None)
    if html and not _LANGUAGE.fullmatch(html.attributes.get("lang", "")):
        yield html.line, "lang", f"lang={html.attributes.get('lang', '')!r} is no language"
    titles = [title for title in page.all("title") if not title.is_drawn]
    if len(titles) != 1 or not titles[0].text:
        yield 1, "title", f"{len(titles)} titles, where one that is not empty is due"
    metas = {
        element.attributes.get("name", "").lower(): element.attributes.get("content", "")
        for element in page.all("meta")
    }
    for name in ("viewport",) if is_missing_page else ("viewport", "description"):
        if not metas.get(name):
            yield 1, "head", f'no <meta name="{name}">'
    charset = [element for element in page.all("meta") if "charset" in element.attributes]
    if [element.attributes["charset"].lower() for element in charset] != ["utf-8"]:
        yield 1, "head", 'no single <meta charset="utf-8">'
    elif page.source.lower().find("charset") > 1000:
        yield charset[0].line, "head", "the charset stands after the first 1,000 characters"


def _ids(page: Document) -> Iterator[Problem]:
    lines: dict[str, int] = {}
    for element in page.elements:
        name = element.attributes.get("id")
        if name is None:
            continue
        if name in lines:
            yield element.line, "id", f"{name!r} is the id of line {lines[name]} already"
        elif not name or re.search(r"\s", name):
            yield element.line, "id", f"{name!r} is no id"
        lines.setdefault(name, element.line)
    for element in page.elements:
        for attribute in v.REFERENCES:
            for name in element.attributes.get(attribute, "").split():
                if name not in lines:
                    yield element.line, "reference", f"{attribute} names {name!r}, which is no id"


def _headings(page: Document) -> Iterator[Problem]:
    headings = page.all("h1", "h2", "h3", "h4", "h5", "h6")
    count = sum(heading.tag == "h1" for heading in headings)
    if count != 1:
        yield 1, "h1", f"{count} <h1> where there is one"
    level = 0
    for heading in headings:
        own = int(heading.tag[1])
        if own > level + 1:
            before = f"after <h{level}>" if level else "first"
            yield heading.line, "heading-order", f"<{heading.tag}> {before}"
        if not heading.text:
            yield heading.line, "heading-order", f"<{heading.tag}> is empty"
        level = own


def _element(element: Element) -> Iterator[Problem]:
    tag, line = element.tag, element.line
    if element.is_drawn:
        if tag not in v.DRAWN:
            yield line, "element", f"<{tag}> is unknown inside <svg>"
        yield from _drawing(element)
        return
    if tag not in v.ATTRIBUTES:
        yield line, "element", f"<{tag}> is unknown"
        return
    for name in element.attributes:
        is_open = name.startswith(("data-", "aria-", "on")) or name in ("style", "xml:lang")
        if not is_open and name not in v.GLOBAL and name not in v.ATTRIBUTES[tag]:
            yield line, "attribute", f"<{tag}> has no attribute {name}"
    for name in v.REQUIRED.get(tag, ()):
        value = element.attributes.get(name)
        if value is None or (not value.strip() and name not in v.EMPTY_ALLOWED):
            yield line, "required", f"<{tag}> lacks {name}"
    role = element.attributes.get("role")
    if role is not None and role not in v.ROLES:
        yield line, "attribute", f"role={role!r} is unknown"
    yield from _place(element)
    yield from _content(element)
    yield from _name(element)


def _drawing(element: Element) -> Iterator[Problem]:
    """An inline SVG is either hidden from those who listen, or has a role and a name."""
    outer = element.parent
    if element.tag != "svg" or (outer is not None and outer.is_drawn):
        return
    own = element.attributes
    is_named = own.get("aria-label") or own.get("aria-labelledby")
    is_hidden = any(
        node.attributes.get("aria-hidden") == "true" for node in (element, *element.ancestors)
    )
    if not is_hidden and not (own.get("role") and is_named):
        yield element.line, "required", "<svg> is neither aria-hidden nor has a role and a label"


def _place(element: Element) -> Iterator[Problem]:
    """Whether the element may stand where it stands."""
    tag, parent = element.tag, element.parent
    assert parent is not None
    allowed = v.PARENTS.get(tag)
    if allowed and parent.tag not in allowed:
        yield element.line, "nesting", f"<{tag}> in <{parent.tag}>"
    if tag in ("dt", "dd") and parent.tag == "div" and (parent.parent or parent).tag != "dl":
        yield element.line, "nesting", f"<{tag}> outside <dl>"
    if tag in v.FLOW_ONLY:
        outer = next((node for node in element.ancestors if node.tag not in v.TRANSPARENT), None)
        if outer is not None and outer.tag in v.PHRASING_ONLY:
            yield element.line, "nesting", f"<{tag}> in <{outer.tag}>"
    is_link = tag == "a" and "href" in element.attributes
    if is_link or tag in v.INTERACTIVE or "tabindex" in element.attributes:
        for node in element.ancestors:
            if node.tag == "button" or (node.tag == "a" and "href" in node.attributes):
                yield element.line, "nesting", f"<{tag}> in <{node.tag}>: both can be pressed"
    if tag in ("header", "footer", "main") and any(
        node.tag in ("header", "footer") for node in element.ancestors
    ):
        yield element.line, "nesting", f"<{tag}> in a header or footer"


def _content(element: Element) -> Iterator[Problem]:
    """Whether the element holds what it may hold."""
    tag = element.tag
    allowed = v.CHILDREN.get(tag)
    if allowed is not None:
        for child in element.children:
            if isinstance(child, str):
                if child.strip():
                    yield element.line, "nesting", f"text {child.strip()[:30]!r} in <{tag}>"
            elif child.tag not in allowed:
                yield child.line, "nesting", f"<{child.tag}> in <{tag}>"
    order = v.ORDERED.get(tag)
    if order:
        places = [order.index(child.tag) for child in element.elements if child.tag in order]
        if places != sorted(places):
            yield element.line, "nesting", f"<{tag}> holds its parts in a wrong order"
    if tag == "details" and [child.tag for child in element.elements][:1] != ["summary"]:
        yield element.line, "nesting", "<details> does not begin with <summary>"
    if tag in ("ul", "ol", "dl", "table", "tr", "tbody", "select") and not element.elements:
        yield element.line, "empty", f"<{tag}> holds nothing"


def _name(element: Element) -> Iterator[Problem]:
    """Whether what can be pressed or reached has a name."""
    own = element.attributes
    if element.tag in ("a", "button", "summary"):
        images = (node.attributes.get("alt") for node in element.walk() if node.tag == "img")
        labels = (node.attributes.get("aria-label") for node in element.walk())
        if not element.text and not any(labels) and not any(images):
            yield element.line, "name", f"<{element.tag}> has no text"
    if element.tag in ("input", "select", "textarea") and own.get("type") != "hidden":
        is_inside = any(node.tag == "label" for node in element.ancestors)
        is_labelled = own.get("aria-label") or own.get("aria-labelledby") or own.get("id")
        if not is_inside and not is_labelled:
            yield element.line, "name", f"<{element.tag}> has no label"
    if element.tag == "meta" and not (
        "charset" in own
        or (own.get("content") and (own.get("name") or own.get("property")))
        or (own.get("content") and own.get("http-equiv"))
    ):
        yield element.line, "required", "<meta> lacks its name or its content"


def _table(table: Element) -> Iterator[Problem]:
    """A table has a name, header cells, and rows of one width; cells do not overlap."""
    own = table.attributes
    captions = [child for child in table.elements if child.tag == "caption" and child.text]
    if not captions and not own.get("aria-label") and not own.get("aria-labelledby"):
        yield table.line, "table", "no caption and no label"
    sections = [child for child in table.elements if child.tag in ("thead", "tbody", "tfoot")]
    cells = [cell for part in sections for row in part.elements for cell in row.elements]
    if not any(cell.tag == "th" for cell in cells):
        yield table.line, "table", "no header cell"
    widths: Counter[int] = Counter()
    rows: list[tuple[int, int]] = []
    for section in sections:
        taken: dict[int, set[int]] = {}
        for at, row in enumerate(section.elements):
            used = taken.setdefault(at, set())
            column = 0
            for cell in row.elements:
                while column in used:
                    column += 1
                across, down = _span(cell, "colspan"), _span(cell, "rowspan")
                if not across or not down:
                    yield cell.line, "table", "a span that is no positive number"
                    across, down = across or 1, down or 1
                if at + down > len(section.elements):
                    yield cell.line, "table", "a rowspan beyond the last row"
                for line in range(at, at + down):
                    own_line = taken.setdefault(line, set())
                    if own_line & set(range(column, column + across)):
                        yield cell.line, "table", "two cells in one place"
                    own_line.update(range(column, column + across))
                column += across
            rows.append((row.line, len(used)))
            widths[len(used)] += 1
    if len(widths) > 1:
        usual = widths.most_common(1)[0][0]
        for line, width in rows:
            if width != usual:
                yield line, "table", f"a row of {width} columns where others have {usual}"


def _span(cell: Element, name: str) -> int:
    text = cell.attributes.get(name, "1")
    return int(text) if text.isascii() and text.isdecimal() else 0


def texts(elements: Iterable[Element]) -> Iterator[tuple[Element, str]]:
    """Every piece of text that is shown, with the element around it."""
    for element in elements:
        if element.tag not in RAW_TEXT:
            for child in element.children:
                if isinstance(child, str) and child.strip():
                    yield element, child
