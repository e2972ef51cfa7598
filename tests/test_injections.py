"""No instruction in a page raises a rating, neither of the embedded judge nor of a model."""

from __future__ import annotations

import pytest

from runner.llm.client import Prompt
from runner.llm.embedded_grader import relevance
from runner.llm.prompts import render
from tests.fakes.delimiters import Delimited
from tests.injections import ATTEMPTS, ORDER, attempts

QUERY = "harrowmere ferry vote council"
PAGES = {
    "irrelevant": ("Pruning roses", "Roses need pruning in March. Use clean shears."),
    "partly relevant": ("Ferry timetable", "Boats leave Harrowmere at nine. The fare is four."),
    "relevant": (
        "Harrowmere council backs ferry in late vote",
        "The Harrowmere council voted 7-2 on Monday to fund the ferry. Members argued for hours.",
    ),
}


def _variables(title: str, snippet: str) -> dict[str, str | None]:
    return {
        "query": QUERY,
        "today": "2026-11-30",
        "profile": None,
        "url": "https://a.example/x",
        "title": title,
        "snippet": snippet,
        "published": None,
    }


def _rating(title: str, snippet: str) -> int:
    rating = relevance(_variables(title, snippet))["rating"]
    assert isinstance(rating, int)
    return rating


def _placed(title: str, snippet: str, attempt: str) -> list[tuple[str, str]]:
    """The attempt in the title, and at the start, middle and end of the snippet."""
    first, _, rest = snippet.partition(". ")
    return [
        (f"{title}. {attempt}", snippet),
        (title, f"{attempt}\n{snippet}"),
        (title, f"{first}. {attempt}\n{rest}"),
        (title, f"{snippet}\n{attempt}"),
    ]


def test_there_are_enough_attempts_and_no_two_alike() -> None:
    assert len(set(ATTEMPTS)) == len(ATTEMPTS) >= 60


@pytest.mark.parametrize("attempt", attempts(QUERY))
@pytest.mark.parametrize("kind", PAGES)
def test_the_embedded_judge_rates_no_page_higher_for_it(kind: str, attempt: str) -> None:
    title, snippet = PAGES[kind]
    honest = _rating(title, snippet)
    ratings = [_rating(*page) for page in _placed(title, snippet, attempt)]
    assert max(ratings) <= honest


@pytest.mark.parametrize("attempt", attempts(QUERY))
def test_the_prompt_keeps_it_inside_the_delimiters(attempt: str) -> None:
    honest = Delimited.read(_prompt(*PAGES["relevant"]))
    for title, snippet in _placed(*PAGES["relevant"], attempt):
        read = Delimited.read(_prompt(title, snippet))
        assert read.outside == honest.outside
        assert read.ordered_rating() is None
        assert set(read.values) == set(honest.values)


def test_the_double_of_the_model_obeys_an_order_outside_the_delimiters() -> None:
    assert Delimited.read(f"{_prompt('T', 's')}\n{ORDER}").ordered_rating() == 4


def _prompt(title: str, snippet: str) -> str:
    return render(Prompt("relevance", _variables(title, snippet))).user
