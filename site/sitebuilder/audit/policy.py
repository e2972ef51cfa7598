"""Whether a page loads anything from elsewhere, runs anything inline, and forbids both."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from sitebuilder.audit.findings import Finding, Public
from sitebuilder.audit.tree import Document, Element

DATA_SCRIPTS = frozenset({"application/ld+json"})
ACTIVE = frozenset("iframe frame object embed applet base form portal".split())
LOADING_RELS = frozenset(
    "stylesheet icon shortcut apple-touch-icon mask-icon manifest preload modulepreload prefetch"
    " preconnect dns-prefetch prerender".split()
)
LOADING = ("src", "srcset", "poster", "data", "xlink:href", "ping", "action", "formaction")
DRAWN_LOADING = frozenset({"use", "image", "filter", "pattern", "lineargradient", "textpath"})
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.\-]*:|//)", re.IGNORECASE)
_STYLE_LOAD = re.compile(r"@import|url\(\s*['\"]?(?:[a-z][a-z0-9+.\-]*:|//)[^)]*", re.IGNORECASE)
_SCRIPT_LOAD = re.compile(
    r"[\"'`](?:https?:|wss?:)?//(?!www\.w3\.org/)[a-z0-9][^\"'`]*"
    r"|\beval\s*\(|\bnew\s+Function\b|\bdocument\.write\b|\.(?:inner|outer)HTML\s*\+?="
    r"|\binsertAdjacentHTML\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
# What each directive may allow; every other one is unknown to this site.
ALLOWED = {
    "default-src": {"'none'"},
    "script-src": {"'self'", "'none'"},
    "style-src": {"'self'", "'none'"},
    "img-src": {"'self'", "'none'"},
    "font-src": {"'self'", "'none'"},
    "connect-src": {"'self'", "'none'"},
    "manifest-src": {"'self'", "'none'"},
    "base-uri": {"'none'"},
    "form-action": {"'none'"},
    "object-src": {"'none'"},
    "frame-src": {"'none'"},
}
NEEDED = ("default-src", "base-uri", "form-action")


def check_policy(public: Public) -> Iterator[Finding]:
    """Third-party requests, inline code, and a Content-Security-Policy that would let them by."""
    for name, page in public.pages.items():
        directives: dict[str, list[str]] = {}
        for line, rule, text in _policy(page, directives):
            yield Finding(name, line, rule, text)
        for element in page.elements:
            for rule, text in _element(element, directives):
                yield Finding(name, element.line, rule, text)
    for name, content in public.named(".css"):
        for match in _STYLE_LOAD.finditer(_COMMENT.sub("", content.decode("utf-8", "replace"))):
            yield Finding(name, 0, "third-party", f"the style loads {match[0][:80]!r}")
    for name, content in public.named(".js"):
        for match in _SCRIPT_LOAD.finditer(_COMMENT.sub("", content.decode("utf-8", "replace"))):
            yield Finding(name, 0, "script", f"the script holds {match[0][:80]!r}")
    for name, content in public.named(".svg"):
        for text in _drawing(content):
            yield Finding(name, 0, "third-party", text)


def _drawing(content: bytes) -> Iterator[str]:
    """What a picture holds that could run or load; what is no XML has a rule of its own."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        return
    try:
        root = ElementTree.fromstring(content)  # noqa: S314 - no entities, refused above
    except ElementTree.ParseError:
        return
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        if tag.lower() in ("script", "foreignobject", "style", "iframe"):
            yield f"the drawing holds <{tag}>"
        for full, value in element.attrib.items():
            attribute = full.rpartition("}")[2]
            if attribute.startswith("on"):
                yield f"<{tag}> has the event handler {attribute}"
            elif attribute in ("href", "src") and not value.startswith("#"):
                yield f"<{tag}> loads {value[:80]!r}"


def _policy(page: Document, directives: dict[str, list[str]]) -> Iterator[tuple[int, str, str]]:
    """Fills `directives` from the page's policy and yields what is wrong with it."""
    metas = [
        element
        for element in page.all("meta")
        if element.attributes.get("http-equiv", "").lower() == "content-security-policy"
    ]
    if len(metas) != 1:
        yield 1, "csp", f"{len(metas)} policies where there is one"
        return
    (meta,) = metas
    for part in meta.attributes.get("content", "").split(";"):
        name, *sources = part.split() or [""]
        if name:
            directives[name] = sources
    for name in NEEDED:
        if name not in directives:
            yield meta.line, "csp", f"no {name}"
    for name, sources in directives.items():
        hashes = [source for source in sources if re.fullmatch(r"'sha256-[\w+/=]{44}'", source)]
        allowed = ALLOWED.get(name, set()) | (set(hashes) if name == "style-src" else set())
        if name not in ALLOWED:
            yield meta.line, "csp", f"the directive {name} is unknown"
        for source in sources:
            if name in ALLOWED and source not in allowed:
                yield meta.line, "csp", f"{name} allows {source}"
    before = page.elements[: page.elements.index(meta)]
    if any(element.tag in ("link", "script", "style", "img") for element in before):
        yield meta.line, "csp", "the policy stands after something that it should govern"


def _element(element: Element, directives: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    tag, own = element.tag, element.attributes
    if tag in ACTIVE:
        yield "active", f"<{tag}> has no place on this site"
    for name in own:
        if name.startswith("on"):
            yield "inline", f"<{tag}> has the event handler {name}"
        elif name in ("style", "srcdoc"):
            yield "inline", f"<{tag}> has {name}, which the policy forbids"
    if tag == "script":
        if own.get("type", "").lower() in DATA_SCRIPTS:
            if "src" in own:
                yield "third-party", "structured data is not fetched"
        elif "src" not in own or element.text:
            yield "inline", "a script inside the page"
    if tag == "style":
        digest = hashlib.sha256("".join(_raw(element)).encode()).digest()
        allowed = f"'sha256-{base64.b64encode(digest).decode()}'"
        if allowed not in directives.get("style-src", []):
            yield "inline", "a style that the policy does not name by its hash"
    if tag == "meta" and own.get("http-equiv", "").lower() == "refresh":
        yield "third-party", "the page sends the reader elsewhere by itself"
    for address in _loaded(element):
        if _ABSOLUTE.match(address.strip()):
            yield "third-party", f"<{tag}> loads {address[:80]!r}"


def _loaded(element: Element) -> Iterator[str]:
    """Addresses that the browser asks for without being told to."""
    own = element.attributes
    for name in LOADING:
        if name in own:
            yield from (own[name].split(",") if name == "srcset" else [own[name]])
    rels = set(own.get("rel", "").lower().split())
    is_loading_link = element.tag == "link" and rels & LOADING_RELS
    if "href" in own and (is_loading_link or element.tag in DRAWN_LOADING):
        yield own["href"]
    for name in ("fill", "stroke", "filter", "mask", "clip-path"):
        value = own.get(name, "")
        if value.startswith("url(") and not value.startswith("url(#"):
            yield value[4:].strip("'\" )")


def _raw(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
