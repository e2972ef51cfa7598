"""Captions as queries, and the words that tell a case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.legal.captions import caption_query, party_tokens


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Riverbend Mills, LLC v. Harbor County", "riverbend mills v harbor county"),
        ("Riverbend Mills vs. Harbor County", "riverbend mills v harbor county"),
        ("Riverbend Mills v Harbor County", "riverbend mills v harbor county"),
        ("United States v. Tessendorf", "united states v tessendorf"),
        ("The Ashgrove Co. v. O’Brien", "ashgrove v o'brien"),
        ("O'Hanlon-Reyes v. Quarry", "o'hanlon-reyes v quarry"),
        ("Skelder et al. v. Marrick Inc.", "skelder v marrick"),
        ("Brackness v. Doe, Esq.", "brackness v doe"),
        ("Room 404 Partners v. 17 Stanholt", "room partners v stanholt"),
        # what the reference lost
        ("In re: Ashgrove Lumber", "in re ashgrove lumber"),
        ("In re Ashgrove Lumber Co.", "in re ashgrove lumber"),
        ("IN RE: Marrick Holdings, Inc.", "in re marrick holdings"),
        ("In the Matter of Tessendorf", "in re tessendorf"),
        ("Matter of Tessendorf", "in re tessendorf"),
        ("Ex parte Quillgate", "ex parte quillgate"),
        ("In re: Skelder v. Marrick", "in re skelder"),
        ("Skelder v. Marrick: Order", "skelder v marrick"),
        ("Skelder v. Marrick Revisions: 11/15/26", "skelder v marrick"),
        ("Skelder v. Marrick (Revisions: 11/15/26)", "skelder v marrick"),
        ("Skelder v. Marrick - Revision: page 3", "skelder v marrick"),
        # no two parties, or nobody left
        ("Skelder v.", None),
        ("Skelder", None),
        ("v. Marrick", None),
        ("Inc. v. The LLC", None),
        ("In re: Inc.", None),
        ("", None),
        ("123 v. 456", None),
    ],
)
def test_a_caption_becomes_a_query_of_its_parties(name: str, query: str | None) -> None:
    assert caption_query(name) == query


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("riverbend mills v harbor county", ["riverbend", "harbor", "mills"]),
        ("united states v tessendorf", ["tessendorf"]),
        ("united states v state of ohio", []),
        ("doe v roe", []),
        ("in re ashgrove lumber", ["ashgrove", "lumber"]),
        ("city of marrick v board of education", ["marrick"]),
        ("music v labor", ["labor", "music"]),  # common, but there is nothing else
        ("music v skelderby", ["skelderby"]),
        ("skel v abc", ["skel"]),
    ],
)
def test_rare_words_of_the_parties_tell_the_case(query: str, tokens: list[str]) -> None:
    assert party_tokens(query) == tokens


def test_at_most_four_tokens_rarest_first() -> None:
    tokens = party_tokens("skelderby quillgate marrickson v stanholten brackness tessendorf")
    assert len(tokens) == 4


@given(st.text(max_size=200))
def test_any_name_gives_a_clean_query_or_none(name: str) -> None:
    query = caption_query(name)
    if query is not None:
        assert query == " ".join(query.lower().split())
        assert '"' not in query
        assert ":" not in query
