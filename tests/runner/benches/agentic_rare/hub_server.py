"""A hub on this machine: what it holds is a dictionary, whoever asks is written down."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = "/huggingface.co"
ARTIFACT = f"{ROOT}/datasets/keenable-ai/needle-results/resolve/main/agentic/rare_entity.parquet"
STREAM = f"{ROOT}/datasets/keenable-ai/needle-results/resolve/main/agentic/queries.parquet"
VOCABULARY = f"{ROOT}/google-bert/bert-base-uncased/resolve/main/vocab.txt"


@dataclass
class Hub:
    """`files` are bodies by path, changed at will; a path that is not there is a 404."""

    url: str
    files: dict[str, bytes]
    asked: list[str] = field(default_factory=list)


@contextmanager
def hub(files: Mapping[str, bytes]) -> Iterator[Hub]:
    served = Hub("", dict(files))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            body = served.files.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
