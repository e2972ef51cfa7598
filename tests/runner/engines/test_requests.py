"""Every engine's requests against the stored, reviewed ones and the strict fake vendors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from runner.engines.registry import build_engines
from runner.engines.spec import EngineSpec, SearchOutcome
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault
from tests.runner.engines.asking import TODAY
from tests.runner.engines.requests import CASES, networked, requests_of, stored

SPECS = networked()
KEYS = {spec.key_env: f"fake-{spec.key_env}" for spec in SPECS.values() if spec.key_env}
HOSTS = {name: requests_of(spec)["plain"]["sent"].split("/")[2] for name, spec in SPECS.items()}
# A query of nothing but dates has no words to search for; what is left is the raw text, which
# these vendors refuse or search for literally.
REFUSED = {"only dates"}


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


def search(
    world: FakeWorld, name: str, query: str, *, num_results: int = 5, key: str | None = None
) -> SearchOutcome:
    keys = KEYS if key is None else dict.fromkeys(KEYS, key)
    settings = read_settings({**keys, "NEEDLE_GATEWAY": world.url})

    async def ask() -> SearchOutcome:
        (engine,) = build_engines(
            [name],
            settings=settings,
            snippet_chars=2000,
            corpus=None,
            today=TODAY,
            sleep=lambda _: asyncio.sleep(0),
        )
        try:
            return await engine.search(query, num_results=num_results)
        finally:
            await engine.aclose()

    return asyncio.run(ask())


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.id)
def test_requests_are_the_reviewed_ones(spec: EngineSpec) -> None:
    assert requests_of(spec) == stored(spec)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("case", [case for case in CASES if case not in REFUSED])
def test_a_strict_vendor_takes_every_request(world: FakeWorld, name: str, case: str) -> None:
    changes = CASES[case]
    query = changes.get("query", "acme plant")
    outcome = search(world, name, query, num_results=changes.get("num_results", 5))
    assert outcome.error is None, outcome.error


@pytest.mark.parametrize("name", SPECS)
def test_a_found_page_comes_with_title_and_snippet(world: FakeWorld, name: str) -> None:
    found = [
        result
        for n in range(3)
        for result in search(world, name, f"alderby ferry vote {n}").results or []
    ]
    assert len(found) >= 8
    assert all(result.url.startswith("http") for result in found)
    assert sum(bool(result.title) for result in found) >= 8
    assert sum(bool(result.snippet) for result in found) >= 8
    assert not any("&amp;" in (r.title or "") or "<b>" in (r.title or "") for r in found)


@pytest.mark.parametrize("name", SPECS)
def test_nothing_found_is_an_empty_list_and_no_error(world: FakeWorld, name: str) -> None:
    outcome = search(world, name, "site:a.example emptyanswer")
    assert (outcome.error, outcome.results) == (None, [])


@pytest.mark.parametrize("name", [name for name, spec in SPECS.items() if spec.key_required])
def test_a_wrong_key_is_an_error_that_does_not_show_it(world: FakeWorld, name: str) -> None:
    outcome = search(world, name, "alderby ferry", key="wrong-key-0123456789")
    assert outcome.error is not None
    # Brave answers a bad token with 422, which by the letter of the rule is the service's failure.
    expected = "service" if name.startswith("brave") else "account"
    assert outcome.error.error_class == expected
    assert "wrong-key-0123456789" not in outcome.error.error_message


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("status", [402, 429, 500])
def test_a_vendors_own_error_keeps_its_status(name: str, status: int) -> None:
    fault = Fault(host=HOSTS[name], kind="status", status=status)
    with FakeWorld(faults=[fault]) as world:
        outcome = search(world, name, "alderby ferry")
    assert outcome.error is not None
    assert (outcome.error.error_type, outcome.error.status) == ("http_error", status)
    assert outcome.error.error_class == ("service" if status == 500 else "account")
    assert outcome.attempts == {402: 1, 429: 7, 500: 4}[status]


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("kind", ["nulls", "wrong_types", "hostile"])
def test_odd_answers_give_fewer_results_never_a_crash(name: str, kind: str) -> None:
    with FakeWorld(faults=[Fault(host=HOSTS[name], kind=kind)]) as world:
        for n in range(3):
            outcome = search(world, name, f"alderby ferry {n}")
            assert outcome.results is not None or outcome.error is not None
            if outcome.error is not None and outcome.error.error_type != "api_error":
                assert outcome.error.error_message.startswith("BodyTooLarge")
