"""Modules: a directory with ``metadata.json``, under any name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lines import line_matching
from bunraku.base.paths import path_list
from bunraku.modules.names import is_module_name
from bunraku.modules.requirements import ANY_VERSION
from bunraku.project.model import MODULE, Choice, Project
from bunraku.project.reading import (
    MODULE_PARTS,
    existing,
    facts_choices,
    json_object,
    names_in,
    text_of,
)
from bunraku.world.protocol import World

MODULEFILE_NAME = lazy_pattern(r"""^\s*name\s+['"]([^'"]+)['"]""", re.MULTILINE)
FIRST_CLASS = lazy_pattern(r"^\s*(?:class|define)\s+(?:::)?([a-z][a-z0-9_]*)", re.MULTILINE)
FIXTURES = "spec/fixtures/modules"

Settings = Mapping[str, Any]


def module_at(root: str, world: World, settings: Settings) -> Project | None:
    """Return the module that ``metadata.json`` or a Modulefile names."""
    for file, name in (
        ("metadata.json", json_object(world, f"{root}/metadata.json").get("name")),
        ("Modulefile", first(MODULEFILE_NAME.search(text_of(world, f"{root}/Modulefile")))),
    ):
        short = re.split("[-/]", name, maxsplit=1)[-1] if isinstance(name, str) else ""
        if is_module_name(short) and MODULE_PARTS.intersection(names_in(world, root)):
            path = f"{root}/{file}"
            line = line_matching(text_of(world, path), r"""\bname\b""")
            return module_project(root, world, settings, Choice(short, file, path, line))
    return None


def bare_module_at(root: str, world: World, settings: Settings) -> Project | None:
    """Return the module that only its layout and ``manifests/init.pp`` show."""
    path = f"{root}/manifests/init.pp"
    name = first(FIRST_CLASS.search(text_of(world, path)))
    if not name:
        return None
    return module_project(
        root, world, settings, Choice(name, "the name in manifests/init.pp", path)
    )


def first(found: re.Match[str] | None) -> str:
    """Return the first group of a match; empty without one."""
    return "" if found is None else found[1]


def module_project(root: str, world: World, settings: Settings, name: Choice) -> Project:
    """Return the project of a module."""
    base = [path for path in path_list(str(settings["basemodulepath"])) if path]
    fixtures = existing(world, root, [FIXTURES])
    beside = dependencies_beside(root, world, [*fixtures, *base])
    more = f"; {', '.join(sorted(beside))} beside it" if beside else ""
    own = {**beside, name.value: root}
    modules = Choice(own, f"named by {name.reason}{more}", name.file, name.line)
    used = f"{FIXTURES} and basemodulepath" if fixtures else f"basemodulepath; no {FIXTURES}"
    choices = {
        "modules": modules,
        "modulepath": Choice([*fixtures, *base], used),
        **facts_choices(world, root),
    }
    return Project(MODULE, root, name.value, f"{name.reason} is in {root}", choices)


def requirements_of(root: str, world: World) -> list[tuple[str, str]]:
    """Return the modules that the metadata of a module requires, with the versions as text.

    A name is ``owner-name``, without an owner ``name``. Without versions, all are fine.
    """
    entries = json_object(world, f"{root}/metadata.json").get("dependencies")
    return [
        (entry["name"].replace("/", "-"), str(entry.get("version_requirement") or ANY_VERSION))
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("name"), str)
    ]


def dependencies_of(root: str, world: World) -> list[tuple[str, str]]:
    """Return author and name of each module that the metadata of a module depends on."""
    split = (name.split("-", maxsplit=1) for name, _ in requirements_of(root, world))
    return [(parts[0] if len(parts) > 1 else "", parts[-1]) for parts in split]


def dependencies_beside(root: str, world: World, modulepath: list[str]) -> dict[str, str]:
    """Return the modules that a module depends on and whose checkouts lie in the same directory.

    Modules that the modulepath has are left out; the dependencies of the others count, too.
    """
    parent = root.rpartition("/")[0]
    found: dict[str, str] = {}
    waiting = [root]
    while waiting:
        for author, name in dependencies_of(waiting.pop(), world):
            if name in found or any(world.is_directory(f"{one}/{name}") for one in modulepath):
                continue
            for directory in (name, f"{author}-{name}", f"puppet-{name}", f"puppetlabs-{name}"):
                path = f"{parent}/{directory}"
                if path != root and names_module(path, name, world):
                    found[name] = path
                    waiting.append(path)
                    break
    return found


def names_module(path: str, name: str, world: World) -> bool:
    """Return whether the metadata in a directory is that of a module with this name."""
    full = json_object(world, f"{path}/metadata.json").get("name")
    return isinstance(full, str) and re.split("[-/]", full, maxsplit=1)[-1] == name


def first_class(root: str, name: str, world: World) -> str:
    """Return the class of a module that is most worth a try: its own, else the first."""
    declared: list[str] = []
    pattern = re.compile(rf"(?m)^\s*class\s+(?:::)?({re.escape(name)}(?:::\w+)*)\b")
    for file in names_in(world, f"{root}/manifests"):
        declared += pattern.findall(text_of(world, f"{root}/manifests/{file}"))
    return min(declared, key=lambda one: (one.count("::"), one), default=name)
