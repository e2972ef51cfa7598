"""Texts shared out between the splits."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.benches.needleif.haystack import shared_out, text_haystack
from runner.errors import UsageError


def _text(name: str, count: int) -> str:
    return "\n\n".join(f"{name} {i} came. It went." for i in range(count))


@pytest.mark.parametrize("sizes", [[40], [40, 30], [40, 40, 40], [90, 10, 5, 5]])
def test_no_two_splits_share_a_passage_and_each_has_some(sizes: list[int]) -> None:
    texts = [(f"n{i}", _text(f"Book{i}", size)) for i, size in enumerate(sizes)]
    shares = [
        {piece for document in share for piece in document.pieces if "came" in piece}
        for share in shared_out(texts, 666).values()
    ]
    assert all(shares)
    assert sum(map(len, shares)) == len(set().union(*shares)) == sum(sizes)


def test_order_in_which_files_were_made_changes_nothing(tmp_path: Path) -> None:
    names = ["b.txt", "a.txt", "C.txt", "é.txt"]
    for folder, order in (("one", names), ("two", names[::-1])):
        (tmp_path / folder).mkdir()
        for name in order:
            (tmp_path / folder / name).write_text(_text(name, 30), encoding="utf-8")
    one, two = (text_haystack(str(tmp_path / folder), seed=1) for folder in ("one", "two"))
    assert one == two


def test_folder_without_texts_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \.txt file"):
        text_haystack(str(tmp_path), seed=1)
