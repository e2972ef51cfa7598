"""The texts of made-up papers: abstract and body, and the body as arXiv and PMC mark it up."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from tests.fakes import paper_words as words
from tests.fakes.hostile import hostile_lines
from tests.fakes.papers import Detail, Paper
from tests.fakes.scene import Scene

CITATION = re.compile(r"\[(\d+)\]")
_XREF = r'[<xref ref-type="bibr" rid="B\1">\1</xref>]'
MATH = "\x02"  # stands where a formula is
MIN_CHARS, MAX_CHARS = 6_300, 11_000


@dataclass(frozen=True)
class Section:
    """A heading and the paragraphs below it."""

    heading: str
    paragraphs: tuple[str, ...]


def abstract(scene: Scene, paper: Paper) -> str:
    """What the index of the source says of a paper; it names the first detail of the body."""
    rng = scene.draw("abstract", paper.number)
    lines = rng.sample(words.ABSTRACTS, rng.randint(3, 5))
    said = " ".join(
        line.format(
            topic=paper.topic.capitalize() if line.startswith("{topic") else paper.topic,
            object=paper.object,
            quality=paper.quality.lower(),
        )
        for line in lines
    )
    named = f" {paper.coined} is released with this article." if paper.coined else ""
    first = paper.details[0]
    return f"{said} We tell of the {first.name} {first.thing}.{named}"


@lru_cache(maxsize=256)
def sections(scene: Scene, paper: Paper) -> tuple[Section, ...]:
    """The body: 6 to 12 kB. Each paragraph tells a detail and, in plain words, the plot."""
    rng = scene.draw("body", paper.number)
    length = rng.randint(MIN_CHARS, MAX_CHARS)
    paragraphs: list[str] = []
    turn = 0
    while sum(map(len, paragraphs)) < length:
        paragraphs.append(_paragraph(rng, paper, turn))
        turn += 1
    headings = words.SECTIONS[: max(3, len(paragraphs) // 2)]
    size = -(-len(paragraphs) // len(headings))
    return tuple(
        Section(heading, tuple(paragraphs[at * size : (at + 1) * size]))
        for at, heading in enumerate(headings)
        if paragraphs[at * size : (at + 1) * size]
    )


def body_text(scene: Scene, paper: Paper) -> str:
    """The body as a reader sees it, without formulas, one paragraph a line."""
    found = (text for section in sections(scene, paper) for text in section.paragraphs)
    return "\n".join(text.replace(f" {MATH}", "") for text in found)


def _paragraph(rng: random.Random, paper: Paper, turn: int) -> str:
    detail = paper.details[turn % len(paper.details)]
    other = paper.details[(turn * 3 + 1) % len(paper.details)]
    lines = [
        _told(rng, rng.choice(words.DETAILS[detail.kind]), detail),
        _told(rng, rng.choice(words.SECOND_LOOKS), other),
        _plot(rng, paper),
    ]
    if paper.coined:
        lines.append(f"Here {paper.coined} was run once more with the same seed.")
    lines += [
        line.format(cite=rng.randint(1, 60), small=rng.randint(2, 9))
        for line in rng.sample(words.FILLERS, 4)
    ]
    rng.shuffle(lines)
    return " ".join(lines)


def _told(rng: random.Random, form: str, detail: Detail) -> str:
    return form.format(
        name=detail.name,
        thing=detail.thing,
        stuff=rng.choice(words.STUFF),
        mishap=rng.choice(words.MISHAPS),
        small=rng.randint(2, 40),
        count=rng.randint(41, 990),
        value=f"{rng.randint(1_001, 9_899):,}",
    )


def _plot(rng: random.Random, paper: Paper) -> str:
    plot = paper.plot
    return rng.choice(words.PLOTS).format(
        who=plot.who, where=plot.where, what=plot.what, when=plot.when
    )


def plain_title(paper: Paper) -> str:
    """The title without tags, for places that show it as text."""
    shown = paper.title
    for tag in ("<i>", "</i>", "<sub>", "</sub>"):
        shown = shown.replace(tag, "")
    return shown


# arXiv


_FORMULA = (
    '<math alttext="\\alpha=0.{n}" class="ltx_Math" display="inline" id="S{s}.p{p}.m1"><semantics>'
    "<mrow><mi>α</mi><mo>=</mo><mn>0.{n}</mn></mrow>"
    '<annotation encoding="application/x-tex">\\alpha=0.{n}</annotation></semantics></math>'
)


def html_page(scene: Scene, paper: Paper) -> str:
    """The page that LaTeXML makes of a paper."""
    title = escape(plain_title(paper))
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta content="text/html; charset=utf-8"',
        f' http-equiv="content-type"/>\n<title>{title}</title>\n',
        '<link href="/static/ar5iv.css" rel="stylesheet"/>\n<style>.ltx_p{margin:0}</style>\n',
        "<script>window.mathReady=true;</script>\n</head>\n<body>\n",
        '<nav class="ltx_page_navbar"><p>Report issue for preceding element</p></nav>\n',
        '<div class="ltx_page_main">\n<div class="ltx_page_content">\n',
        '<article class="ltx_document ltx_authors_1line">\n',
        f'<h1 class="ltx_title ltx_title_document">{title}</h1>\n',
        f'<div class="ltx_authors">{escape(", ".join(paper.authors))}</div>\n',
        '<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>\n',
        f'<p class="ltx_p" id="id1.id1">{escape(abstract(scene, paper))}</p></div>\n',
    ]
    if "failed_html" in paper.traps:
        parts.append(
            '<div class="ltx_ERROR">Conversion to HTML had a Fatal error and exited abruptly.</div>'
        )
    else:
        parts += [_html_section(at, part) for at, part in enumerate(sections(scene, paper), 1)]
    if scene.hostile:
        lines = hostile_lines(scene.draw("hostile body", paper.number))
        parts += [f'<p class="ltx_p">{escape(line)}</p>\n' for line in lines]
        parts += [f"<p>{lines[0]}<p class='ltx_p' <b>{lines[1]}</math></article-->\n"]
    parts += [
        '<section class="ltx_bibliography" id="bib"><h2 class="ltx_title">References</h2>\n',
        '<ul class="ltx_biblist"><li class="ltx_bibitem" id="bib.bib1"><span class="ltx_bibblock">',
        "B. Marchetti. On plainness. arXiv:2401.00001, 2024.</span></li></ul></section>\n",
        '</article>\n</div>\n<footer class="ltx_page_footer"><p>Generated by LaTeXML</p></footer>',
        "\n</div>\n</body>\n</html>\n",
    ]
    return "".join(parts)


def _html_section(at: int, section: Section) -> str:
    lines = [
        f'<section class="ltx_section" id="S{at}">\n<h2 class="ltx_title ltx_title_section">'
        f'<span class="ltx_tag ltx_tag_section">{at} </span>{section.heading}</h2>\n'
    ]
    for nth, text in enumerate(section.paragraphs, 1):
        formula = _FORMULA.format(s=at, p=nth, n=at * nth)
        shown = escape(text, quote=False).replace(MATH, formula)
        lines.append(
            f'<div class="ltx_para" id="S{at}.p{nth}">\n<p class="ltx_p" id="S{at}.p{nth}.1">'
            f"{shown}</p>\n</div>\n"
        )
    lines.append(
        f'<figure class="ltx_figure" id="S{at}.F{at}"><svg><text>axis</text></svg>'
        f'<figcaption class="ltx_caption"><span class="ltx_tag ltx_tag_figure">Figure {at}: </span>'
        f"All subsets of the {section.heading.lower()}.</figcaption></figure>\n</section>\n"
    )
    return "".join(lines)


# PMC


def jats(scene: Scene, paper: Paper) -> str:
    """The full text as Europe PMC gives it."""
    ids = [("pmcid", paper.pmcid), ("pmid", paper.pmid), ("doi", paper.doi)]
    front = "".join(
        f'<article-id pub-id-type="{kind}">{escape(value)}</article-id>'
        for kind, value in ids
        if value
    )
    title = paper.title.replace("i>", "italic>")
    body = "".join(_jats_section(at, part) for at, part in enumerate(sections(scene, paper), 1))
    if "empty_jats" in paper.traps:
        body = ""
    if scene.hostile:
        lines = hostile_lines(scene.draw("hostile body", paper.number))
        body += "".join(f"<p>{escape(line)}</p>" for line in lines)
    return (
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD'
        ' v1.3 20210610//EN" "JATS-archivearticle1-3-mathml3.dtd">\n'
        '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xml:lang="en" '
        'article-type="research-article"><front><journal-meta><journal-title-group>'
        "<journal-title>Annals of Invented Medicine</journal-title></journal-title-group>"
        f"</journal-meta><article-meta>{front}<title-group><article-title>{title}"
        "</article-title></title-group><abstract>"
        f"<p>{escape(abstract(scene, paper))}</p></abstract></article-meta></front>"
        f"<body>{body}</body><back><ack><p>We thank the ward staff.</p></ack>"
        '<ref-list><ref id="B1"><mixed-citation>Marchetti B. On plainness. <pub-id '
        'pub-id-type="pmid">31415926</pub-id></mixed-citation></ref></ref-list></back></article>'
    )


def _jats_section(at: int, section: Section) -> str:
    formula = (
        f'<inline-formula><mml:math id="M{at}"><mml:mi>α</mml:mi><mml:mo>=</mml:mo>'
        f"<mml:mn>0.{at}</mml:mn></mml:math></inline-formula>"
    )
    found = []
    for text in section.paragraphs:
        shown = escape(text, quote=False).replace(MATH, formula)
        found.append(f"<p>{CITATION.sub(_XREF, shown)}</p>")
    caption = f"All subsets of the {section.heading.lower()}."
    return (
        f'<sec id="s{at}"><title>{section.heading}</title>{"".join(found)}<fig id="f{at}"><label>'
        f"Figure {at}</label><caption><p>{caption}</p></caption></fig></sec>"
    )
