"""The page that a picture is taken of, in a real browser."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from runner.errors import PublishError, UsageError
from runner.text import parse_time
from snapshot import images
from snapshot.as_of import parse_month
from snapshot.images import BROWSERS, CARD, HEIGHT, WIDTH, check_picture, opened, take_picture, webp
from tests.site.made_data import FIVE, write_data
from tests.site.made_site import build_parts

T = TypeVar("T")
AS_OF = parse_month("2026-10").as_of
MANY = tuple(f"engine-{number:02}" for number in range(27))

needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="no browser on this machine"
)


def apart(work: Callable[[], T]) -> T:
    """Done in a thread: another test's browser may hold this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A month of 27 engines, with data to the 30th and runs after the month's end."""
    folder = tmp_path_factory.mktemp("site")
    data = write_data(
        folder / "data", engines=MANY, benches=FIVE, runs=4, end="2026-11-02T10:17Z", queries=12
    )
    build_parts(data, folder / "public", "dashboard", as_of=AS_OF)
    return folder / "public"


@needs_browser
def test_the_page_shows_the_end_of_the_month_and_believes_that_it_is_now(site: Path) -> None:
    def look() -> tuple[str | None, str, str, str, int]:
        with opened(site, AS_OF) as page:
            shown = page.locator(".as-of time")
            return (
                shown.get_attribute("datetime"),
                shown.inner_text(),
                page.locator(".meta time").inner_text(),
                page.evaluate("new Date().toISOString()"),
                page.evaluate("Date.now()"),
            )

    dated, shown, newest, now, now_ms = apart(look)
    assert dated == "2026-10-31T23:59:59Z"
    assert shown == "31 Oct 2026, 23:59 UTC"
    assert newest == "31 Oct 2026, 10:17 UTC"
    assert now == "2026-10-31T23:59:59.000Z"
    assert now_ms == parse_time("2026-10-31T23:59:59Z").timestamp() * 1000


@needs_browser
def test_27_engines_fit_on_the_card_and_nothing_but_the_standings_is_on_it(site: Path) -> None:
    def look() -> tuple[list[str], dict[str, float], list[str]]:
        with opened(site, AS_OF) as page:
            page.evaluate(CARD.read_text(), [WIDTH, HEIGHT])
            last = page.locator("#standings tfoot tr").bounding_box()
            names = page.locator("#standings tbody th").all_inner_texts()
            parts = page.locator("main > :visible").evaluate_all(
                "all => all.map((each) => each.id || each.className)"
            )
            assert page.locator(".as-of").is_visible()
            assert last is not None
            return names, dict(last), parts

    names, last, parts = apart(look)
    assert len(names) == 27
    assert last["y"] + last["height"] <= HEIGHT
    assert last["x"] >= 0
    assert last["x"] + last["width"] <= WIDTH
    assert parts == ["intro", "standings"]


@needs_browser
def test_the_picture_has_its_size_and_is_not_blank(site: Path) -> None:
    picture = apart(lambda: take_picture(site, AS_OF))
    check_picture("x.png", picture, (2400, 1800))
    small = webp(picture)
    check_picture("x.webp", small, (2400, 1800))
    assert len(small) < len(picture)


@needs_browser
def test_nothing_outside_the_folder_is_reached(site: Path) -> None:
    outside = ["http://127.0.0.1:9/", "https://example.org/"]
    asked = (
        "(urls) => Promise.allSettled(urls.map((url) => fetch(url, {mode: 'no-cors'})))"
        ".then((all) => all.map((each) => each.status))"
    )

    def look() -> tuple[list[str], dict[str, str]]:
        with opened(site, AS_OF) as page:
            failed: dict[str, str] = {}
            page.on("requestfailed", lambda each: failed.update({each.url: each.failure or ""}))
            page.goto(f"{page.url}assets/needle.svg")  # has no policy of its own
            return page.evaluate(asked, outside), failed

    settled, failed = apart(look)
    assert settled == ["rejected", "rejected"]
    # The page that was left may have had a request of its own in flight; that one is aborted.
    assert {url: failed[url].removesuffix(".Inspector") for url in outside} == dict.fromkeys(
        outside, "net::ERR_BLOCKED_BY_CLIENT"
    )


@needs_browser
def test_a_page_that_never_gets_ready_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title>")
    monkeypatch.setattr(images, "TIMEOUT_MS", 300)
    with pytest.raises(PublishError, match=r"the picture could not be taken .* no file was"):
        apart(lambda: take_picture(tmp_path, AS_OF))


def test_without_a_browser_the_error_names_those_that_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="install one of chromium, chromium-browser, google-chrom"):
        take_picture(tmp_path, AS_OF)


def test_without_playwright_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "playwright.sync_api", None)
    with pytest.raises(UsageError, match="`uv sync --extra snapshot`"):
        take_picture(tmp_path, AS_OF)


def drawn(colour: str, spot: int, size: tuple[int, int] = (100, 100)) -> bytes:
    from PIL import Image

    image, target = Image.new("RGB", size, "white"), io.BytesIO()
    image.paste(colour, (0, 0, spot, spot))
    image.save(target, "PNG")
    return target.getvalue()


def test_a_picture_with_something_on_it_passes() -> None:
    check_picture("x.png", drawn("black", 10), (100, 100))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (drawn("black", 0), "the picture is blank"),
        (drawn("black", 5), "the picture is blank"),
        (drawn("black", 10, (100, 99)), "100 × 99 pixels, expected 100 × 100"),
        (b"<svg/>", "not a picture"),
        (drawn("black", 10)[:90], "not a picture"),
    ],
)
@pytest.mark.parametrize("is_lenient", [False, True])
def test_a_picture_that_is_blank_cut_or_of_another_size_is_refused(
    monkeypatch: pytest.MonkeyPatch, content: bytes, said: str, is_lenient: bool
) -> None:
    # the library that writes the PDF lets pillow fill up cut pictures in the whole process
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", is_lenient)
    with pytest.raises(PublishError, match=f"x.png: {said}"):
        check_picture("x.png", content, (100, 100))
