"""A scripted client of the language server, over a real process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from support.processor_waits import described_processes, waited_since, waits_below

SECONDS = 30
"""How long an answer may take on a busy machine."""


class LspError(Exception):
    """An error as the answer to a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class LspClient:
    """Sends messages to a server, and keeps what it sends without being asked.

    ``notified`` are the notifications and requests of the server in their order. ``command`` starts another server,
    ``seconds`` is how long a message may take.
    """

    def __init__(
        self,
        *words: str,
        folder: Path | None = None,
        command: Sequence[str] | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "bunraku", "lsp", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
        )
        self.folder = folder
        self.seconds = seconds
        self.number = 0
        self.answers: dict[int, Any] = {}
        self.notified: deque[dict[str, Any]] = deque()
        self.versions: dict[str, int] = {}
        self.received: Queue[dict[str, Any] | None] = Queue()
        self.reader = Thread(target=self.read_all, daemon=True)
        self.reader.start()

    def __enter__(self) -> LspClient:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent has no reader any more
                stream.close() if stream is not None else None

    # -- messages --------------------------------------------------------------------------------

    def read_all(self) -> None:
        """Read messages to the end."""
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.partition(b":")[2])
            assert stream.readline() == b"\r\n"
            self.received.put(json.loads(stream.read(length)))
        self.received.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, content: bytes) -> None:
        """Send the content of a message as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self.process.stdin.flush()

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any = None) -> Any:
        """Return the result of a request. Raises LspError."""
        return self.result(self.begin(method, params))

    def result(self, number: int) -> Any:
        """Wait for the answer to a request. Raises LspError."""
        while number not in self.answers:
            self.take()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise LspError(answer["error"])
        return answer["result"]

    def take(self) -> None:
        """Wait for one message, and keep it."""
        message = self.next_message()
        assert message is not None, "the server has ended"
        if "method" in message:
            self.notified.append(message)
            if "id" in message:
                self.send({"id": message["id"], "result": self.answer(message)})
        else:
            self.answers[message["id"]] = message

    def next_message(self) -> dict[str, Any] | None:
        """Return the next message.

        When none comes in time, the server gets the same time again, and more while it has no processor: on a
        busy machine it may wait for one all the time.
        """
        waits = None
        while True:
            with suppress(Empty):
                return self.received.get(timeout=self.seconds)
            before, waits = waits, waits_below(self.process.pid)
            if before is not None and waited_since(before, waits) < self.seconds / 2:
                shown = described_processes(self.process.pid)
                raise AssertionError(f"the server does not answer:\n{shown}")

    def answer(self, message: dict[str, Any]) -> Any:
        """Return the answer to a request of the server; tests with another one override it."""
        if message["method"] == "workspace/configuration":
            return [None for _ in message["params"]["items"]]
        return None

    def wait_for(self, method: str) -> Any:
        """Return the parameters of the next message of the server with a method."""
        while True:
            for message in self.notified:
                if message["method"] == method:
                    self.notified.remove(message)
                    return message["params"]
            self.take()

    # -- the life of a server --------------------------------------------------------------------

    def initialize(self, capabilities: Any = None, **params: Any) -> Any:
        """Begin; return the answer of the server."""
        folders = [] if self.folder is None else [{"uri": self.folder.as_uri(), "name": "test"}]
        given = {
            "processId": None,
            "rootUri": None,
            "capabilities": capabilities or {},
            "workspaceFolders": folders,
            **params,
        }
        found = self.request("initialize", given)
        self.notify("initialized", {})
        return found

    def end(self) -> int:
        """Shut down and return the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(SECONDS)

    # -- documents -------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        """Return the address of a file of the folder."""
        assert self.folder is not None
        return (self.folder / path).as_uri()

    def open(self, path: str, text: str | None = None, language: str = "puppet") -> str:
        """Open a document, with the text of its file or another one; return its address."""
        assert self.folder is not None
        uri = self.uri(path)
        text = (self.folder / path).read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Change a document."""
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [*changes]}
        )

    def findings(self, uri: str, code: str | None = None) -> list[dict[str, Any]]:
        """Return the diagnostics of a document when they have come; with a code, those that have it."""
        while True:
            found = self.wait_for("textDocument/publishDiagnostics")
            if found["uri"] == uri and found.get("version") == self.versions.get(uri):
                chosen: list[dict[str, Any]] = found["diagnostics"]
                if code is None or any(one["code"] == code for one in chosen):
                    return chosen

    def at(self, uri: str, line: int, character: int, **more: Any) -> dict[str, Any]:
        """Return the parameters of a request about a place."""
        position = {"line": line, "character": character}
        return {"textDocument": {"uri": uri}, "position": position, **more}
