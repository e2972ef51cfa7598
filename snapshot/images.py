"""The pictures of a month: its standings as the page shows them, and the one for links to it.

The page is opened in the system's Chromium, which believes that it is the end of the month and
reaches nothing but the folder.
"""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from runner.errors import PublishError, UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
TIMEOUT_MS = 30_000
WIDTH, HEIGHT, SCALE = 1200, 900, 2
SOCIAL_SIZE = (1200, 630)
WEBP_QUALITY = 85
# The share of a picture that its commonest colour, the paper, may take; a blank one has all.
MAX_PAPER = 0.995
CARD = Path(__file__).with_name("card.js")


@contextlib.contextmanager
def opened(folder: Path, as_of: datetime) -> Iterator[Page]:
    """The first page of a site, ready and with its fonts, at the time `as_of`.

    Raises UsageError where there is no browser, PublishError where it fails.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError as error:
        raise UsageError(
            "a snapshot takes a picture with playwright, which is not installed; install it with "
            "`uv sync --extra snapshot` (the group dev, which plain `uv sync` installs, has it too)"
        ) from error
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        raise UsageError(
            f"a snapshot takes a picture in a browser; install one of {', '.join(BROWSERS)}"
        )
    try:
        with _served(folder) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path, args=list(ARGS))
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT},
                device_scale_factor=SCALE,
                color_scheme="light",
                reduced_motion="reduce",
                locale="en-GB",
                timezone_id="UTC",
                service_workers="block",
            )
            context.set_default_timeout(TIMEOUT_MS)
            context.route("**/*", lambda route: _stay(route, address))
            page = context.new_page()
            page.clock.set_fixed_time(as_of)
            page.goto(address)
            page.wait_for_selector("html[data-ready]", state="attached")
            page.evaluate("document.fonts.ready.then(() => true)")
            yield page
            browser.close()
    except Error as error:
        raise PublishError(
            f"the picture could not be taken ({' '.join(str(error).split())[:300]}); "
            "no file was written"
        ) from error


def take_picture(folder: Path, as_of: datetime) -> bytes:
    """The standings as PNG, 2400 × 1800 pixels."""
    with opened(folder, as_of) as page:
        page.evaluate(CARD.read_text(encoding="utf-8"), [WIDTH, HEIGHT])
        return page.screenshot(
            animations="disabled", clip={"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT}
        )


def webp(png: bytes) -> bytes:
    """The same picture, smaller."""
    from PIL import Image

    target = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(target, "WEBP", quality=WEBP_QUALITY, method=6)
    return target.getvalue()


def check_picture(name: str, content: bytes, size: tuple[int, int]) -> None:
    """Raises PublishError for a picture that cannot be read, is of another size, or blank."""
    from PIL import Image, ImageFile

    # WeasyPrint lets pillow fill up cut pictures in the whole process; here a cut one is an error.
    lenient, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        with Image.open(io.BytesIO(content)) as image:
            found = image.convert("RGB")
    except OSError as error:
        raise PublishError(f"{name}: not a picture ({error}); no file was written") from error
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient
    if found.size != size:
        raise PublishError(
            f"{name}: {found.size[0]} × {found.size[1]} pixels, expected {size[0]} × {size[1]}; "
            "no file was written"
        )
    colours = found.getcolors(size[0] * size[1]) or []
    if max(count for count, _ in colours) > MAX_PAPER * size[0] * size[1]:
        raise PublishError(f"{name}: the picture is blank; no file was written")


def _stay(route: Route, address: str) -> None:
    """Lets through what stays in the folder."""
    if route.request.url.startswith(address):
        route.continue_()
    else:
        route.abort("blockedbyclient")


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of a folder on a free port of this machine."""
    from sitebuilder.serve import HOST, bind

    with bind(folder, 0) as server:
        options: dict[str, Any] = {"poll_interval": 0.05}
        thread = Thread(target=server.serve_forever, kwargs=options, daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
