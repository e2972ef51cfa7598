"""The prose that is made up: plain, endless, and without anything that could be an instruction."""

from __future__ import annotations

import re
from itertools import groupby, islice

import pytest

from runner.benches.needleif.checks import loose_variants, read_slot
from runner.benches.needleif.draw import generator
from runner.benches.needleif.programmatic import prose
from runner.benches.needleif.prose import pieces_of
from runner.benches.needleif.topics import CONNECTIVES, SCENES, TIMES, TOPICS

SENTENCES = 20_000


@pytest.fixture(scope="module")
def pieces() -> list[str]:
    return list(islice(prose(generator(666, "prose", "a test")), SENTENCES))


@pytest.fixture(scope="module")
def text(pieces: list[str]) -> str:
    return "".join(pieces).lstrip()


def test_it_holds_letters_blanks_and_plain_stops_alone(text: str) -> None:
    assert set(re.findall(r"[^A-Za-z]", text)) == set(" \n.,-'")


def test_it_speaks_of_no_task_and_to_nobody(text: str) -> None:
    banned = (
        "instruction instructions document documents reply replies output outputs answer answers "
        "write writes respond response you your yours please must should ensure include includes "
        "i my me we our us let make sure use avoid don't never word words letter letters "
        "paragraph paragraphs sentence sentences section sections bullet title json comma quote "
        "highlight placeholder postscript"
    ).split()
    assert set(re.findall(r"[a-z']+", text.lower())) & set(banned) == set()


def test_every_sentence_is_told_of_others(pieces: list[str]) -> None:
    openings = ["The ", *(w[0].upper() + w[1:] for w in (*TIMES, *CONNECTIVES, *SCENES))]
    assert [p for p in pieces if not p.lstrip().startswith(tuple(openings))] == []
    assert all(re.search(r"\bthe [a-z-]+ [a-z]", piece.lower()) for piece in pieces)


@pytest.mark.parametrize(
    ("instruction_id", "arguments"),
    [
        ("detectable_content:number_placeholders", {"num_placeholders": 1}),
        ("detectable_content:postscript", {"postscript_marker": "P.S."}),
        ("detectable_content:postscript", {"postscript_marker": "P.P.S"}),
        ("detectable_format:constrained_response", {}),
        ("detectable_format:json_format", {}),
        ("detectable_format:multiple_sections", {"section_spliter": "the", "num_sections": 1}),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1, "relation": "at least"}),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 1}),
        ("detectable_format:title", {}),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}),
        ("punctuation:no_comma", {}),
        ("startend:quotation", {}),
    ],
)
def test_it_satisfies_no_check_by_accident(
    text: str, instruction_id: str, arguments: dict[str, object]
) -> None:
    slot = read_slot(instruction_id, arguments)
    assert not slot.passes_any(loose_variants(text[:20_000]))


def test_no_sentence_comes_again_within_200(pieces: list[str]) -> None:
    last: dict[str, int] = {}
    for i, piece in enumerate(pieces):
        sentence = piece.strip()
        assert i - last.get(sentence, -201) > 200, sentence
        last[sentence] = i


def test_paragraphs_have_three_to_seven_sentences(pieces: list[str], text: str) -> None:
    whole = [len(pieces_of(paragraph)) for paragraph in text.split("\n\n")][:-1]
    assert set(whole) == {3, 4, 5, 6, 7}
    assert [p for paragraph in text.split("\n\n") for p in pieces_of(paragraph)] == pieces


def test_texts_of_two_seeds_differ_within_three_sentences() -> None:
    openings = {tuple(islice(prose(generator(seed, "prose")), 3)) for seed in range(3000)}
    assert len(openings) == 3000


def test_topic_changes_after_20_to_40_paragraphs(text: str) -> None:
    topics = [
        next(i for i, topic in enumerate(TOPICS) if any(thing in p for thing in topic.things))
        for p in text.split("\n\n")
    ]
    runs = [len(list(run)) for _, run in groupby(topics)][:-1]
    assert len(runs) > 100
    assert all(20 <= run <= 40 or 40 <= run <= 80 for run in runs)  # one topic may come twice
    assert sum(run <= 40 for run in runs) > 0.9 * len(runs)
