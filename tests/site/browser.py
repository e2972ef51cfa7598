"""A real browser over a built site: one Chromium a session, one fresh context a page.

A page that ends with a console error, a script error or a request to another host fails its test.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from sitebuilder.serve import bind

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT_MS = 15_000


@contextmanager
def launched() -> Iterator[Browser]:
    """The system's Chromium; skips the test, with the reason, where there is none."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser on this machine: none of {', '.join(NAMES)} is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a free port of this machine."""
    with bind(folder, 0) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class Visit:
    """One reader: opens pages of a site and remembers what the browser complained about."""

    def __init__(self, browser: Browser, site: str, options: dict[str, Any]) -> None:
        self.site = site
        self.context = browser.new_context(base_url=site, **options)
        self.context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.may_miss: set[str] = set()
        self.page.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda line: (
                self.complaints.append(f"{line.text} {line.location}")
                if line.type in ("error", "warning")
                and not any(name in str(line.location) for name in self.may_miss)
                else None
            ),
        )

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url.removeprefix(self.site))

    def open(self, path: str = "") -> Page:
        """The page, once it says that it is ready."""
        self.page.goto(f"{self.site}{path}")
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []
        assert [url for url in self.requests if "//" in url] == []


Visits = Callable[..., Visit]
Serve = Callable[[Path], str]


def fragment(page: Page) -> str:
    return str(page.evaluate("location.hash"))


def is_sideways(page: Page) -> bool:
    """Whether the page itself, not a table in it, scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
