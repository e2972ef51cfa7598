"""Identifiers: tickers with their cues, LEI codes and accession numbers in any grouping."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching.countries import US_STATE_CODES
from runner.benches.finance.matching.entity import LEGAL_WORDS, CompanyName, company_name
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import (
    Words,
    has_phrase,
    places_of,
    plain_text,
    sentence_at,
    sentence_starts,
    visible_text,
)

MAX_TICKER_CHARS = 6
CUE_REACH = 12

# Only names that are no words: `six`, `bit` and `aim` would make a ticker of any capitals.
EXCHANGES = frozenset(
    "nasdaq nasdaqgs nasdaqgm nasdaqcm nyse nysearca nyseamerican amex tsx tsxv lse otc otcqx "
    "otcqb otcmkts cboe asx hkex sehk sgx bse nse jse krx kospi szse xetra euronext omx bmv".split()
)
# What names a listing: enough for a ticker that is also a word.
_LISTING = EXCHANGES | frozenset(
    "ticker tickers symbol symbols trades traded trading listed listing".split()
)
_CUES = frozenset(FIELDS["ticker"].cues) | EXCHANGES
_STOCK = frozenset({"stock", "stocks", "share", "shares"})
_STOCK_AFTER = re.compile(r"(?:'s)?[^\w.;!?\n]{1,3}(?:stocks?|shares?)(?![^\W_])", re.IGNORECASE)
_CAPITALS_BEFORE = re.compile(r"(?<![^\W_])([A-Z]{2,40})[ \t]+$")
_CAPITALS_AFTER = re.compile(r"[ \t]+([A-Z]{2,40})(?![^\W_])")
# Parts of a longer word: `ALL-STAR`, `PG-13`, `pre-ALL`.
_HYPHENED_AFTER = re.compile(r"[-'](?:[A-Za-z]{2}|\d)")
# `Boston, MA` is no Mastercard.
_CITY_BEFORE = re.compile(r"([A-Za-z]+)\.?,[ \t]*$")
_STATES = frozenset(US_STATE_CODES.split("|"))
_HYPHENED_BEFORE = re.compile(r"[A-Za-z]{2}[-']$")
_SEPARATORS = re.compile(r"[\s.\-‑/]+")
_LEI = re.compile(r"[0-9A-Z]{18}[0-9]{2}")


def is_lei(text: str) -> bool:
    """Whether a text is a well-formed LEI: 20 capitals and digits, mod 97 = 1 (ISO 17442, 7064)."""
    if not _LEI.fullmatch(text):
        return False
    return int("".join(str(int(char, 36)) for char in text)) % 97 == 1


def matcher(question: Question) -> Matcher:
    """Finds an identifier: a short one as a ticker in the text, a long one in text or address."""
    tickers = []
    long_ids = []
    for value in question.values:
        bare = _SEPARATORS.sub("", str(value))
        if 2 <= len(bare) <= MAX_TICKER_CHARS:
            tickers.append(str(value).strip())
        elif len(bare) > MAX_TICKER_CHARS:
            long_ids.append(bare.lower())
    find_ticker = _ticker_matcher(tickers, question) if tickers else None
    patterns = [(bare, _grouped(bare)) for bare in dict.fromkeys(long_ids)]

    def match(evidence: Evidence) -> str | None:
        for where, raw in (("url:id", evidence.url), ("text:id", evidence.text)):
            if patterns and _has_long_id(raw, patterns):
                return where
        return find_ticker(evidence) if find_ticker else None

    return match


def _has_long_id(raw: str, patterns: list[tuple[str, re.Pattern[str]]]) -> bool:
    text = visible_text(raw)
    # What the patterns find must be here, and here it is found faster.
    together = "".join(text.split()).replace("-", "").replace(".", "").replace("‑", "").lower()
    return any(bare in together and pattern.search(text) for bare, pattern in patterns)


def _grouped(bare: str) -> re.Pattern[str]:
    """The characters of an id with at most two separators between any two of them."""
    body = r"[\s.\-‑]{0,2}".join(map(re.escape, bare))
    return re.compile(rf"(?<![^\W_]){body}(?![^\W_])", re.IGNORECASE)


def _ticker_matcher(tickers: list[str], question: Question) -> Matcher:
    company = company_name(question.company)
    forms = [_Ticker.of(ticker) for ticker in dict.fromkeys(tickers)]

    def match(evidence: Evidence) -> str | None:
        plain = plain_text(evidence.text)
        surroundings: _Surroundings | None = None
        for number, ticker in enumerate(forms):
            for start in places_of(plain, ticker.start):
                found = ticker.pattern.match(plain, start)
                if found is None:
                    continue
                surroundings = surroundings or _Surroundings(plain, company)
                if not surroundings.hold(ticker.cues, found):
                    continue
                if ticker.listing is None or _is_meant(found, ticker.listing, surroundings):
                    return "text:alias" if number else "text:id"
        return None

    return match


@dataclass(frozen=True)
class _Ticker:
    """A ticker to look for; `listing` is what must be near one that may be a word, else None.

    A ticker that is also a cue (CBOE) is none for itself.
    """

    start: str
    pattern: re.Pattern[str]
    cues: frozenset[str]
    listing: frozenset[str] | None

    @classmethod
    def of(cls, ticker: str) -> _Ticker:
        parts = [part for part in _SEPARATORS.split(ticker) if part]
        # The mark before a class letter may be any of the usual ones.
        body = r"[-./ ]?".join(map(re.escape, parts))
        own = {ticker.lower()}
        return cls(
            start=parts[0],
            pattern=re.compile(rf"(?<![^\W_])(?<![^\W_]&){body}(?![^\W_])(?!&[^\W_])"),
            cues=_CUES - own,
            listing=_LISTING - own if is_word_like(ticker) else None,
        )


class _Surroundings:
    """What stands near a ticker: its sentence and the words at most 12 away.

    Made once a ticker is seen in a text; what a sentence holds is found out once for all the
    tickers in it, so that a text of nothing but tickers costs no more than its length.
    """

    def __init__(self, plain: str, company: CompanyName | None) -> None:
        self.plain = plain
        self._lowered = plain.lower()
        self._company = company
        self._words = Words(plain)
        self._starts = sentence_starts(plain)
        self._held: dict[tuple[int, frozenset[str]], bool] = {}
        self._named: dict[int, bool] = {}

    def hold(self, phrases: frozenset[str], found: re.Match[str]) -> bool:
        """Whether one of the phrases is in the sentence of a ticker or within 12 words of it."""
        return self.sentence_holds(phrases, found) or has_phrase(
            self._words.around(self._words.index_at(found.start()), CUE_REACH), phrases
        )

    def sentence_holds(self, phrases: frozenset[str], found: re.Match[str]) -> bool:
        start, end = sentence_at(self.plain, self._starts, found.start())
        key = (start, phrases)
        if key not in self._held:
            self._held[key] = has_phrase(self._words.between(start, end), phrases)
        return self._held[key]

    def sentence_names_company(self, found: re.Match[str]) -> bool:
        start, end = sentence_at(self.plain, self._starts, found.start())
        if start not in self._named:
            self._named[start] = self._company is not None and bool(
                self._company.find(self.plain, self._lowered, start, end)
            )
        return self._named[start]


def _is_meant(found: re.Match[str], listing: frozenset[str], surroundings: _Surroundings) -> bool:
    """Whether a short or word-like ticker is a ticker here, and not a word in capitals."""
    plain, start, end = surroundings.plain, found.start(), found.end()
    before = plain[max(0, start - 44) : start]
    for beside in (_CAPITALS_BEFORE.search(before), _CAPITALS_AFTER.match(plain, end)):
        if beside and beside.group(1).lower() not in EXCHANGES:
            return False
    if _HYPHENED_AFTER.match(plain, end) or _HYPHENED_BEFORE.search(before):
        return False
    city = _CITY_BEFORE.search(before)
    if city and found.group() in _STATES and city[1].lower() not in EXCHANGES | LEGAL_WORDS:
        return False
    if before.endswith("$") or _STOCK_AFTER.match(plain, end):
        return True
    if surroundings.hold(listing, found):
        return True
    return surroundings.sentence_holds(_STOCK, found) and surroundings.sentence_names_company(found)


@lru_cache(maxsize=8192)
def is_word_like(ticker: str) -> bool:
    """Whether a ticker has at most three letters or is an English word (about 1 in a million)."""
    from wordfreq import zipf_frequency

    bare = _SEPARATORS.sub("", ticker)
    return len(bare) <= 3 or zipf_frequency(bare.lower(), "en", wordlist="small") > 0
