from __future__ import annotations

from typing import Any

import pytest

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.metrics import cell
from runner.benches.needleif.reading import Answers, Responses, ScoredRecord, read_record
from runner.benches.needleif.scoring import score_records
from runner.benches.needleif.summary import bucket_tokens, pair_up, summarise, summary_json
from tests.runner.benches.needleif.made import NO_COMMA, record

GOOD, BAD = "no commas", "a, b"
QUOTED = ("startend:quotation", {})
Outcome = tuple[str | None, str | None]  # the bare and the haystack answer


def summary_of(
    *outcomes: Outcome, fails_missing: bool = False, ks: tuple[int, ...] = (1,), **changes: Any
) -> dict[str, Any]:
    records: list[ScoredRecord] = []
    answers: dict[str, Answers] = {}
    for number, outcome in enumerate(outcomes):
        for condition, answer in zip(("bare", "haystack"), outcome, strict=True):
            made = read_record(record(f"p{number}", condition, **changes))
            records.append(made)
            if answer is not None:
                answers[made.id] = Answers(samples=(answer,))
    return summary_from(records, answers, fails_missing=fails_missing, ks=ks)


def summary_from(
    records: list[ScoredRecord],
    answers: dict[str, Answers],
    *,
    fails_missing: bool = False,
    ks: tuple[int, ...] = (1,),
) -> dict[str, Any]:
    scored = score_records(records, Responses(answers, None), fails_missing=fails_missing)
    return summarise(scored, records_sha256="r", responses_sha256="s", model="m", ks=ks)


def loose(summary: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = summary["overall"]["loose"]["pass@1"]
    return found


def test_a_two_by_two_table_gives_its_four_metrics() -> None:
    both, lost, won, none = (GOOD, GOOD), (GOOD, BAD), (BAD, GOOD), (BAD, BAD)
    found = loose(summary_of(*[both] * 6, *[lost] * 2, won, none))
    assert (found["n11"], found["n10"], found["n01"], found["n00"]) == (6, 2, 1, 1)
    assert found["baseline"]["value"] == 0.8
    assert found["long_context"]["value"] == 0.7
    assert found["distraction_regression"]["value"] == 0.25
    assert found["net_penalty"]["value"] == pytest.approx(0.1)
    assert (found["n"], found["small"]) == (10, False)


def test_the_worked_net_penalty_is_found_from_pairs() -> None:
    pairs = [(1.0, 0.0)] * 20 + [(0.0, 1.0)] * 5 + [(1.0, 1.0)] * 62 + [(0.0, 0.0)] * 13
    found = cell(pairs, is_sampled=False)
    assert found["net_penalty"] == pytest.approx(
        {"value": 0.15, "low": 0.056516, "high": 0.243484}, abs=5e-7
    )
    assert found["distraction_regression"] == pytest.approx(
        {"value": 20 / 82, "low": 0.163799, "high": 0.346927}, abs=5e-7
    )
    assert found["long_context"] == pytest.approx(
        {"value": 0.67, "low": 0.573053, "high": 0.754369}, abs=5e-7
    )


def test_where_nothing_passes_bare_there_is_no_regression() -> None:
    found = loose(summary_of((BAD, GOOD), (BAD, BAD)))
    assert found["distraction_regression"] == {"value": None, "low": None, "high": None}
    assert found["net_penalty"]["value"] == -0.5
    assert found["small"] is True


def test_no_pair_at_all_gives_nulls_and_not_zeros() -> None:
    summary = summary_of((GOOD, None))
    found = loose(summary)
    assert found["n"] == 0
    assert {found[name]["value"] for name in ("baseline", "long_context", "net_penalty")} == {None}
    assert (summary["pairs"], summary["pairs_left_out"], summary["coverage"]) == (0, 1, 0.5)


def test_a_pair_lacking_a_side_is_left_out_and_counted_or_failed() -> None:
    outcomes: list[Outcome] = [(GOOD, GOOD), (GOOD, None), (None, GOOD), (None, None)]
    left_out = summary_of(*outcomes)
    assert (left_out["pairs"], left_out["pairs_left_out"], left_out["missing"]) == (1, 3, 4)
    failed = summary_of(*outcomes, fails_missing=True)
    found = loose(failed)
    assert (failed["pairs"], failed["pairs_left_out"], failed["missing"]) == (4, 0, 4)
    assert (found["n11"], found["n10"], found["n01"], found["n00"]) == (1, 1, 1, 1)
    assert failed["coverage"] == 0.5


def test_an_empty_answer_is_no_missing_one_and_fails() -> None:
    summary = summary_of((GOOD, ""))
    assert summary["missing"] == 0
    assert loose(summary)["n10"] == 1


def test_strict_and_loose_are_counted_apart() -> None:
    records = [read_record(record("p", c, QUOTED)) for c in ("bare", "haystack")]
    answers = {"p-bare": Answers(samples=('"a"',)), "p-hay": Answers(samples=('Sure:\n"a"',))}
    summary = summary_from(records, answers)
    assert summary["overall"]["strict"]["pass@1"]["n10"] == 1
    assert summary["overall"]["loose"]["pass@1"]["n11"] == 1


def test_breakdowns_go_through_the_pair_and_are_ordered_by_size() -> None:
    records, answers = [], {}
    cases = [("16k", 90.0), ("4k", 10.0), ("128k", 50.0), ("4k", 5.0)]
    for number, (bucket, depth) in enumerate(cases):
        for condition in ("bare", "haystack"):
            made = read_record(record(f"p{number}", condition, bucket=bucket, depth=depth))
            records.append(made)
            answers[made.id] = Answers(samples=(GOOD,))
    by = summary_from(records, answers)["by"]
    assert list(by["size"]) == ["4k", "16k", "128k"]
    assert list(by["depth"]) == ["5", "10", "50", "90"]
    assert list(by["size_depth"]) == ["4k/5", "4k/10", "16k/90", "128k/50"]
    assert by["size"]["4k"]["loose"]["pass@1"]["n"] == 2
    assert by["depth"]["10"]["loose"]["pass@1"]["baseline"]["value"] == 1.0


def test_complexity_instruction_count_and_slots_have_their_cells() -> None:
    two = (NO_COMMA, QUOTED, NO_COMMA)
    records = [read_record(record("p", c, *two)) for c in ("bare", "haystack")]
    records += [read_record(record("q", c)) for c in ("bare", "haystack")]
    answers = {
        "p-bare": Answers(samples=('"a"',)),
        "p-hay": Answers(samples=("a",)),
        "q-bare": Answers(samples=(BAD,)),
        "q-hay": Answers(samples=(GOOD,)),
    }
    summary = summary_from(records, answers)
    by = summary["by"]
    assert list(by["complexity"]) == ["complex", "simple"]
    assert list(by["instructions"]) == ["1", "3"]
    comma = by["instruction_id"]["punctuation:no_comma"]["loose"]["pass@1"]
    assert (comma["n"], comma["n11"], comma["n01"]) == (3, 2, 1)  # a repeated id counts twice
    quotation = by["instruction_id"]["startend:quotation"]["loose"]["pass@1"]
    assert (quotation["n"], quotation["n10"]) == (1, 1)
    assert summary["overall"]["loose"]["instruction_level"] == {"bare": 0.75, "haystack": 0.75}


def test_several_samples_use_pass_at_k_in_the_same_formulas() -> None:
    records = [read_record(record("p", c)) for c in ("bare", "haystack")]
    answers = {
        "p-bare": Answers(samples=(GOOD, GOOD, BAD, BAD)),
        "p-hay": Answers(samples=(GOOD, BAD, BAD, BAD)),
    }
    summary = summary_from(records, answers, ks=(1, 2, 5))
    cells = summary["overall"]["loose"]
    one = cells["pass@1"]
    assert (one["baseline"]["value"], one["long_context"]["value"]) == (0.5, 0.25)
    assert one["distraction_regression"]["value"] == 0.75
    assert (one["n11"], one["n10"], one["n01"], one["n00"]) == (0.125, 0.375, 0.125, 0.375)
    assert cells["pass@2"]["baseline"]["value"] == pytest.approx(5 / 6)
    assert cells["pass@5"]["n"] == 0
    assert cells["pass@5"]["baseline"]["value"] is None
    assert cells["instruction_level"] == {"bare": 0.5, "haystack": 0.25}


def test_equal_inputs_give_equal_bytes() -> None:
    outcomes: list[Outcome] = [(GOOD, BAD), (GOOD, GOOD)]
    assert summary_json(summary_of(*outcomes)) == summary_json(summary_of(*outcomes))


def test_pairs_that_do_not_fit_together_are_errors() -> None:
    bare, hay = read_record(record("p", "bare")), read_record(record("p", "haystack", QUOTED))
    with pytest.raises(RecordFault, match="pair p: its two records hold different instructions"):
        pair_up(score_records([bare, hay], Responses({}, None)))
    with pytest.raises(RecordFault, match="pair p: two bare records"):
        pair_up(score_records([bare, bare], Responses({}, None)))


@pytest.mark.parametrize(("label", "tokens"), [("1k", 1024), ("128k", 131072), ("900", 900)])
def test_a_bucket_label_says_its_tokens(label: str, tokens: int) -> None:
    assert bucket_tokens(label) == tokens


@pytest.mark.parametrize("label", ["", "k", "8K", "-8k", "8.5k", "٨k"])
def test_another_bucket_label_is_an_error(label: str) -> None:
    with pytest.raises(RecordFault, match="size_bucket must look like 8k"):
        bucket_tokens(label)
