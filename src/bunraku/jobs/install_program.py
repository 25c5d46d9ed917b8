"""Executables named ``puppet`` and ``r10k`` that run bunraku: ``--install FOLDER``."""

from __future__ import annotations

import os
import shlex
import sys

from bunraku.base.usage import UsageError
from bunraku.world.machine import Machine
from bunraku.world.whole_files import write_whole

SCRIPT = """\
#!/bin/sh
exec {python} -m bunraku {command} "$@"
"""


def install(folder: str, command: str = "puppet") -> str:
    """Write the executable for a command, which replaces only one of bunraku; return its path.

    UsageError if the folder cannot be written, or has another program of the name.
    """
    path = os.path.join(os.path.abspath(folder), command)
    content = SCRIPT.format(python=shlex.quote(sys.executable), command=command).encode()
    try:
        if os.path.lexists(path) and f"-m bunraku {command}".encode() not in Machine().read(path):
            raise UsageError(f"--install: {path} exists and is not bunraku's", command)
        write_whole(path, content, mode=0o755)
    except OSError as error:
        raise UsageError(f"--install: cannot write {path}: {error.strerror}", command) from error
    return path
