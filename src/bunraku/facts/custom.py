"""Custom facts of modules: in Python, and in Ruby if Ruby is installed. They do not need Facter.

Each kind runs in a separate process, one fact after the other. A fact that takes too long is
dropped and the process is restarted for the remaining facts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.facts.declaration import PATIENCE
from bunraku.facts.documents import with_names
from bunraku.facts.issues import CUSTOM_FACT_DROPPED, CUSTOM_FACT_MESSAGE, RUBY_FACTS_MISSING
from bunraku.facts.legacy import legacy_facts
from bunraku.facts.time_limits import LEAST, START, Exceeded, Limit, limit_of, lines_of
from bunraku.facts.values import fault_of, over, visible
from bunraku.formats.json import lenient_json_text
from bunraku.world.processes import Program
from bunraku.world.protocol import World

Facts = dict[str, Any]
Warn = Callable[[Diagnostic], None]
RUNNERS = os.path.join(os.path.dirname(__file__), "runners")
PUPPETS_RUBY = "/opt/puppetlabs/puppet/bin/ruby"
"""The Ruby of the packages of Puppet and OpenVox."""
RAISED_BY = {
    False: "; catalogs are compiled without it; --fact-timeout raises the limit",
    True: "; catalogs are compiled without it; the fact declares the limit",
}
"""What follows the reason of a fact that took too long, by whether it declares its limit."""
NO_FACTS: Mapping[str, Any] = MappingProxyType({})
ADDED = lazy_pattern(r"Facter\.add\s*\(?\s*(?::['\"]?|['\"])(\w+)\b(?!#\{)")


@record(frozen=True)
class PuppetForFacts:
    """What facts learn about Puppet: the facts that it adds, such as its version, and its settings.

    Facts in Ruby have the settings if Puppet itself is not installed.
    """

    facts: Mapping[str, Any] = NO_FACTS
    settings: Callable[[], Mapping[str, Any]] = dict


NO_PUPPET = PuppetForFacts()


@record(frozen=True)
class FactFiles:
    """The files of modules that define facts."""

    python: Sequence[str] = ()
    ruby: Sequence[str] = ()
    libraries: Sequence[str] = ()
    """The directories that Ruby facts require code from."""
    folders: Sequence[str] = ()
    """The directories of external facts."""


def fact_files(world: World, modules: Iterable[str], directories: Iterable[str] = ()) -> FactFiles:
    """Return the files of facts in the directories of modules, and in further directories of facts in Ruby.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/m/lib/facter/a.rb": b"", "/m/lib/bunraku/facts/b.py": b""})
    >>> found = fact_files(world, ["/m"])
    >>> found.ruby, found.python
    (['/m/lib/facter/a.rb'], ['/m/lib/bunraku/facts/b.py'])
    """
    roots = list(modules)
    ruby = [*(f"{root}/lib/facter" for root in roots), *variable_directories(world), *directories]
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
    puppet: PuppetForFacts = NO_PUPPET,
    names: Collection[str] | None = None,
    least: float = LEAST,
) -> Facts:
    """Return the custom facts of modules; log a warning for each missing one.

    ``known`` are the facts of the machine. ``external`` ones win over those and over facts in Python,
    and over facts in Ruby without a greater weight. A fact in Python replaces one with its name in Ruby. With ``names``, no others are computed. ``patience`` is
    the limit in seconds for facts that do not declare one; 0 means no limit. ``least`` is the lowest limit
    of facts that only wait.
    """
    found: Facts = {}
    shared = {"timeout": patience, "names": None if names is None else sorted(names)}
    if files.ruby:
        request = {
            **shared,
            "directories": list(dict.fromkeys(map(os.path.dirname, files.ruby))),
            "libraries": list(files.libraries),
            "own": dict(puppet.facts),
            "settings": puppet.settings(),
            "machine": known,
            "legacy": legacy_facts(known),
            "external": {name: value for name, value in external.items() if value is not None},
        }
        command = [ruby_program(world), f"{RUNNERS}/ruby_facts.rb"]
        runner = Runner(world, command, files.ruby, request, warn, least)
        fault = runner.run()
        if fault is not None:
            warn(missing_ruby_facts(world, files.ruby, fault))
        found |= runner.found
    if files.python:
        facts = {**puppet.facts, **over(known, external), **found}
        request = {**shared, "files": list(files.python), "facts": facts}
        from bunraku.facts.runners import python_facts

        command = [sys.executable, "-m", python_facts.__name__]
        runner = Runner(world, command, files.python, request, warn, least)
        runner.run()
        own = {name: value for name, value in runner.found.items() if external.get(name) is None}
        found |= own
    return found


def ruby_program(world: World) -> str:
    """Return the Ruby that runs facts: that of BUNRAKU_RUBY, of an installed Puppet, or of PATH.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> ruby_program(DictionaryWorld({}))
    'ruby'
    """
    chosen = world.environment_variable("BUNRAKU_RUBY")
    return chosen or (PUPPETS_RUBY if world.is_executable(PUPPETS_RUBY) else "ruby")


def missing_ruby_facts(world: World, paths: Sequence[str], fault: str) -> Diagnostic:
    """Return the single warning about facts that need Ruby."""
    names: dict[str, None] = {}
    for path in paths:
        text = world.read(path).decode("utf-8", "replace")
        names.update(dict.fromkeys(ADDED.findall(text) or [os.path.basename(path)[:-3]]))
    return RUBY_FACTS_MISSING.diagnostic(
        severity="warning", names=", ".join(names), program=ruby_program(world), reason=fault
    )


class NotStarted(Exception):
    """A program ended without an answer."""


@record(slots=False)
class Runner:
    """A program that computes facts; it is restarted after each fact that takes too long."""

    world: World
    command: list[str]
    files: Sequence[str]
    request: Mapping[str, Any]
    """The input of the program, without what it does not do again."""
    warn: Warn
    least: float = LEAST
    """The lowest limit of facts that only wait, in seconds."""
    limit: Limit = START
    """The limit of the next line."""
    found: Facts = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    """The facts that are not computed again."""
    dropped: list[str] = field(default_factory=list)
    """The facts that took too long or ended the program."""
    dropped_files: list[str] = field(default_factory=list)
    """The files that are not read again."""
    messages: set[str] = field(default_factory=set)
    """The warnings until now; a program that is restarted repeats those of the files."""

    def run(self) -> str | None:
        """Compute the facts; return the reason if the program does not start."""
        while True:
            try:
                program = self.world.spawn(self.command)
            except OSError as error:
                return error.strerror or str(error)
            try:
                if self.follow(program):
                    return None
            except NotStarted:
                return "it ended before it was ready"
            finally:
                program.end()

    def input(self) -> bytes:
        """Return the input of the program."""
        past = {
            "skip": self.done,
            "dropped": self.dropped,
            "dropped_files": self.dropped_files,
        }
        return lenient_json_text({**self.request, **past}).encode("utf-8", "surrogateescape")

    def follow(self, program: Program) -> bool:
        """Read the answers of a program; return False if it must be restarted. Raise NotStarted."""
        assert program.stdin is not None
        with suppress(OSError):  # it has ended already
            program.stdin.write(self.input())
            program.stdin.close()
        name, path, at, answered = None, self.files[0], None, False
        self.limit = START
        for line in lines_of(program, lambda: self.limit):
            if isinstance(line, Exceeded):
                self.drop(name, path, at, f"{line.reason}{RAISED_BY[self.limit.declared]}")
                return False
            answered = True
            if "begin" in line:
                name, path, at = line["begin"], line["file"], line.get("line")
                self.limit = limit_in(line, self.least)
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
                self.take(line["fact"], line["value"], line.get("file") or path, line.get("line"))
        if not answered:
            raise NotStarted
        self.drop(name, path, at, "its process ended")
        return False

    def take(self, name: str, value: Any, path: str, line: int | None) -> None:
        """Keep the value of a fact; None means that the machine does not have it."""
        self.done.append(name)
        fault = fault_of(value)
        if fault is not None:
            self.report(name, path, fault, line)
        elif value is not None:
            self.found |= with_names({name: value})

    def drop(self, name: str | None, path: str, line: int | None, reason: str) -> None:
        """Skip a fact, or a file that could not be loaded, from now on."""
        if name is None:
            self.dropped_files.append(path)
        else:
            self.done.append(name)
            self.dropped.append(name)
        self.report(name, path, reason, line)

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
            name=name or "",
            what="the file" if name is None else f"the fact '{visible(name)}'",
            path=path if line is None else f"{path}:{line}",
            reason=" ".join(visible(reason).split()),
        )
        if warning.message not in self.messages:
            self.messages.add(warning.message)
            self.warn(warning)


def limit_in(line: Mapping[str, Any], least: float) -> Limit:
    """Return the limit that the line before a fact names."""
    clock, declared = line.get("clock", False), line["declared"]
    return limit_of(line["timeout"], clock=clock, declared=declared, least=least)
