"""What the audit says, and what it reads: a finding is a file, a line, a rule and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from runner.errors import UsageError
from sitebuilder.audit.tree import Document, read_document

MISSING_PAGE = "404.html"  # stands wherever an address is wrong, so it has no links and no shell


@dataclass(frozen=True, order=True)
class Finding:
    """One defect; `line` is 0 where the file as a whole is meant."""

    file: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.rule}: {self.text}"


@dataclass(frozen=True)
class Public:
    """A built site: its files by relative name, and its pages parsed."""

    files: dict[str, bytes]
    pages: dict[str, Document] = field(default_factory=dict)

    @cached_property
    def base_url(self) -> str | None:
        """Where the dashboard says that the site is published, or None."""
        links = self.pages["index.html"].all("link")
        own = (link.attributes for link in links if link.attributes.get("rel") == "canonical")
        return next((attributes.get("href") for attributes in own), None)

    def own_file(self, address: str) -> str | None:
        """The file that an absolute address below `base_url` should have; None for a stranger's."""
        base = self.base_url
        if not base or not address.startswith(base):
            return None
        return file_of(unquote(urlsplit(address[len(base) :]).path))

    def named(self, *suffixes: str) -> Iterator[tuple[str, bytes]]:
        """The files with one of these suffixes, in order of name."""
        for name, content in sorted(self.files.items()):
            if PurePosixPath(name).suffix in suffixes:
                yield name, content


def file_of(path: str) -> str:
    """The file behind a relative address: a folder shows its `index.html`."""
    return f"{path}index.html" if path == "" or path.endswith("/") else path


def read_public(folder: Path) -> Public:
    """The site in `folder`; raises UsageError where there is none."""
    if not (folder / "index.html").is_file():
        raise UsageError(f"{folder}: no site here (no index.html); build one first")
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    pages = {
        name: read_document(content.decode("utf-8", "replace"))
        for name, content in files.items()
        if name.endswith(".html")
    }
    return Public(files, pages)
