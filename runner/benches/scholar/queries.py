"""The queries of one paper: the title made a little worse, and three that a model writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from runner.benches.draws import derived_seed, drawn, picked
from runner.benches.proposals import parse_proposal
from runner.benches.scholar.body_text import excerpt
from runner.benches.scholar.checks import Source, cleaned, fault
from runner.benches.scholar.papers import Paper
from runner.benches.scholar.rows import Bucket
from runner.benches.scholar.words import folded, is_content
from runner.judging.asking import ask
from runner.llm.client import LanguageModel, Prompt, PromptName
from runner.records.judgements import Spend

MAX_PROMPT_ABSTRACT_CHARS = 1_500
MIN_TITLE_WORDS = 4
MANY_CONTENT_WORDS, SOME_CONTENT_WORDS = 7, 4  # of which two and one are left out
PROMPTS: dict[Bucket, PromptName] = {
    "body": "scholar_body",
    "clue": "scholar_clue",
    "tot": "scholar_tot",
}

_LETTER_COMMANDS = re.compile(r"\\(?:[\"'`^~=.]|[uvHcdbtrk](?![A-Za-z]))\s*\{?\\?([A-Za-z])\}?")
_STYLE_COMMANDS = re.compile(
    r"\\(?:text(?:it|bf|rm|sc|tt|sf|sl|up|sub|superscript)?|emph|math(?:rm|bf|it|cal|bb|frak|sf|tt"
    r"|scr)|operatorname|mbox|hbox|left|right|ensuremath|boldsymbol|bm|rm|bf|it|sc|em)(?![A-Za-z])"
)
_COMMANDS = re.compile(r"\\([A-Za-z]+)\*?")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True)
class Written:
    """A query that passed every check."""

    query: str


@dataclass(frozen=True)
class Lost:
    """Why there is no query: `reason` is counted, `text` the first example of it."""

    reason: str
    text: str


def title_query(title: str, seed: int) -> str | None:
    """The title in lower case without LaTeX and punctuation, and not quite as it stands there.

    A title word for word is found by every engine. So one or two content words that the seed
    draws are left out; of a title that is too short for that, the words after one that the seed
    draws come first. None for fewer than four words.
    """
    words = _WORD.findall(folded(without_latex(title)).lower())
    if len(words) < MIN_TITLE_WORDS:
        return None
    content = [i for i, word in enumerate(words) if is_content(word)]
    count = (len(content) >= SOME_CONTENT_WORDS) + (len(content) >= MANY_CONTENT_WORDS)
    count = min(count, len(words) - MIN_TITLE_WORDS)
    if count:
        left_out = set(picked(content, count, derived_seed(seed, "left out", title)))
        return " ".join(word for i, word in enumerate(words) if i not in left_out)
    start = 1 + drawn(len(words) - 1, seed, "start", title)
    return " ".join(words[start:] + words[:start])


def without_latex(text: str) -> str:
    """The text without LaTeX commands and signs; Greek letters keep their names."""
    text = _LETTER_COMMANDS.sub(r"\1", text)
    text = _STYLE_COMMANDS.sub("", text)
    text = _COMMANDS.sub(r" \1 ", text)
    return re.sub(r"[${}\\]", "", text).replace("~", " ").replace("_", "").replace("^", "")


def source_of(paper: Paper, body: str) -> Source:
    """What queries of a paper are checked against."""
    return Source(
        title=without_latex(paper.title),
        abstract=without_latex(paper.abstract),
        body=body,
        authors=paper.authors,
    )


def prompt_variables(paper: Paper, body: str, seed: int) -> Mapping[str, Any]:
    """What the model is shown of a paper: the same for all of its buckets."""
    return {
        "title": paper.title,
        "abstract": paper.abstract[:MAX_PROMPT_ABSTRACT_CHARS],
        "excerpt": excerpt(body, derived_seed(seed, "excerpt", paper.key)),
    }


async def written_query(
    bucket: Bucket,
    source: Source,
    variables: Mapping[str, Any],
    model: LanguageModel,
    spends: list[Spend],
) -> Written | Lost:
    """The query of a bucket as the model writes it, or why it was lost. Adds what it cost.

    Reasons: `llm_error`, `no_query` (refused), and those of a `Fault`.
    """
    answer = await ask(model, Prompt(PROMPTS[bucket], variables), parse_proposal)
    spends.append(answer.spend)
    if answer.value is None:
        return Lost("llm_error", answer.error.error_message if answer.error else "no reply")
    if answer.value.query is None:
        return Lost("no_query", f"{answer.value.refusal}: {answer.value.evidence or 'no reason'}")
    proposal = replace(answer.value, query=cleaned(answer.value.query))
    found = fault(bucket, proposal, source)
    if found is not None:
        return Lost(found.reason, f"{found.detail}: {proposal.query}")
    return Written(proposal.query or "")
