"""Running a command whose compiles are recorded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from shutil import which

from bunraku.base.command_names import COMMANDS
from bunraku.base.usage import UsageError
from bunraku.engine.coverage import SESSION
from bunraku.engine.manifests import COVERAGE
from bunraku.formats.json import ascii_json_text
from bunraku.workbench.coverage.data import BadData, CoverageData, read_records
from bunraku.workbench.coverage.project import CountedFiles
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import KEY_MODE, write_whole

PATIENCE = 10.0
"""Seconds that a program has to end after a signal."""


def run_recorded(
    words: Sequence[str], scope: CountedFiles, *, aside: bool = False
) -> tuple[int, CoverageData]:
    """Run a command; return its exit code and what its processes recorded.

    The output of a command that runs ``aside`` goes to standard error.
    """
    session = scope.session
    with scratch_directory() as folder:
        content = ascii_json_text({"root": session.root, "omit": list(session.omit)})
        write_whole(f"{folder}/{SESSION}", content.encode(), mode=KEY_MODE)
        code = exit_code(program_of(words), folder, 2 if aside else None)
        try:
            return code, read_records(folder)
        except (BadData, OSError) as error:
            raise UsageError(f"cannot read the records of coverage: {error}") from error


def program_of(words: Sequence[str]) -> list[str]:
    """Return the words that start a command: a command of bunraku, or a program.

    >>> program_of(["compile", "--nodes"])[1:]
    ['-m', 'bunraku', 'compile', '--nodes']
    """
    if not words:
        raise UsageError("give a command after --, such as 'bunraku cover -- compile --nodes'")
    if words[0] in COMMANDS:
        return [sys.executable, "-m", "bunraku", *words]
    if which(words[0]) is None:
        raise UsageError(f"cannot find the program {words[0]!r}")
    return list(words)


def exit_code(words: Sequence[str], folder: str, output: int | None) -> int:
    """Run a program with the folder for records in its environment; return its exit code.

    A signal that ends this process is passed on; what the program recorded until then counts.
    """
    try:
        process = subprocess.Popen(words, env={**os.environ, COVERAGE: folder}, stdout=output)
    except OSError as error:
        raise UsageError(f"cannot run {words[0]}: {error.strerror}") from error
    try:
        code = process.wait()
    except KeyboardInterrupt as stop:
        code = stopped(process, getattr(stop, "number", signal.SIGINT))
    return code if code >= 0 else 128 - code


def stopped(process: subprocess.Popen[bytes], number: int) -> int:
    """Return the exit code of a program after a signal; kill it if it does not end.

    SIGINT comes from a terminal, which sends it to the program, too.
    """
    if number != signal.SIGINT:
        process.send_signal(number)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return 128 + number
