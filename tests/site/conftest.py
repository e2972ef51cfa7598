"""What the tests of the site share: one browser for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.site.browser import Serve, Visit, Visits, launched, served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ends with the file: while it is there no other test can start an event loop of its own."""
    with launched() as started:
        yield started


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves a folder until the test has ended; returns its address."""
    with ExitStack() as servers:
        yield lambda folder: servers.enter_context(served(folder))


@pytest.fixture
def visits(browser: Browser, serve: Serve) -> Iterator[Visits]:
    """Opens a site as a new reader: `visits(address, viewport=…, java_script_enabled=False)`.

    Readers leave before the servers of their test stop, so that no late request fails.
    """
    opened: list[Visit] = []

    def visit(site: str, **options: Any) -> Visit:
        opened.append(Visit(browser, site, options))
        return opened[-1]

    yield visit
    for each in opened:
        each.close()
