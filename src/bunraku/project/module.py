"""Modules: a directory with ``metadata.json``, whatever it is called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.modules.environment import MODULE_NAME
from bunraku.patterns import lazy_pattern
from bunraku.project.model import MODULE, Choice, Project
from bunraku.project.reading import (
    MODULE_PARTS,
    existing,
    facts_choices,
    json_object,
    line_of,
    names_in,
    text_of,
)
from bunraku.world import World

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
        if MODULE_NAME.fullmatch(short) and MODULE_PARTS.intersection(names_in(world, root)):
            path = f"{root}/{file}"
            line = line_of(text_of(world, path), r"""\bname\b""")
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
    base = [path for path in str(settings["basemodulepath"]).split(":") if path]
    fixtures = existing(world, root, [FIXTURES])
    modules = Choice({name.value: root}, f"named by {name.reason}", name.file, name.line)
    used = f"{FIXTURES} and basemodulepath" if fixtures else f"basemodulepath; no {FIXTURES}"
    choices = {
        "modules": modules,
        "modulepath": Choice([*fixtures, *base], used),
        **facts_choices(world, root),
    }
    return Project(MODULE, root, name.value, f"{name.reason} is in {root}", choices)


def first_class(root: str, name: str, world: World) -> str:
    """Return the class of a module that is most worth a try: its own, else the first."""
    declared: list[str] = []
    pattern = re.compile(rf"(?m)^\s*class\s+(?:::)?({re.escape(name)}(?:::\w+)*)\b")
    for file in names_in(world, f"{root}/manifests"):
        declared += pattern.findall(text_of(world, f"{root}/manifests/{file}"))
    return min(declared, key=lambda one: (one.count("::"), one), default=name)
