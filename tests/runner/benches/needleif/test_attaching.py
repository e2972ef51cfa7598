"""Assistant turns: only what passes every strict check and fits is attached."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from runner.benches.needleif.attaching import Attached, attach_answers, turns_path
from runner.benches.needleif.counting import tokenizer_named
from runner.benches.needleif.models import AskError
from runner.benches.needleif.score import score_files
from runner.benches.needleif.stats import dataset_stats
from runner.errors import DataError, UsageError
from runner.settings import read_settings
from tests.runner.benches.needleif.made import record
from tests.runner.benches.needleif.test_asking import Notes, Scripted, lines

BAD, GOOD = "One, two.", "One and two."


def written(path: Path, pairs: int = 2, **facts: Any) -> Path:
    rows = [
        record(f"pair{n}", side, key=n, **({"split": "train"} | facts))
        for n in range(pairs)
        for side in ("bare", "haystack")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def attach(records: Path, out: Path, *models: Scripted, **options: Any) -> Attached:
    return asyncio.run(
        attach_answers(
            records,
            out,
            models,
            settings=read_settings({}),
            progress=Notes(),
            **({"concurrency": 1} | options),
        )
    )


def turns(path: Path) -> list[str | None]:
    return [
        row["messages"][1]["content"] if len(row["messages"]) == 2 else None for row in lines(path)
    ]


def test_the_first_answer_that_passes_is_attached_to_both_records(tmp_path: Path) -> None:
    model = Scripted(BAD, BAD, f"  {GOOD}\n", GOOD)
    out = tmp_path / "filled.jsonl"
    attached = attach(written(tmp_path / "train.jsonl"), out, model)
    assert (attached.filled, attached.unfilled) == (2, [])
    assert turns(out) == [GOOD] * 4
    assert [asked[2] for asked in model.asked] == [0, 1 / 7, 2 / 7, 0]
    assert all("Here is exactly one instruction" in asked[0] for asked in model.asked)
    assert score_files(out, None).summary["overall"]["strict"]["pass@1"]["n11"] == 2
    assert dataset_stats([out])["splits"]["train"]["unfilled"] == 0


def test_a_model_that_never_passes_leaves_the_pair_without_a_turn(tmp_path: Path) -> None:
    records, out = written(tmp_path / "train.jsonl"), tmp_path / "filled.jsonl"
    attached = attach(records, out, Scripted(BAD, BAD, GOOD), attempts=2)
    assert (attached.filled, attached.unfilled) == (1, ["pair0"])
    assert turns(out) == [None, None, GOOD, GOOD]
    attach(records, out, Scripted(BAD, BAD, GOOD), attempts=2, drop_unfilled=True)
    assert turns(out) == [GOOD, GOOD]


def test_what_is_left_is_asked_of_the_next_model(tmp_path: Path) -> None:
    out = tmp_path / "filled.jsonl"
    first, second = Scripted(BAD, GOOD), Scripted("Second answer.")
    attached = attach(written(tmp_path / "train.jsonl"), out, first, second, attempts=1)
    assert attached.unfilled == []
    assert turns(out) == ["Second answer."] * 2 + [GOOD] * 2
    assert len(second.asked) == 1


def test_a_refused_key_ends_the_model_and_keeps_what_it_gave(tmp_path: Path) -> None:
    out = tmp_path / "filled.jsonl"
    model = Scripted(GOOD, AskError("no", status=401))
    attached = attach(written(tmp_path / "train.jsonl", pairs=4), out, model)
    assert (attached.filled, attached.unfilled) == (1, ["pair1", "pair2", "pair3"])
    assert len(model.asked) == 2


def test_an_answer_that_does_not_fit_the_window_is_tried_again(tmp_path: Path) -> None:
    records = written(tmp_path / "train.jsonl", pairs=1, bucket="1k")
    out = tmp_path / "filled.jsonl"
    attached = attach(records, out, Scripted("word " * 1000, GOOD))
    assert attached.unfilled == []
    assert turns(out) == [GOOD, GOOD]
    none = attach(records, out, Scripted("word " * 1000), attempts=1)
    assert none.unfilled == ["pair0"]


def test_a_stopped_run_goes_on_with_the_pairs_that_have_no_turn_yet(tmp_path: Path) -> None:
    records, out = written(tmp_path / "train.jsonl", pairs=3), tmp_path / "filled.jsonl"
    with pytest.raises(ExceptionGroup, match="unhandled"):
        attach(records, out, Scripted(GOOD, KeyError("stopped")))
    assert not out.exists()
    kept = turns_path(out)
    kept.write_bytes(kept.read_bytes() + b'{"pair_id": "pair1", "tu')  # what a kill leaves
    model = Scripted("Second answer.", "Second answer.")
    assert attach(records, out, model) == Attached(filled=3, unfilled=[])
    assert turns(out) == [GOOD] * 2 + ["Second answer."] * 4
    assert len(model.asked) == 2
    assert not kept.exists()


def test_a_kept_turn_is_verified_again(tmp_path: Path) -> None:
    records, out = written(tmp_path / "train.jsonl", pairs=2), tmp_path / "filled.jsonl"
    kept = turns_path(out)
    rows = [("pair0", BAD), ("pair1", "word " * 200_000), ("pair9", GOOD)]
    kept.write_text("".join(json.dumps({"pair_id": p, "turn": t}) + "\n" for p, t in rows))
    model = Scripted("Second answer.")
    assert attach(records, out, model).filled == 2
    assert len(model.asked) == 2
    kept.write_text('{"pair_id": "pair0"}\n')
    with pytest.raises(DataError, match=r"turns\.jsonl:1: not a turn"):
        attach(records, out, model)
    assert attach(records, out, Scripted(GOOD), restart=True).filled == 2


def test_what_was_left_is_asked_again_alone(tmp_path: Path) -> None:
    records, out = written(tmp_path / "train.jsonl"), tmp_path / "filled.jsonl"
    assert attach(records, out, Scripted(BAD, GOOD), attempts=1).unfilled == ["pair0"]
    model = Scripted("Second answer.")
    assert attach(records, out, model, attempts=1).unfilled == []
    assert turns(out) == ["Second answer."] * 2 + [GOOD] * 2
    assert len(model.asked) == 1


def test_an_empty_answer_passes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "filled.jsonl"
    attached = attach(
        written(tmp_path / "train.jsonl", pairs=1), out, Scripted("", " \n"), attempts=2
    )
    assert attached.unfilled == ["pair0"]


@pytest.mark.parametrize(
    ("facts", "problem"),
    [({"split": "test"}, "test record"), ({"split": "val"}, None)],
)
def test_test_records_get_no_turn(
    facts: dict[str, Any], problem: str | None, tmp_path: Path
) -> None:
    records, out = written(tmp_path / "r.jsonl", **facts), tmp_path / "filled.jsonl"
    if problem is None:
        assert attach(records, out, Scripted()).unfilled == []
    else:
        with pytest.raises(DataError, match=problem):
            attach(records, out, Scripted())
        assert not out.exists()


def test_a_pair_that_is_not_whole_is_named(tmp_path: Path) -> None:
    records = written(tmp_path / "train.jsonl", pairs=1)
    records.write_text(records.read_text().splitlines()[0] + "\n")
    with pytest.raises(DataError, match="pair pair0 is not whole"):
        attach(records, tmp_path / "out.jsonl", Scripted())


def test_records_counted_with_a_tokenizer_of_this_machine_name_it_again(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    named = f"hf:{folder}"
    records = written(tmp_path / "train.jsonl", pairs=1)
    recorded = tokenizer_named(named, read_settings({})).name
    records.write_text(records.read_text().replace('"words"', json.dumps(recorded)))
    out = tmp_path / "filled.jsonl"
    assert attach(records, out, Scripted(GOOD), tokenizer=named).unfilled == []
    with pytest.raises(UsageError, match="the records are counted in hf:"):
        attach(records, out, Scripted(GOOD), tokenizer="words")
