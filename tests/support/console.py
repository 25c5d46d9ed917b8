"""Blocks of ``console`` in the pages: their commands run, and their output is compared.

All blocks of a page run in order in one copy of ``examples/``. A line that begins with ``$`` is a command, ``>`` continues
it, the rest is what it prints, on standard output or standard error. A line ``…`` stands for any lines. What differs from
run to run is left out of the comparison: the directory of the copy, seconds, hashes of git and versions, and the
lines with the progress of many nodes, which only slow machines print. A word before ``$`` is the machine that the
command runs on; the page "Run a site" has several (``rigs/administration``).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
BLOCK = re.compile(r"^(`{3,})console\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
HOME = "/home/you"
PROGRAMS = {
    "bunraku": "bunraku",
    # the plugin once, whether the environment has the entry point of this version or not
    "pytest": "pytest -p bunraku.workbench.testing.pytest_plugin --no-header",
}
"""Programs by the modules that they run."""
SECONDS = 120
"""The time limit of a command."""
ANY_LINES = "…"
CONTINUED = re.compile(r">(?: |$)")
PROGRESS = re.compile(r"^\d+/\d+(, \d+ (failed|waiting for exported resources))*\n", re.MULTILINE)


class Prompt:
    """A shell that is started for each command; the working directory and the status hold from command to command."""

    def __init__(
        self,
        words: Sequence[str],
        directory: str,
        environment: Mapping[str, str],
        seconds: float = SECONDS,
    ) -> None:
        self.words = words
        self.seconds = seconds
        self.directory = directory
        self.environment = environment
        self.status = "0"

    def run(self, command: str) -> str:
        """Run a command and return what it prints."""
        there = shlex.quote(self.directory)
        script = f'cd {there} || exit\n(exit {self.status})\n{command}\nprintf "\\0%s\\0%s" "$?" "$PWD"\n'
        done = subprocess.run(
            [*self.words, script],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=self.seconds,
        )
        printed, self.status, self.directory = done.stdout.rsplit("\0", 2)
        return PROGRESS.sub("", printed).rstrip("\n")


class Shell:
    """A shell in a copy of the examples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(EXAMPLES, folder / "examples")
        programs = write_programs(folder)
        environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "120",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPYCACHEPREFIX": str(ROOT / ".pytest_cache" / "bytecode"),
            "GIT_CONFIG_COUNT": "3",
            "GIT_CONFIG_KEY_0": "user.name",
            "GIT_CONFIG_VALUE_0": "You",
            "GIT_CONFIG_KEY_1": "user.email",
            "GIT_CONFIG_VALUE_1": "you@example.com",
            "GIT_CONFIG_KEY_2": "init.defaultBranch",
            "GIT_CONFIG_VALUE_2": "main",
        }
        self.prompt = Prompt(["bash", "-c"], str(folder / "examples"), environment)

    def run(self, command: str) -> str:
        """Run a command and return its output in the form of the pages."""
        return self.prompt.run(command).replace(f"{self.folder}/examples", HOME)


def write_programs(folder: Path) -> Path:
    """Write the programs of the pages into a directory; return it."""
    programs = folder / "bin"
    programs.mkdir()
    for name, module in PROGRAMS.items():
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m {module} "$@"\n')
        program.chmod(0o755)
    return programs


@dataclass(frozen=True)
class Step:
    """A command of a page, the output that the page shows, and the machine that it runs on."""

    command: str
    shown: str
    machine: str = ""


def steps(block: str) -> Iterator[Step]:
    """Yield the commands of a block."""
    for part in re.split(r"^(?=\w*\$ )", block, flags=re.MULTILINE):
        lines = part.splitlines()
        if not lines:
            continue
        machine, _, lines[0] = lines[0].partition("$ ")
        end = next((at for at, line in enumerate(lines) if at and not CONTINUED.match(line)), None)
        command = "\n".join([lines[0], *(line[2:] for line in lines[1:end])])
        shown = "" if end is None else "\n".join(lines[end:]).rstrip("\n")
        yield Step(command, shown, machine)


def executed(text: str) -> Iterator[tuple[Step, str]]:
    """Run the commands of a page: each with the real output."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder).resolve())
        for _, block in BLOCK.findall(text):
            for step in steps(block):
                yield step, shell.run(step.command)


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows the output of a command.

    >>> agrees("a\\n…\\nd 0.10", "a\\nb\\nc\\nd 0.22"), agrees("a\\n…\\nd", "a\\nd")
    (True, True)
    >>> agrees("a\\n…\\nd", "a\\nb d")
    False
    """
    parts = re.split(rf"^{ANY_LINES}\n", f"{steady(shown)}\n", flags=re.MULTILINE)
    pattern = r"(?:.*\n)*".join(map(re.escape, parts))
    return re.fullmatch(pattern, f"{steady(printed)}\n") is not None


def steady(text: str) -> str:
    """The output without the parts that differ between runs."""
    text = re.sub(r"\b\d+\.\d\d\d?( ?s\b| seconds\b|$)", r"0.00\1", text, flags=re.MULTILINE)
    text = re.sub(r"\b[0-9a-f]{7}\b", "0000000", text)
    text = re.sub(r"bunraku \d+\.\d+\.\S+", "bunraku 0.0.0", text)
    # The directories of a server that do not exist here differ from machine to machine.
    text = re.sub(r"(?<=^server_directories = ).*$", "{}", text, flags=re.MULTILINE)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def rewritten(text: str, outputs: Iterator[tuple[Step, str]]) -> str:
    """A page with the real output of its commands, as they come, if the shown output differs."""

    def block(found: re.Match[str]) -> str:
        parts = []
        for _ in steps(found[2]):
            step, printed = next(outputs)
            output = step.shown if agrees(step.shown, printed) else printed
            command = re.sub("\n(?=.)", "\n> ", step.command).replace("\n\n", "\n>\n")
            parts.append(f"{step.machine}$ {command}\n" + (f"{output}\n" if output else ""))
        return f"{found[1]}console\n{''.join(parts)}{found[1]}"

    return BLOCK.sub(block, text)
