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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.facts.declaration import PATIENCE
from bunraku.facts.documents import with_names
from bunraku.facts.issues import CUSTOM_FACT_DROPPED, CUSTOM_FACT_MESSAGE, RUBY_FACTS_MISSING
from bunraku.facts.legacy import legacy_facts
from bunraku.facts.values import fault_of, over, visible
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
NO_FACTS: Mapping[str, Any] = MappingProxyType({})
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
    ruby = [*(f"{root}/lib/facter" for root in roots), *variable_directories(world)]
    return FactFiles(
        [path for root in roots for path in below(world, f"{root}/lib/bunraku/facts", ".py")],
        [path for directory in dict.fromkeys(ruby) for path in below(world, directory, ".rb")],
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
    more = [*filter(None, paths.split(":")), *variable_directories(world)]
    ruby = dict.fromkeys([f"{library}/facter", *more])
    return FactFiles(
        below(world, f"{library}/bunraku/facts", ".py"),
        [path for directory in ruby for path in below(world, directory, ".rb")],
        [library] if world.is_directory(library) else [],
        [external],
    )


def variable_directories(world: World) -> list[str]:
    """Return the directories of Ruby facts that the variable ``FACTERLIB`` lists, as for Facter."""
    return list(filter(None, (world.environment_variable("FACTERLIB") or "").split(":")))


def below(world: World, directory: str, ending: str) -> list[str]:
    """Return the sorted files in a directory with an extension; like Facter, ignore subdirectories."""
    if not world.is_directory(directory):
        return []
    paths = (f"{directory}/{name}" for name in world.list_directory(directory))
    return [path for path in paths if path.endswith(ending) and world.is_file(path)]


def custom_facts(
    world: World,
    files: FactFiles,
    known: Mapping[str, Any],
    warn: Warn,
    patience: float = PATIENCE,
    external: Mapping[str, Any] = NO_FACTS,
    own: Mapping[str, Any] = NO_FACTS,
    names: Collection[str] | None = None,
) -> Facts:
    """Return the custom facts of modules; log a warning for each missing one.

    ``known`` are the facts of the machine. ``external`` ones win over those and over facts in Python,
    and over facts in Ruby without a greater weight. ``own`` are those that Puppet adds. A fact in
    Python replaces one with its name in Ruby. With ``names``, no others are computed. ``patience`` is
    the limit in seconds for facts that do not declare one; 0 means no limit.
    """
    found: Facts = {}
    shared = {"timeout": patience, "names": None if names is None else sorted(names)}
    if files.ruby:
        request = {
            **shared,
            "directories": list(dict.fromkeys(map(os.path.dirname, files.ruby))),
            "libraries": list(files.libraries),
            "own": dict(own),
            "machine": known,
            "legacy": legacy_facts(known),
            "external": {name: value for name, value in external.items() if value is not None},
        }
        command = [world.environment_variable("BUNRAKU_RUBY") or "ruby", f"{RUNNERS}/ruby_facts.rb"]
        runner = Runner(world, command, files.ruby, request, warn)
        if runner.run():
            found |= runner.found
        else:
            warn(missing_ruby_facts(world, files.ruby))
    if files.python:
        facts = {**own, **over(known, external), **found}
        request = {**shared, "files": list(files.python), "facts": facts}
        from bunraku.facts.runners import python_facts

        command = [sys.executable, "-m", python_facts.__name__]
        runner = Runner(world, command, files.python, request, warn)
        runner.run()
        own = {name: value for name, value in runner.found.items() if external.get(name) is None}
        found |= own
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
    request: Mapping[str, Any]
    """The input of the program, without what it does not do again."""
    warn: Warn
    limit: float = STARTING
    """Seconds until the next line."""
    found: Facts = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    """The facts that are not computed again."""
    dropped: list[str] = field(default_factory=list)
    """The facts that took too long or ended the program."""
    dropped_files: list[str] = field(default_factory=list)
    """The files that are not read again."""
    messages: set[str] = field(default_factory=set)
    """The warnings until now; a program that is restarted repeats those of the files."""

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

    def input(self) -> bytes:
        """Return the input of the program."""
        past = {
            "skip": self.done,
            "dropped": self.dropped,
            "dropped_files": self.dropped_files,
        }
        return lenient_json_text({**self.request, **past}).encode("utf-8", "surrogateescape")

    def follow(self, program: Program) -> bool | None:
        """Read the answers of a program; return None if it must be restarted."""
        assert program.stdin is not None
        try:
            program.stdin.write(self.input())
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
                self.report(
                    line.get("fact"),
                    line.get("file") or path,
                    line["warn"],
                    line.get("line"),
                    left_out=line.get("left_out", True),
                )
            elif "end" in line:
                return True
            else:
                self.take(line["fact"], line["value"], line.get("file") or path)
        if not answered:
            return False
        self.drop(name, path, "its process ended")
        return None

    def take(self, name: str, value: Any, path: str) -> None:
        """Keep the value of a fact; None means that the machine does not have it."""
        self.done.append(name)
        fault = fault_of(value)
        if fault is not None:
            self.report(name, path, fault)
        elif value is not None:
            self.found |= with_names({name: value})

    def drop(self, name: str | None, path: str, reason: str) -> None:
        """Skip a fact, or a file that could not be loaded, from now on."""
        if name is None:
            self.dropped_files.append(path)
        else:
            self.done.append(name)
            self.dropped.append(name)
        self.report(name, path, reason)

    def report(
        self,
        name: str | None,
        path: str,
        reason: str,
        line: int | None = None,
        *,
        left_out: bool = True,
    ) -> None:
        """Warn once about a fact or a file; a fact that is not left out has a value all the same."""
        issue = CUSTOM_FACT_DROPPED if left_out else CUSTOM_FACT_MESSAGE
        warning = issue.diagnostic(
            Place(path, line),
            severity="warning",
            what="the file" if name is None else f"the fact '{visible(name)}'",
            path=path if line is None else f"{path}:{line}",
            reason=" ".join(visible(reason).split()),
        )
        if warning.message not in self.messages:
            self.messages.add(warning.message)
            self.warn(warning)


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
