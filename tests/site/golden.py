"""The stored sites: made-up data in, the whole built tree but the assets out.

`uv run python -m tests.site.golden` writes them anew; look at the difference before committing.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sitebuilder import build
from tests.site.made_archive import write_archive
from tests.site.made_data import FIVE, write_data
from tests.site.made_needleif import some_rows, write_needleif

STORED = Path(__file__).resolve().parents[1] / "golden" / "site"
SITES: dict[str, dict[str, Any]] = {
    "live": {"benches": FIVE, "runs": 2, "queries": 6},
    "embedded": {
        "profile": "embedded",
        "engines": ("local-bm25", "local-dense", "local-hybrid"),
        "runs": 1,
        "queries": 8,
    },
}
ASKED = {"live"}
ARCHIVED = {"live": ("news", "legal")}


def built(name: str, folder: Path) -> dict[str, bytes]:
    """The files of a site by relative name; assets are left out, their source is stored already.

    A word stands for the PDF, whose bytes depend on the fonts of the machine.
    """
    out = folder / "public"
    data = write_data(folder / "data", **SITES[name])
    with patch("sitebuilder.downloads.results_pdf", return_value=b"%PDF\n"):
        if name in ASKED:
            write_needleif(data, some_rows())
        build(write_archive(data, ARCHIVED.get(name, ()), queries=4), out)
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.parent.name != "assets"
    }


def stored(name: str) -> dict[str, bytes]:
    root = STORED / name
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def main() -> None:
    for name in SITES:
        shutil.rmtree(STORED / name, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            for file, content in built(name, Path(folder)).items():
                path = STORED / name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


if __name__ == "__main__":
    main()
