"""Command lines: how to find the program in them, and how to show them in messages."""

from __future__ import annotations

import re

from bunraku.types.ruby_semantics.values import inspect, to_s

Words = str | tuple[str, ...]
"""A command line, or a program with its arguments."""
FIRST = re.compile(r"""\A(?:"(?P<double>[^"]+)"|'(?P<single>[^']+)'|(?P<plain>[^ ]+))""")


def program_of(command: Words) -> str:
    """Return the program of a command.

    >>> program_of("/bin/echo a"), program_of("'/opt/my tool' -v"), program_of(("ls", "-l"))
    ('/bin/echo', '/opt/my tool', 'ls')
    """
    if not isinstance(command, str):
        return command[0] if command else ""
    found = FIRST.match(command)
    return "" if found is None else found["double"] or found["single"] or found["plain"]


def shown_command(command: Words) -> str:
    """Format a command for messages."""
    return command if isinstance(command, str) else to_s(list(command))


def inspected_command(command: Words) -> str:
    """Format a command as Ruby inspects it."""
    return inspect(command if isinstance(command, str) else list(command))
