"""What filtering costs: a million queries in one Parquet row group, the worst form to read.

One in eight queries has a rare word, as many as no real stream has. The vocabulary is that of
bert-base-uncased. The baseline is what nobody can do without: reading the same rows as text.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from runner.benches.agentic_rare.filtering.common_words import common_words
from runner.benches.agentic_rare.filtering.examine import Examiner, Limits
from runner.benches.agentic_rare.filtering.pipeline import Filter
from runner.benches.agentic_rare.filtering.stream import read_stream
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces
from tests.vocabulary import bert_tokens

ROWS = 1_000_000
BOUND_MIB = 1024.0
BOUND_S = 180.0
_SYLLABLES = "qor vex zyl thrum blik snor grep wyz kel oxi pra dju fen moq tril zax".split()


def write_stream(path: Path, rows: int = ROWS) -> None:
    """Queries of 2 to 9 words with a session each, all in one row group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = random.Random(0)
    common = sorted(common_words())
    queries, metadata = [], []
    for number in range(rows):
        words = rng.choices(common, k=rng.randint(2, 9))
        if number % 8 == 0:
            words[rng.randrange(len(words))] = "".join(rng.choices(_SYLLABLES, k=4))
        queries.append(" ".join(words))
        metadata.append({"session_id": f"s{number // 5}", "turn": number % 5})
    table = pa.table({"query_text": queries, "source": ["stream_a"] * rows, "metadata": metadata})
    pq.write_table(table, path, row_group_size=rows)
    print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, one row group", flush=True)


def _measure(path: Path) -> None:
    """Prints, in a process of its own, so that memory is that of the filter alone."""
    began = time.process_time()
    read = sum(len(batch.queries) for batch in read_stream(path, "query_text"))
    baseline = time.process_time() - began
    pieces = WordPieces(bert_tokens())
    began = time.process_time()
    rare = Filter(Examiner(pieces, Limits()), path.parent)
    rare.take(read_stream(path, "query_text"))
    out = path.with_name("out.parquet")
    account = rare.write(out)
    rare.close()
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for line in account.lines():
        print(line)
    print(f"  {read / seconds:,.0f} rows a CPU second, {seconds:.1f} s in all")
    print(f"  {seconds:.1f} s is {seconds / BOUND_S:.2f} x the bound of {BOUND_S:.0f} s")
    print(f"  peak {peak:.0f} MiB is {peak / BOUND_MIB:.2f} x the bound of {BOUND_MIB:.0f} MiB")
    print(f"  {seconds / baseline:.0f} x the baseline (reading alone, {baseline:.2f} s)")


def main() -> None:
    """Prints rows a second, peak memory, and the ratios to bound and baseline."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "queries.parquet"
        # a child begins with its parent's peak, so this process must stay small
        for step in ("write", "measure"):
            command = [sys.executable, "-m", "tests.bench.filter", step, str(path)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    {"write": write_stream, "measure": _measure}[sys.argv[1]](Path(sys.argv[2]))
