"""Control repositories: an environment's directory, under any name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lines import line_matching
from bunraku.base.paths import path_list
from bunraku.dialects.languages import PARSERS
from bunraku.modules.environment import Environment, read_environment
from bunraku.modules.ini import read_settings
from bunraku.project.model import CONTROL_REPOSITORY, PUPPET_3_TREE, Choice, Project
from bunraku.project.reading import (
    existing,
    facts_choices,
    hiera_version,
    holds_modules,
    manifests_in,
    names_in,
    server_choices,
    text_of,
)
from bunraku.world.protocol import World
from bunraku.world.special_files import is_present

MODULE_DIRECTORIES = ("site-modules", "site", "dist", "modules")
"""Directories of modules in control repositories, in order of precedence."""
DATA_DIRECTORIES = ("data", "hieradata", "hiera")
NOT_SITE = frozenset({"init.pp", "params.pp", "install.pp", "config.pp", "service.pp"})
"""Manifests that modules have, and no main manifest."""

Settings = Mapping[str, Any]


def certain(root: str, world: World, settings: Settings) -> Project | None:
    """Return the control repository that ``environment.conf`` or a Puppetfile shows."""
    marks = [
        name for name in ("environment.conf", "Puppetfile") if is_present(f"{root}/{name}", world)
    ]
    if not marks or ("environment.conf" not in marks and not looks_like_control(root, world)):
        return None
    return control_repository(root, world, settings, f"{marks[0]} is in {root}")


def probable(root: str, world: World, settings: Settings) -> Project | None:
    """Return the control repository that directories and a main manifest or data show."""
    if not looks_like_control(root, world):
        return None
    kept = [
        name
        for name in ("hiera.yaml", "site.pp", "manifests", *MODULE_DIRECTORIES)
        if name in names_in(world, root)
    ]
    return control_repository(root, world, settings, f"{root} has {', '.join(kept)}")


def looks_like_control(root: str, world: World) -> bool:
    """Return whether a directory has two of modules, a main manifest and Hiera data."""
    modules = bool(directories_of_modules(root, world))
    manifest = has_main_manifest(root, world)
    data = is_present(f"{root}/hiera.yaml", world) and bool(existing(world, root, DATA_DIRECTORIES))
    return modules + manifest + data > 1 or (data and not world.is_file(f"{root}/metadata.json"))


def directories_of_modules(root: str, world: World) -> list[str]:
    """Return the usual directories of modules that are there and have modules in them."""
    return [
        path for path in existing(world, root, MODULE_DIRECTORIES) if holds_modules(world, path)
    ]


def has_main_manifest(root: str, world: World) -> bool:
    """Return whether ``site.pp`` or a directory ``manifests`` as environments have it is there."""
    manifests = manifests_in(world, f"{root}/manifests")
    if world.is_file(f"{root}/site.pp") or "site.pp" in manifests:
        return True
    return bool(manifests) and not NOT_SITE.intersection(manifests)


def control_repository(root: str, world: World, settings: Settings, reason: str) -> Project:
    """Return the project of a control repository."""
    name = str(settings["environment"])
    base = path_list(str(settings["basemodulepath"]))
    try:
        environment = read_environment(name, root, world, base, settings, None)
    except PuppetError:  # the compile reports the mistake in environment.conf
        manifests = Choice(f"{root}/manifests", "the default")
        choices = {"environment_directory": Choice(root, reason), "manifest": manifests}
        return Project(CONTROL_REPOSITORY, root, name, reason, choices)
    choices = {
        "environment_directory": Choice(root, reason),
        "modulepath": modulepath(root, world, environment),
        **manifest(root, world, environment),
        **hiera_config(root, world),
        **language(root, world),
        **facts_choices(world, root),
        **server_choices(world, root),
    }
    old = hiera_version(world, f"{root}/hiera.yaml") == 3
    conf = is_present(f"{root}/environment.conf", world)
    kind = PUPPET_3_TREE if old and not conf else CONTROL_REPOSITORY
    return Project(kind, root, name, reason, choices)


def configured(root: str, world: World, name: str) -> Choice | None:
    """Return a setting of ``environment.conf`` with its line."""
    path = f"{root}/environment.conf"
    if not is_present(path, world):
        return None
    try:
        value = read_settings(path, world).get(name)
    except PuppetError:
        return None  # the compile reports the mistake
    if value is None:
        return None
    line = line_matching(text_of(world, path), rf"^[ \t]*{name}\s*=")
    return Choice(value, "environment.conf", path, line)


def modulepath(root: str, world: World, environment: Environment) -> Choice:
    """Return the modulepath: of ``environment.conf``, else the usual directories that are there."""
    found = configured(root, world, "modulepath")
    if found is not None:
        return Choice(list(environment.modulepath), found.reason, found.file, found.line)
    own = existing(world, root, MODULE_DIRECTORIES)
    base = [path for path in environment.modulepath if path != f"{root}/modules"]
    names = ", ".join(path.rpartition("/")[2] + "/" for path in own) or "no module directory"
    return Choice([*own, *base], f"no modulepath in environment.conf; {names} and basemodulepath")


def manifest(root: str, world: World, environment: Environment) -> dict[str, Choice]:
    """Return the main manifest, if it exists."""
    path = environment.manifest
    if path is not None and (world.is_file(path) or world.is_directory(path)):
        found = configured(root, world, "manifest")
        if found is not None:
            return {"manifest": Choice(path, found.reason, found.file, found.line)}
        return {"manifest": Choice(path, "the default")}
    if world.is_file(f"{root}/site.pp"):
        return {
            "manifest": Choice(f"{root}/site.pp", "site.pp is there, and no directory manifests/")
        }
    return {}


def hiera_config(root: str, world: World) -> dict[str, Choice]:
    """Return the global layer's configuration: a ``hiera.yaml`` of version 3 can be no other."""
    path = f"{root}/hiera.yaml"
    version = hiera_version(world, path)
    if version is None or version > 3:
        return {}
    return {"hiera_config": Choice(path, "version 3 belongs to the global layer", path, 1)}


def language(root: str, world: World) -> dict[str, Choice]:
    """Return the language that ``environment.conf`` names."""
    found = configured(root, world, "language")
    if found is not None:
        return {"language": found}
    parser = configured(root, world, "parser")
    if parser is None:
        return {}
    value = PARSERS.get(parser.value, parser.value)
    reason = f"parser = {parser.value} in environment.conf"
    return {"language": Choice(value, reason, parser.file, parser.line)}
