"""What crawlers ask for: `sitemap.xml`, and `robots.txt` where the site owns its host."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from runner.text import parse_time
from sitebuilder.render import Page, Site
from sitebuilder.xmltext import xml_text

MAX_PAGES = 50_000  # of one sitemap, https://www.sitemaps.org/protocol.html
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def crawler_files(site: Site, pages: Iterable[Page]) -> dict[str, bytes]:
    """The files by name; none without a base address, since their addresses must be absolute."""
    if site.base_url is None:
        return {}
    files = {"sitemap.xml": sitemap_xml(site, pages)}
    if urlsplit(site.base_url).path == "/":
        robots = f"User-agent: *\nAllow: /\nSitemap: {site.base_url}sitemap.xml\n"
        files["robots.txt"] = robots.encode()
    return files


def sitemap_xml(site: Site, pages: Iterable[Page]) -> bytes:
    """The listed pages by address, each as new as the newest run, whenever it was built."""
    end = site.results.window.end if site.results.window else None
    modified = f"<lastmod>{parse_time(end):%Y-%m-%dT%H:%M:%SZ}</lastmod>" if end else ""
    listed = [page for page in pages if page.is_listed][:MAX_PAGES]
    lines = [
        f"<url><loc>{xml_text(f'{site.base_url}{quote(page.folder)}')}</loc>{modified}</url>"
        for page in listed
    ]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">'
    return "\n".join([head, *lines, "</urlset>", ""]).encode()
