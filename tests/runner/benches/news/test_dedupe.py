from __future__ import annotations

import pytest

from runner.benches.news.dedupe import (
    QUERY_RATIO,
    TOPIC_RATIO,
    Clusters,
    normal_query,
    normal_topic,
    to_ascii,
)

FORMS = {
    "Lakers vs. Celtics": "celtics lakers",
    "celtics v lakers": "celtics lakers",
    "Salt and Pepper": "pepper salt",
    "Beyoncé's tour": "beyonces tour",
    "Łódź–Århus ferry": "arhus ferry lodz",
    "live score today": "live score today",
}
QUERY_FORMS = {
    "Lakers vs Celtics live score today": "celtics lakers",
    "lakers celtics match results november 2026": "celtics lakers",
    "1984 film 1899 2101": "1899 2101 film",
    "may elections": "elections",
}
NEAR = (
    ("harbor city ferry vote", "ferry vote harbor city november 3", True),
    ("harbor city ferry vote", "harbor city ferry strike", True),  # three words of four
    ("harbor city ferry vote", "harbor city budget strike", False),
    ("lakers celtics live score", "celtics vs lakers result", True),
    ("tesla recall brakes", "tesla recall steering", False),
    ("quake tokyo magnitude 6.1", "tokyo quake 6.1 magnitude japan", True),
    ("storm northmoor power", "storm southmoor power", True),  # one letter pair of twenty
)


@pytest.mark.parametrize("text", FORMS)
def test_topics_have_a_normal_form(text: str) -> None:
    assert normal_topic(text) == FORMS[text]


@pytest.mark.parametrize("text", QUERY_FORMS)
def test_queries_lose_their_passing_words(text: str) -> None:
    assert normal_query(text) == QUERY_FORMS[text]


@pytest.mark.parametrize(("one", "other", "is_near"), NEAR)
def test_near_copies_of_queries_are_found(one: str, other: str, is_near: bool) -> None:
    clusters: Clusters[str] = Clusters(QUERY_RATIO)
    clusters.keep(normal_query(one), one)
    assert (clusters.find(normal_query(other)) == one) == is_near
    reverse: Clusters[str] = Clusters(QUERY_RATIO)
    reverse.keep(normal_query(other), other)
    assert (reverse.find(normal_query(one)) == other) == is_near


def test_a_text_without_words_of_its_own_is_near_nothing() -> None:
    clusters: Clusters[str] = Clusters(QUERY_RATIO)
    clusters.keep(normal_query("live score"), "live score")
    assert clusters.find(normal_query("results today")) is None


def test_the_closest_cluster_is_joined() -> None:
    clusters: Clusters[int] = Clusters(TOPIC_RATIO)
    clusters.keep("celtics game lakers", 1)
    clusters.keep("celtics lakers", 2)
    assert clusters.find("celtics lakers") in (1, 2)
    assert clusters.find("alpha beta gamma") is None


def test_accents_are_folded_and_other_scripts_vanish() -> None:
    assert to_ascii("Łukasz Fabiański, Ærø, Straße") == "Lukasz Fabianski, AEro, Strasse"
    assert to_ascii("日本 win") == " win"
