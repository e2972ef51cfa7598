"""The archive as a data set on the Hugging Face hub: one commit for each run of a bench.

What is there already is not sent again, and `daily_queries.jsonl` is made anew from the very commit
that is built upon, so that storing may be stopped and repeated at any moment, by many at once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from runner.errors import DataError, PublishError, UsageError
from runner.hub_upload import DatasetUpload, Upload
from runner.publishing import daily_queries
from runner.publishing.archive import archived_files, run_folder
from runner.records.needleif import Published
from runner.settings import Settings

_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")


class HubArchive:
    """The data set `repository` (OWNER/NAME), written to its `main`."""

    def __init__(self, repository: str, *, token: str, settings: Settings) -> None:
        if _REPOSITORY.fullmatch(repository) is None:
            raise UsageError(f"{repository!r} is no data set of the hub; write hub:OWNER/NAME")
        self._repository = repository
        self._token = token
        self._settings = settings

    def store_run(self, report: Published, queries: bytes) -> list[str]:
        """Stores a run with its daily queries in one commit; gives the names of its files.

        Raises PublishError where the hub refuses, or takes no commit in several tries.
        """
        files = archived_files(report, queries)
        folder = run_folder(report.run_id, report.bench)
        uploads = [Upload(f"{folder}/{name}", content) for name, content in files.items()]
        hub = DatasetUpload(self._repository, token=self._token, settings=self._settings)

        async def daily(commit: str) -> Sequence[Upload]:
            old = await hub.read(daily_queries.NAME, commit) or b""
            rows = daily_queries.daily_rows(report, queries)
            try:
                new = daily_queries.merged(old, rows)
            except DataError:  # a broken one is no reason to lose the run
                new = daily_queries.merged(b"", rows)
            return [] if new == old else [Upload(daily_queries.NAME, new)]

        message = f"bench: {report.ts} {report.bench}"
        try:
            asyncio.run(hub.add(uploads, message=message, also=daily))
        except PublishError as error:
            raise PublishError(f"{report.bench} {report.ts} is not archived: {error}") from error
        return list(files)
