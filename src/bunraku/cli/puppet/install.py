"""``bunraku puppet --install FOLDER``: an executable named ``puppet`` that runs bunraku."""

from __future__ import annotations

import os
import shlex
import sys

from bunraku.base.usage import UsageError
from bunraku.world.machine import Machine
from bunraku.world.whole_files import write_whole

SCRIPT = """\
#!/bin/sh
exec {python} -m bunraku puppet "$@"
"""


def install(folder: str) -> str:
    """Write the executable, which replaces only one of bunraku; return its path.

    UsageError if the folder cannot be written, or has another ``puppet``.
    """
    path = os.path.join(os.path.abspath(folder), "puppet")
    content = SCRIPT.format(python=shlex.quote(sys.executable)).encode()
    try:
        if os.path.lexists(path) and b"-m bunraku puppet" not in Machine().read(path):
            raise UsageError(f"--install: {path} exists and is not bunraku's", "puppet")
        write_whole(path, content, mode=0o755)
    except OSError as error:
        raise UsageError(f"--install: cannot write {path}: {error.strerror}", "puppet") from error
    return path
