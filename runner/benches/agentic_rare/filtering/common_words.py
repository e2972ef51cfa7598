"""The words that everyone uses, and which rare word is only one of them mistyped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

ZIPF_COMMON = 3.0  # once in a million words


@cache
def common_words() -> frozenset[str]:
    """The English words of Zipf frequency 3.0 or more (wordfreq): about 28,000, of letters alone.

    wordfreq's list holds the words of each hundredth of a bel below 1 at its index, so Zipf, the
    logarithm of the frequency a thousand million words, is 9 less that many hundredths.
    """
    from wordfreq import get_frequency_list

    last = round((9.0 - ZIPF_COMMON) * 100)
    buckets = get_frequency_list("en", wordlist="best")
    words = (word for bucket in buckets[: last + 1] for word in bucket)
    return frozenset(word for word in words if word.isalpha())


class Typos:
    """Knows whether a word is at edit distance 0 or 1 from a common one.

    One edit is a letter more, less or other, or two neighbours swapped. Each common word is filed
    under itself and under itself without each of its letters; two words one edit apart share such
    a form (Garbe's symmetric delete), so only words that share one are compared.
    """

    def __init__(self, common: Iterable[str]) -> None:
        # by hash, so that no form stays in memory; two forms of one hash cost a comparison
        forms: dict[int, list[str]] = {}
        for word in sorted(common):
            for form in _forms(word):
                forms.setdefault(hash(form), []).append(word)
        self._forms = {form: tuple(words) for form, words in forms.items()}

    def is_typo(self, word: str) -> bool:
        from rapidfuzz.distance import OSA

        return any(
            OSA.distance(word, common, score_cutoff=1) <= 1
            for form in _forms(word)
            for common in self._forms.get(hash(form), ())
        )


@cache
def common_typos() -> Typos:
    """The index of all common words, built once: it takes half a second."""
    return Typos(common_words())


def _forms(word: str) -> Iterator[str]:
    yield word
    for i in range(len(word)):
        if i == 0 or word[i] != word[i - 1]:  # of a double letter either one
            yield word[:i] + word[i + 1 :]
