"""Engines described by a TOML file."""

from __future__ import annotations

import asyncio
import importlib.resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from runner.engines.custom import CustomEngine, load_custom
from runner.engines.registry import build_engines
from runner.engines.spec import ApiError, SearchOutcome
from runner.errors import UsageError
from runner.settings import Settings
from tests.fakes import FakeWorld
from tests.runner.engines.asking import TODAY, ask, brief, json_with
from tests.runner.wire import answer, wire

BASE = """
id = "mine"
url = "https://search.example/v1"
[params]
q = "{query}"
[response]
results = "data.results"
url = "link"
title = "title"
snippet = "passages"
date = "meta.dates.0"
"""
EXAMPLE = Path(str(importlib.resources.files("runner.engines"))) / "examples" / "searxng.toml"


def load(tmp_path: Path, text: str, env: dict[str, str] | None = None) -> CustomEngine:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return load_custom(file, Settings(env=env or {}))


def test_what_the_file_leaves_out_has_a_default(tmp_path: Path) -> None:
    spec = load(tmp_path, BASE).spec
    assert (spec.id, spec.label, spec.family, spec.vendor) == ("mine", "mine", "mine", "custom")
    assert (spec.timeout_s, spec.min_interval_s, spec.price_usd_per_1k) == (30.0, 0.0, None)
    assert spec.archive == "snippet"


def test_what_the_file_says_is_taken(tmp_path: Path) -> None:
    text = (
        'label = "Mine"\nfamily = "base"\ntimeout_s = 5\nmin_interval_s = 0.5\n'
        "price_usd_per_1k = 1.25\n" + BASE
    )
    spec = load(tmp_path, text).spec
    assert (spec.label, spec.family) == ("Mine", "base")
    assert (spec.timeout_s, spec.min_interval_s, spec.price_usd_per_1k) == (5.0, 0.5, 1.25)


def test_placeholders_are_filled_in_params_and_body(tmp_path: Path) -> None:
    engine = load(
        tmp_path,
        """
id = "mine"
url = "https://search.example/v1"
method = "POST"
[headers]
Authorization = "Bearer ${MY_KEY}"
[params]
n = "{num_results}"
lang = "en"
[body]
q = "{query}"
n = "{num_results}"
text = "max {snippet_chars} for {query}"
flag = true
[body.deep]
list = ["{query}", { chars = "{snippet_chars}" }, 3]
[response]
results = "."
url = "u"
""",
        {"MY_KEY": "s3cret-key"},
    )
    request = engine.build_request(ask("a {num_results} ${X} site:b.com", snippet_chars=500))
    raw = "a {num_results} ${X} site:b.com"
    assert request.method == "POST"
    assert request.url == "https://search.example/v1"
    assert request.headers == {"Authorization": "Bearer s3cret-key"}
    assert request.params == {"n": "10", "lang": "en"}
    assert request.json == {
        "q": raw,
        "n": 10,
        "text": f"max 500 for {raw}",
        "flag": True,
        "deep": {"list": [raw, {"chars": 500}, 3]},
    }
    assert engine.mask("said s3cret-key") == "said ***"


def test_a_get_engine_has_no_body(tmp_path: Path) -> None:
    request = load(tmp_path, BASE).build_request(ask("x"))
    assert (request.method, request.json, request.params) == ("GET", None, {"q": "x"})


HIT = {"link": "https://a.example", "title": "T", "passages": ["p", "q"], "meta": {"dates": ["d"]}}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"data": {"results": [HIT]}}, [("https://a.example", "T", "p\nq", "d")]),
        ({"data": {"results": [HIT | {"passages": "one"}]}},
         [("https://a.example", "T", "one", "d")]),
        ({"data": {"results": [HIT | {"meta": {"dates": []}, "title": 3, "passages": [1]}]}},
         [("https://a.example", None, None, None)]),
        ({"data": {"results": [{"link": ""}, {"title": "T"}, None, 3, [HIT]]}}, []),
        ({"data": {"results": []}}, []),
        ({"data": {"results": None}}, []),
        ({"data": {"results": "x"}}, []),
    ],
)  # fmt: skip
def test_paths_lead_to_the_results(tmp_path: Path, body: Any, expected: list[Any]) -> None:
    assert brief(load(tmp_path, BASE).parse_response(body, ask())) == expected


def test_the_answer_itself_may_be_the_list(tmp_path: Path) -> None:
    engine = load(tmp_path, BASE.replace('"data.results"', '"."').replace('"link"', '"0.href"'))
    assert brief(engine.parse_response([[{"href": "u"}, "x"]], ask())) == [("u", None, None, None)]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "the answer has nothing at 'data.results'"),
        ([], "the answer has nothing at 'data.results'"),
        (None, "the answer has nothing at 'data.results'"),
        ({"data": []}, "the answer has nothing at 'data.results'"),
        ({"error": "quota used up"}, "quota used up"),
        ({"error": {"message": "too long"}}, "too long"),
        ({"detail": "nope", "data": None}, "nope"),
    ],
)
def test_an_answer_without_the_place_of_the_results_is_an_error(
    tmp_path: Path, body: Any, said: str
) -> None:
    with pytest.raises(ApiError, match=said):
        load(tmp_path, BASE).parse_response(body, ask())


@given(json_with("data", "results", "link", "title", "passages", "meta", "dates"))
def test_no_json_breaks_it(tmp_path_factory: pytest.TempPathFactory, body: Any) -> None:
    engine = load(tmp_path_factory.mktemp("custom"), BASE)
    found = engine.parse_response({"data": {"results": [body, body]}}, ask())
    assert all(result.url for result in found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "mine"', 'id = "Mine!"', "id must be 1 to 40 of a-z, 0-9 and -"),
        ('id = "mine"', "", "id"),
        ('id = "mine"', 'id = "mine"\nurll = "x"', "unknown key urll; known are id, url, response"),
        ('title = "title"', 'titel = "t"', "unknown key response.titel; known are results, url"),
        ("https://search.example/v1", "search.example", "url must be an http"),
        ("https://search.example/v1", "file:///etc/passwd", "url must be an http"),
        ("https://search.example/v1", "http://[bad", "url must be an http"),
        ("https://search.example/v1", "http://a.example:x/", "url must be an http"),
        ("https://search.example/v1", "http://a.example/{query}", "placeholders go into"),
        ("[params]", "[params]\nn = '{count}'", "unknown placeholder {count}; known are {query}"),
        ("[params]", "[params]\nn = 3", "params"),
        ('q = "{query}"', 'q = "fixed"', "must hold {query}"),
        ("[params]", '[body]\nx = 1\n[params]', 'a [body] needs method "POST"'),
        ("[params]", 'method = "PUT"\n[params]', "PUT"),
        ("[params]", "timeout_s = 0\n[params]", "timeout_s must be above 0"),
        ("[params]", "timeout_s = 301\n[params]", "timeout_s must be above 0"),
        ("[params]", "timeout_s = inf\n[params]", "timeout_s must be above 0"),
        ("[params]", "min_interval_s = -1\n[params]", "min_interval_s must be 0 to 60"),
        ("[params]", "min_interval_s = nan\n[params]", "min_interval_s must be 0 to 60"),
        ("[params]", "price_usd_per_1k = -1\n[params]", "price_usd_per_1k must be 0"),
        ("[params]", "price_usd_per_1k = inf\n[params]", "price_usd_per_1k must be 0"),
        ("[params]", "headers = 3\n[params]", "headers"),
        ("[params]", "[headers]\nA = '${NO_SUCH}'\n[params]", "NO_SUCH is not set"),
        ("[params]", "[headers]\nA = '${}'\n[params]", "variable  is not set"),
        ('results = "data.results"', "", "results"),
        ("[response]", "[response", "not TOML"),
        ("[response]", "response = 3\n[other]", "unknown key other"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_work_is_refused_by_name(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in BASE
    with pytest.raises(UsageError) as raised:
        load(tmp_path, BASE.replace(old, new, 1))
    assert said in str(raised.value)
    assert "mine.toml" in str(raised.value)


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="larger than"):
        load(tmp_path, BASE + "#" * 70_000)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not TOML"):
        load_custom(tmp_path / "binary.toml", Settings(env={}))
    with pytest.raises(UsageError, match="cannot be read"):
        load_custom(tmp_path, Settings(env={}))


def search(name: str, settings: Settings, query: str = "storm harbour") -> SearchOutcome:
    async def test() -> SearchOutcome:
        [engine] = build_engines(
            [name], settings=settings, snippet_chars=100, corpus=None, today=TODAY
        )
        outcome = await engine.search(query, num_results=5)
        await engine.aclose()
        return outcome

    return asyncio.run(test())


def test_the_shipped_example_works_against_searxng(tmp_path: Path) -> None:
    file = tmp_path / "searxng.toml"
    text = EXAMPLE.read_text(encoding="utf-8")
    file.write_text(text.replace("http://localhost:8080/", "https://searx.example/"))
    with FakeWorld() as world:
        outcome = search(f"custom:{file}", Settings(env={}, gateway=world.url))
        [call] = world.calls
    assert outcome.error is None
    assert outcome.results is not None
    assert len(outcome.results) == 5
    assert all(r.title and r.snippet and len(r.snippet) <= 100 for r in outcome.results)
    assert call.query == {"q": "storm harbour", "format": "json", "language": "en", "pageno": "1"}


def test_a_key_of_a_custom_engine_is_masked_in_its_errors(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(BASE.replace("[params]", '[headers]\nX-Pass = "${MY_PASS}"\n[params]'))

    async def test() -> SearchOutcome:
        async with wire(answer(b"wrong: hunter2-hunter2 and other-key", 403)) as script:
            env = {"MY_PASS": "hunter2-hunter2", "OTHER_API_KEY": "other-key"}
            [engine] = build_engines(
                [f"custom:{file}"],
                settings=Settings(env=env, gateway=script.url),
                snippet_chars=100,
                corpus=None,
                today=TODAY,
            )
            outcome = await engine.search("x")
            await engine.aclose()
            assert "X-Pass: hunter2-hunter2" in script.heads[0]
            return outcome

    outcome = asyncio.run(test())
    assert outcome.error is not None
    assert outcome.error.error_message == "403: wrong: *** and ***"


def test_a_key_of_a_custom_engine_is_masked_in_its_results_and_nothing_else_is(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.toml"
    headers = '[headers]\nX-Pass = "${MY_PASS}"\nX-Language = "${LANGUAGE}"\n'
    file.write_text(BASE.replace("[params]", f"{headers}[params]"))
    body = b'{"data":{"results":[{"link":"https://a.example","title":"english hunter2-hunter2"}]}}'
    env = {"MY_PASS": "hunter2-hunter2", "LANGUAGE": "english"}

    async def test() -> SearchOutcome:
        async with wire(answer(body)) as script:
            [engine] = build_engines(
                [f"custom:{file}"],
                settings=Settings(env=env, gateway=script.url),
                snippet_chars=100,
                corpus=None,
                today=TODAY,
            )
            assert "hunter2" not in repr(load_custom(file, Settings(env=env)))
            outcome = await engine.search("x")
            await engine.aclose()
            return outcome

    outcome = asyncio.run(test())
    assert [result.title for result in outcome.results or []] == ["english ***"]
