"""A small client of debug adapters, for tests: it sends requests and waits for events."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

SECONDS = 60


class DapClient:
    """A session over two streams. Every wait ends after :data:`SECONDS`."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self.source = source
        self.target = target
        self.sent = 0
        self.arrived: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self.seen: list[dict[str, Any]] = []
        self.taken = 0
        self.reader = Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        """Take the messages of the adapter."""
        while True:
            length = 0
            while line := self.source.readline().strip():
                length = int(line.partition(b":")[2])
            if not length:
                self.arrived.put(None)
                return
            self.arrived.put(json.loads(self.source.read(length)))

    def send(self, command: str, arguments: dict[str, Any] | None = None) -> int:
        """Send a request; return its number."""
        self.sent += 1
        message = {"seq": self.sent, "type": "request", "command": command}
        body = json.dumps({**message, "arguments": arguments or {}}).encode()
        self.target.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.target.flush()
        return self.sent

    def wait(self, accepts: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first message that is accepted, of those that were not taken yet."""
        for message in self.seen:
            if accepts(message):
                self.seen.remove(message)
                return message
        while True:
            try:
                message = self.arrived.get(timeout=SECONDS)
            except Empty:
                raise AssertionError(f"nothing arrived; before: {self.seen[-5:]}") from None
            assert message is not None, f"the adapter is gone; before: {self.seen[-5:]}"
            if accepts(message):
                return message
            self.seen.append(message)

    def response(self, number: int) -> dict[str, Any]:
        """Return the response to a request."""
        return self.wait(lambda one: one.get("request_seq") == number)

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Return the body of the response to a request, which must succeed."""
        response = self.response(self.send(command, arguments))
        assert response["success"], response
        return response.get("body", {})

    def refusal(self, command: str, **arguments: Any) -> str:
        """Return the message of the response to a request, which must fail."""
        response = self.response(self.send(command, arguments))
        assert not response["success"], response
        return response["message"]

    def event(self, *names: str) -> dict[str, Any]:
        """Return the body of the next event with one of some names; its own name is ``event``."""
        found = self.wait(lambda one: one.get("event") in names)
        return {**found.get("body", {}), "event": found["event"]}

    # -- sessions ------------------------------------------------------------------------------------

    def begin(self, arguments: dict[str, Any], command: str = "launch") -> None:
        """Initialize and launch, up to the time for breakpoints."""
        self.ask("initialize", adapterID="bunraku", linesStartAt1=True, columnsStartAt1=True)
        self.event("initialized")
        self.ask(command, **arguments)

    def break_at(self, path: Any, *lines: int, **conditions: Any) -> list[dict[str, Any]]:
        """Set breakpoints on lines of a file."""
        asked = [{"line": line, **conditions} for line in lines]
        return self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=asked)[
            "breakpoints"
        ]

    def go(self) -> dict[str, Any]:
        """End the configuration; return the event that comes first, a stop or the end."""
        self.ask("configurationDone")
        return self.event("stopped", "terminated")

    def resume(self, command: str = "continue") -> dict[str, Any]:
        """Let code run; return the event that comes next, a stop or the end."""
        self.ask(command, threadId=1)
        return self.event("stopped", "terminated")

    def stack(self) -> list[dict[str, Any]]:
        """Return the frames of the code that waits."""
        return self.ask("stackTrace", threadId=1)["stackFrames"]

    def place(self) -> tuple[str, int]:
        """Return the name and the line of the innermost frame."""
        frame = self.stack()[0]
        return frame["name"], frame["line"]

    def scope(self, name: str, frame: int = 1) -> dict[str, dict[str, Any]]:
        """Return the variables of a scope by name; the beginning of its name is enough."""
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        found = next(one for one in scopes if one["name"].startswith(name))
        return self.parts(found["variablesReference"])

    def parts(self, number: int) -> dict[str, dict[str, Any]]:
        """Return the variables with a reference by name."""
        listed = self.ask("variables", variablesReference=number)["variables"]
        return {one["name"]: one for one in listed}

    def value(self, expression: str, **more: Any) -> str:
        """Return the value of an expression."""
        return self.ask("evaluate", expression=expression, **{"frameId": 1, **more})["result"]

    def outputs(self) -> str:
        """Return the texts of all output events so far."""
        return "".join(one["body"]["output"] for one in self.seen if one.get("event") == "output")


class DapProcess(DapClient):
    """A session with a process of ``bunraku debug``."""

    def __init__(self, directory: Any, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bunraku", "debug", *words],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        super().__init__(self.process.stdout, self.process.stdin)

    def close(self) -> int:
        """Disconnect; return the exit code of the process."""
        self.ask("disconnect")
        self.target.close()
        code = self.process.wait(SECONDS)
        self.reader.join(SECONDS)
        self.source.close()
        return code
