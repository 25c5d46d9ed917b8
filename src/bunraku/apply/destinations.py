"""Destinations of the messages of a run besides the console and the report: log files and syslog."""

from __future__ import annotations

import os
import syslog
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from bunraku.apply.log import Destination, Message, RunLog
from bunraku.apply.report_format import log_data
from bunraku.apply.times import iso_time
from bunraku.base.descriptors import write_all
from bunraku.formats.json import json_text
from bunraku.world.whole_files import make_folders

CONSOLE, SYSLOG = "console", "syslog"
SYSTEM_LOG = "/dev/log"
"""The socket of the system log."""
PRIORITIES = {
    "debug": syslog.LOG_DEBUG,
    "info": syslog.LOG_INFO,
    "notice": syslog.LOG_NOTICE,
    "warning": syslog.LOG_WARNING,
    "err": syslog.LOG_ERR,
    "alert": syslog.LOG_ALERT,
    "emerg": syslog.LOG_EMERG,
    "crit": syslog.LOG_CRIT,
}


class UnknownDestination(ValueError):
    """A name in ``logdest`` that is neither a known destination nor an absolute path."""


def destinations_of(
    names: str, console: Destination, stack: ExitStack, system_log: str = SYSTEM_LOG
) -> list[Destination]:
    """Return the destinations in a comma-separated list, as in Puppet's ``logdest``.

    A name is ``console``, ``syslog`` or the path of a file, to which messages are appended: lines of
    text, JSON objects of an array (``.json``, without the closing bracket) or JSON lines
    (``.jsonl``). ``stack`` closes the files. Raise UnknownDestination for another name, or OSError
    for a destination that cannot be opened.
    """
    found: list[Destination] = []
    for name in dict.fromkeys(one.strip() for one in names.split(",")):
        if name == CONSOLE:
            found.append(console)
        elif name == SYSLOG:
            found.append(SystemLog(system_log, console, stack))
        elif name.startswith("/"):
            found.append(to_file(name, console, stack))
        elif name:
            text = f"unknown destination {name!r}: expected console, syslog or an absolute path"
            raise UnknownDestination(text)
    return found or [console]


class SystemLog:
    """Sends messages to the socket of the system log, each line separately; raise OSError without one.

    After a failure, such as a system log that ended, the console gets one error and the socket no
    further messages.
    """

    def __init__(self, path: str, console: Destination, stack: ExitStack) -> None:
        import socket  # slow to import; most runs log to the console

        self.path = path
        self.console = console
        self.failed = False
        self.socket = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        try:
            self.socket.connect(path)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from None

    def __call__(self, message: Message) -> None:
        """Send a message."""
        origin = "" if message.source == "Puppet" else f"({message.source}) "
        stamp = time.strftime("%b %e %H:%M:%S", time.localtime(message.time))
        priority = syslog.LOG_DAEMON | PRIORITIES[message.level]
        head = f"<{priority}>{stamp} bunraku[{os.getpid()}]: {origin}"
        for line in message.text.split("\n"):
            if not self.failed:
                self.send(head + line.replace("\0", ""), message.time)

    def send(self, line: str, now: float) -> None:
        """Send a line."""
        try:
            self.socket.send(line.encode("utf-8", "surrogateescape"))
        except OSError as error:
            self.failed = True
            reason = f"Could not write to {self.path}: {error.strerror or error}"
            self.console(Message("err", reason, "Puppet", now))


def to_file(path: str, console: Destination, stack: ExitStack) -> Destination:
    """Open a log file that only its owner and group can read, and return its destination."""
    handle = opened(path)
    stack.callback(os.close, handle)
    return LogFile(path, handle, console)


def opened(path: str) -> int:
    """Open a log file for appending; its directory is made."""
    directory = os.path.dirname(os.path.abspath(path))
    make_folders(directory, 0o755)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    return os.open(path, flags, 0o640)


class LogFile:
    """Appends messages to an open file in the format of its extension.

    After a failure, such as a full disk, the console gets one error and the file no further messages.
    """

    def __init__(self, path: str, handle: int, console: Destination) -> None:
        self.path = path
        self.handle = handle
        self.console = console
        self.failed = False
        self.is_array = path.endswith(".json")
        self.is_empty = os.fstat(handle).st_size <= len("[\n")
        is_json = self.is_array or path.endswith(".jsonl")
        self.shape: Callable[[Message], str] = json_line if is_json else log_line

    def reopen(self) -> None:
        """Open the path again, after its file was renamed; OSError if that fails."""
        handle = opened(self.path)
        os.dup2(handle, self.handle, inheritable=False)
        os.close(handle)
        self.is_empty, self.failed = os.fstat(self.handle).st_size <= len("[\n"), False

    def __call__(self, message: Message) -> None:
        """Append a message."""
        if self.failed:
            return
        before = "" if not self.is_array else "[\n" if self.is_empty else ",\n"
        text = f"{before}{self.shape(message)}\n"
        try:
            write_all(self.handle, text.encode("utf-8", "surrogateescape"))
            self.is_empty = False
        except OSError as error:
            self.failed = True
            reason = f"Could not write to {self.path}: {error.strerror or error}"
            self.console(Message("err", reason, "Puppet", message.time))


def log_line(message: Message) -> str:
    """Format a message as a line of a log file."""
    return f"{iso_time(message.time)} {message.source} ({message.level}): {message.text}"


def json_line(message: Message) -> str:
    """Format a message as JSON on one line."""
    return json_text(log_data(message))


def reopen(destinations: Sequence[Destination], log: RunLog) -> None:
    """Open the log files again; a failure is an error in the other destinations."""
    for one in destinations:
        if isinstance(one, LogFile):
            try:
                one.reopen()
            except OSError as error:
                log("err", f"Could not open {one.path}: {error.strerror}")
