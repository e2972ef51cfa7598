"""The caption of a case as a query: its parties without what every case has.

`Riverbend Mills, LLC v. Harbor County` becomes `riverbend mills v harbor county`; `In re: Ashgrove
Lumber` becomes `in re ashgrove lumber`. The tokens that tell a case are its rare words.
"""

from __future__ import annotations

import re
import unicodedata

MAX_TOKENS = 4
MIN_TOKEN_CHARS = 4
MIN_WORDS = 3
COMMON_ZIPF = 4.5  # a word this frequent stands in too many cases

_QUOTES = str.maketrans(
    {**dict.fromkeys("\u2018\u2019\u201b\u02bc`", "'"), **dict.fromkeys("\u2010\u2011", "-")}
)
_NOTE = re.compile(r"[\s(\[;,-]*\bRevisions?\s*:.*\Z", re.IGNORECASE | re.DOTALL)
_ALONE = re.compile(
    r"\A\s*(?P<kind>in re|in the matter of|matter of|ex parte)\b\s*:?\s*(?P<rest>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_VERSUS = re.compile(r"\s+vs?\b\.?(?:\s+|\Z)", re.IGNORECASE)
_NOT_A_WORD = re.compile(r"[^\w'-]+|_")
_EDGES = "-'"
_CORPORATE = frozenset(
    """inc incorporated llc ltd limited corp corporation co company lp llp lllp plc pc pllc na nv
    sa ag gmbh bv et al ux vir fka dba aka""".split()
)
_LAWYERS = frozenset("attorney attorneys atty esq esquire counsel".split())
_ARTICLES = frozenset({"a", "an", "the"})
# Public bodies, offices and roles that no case can be told by.
_GENERIC = frozenset(
    """united states state people commonwealth city county town township village borough parish
    district board department dept secretary commissioner commissioners director attorney general
    federal national office officer officers agency commission committee estate matter petition
    petitioner government administration administrator authority bureau division council court
    warden sheriff superintendent school university america american public service services
    trust trustee trustees bank insurance group association union international holdings
    company corporation partners industries systems solutions management in re ex parte
    unknown doe roe others plaintiff defendant appellant appellee respondent""".split()
)
_STATES = frozenset(
    """alabama alaska arizona arkansas california colorado connecticut delaware florida georgia
    hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts
    michigan minnesota mississippi missouri montana nebraska nevada hampshire jersey mexico york
    carolina dakota ohio oklahoma oregon pennsylvania rhode island tennessee texas utah vermont
    virginia washington wisconsin wyoming columbia""".split()
)
_KINDS = {"in the matter of": "in re", "matter of": "in re", "in re": "in re"}


def caption_query(name: str) -> str | None:
    """The caption as it is asked for, in lower case; None where it names no two parties or thing.

    Parties are parted by ` v `; what comes after a colon in a caption of two parties is dropped.
    """
    caption = _NOTE.sub("", unicodedata.normalize("NFC", name).translate(_QUOTES))
    alone = _ALONE.match(caption)
    if alone is not None:
        kind = " ".join(alone["kind"].lower().split())
        thing = _party(_VERSUS.split(alone["rest"], maxsplit=1)[0])
        return f"{_KINDS.get(kind, kind)} {thing}" if thing else None
    parties = [_party(side) for side in _VERSUS.split(caption.partition(":")[0], maxsplit=1)]
    if len(parties) == 2 and all(parties):
        return " v ".join(parties)
    return None


def party_tokens(query: str) -> list[str]:
    """At most four words that tell the case, rarest first; common ones only for want of others.

    Words of public bodies, roles and states never tell one.
    """
    from wordfreq import zipf_frequency

    words = dict.fromkeys(
        word.strip(_EDGES)
        for word in query.split()
        if len(word.strip(_EDGES)) >= MIN_TOKEN_CHARS and word not in _GENERIC | _STATES
    )
    frequency = {word: zipf_frequency(word, "en") for word in words}
    rare = [word for word in words if frequency[word] < COMMON_ZIPF]
    return sorted(rare or words, key=lambda word: (frequency[word], word))[:MAX_TOKENS]


def _party(side: str) -> str:
    """One side of a caption: lower case, no legal forms, lawyers, articles and bare numbers."""
    words = (word.strip(_EDGES) for word in _NOT_A_WORD.sub(" ", side.lower()).split())
    dropped = _CORPORATE | _LAWYERS | _ARTICLES
    return " ".join(word for word in words if word and word not in dropped and not word.isdigit())
