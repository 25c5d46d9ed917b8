"""The values that the options, the configuration file and the project set, with the reasons."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.records import record
from bunraku.jobs.context import Context
from bunraku.project.config_file import KEYS
from bunraku.project.declared_modules import DeclaredModule
from bunraku.project.missing import asked_for, installed_version
from bunraku.project.model import Choice, Project
from bunraku.project.puppetfile import installed_choice, read_puppetfile
from bunraku.world.machine import Machine

OWN = ("environment_directory", "modules", "server_directories")
"""Values that follow from the project alone."""


@record(frozen=True)
class ConfiguredValue:
    """A value: the origin is option, file, project or default."""

    name: str
    value: Any
    origin: str
    choice: Choice


def configured_values(
    context: Context, options: Mapping[str, Any], configuration: Mapping[str, Choice]
) -> Iterator[ConfiguredValue]:
    """Yield the values that are not defaults, each from its highest source.

    The sources are the options, the configuration file and the project.
    """
    for name in (*OWN, *(key for key in KEYS if key != "settings")):
        given = options.get(name)
        default = KEYS[name].default if name in KEYS else None
        configured, found = configuration.get(name), of_project(context.project, name)
        if given not in (None, "", False, default) and not same(given, configured):
            yield ConfiguredValue(
                name, given, "option", Choice(given, f"--{name.replace('_', '-')}")
            )
        elif configured is not None:
            yield ConfiguredValue(name, configured.value, "file", configured)
        elif found is not None:
            yield ConfiguredValue(name, found.value, "project", found)
    yield from setting_values(context, configuration)


def of_project(project: Project, name: str) -> Choice | None:
    """Return a value that follows from the project."""
    if name == "exclude":
        return installed_choice(project, Machine())
    return project.choices.get(name)


@record(frozen=True)
class ModuleVersions:
    """A module of the Puppetfile: what it asks for, and the version in the installed metadata."""

    module: DeclaredModule
    asked: str
    installed: str

    @property
    def text(self) -> str:
        """The module with both versions, for people."""
        installed = self.installed or "no version"
        return f"{self.module.title} {self.asked or 'any version'}, installed: {installed}"

    @property
    def data(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "name": self.module.name,
            "title": self.module.title,
            "asked": self.asked or None,
            "installed": self.installed or None,
            "directory": self.module.directory,
            "file": self.module.path,
            "line": self.module.line,
        }


def module_versions(project: Project) -> list[ModuleVersions]:
    """Return the modules that the Puppetfile of a project declares, in its order."""
    world = Machine()
    return [
        ModuleVersions(one, asked_for(one), installed_version(one, world))
        for one in read_puppetfile(project.root, world).modules
    ]


def setting_values(
    context: Context, configuration: Mapping[str, Choice]
) -> Iterator[ConfiguredValue]:
    """Yield the settings without a key of their own."""
    configured, found = configuration.get("settings"), context.project.choices.get("settings")
    for name, value in sorted(context.fields["settings"].items()):
        if name in KEYS:
            continue
        if configured is not None and configured.value.get(name) == value:
            origin, choice = "file", configured
        elif found is not None and found.value.get(name) == value:
            origin, choice = "project", found
        else:
            origin, choice = "option", Choice(value, "--set or --config")
        yield ConfiguredValue(f"settings.{name}", value, origin, choice)


def same(given: Any, configured: Choice | None) -> bool:
    """Return whether an option has the value of the configuration file."""
    if configured is None:
        return False
    value = configured.value
    return bool(given == (os.pathsep.join(value) if isinstance(value, list) else value))


def configuration_data(
    project: Project, values: Sequence[ConfiguredValue], notes: Sequence[str]
) -> dict[str, Any]:
    """Return a project and its values for programs."""
    return {
        "schema": 1,
        "project": {
            "kind": project.kind,
            "name": project.name,
            "root": project.root,
            "reason": project.reason,
        },
        "values": [
            {
                "name": one.name,
                "value": one.value,
                "origin": one.origin,
                "reason": one.choice.reason,
                "file": one.choice.file,
                "line": one.choice.line,
            }
            for one in values
        ],
        "modules": [one.data for one in module_versions(project)],
        "notes": list(notes),
    }
