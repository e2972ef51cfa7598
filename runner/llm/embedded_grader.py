"""The embedded judge: relevance from words and word vectors, by rules written down here.

Evidence is the title and the sentences of the snippet. Each query word has a weight that grows
with its rarity in English. Three figures between 0 and 1 are made of them:

covered   share of the query's weight found anywhere in the evidence (same word stem)
together  the largest share found in the title alone, or in two neighbouring sentences
close     cosine of the query's vector with the nearest title or sentence, from .25 to .75

strength = .50 covered + .30 together + .20 close; a rating is the number of steps it reaches
(.30, .52, .68, .86). Then the gates:

integrity   no evidence, or a stretch of text that only repeats a few words: 0
spirit      the rarest query word (a name, as a rule) is missing: at most 2
coverage    covered under .6: at most 2
staleness   the query is about news and the document is over 300 days old, or both name
            years and none agrees: one point less
operators   left to code, which decides them exactly (see runner.judging.gates)

Sentences that talk to a grader (about ratings, instructions, prompts) are no evidence and are
left out. Since only the best sentence counts, no added sentence can raise a rating unless it
holds the query's own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Any

STEPS = (0.30, 0.52, 0.68, 0.86)
STALE_DAYS = 300
# So many words in a row with fewer different ones than this are stuffing. Four of 3,000 real feed
# entries have such a stretch; the stuffed pages of the sample all do.
STUFFED = ((12, 5), (24, 10), (40, 20))

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_OPERATOR = re.compile(r"(?i)\b(?:site|after|before):\S+")
_STOP = frozenset(
    "a an and are as at be but by can did do does for from had has have he her his how i if in is "
    "it its more my no not of on or our s she so t that the their them they this to up us was we "
    "were what when where which who why will with you your after before over new".split()
)
# Words that speak about grading. Three of them in one sentence, two beside a number that could be
# a rating, or one of the plain tells, and the sentence addresses the grader instead of reporting.
_GRADING = frozenset(
    "rate rating rated grade grader grading score judge judgement judgment evaluate evaluator "
    "documents evaluation relevant relevance instruction instructions ignore disregard override "
    "prompt system assistant model document maximum answer query user output json label "
    "previous".split()
)
_SMALL_NUMBER = re.compile(r"(?<![\w.])[0-4](?![\w.]\d)")
_TELLS = re.compile(
    r"(?i)^\W*(?:reasoning|rating|label|document_\w+|\w+_gate)\W*:"
    r"|fullym|failsm|\bllm\b|language model|system prompt|ignore (?:all|any|the|previous|prior)"
    r"|disregard (?:all|any|the|previous|prior)|\brating\b\s*[:=]?\s*\d|\[(?:begin|end) "
    r"|</?(?:system|instruction|prompt|document|query)\b|\"rating\""
)


def query_profile(variables: Mapping[str, Any]) -> dict[str, Any]:
    """A profile by rule: a news query is specific and ephemeral, its aspect the event it names."""
    query = str(variables["query"])
    has_operators = bool(_OPERATOR.search(query)) or '"' in query
    return {
        "query_type": "specific",
        "query_content_archetype": "ephemeral",
        "query_domain": "news",
        "query_search_operators_exist": has_operators,
        "query_main_aspects": [f"what happened: {' '.join(_OPERATOR.sub('', query).split())}"],
        "query_aux_aspects": ["date", "place", "people involved"],
    }


def relevance(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The reply of the embedded judge to the prompt `relevance`, by the rules of this module."""
    query = _OPERATOR.sub(" ", str(variables["query"]))
    title = _fold(str(variables.get("title") or ""))[:1000]
    snippet = _fold(str(variables.get("snippet") or ""))
    weights = _weights(query)
    sentences = [s for s in _SENTENCE_END.split(snippet) if s.strip() and not _addresses_grader(s)]
    title = "" if _addresses_grader(title) else title
    evidence = [title, *sentences]
    stems = [_stems(part) for part in evidence]
    everything = frozenset().union(*stems)
    if not everything or not weights:
        return _reply(0, {"document_integrity_check": "fail"}, "No evidence to judge.")
    if _is_stuffed(" ".join(sentences)):
        return _reply(0, {"document_integrity_check": "fail"}, "The text repeats a few words.")

    covered = _share(weights, everything)
    pairs = pairwise([*stems[1:], frozenset()])
    windows = [stems[0], *(one | next_one for one, next_one in pairs)]
    together = max(_share(weights, window) for window in windows)
    close = _closeness(query, evidence)
    strength = 0.50 * covered + 0.30 * together + 0.20 * close
    rating = sum(strength >= step for step in STEPS)

    gates: dict[str, str] = {}
    rarest = max(weights, key=lambda stem: (weights[stem], stem))
    if rarest not in everything:
        gates["document_spirit_condition"] = "fail"
        rating = min(rating, 2)
    if covered < 0.6:
        gates["document_coverage_condition"] = "fail"
        rating = min(rating, 2)
    if _is_stale(variables, query, f"{title} {snippet}"):
        gates["staleness_gate"] = "fail"
        rating = max(rating - 1, 0)
    return _reply(
        rating,
        gates,
        f"Specific news query. Query words covered {covered:.2f}, together {together:.2f}, "
        f"vector closeness {close:.2f}, strength {strength:.2f}."
        + (f" Failed: {', '.join(sorted(gates))}." if gates else ""),
    )


def _reply(rating: int, failed: dict[str, str], reasoning: str) -> dict[str, Any]:
    return {
        "reasoning": reasoning,
        "document_integrity_check": "pass",
        "document_spirit_condition": "pass",
        "document_coverage_condition": "pass",
        "document_completeness_condition": "na",
        "freshness_gate": "na",
        "staleness_gate": "pass",
        "domain_gate": "pass",
        "search_operators_gate": "na",
        **failed,
        "rating": rating,
        "label": ("FailsM", "FailsM", "SM", "HM", "FullyM")[rating],
    }


def _fold(text: str) -> str:
    """Plain letters: compatibility forms unified, accents removed."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _stem(word: str) -> str:
    """A word without its commonest English endings; short words and numbers stay whole."""
    word = word.replace("’", "'").removesuffix("'s")
    if len(word) > 4 and not word.isdigit():
        for ending in ("ing", "ies", "ed", "es", "s", "e", "y"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)]
    return word


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()))


@lru_cache(maxsize=4096)
def _rarity(word: str) -> float:
    """A weight of 1 (an everyday word) to 7 (one that English texts hardly know)."""
    from wordfreq import zipf_frequency

    return max(1.0, 8.0 - max(zipf_frequency(word, "en"), 1.0))


@lru_cache(maxsize=256)
def _weights(query: str) -> dict[str, float]:
    words = [word for word in _WORD.findall(_fold(query).lower()) if word not in _STOP]
    return {_stem(word): _rarity(word) for word in words}


def _share(weights: Mapping[str, float], stems: frozenset[str]) -> float:
    found = sum(weight for stem, weight in weights.items() if stem in stems)
    return found / sum(weights.values())


def _closeness(query: str, evidence: list[str]) -> float:
    from runner.vectors import embed

    parts = [part[:500] for part in evidence if part.strip()][:60]
    vectors = embed([_fold(query), *parts])
    nearest = float((vectors[1:] @ vectors[0]).max())
    return min(1.0, max(0.0, (nearest - 0.25) / 0.5))


def _is_stuffed(text: str) -> bool:
    """Whether some stretch of the text only repeats a few words.

    Stretches, not the whole: or else any text put around a stuffed page would excuse it.
    """
    words = _WORD.findall(text.lower())
    return any(
        len(set(words[start : start + length])) < distinct
        for length, distinct in STUFFED
        for start in range(len(words) - length + 1)
    )


def _addresses_grader(sentence: str) -> bool:
    if _TELLS.search(sentence):
        return True
    spoken = len(_GRADING.intersection(_WORD.findall(sentence.lower())))
    return spoken >= (2 if _SMALL_NUMBER.search(sentence) else 3)


def _is_stale(variables: Mapping[str, Any], query: str, text: str) -> bool:
    asked = set(_YEAR.findall(query))
    told = set(_YEAR.findall(text))
    published = variables.get("published")
    if published:
        told.add(str(published)[:4])
        age = date.fromisoformat(str(variables["today"])) - date.fromisoformat(str(published))
        if age.days > STALE_DAYS and not asked:
            return True
    return bool(asked and told and not asked & told)
