"""`llms.txt`: where a language model finds the results as plain text (https://llmstxt.org)."""

from __future__ import annotations

from runner.text import escape_md
from sitebuilder.render import Part, Site

FILES = (
    ("results/results.md", "Results", "every leaderboard as Markdown tables"),
    ("results/results.json", "Results as JSON", "every figure, with intervals and paired tests"),
    ("results/results.csv", "Results as CSV", "one line for each bench, engine and metric"),
    ("data/history.jsonl", "History", "one line for each run, bench and engine"),
)
PAGES = (
    ("methodology/", "Methodology", "queries, judging, metrics, intervals, ties, weaknesses"),
    ("engines/", "Engines", "a page for each engine"),
    ("runs/", "Runs", "what was due, ran, came late or was missed, and why"),
    ("data/", "Data", "every file with its fields, units, size and hash"),
)


def part(site: Site) -> Part:
    """Links are absolute where the site knows its address."""
    results, top = site.results, site.base_url or ""
    lines = [
        "# Needle",
        "",
        "> A live, open benchmark of the retrieval that AI agents rely on. It asks search APIs "
        "fresh questions of five kinds and scores what they return.",
        "",
    ]
    if results.window:
        lines.append(f"Figures cover the 7 days to {results.window.end}, the newest run.")
    else:
        lines.append("There is no run yet.")
    lines += [
        "Give the interval and the date with every figure, and call no engine better than "
        "another that shares a letter of its tie group.",
        f"Licence: {results.licence}. Cite as: {escape_md(results.citation)}.",
        "",
        "## Results",
        "",
        *[f"- [{title}]({top}{name}): {text}" for name, title, text in FILES if name in site.files],
        "",
        "## Pages",
        "",
        *[f"- [{title}]({top}{name}): {text}" for name, title, text in PAGES],
        "",
    ]
    return Part(files={"llms.txt": "\n".join(lines).encode()})
