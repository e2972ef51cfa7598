from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runner.errors import PublishError, UsageError
from runner.storage import Journal, exclusive, replacing, write_file, write_files

HOLDER = """
import sys
from pathlib import Path
from runner.storage import exclusive

with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
    with open(sys.argv[2], "a") as file:
        file.write("first ")
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    write_file(path, b"old")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(path.parent) == ["a.json"]


def test_no_file_is_replaced_unless_all_can_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "not-a-folder").write_bytes(b"")
    with pytest.raises(PublishError, match="the old files stand"):
        write_files({tmp_path / "a": b"new", tmp_path / "not-a-folder" / "b": b"new"})
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a", "not-a-folder"]


def test_a_target_that_is_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(PublishError, match=f"^{re.escape(str(tmp_path / 'a'))}: cannot be written"):
        write_file(tmp_path / "a", b"new")
    assert names(tmp_path) == ["a"]


def test_writing_no_files_is_fine(tmp_path: Path) -> None:
    write_files({})
    assert names(tmp_path) == []


def test_a_journal_keeps_its_lines_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "work" / "searches.jsonl"
    for line in (b"1\n", b"2\n"):
        journal = Journal(path)
        journal.append(line)
        journal.close()
    assert path.read_bytes() == b"1\n2\n"


def test_a_line_is_on_disk_before_the_journal_is_closed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(b"1\n")
    assert (tmp_path / "j").read_bytes() == b"1\n"
    journal.close()
    journal.close()


@pytest.mark.parametrize(
    ("found", "kept"), [(b'1\n{"cut', b"1\n"), (b"cut", b""), (b"1\n", b"1\n"), (b"", b"")]
)
def test_a_line_that_was_cut_off_is_dropped_before_the_next(
    tmp_path: Path, found: bytes, kept: bytes
) -> None:
    path = tmp_path / "j"
    path.write_bytes(found)
    journal = Journal(path)
    journal.append(b"2\n")
    journal.close()
    assert path.read_bytes() == kept + b"2\n"


def test_a_journal_in_an_impossible_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PublishError, match="cannot be written"):
        Journal(tmp_path / "file" / "j")


@contextmanager
def small_disk() -> Iterator[None]:
    """No file of this process may grow beyond 10 bytes while the block runs.

    Only for the block, not as a fixture: pytest reports between fixtures and test, and its
    output may well go to a longer file.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_journal_says_when_a_line_was_refused_or_cut(tmp_path: Path) -> None:
    with small_disk():
        journal = Journal(tmp_path / "j")
        journal.append(b"1234567\n")
        with pytest.raises(PublishError, match="disk full"):
            journal.append(b"abcdefg\n")
        with pytest.raises(PublishError, match="File too large"):
            journal.append(b"abcdefg\n")
        journal.close()
    Journal(tmp_path / "j").close()
    assert (tmp_path / "j").read_bytes() == b"1234567\n"


def test_a_file_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"old")
    with small_disk(), pytest.raises(PublishError, match=r"File too large.*the old files stand"):
        write_file(tmp_path / "a", bytes(11))
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_a_large_file_replaces_the_old_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a"
    for content in (b"first", b"second"):
        with replacing(path) as temporary:
            temporary.write_bytes(content[:3])
            assert not path.exists() or path.read_bytes() == b"first"
            with temporary.open("ab") as file:
                file.write(content[3:])
        assert path.read_bytes() == content
        assert names(path.parent) == ["a"]


def test_a_large_file_that_was_not_finished_or_begun_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def write_half() -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    with replacing(path):
        pass
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_a_place_for_a_large_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with (
        pytest.raises(PublishError, match="b: cannot be written"),
        replacing(tmp_path / "a" / "b"),
    ):
        raise AssertionError("there is no such place")


def test_a_second_process_waits_for_the_lock(tmp_path: Path) -> None:
    lock, log = tmp_path / ".lock", tmp_path / "log"
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock), str(log)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == b"held\n"
        holder.stdin.write(b"go on\n")
        holder.stdin.close()
        with exclusive(lock), log.open("a") as file:
            file.write("second")
    assert log.read_text() == "first second"


def test_nobody_waits_for_a_lock_where_the_text_for_the_busy_case_is_given(tmp_path: Path) -> None:
    lock = tmp_path / ".lock"
    with (
        exclusive(lock, busy="taken"),
        pytest.raises(UsageError, match="taken"),
        exclusive(lock, busy="taken"),
    ):
        raise AssertionError("two hold one lock")
    with exclusive(lock, busy="taken"):
        assert lock.exists()


def test_the_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    lock = tmp_path / "new" / ".lock"
    with pytest.raises(KeyError), exclusive(lock):
        raise KeyError
    with exclusive(lock):
        assert lock.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(PublishError, match="Permission denied"):
        write_file(tmp_path / "a", b"new")
    tmp_path.chmod(0o755)
