"""What the commands that serve have in common: sockets, logs, the file with the process ID."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from socket import gaierror, socket
from threading import Lock
from time import strftime

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.jobs.serving.access_log import AccessLog
from bunraku.jobs.serving.line_log import LineLog, standard_error
from bunraku.web.http import Request
from bunraku.web.listeners import open_socket
from bunraku.world.whole_files import write_whole

LOG_MODE = 0o640
Serve = Callable[..., None]
"""The function ``serve`` of ``web.server``."""


def server_function(command: str) -> Serve:
    """Return the function that serves; UsageError without the packages that it needs."""
    try:
        from bunraku.web.server import serve
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the Python package '{error.name}' is missing; install what servers need with"
            ' "pip install cryptography h11 msgpack uvicorn"',
            command,
        ) from None
    return serve


ERRORS = LineLog(standard_error)
"""The log of a server, on standard error."""


def log_line(text: str) -> None:
    """Print a sentence with the time."""
    ERRORS.write(f"{strftime('%Y-%m-%d %H:%M:%S')} {visible(text)}\n")


def listening_socket(command: str, option: str, host: str, port: int) -> socket:
    """Return a socket that listens; UsageError if the address cannot be used."""
    try:
        return open_socket(host, port)
    except gaierror as error:
        raise UsageError(f"{option}: unknown host {host!r}: {error.strerror}", command) from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(f"{option}: cannot listen on {host}:{port}: {reason}", command) from None


@contextmanager
def access_log(command: str, path: str | None) -> Iterator[AccessLog | None]:
    """Open the access log; yield None without one."""
    if path is None or path == "-":
        yield None if path is None else AccessLog(ERRORS.write)
        return
    try:
        file = LogFile(path)
    except OSError as error:
        raise UsageError(f"--access-log: cannot write {path}: {error.strerror}", command) from None
    with closing(file):
        yield AccessLog(file.write, file.reopen)


class LogFile:
    """A file to whose end lines are written at once; OSError if it cannot be opened."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        self.lock = Lock()
        self.descriptor = self.opened()
        self.lines = LineLog(lambda: self.descriptor)

    def opened(self) -> int:
        """Return a descriptor of the file that has the name now."""
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, LOG_MODE)

    def write(self, text: str) -> None:
        """Write a line."""
        with self.lock:
            self.lines.write(text)

    def reopen(self) -> None:
        """Write to the file that has the name now; OSError, and no change, if that fails."""
        fresh = self.opened()
        with self.lock:
            before, self.descriptor = self.descriptor, fresh
        os.close(before)

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


@contextmanager
def pid_file(command: str, path: str | None) -> Iterator[None]:
    """Write the process id to a file; remove the file at the end."""
    if path is None:
        yield
        return
    try:
        write_whole(path, f"{os.getpid()}\n".encode(), mode=0o644)
    except OSError as error:
        raise UsageError(f"--pid-file: cannot write {path}: {error.strerror}", command) from None
    try:
        yield
    finally:
        os.unlink(path)


def trouble(text: str, error: BaseException | None) -> None:
    """Print what the server cannot do, such as to accept connections."""
    reason = "" if error is None else f": {error}"
    log_line(f"err: {text}{reason}")


def report(command: str, debug: bool, request: Request, error: Exception) -> None:
    """Print an unexpected exception; the client gets status 500 without details."""
    if debug:
        ERRORS.write("".join(traceback.format_exception(error)))
    text = " ".join(str(error).split())[:500]
    ERRORS.write(
        f"bunraku {command}: internal error in {request.method} {request.path}:"
        f" {type(error).__name__}: {text}\n"
    )
