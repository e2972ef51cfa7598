"""The data set on the Hugging Face hub: what is pushed, and when it is refused."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from runner.benches.needleif.card import card, card_of, data_file
from runner.benches.needleif.dataset_folder import DatasetFolder, read_dataset
from runner.benches.needleif.generate import MANIFEST
from runner.errors import DataError, PublishError, UsageError
from runner.hub_upload import DatasetUpload, Upload
from runner.paths import ROOT
from runner.settings import Settings

__all__ = ["PushedFile", "card", "push_dataset"]

CARD = "README.md"
LICENSE = ROOT / "templates" / "needleif" / "LICENSE"
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)


@dataclass(frozen=True)
class PushedFile:
    """A file of the repository and its size in bytes."""

    path: str
    size: int


def push_dataset(
    folder: Path, repo: str, *, private: bool, dry_run: bool, settings: Settings
) -> list[PushedFile]:
    """Pushes the data set of a folder in one commit; returns the files of the repository.

    A dry run does all but send and needs no token. Refused (PublishError) where an invariant is
    broken, a pair of train or val has no verified answer, the prompts are not those of the
    manifest, or a `README.md` in the folder is not the card of these files. Raises UsageError for
    a name that can be no data set, a missing file or a missing HF_TOKEN, PublishError where the hub
    refuses.
    """
    if _REPOSITORY.fullmatch(repo) is None:
        raise UsageError(f"--repo {repo!r} is no data set of the hub; write OWNER/NAME")
    token = settings.key("HF_TOKEN")
    if token is None and not dry_run:
        raise UsageError("push needs HF_TOKEN, a token that may write; --dry-run works without it")
    dataset = read_dataset(folder)
    if dataset.problems:
        raise PublishError(f"{folder} is not pushed: {dataset.summary()}")
    _check_card(folder / CARD, card_of(dataset))
    files = _uploads(dataset)
    if token is not None and not dry_run:
        upload = DatasetUpload(repo, token=token, settings=settings)
        message = f"needleif, seed {dataset.manifest['seed']}"
        asyncio.run(upload.push(files, message=message, private=private))
    return [PushedFile(file.path, len(file.content)) for file in files]


def _check_card(path: Path, expected: str) -> None:
    """Raises PublishError where a card that lies with the data says something else."""
    try:
        found = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(path, f"cannot be read ({error})") from error
    if found == expected:
        return
    lines = zip_longest(found.splitlines(), expected.splitlines(), fillvalue="")
    first = next((line for line, wanted in lines if line != wanted), "its line ends")
    raise PublishError(
        f"{path} is not the card of these files, from {first[:120]!r} on; remove it, and the card "
        "is made anew"
    )


def _uploads(dataset: DatasetFolder) -> list[Upload]:
    """All files of the repository in order of path."""
    contents = {
        CARD: card_of(dataset).encode(),
        "LICENSE": LICENSE.read_bytes(),
        MANIFEST: _manifest(dataset),
        **{data_file(split): path.read_bytes() for split, path in dataset.paths.items()},
    }
    return [Upload(path, contents[path]) for path in sorted(contents)]


def _manifest(dataset: DatasetFolder) -> bytes:
    """The manifest of what is pushed; `generated` are the files before the answers were added."""
    files = {data_file(split): digest for split, digest in dataset.hashes.items()}
    facts = {**dataset.manifest, "files": files, "generated": dataset.manifest["files"]}
    return (json.dumps(facts, ensure_ascii=False, indent=2) + "\n").encode()
