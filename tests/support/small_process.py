"""A small process that works for a large one: forks of a process with a gigabyte in use are slow."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class SmallProcess:
    """A new Python process that calls functions and returns their results, one at a time."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, prepare), daemon=True)
        self.process.start()
        theirs.close()

    def call(self, function: Callable[..., Any], *given: object, **more: object) -> Any:
        """Return the result of a function there; raise AssertionError with its traceback."""
        self.connection.send((function, given, more))
        failure, result = self.connection.recv()
        assert failure is None, failure
        return result

    def close(self) -> None:
        """End the process."""
        self.connection.close()
        self.process.join()


def serve(connection: Connection, prepare: Callable[[], object]) -> None:
    """Call functions until the other end is closed."""
    prepare()
    while True:
        try:
            function, given, more = connection.recv()
        except EOFError:
            return
        try:
            answer = None, function(*given, **more)
        except Exception:
            answer = traceback.format_exc(), None
        connection.send(answer)
