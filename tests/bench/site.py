"""What the site costs: to build, to send, to show on a slow phone; beside the reference page.

The published data set lies beside the repository; where it does not, a made-up one of its size
takes its place. The browser is the system's Chromium with a slow 4G line and a processor slowed
down 4 times; Lighthouse comes from npm, into a folder that goes afterwards.
"""

from __future__ import annotations

import gzip
import json
import mimetypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from sitebuilder import build
from sitebuilder.audit import Public, audit_public, read_public
from sitebuilder.audit.budgets import (
    MAX_FIRST_VIEW_BYTES,
    MAX_NODES,
    MAX_SCRIPT_BYTES,
    gz_bytes,
    linked,
    nodes_above_appendix,
)
from tests.bench.stats import PUBLISHED
from tests.site.browser import ARGS, NAMES
from tests.site.made_data import FIVE, write_data

MAX_BUILD_S = 12.0
PAGES = {"dashboard": "", "results": "results/", "engine": "engines/{}/"}
# The reference page: what it loaded, in how many requests, and how long it blocked the reader.
REFERENCE = {"July": 965 * 1024, "22 August": 13_900_000}
REFERENCE_REQUESTS = 6
REFERENCE_BLOCKING_MS = (690, 1877)
# Lighthouse's slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms; and its slow processor.
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8 * 0.9,
    "uploadThroughput": 750e3 / 8 * 0.9,
}
SLOWDOWN = 4
# The largest paint, what moved, and how long tasks kept a reader waiting (over 50 ms each).
OBSERVER = """
window.needle = {lcp: 0, blocking: 0, shift: 0};
const watch = (type, use) => new PerformanceObserver((list) =>
  list.getEntries().forEach(use)).observe({type, buffered: true});
watch("largest-contentful-paint", (entry) => { window.needle.lcp = entry.startTime; });
watch("longtask", (entry) => { window.needle.blocking += Math.max(0, entry.duration - 50); });
watch("layout-shift", (entry) => { window.needle.shift += entry.value; });
"""
LIGHTHOUSE = "lighthouse"


def main() -> None:
    """Prints each figure with its ratio to the bound or to the reference page's figure."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "public"
        data = PUBLISHED
        if not PUBLISHED.is_dir():
            print("published data: not beside this checkout, a made-up set takes its place")
            data = write_data(Path(folder) / "data", benches=FIVE, runs=7, queries=100)
        began, began_cpu = time.perf_counter(), time.process_time()
        report = build(data, site)
        spent, cpu = time.perf_counter() - began, time.process_time() - began_cpu
        print(f"build: {spent:.1f} s, {spent / MAX_BUILD_S:.2f} of {MAX_BUILD_S:.0f} s")
        print(f"  {cpu:.1f} s of processor time, which a busy machine does not stretch")
        print(f"files: {len(report.files):,}, {sum(report.files.values()):,} bytes")
        public = read_public(site)
        print(f"audit: {len(audit_public(public)):,} findings")
        _sizes(public)
        engine = next(entry.engine for entry in report.results.roster if entry.is_in_window)
        paths = {name: path.format(engine) for name, path in PAGES.items()}
        path = next(filter(None, map(shutil.which, NAMES)), None)
        if path is None:
            print(f"browser: left out, none of {', '.join(NAMES)} is installed")
            return
        with _served(public) as address:
            _in_browser(path, address, paths)
            _lighthouse(path, address, paths, Path(folder))


@contextmanager
def _served(public: Public) -> Iterator[str]:
    """The address of the site on this machine, gzipped as a usual host sends it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.partition("?")[0].lstrip("/")
            name = f"{name}index.html" if name == "" or name.endswith("/") else name
            content = public.files.get(name)
            self.send_response(404 if content is None else 200)
            body = gzip.compress(content or b"", 6)
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            is_text = kind.startswith("text/") or kind.endswith(("javascript", "xml"))
            self.send_header("Content-Type", f"{kind}{'; charset=utf-8' if is_text else ''}")
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the figures are the output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def _sizes(public: Public) -> None:
    """The first view against its budget, as a server sends it."""
    styles = linked(public, "index.html", "link", "href", "stylesheet")
    scripts = linked(public, "index.html", "script", "src")
    names = ["index.html", *sorted(styles)]
    raw = sum(len(public.files[name]) for name in names)
    view = sum(gz_bytes(public.files[name]) for name in names)
    script = sum(gz_bytes(public.files[name]) for name in scripts)
    nodes = nodes_above_appendix(public.pages["index.html"])
    print(f"first view: {raw:,} bytes, {view:,} gzipped, {view / MAX_FIRST_VIEW_BYTES:.2f} of it")
    print(f"script: {script:,} bytes gzipped, {script / MAX_SCRIPT_BYTES:.2f} of the budget")
    print(f"nodes above the appendix: {nodes:,}, {nodes / MAX_NODES:.2f} of the budget")


def _in_browser(path: str, address: str, paths: dict[str, str]) -> None:
    """Bytes, requests, nodes, largest paint and blocking of three pages on a slow phone."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=ARGS)
        for name, place in paths.items():
            _print_page(name, _page(browser, address + place))
        browser.close()


def _page(browser: Any, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 412, "height": 823}, device_scale_factor=1.75)
    page = context.new_page()
    finished: list[Any] = []
    page.on("requestfinished", finished.append)
    page.add_init_script(OBSERVER)
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", NETWORK)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(address, wait_until="networkidle")
    found: dict[str, float] = page.evaluate("window.needle")
    found["nodes"] = page.evaluate("document.getElementsByTagName('*').length")
    bodies = [request.sizes()["responseBodySize"] for request in finished]
    context.close()
    return found | {"requests": len(bodies), "bytes": sum(bodies)}


def _print_page(name: str, found: dict[str, float]) -> None:
    size, requests, blocking = found["bytes"], found["requests"], found["blocking"]
    ratios = ", ".join(f"1/{whole / size:.0f} of {when}" for when, whole in REFERENCE.items())
    print(f"{name}: {size:,.0f} bytes sent ({ratios})")
    print(f"  {requests:.0f} requests, {requests / REFERENCE_REQUESTS:.2f} of the reference page")
    low, high = (blocking / bound for bound in REFERENCE_BLOCKING_MS)
    print(f"  {blocking:.0f} ms blocked, {high:.2f} to {low:.2f} of the reference page")
    print(f"  largest paint at {found['lcp']:.0f} ms, shift {found['shift']:.3f}, "
          f"{found['nodes']:,.0f} nodes")  # fmt: skip


def _lighthouse(path: str, address: str, paths: dict[str, str], folder: Path) -> None:
    """The scores of Lighthouse for a phone, and what keeps each from 100."""
    if shutil.which("npx") is None or shutil.which("npm") is None:
        print("Lighthouse: left out, npm is not installed")
        return
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent", LIGHTHOUSE]
    if subprocess.run(install, cwd=folder, capture_output=True, check=False).returncode:
        print("Lighthouse: left out, npm could not install it")
        return
    for name, place in paths.items():
        command = ["npx", "--no-install", LIGHTHOUSE, address + place, "--quiet", "--output=json"]
        command.append(f"--chrome-flags=--headless {' '.join(ARGS)}")
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "CHROME_PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = (done.stderr.strip() or "no reason given").splitlines()[-1]
            print(f"Lighthouse, {name}: failed: {reason}")
            continue
        report = json.loads(done.stdout)
        scores = {key: part["score"] for key, part in report["categories"].items()}
        shown = ", ".join(f"{key} {_hundredths(score)}" for key, score in scores.items())
        print(f"Lighthouse, {name}: {shown}")
        for category in report["categories"].values():
            _print_lacks(category, report["audits"])


def _hundredths(score: float | None) -> str:
    return "none" if score is None else f"{100 * score:.0f}"


def _print_lacks(category: dict[str, Any], audits: dict[str, Any]) -> None:
    for reference in category["auditRefs"]:
        found = audits[reference["id"]]
        score = found["score"]
        if reference["weight"] and score is not None and score < 1:
            detail = found.get("displayValue") or found.get("explanation") or found["title"]
            print(f"  {category['title']}: {reference['id']} {_hundredths(score)}: {detail}")


if __name__ == "__main__":
    main()
