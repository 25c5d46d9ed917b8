"""Running a command whose compiles are recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from shutil import which

from bunraku.cli.main import COMMANDS
from bunraku.cli.options.shared import UsageError
from bunraku.engine.coverage import SESSION
from bunraku.engine.manifests import COVERAGE
from bunraku.formats.json import ascii_json_text
from bunraku.workbench.coverage.data import BadData, CoverageData, read_records
from bunraku.workbench.coverage.project import Scope
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import KEY_MODE, write_whole


def run_covered(
    words: Sequence[str], scope: Scope, *, aside: bool = False
) -> tuple[int, CoverageData]:
    """Run a command; return its exit code and what its processes recorded.

    The records of a command that is interrupted are lost. The output of a command that runs ``aside``
    goes to standard error.
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
    """Run a program with the folder for records in its environment; return its exit code."""
    try:
        environment = {**os.environ, COVERAGE: folder}
        done = subprocess.run(words, env=environment, stdout=output, check=False)
    except OSError as error:
        raise UsageError(f"cannot run {words[0]}: {error.strerror}") from error
    return done.returncode if done.returncode >= 0 else 128 - done.returncode
