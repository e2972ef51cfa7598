"""Words of papers and queries: tokens, stems, coined names, and how common a word is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

COMMON_ZIPF = 4.0  # from here on a word is of everyday English
MIN_TOKEN_CHARS = 3
MAX_TOKEN_CHARS = 60
MIN_STEM_CHARS = 4
GLUED_PARTS = 3

_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
)
_TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_OPENING = " \t'\"([{-\u2018\u201c"
_SENTENCE_ENDS = ".!?:;\n"

STOP_WORDS = frozenset(
    """a about above across after against all almost along already also although always am among an
    and another any anyone are around as at away be became because become been before being below
    between both but by can cannot could did do does doing done down due during each either else
    enough etc even ever every everything far few first for from further get gets give given gives
    go had has have having he hence her here hers herself him himself his how however i if in
    indeed instead into is it its itself just keep kept kind last later least less let lot made
    mainly make makes making many may maybe me might mine more moreover most much must my near
    nearly neither never next no none nor not nothing now of off often on once one ones only onto
    or other others our ours out over own per perhaps quite rather really said same saw say says
    second see seem seemed seems seen several shall she should show showed shown shows since so
    some someone something sort still such take taken takes than that the their theirs them then
    there therefore these they thing things third this those though through throughout thus to
    together too took towards two three four five six seven eight nine ten twelve under until up
    upon us used uses very via want wanted was way ways we well went were what whatever when
    whenever where whereas whether which while who whole whom whose why will with within without
    would yes yet you your yours don didn doesn isn wasn weren won
    study paper approach method methods results novel new efficient effective robust improved
    learning model models analysis framework system systems using based via toward
    towards""".split()
)
# Words by which people speak of any paper; one that is new in a query is no fact of this paper.
NO_FACTS = frozenset(
    """studies papers approaches result improve improving analyses frameworks use research
    researchers researcher work works author authors article articles propose proposes proposed
    present presents presented find finds found finding findings investigate investigates
    investigated report reports reported remember recall read reading somewhere something certain
    describe describes described experiment experiments""".split()
)
# Endings that tell forms of one word apart, the longest first; taken off as long as one fits.
_ENDINGS = sorted(
    """izations isations ization isation ational ations ation ators ator atory ated ating ative ates
    ate ized izing izes izer ize ised ising ises iser ise ities ity ically ical ic ments ment
    nesses ness ings ing edly ed ers er ors or ies ied ier y es e s ly al ally ive ively ous ously
    ism ist ists able ible ability ibility ion ions ance ances ence ences ancy ency ant ent ful
    less""".split(),
    key=len,
    reverse=True,
)


def folded(text: str) -> str:
    """The text in its plainest letters: compatibility forms, no accents, straight dashes.

    Letters of other alphabets stay.
    """
    parts = unicodedata.normalize("NFKD", text.translate(_DASHES))
    return "".join(char for char in parts if not unicodedata.combining(char))


def tokens(text: str) -> list[str]:
    """The words in lower case, compounds with their hyphens, in order."""
    return [match[:MAX_TOKEN_CHARS] for match in _TOKEN.findall(folded(text).lower())]


def content_tokens(text: str) -> list[str]:
    """The tokens of more than two characters that are no function or research words, in order."""
    return [word for word in tokens(text) if is_content(word)]


def is_content(word: str) -> bool:
    return len(word) >= MIN_TOKEN_CHARS and word not in STOP_WORDS


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """What the forms of a word have in common: endings go while four letters are left.

    It is meant to take too much rather than too little: what has the stem of a title's word counts
    as that word.
    """
    if not word.isalpha():
        return word
    while True:
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM_CHARS:
                word = word[: -len(ending)]
                break
        else:
            break
    if len(word) == MIN_STEM_CHARS and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]  # rats, rat
    if word.endswith("i"):
        return word[:-1] + "y"  # bodies, body
    if len(word) > MIN_STEM_CHARS and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]  # planning, plans
    return word


class Stems:
    """The stems of a text's words, to ask whether another word is one of them."""

    def __init__(self, *texts: str) -> None:
        self._stems: set[str] = set()
        self._glued: set[str] = set()
        for text in texts:
            found = tokens(text)
            self._stems.update(stem(part) for word in found for part in {word, *word.split("-")})
            self._glued.update(glued(found))

    def has(self, word: str) -> bool:
        """Whether the text has the word, in any form, as a compound or in its parts."""
        parts = word.split("-")
        if stem(word) in self._stems or stem("".join(parts)) in self._stems:
            return True
        if word.replace("-", "") in self._glued:
            return True
        telling = [part for part in parts if len(part) >= MIN_TOKEN_CHARS]
        return (
            len(parts) > 1 and bool(telling) and all(stem(part) in self._stems for part in telling)
        )


def glued(words: Iterable[str]) -> Iterator[str]:
    """One, two and three neighbouring parts written together: `triple-anneal`, `triple anneal`."""
    parts = [part for word in words for part in word.split("-")]
    for i in range(len(parts)):
        for n in range(1, GLUED_PARTS + 1):
            if i + n <= len(parts):
                yield "".join(parts[i : i + n])


def is_coined(part: str) -> bool:
    """Whether a word without hyphens is one that was made up: capitals within it, or a digit.

    `BERT`, `RNAs`, `arXiv`, `TripleAnneal`, `3d`, `x²`.
    """
    if any(char.isnumeric() for char in part):
        return True
    capitals = sum(char.isupper() for char in part)
    return capitals >= 2 or (capitals == 1 and not part[0].isupper())


def coined(text: str) -> set[str]:
    """The coined words of a text, in lower case and without hyphens, and compounds that hold one.

    Where a text is set in capitals throughout, capitals alone make no name.
    """
    plain = folded(text)
    parts = _PART.findall(plain)
    shouting = sum(part.isupper() and len(part) > 1 for part in parts) > len(parts) / 2
    if len(parts) < 3:
        shouting = False
    found: set[str] = set()
    for word in _TOKEN.findall(plain):
        pieces = [
            piece
            for piece in word.split("-")
            if is_coined(piece) and not (shouting and piece.isalpha() and piece.isupper())
        ]
        found.update(piece.lower() for piece in pieces if not piece.isdigit() or piece == word)
        if pieces:
            found.add(word.replace("-", "").lower())
    # the plural of a name is the name
    return found | {name[:-1] for name in found if name.endswith("s") and len(name) > 3}


def names(text: str) -> set[str]:
    """Words that a text writes with a capital only, also within sentences; in lower case."""
    plain = folded(text)
    small: set[str] = set()
    capital: set[str] = set()
    for match in _PART.finditer(plain):
        word = match[0]
        if word[0].islower():
            small.add(word)
        elif word[0].isupper() and len(word) >= MIN_TOKEN_CHARS:
            before = plain[max(0, match.start() - 8) : match.start()].rstrip(_OPENING)
            if before and before[-1] not in _SENTENCE_ENDS:
                capital.add(word.lower())
    return capital - small


def is_common(word: str) -> bool:
    """Whether a word is of everyday English (Zipf frequency of four or more)."""
    return zipf(word) >= COMMON_ZIPF


@lru_cache(maxsize=50_000)
def zipf(word: str) -> float:
    """The Zipf frequency of a word in English, 0 for one that is never met."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en"))
