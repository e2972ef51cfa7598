from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.news.checks import rejection, split_words
from runner.llm.embedded_news import is_english, news_query
from tests.runner.benches.news.build import NOW

QUERIES = {
    "Skylark Air grounds entire turboprop fleet after cracked propeller": (
        "skylark air turboprop fleet cracked propeller"
    ),
    "Department store Alder & Vane files for bankruptcy, 38 shops to shut": (
        "alder vane files bankruptcy 38 shops"
    ),
    "Improving Fable 5's biology safeguards": "improving fable 5 biology safeguards",
    "Qwen 3.8 Max Scores 58.7 on the Tuesday Work Index": "qwen 3.8 scores 58.7 tuesday index",
    "WHO declares measles emergency in Kastria": "declares measles emergency kastria",
    "Mayor’s ferry plan fails — Harbor Herald": "mayor ferry plan fails",
    "Storm cuts power across whole of Northmoor county | BBC News": (
        "storm cuts power northmoor county"
    ),
}
REFUSED = {
    "How to choose a winter coat": "evergreen",
    "How Claude's text watermark works": "evergreen",
    "Why bridges fall": "evergreen",
    "Best coffee grinders for small kitchens": "evergreen",
    "The 12 best toys for children": "evergreen",
    "Guide to growing tomatoes indoors": "evergreen",
    "A recipe for plum cake with cinnamon": "evergreen",
    "7 ways to save on heating this winter": "evergreen",
    "Quantum computing explained for beginners": "evergreen",
    "Opinion: the ferry was never needed": "evergreen",
    "The ferry was never needed | Opinion": "evergreen",
    "Is the harbor ferry worth its price?": "evergreen",
    "What the ferry vote means": "evergreen",
    "Wordle hints and answers for Tuesday": "evergreen",
    "The AI-native SDLC playbook": "evergreen",
    "Aug 18, 2026ScienceHow we accelerate chemistry": "boilerplate",
    "Der Stadtrat von Kelddale beschließt den Bau der Fähre": "no_distinct_detail",
    "El ayuntamiento de Oakham aprueba el túnel del puerto": "no_distinct_detail",
    "Cohere ouvre un bureau à Montréal": "no_distinct_detail",
    "市議会が承認、新しい橋の建設": "no_distinct_detail",
    "Погода завтра в Москве": "no_distinct_detail",
    "Voxtral": "no_distinct_detail",
    "It is what it is": "no_distinct_detail",
    "...": "no_distinct_detail",
}


def variables(title: str, summary: str = "") -> dict[str, Any]:
    return {
        "today": f"{NOW:%Y-%m-%d}",
        "bucket": "rss",
        "source_kind": "rss_news",
        "title": title,
        "summary": summary,
        "url": "https://paper.example/a1",
        "published": "2026-11-02T09:00:00Z",
    }


@pytest.mark.parametrize("title", QUERIES)
def test_the_rare_words_of_a_headline_are_the_query(title: str) -> None:
    assert news_query(variables(title)) == {
        "query": QUERIES[title],
        "refusal": None,
        "quoted_span": None,
        "evidence": title,
    }


@pytest.mark.parametrize("title", REFUSED)
def test_what_is_no_english_news_is_refused(title: str) -> None:
    reply = news_query(variables(title))
    assert (reply["query"], reply["refusal"]) == (None, REFUSED[title])
    assert reply["evidence"]


def test_another_language_is_said_to_be_the_reason() -> None:
    reply = news_query(variables("Das Gericht in Keldmere verschiebt das Mietgesetz"))
    assert reply["evidence"] == "not English, and no model to translate it"


def test_a_short_headline_borrows_from_its_summary() -> None:
    reply = news_query(variables("Cursor joins SpaceX", "It was officially acquired."))
    assert reply["query"] == "cursor joins spacex acquired"


def test_a_headline_of_content_words_alone_gets_the_month_of_the_item() -> None:
    reply = news_query(variables("Firetiger joins Cursor"))
    assert reply["query"] == "firetiger joins cursor november 2026"


def test_six_content_words_in_a_row_lose_the_commonest() -> None:
    title = "Ostrel cocoa wreckage slumps quarterly turboprop"
    words = news_query(variables(title))["query"].split()
    assert len(words) == 5
    assert set(words) < set(title.lower().split())


def trend(topic: str, *headlines: str) -> dict[str, Any]:
    return news_query(
        {
            "today": "2026-11-03",
            "bucket": "trending",
            "topic": topic,
            "headlines": "\n".join(headlines),
        }
    )


def test_a_topic_takes_the_words_that_its_headlines_share() -> None:
    reply = trend(
        "harbor ferry",
        "Paper: Council rejects harbor ferry contract",
        "Herald: Harbor council rejects new contract",
    )
    assert reply["query"] == "harbor ferry council rejects contract"


def test_a_topic_whose_headlines_share_nothing_has_no_event() -> None:
    assert trend("harbor ferry")["refusal"] == "no_event"
    assert trend("harbor ferry", "Paper: Council meets", "Herald: Storm")["refusal"] == "no_event"


def test_an_english_text_with_foreign_names_stays_english() -> None:
    assert is_english("Lula de Silva wins the vote in São Paulo")
    assert is_english("Los Angeles opens La Brea station")
    assert is_english("NVIDIA Nemotron 3.5 Lightning")


@given(st.text(max_size=120), st.text(max_size=120))
def test_every_reply_is_a_refusal_or_a_query_in_title_order(title: str, summary: str) -> None:
    reply = news_query(variables(title, summary))
    assert (reply["query"] is None) != (reply["refusal"] is None)
    if reply["query"] is not None:
        assert 2 <= len(reply["query"].split()) <= 6


HEADLINE_WORDS = st.lists(
    st.sampled_from(
        "Mayor Harbor ferry the of approves storm 38 Alder Vane bankruptcy after in GPT-5.6 "
        "vaccine court Kelddale tunnel rejects and council strike".split()
    ),
    min_size=3,
    max_size=14,
)


@given(HEADLINE_WORDS)
def test_queries_of_headlines_pass_the_machine_checks(words: list[str]) -> None:
    title = " ".join(words)
    query = news_query(variables(title))["query"]
    if query is not None:
        assert rejection(query, [title], NOW.date()) in (None, "bare_entity")
        kept = [word for word in split_words(query) if word in split_words(title)]
        order = list(dict.fromkeys(split_words(title)))
        assert kept == [word for word in order if word in kept]
