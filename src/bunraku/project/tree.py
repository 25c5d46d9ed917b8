"""Configuration directories of a server: ``puppet.conf`` with modules or environments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.lines import line_matching
from bunraku.base.paths import path_list
from bunraku.base.records import replace
from bunraku.dialects.languages import PARSERS
from bunraku.dialects.puppet_3.settings import DEFAULTS as PUPPET_3_DEFAULTS
from bunraku.modules.settings import read_configuration, resolve
from bunraku.project.model import ENVIRONMENTS, PUPPET_3_TREE, Choice, Project
from bunraku.project.reading import (
    SERVER_DIRECTORIES,
    existing,
    facts_choices,
    hiera_version,
    holds_modules,
    names_in,
    server_choices,
    text_of,
)
from bunraku.world.protocol import World
from bunraku.world.special_files import is_present

Settings = Mapping[str, Any]

ONLY_IN_PUPPET_3 = (
    "parser",
    "manifestdir",
    "templatedir",
    "stringify_facts",
    "trusted_node_data",
    "immutable_node_data",
    "allow_variables_with_dashes",
    "thin_storeconfigs",
    "async_storeconfigs",
    "dbadapter",
    "ignoreimport",
)
"""Settings that Puppet 4 removed: who sets them has Puppet 3."""


OWN_PLACES = frozenset({"confdir", "codedir", "vardir", "ssldir", "logdir", "rundir"})
"""Settings of the server's directories, which the checkout does not follow."""


def tree_at(root: str, world: World, settings: Settings) -> Project | None:
    """Return the tree that ``puppet.conf`` or a directory ``environments`` shows."""
    conf = f"{root}/puppet.conf"
    names = set(names_in(world, root))
    if is_present(conf, world) and names & {"modules", "manifests", "environments", "hiera.yaml"}:
        return configured_tree(root, world, settings, conf)
    environments = f"{root}/environments"
    if environment_names(world, environments):
        return environments_project(
            root, world, settings, environments, f"{root} has environments/"
        )
    if root.endswith("/environments") and environment_names(world, root):
        parent = root.rpartition("/")[0]
        return environments_project(parent, world, settings, root, f"{root} contains environments")
    return None


def environment_names(world: World, directory: str) -> list[str]:
    """Return the environments in a directory, by name."""
    return [
        name
        for name in names_in(world, directory)
        if re.fullmatch("[a-z0-9_]+", name) and is_environment(world, f"{directory}/{name}")
    ]


def is_environment(world: World, path: str) -> bool:
    """Return whether a directory looks like an environment."""
    names = set(names_in(world, path))
    return "environment.conf" in names or bool(
        names & {"manifests", "hiera.yaml", "Puppetfile"} or holds_modules(world, f"{path}/modules")
    )


def environments_project(
    root: str, world: World, settings: Settings, path: str, reason: str
) -> Project:
    """Return the project of a directory of environments."""
    choices = {"environmentpath": Choice(path, reason), **facts_choices(world, root)}
    if world.is_directory(f"{root}/modules"):
        choices["basemodulepath"] = Choice(f"{root}/modules", "modules/ beside the environments")
    choices.update(global_hiera(root, world))
    project = Project(ENVIRONMENTS, root, reason=reason, choices=choices)
    names = environment_names(world, path)
    wanted = str(settings["environment"])
    if wanted not in names and len(names) == 1:
        wanted = names[0]
    return with_environment(project, wanted)


def with_environment(project: Project, name: str) -> Project:
    """Return a directory of environments with the selected environment."""
    choices = {**project.choices, "environment": Choice(name, "the environment of this directory")}
    return replace(project, name=name, choices=choices)


def global_hiera(root: str, world: World) -> dict[str, Choice]:
    """Return the global layer's configuration: a ``hiera.yaml`` beside ``puppet.conf``."""
    path = f"{root}/hiera.yaml"
    if hiera_version(world, path) is None:
        return {}
    return {"hiera_config": Choice(path, "hiera.yaml of the configuration directory", path)}


def configured_tree(root: str, world: World, settings: Settings, conf: str) -> Project:
    """Return the project of a configuration directory with its ``puppet.conf``."""
    reason = f"puppet.conf is in {root}"
    paths = ServerPaths(root, world, conf)
    choices = {
        "settings": Choice({**paths.given, "confdir": root, "codedir": root}, reason, conf),
        **language_of(paths),
        **facts_choices(world, root),
        **global_hiera(root, world),
        **server_choices(world, root),
    }
    environments = paths.existing("environmentpath") or existing(world, root, ["environments"])
    names = environment_names(world, environments[0]) if environments else []
    if names and not world.is_file(f"{root}/manifests/site.pp"):
        made = environments_project(root, world, settings, environments[0], reason)
        return replace(made, choices={**choices, **made.choices})
    for name in ("modulepath", "basemodulepath"):
        if "modulepath" not in choices and (found := paths.existing(name)):
            choices["modulepath"] = paths.choice(name, found)
    if found := paths.existing("manifest"):
        choices["manifest"] = paths.choice("manifest", found[0])
    name = str(paths.known["environment"])
    if "environment" in paths.given:
        choices["environment"] = paths.choice("environment", name)
    return Project(PUPPET_3_TREE, root, name, reason, choices)


class ServerPaths:
    """The settings of a ``puppet.conf`` in a checkout of the server's directory.

    Paths below the server's usual directories are those of the checkout, where they exist there.
    """

    def __init__(self, root: str, world: World, conf: str) -> None:
        self.root = root
        self.world = world
        self.conf = conf
        self.text = text_of(world, conf)
        found = read_configuration(conf, world)
        self.given: dict[str, Any] = {
            name: self.here(value) if isinstance(value, str) else value
            for name, value in found.items()
            if name not in OWN_PLACES
        }
        self.known = resolve(
            {"confdir": root, "codedir": root, **self.given}, "", PUPPET_3_DEFAULTS
        )

    def here(self, text: str) -> str:
        """Return a path, or several joined by colons, as they are in the checkout."""
        return ":".join(map(self.path_here, path_list(text))) if "/" in text else text

    def path_here(self, path: str) -> str:
        """Return a path in the checkout."""
        for directory in SERVER_DIRECTORIES:
            if path.startswith(f"{directory}/"):
                moved = self.root + path[len(directory) :]
                if self.world.is_file(moved) or self.world.is_directory(moved):
                    return moved
        return path

    def existing(self, name: str) -> list[str]:
        """Return the paths of a setting that exist."""
        paths = [path for path in path_list(str(self.known.get(name) or "")) if path]
        return [path for path in paths if self.world.is_file(path) or self.world.is_directory(path)]

    def choice(self, name: str, value: Any) -> Choice:
        """Return a value with the line of the setting that gives it."""
        if name in self.given:
            return Choice(value, f"{name} in puppet.conf", self.conf, self.line(name))
        return Choice(value, f"the default of {name}, confdir being {self.root}")

    def line(self, name: str) -> int | None:
        """Return the line of a setting."""
        return line_matching(self.text, rf"^[ \t]*{name}\s*=")


def language_of(paths: ServerPaths) -> dict[str, Choice]:
    """Return Puppet 3's language where a setting that only Puppet 3 has is set."""
    for name in ONLY_IN_PUPPET_3:
        if name in paths.given:
            value = PARSERS.get(str(paths.given[name]), "3.8") if name == "parser" else "3.8"
            reason = f"puppet.conf sets {name}, which only Puppet 3 has"
            return {"language": Choice(value, reason, paths.conf, paths.line(name))}
    return {}
