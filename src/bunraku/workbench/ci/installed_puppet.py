"""Catalogs that an installed Puppet compiles, to compare with bunraku's."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bunraku.base.records import field, record
from bunraku.engine.nodes import Task
from bunraku.engine.request import Request
from bunraku.facts.documents import read_facts
from bunraku.formats.json import json_text
from bunraku.workbench.ci.issues import PUPPET_FAILED
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import write_whole

ENVIRONMENT = "production"


@record(frozen=True)
class InstalledPuppet:
    """An executable named ``puppet``, and its version."""

    command: str
    version: str


@record(frozen=True)
class Subject:
    """A node to compile: its facts, and its classes where no manifest names them."""

    node: str
    facts: Mapping[str, Any]
    classes: Sequence[str] = field(default_factory=tuple)


def installed_puppet(command: str) -> InstalledPuppet:
    """Return an installed Puppet; raise PUPPET_FAILED if the program is not one.

    >>> installed_puppet("/nowhere/puppet")
    Traceback (most recent call last):
    bunraku.base.errors.PuppetError: Cannot compile with '/nowhere/puppet': No such file or directory
    """
    try:
        done = processes.run([command, "--version"])
    except OSError as error:
        raise PUPPET_FAILED(command=command, reason=error.strerror) from None
    if done.returncode:
        raise PUPPET_FAILED(command=command, reason=f"it ended with {done.returncode}")
    return InstalledPuppet(command, done.stdout.decode("utf-8", "replace").strip())


def subject_of(task: Task, classes: Sequence[str]) -> Subject:
    """Return the node of a task as Puppet is given it."""
    own = read_facts(task.facts_file) if task.facts_file else {}
    return Subject(task.node, {**task.request.facts, **own}, classes)


@contextmanager
def reference_site(puppet: InstalledPuppet, request: Request) -> Iterator[Site]:
    """Provide the site in which Puppet compiles nodes; its private directory is removed."""
    with scratch_directory() as top:
        environment = os.path.join(top, "environments", ENVIRONMENT)
        os.makedirs(os.path.dirname(environment))
        if request.environment_directory is not None:
            os.symlink(request.environment_directory, environment)
        else:
            own_modules(environment, request.modules)
        for name in ("conf", "var/yaml/facts"):
            os.makedirs(os.path.join(top, name))
        yield Site(puppet, top, request)


def own_modules(environment: str, modules: Mapping[str, str]) -> None:
    """Make an environment with modules under their names."""
    folder = os.path.join(environment, "modules")
    os.makedirs(folder)
    for name, directory in modules.items():
        os.symlink(directory, os.path.join(folder, name))


@record(frozen=True)
class Site:
    """Puppet's private directories, and the request that has the other settings."""

    puppet: InstalledPuppet
    top: str
    request: Request

    def path(self, *parts: str) -> str:
        """Return a path in the private directory."""
        return os.path.join(self.top, *parts)

    def compile(self, one: Subject) -> dict[str, Any]:
        """Return the catalog of a node; raise PUPPET_FAILED with Puppet's first error."""
        self.write_facts(one)
        done = processes.run(self.command(one))
        output = done.stdout.decode("utf-8", "replace")
        found = catalog_in(output)
        if done.returncode or found is None:
            said = done.stderr.decode("utf-8", "replace").splitlines()
            errors = [line.removeprefix("Error: ") for line in said if line.startswith("Error: ")]
            reason = errors[0] if errors else f"it ended with {done.returncode}"
            raise PUPPET_FAILED(command=self.puppet.command, reason=reason)
        return found

    def write_facts(self, one: Subject) -> None:
        """Write the facts where Puppet's terminus ``yaml`` reads them; JSON is YAML."""
        values = json_text(dict(one.facts))
        text = (
            f"--- !ruby/object:Puppet::Node::Facts\nname: {json_text(one.node)}\nvalues: {values}\n"
        )
        path = self.path("var", "yaml", "facts", f"{one.node}.yaml")
        write_whole(path, text.encode("utf-8", "surrogateescape"))

    def command(self, one: Subject) -> list[str]:
        """Return the command line that compiles a node."""
        request = self.request
        found = [self.puppet.command, "catalog", "compile", one.node, "--render-as", "json"]
        found += ["--color", "false", "--facts_terminus", "yaml", "--environment", ENVIRONMENT]
        found += ["--environmentpath", self.path("environments")]
        found += ["--confdir", self.path("conf"), "--vardir", self.path("var")]
        found += ["--yamldir", self.path("var", "yaml")]
        folders = [*request.modulepath]
        if request.environment_directory is None:
            folders.insert(0, self.path("environments", ENVIRONMENT, "modules"))
        if folders:
            found += ["--modulepath", ":".join(folders)]
        if request.hiera_config:
            found += ["--hiera_config", request.hiera_config]
        if request.path:
            found += ["--manifest", request.path]
        if one.classes:
            found += ["--node_terminus", "exec", "--external_nodes", self.classifier(one)]
        return found

    def classifier(self, one: Subject) -> str:
        """Return the program that gives a node its classes."""
        path = self.path("classifier")
        answer = json_text({"classes": list(one.classes)})
        write_whole(path, f"#!/bin/sh\necho {shlex.quote(answer)}\n".encode(), mode=0o700)
        return path


def catalog_in(output: str) -> dict[str, Any] | None:
    """Return the catalog that follows the notices in Puppet's output.

    >>> catalog_in('Notice: Scope(Class[main]): hello\\n{"resources": []}\\n')
    {'resources': []}
    """
    lines = output.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith("{")), None)
    if start is None:
        return None
    try:
        found = json.loads("\n".join(lines[start:]))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def sample_of(names: Sequence[str], changed: Sequence[str], size: int) -> list[str]:
    """Return a sample of nodes: changed ones first, then others at equal distances.

    >>> sample_of(list("abcdefgh"), ["e"], 3)
    ['a', 'd', 'e']
    """
    first = list(changed[:size])
    rest = [name for name in names if name not in first]
    wanted = min(size - len(first), len(rest))
    others = [rest[number * len(rest) // wanted] for number in range(wanted)]
    return sorted([*first, *others])
