"""The numbers that a reader sees on a page, and where each of them is published.

A number is found where the published files hold it, in one of the forms in which pages write
numbers. What is left must be one of METHOD: words about how things are measured, which are the same
on every site. Each of these, and each further source of a page, says why it is there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sitebuilder.charts import MS_TICKS, USD_TICKS
from sitebuilder.render import CONTENT
from tests.site.dom import Node
from tests.site.test_pages import spellings

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:%| ms\b| s\b| kB\b| MB\b| B\b)?")
UNSEEN = {"script", "style", "head"}
# Pages of prose: they describe the method and the commands, and show no result.
PROSE = {"methodology", "maintaining", "adding-an-engine", "adding-a-bench"}

# Taken out before numbers are looked for: no figure, or one of the method.
METHOD: dict[str, str] = {
    r"\d{1,2} [A-Z][a-z]{2}(?: \d{4})?(?:, \d\d:\d\d UTC)?": "a date",
    r"\d{4}-\d\d(?:-\d\d)?(?:T\d\d:?\d\dZ| \d\d:\d\d(?: UTC)?)?": "a date as files write it",
    r"(?:January|May|July) \d{4}": "a month",
    r"\b[0-9a-f]{64}\b": "the hash of a file, which other tests compute again",
    r"SHA-256": "the name of a hash",
    r"(?:pass|nDCG|recall)@\d+|@\d+": "the depth of a metric, as its name says it",
    r"\bp(?:50|95)\b": "the name of a percentile",
    r"95%(?=[ ;]intervals?\b| of (?:the resamples|an engine))": "the level of intervals",
    r"(?:half of them are faster than p50, )?95% faster than": "what a percentile is",
    r"^95%(?=\. Scores: named)": "the level of intervals",
    r"(?:separated at|level of|below|about) 5%|at 5%(?=\.)": "the level of tests",
    r"\d+ days old(?:er)?": "the age of the data, which the reader's clock decides",
    r"0 to 1\b(?:00%)?|0 to 100%|from 0 \([^)]*\) to 1 \(": "the range of an axis or a measure",
    r"1,000 queries": "the unit of prices",
    r"7 days|60 days|180 days|6 hours|24 hours": "a window of the method",
    r"30% of their queries|within 5 points|3 or more|\bof 3 or more\b": "a bound of the method",
    r"(?:below|from) \d*\.?\d+%?": "a step of the legend of a matrix",
    r"[Uu]nder 10 (?:needles|needle)": "the bound below which a group is marked",
    r"at 100%": "the ceiling",
    r"CC BY 4\.0": "the name of a licence",
    r"sign patterns? .*?16|up to 16 clusters|20,000": "how the tests flip signs",
    r"one to 4|from 0 to 4|1 to 4": "the scale of ratings",
}

# What a page may show beside `results.json`, and why.
SOURCES: dict[str, tuple[tuple[str, ...], str]] = {
    "engines": (("data/history.jsonl",), "an engine's page lists its single runs, and counts them"),
    "history": (("history/*.json",), "a frozen month shows its own file"),
    "judgements": (("judgements/**/*.json",), "queries and verdicts of an archived run"),
    "data": ((), "sizes of files and the words of `fields.toml`"),
    "runs": (("data/history.jsonl",), "single runs, summed over engines, and the ledger of slots"),
}


def pages(out: Path) -> list[str]:
    """All pages by name but those of prose; of hundreds alike, twelve."""
    names = [path.relative_to(out).as_posix() for path in sorted(out.rglob("*.html"))]
    pairs = [name for name in names if name.startswith("compare/") and name.count("/") == 2]
    engines = [name for name in names if name.startswith("engines/") and name.count("/") == 2]
    left_out = {*pairs[12:], *engines[12:]}
    return [name for name in names if name not in left_out and name.split("/")[0] not in PROSE]


def stray_numbers(page: Node, known: set[str]) -> list[tuple[str, str]]:
    """The visible numbers that are published nowhere, each with the text it stands in."""
    found = []
    for text, is_drawn in _texts(page.all("body")[0], is_drawn=False):
        bare = text
        for pattern in METHOD:
            bare = re.sub(pattern, " ", bare)
        for number in NUMBER.findall(bare):
            if number not in known and not (is_drawn and number in DRAWN):
                found.append((number, text))
    return found


def _texts(node: Node, *, is_drawn: bool) -> Iterator[tuple[str, bool]]:
    """Each run of text of a block with what stands in line with it, and whether it is drawn."""
    inline = {"b", "strong", "em", "small", "span", "a", "bdi", "code", "time"}
    line = ""
    for child in node.children:
        if isinstance(child, str):
            line += child
        elif child.tag in inline:
            line += child.text if child.tag != "small" else f" {child.text} "
        elif child.tag not in UNSEEN:
            yield from _texts(child, is_drawn=is_drawn or child.tag == "svg")
    if line.strip():
        yield " ".join(line.split()), is_drawn


def ticks() -> set[str]:
    """The labels of axes, which are no figures of an engine."""
    found = {f"{place}%" for place in range(0, 101, 5)} | {"0.00", "0.25", "0.50", "0.75", "1.00"}
    for usd in USD_TICKS:
        found |= {f"{usd:g}", f"{usd:.2f}"}
    for ms in MS_TICKS:
        found |= {f"{ms:g} ms", f"{ms / 1000:g} s"}
    return found


DRAWN = ticks()


def known_numbers(out: Path, name: str, data: Path) -> set[str]:
    """Every number that the page `name` may show: of results.json and of its own SOURCES."""
    results = json.loads((out / "results/results.json").read_bytes())
    known = _spelled(results)
    section = name.partition("/")[0]
    for pattern in SOURCES.get(section, ((), ""))[0]:
        for path in sorted(out.glob(pattern)):
            content = path.read_bytes()
            for line in content.splitlines() if path.suffix == ".jsonl" else [content]:
                row = json.loads(line)
                row.pop("lat_ms", None)  # a page has percentiles of them
                known |= _spelled(row)
    if section in {"engines", "runs"}:
        known |= _counted(out / "data/history.jsonl")
    if section == "runs" and (data / "slots.jsonl").exists():
        for line in (data / "slots.jsonl").read_text().splitlines():
            known |= _spelled(json.loads(line))
    if section == "data":
        known |= set(NUMBER.findall((CONTENT / "data.md").read_text(encoding="utf-8")))
        fields = tomllib.loads((CONTENT / "fields.toml").read_text(encoding="utf-8"))
        told = [" ".join((name, *words)) for name, words in fields.items()]
        known |= {number for words in told for number in NUMBER.findall(words)}
    if section in {"data", "history", "results"}:
        sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
        for folder in [path for path in out.rglob("*") if path.is_dir()]:
            files = [path for path in folder.rglob("*") if path.is_file()]
            held = [path.stat().st_size for path in files if path.suffix != ".html"]
            sizes.append(sum(held))
            known.add(f"{len(held):,}")
        known |= {text for size in sizes for text in _sizes(size)}
    return known


def _counted(path: Path) -> set[str]:
    """How many rows each engine has, how many runs there are, the sums and shares of each run."""
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    engines = Counter(row["engine"] for row in rows)
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        if row["engine"] != "ultimate":
            own = sums.setdefault((row["ts"], row["bench"]), Counter())
            own.update({k: v for k, v in row.items() if isinstance(v, int)})
    counts = [*engines.values(), len(sums), *(v for own in sums.values() for v in own.values())]
    shares = [own["search_errors"] / own["num_queries"] for own in sums.values()]
    return {f"{count:,}" for count in counts} | {f"{100 * share:.1f}%" for share in shares}


def _spelled(value: Any) -> set[str]:
    known = {text.lstrip("-") for text in spellings(value)} | set(_rounded(value))
    return known | {number for text in known for number in NUMBER.findall(text)}


def _rounded(value: Any) -> Iterator[str]:
    """The forms of matrices and of prices: percent without a decimal or its sign, 2 decimals."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from NUMBER.findall(key)
            yield from _rounded(part)
    elif isinstance(value, list):
        for part in value:
            yield from _rounded(part)
    elif isinstance(value, float):
        yield from (
            f"{100 * value:.0f}",
            f"{100 * value:.0f}%",
            f"{value:.2f}",
            f"{value:.2f}".removeprefix("0."),
        )


def _sizes(size: int) -> tuple[str, ...]:
    return f"{size} B", f"{size / 1000:.1f} kB", f"{size / 1e6:.1f} MB"
