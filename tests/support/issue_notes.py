"""Notes on codes of issues: ``docs/issue-notes.toml``, with the reports of their examples."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from bunraku.base.records import record
from bunraku.cli.main import main

NOTES = Path(__file__).parents[2] / "docs" / "issue-notes.toml"
COMMAND = "bunraku compile site.pp"


@record(frozen=True)
class Note:
    """The notes on a code for its page."""

    code: str
    cause: str
    fix: str
    example: str
    fixed: str
    command: str
    files: dict[str, str]

    def report(self, manifest: str) -> str:
        """Return the output of the command for a manifest, in a separate folder."""
        with tempfile.TemporaryDirectory() as folder, chdir(folder), own_cache():
            for name, text in {**self.files, "site.pp": manifest}.items():
                path = Path(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                if text or name != "site.pp":
                    path.write_text(text, encoding="utf-8")
                    path.chmod(0o755)
            return printed(self.command).replace(str(Path(folder).resolve()), "/home/you")


@contextmanager
def own_cache() -> Iterator[None]:
    """Use an empty cache: the user's own may be one that bunraku warns about."""
    name = "XDG_CACHE_HOME"
    before = os.environ.get(name)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[name] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[name]
            else:
                os.environ[name] = before


def printed(command: str) -> str:
    """Return the output of a command on standard error, otherwise on standard output."""
    words = shlex.split(command)
    if words[0] != "bunraku":  # variables of the environment are read at the start
        program = command.replace("bunraku", f"{sys.executable} -m bunraku")
        done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
        return done.stderr.strip("\n")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        main(words[1:])
    reports = out.getvalue() if words[1] in {"check", "validate"} else ""
    return (reports + err.getvalue()).strip("\n")


@cache
def notes() -> dict[str, Note]:
    """Code → its note."""
    found = tomllib.loads(NOTES.read_text(encoding="utf-8"))
    return {
        code: Note(
            code,
            note["cause"],
            note["fix"],
            note["example"].lstrip("\n"),
            note.get("fixed", "").lstrip("\n"),
            note.get("command", COMMAND),
            note.get("files", {}),
        )
        for code, note in found.items()
    }
