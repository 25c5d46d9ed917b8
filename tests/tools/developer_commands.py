"""Run the commands of developers on a copy of the example, with the system and Python that run this file.

The workflow runs it on Linux, macOS and Windows. tests/test_windows.py uses the same commands.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "control-repo"
NODE = "web01.example.com"
OF_SITE = {
    ("validate", "."): 0,
    ("check",): 0,
    ("lint",): 0,
    ("fmt", "--check"): 0,
    ("compile", "--node", NODE): 0,
    ("diff", "HEAD~1", "HEAD"): 1,
    ("ci", "--base", "HEAD~1"): 0,
    ("lookup", "profile::ntp::servers", "--node", NODE, "--explain"): 0,
    ("explain", "Class[Profile::Ntp]"): 0,
    ("graph", "--node", NODE, "--format", "dot"): 0,
    ("migrate", "--from", "7"): 0,
    ("eval", "Integer[1, 3].map |$x| { $x * 2 }"): 0,
    ("config",): 0,
    ("functions", "abs"): 0,
    ("modules", "list"): 1,  # the example has no Puppetfile
    ("docs",): 0,
    ("docs", "--check"): 0,
}
"""Commands for a control repository whose output is the same on each run, with their exit codes."""
OF_MODULE = {
    ("new", "module", "demo"): 0,
    ("validate", "demo"): 0,
    ("lint", "demo"): 0,
    ("build", "demo"): 0,
    ("docs", "demo"): 0,
}
"""Commands for a new module."""
MORE = {
    ("compile", "--nodes", "--jobs", "2", "--output-folder", "catalogs"): 0,
    ("affected", "HEAD~1"): 1,
    ("cover", "--", "compile", "--nodes"): 0,
    ("cache",): 0,
}
"""Commands for a control repository whose output differs."""


def git(directory: Path, *arguments: str) -> None:
    """Run git with a fixed author and date."""
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    dates = dict.fromkeys(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"], "2026-01-01T00:00:00Z")
    subprocess.run(
        ["git", *author, *arguments],
        cwd=directory,
        check=True,
        capture_output=True,
        env={**os.environ, **dates},
    )


def make_site(directory: Path, line_end: str = "\n") -> Path:
    """Make a repository with two commits, which give the nodes other catalogs."""
    shutil.copytree(EXAMPLE, directory)
    for path in directory.rglob("*.pp"):
        path.write_bytes(path.read_bytes().replace(b"\n", line_end.encode()))
    git(directory, "init", "--quiet", "--initial-branch=main")
    git(directory, "config", "core.autocrlf", "false")
    git(directory, "add", ".")
    git(directory, "commit", "--quiet", "--message=one")
    data = directory / "data" / "common.yaml"
    data.write_bytes(data.read_bytes().replace(b"ntp1.example.com", b"ntp1.example.org"))
    git(directory, "commit", "--quiet", "--all", "--message=two")
    return directory


def failures(commands: dict[tuple[str, ...], int], directory: Path) -> list[str]:
    """Run commands in a directory and return what went wrong."""
    found = []
    for words, expected in commands.items():
        done = subprocess.run(
            [sys.executable, "-m", "bunraku", *words],
            cwd=directory,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        wrong = done.returncode != expected or "internal error" in done.stderr
        print(f"{'FAILED' if wrong else 'passed'}  bunraku {' '.join(words)}", flush=True)
        if wrong:
            found.append(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return found


def main() -> int:
    """Run all commands; return 1 if one fails."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        site = make_site(top / "site")
        modules = top / "modules"
        modules.mkdir()
        found = failures({**OF_SITE, **MORE}, site) + failures(OF_MODULE, modules)
        found += failures({("test",): 0}, modules / "demo")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
