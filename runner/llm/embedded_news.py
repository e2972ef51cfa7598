"""News queries by rules: the rare words of a headline, or a refusal.

The stand-in for the prompt `news_query` where there is no language model. It knows no events: it
leaves out what by its form is no news (how-to, best-of, opinion, ...) and keeps of the rest the
names, numbers and rarest words (word frequencies: wordfreq, Zipf scale).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from runner.benches.news.checks import STOP_WORDS, is_copied, split_words

MAX_WORDS = 6
MIN_WORDS = 3
FEW_WORDS = 4  # a shorter headline borrows words from its summary, up to this number
COMMON_ZIPF = 5.7  # words at least so common carry no news: "people", "time", "work"
FUNCTION_ZIPF = 6.0
SUMMARY_CHARS = 300
MAX_WORD_CHARS = 30
MIN_SHARED = 2  # headlines of a trending topic that must share a word before it is an event

_FILLER = frozenset(
    """announces announced announcing introducing introduces introduced meet presenting presents
    update updates updated live breaking exclusive watch video photos latest news report reports
    reported according officials spokesperson mr mrs ms dr via part inside amid despite within
    without between during under against toward towards through across around until since while
    still ever even just only also both each every few many much very really whole""".split()
)
_EVERGREEN = (
    r"^(?:how|why|what|what's|when|where|which|should|can|could|does|do|is|are)\b",
    r"^(?:the |a |an |\d+ |our |my )*(?:best|ultimate|complete|essential|beginner's|definitive)\b",
    r"\bbest [\w' -]+ (?:for|of|to|in) ",
    r"\b(?:guides?|tutorials?|playbooks?|recipes?|explainers?|cheat sheet|checklist|primer)\b",
    r"\b(?:explained|demystif\w+|everything you need|you need to know|step[- ]by[- ]step)\b",
    r"\b\d+ (?:\w+ ){0,2}(?:ways|tips|reasons|things|tricks|ideas|lessons|steps|facts|habits)\b",
    r"^(?:tips|lessons|things|ways|ideas|reasons|getting started|an? introduction|mastering)\b",
    r"\b(?:best practices|gift ideas|deals of the|buying advice|how to)\b",
    r"^(?:opinion|op-ed|editorial|column|comment|commentary|analysis|review|essay|interview|q&a)\b",
    r"(?:^|[|:(–—-] ?)(?:opinion|review|letters|column|interview)[)]?$",
    r"^(?:podcast|episode|quiz|crossword|horoscopes?|wordle|sudoku|newsletter|in pictures)\b",
    r"\b(?:years later|looking back|retrospective|a history of|year in review)\b",
    r"\?$",
)
_EVERGREEN_RE = re.compile("|".join(_EVERGREEN), re.IGNORECASE)
_AGENCY_WHO = re.compile(r"^WHO\b")
_LEADING_DATE = re.compile(
    r"^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}, \d{4}|\d{4}-\d\d)",
    re.IGNORECASE,
)
_SITE_SUFFIX = re.compile(r"\s+[|–—-]\s+[^|–—:-]{2,30}$")
_APART = re.compile(r"[/|–—…]|\.{2,}")
_WORD = re.compile(r"[$€£#]?[^\W_]+(?:[.,'&+-][^\W_]+)*[%+]*")
_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "fi", "tr", "id")


def news_query(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a `news_query` prompt, in the form that a language model gives."""
    if variables["bucket"] == "trending":
        return _trend_query(variables["topic"], variables["headlines"].splitlines())
    title, summary = variables["title"], variables["summary"][:SUMMARY_CHARS]
    if _LEADING_DATE.match(title):
        return _refusal("boilerplate", "a line of a listing, not a headline")
    if _EVERGREEN_RE.search(title) and not _AGENCY_WHO.match(title):
        return _refusal("evergreen", title)
    if not is_english(f"{title} {summary}"):
        return _refusal("no_distinct_detail", "not English, and no model to translate it")
    words = _rare_words(_headline(title), MAX_WORDS)
    if len(words) < FEW_WORDS:
        words += _rare_words(summary, FEW_WORDS - len(words), known=words)
    if len(words) < MIN_WORDS:
        return _refusal("no_distinct_detail", f"fewer than {MIN_WORDS} words that tell it apart")
    if is_copied(words, split_words(title)):
        words = _reworded(words, summary, variables)
    return _reply(words, title)


def _reworded(words: list[str], summary: str, variables: Mapping[str, Any]) -> list[str]:
    """Words that are not the title: one word less, or one of the summary or the month more."""
    if len(words) == MAX_WORDS:
        commonest = max(words, key=lambda word: _weight(word, is_name=False))
        return [word for word in words if word != commonest]
    return [*words, *(_rare_words(summary, 1, known=words) or _month(variables))]


def _trend_query(topic: str, headlines: Sequence[str]) -> dict[str, Any]:
    """The topic with the rare words that several of its headlines share."""
    titles = [headline.partition(": ")[2] or headline for headline in headlines]
    counts: dict[str, int] = {}
    for title in titles:
        for word in dict.fromkeys(_rare_words(title, MAX_WORDS)):
            counts[word] = counts.get(word, 0) + 1
    known = _rare_words(topic, MAX_WORDS)
    shared = [word for word, n in counts.items() if n >= MIN_SHARED and word not in known]
    if not shared:
        return _refusal("no_event", "no two headlines share a word beyond the topic")
    words = [*known[:3], *sorted(shared, key=lambda word: -counts[word])[: MAX_WORDS - 2]]
    if len(words) < MIN_WORDS:
        return _refusal("no_distinct_detail", f"fewer than {MIN_WORDS} words that tell it apart")
    return _reply(words[:MAX_WORDS], topic)


def is_english(text: str) -> bool:
    """Whether a text reads as English rather than as one of a dozen other languages.

    Not English: letters that are not Latin; or words that are ten times commoner in another
    language on average, when its function words outnumber the English ones. Foreign names in an
    English headline do not come to that.
    """
    from wordfreq import zipf_frequency

    letters = [char for char in text if char.isalpha()]
    if not letters or sum(char < "\u0250" for char in letters) < 0.8 * len(letters):
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())[:60]
    english = [zipf_frequency(word, "en", "small") for word in words]
    common = sum(zipf >= FUNCTION_ZIPF for zipf in english)
    for language in _LANGUAGES:
        other = [zipf_frequency(word, language, "small") for word in words]
        foreign = sum(
            o >= FUNCTION_ZIPF and o - e >= 1 for o, e in zip(other, english, strict=True)
        )
        is_likelier = sum(other) - sum(english) > len(words)
        if is_likelier and (foreign > common or (common == 0 and len(words) >= 3)):
            return False
    return True


def _headline(title: str) -> str:
    """The title without the name of its site behind a bar or dash."""
    shorter = _SITE_SUFFIX.sub("", title)
    return shorter if len(shorter.split()) >= FEW_WORDS else title


def _rare_words(text: str, count: int, known: Sequence[str] = ()) -> list[str]:
    """The `count` rarest content words in the order of the text, none of them in `known`."""
    tokens = _APART.sub(" ", text).split()
    is_title_case = _is_title_case(tokens)
    weights: dict[str, float] = {}
    for position, token in enumerate(tokens):
        before = tokens[position - 1] if position else ""
        # A single digit says something behind a name only: "Mythos 5", not "5 people".
        follows_name = before[:1].isupper() and before.lower() in weights
        for word in split_words(token):
            word = re.sub(r"'s?$", "", word)
            if word in STOP_WORDS or word in _FILLER or word in known or word in weights:
                continue
            is_name = token[:1].isupper() and position > 0 and not is_title_case
            weight = _weight(word, is_name=is_name or token.isupper())
            is_long_enough = len(word) > 1 or (word.isdigit() and follows_name)
            is_word = is_long_enough and len(word) <= MAX_WORD_CHARS and _WORD.fullmatch(word)
            if is_word and weight < COMMON_ZIPF:
                weights[word] = weight
    rarest = sorted(weights, key=lambda word: weights[word])[: max(count, 0)]
    return [word for word in weights if word in rarest]


def _weight(word: str, *, is_name: bool) -> float:
    """The Zipf frequency, lower for numbers and names: they tell one event from another."""
    from wordfreq import zipf_frequency

    bonus = 2.0 if re.search(r"\d", word) else 1.5 if is_name else 0.0
    return float(zipf_frequency(word, "en")) - bonus


def _is_title_case(tokens: Sequence[str]) -> bool:
    """Whether capitals say nothing here: most words behind the first have one."""
    words = [token for token in tokens[1:] if token[:1].isalpha() and len(token) > 3]
    return sum(token[0].isupper() for token in words) > len(words) / 2


def _month(variables: Mapping[str, Any]) -> list[str]:
    """Month and year of the item, for a headline that has nothing else to set it apart."""
    day = date.fromisoformat((variables["published"] or variables["today"])[:10])
    return f"{day:%B %Y}".lower().split()


def _reply(words: Sequence[str], evidence: str) -> dict[str, Any]:
    return {
        "query": " ".join(words),
        "refusal": None,
        "quoted_span": None,
        "evidence": evidence,
    }


def _refusal(kind: str, why: str) -> dict[str, Any]:
    return {"query": None, "refusal": kind, "quoted_span": None, "evidence": why}
