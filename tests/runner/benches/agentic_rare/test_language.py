"""The vote on a language, each voter by itself and all together."""

from __future__ import annotations

import logging

import pytest

from runner.benches.agentic_rare.filtering.language import LanguageVote, fasttext_identifier

COMMON = {"buy", "a", "bed", "in", "town", "now"}


@pytest.mark.parametrize(
    ("query", "whole", "rest", "is_english"),
    [
        ("zzq buy a bed", ("de", 0.7), ("en", 0.9), False),
        ("zzq buy a bed", ("de", 0.69), ("en", 0.9), True),
        ("zzq buy a bed", ("en", 0.9), ("de", 0.7), False),
        ("zzq buy a bed", ("en", 0.9), ("de", 0.69), True),  # common words
        ("zzq matratze kaufen", ("en", 0.9), ("de", 0.69), False),
        ("zzq matratze kaufen", ("en", 0.9), ("en", 0.5), True),  # the identifier is believed
        ("zzq matratze kaufen", ("en", 0.9), ("en", 0.49), False),
        ("zzq matratze kaufen", ("de", 0.4), ("en", 0.5), True),
        ("zzq buy a bed matratze kaufen", ("en", 0.3), ("en", 0.3), True),  # 3 of 5
        ("zzq buy a matratze kaufen bett", ("en", 0.3), ("en", 0.3), False),  # 2 of 5
        ("zzq buy matratze", ("en", 0.3), ("en", 0.3), False),  # 1 of 2
        ("zzq 12 b2b 7", ("en", 0.3), ("fr", 0.3), True),  # nothing to read
        ("zzq 12 b2b kaufen", ("en", 0.3), ("fr", 0.3), False),
        ("zzq", ("en", 0.1), ("de", 1.0), True),
        ("zzq", ("de", 0.7), ("en", 1.0), False),
        ("zzq zzr", ("", 0.0), ("de", 1.0), True),
    ],
)
def test_the_vote(
    query: str, whole: tuple[str, float], rest: tuple[str, float], is_english: bool
) -> None:
    words = query.split()
    rare = {"zzq", "zzr"}
    answers = {query: whole, " ".join(word for word in words if word not in rare): rest}
    assert LanguageVote(answers.__getitem__, COMMON).is_english(words, rare) == is_english


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where can i buy a good mattress for side sleepers", "en"),
        ("wo kann ich eine gute matratze kaufen", "de"),
        ("o\u00f9 puis-je acheter un bon matelas", "fr"),
        ("d\u00f3nde puedo comprar un buen colch\u00f3n", "es"),
        ("dove posso comprare un buon materasso", "it"),
    ],
)
def test_the_identifier_knows_languages(text: str, language: str) -> None:
    found, share = fasttext_identifier()(text)
    assert found == language
    assert 0.5 < share <= 1.0


def test_the_identifier_reads_a_query_to_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    identify = fasttext_identifier()
    english = "the cat sat on the mat and then it went to sleep in the warm evening sun by the door"
    german = "und dann ging der hund in den garten um mit dem kleinen kind im gras zu spielen " * 4
    assert identify(english)[0] == "en"
    assert identify(english + " " + german)[0] == "de"
    assert not caplog.records
