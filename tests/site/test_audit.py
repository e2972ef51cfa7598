"""The audit of a built site: a sound one passes, and each planted defect is found by its rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from sitebuilder import build
from sitebuilder.audit import Finding, Public, audit_public, read_public
from sitebuilder.audit.tree import read_document
from sitebuilder.cli import main
from tests.site.made_data import FIVE, write_data

BASE = "https://example.org/needle/"
HOME, RESULTS, TABLE = "index.html", "results/index.html", "results/results.csv"
LD = '<script type="application/ld+json">'
FEED = '<feed xmlns="http://www.w3.org/2005/Atom">'
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
HOSTILE = ('"><script>alert(1)</script>', "<img src=x onerror=alert(2)>", "{{ 7 * 7 }} &amp; \\|")
# Hexadecimal noise, which packs to half its size.
NOISE = "".join(sha256(str(number).encode()).hexdigest() for number in range(2500))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Public:
    folder = tmp_path_factory.mktemp("site")
    build(write_data(folder / "data", benches=FIVE), folder / "public", base_url=BASE)
    return read_public(folder / "public")


@pytest.fixture(scope="module")
def public(whole: Public) -> Public:
    """The site with two of its pages only, which is quick to read a hundred times."""
    files = {
        name: content
        for name, content in whole.files.items()
        if name in (HOME, RESULTS) or name.startswith(("assets/", "results/", "engines/index"))
    }
    return Public(files, {name: page for name, page in whole.pages.items() if name in files})


@pytest.fixture(scope="module")
def before(public: Public) -> list[Finding]:
    return audit_public(public)


def changed(public: Public, name: str, content: bytes | None) -> Public:
    """The site with one file written anew, or without it."""
    files = {key: value for key, value in public.files.items() if key != name}
    pages = {key: value for key, value in public.pages.items() if key != name}
    if content is not None:
        files[name] = content
        if name.endswith(".html"):
            pages[name] = read_document(content.decode())
    return Public(files, pages)


def planted(public: Public, name: str, old: str, new: str) -> Public:
    """The site with the first `old` of a file replaced by `new`; `old` may be a pattern."""
    text = public.files[name].decode()
    result, count = re.subn(old, lambda match: match.expand(new), text, count=1)
    assert count == 1, f"{old!r} is not in {name}"
    return changed(public, name, result.encode())


def after_main(html: str) -> tuple[str, str]:
    """Replacement that adds markup at the top of the content."""
    return '(<main id="main">)', rf"\1{html}"


def test_a_built_site_passes(whole: Public) -> None:
    assert [str(finding) for finding in audit_public(whole)] == []


@pytest.mark.parametrize("profile", ["live", "embedded"])
def test_a_site_without_an_address_and_with_hostile_names_passes(
    tmp_path: Path, profile: str
) -> None:
    data = write_data(tmp_path / "data", engines=HOSTILE, profile=profile, benches=FIVE[:2])
    build(data, tmp_path / "public")
    assert [str(finding) for finding in audit_public(read_public(tmp_path / "public"))] == []


def test_a_site_without_a_run_passes(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    build(tmp_path / "data", tmp_path / "public")
    assert [str(finding) for finding in audit_public(read_public(tmp_path / "public"))] == []


MARKUP = [
    ("doctype", "^<!doctype html>", ""),
    ("doctype", "^<!doctype html>", "<!DOCTYPE html SYSTEM 'about:legacy-compat'>"),
    ("nesting", "</main>", ""),
    ("nesting", "</main>", "</main></div>"),
    ("nesting", *after_main("<p><b>x</p></b>")),
    ("nesting", *after_main("<p>a<br></br></p>")),
    ("nesting", *after_main("<div/>")),
    ("nesting", *after_main("<p><div>x</div></p>")),
    ("nesting", *after_main("<ul><p>x</p></ul>")),
    ("nesting", *after_main("<ul>text<li>x</li></ul>")),
    ("nesting", *after_main("<li>x</li>")),
    ("nesting", *after_main('<a href="#main">x <a href="#main">y</a></a>')),
    ("nesting", *after_main('<a href="#main"><button type="button">y</button></a>')),
    ("nesting", *after_main("<details><p>x</p></details>")),
    ("nesting", *after_main("<table><caption>c</caption><tr><td>1</td></tr></table>")),
    ("empty", *after_main("<ul></ul>")),
    ("escape", *after_main("<p>Q & A</p>")),
    ("escape", *after_main("<p>1 < 2</p>")),
    ("escape", *after_main('<p title="a<b">x</p>')),
    ("escape", *after_main("<p>&nosuchthing;</p>")),
    ("attribute", *after_main('<p class="a" class="b">x</p>')),
    ("attribute", *after_main('<p href="#main">x</p>')),
    ("attribute", *after_main('<p role="hero">x</p>')),
    ("attribute", *after_main('<p a\'b="1">x</p>')),
    ("element", *after_main("<center>x</center>")),
    ("element", *after_main('<svg aria-hidden="true"><blink/></svg>')),
    ("required", *after_main('<img src="assets/needle.svg">')),
    ("required", *after_main("<button>x</button>")),
    ("required", *after_main("<p><time>yesterday</time></p>")),
    ("required", *after_main('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>')),
    ("name", *after_main('<a href="#main"></a>')),
    ("name", *after_main('<input type="text">')),
    ("structure", "</main>", "</main><main></main>"),
    ("lang", '<html lang="en">', '<html lang="english please">'),
    ("required", '<html lang="en">', "<html>"),
    ("title", "<title>.*?</title>", ""),
    ("head", '<meta name="viewport"[^>]*>', ""),
    ("head", '<meta name="description"[^>]*>', ""),
    ("head", '<meta charset="utf-8">', ""),
    ("h1", "<h1.*?</h1>", ""),
    ("h1", *after_main("<h1>Again</h1>")),
    ("heading-order", *after_main("<h3>Too deep</h3>")),
    ("heading-order", "</main>", "<h2></h2></main>"),
    ("id", *after_main('<p id="main">x</p>')),
    ("id", *after_main('<p id="two words">x</p>')),
    ("reference", *after_main('<p aria-labelledby="nowhere">x</p>')),
    ("reference", *after_main('<label for="nowhere">x</label>')),
    ("table", *after_main("<table><tbody><tr><th scope='row'>a</th></tr></tbody></table>")),
    (
        "table",
        *after_main("<table><caption>c</caption><tbody><tr><td>1</td></tr></tbody></table>"),
    ),
    ("required", '<th scope="col">', "<th>"),
    ("table", "(<tbody>\\s*<tr>)", r"\1<td>one more</td>"),
    ("table", "(<tbody>\\s*<tr>)", r'\1<td rowspan="999">deep</td>'),
    ("table", "(<tbody>\\s*<tr>)", r'\1<td colspan="none">wide</td>'),
]
POLICY = [
    ("third-party", "</head>", '<link rel="stylesheet" href="https://cdn.example/a.css"></head>'),
    ("third-party", "</head>", '<script src="//cdn.example/a.js"></script></head>'),
    ("third-party", "</head>", '<link rel="preconnect" href="https://cdn.example/"></head>'),
    ("third-party", "</head>", '<meta http-equiv="refresh" content="0;url=/"></head>'),
    ("third-party", *after_main('<img src="https://cdn.example/a.png" alt="">')),
    ("third-party", *after_main('<img src="data:image/png;base64,AA==" alt="">')),
    ("inline", "</head>", "<script>alert(1)</script></head>"),
    ("inline", "</head>", "<style>p{}</style></head>"),
    ("inline", *after_main('<p onclick="x()">x</p>')),
    ("inline", *after_main('<p style="color: red">x</p>')),
    ("active", *after_main('<iframe src="a.html"></iframe>')),
    ("active", "</head>", '<base href="https://elsewhere.example/"></head>'),
    ("csp", '<meta http-equiv="Content-Security-Policy"[^>]*>', ""),
    ("csp", "script-src 'self'", "script-src 'self' 'unsafe-inline'"),
    ("csp", "script-src 'self'", "script-src https:"),
    ("csp", "default-src 'none'", "default-src *"),
    ("csp", "base-uri 'none'; ", ""),
    ("csp", '(<meta charset="utf-8">)', r'\1<link rel="icon" href="assets/needle.svg">'),
]
LINKS = [
    ("link", *after_main('<a href="nowhere/">x</a>')),
    ("link", *after_main('<a href="/results/">x</a>')),
    ("link", *after_main('<a href="../secret">x</a>')),
    ("link", *after_main('<a href="https://example.org/needle/nowhere/">x</a>')),
    ("link", *after_main('<a href="two words">x</a>')),
    ("link-scheme", *after_main('<a href="ftp://files.example/a">x</a>')),
    ("fragment", *after_main('<a href="#nowhere">x</a>')),
    ("fragment", *after_main('<a href="results/#nowhere">x</a>')),
    ("fragment", *after_main(f'<a href="#{"a=" + 120 * "b"}">x</a>')),
    ("untrusted", *after_main('<a href="javascript:alert(1)">x</a>')),
    ("template", *after_main("<p>{{ results }}</p>")),
    ("twice-escaped", *after_main("<p>a &amp;lt;b&amp;gt;</p>")),
    ("unseen", *after_main("<p>a\u202eb</p>")),
    ("canonical", "</head>", '<link rel="canonical" href="https://example.org/b/"></head>'),
    ("json-ld", "</head>", f"{LD}{{</script></head>"),
    ("json-ld", "</head>", f'{LD}{{"@type": "Dataset"}}</script></head>'),
    ("figures", "</main>", '<p data-v="0.123456789">0.123</p></main>'),
    ("figures", "</main>", '<p data-v="none">–</p></main>'),
    ("figures", "</main>", '<p data-v="1.0">0.999</p></main>'),
    ("size-view", "</main>", f"<p>{NOISE}</p></main>"),
    ("size-nodes", *after_main("<p>x</p>" * 3001)),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "old", "new"), [*MARKUP, *POLICY, *LINKS])
def test_a_defect_of_a_page_is_found(
    public: Public, before: list[Finding], rule: str, old: str, new: str
) -> None:
    found = set(audit_public(planted(public, HOME, old, new))) - set(before)
    assert (HOME, rule) in {(finding.file, finding.rule) for finding in found}, found


NEW_FILES: list[tuple[str, str, str | bytes | None]] = [
    ("orphan", "lost/index.html", "<!doctype html>"),
    ("json", "data/broken.json", '{"a": '),
    ("json", "data/broken.jsonl", '{"a": 1}\n{"a"'),
    ("csv", "data/broken.csv", "a,b\n1,2,3\n"),
    ("csv", "data/broken.csv", "a,a\n1,2\n"),
    ("xml", "data/broken.svg", "<svg"),
    ("xml", "data/entities.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ("third-party", "assets/evil.svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
    ("third-party", "assets/more.css", "@import url(https://cdn.example/a.css);"),
    ("script", "assets/more.js", 'fetch("https://cdn.example/a.json");'),
    ("script", "assets/more.js", "cell.innerHTML = text;"),
    ("sitemap", "sitemap.xml", f"{SITEMAP}<url><loc>{BASE}nowhere/</loc></url></urlset>"),
    ("sitemap", "sitemap.xml", f"{SITEMAP}<url><loc>results/</loc></url></urlset>"),
    (
        "sitemap",
        "sitemap.xml",
        f"{SITEMAP}<url><loc>{BASE}</loc><lastmod>now</lastmod></url></urlset>",
    ),
    ("sitemap", "sitemap.xml", f"{SITEMAP}</urlset>"),
    ("sitemap", "sitemap.xml", "<urlset/>"),
    ("feed", "feed.xml", f"{FEED}<id>a</id><title>t</title></feed>"),
    ("feed", "feed.xml", f"{FEED}<id>a</id><title>t</title><updated>now</updated></feed>"),
    (
        "feed",
        "feed.xml",
        f"{FEED}<id>a</id><title>t</title><updated>2026-08-20T10:17:00Z</updated>"
        f'<link href="{BASE}nowhere/"/></feed>',
    ),
    ("pdf", "results/more.pdf", "no paper"),
    ("size-pdf", "results/more.pdf", b"%PDF-1.7\n" + b"0" * 130_000 + b"\n%%EOF"),
    ("untrusted", "results/more.md", "| <script>x</script> |"),
    ("unseen", "results/more.md", "a\u2066b"),
    ("figures", "results/results.json", "{}"),
    ("figures", TABLE, "bench,metric,engine,value\n"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "name", "content"), NEW_FILES)
def test_a_defect_of_another_file_is_found(
    public: Public, before: list[Finding], rule: str, name: str, content: str | bytes
) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    found = set(audit_public(changed(public, name, raw))) - set(before)
    assert (name, rule) in {(finding.file, finding.rule) for finding in found}, found


def test_a_script_over_its_budget_is_found(public: Public) -> None:
    found = audit_public(changed(public, "assets/site.js", f"/* {NOISE} */".encode()))
    assert (HOME, "size-script") in {(finding.file, finding.rule) for finding in found}


def test_a_page_that_an_address_names_and_the_site_lacks_is_found(public: Public) -> None:
    found = audit_public(changed(public, "engines/index.html", None))
    assert (HOME, "link") in {(finding.file, finding.rule) for finding in found}


@pytest.mark.parametrize("change", ["page", "csv", "json", "md", "parquet"])
def test_a_score_that_differs_in_one_form_is_found(public: Public, change: str) -> None:
    results = json.loads(public.files["results/results.json"])
    row = results["benches"]["news"]["engines"][0]
    value = row["score"]["value"]
    edits: dict[str, Callable[[], tuple[str, Public]]] = {
        "page": lambda: (
            RESULTS,
            planted(public, RESULTS, f'data-v="{value}"', f'data-v="{value + 0.25}"'),
        ),
        "csv": lambda: (TABLE, planted(public, TABLE, f",{value:.4f},", ",0.9999,")),
        "json": lambda: (TABLE, _other_json(public)),
        "md": lambda: (
            "results/results.md",
            planted(
                public, "results/results.md", rf"(## News(?:.|\n)*?) {value:.4f} ", r"\1 0.9999 "
            ),
        ),
        "parquet": lambda: ("results/results.parquet", _other_parquet(public)),
    }
    name, site = edits[change]()
    found = {(finding.file, finding.rule) for finding in audit_public(site)}
    assert (name, "figures") in found


def _other_json(public: Public) -> Public:
    name = "results/results.json"
    results = json.loads(public.files[name])
    results["benches"]["news"]["engines"][0]["score"]["value"] = 0.000001
    return changed(public, name, json.dumps(results).encode())


def _other_parquet(public: Public) -> Public:
    import io

    import pyarrow as pa
    from pyarrow import parquet

    name = "results/results.parquet"
    rows = parquet.read_table(io.BytesIO(public.files[name])).to_pylist()
    rows[0]["value"] = 0.9999
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), sink)
    return changed(public, name, sink.getvalue())


def test_a_name_that_reaches_a_page_as_markup_is_found(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", engines=HOSTILE, benches=FIVE[:2])
    build(data, tmp_path / "public")
    site = read_public(tmp_path / "public")
    assert "untrusted" not in {finding.rule for finding in audit_public(site)}
    spoilt = planted(site, HOME, "&lt;img src=x onerror=alert\\(2\\)&gt;", HOSTILE[1])
    found = {(finding.file, finding.rule) for finding in audit_public(spoilt)}
    assert (HOME, "untrusted") in found


def test_the_command_prints_one_line_for_each_finding_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "public"
    assert main(["--data", str(write_data(tmp_path / "data")), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["audit", str(out)]) == 0
    assert re.fullmatch(
        rf"{out}: [\d,]+ files, [\d,]+ pages, nothing wrong\n", capsys.readouterr().out
    )
    page = (out / HOME).read_text()
    (out / HOME).write_text(page.replace("</main>", '<a href="nowhere/">x</a></main>'))
    assert main(["audit", str(out)]) == 1
    assert re.fullmatch(
        r"index\.html:\d+: link: 'nowhere/' is not in the site\n", capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["audit"], "PUBLIC"), (["audit", "{}/none"], "no site here"), (["audit", "a", "b"], "b")],
)
def test_wrong_use_of_the_audit_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert words in error
