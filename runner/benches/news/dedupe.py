"""Near-copies among topics and queries, by token-set ratio of a normal form.

Thresholds and the dropped words are those of the benchmark's first public version.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Generic, TypeVar

TOPIC_RATIO = 90.0
QUERY_RATIO = 85.0
_JOINING = frozenset({"v", "vs", "and"})
_PASSING = frozenset(
    """match result results score live today january february march april may june july august
    september october november december""".split()
)
_YEAR = re.compile(r"(?:19|20)\d\d")

T = TypeVar("T")


# What has no decomposition: letters with a stroke, ligatures, and the typographer's marks.
_BASES = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "đ": "d", "ı": "i"}
    | dict.fromkeys("‐‑‒–—―", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”„", '"')
)


def to_ascii(text: str) -> str:
    """The text without accents; letters that have no ASCII base vanish."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_BASES))
    return decomposed.encode("ascii", "ignore").decode()


def normal_topic(text: str) -> str:
    """Lower-case ASCII words in sorted order, without `v`, `vs`, `and` and punctuation."""
    return " ".join(sorted(_words(text) - _JOINING))


def normal_query(text: str) -> str:
    """As `normal_topic`, and without words that any query may carry: live, score, months, years."""
    words = _words(text) - _JOINING - _PASSING
    return " ".join(sorted(word for word in words if not _YEAR.fullmatch(word)))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", to_ascii(text).lower().replace("'", "")))


class Clusters(Generic[T]):
    """Texts kept so far, each with a value; a text joins the closest kept one within `ratio`."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._forms: list[str] = []
        self._values: list[T] = []

    def find(self, form: str) -> T | None:
        """The value of the closest kept form with a ratio of at least the threshold, or None."""
        from rapidfuzz import fuzz, process

        best = process.extractOne(
            form, self._forms, scorer=fuzz.token_set_ratio, score_cutoff=self._ratio
        )
        return None if best is None else self._values[best[2]]

    def keep(self, form: str, value: T) -> None:
        self._forms.append(form)
        self._values.append(value)
