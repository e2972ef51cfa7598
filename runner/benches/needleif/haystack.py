"""Long texts by other people, shared out between the splits.

Every document belongs to one split, so that no two splits share a passage. Where there are too
few documents for that, each is cut in three. Within a split passages may overlap.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Protocol

from runner.benches.needleif.draw import below, chosen, generator, shuffled
from runner.benches.needleif.prose import paragraphs, pieces_of
from runner.errors import DataError, UsageError

SPLITS = ("test", "train", "val")
FRONT_MATTER = 0.02  # title page and contents: never a start
EVEN_ENOUGH = 0.5  # the least that a split may have of what the best supplied one has

Draw = Callable[[str], Random]


class Haystack(Protocol):
    """Where a body's text comes from."""

    @property
    def source(self) -> str:
        """The name for the records: text, pg19 or programmatic."""
        ...

    @property
    def revision(self) -> str:
        """What the manifest pins the text by."""
        ...

    @property
    def origin(self) -> str | None:
        """Where the texts come from, at a commit, where that is known."""
        ...

    def pieces(self, split: str, draw: Draw) -> Iterator[str]:
        """The sentences of a passage, each with its separator in front, as far as they go.

        `draw(purpose)` gives the pair's own generator for that purpose.
        """
        ...


@dataclass(frozen=True)
class Document:
    """A text as pieces, and the pieces at which a passage may begin."""

    name: str
    pieces: tuple[str, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True)
class TextHaystack:
    """Passages of documents: from a paragraph drawn by lot on into the split's other documents."""

    source: str
    revision: str
    by_split: dict[str, tuple[Document, ...]]
    origin: str | None = None

    def pieces(self, split: str, draw: Draw) -> Iterator[str]:
        """The passage of a pair; ends when all of the split's text has been used once."""
        documents = self.by_split[split]
        first = below(draw("book"), len(documents))
        start = chosen(draw("start"), documents[first].starts)
        yield from documents[first].pieces[start:]
        for step in range(1, len(documents)):
            document = documents[(first + step) % len(documents)]
            yield from document.pieces[document.starts[0] :]
        yield from documents[first].pieces[documents[first].starts[0] : start]


def text_haystack(
    pattern: str, *, seed: int, source: str = "text", origin: str | None = None
) -> TextHaystack:
    """The UTF-8 `.txt` files of a folder, or those that a glob matches, in byte order of names."""
    texts, digest = read_texts(pattern)
    return TextHaystack(source, digest, shared_out(texts, seed), origin)


def read_texts(pattern: str) -> tuple[list[tuple[str, str]], str]:
    """(name, text) of the files, and the digest of all of them: names, order and bytes."""
    texts, digests = [], []
    for path in _text_files(pattern):
        try:
            data = path.read_bytes()
            texts.append((path.name, data.decode("utf-8")))
        except UnicodeDecodeError as error:
            raise DataError(path, f"is not UTF-8 ({error.reason})") from error
        except OSError as error:
            raise DataError(path, f"cannot be read ({error.strerror})") from error
        digests.append(text_digest(path.name, data))
    return texts, texts_digest(digests)


def text_digest(name: str, data: bytes) -> bytes:
    """What pins one text by its name and bytes."""
    return hashlib.sha256(name.encode() + b"\n" + data).digest()


def texts_digest(digests: Iterable[bytes]) -> str:
    """What pins texts in this order, from what pins each."""
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _text_files(pattern: str) -> list[Path]:
    path = Path(pattern)
    if path.is_dir():
        found = [file for file in path.iterdir() if file.suffix == ".txt"]
    else:
        anchor = Path(path.anchor) if path.is_absolute() else Path()
        relative = path.relative_to(path.anchor) if path.is_absolute() else path
        found = list(anchor.glob(str(relative))) if pattern else []
    files = [file for file in found if file.is_file()]
    if not files:
        raise UsageError(f"haystack text:{pattern}: no .txt file there; name a folder or a glob")
    return sorted(files, key=lambda file: (os.fsencode(file.name), os.fsencode(file)))


def shared_out(texts: Sequence[tuple[str, str]], seed: int) -> dict[str, tuple[Document, ...]]:
    """The documents of each split: dealt in turn from a shuffled list, or each cut in three.

    Few books of different length can deal one split far less than another. Whether they are cut
    depends on the texts alone, so that no bucket changes what the others are filled with.
    """
    read = [(name, paragraphs(text)) for name, text in texts]
    order = shuffled(generator(seed, "documents"), read)
    dealt = [order[i :: len(SPLITS)] for i in range(len(SPLITS))]
    lengths = [sum(len(p) for _, whole in share for p in whole) for share in dealt]
    shares: dict[str, list[Document]] = {split: [] for split in SPLITS}
    if min(lengths) < EVEN_ENOUGH * max(lengths):
        for name, whole in read:
            for split, part in zip(SPLITS, _thirds(whole), strict=True):
                front = _front_matter(whole) if split == SPLITS[0] else 0
                shares[split].append(_document(name, part, front))
    else:
        for split, share in zip(SPLITS, dealt, strict=True):
            shares[split] = [_document(name, whole, _front_matter(whole)) for name, whole in share]
    kept = {split: tuple(d for d in share if d.starts) for split, share in shares.items()}
    for split, documents in kept.items():
        if not documents:
            raise UsageError(f"the haystack's texts leave nothing for the split {split}")
    return kept


def _front_matter(whole: Sequence[str]) -> int:
    return round(FRONT_MATTER * len(whole))


def _thirds(whole: Sequence[str]) -> list[Sequence[str]]:
    """Three runs of paragraphs of about equal length in characters."""
    total = sum(map(len, whole))
    cuts, seen = [0], 0
    for i, paragraph in enumerate(whole):
        seen += len(paragraph)
        while len(cuts) < len(SPLITS) and seen * len(SPLITS) >= total * len(cuts):
            cuts.append(i + 1)
    cuts += [len(whole)] * (len(SPLITS) + 1 - len(cuts))
    return [whole[a:b] for a, b in pairwise(cuts)]


def _document(name: str, whole: Sequence[str], front: int) -> Document:
    pieces: list[str] = []
    starts = []
    for i, paragraph in enumerate(whole):
        if i >= front:
            starts.append(len(pieces))
        pieces.extend(pieces_of(paragraph))
    return Document(name, tuple(pieces), tuple(starts))
