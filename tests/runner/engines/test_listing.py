"""The table and the JSON of the roster."""

from __future__ import annotations

import io
import json

import pytest

from runner.cli import main
from runner.engines.listing import as_json, listed, show
from runner.engines.registry import load_catalog
from runner.settings import Settings

SECRET = "a-very-secret-key"


def settings(**env: str) -> Settings:
    return Settings(env=env)


def test_every_engine_is_listed_in_roster_order_with_its_facts() -> None:
    rows = listed(settings(EXA_API_KEY=SECRET))
    assert [row.id for row in rows] == list(load_catalog())
    by_id = {row.id: row for row in rows}
    exa = by_id["exa"]
    assert (exa.label, exa.family, exa.key_env, exa.key) == ("Exa", "exa", "EXA_API_KEY", "set")
    assert (exa.price_usd_per_1k, exa.max_per_second, exa.timeout_s) == (7.0, 10.0, 30.0)
    assert by_id["google"].key == "missing"
    assert by_id["keenable"].key == "optional"
    assert by_id["local-bm25"].key == "not needed"
    assert by_id["claude-search"].timeout_s == 180.0


@pytest.mark.parametrize(("env", "pace"), [({}, 5.0), ({"KEENABLE_API_KEY": "k"}, None)])
def test_the_rate_limit_is_the_one_of_this_environment(
    env: dict[str, str], pace: float | None
) -> None:
    [row] = [row for row in listed(settings(**env)) if row.id == "keenable"]
    assert row.max_per_second == pace


def test_json_holds_every_field_and_no_key() -> None:
    written = as_json(listed(settings(EXA_API_KEY=SECRET)))
    assert SECRET.encode() not in written
    [exa] = [row for row in json.loads(written) if row["id"] == "exa"]
    assert exa["key"] == "set"
    assert exa["price_date"] == "2026-11"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_the_table_shows_every_engine_and_no_key(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    show(listed(settings(EXA_API_KEY=SECRET)), stream)
    shown = stream.getvalue()
    assert SECRET not in shown
    for spec in load_catalog().values():
        assert spec.label in shown
    assert "EXA_API_KEY set" in shown
    assert "SERPER_API_KEY missing" in shown
    assert "\u2500" not in shown or stream.isatty()


def test_plain_columns_stand_below_each_other() -> None:
    stream = io.StringIO()
    show(listed(settings()), stream)
    head, *lines = stream.getvalue().splitlines()
    at = head.index("label")
    assert [line[at:].startswith(spec.label) for line, spec in zip(
        lines, load_catalog().values(), strict=True)] == [True] * len(lines)  # fmt: skip


def test_the_command_writes_a_table_or_json(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["engines"], {}) == 0
    assert b"keenable" in capfdbinary.readouterr().out
    assert main(["engines", "--json"], {"EXA_API_KEY": SECRET}) == 0
    out = capfdbinary.readouterr().out
    assert [row["id"] for row in json.loads(out)] == list(load_catalog())
    assert SECRET.encode() not in out
