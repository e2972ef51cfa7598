"""The roster and building engines from names."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from runner.engines.local import Corpus
from runner.engines.registry import CATALOG, build_engines, load_catalog, read_catalog
from runner.errors import DataError, UsageError
from runner.settings import Settings
from tests.runner.engines.asking import TODAY

FAMILIES = {
    "keenable-realtime": "keenable",
    "keenable": "keenable",
    "exa-instant": "exa",
    "exa-lite": "exa",
    "exa": "exa",
    "google": "google",
    "brave-llmcontext": "brave",
    "brave": "brave",
    "bing": "bing",
    "parallel-turbo": "parallel",
    "parallel-fast": "parallel",
    "parallel": "parallel",
    "tavily": "tavily",
    "linkup": "linkup",
    "perplexity-fast": "perplexity",
    "perplexity": "perplexity",
    "octen": "octen",
    "ceramic": "ceramic",
    "you": "you",
    "firecrawl": "firecrawl",
    "tinyfish": "tinyfish",
    "kagi": "kagi",
    "jina": "jina",
    "context": "context",
    "deepseek": "deepseek",
    "claude-search": "claude-search",
    "chatgpt-search": "chatgpt-search",
    "local-bm25": "local-bm25",
    "local-dense": "local-dense",
    "local-hybrid": "local-hybrid",
}


def build(names: list[str], **options: Any) -> list[Any]:
    settings = Settings(env=options.pop("env", {}))
    options = {"snippet_chars": 2000, "corpus": None, "today": TODAY} | options
    return build_engines(names, settings=settings, **options)


def test_the_roster_maps_every_variant_to_its_base() -> None:
    assert {name: spec.family for name, spec in load_catalog().items()} == FAMILIES


@pytest.mark.parametrize("spec", load_catalog().values(), ids=str)
def test_every_entry_says_what_it_costs_and_what_stands_behind_it(spec: Any) -> None:
    assert spec.label
    assert spec.confidence
    assert spec.archive in ("full", "snippet", "urls")
    if spec.vendor != "local":
        if spec.price_usd_per_1k is None:
            assert "price" in spec.confidence  # unknown, and said to be
        else:
            assert spec.price_plan
            assert spec.price_date.startswith("2026")
            assert spec.price_source.startswith("https://")
        assert spec.docs.startswith("https://")
        assert spec.key_env.endswith("_API_KEY")
        module = import_module(f"runner.engines.{spec.vendor}")
        assert callable(module.build_request)
        assert callable(module.parse_response)


def test_engines_come_in_the_order_of_their_names() -> None:
    env = {"EXA_API_KEY": "k"}
    names = ["exa", "keenable", "exa-lite"]
    assert [engine.spec.id for engine in build(names, env=env)] == names


def test_local_engines_search_the_pages_of_the_run() -> None:
    corpus = Corpus([])
    assert [e.spec.id for e in build(["local-bm25"], corpus=corpus)] == ["local-bm25"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["bing2"], ["'bing2' is not an engine", "keenable", "local-hybrid", "custom:FILE"]),
        ([""], ["'' is not an engine"]),
        (["exa"], ["exa needs EXA_API_KEY", "without a key work", "keenable", "local-bm25"]),
        (["google"], ["google needs SERPER_API_KEY"]),
        (["keenable", "keenable"], ["'keenable' is named twice"]),
        (["local-dense"], ["local-dense searches harvested pages"]),
        (["custom:/no/such.toml"], ["/no/such.toml", "cannot be read"]),
    ],
)
def test_a_name_that_cannot_be_used_says_what_can(names: list[str], said: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        build(names)
    for part in said:
        assert part in str(raised.value)


@pytest.mark.parametrize("taken", ["exa", "local-bm25", "ultimate"])
def test_a_custom_engine_cannot_take_a_known_name(tmp_path: Path, taken: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        f'id = "{taken}"\nurl = "http://x.example"\n[params]\nq = "{{query}}"\n'
        '[response]\nresults = "r"\nurl = "u"\n'
    )
    with pytest.raises(UsageError, match=f"the id '{taken}' is taken"):
        build([f"custom:{file}"])


ENTRY = '[[engine]]\nid = "a"\nlabel = "A"\nfamily = "a"\nvendor = "exa"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not toml", "not a catalog"),
        ("", "not a catalog"),
        ('[[engine]]\nid = "a"', "missing required"),
        (ENTRY + 'archive = "some"', "archive"),
        (ENTRY + 'timeout_s = "30"', "timeout_s"),
        (ENTRY + "colour = 3", "a: unknown field 'colour'"),
        (ENTRY + ENTRY, "twice"),
        (ENTRY.replace('family = "a"', 'family = "b"'), "a: its family 'b' is not an engine"),
    ],
)
def test_a_broken_catalog_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "catalog.toml"
    file.write_text(text)
    with pytest.raises(DataError, match=said) as raised:
        read_catalog(file)
    assert str(file) in str(raised.value)


def test_the_catalog_is_read_once() -> None:
    assert read_catalog(CATALOG) is read_catalog(CATALOG)
    load_catalog().clear()
    assert load_catalog()


def test_nothing_heavy_is_imported_with_the_engines() -> None:
    code = (
        "import sys, runner.engines.registry, runner.engines.local, runner.engines.custom\n"
        "print([m for m in ('httpx', 'numpy', 'tantivy', 'wordllama', 'rich') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "[]\n"
