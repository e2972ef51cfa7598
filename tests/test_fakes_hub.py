"""The hub of the fake world: files, lists, tokens, and the queries that its data sets hold."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare.filtering.examine import Examiner, Limits, RareQuery
from runner.benches.agentic_rare.filtering.pipeline import Filter
from runner.benches.agentic_rare.filtering.stream import read_batches
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces
from tests.fakes import FakeWorld, Fault
from tests.fakes.hosts.hub import ARCHIVED, DATASET, KEY, MODEL, OLD_MODEL, PRIVATE, STORE
from tests.fakes.rare_queries import (
    ARTIFACT_TRAPS,
    GROUP_ROWS,
    ROWS,
    TRAPS,
    artifact,
    stream,
)
from tests.vocabulary import bert_tokens

HUB = "/huggingface.co"
TOKEN = {"Authorization": f"Bearer {KEY}"}
RARE = "agentic/rare_entity.parquet"
STREAM = "agentic/queries.parquet"


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture(scope="module")
def client(world: FakeWorld) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=world.url, timeout=30) as running:
        yield running


@pytest.fixture(scope="module")
def examiner() -> Examiner:
    return Examiner(WordPieces(bert_tokens()), Limits())


def resolve(client: httpx.Client, path: str, repo: str = DATASET, **headers: str) -> httpx.Response:
    return client.get(f"{HUB}/datasets/{repo}/resolve/main/{path}", headers=headers)


def stored(client: httpx.Client, path: str, repo: str = DATASET, **headers: str) -> httpx.Response:
    """A large file from where the hub sends us for it, without a token."""
    answer = resolve(client, path, repo, **headers)
    assert answer.status_code == 302, answer.text
    return client.get(answer.headers["location"].replace("https:/", "", 1))


def rows(client: httpx.Client, path: str) -> list[dict[str, Any]]:
    table = pq.read_table(BytesIO(stored(client, path).content))
    found: list[dict[str, Any]] = table.to_pylist()
    return found


# Files


def test_a_large_file_comes_from_a_store_that_wants_no_token(client: httpx.Client) -> None:
    answer = resolve(client, RARE, **TOKEN)
    assert answer.status_code == 302
    address = answer.headers["location"]
    assert address.startswith(f"https://{STORE}/")
    path = address.replace("https:/", "", 1)
    body = client.get(path)
    assert (body.status_code, body.content[:4]) == (200, b"PAR1")
    assert answer.headers["x-linked-size"] == str(len(body.content))
    assert client.get(path, headers=TOKEN).status_code == 400
    assert client.get(path.partition("?")[0]).status_code == 403


def test_a_small_file_comes_at_once(client: httpx.Client) -> None:
    answer = client.get(f"{HUB}/{MODEL}/resolve/main/vocab.txt")
    assert answer.status_code == 200
    assert answer.text.split("\n")[:-1] == list(bert_tokens())
    old = client.get(f"{HUB}/{OLD_MODEL}/resolve/main/vocab.txt")
    assert (old.status_code, old.headers["location"]) == (
        307,
        f"/{MODEL}/resolve/main/vocab.txt",
    )


REFUSALS = [
    (f"datasets/{DATASET}/resolve/main/agentic/none.parquet", {}, 404, "EntryNotFound"),
    (f"datasets/{DATASET}/resolve/v2/{RARE}", {}, 404, "RevisionNotFound"),
    (f"datasets/nobody/nothing/resolve/main/{RARE}", {}, 401, "RepoNotFound"),
    (f"datasets/nobody/nothing/resolve/main/{RARE}", TOKEN, 404, "RepoNotFound"),
    (f"datasets/{PRIVATE}/resolve/main/{RARE}", {}, 401, "RepoNotFound"),
    (f"{DATASET}/resolve/main/{RARE}", {}, 401, "RepoNotFound"),
    (f"datasets/{DATASET}/resolve/main/{RARE}", {"Authorization": "Bearer x"}, 401, None),
    (f"api/datasets/{PRIVATE}/tree/main/agentic", {}, 401, "RepoNotFound"),
    (f"api/datasets/{DATASET}/tree/main/nothing", {}, 404, "EntryNotFound"),
    (f"api/datasets/{DATASET}/tree/main?page=2", {}, 400, None),
    (f"api/datasets/{DATASET}/tree/main?cursor=x", {}, 400, None),
    (f"api/datasets/{DATASET}/tree/main?limit=1001", {}, 400, None),
]


@pytest.mark.parametrize(("path", "headers", "status", "code"), REFUSALS)
def test_the_hub_refuses_in_its_own_shape(
    client: httpx.Client, path: str, headers: dict[str, str], status: int, code: str | None
) -> None:
    answer = client.get(f"{HUB}/{path}", headers=headers)
    assert answer.status_code == status
    assert answer.headers.get("x-error-code") == code
    assert answer.json()["error"] == answer.headers["x-error-message"]


def test_a_private_data_set_opens_to_its_token(client: httpx.Client) -> None:
    assert stored(client, RARE, PRIVATE, **TOKEN).status_code == 200


def test_too_many_requests_get_the_hubs_own_429() -> None:
    rule = Fault(kind="quota", host="huggingface.co", calls=2, window_s=300)
    with FakeWorld(faults=[rule], ticks=lambda: 0.0) as world, httpx.Client() as client:
        url = f"{world.url}{HUB}/{MODEL}/resolve/main/config.json"
        answers = [client.get(url) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].headers["retry-after"] == "300"
    assert "rate limit" in answers[-1].json()["error"]


def test_the_blog_of_the_hub_is_still_a_feed(client: httpx.Client) -> None:
    answer = client.get(f"{HUB}/blog/feed.xml")
    assert answer.status_code != 200 or "xml" in answer.headers["content-type"]
    assert "error" not in answer.text[:20]


# Lists


def listed(client: httpx.Client, folder: str, **params: Any) -> list[list[dict[str, Any]]]:
    """The pages of a list, each by the Link header of the one before."""
    answer = client.get(f"{HUB}/api/datasets/{DATASET}/tree/main/{folder}", params=params)
    pages = [answer.json()]
    while link := answer.headers.get("link"):
        match = re.fullmatch(r'<https:/(/huggingface\.co/\S+)>; rel="next"', link)
        assert match
        answer = client.get(match[1])
        pages.append(answer.json())
    return pages


def test_a_long_list_comes_in_pages_that_link_to_the_next(client: httpx.Client) -> None:
    pages = listed(client, "runs", recursive="true")
    entries = [entry for page in pages for entry in page]
    assert [len(page) for page in pages[:-1]] == [1_000] * (len(pages) - 1)
    assert len(pages) >= 3
    files = [entry["path"] for entry in entries if entry["type"] == "file"]
    assert len(files) == len(set(files)) == ARCHIVED
    assert {entry["type"] for entry in entries} == {"file", "directory"}


def test_a_list_without_recursion_has_the_folder_alone(client: httpx.Client) -> None:
    (page,) = listed(client, "")
    kinds = {entry["path"]: entry["type"] for entry in page}
    assert kinds == {
        ".gitattributes": "file",
        "README.md": "file",
        "agentic": "directory",
        "runs": "directory",
    }
    (page,) = listed(client, "agentic")
    sizes = {entry["path"]: entry["lfs"]["size"] for entry in page}
    assert sizes[RARE] == len(stored(client, RARE).content)


def test_pages_can_be_made_smaller(client: httpx.Client) -> None:
    pages = listed(client, "agentic", recursive="true", limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]


# The queries


def test_the_stream_has_row_groups_and_every_trap(client: httpx.Client) -> None:
    body = stored(client, STREAM).content
    file = pq.ParquetFile(BytesIO(body))
    assert file.metadata.num_rows == ROWS == len(stream(0))
    assert file.metadata.num_row_groups == -(-ROWS // GROUP_ROWS)
    assert file.schema_arrow.names == ["query_text", "source", "metadata", "asked_at"]
    counts = Counter(row.trap for row in stream(0))
    assert all(counts[kind] >= 20 for kind in TRAPS)
    other = rows(client, "agentic/queries_by_query.parquet")
    assert [row["query"] for row in other] == [row.text for row in stream(0)]


@pytest.mark.parametrize("kind", sorted(TRAPS))
def test_a_trap_fails_the_check_that_it_says(examiner: Examiner, kind: str) -> None:
    expected = TRAPS[kind][1]
    for row in stream(0):
        if row.trap == kind:
            found = examiner.examine(row.text)
            if expected in ("ngram_cap", "duplicate"):  # alone each is a good query
                assert isinstance(found, RareQuery)
            else:
                assert found == expected, row.text


def test_a_filter_counts_every_trap_under_its_reason(
    client: httpx.Client, examiner: Examiner, tmp_path: Path
) -> None:
    work = Filter(examiner, tmp_path)
    try:
        work.take(read_batches(BytesIO(stored(client, STREAM).content), STREAM))
        account = work.write(tmp_path / "out.parquet")
    finally:
        work.close()
    expected = Counter(TRAPS[row.trap][1] for row in stream(0) if row.trap)
    expected["no_rare_word"] += sum(not row.trap and not row.word for row in stream(0))
    for reason in {reason for _, reason in TRAPS.values()} - {"non_english", "ngram_cap"}:
        assert account.dropped[reason] == expected[reason], reason
    assert account.dropped["ngram_cap"] >= expected["ngram_cap"] - 2
    assert account.num_kept >= 500


def test_rows_without_a_trap_are_rare_or_everyday(examiner: Examiner) -> None:
    plain = [row for row in stream(0) if not row.trap]
    assert {examiner.examine(row.text) for row in plain if not row.word} == {"no_rare_word"}
    rare = [(row.word, examiner.examine(row.text)) for row in plain if row.word]
    kept = [(word, one) for word, one in rare if isinstance(one, RareQuery)]
    assert all(word in dict(one.hard_words) for word, one in kept)
    # A model of languages takes a coined word for Finnish now and then.
    assert len(kept) >= 0.98 * len(rare)
    assert {one for _, one in rare if isinstance(one, str)} <= {"non_english"}


@pytest.mark.parametrize("kind", sorted(ARTIFACT_TRAPS))
def test_every_trap_of_the_artifact_is_set(kind: str) -> None:
    assert sum(row["source"] == f"trap:{kind}" for row in artifact(0)) >= 3


def test_the_artifact_says_of_each_query_what_the_filter_would(
    client: httpx.Client, examiner: Examiner
) -> None:
    found = rows(client, RARE)
    assert len(found) >= 500
    assert {row["length_bucket"] for row in found} >= {"short", "medium", "long"}
    for row in found:
        if not row["source"].startswith("trap:"):
            rare = examiner.examine(row["query_text"])
            if not isinstance(rare, RareQuery):
                assert rare == "non_english"
                continue
            said = [(word["word"], word["subwords"]) for word in json.loads(row["hard_words"])]
            measured = [(word, list(pieces)) for word, pieces in rare.hard_words]
            assert said[0] in measured
            assert row["n_words"] == len(rare.words)


def test_nested_values_come_as_texts_or_nested(client: httpx.Client) -> None:
    flat, nested = rows(client, RARE), rows(client, "agentic/rare_entity_nested.parquet")
    assert len(flat) == len(nested)
    for one, other in zip(flat, nested, strict=True):
        for name in ("metadata", "hard_words"):
            assert (one[name] is None) == (other[name] is None)
            assert one[name] is None or json.loads(one[name]) == other[name]


def test_a_broken_file_is_no_parquet(client: httpx.Client) -> None:
    body = stored(client, "agentic/broken.parquet").content
    assert body[:4] == b"PAR1"
    with pytest.raises(pa.ArrowInvalid, match="Parquet magic bytes not found"):
        pq.read_table(BytesIO(body))
