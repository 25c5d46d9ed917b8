"""Custom facts of modules: in Python, and in Ruby if Ruby and Facter are installed.

Each kind runs in a separate process, one fact after the other. A fact that takes too long is
dropped and the process is restarted for the remaining facts.
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from time import monotonic
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.facts.declaration import PATIENCE
from bunraku.facts.documents import with_names
from bunraku.facts.issues import CUSTOM_FACT_DROPPED, RUBY_FACTS_MISSING
from bunraku.formats.json import lenient_json_text
from bunraku.world.processes import Program
from bunraku.world.protocol import World

Facts = dict[str, Any]
Warn = Callable[[Diagnostic], None]
RUNNERS = os.path.join(os.path.dirname(__file__), "runners")
STARTING = 60.0
"""Seconds that a runner may take to start."""
LONGEST_POLL = 3600.0
"""Seconds of one poll; the kernel counts milliseconds in 32 bits."""
CHUNK = 1 << 16
ADDED = re.compile(r"Facter\.add\s*\(?\s*:?['\"]?(\w+)")


@record(frozen=True)
class FactFiles:
    """The files of modules that define facts."""

    python: Sequence[str] = ()
    ruby: Sequence[str] = ()
    libraries: Sequence[str] = ()
    """The directories that Ruby facts require code from."""
    folders: Sequence[str] = ()
    """The directories of external facts."""


def fact_files(world: World, modules: Iterable[str]) -> FactFiles:
    """Return the files of facts in the directories of modules.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/m/lib/facter/a.rb": b"", "/m/lib/bunraku/facts/b.py": b""})
    >>> found = fact_files(world, ["/m"])
    >>> found.ruby, found.python
    (['/m/lib/facter/a.rb'], ['/m/lib/bunraku/facts/b.py'])
    """
    roots = list(modules)
    return FactFiles(
        [path for root in roots for path in below(world, f"{root}/lib/bunraku/facts", ".py")],
        [path for root in roots for path in below(world, f"{root}/lib/facter", ".rb")],
        [f"{root}/lib" for root in roots if world.is_directory(f"{root}/lib")],
        [f"{root}/facts.d" for root in roots if world.is_directory(f"{root}/facts.d")],
    )


def library_facts(world: World, library: str, external: str, paths: str = "") -> FactFiles:
    """Return the files of facts among an agent's plugins: a library, and a directory of external facts.

    ``paths`` are further directories of Ruby facts, separated by colons.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/l/facter/a.rb": b"", "/l/bunraku/facts/b.py": b""})
    >>> found = library_facts(world, "/l", "/facts.d")
    >>> found.ruby, found.python, found.folders
    (['/l/facter/a.rb'], ['/l/bunraku/facts/b.py'], ['/facts.d'])
    """
    ruby = dict.fromkeys([f"{library}/facter", *filter(None, paths.split(":"))])
    return FactFiles(
        below(world, f"{library}/bunraku/facts", ".py"),
        [path for directory in ruby for path in below(world, directory, ".rb")],
        [library] if world.is_directory(library) else [],
        [external],
    )


def below(world: World, directory: str, ending: str) -> list[str]:
    """Return the sorted files in a directory with an extension; like Facter, ignore subdirectories."""
    if not world.is_directory(directory):
        return []
    names = world.list_directory(directory)
    return [f"{directory}/{name}" for name in names if name.endswith(ending)]


def custom_facts(
    world: World,
    files: FactFiles,
    known: Mapping[str, Any],
    warn: Warn,
    patience: float = PATIENCE,
) -> Facts:
    """Return the custom facts of modules; log a warning for each missing one.

    ``known`` are the other facts of the machine. A fact in Python replaces one with its name in
    Ruby. ``patience`` is the limit in seconds for facts that do not declare one; 0 means no limit.
    """
    found: Facts = {}
    if files.ruby:
        command = [world.environment_variable("BUNRAKU_RUBY") or "ruby", f"{RUNNERS}/ruby_facts.rb"]
        runner = Runner(world, command, files.ruby, files.libraries, {}, warn, patience)
        if runner.run():
            found |= runner.found
        else:
            warn(missing_ruby_facts(world, files.ruby))
    if files.python:
        command = [sys.executable, "-m", "bunraku.facts.runners.python_facts"]
        runner = Runner(world, command, files.python, (), {**known, **found}, warn, patience)
        runner.run()
        found |= runner.found
    return found


def missing_ruby_facts(world: World, paths: Sequence[str]) -> Diagnostic:
    """Return the single warning about facts that need Ruby and Facter."""
    names: dict[str, None] = {}
    for path in paths:
        text = world.read(path).decode("utf-8", "replace")
        names.update(dict.fromkeys(ADDED.findall(text) or [os.path.basename(path)[:-3]]))
    return RUBY_FACTS_MISSING.diagnostic(severity="warning", names=", ".join(names))


@record(slots=False)
class Runner:
    """A program that computes facts; it is restarted after each fact that takes too long."""

    world: World
    command: list[str]
    files: Sequence[str]
    libraries: Sequence[str]
    known: Mapping[str, Any]
    warn: Warn
    patience: float = PATIENCE
    """Seconds for each fact that does not declare a limit; 0 means no limit."""
    limit: float = STARTING
    """Seconds until the next line."""
    found: Facts = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    """The facts that are not computed again."""
    dropped: list[str] = field(default_factory=list)
    """The files that are not read again."""

    def run(self) -> bool:
        """Compute the facts; return whether the program and its requirements are installed."""
        while True:
            try:
                program = self.world.spawn(self.command)
            except OSError:
                return False
            try:
                finished = self.follow(program)
            finally:
                program.end()
            if finished is not None:
                return finished

    def request(self) -> bytes:
        """Return the input of the program."""
        data = {
            "files": [path for path in self.files if path not in self.dropped],
            "libraries": list(self.libraries),
            "facts": self.known,
            "skip": self.done,
            "timeout": self.patience,
        }
        return lenient_json_text(data).encode("utf-8", "surrogateescape")

    def follow(self, program: Program) -> bool | None:
        """Read the answers of a program; return None if it must be restarted."""
        assert program.stdin is not None
        try:
            program.stdin.write(self.request())
            program.stdin.close()
        except OSError:
            return False
        name, path, answered = None, self.files[0], False
        self.limit = STARTING
        for line in lines_of(program, lambda: self.limit):
            if line is None:
                self.drop(name, path, f"it took longer than {self.limit:g} seconds")
                return None
            answered = True
            if "missing" in line:
                return False
            if "begin" in line:
                name, path, self.limit = line["begin"], line["file"], line["timeout"] or inf
            elif "warn" in line:
                self.report(line.get("fact"), line.get("file") or path, line["warn"])
            else:
                self.take(line["fact"], line["value"])
        if program.wait() == 0:
            return True
        if not answered:
            return False
        self.drop(name, path, "its process ended")
        return None

    def take(self, name: str, value: Any) -> None:
        """Keep the value of a fact; None means that the machine does not have it."""
        self.done.append(name)
        if value is not None:
            self.found |= with_names({name: value})

    def drop(self, name: str | None, path: str, reason: str) -> None:
        """Skip a fact, or a file that could not be loaded, from now on."""
        if name is None:
            self.dropped.append(path)
        else:
            self.done.append(name)
        self.report(name, path, reason)

    def report(self, name: str | None, path: str, reason: str) -> None:
        """Warn about a fact or a file."""
        what = "the file" if name is None else f"the fact '{name}'"
        reason = " ".join(reason.split())
        issue = CUSTOM_FACT_DROPPED
        self.warn(
            issue.diagnostic(Place(path), severity="warning", what=what, path=path, reason=reason)
        )


def lines_of(program: Program, limit: Callable[[], float]) -> Iterator[dict[str, Any] | None]:
    """Yield the lines that a program writes, as data; None when a line takes longer than the limit."""
    assert program.stdout is not None
    output, rest = program.stdout.fileno(), b""
    readable = select.poll()
    readable.register(output, select.POLLIN)
    deadline = monotonic() + limit()
    while True:
        left = deadline - monotonic()
        if left <= 0:
            yield None
            return
        if not readable.poll(min(left, LONGEST_POLL) * 1000):
            continue
        chunk = os.read(output, CHUNK)
        if not chunk:
            return
        *complete, rest = (rest + chunk).split(b"\n")
        for line in complete:
            yield json.loads(line)
        if complete:
            deadline = monotonic() + limit()
