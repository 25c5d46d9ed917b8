"""Destinations of the messages of a run besides the console and the report: log files and syslog."""

from __future__ import annotations

import os
import syslog
from collections.abc import Callable
from contextlib import ExitStack
from typing import IO

from bunraku.apply.log import Destination, Message
from bunraku.apply.times import iso_time
from bunraku.formats.json import json_text

CONSOLE, SYSLOG = "console", "syslog"
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


def destinations_of(names: str, console: Destination, stack: ExitStack) -> list[Destination]:
    """Return the destinations in a comma-separated list, as in Puppet's ``logdest``; raise OSError.

    A name is ``console``, ``syslog`` or the path of a file, to which messages are appended: lines of
    text, JSON objects of an array (``.json``, without the closing bracket) or JSON lines
    (``.jsonl``). ``stack`` closes the files.
    """
    found: list[Destination] = []
    for name in dict.fromkeys(one.strip() for one in names.split(",")):
        if name == CONSOLE:
            found.append(console)
        elif name == SYSLOG:
            syslog.openlog("bunraku", syslog.LOG_PID, syslog.LOG_DAEMON)
            stack.callback(syslog.closelog)
            found.append(to_syslog)
        elif name:
            found.append(to_file(name, stack))
    return found or [console]


def to_syslog(message: Message) -> None:
    """Send a message to the system log, each line separately."""
    origin = "" if message.source == "Puppet" else f"({message.source}) "
    for line in message.text.split("\n"):
        syslog.syslog(PRIORITIES[message.level], origin + line.replace("\0", ""))


def to_file(path: str, stack: ExitStack) -> Destination:
    """Open a log file that only its owner and group can read, and return its destination."""
    directory = os.path.dirname(os.path.abspath(path))
    os.makedirs(directory, mode=0o755, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    file = stack.enter_context(os.fdopen(os.open(path, flags, 0o640), "ab"))
    return writer_of(path, file)


def writer_of(path: str, file: IO[bytes]) -> Destination:
    """Return a destination that appends to an open file in the format of its extension."""
    is_array = path.endswith(".json")
    count = os.fstat(file.fileno()).st_size > 2 if is_array else False
    shape: Callable[[Message], str] = log_line
    if is_array or path.endswith(".jsonl"):
        shape = json_line
    if is_array and not count:
        file.write(b"[\n")

    def add(message: Message) -> None:
        nonlocal count
        text = shape(message)
        if is_array and count:
            text = ",\n" + text
        count = True
        file.write((text + "\n").encode("utf-8", "surrogateescape"))
        file.flush()

    return add


def log_line(message: Message) -> str:
    """Format a message as a line of a log file."""
    return f"{iso_time(message.time)} {message.source} ({message.level}): {message.text}"


def json_line(message: Message) -> str:
    """Format a message as JSON on one line."""
    return json_text(
        {
            "level": message.level,
            "message": message.text,
            "source": message.source,
            "tags": list(message.tags),
            "time": iso_time(message.time),
            "file": message.file,
            "line": message.line,
        }
    )
