"""Loads a data set repository by `datasets`, offline: `python -m ... FOLDER OUT CACHE`.

Writes the rows of each split to OUT and the types of its columns to standard output. A process of
its own, because the library reads its environment when it is imported.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main(folder: str, out: str, cache: str) -> None:
    os.environ |= {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": cache}
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    import datasets

    datasets.disable_progress_bars()
    loaded = datasets.load_dataset(folder, cache_dir=cache)
    for split, rows in loaded.items():
        with (Path(out) / f"{split}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(json.dumps({split: rows.features.to_dict() for split, rows in loaded.items()}))


main(*sys.argv[1:])
